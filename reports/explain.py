"""One finding in plain text, for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.errors import UnknownNameError
from reports.schema import CodeLines, FileDigest, LogLines, Quantity, RowOverlap

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from reports.schema import AuditReport, Evidence, Finding


def findings_named(report: AuditReport, name: str) -> tuple[Finding, ...]:
    """Return the finding with this id, or all findings about the subject with this id.

    Raises
    ------
    UnknownNameError
        When the document holds neither.
    """
    found = tuple(f for f in report.findings if name in {f.id, f.subject})
    if not found and report.verdict_of(name) is None:
        known = {f.id for f in report.findings} | {s.id for s in report.subjects}
        raise UnknownNameError(
            "finding", name, known, "List them with: mle-audit list findings -d audit.json"
        )
    return found


def explain_findings(report: AuditReport, findings: Sequence[Finding]) -> str:
    """Say what was seen, how grave and how sure it is, and show each piece of evidence."""
    if not findings:
        return "No detector found anything here. What was not checked stands in the report."
    notes = {n.id: n for n in report.detectors}
    blocks = []
    for finding in findings:
        note = notes.get(finding.detector)
        lines = [
            f"{finding.id}: {_shown(finding.message)}",
            f"  about: {_shown(finding.subject)}",
            f"  severity {finding.severity}, confidence {finding.confidence}",
        ]
        if note:
            lines += [f"  the question: {note.asks}", f"  cannot see: {note.blind_spots}"]
        for number, evidence in enumerate(finding.evidence, start=1):
            lines += [f"  proof {number}:", *(f"    {line}" for line in _evidence(evidence))]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def _evidence(evidence: Evidence) -> Iterable[str]:
    """Show one piece of evidence, line by line."""
    if isinstance(evidence, LogLines | CodeLines):
        yield f"{_shown(evidence.path)}, line {evidence.first_line}: {_shown(evidence.shows)}"
        for number, line in enumerate(evidence.excerpt.splitlines(), start=evidence.first_line):
            yield f"{number:>6} | {_shown(line)}"
    elif isinstance(evidence, RowOverlap):
        yield (
            f"{evidence.n_shared} of {evidence.n_right} rows of {evidence.right_table} "
            f"also stand in {evidence.left_table}"
        )
        for pair in evidence.pairs:
            yield f"  row {pair.right_row} equals row {pair.left_row}"
        if evidence.answers_agree is not None:
            yield f"same answer: {evidence.answers_agree}"
    elif isinstance(evidence, Quantity):
        against = f", against {evidence.reference}" if evidence.reference is not None else ""
        yield f"{evidence.name}: {evidence.value} {evidence.unit or ''}{against}".rstrip()
    elif isinstance(evidence, FileDigest):
        yield f"{_shown(evidence.path)} sha256 {evidence.sha256}: {_shown(evidence.shows)}"


def _shown(text: str) -> str:
    """Make an agent's text harmless for a terminal: no control characters."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
