"""Copies in plain text: two passages one under the other, or side by side where there is room."""

from __future__ import annotations

import unicodedata
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import TYPE_CHECKING, Final, NamedTuple

from competitions.io import printable
from reports.copy_words import METHODS, credit, percent, significance
from reports.passages import MAX_LINE, matched, numbered
from reports.places import span
from reports.words import counted, number

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from reports.schema import CopiedPassages, Passage, Provenance, SharedMarks, SubmissionMix

SIDE_BY_SIDE: Final = 110  # columns from which two texts stand side by side
MAX_PASSAGES: Final = 10  # that are printed, the longest
MAX_LINES: Final = 80  # of one passage
MAX_FILES: Final = 20  # of a mix; marks
_TAB: Final = 4
_GUTTER: Final = 7  # columns of a line's number and the bar after it


class _Row(NamedTuple):
    """Two lines that stand beside one another."""

    left: int | None
    sign: str  # as diff -y writes it: | differs, < and > stand on one side only
    right: int | None


def copied(evidence: CopiedPassages, width: int) -> Iterator[str]:
    """Show what two documents share, and the passages.

    Parameters
    ----------
    width : int
        Columns that a line may take; lines of passages one under the other may be longer.
    """
    yield f"{printable(evidence.path)} shares {evidence.channel} with {printable(evidence.source)}"
    yield from _credit(evidence.provenance)
    run = counted(evidence.longest_run, "word" if evidence.channel == "prose" else "token")
    yield (
        f"share of source {percent(evidence.share_of_source)}, share of file "
        f"{percent(evidence.share_of_file)}, longest run {run}"
    )
    yield significance(evidence)
    if evidence.only_in_trajectory:
        yield "seen in the trajectory only: what was handed in does not hold it"
    left = numbered(evidence.left_text, evidence.left_start)
    right = numbered(evidence.right_text, evidence.right_start)
    total = len(evidence.passages)
    for n, passage in matched(evidence, MAX_PASSAGES):
        yield (
            f"passage {n}: lines {span(passage.left_first, passage.left_last)} and "
            f"{span(passage.right_first, passage.right_last)} of the source, "
            f"{percent(passage.similarity)} alike"
        )
        if width >= SIDE_BY_SIDE:
            yield from _beside(passage, left, right, width)
        else:
            yield from _under(evidence.path, left, passage.left_first, passage.left_last)
            yield from _under(evidence.source, right, passage.right_first, passage.right_last)
    if total > MAX_PASSAGES:
        yield f"and {counted(total - MAX_PASSAGES, 'shorter passage')}"


def mixed(evidence: SubmissionMix) -> Iterator[str]:
    """Show what a submission was mixed from."""
    many = len(evidence.ingredients)
    whom = counted(many, "file") if many > 1 else printable(evidence.ingredients[0].source)
    fit = f", R² {evidence.r2:.6f}" if evidence.r2 is not None else ""
    yield f"{printable(evidence.path)} {METHODS[evidence.method]} {whom}"
    yield f"over {counted(evidence.n_rows, 'row')} of {_columns(evidence.columns)}{fit}"
    yield significance(evidence)
    for i in evidence.ingredients[:MAX_FILES]:
        yield (
            f"  weight {number(i.weight)}, {percent(i.exact_share)} of rows equal: "
            f"{printable(i.source)}"
        )
        yield from (f"    {line}" for line in _credit(i.provenance))
    if many > MAX_FILES:
        yield f"  and {counted(many - MAX_FILES, 'more file')}"


def marked(evidence: SharedMarks) -> Iterator[str]:
    """Show the marks of origin that a file shares with a source."""
    yield (
        f"{printable(evidence.path)} shares {counted(evidence.n_shared, 'mark')} of its "
        f"{evidence.n_in_file:,} with {printable(evidence.source)}"
    )
    yield from _credit(evidence.provenance)
    for mark in evidence.marks[:MAX_FILES]:
        line = f"line {mark.first_line}: " if mark.first_line is not None else ""
        yield f"  {line}{printable(mark.what)} {printable(mark.value[:MAX_LINE])}"
    if (rest := evidence.n_shared - min(len(evidence.marks), MAX_FILES)) > 0:
        yield f"  and {counted(rest, 'more mark')}"


def _credit(provenance: Provenance) -> Iterator[str]:
    if told := credit(provenance):
        yield f"source: {printable(told)}"
    if provenance.url:
        yield f"        {printable(provenance.url)}"


def _columns(names: tuple[str, ...]) -> str:
    few = ", ".join(map(printable, names[:4]))
    return few + (f" and {len(names) - 4} more" if len(names) > 4 else "")  # noqa: PLR2004


def _text(lines: Mapping[int, str], n: int) -> str:
    """Give a line as a terminal may show it; a tab takes columns and is no control."""
    line = lines[n]
    more = f" … [{MAX_LINE} of {len(line):,} characters shown]" if len(line) > MAX_LINE else ""
    return printable(line[:MAX_LINE].expandtabs(_TAB)) + more


def _known(lines: Mapping[int, str], first: int, last: int) -> tuple[list[int], int]:
    """Give the numbers of the first lines that the document holds, and how many are left out."""
    held = [n for n in range(first, min(last, first + MAX_LINES - 1) + 1) if n in lines]
    return held, max(last - first + 1 - len(held), 0)


def _under(name: str, lines: Mapping[int, str], first: int, last: int) -> Iterator[str]:
    held, left_out = _known(lines, first, last)
    yield f"  {printable(name)}"
    yield from (f"{n:>6} | {_text(lines, n)}" for n in held)
    if left_out:
        yield f"       | … {counted(left_out, 'more line')}"


def _beside(
    passage: Passage, left: Mapping[int, str], right: Mapping[int, str], width: int
) -> Iterator[str]:
    ours, ours_out = _known(left, passage.left_first, passage.left_last)
    theirs, theirs_out = _known(right, passage.right_first, passage.right_last)
    room = (width - 2 * _GUTTER - 3) // 2
    for row in _aligned(ours, theirs, left, right):
        one, other = _cell(left, row.left, room), _cell(right, row.right, room)
        yield f"{one} {row.sign} {other}".rstrip()
    if ours_out or theirs_out:
        one, other = (
            f"{'':5}  … {counted(n, 'more line')}" if n else "" for n in (ours_out, theirs_out)
        )
        yield f"{one:<{room + _GUTTER}}   {other}".rstrip()


def _aligned(
    ours: list[int], theirs: list[int], left: Mapping[int, str], right: Mapping[int, str]
) -> Iterable[_Row]:
    """Put lines that are equal, but for space at their ends, beside one another."""
    a, b = ([lines[n].strip() for n in held] for lines, held in ((left, ours), (right, theirs)))
    for kind, i, j, k, m in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        for one, other in zip_longest(ours[i:j], theirs[k:m]):
            sign = " " if kind == "equal" else "<" if other is None else ">" if one is None else "|"
            yield _Row(one, sign, other)


def _cell(lines: Mapping[int, str], n: int | None, room: int) -> str:
    if n is None:
        return " " * (room + _GUTTER)
    text = _text(lines, n)
    if cells(text) > room:
        while cells(text) > room - 1:
            text = text[:-1]
        text += "…"
    return f"{n:>5}  {text}{' ' * (room - cells(text))}"


def cells(text: str) -> int:
    """Count the columns of a terminal that a text takes.

    Examples
    --------
    >>> cells("abc"), cells("汉字")
    (3, 4)
    """
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )
