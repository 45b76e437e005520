"""What became of all that was looked at, in a few lines for a terminal."""

from __future__ import annotations

import shlex
from collections import Counter
from typing import TYPE_CHECKING

from competitions.io import printable
from reports.overview import Overview
from reports.schema import Conclusion, Outcome
from reports.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from reports.schema import AuditReport

_ORDER = (
    *(Conclusion.DISQUALIFY, Conclusion.REVIEW, Conclusion.NOTE),
    *(Conclusion.UNDETERMINED, Conclusion.CLEAN),
)
_WORDS = {
    Conclusion.DISQUALIFY: "to disqualify",
    Conclusion.REVIEW: "to be reviewed",
    Conclusion.NOTE: "with notes",
    Conclusion.UNDETERMINED: "undetermined",
    Conclusion.CLEAN: "clean",
}
_NAMED = 5
_LINES = 20  # of one kind


def told(report: AuditReport) -> Iterator[str]:
    """Count the conclusions, and say whom nothing clears and what nobody could look at."""
    over = Overview(report)
    attempts = {one.subject.id for one in over.attempts}
    found = Counter(v.conclusion for v in report.verdicts if v.subject in attempts)
    counts = ", ".join(f"{found[c]} {_WORDS[c]}" for c in _ORDER if found[c])
    yield f"{_looked_at(over)} looked at: {counts}."
    yield from _in_notes(report, attempts)
    yield from _gaps(report)


def proof_of(finding: str, document: Path) -> str:
    """Say how to see the proof of the first finding.

    Parameters
    ----------
    finding : str
        Its id.
    document : Path
        Where the report was written.
    """
    place = shlex.quote(str(document))
    return f"The proof of the first: mle-audit explain {finding} -d {place}"


def first_lines(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines of one kind, and where there are many, how many more there are."""
    rest = 0
    for number, line in enumerate(lines):
        if number < _LINES:
            yield line
        rest = number + 1 - _LINES
    if rest > 0:
        yield f"and {counted(rest, 'more line')} of this kind, in the document"


def _looked_at(over: Overview) -> str:
    """Count what was looked at by its kind."""
    many = len(over.attempts)
    if over.is_loose:
        return counted(many, "file or folder", "files and folders")
    if all(one.subject.agent for one in over.attempts):
        return counted(many, "attempt")
    return counted(many, "attempt or file", "attempts and files")


def _in_notes(report: AuditReport, attempts: set[str]) -> Iterator[str]:
    """Say who is clean though a note about several attempts, which decides nothing, names it."""
    clean = {v.subject for v in report.verdicts if v.conclusion is Conclusion.CLEAN} & attempts
    if named := sorted(clean & {one for f in report.findings for one in f.attempts}):
        yield f"clean, but named in a note, which is no accusation: {_few(named)}"


def _gaps(report: AuditReport) -> Iterator[str]:
    """Say whom nothing clears and why, and what else nobody could look at."""
    open_: dict[str, list[str]] = {}
    for verdict in report.verdicts:
        if verdict.conclusion is Conclusion.UNDETERMINED:
            open_.setdefault(verdict.because[0], []).append(verdict.subject)
    yield from first_lines(
        f"undetermined: {_few(subjects)}: {_first_line(why)}" for why, subjects in open_.items()
    )
    named = {subject for subjects in open_.values() for subject in subjects}
    blind = {Outcome.NOT_AVAILABLE, Outcome.FAILED}
    rest = (c for c in report.checks if c.outcome in blind and c.subject not in named)
    reasons: dict[str, dict[str, None]] = {}
    for check in rest:
        reasons.setdefault(_first_line(check.reason or ""), {})[check.detector] = None
    yield from first_lines(f"not looked at: {_few(list(of))}: {why}" for why, of in reasons.items())


def _first_line(text: str) -> str:
    return printable(text.partition("\n")[0])


def _few(names: list[str]) -> str:
    rest = len(names) - _NAMED
    shown = ", ".join(printable(name) for name in names[:_NAMED])
    return f"{shown} and {rest} more" if rest > 0 else shown
