"""Where a piece of evidence can be looked up, in a few words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, assert_never

from reports.schema import (
    CodeLines,
    CopiedPassages,
    FileDigest,
    LogLines,
    PicturePair,
    Quantity,
    RowOverlap,
    SharedMarks,
    SubmissionMix,
    TextPair,
)
from reports.words import counted, number

if TYPE_CHECKING:
    from reports.overview import Audited
    from reports.schema import Evidence, Finding


def span(first: int, last: int) -> str:
    """Write a range of lines.

    Examples
    --------
    >>> span(3, 9), span(4, 4)
    ('3-9', '4')
    """
    return f"{first}-{last}" if last != first else f"{first}"


def where(evidence: Evidence) -> str:
    """Say in a few words where a piece of evidence can be looked up."""
    match evidence:
        case LogLines() | CodeLines():
            place = f"{evidence.path}:{span(evidence.first_line, evidence.last_line)}"
        case RowOverlap():
            rows = counted(evidence.n_shared, "row")
            place = f"{evidence.left_table} and {evidence.right_table}: {rows}"
        case Quantity():
            unit = f" {evidence.unit}" if evidence.unit else ""
            place = f"{evidence.name} = {number(evidence.value)}{unit}"
        case FileDigest():
            place = f"{evidence.path} (sha256 {evidence.sha256[:12]})"
        case CopiedPassages():
            place = _longest(evidence)
        case SubmissionMix():
            first, *rest = evidence.ingredients
            more = f" and {counted(len(rest), 'more file')}" if rest else ""
            place = f"{evidence.path} and {first.source}{more}"
        case SharedMarks():
            marks = counted(evidence.n_shared, "mark")
            place = f"{evidence.path} and {evidence.source}: {marks}"
        case PicturePair():
            place = f"{evidence.left} and {evidence.right}"
        case TextPair():
            left, right = row_of(evidence, "left"), row_of(evidence, "right")
            place = f"{left} and {right}"
        case _:
            assert_never(evidence)
    return place


def row_of(evidence: TextPair, side: Literal["left", "right"]) -> str:
    """Name the file of one of two texts, and its row where the file is a table."""
    row: int | None = getattr(evidence, f"{side}_row")
    file: str = getattr(evidence, side)
    return file if row is None else f"{file}, row {row:,}"


def _longest(evidence: CopiedPassages) -> str:
    """Give the place of the longest passage on both sides."""
    if not evidence.passages:
        return f"{evidence.path} and {evidence.source}"
    long = max(evidence.passages, key=lambda p: p.left_last - p.left_first)
    left, right = span(long.left_first, long.left_last), span(long.right_first, long.right_last)
    return f"{evidence.path}:{left} and {evidence.source}:{right}"


def own_place(audited: Audited, finding: Finding) -> str:
    """Say where the first proof of a finding lies, as seen from the subject.

    A finding about a group has paths that begin with an attempt: the subject's own come first.
    """
    found = [where(e) for e in finding.evidence]
    begun = f"{audited.subject.id}/"
    own = next((place for place in found if place.startswith(begun)), found[0])
    return own.removeprefix(begun)
