"""Which rules were broken, for a terminal: one row for a finding, the gravest first."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from audit import console
from audit.told import first_lines, proof_of, told
from competitions.io import printable
from reports.overview import Overview
from reports.schema import Severity
from reports.words import clip, counted

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from reports.overview import Audited
    from reports.schema import AuditReport, Finding

HEAD = ("severity", "confidence", "who", "detector", "where", "what was seen", "finding")
_LEAD = 3  # columns that stay in the first line where there is no room for all
_SAID = 160  # characters of what was seen
MAX_ROWS = 200


def rule_table(report: AuditReport, width: int | None = None, *, is_whole: bool = False) -> str:
    """Lay out what was found, without notes; empty where nothing was.

    Parameters
    ----------
    width : int or None
        Columns of the terminal, from which a wider table is laid out as entries; None when a
        program reads it, which gets every row.
    is_whole : bool
        Every row, whatever the width.
    """
    rows = rule_rows(report)
    if not rows:
        return ""
    shown = rows if width is None or is_whole else rows[:MAX_ROWS]
    table = console.table(HEAD, shown)
    if width is not None and max(map(len, table.splitlines())) > width:
        table = console.entries(HEAD, shown, _LEAD, width)
    more = len(rows) - len(shown)
    return "\n".join([table, *([f"and {counted(more, 'more finding')}"] if more else ()), ""])


def rule_rows(report: AuditReport) -> list[tuple[str, ...]]:
    """Return the rows of the table, the gravest and surest first; see `HEAD`."""
    return [_row(one, finding) for one, finding in _found(report)]


def _found(report: AuditReport) -> list[tuple[Audited, Finding]]:
    found = [(one, f) for one in Overview(report).attempts for f in one.findings]
    accused = [(one, f) for one, f in found if f.severity > Severity.NOTE]
    return sorted(accused, key=lambda both: (-both[1].severity.rank, -both[1].confidence.rank))


def _row(one: Audited, finding: Finding) -> tuple[str, ...]:
    return (
        finding.severity.value,
        finding.confidence.value,
        one.subject.id,
        finding.detector,
        _where(finding),
        clip(finding.message, _SAID),
        finding.id,
    )


def _where(finding: Finding) -> str:
    """Name the first place in a file that the evidence shows."""
    for seen in finding.evidence:
        path, line = getattr(seen, "path", ""), getattr(seen, "first_line", None)
        if path:
            return f"{path}:{line}" if line else str(path)
    return ""


def conclusions(report: AuditReport, document: Path) -> Iterator[str]:
    """Say in a few lines what became of all that was looked at, as what, and where the proof is.

    Parameters
    ----------
    document : Path
        Where the report was written.
    """
    yield from told(report)
    yield from first_lines(_read_as(report))
    if notes := sum(f.severity is Severity.NOTE for f in report.findings):
        yield f"{counted(notes, 'note')} besides, which are no accusations: see the document"
    if found := _found(report):
        yield proof_of(found[0][1].id, document)


def _read_as(report: AuditReport) -> Iterator[str]:
    """Say as which formats logs were read: of loose logs each, of attempts together."""
    together: Counter[str] = Counter()
    for one in Overview(report).attempts:
        formats = one.subject.facts.get("logs read as")
        if formats and one.subject.agent is None:
            yield f"{printable(one.subject.id)}: logs read as {formats}"
        elif formats:
            together[formats] += 1
    for formats, n in together.most_common():
        yield f"{counted(n, 'attempt')}: logs read as {formats}"
