"""Evidence of a copy: the passages of two documents, and as much of their texts as shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

import numpy as np

from detectors.plagiarism.comments import comments_of
from detectors.plagiarism.regions import matched_regions
from detectors.plagiarism.statements import code_statements, prose_statements
from reports.schema import CopiedPassages, Provenance

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from detectors.plagiarism.documents import Document
    from detectors.plagiarism.statements import Statements

MAX_WHOLE_BYTES = 64 << 10  # a longer text is cut to the lines around its passages
AROUND = 5  # lines shown before and after a passage of a long text
MAX_LINE = 1_000  # characters of a line of a long text
ELLIPSIS = "…"  # the first of lines that are left out; the others are empty

Channel = Literal["code", "prose"]


class Source(Protocol):
    """What a text is held against: an entry of the corpus, or another attempt's document."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def provenance(self) -> Provenance:
        """Where it comes from."""


class Shares(Protocol):
    """How much two documents share, weighted by rarity: a candidate of the corpus."""

    @property
    def share_of_source(self) -> float:
        """Of the source, in [0, 1]."""

    @property
    def share_of_file(self) -> float:
        """Of the file under audit, in [0, 1]."""


class Significance(NamedTuple):
    """What a score means: how often honest solutions reach it, and how many were compared."""

    p: float | None = None
    n_null: int = 0


class Excerpt(NamedTuple):
    """A text, whole or in part.

    Parameters
    ----------
    start : int
        Line number of its first line.
    """

    text: str
    start: int


def copied_passages(  # noqa: PLR0913 - a piece of evidence has these parts
    left: Document,
    right_entry: Source,
    right_document: Document,
    candidate: Shares,
    *,
    channel: Channel = "code",
    rarity: NDArray[np.float64] | None = None,
    significance: Significance | None = None,
    only_in_trajectory: bool = False,
) -> CopiedPassages:
    """Lay out what a document shares with its likely source.

    Parameters
    ----------
    left : Document
        The one under audit; in the prose channel its prose, or its comments where it has none.
    right_entry : Source
        Gives the source's name and provenance: an entry of the corpus, or a document.
    right_document : Document
        The source with its text.
    candidate : Shares
        Gives the shares; they are taken as they are.
    channel : {"code", "prose"}
        What of the documents is compared.
    rarity : ndarray of float64, shape (n_left_hashes,), optional
        See `regions.matched_regions`.

    Returns
    -------
    CopiedPassages
        Its `passages` are empty where the documents share too little in a row to be shown.
    """
    compared = _code(left, right_document) if channel == "code" else _prose(left, right_document)
    regions = matched_regions(compared.left, compared.right, rarity)
    if not regions.passages and rarity is not None:  # all of it is common: better than nothing
        regions = matched_regions(compared.left, compared.right)
    ranges = [
        (p.left_first, p.left_last, p.right_first, p.right_last)
        for p in sorted(regions.passages, key=lambda p: p.left_first - p.left_last)
    ]
    left_part = excerpt(compared.left_text, [(first, last) for first, last, _, _ in ranges])
    right_part = excerpt(compared.right_text, [(first, last) for _, _, first, last in ranges])
    meant = significance or Significance()
    return CopiedPassages(
        channel=channel,
        path=left.name,
        source=right_entry.name,
        provenance=right_entry.provenance,
        share_of_source=candidate.share_of_source,
        share_of_file=candidate.share_of_file,
        longest_run=regions.longest_run,
        p=meant.p,
        n_null=meant.n_null,
        only_in_trajectory=only_in_trajectory,
        passages=regions.passages,
        left_text=left_part.text,
        right_text=right_part.text,
        left_start=left_part.start,
        right_start=right_part.start,
    )


class _Compared(NamedTuple):
    """Two texts as they are compared, and as they are shown; both have the same lines."""

    left: Statements
    right: Statements
    left_text: str
    right_text: str


def _code(left: Document, right: Document) -> _Compared:
    mine = code_statements(left.code, left.language)
    theirs = code_statements(right.code, right.language)
    return _Compared(mine, theirs, left.code, right.code)


def _prose(left: Document, right: Document) -> _Compared:
    """Compare the prose of the left document with what of the right one is more like it."""
    words, shown = prose_parts(left)[0]
    mine = prose_statements(words)
    best = max(
        ((prose_statements(said), text) for said, text in prose_parts(right)),
        key=lambda part: int(np.isin(mine.hashes, part[0].hashes).sum()),
    )
    return _Compared(mine, best[0], shown, best[1])


def prose_parts(document: Document) -> list[tuple[str, str]]:
    """Return the prose of a document, then the comments of its code, each with what shows it.

    A document without prose has its comments alone, so that it can be compared by them.
    """
    comments = comments_of(document.code, document.language)
    parts = [(document.prose, document.prose), (comments, document.code)]
    return [part for part in parts if part[0].strip()] or [parts[0]]


def excerpt(
    text: str, ranges: Sequence[tuple[int, int]], most_bytes: int = MAX_WHOLE_BYTES
) -> Excerpt:
    r"""Return a text whole, or what of it shows some lines where it is too long.

    Parameters
    ----------
    ranges : sequence of (int, int)
        First and last lines to show, from 1, the most important first: what does not fit is left
        out. A line that is left out between two that are shown is empty, so that the lines shown
        keep their numbers.

    Examples
    --------
    >>> excerpt("a\nb\nc", [(2, 2)])
    Excerpt(text='a\nb\nc', start=1)
    >>> excerpt("\n".join("abcdefghijklmnop"), [(9, 9)], most_bytes=30)
    Excerpt(text='d\ne\nf\ng\nh\ni\nj\nk\nl\nm\nn', start=4)
    """
    text = text.encode("utf-8", "replace").decode("utf-8")  # half a surrogate pair
    if len(text.encode()) <= most_bytes:
        return Excerpt(text, 1)
    lines = text.split("\n")
    shown: dict[int, str] = {}
    first, last, size = len(lines), 0, 0
    for begin, end in ranges or [(1, len(lines))]:
        low, high = max(1, begin - AROUND), min(len(lines), end + AROUND)
        for number in _outward(low, high, min(begin, high)):
            line = _cut(lines[number - 1])
            wider = max(0, first - number) + max(0, number - last) if shown else 1
            more = wider + len(line.encode())
            if number in shown:
                continue
            if size + more > most_bytes:
                break
            shown[number] = line
            first, last, size = min(first, number), max(last, number), size + more
    if not shown:
        return Excerpt("", 1)
    rows = [shown.get(n, ELLIPSIS if n - 1 in shown else "") for n in range(first, last + 1)]
    return Excerpt("\n".join(rows), first)


def _outward(low: int, high: int, begin: int) -> list[int]:
    """Return the lines of a range, those of the passage before those above it."""
    return [*range(begin, high + 1), *range(begin - 1, low - 1, -1)]


def _cut(line: str) -> str:
    return line if len(line) <= MAX_LINE else f"{line[:MAX_LINE]} {ELLIPSIS}"
