"""Two texts laid out with the passages that they share: what is shown, what is cut, in blocks.

Nothing here knows HTML or a terminal. Texts may be hostile: one line of 50 MB, a million lines.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from reports.words import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from reports.schema import CopiedPassages, Passage

MAX_LINE: Final = 240  # characters of a line
MAX_REGIONS: Final = 60  # of two texts, the longest
MAX_WHOLE: Final = 1500  # lines of a text that is shown whole where its bytes allow
COLOURS: Final = "abcdefgh"  # as many as can be told apart; they repeat, the numbers do not
MARKUP: Final = 46  # bytes that a line costs beside its text
NEAR: Final = 4  # lines beside a region that stay in sight
FOLDED: Final = 6  # fewer lines are not worth folding
# Lines around each region and lines of one region, the most generous first.
_CUTS: Final = ((4, 1500), (3, 400), (3, 100), (2, 40), (1, 12), (0, 4))

Side = Literal["left", "right"]


class Region(NamedTuple):
    """Lines of one text that match lines of another; its number is the same on both sides."""

    number: int
    first: int
    last: int
    colour: str  # a letter of `COLOURS`


class Block(NamedTuple):
    """Neighbouring lines that lie in the same regions, or a stretch that is left out."""

    lines: list[tuple[int, str]]
    inside: tuple[Region, ...] = ()  # the longest first, so the last is the narrowest
    begins: tuple[Region, ...] = ()  # of these, which are seen here first
    n_skipped: int = 0  # lines left out here; then there are no lines
    is_folded: bool = False  # far from every region


@dataclass(frozen=True)
class Pane:
    """What is shown of one text."""

    blocks: tuple[Block, ...]
    shown: frozenset[int]  # numbers of the regions of which a line is shown
    n_cut: int  # lines of regions that are not shown


def matched(evidence: CopiedPassages, most: int = MAX_REGIONS) -> tuple[tuple[int, Passage], ...]:
    """Give the longest passages numbers from 1, in the order of the text under audit.

    Parameters
    ----------
    most : int
        How many are kept.
    """
    longest = sorted(evidence.passages, key=lambda p: (p.left_first - p.left_last, p.left_first))
    kept = sorted(longest[:most], key=lambda p: (p.left_first, p.left_last, p.right_first))
    return tuple(enumerate(kept, start=1))


def regions_of(evidence: CopiedPassages, side: Side, most: int = MAX_REGIONS) -> tuple[Region, ...]:
    """Give the regions of one side; both sides have the same numbers and colours."""
    return tuple(
        Region(
            number,
            *((p.left_first, p.left_last) if side == "left" else (p.right_first, p.right_last)),
            COLOURS[(number - 1) % len(COLOURS)],
        )
        for number, p in matched(evidence, most)
    )


def numbered(text: str, start: int = 1) -> dict[int, str]:
    r"""Give the lines of a text by their numbers; none of an empty text.

    Examples
    --------
    >>> numbered("a\r\nb", 7)
    {7: 'a', 8: 'b'}
    """
    if not text:
        return {}
    lines = text.removesuffix("\n").split("\n")
    return {n: line.removesuffix("\r") for n, line in enumerate(lines, start)}


def shown_line(line: str) -> str:
    """Make a line safe to look at and cut it.

    Examples
    --------
    >>> shown_line("x" * 300)[MAX_LINE - 2:]
    'xx … [240 of 300 characters shown]'
    """
    text = visible(line[:MAX_LINE])  # only the head of a huge line is looked at
    if len(line) > MAX_LINE:
        return f"{text} … [{MAX_LINE} of {len(line):,} characters shown]"
    return text


def pane(lines: Mapping[int, str], regions: Sequence[Region], budget: int) -> Pane:
    """Choose the lines that a budget allows, those of regions first, and put them in blocks.

    Parameters
    ----------
    lines : mapping
        The text, by line number.
    budget : int
        Bytes of all lines with their mark-up; a text that has any line keeps one.
    """
    kept = sorted(_kept(lines, regions, budget))
    blocks = tuple(_folded(list(_blocks(lines, kept, regions))))
    shown = frozenset(r.number for b in blocks for r in b.begins)
    n_shown = sum(len(b.lines) for b in blocks if b.inside)
    return Pane(blocks, shown, _covered(lines, regions) - n_shown)


def _covered(lines: Mapping[int, str], regions: Iterable[Region]) -> int:
    """Count the lines that lie in any region."""
    if not lines:
        return 0
    count, done = 0, min(lines) - 1
    for first, last in sorted((r.first, min(r.last, max(lines))) for r in regions):
        count += max(0, last - max(first - 1, done))
        done = max(done, last)
    return count


def _end(region: Region, lines: Mapping[int, str]) -> int:
    """Give the last line of a region that the text can have: a document may claim any number."""
    return min(region.last, region.first + len(lines))


def _cost(line: str) -> int:
    """Count the bytes of a line in a page."""
    return len(escape(shown_line(line)).encode("utf-8", "replace")) + MARKUP


def _kept(lines: Mapping[int, str], regions: Sequence[Region], budget: int) -> set[int]:
    if len(lines) <= MAX_WHOLE and _fits(lines.values(), budget):
        return set(lines)
    for around, most in _CUTS:
        wanted = _around(lines, regions, around, most)
        if wanted and _fits((lines[n] for n in wanted), budget):
            return wanted
    # Not even the beginnings of all regions fit: of as many as do, or of the text itself.
    return _first(lines, sorted(_around(lines, regions, 0, _CUTS[-1][1])) or list(lines), budget)


def _fits(lines: Iterable[str], budget: int) -> bool:
    for line in lines:
        budget -= _cost(line)
        if budget < 0:
            return False
    return True


def _around(
    lines: Mapping[int, str], regions: Iterable[Region], around: int, most: int
) -> set[int]:
    """Give the first lines of each region, and some before and after."""
    wanted = {
        n
        for r in regions
        for n in range(r.first - around, min(_end(r, lines), r.first + most - 1) + around + 1)
    }
    return wanted.intersection(lines)


def _first(lines: Mapping[int, str], wanted: Iterable[int], budget: int) -> set[int]:
    """Take lines while they fit, and at least one."""
    kept: set[int] = set()
    for n in wanted:
        budget -= _cost(lines[n])
        if kept and budget < 0:
            break
        kept.add(n)
    return kept


def _blocks(
    lines: Mapping[int, str], kept: Sequence[int], regions: Sequence[Region]
) -> Iterable[Block]:
    """Put the lines that are kept together by the regions that they lie in."""
    if not kept:
        return
    order = sorted(lines)
    place = {n: i for i, n in enumerate(order)}
    if place[kept[0]]:
        yield Block([], n_skipped=place[kept[0]])
    seen: set[int] = set()
    edges = {r.first for r in regions} | {r.last + 1 for r in regions}
    begin = 0
    for i, (n, following) in enumerate(pairwise([*kept, kept[-1] + len(lines) + 1]), start=1):
        if following != n + 1 or following in edges:
            yield _block(lines, kept[begin:i], regions, seen)
            begin = i
            gap = place.get(following, len(order)) - place[n] - 1
            if gap:
                yield Block([], n_skipped=gap)


def _folded(blocks: list[Block]) -> Iterable[Block]:
    """Fold what lies far from every region, so that one sees regions without scrolling."""
    if not any(b.inside for b in blocks):
        yield from blocks
        return
    for before, block, after in zip([None, *blocks], blocks, [*blocks[1:], None], strict=False):
        head = NEAR if before and before.inside else 0
        tail = len(block.lines) - (NEAR if after and after.inside else 0)
        if block.inside or tail - head < FOLDED:
            yield block
            continue
        pieces = block.lines[:head], block.lines[head:tail], block.lines[tail:]
        yield from (Block(p, is_folded=i == 1) for i, p in enumerate(pieces) if p)


def _block(
    lines: Mapping[int, str], kept: Sequence[int], regions: Sequence[Region], seen: set[int]
) -> Block:
    first = kept[0]
    inside = sorted(
        (r for r in regions if r.first <= first <= r.last), key=lambda r: r.first - r.last
    )
    begins = tuple(r for r in inside if r.number not in seen)
    seen.update(r.number for r in begins)
    return Block([(n, shown_line(lines[n])) for n in kept], tuple(inside), begins)
