"""Say where a grading report's header counts what its rows do not hold, or a flag is not earned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from competitions.errors import EvidenceUnavailableError
from detectors.base import About, register
from detectors.claims.report_rows import (
    NO_REPORTS,
    file_evidence,
    limit_of,
    limits_of,
    wrong_flags,
)
from detectors.group import Group
from reports.report_files import TOTALS, counts
from reports.schema import Confidence, Quantity, Severity, SubjectKind
from reports.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.base import Subject
    from reports.report_files import ReportFile
    from reports.schema import Finding

_MEDALS = ("gold_medal", "silver_medal", "bronze_medal", "any_medal")


@register
@dataclass(frozen=True)
class HeaderRowsMismatch:
    """A grading report held against itself: totals against rows, flags against scores.

    Every flag is computed anew from the row's score and thresholds: medals from the threshold on
    and exclusive of one another, above the median strictly. A score with more than five decimals
    may have been compared as it is or rounded.

    Parameters
    ----------
    max_evidence : int >= 1, default=8
        Totals and rows shown with a finding.
    """

    about: ClassVar[About] = About(
        id="header-rows-mismatch",
        subject=SubjectKind.GROUP,
        asks="Does a grading report's header count its rows, and do scores give the flags?",
        blind_spots=(
            "Scores and thresholds are taken as they stand in the report: whether a score is that "
            "of the file it names needs the attempt; whether a threshold is the board's is asked "
            "by board-mismatch."
        ),
        reference="https://doi.org/10.48550/arXiv.2410.07095 (MLE-bench, medals)",
    )
    max_evidence: int = 8

    def applies(self, subject: Subject) -> str | None:
        """See `Detector.applies`."""
        if not isinstance(subject, Group):
            return "it looks at groups only"
        return None if subject.reports else NO_REPORTS

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """See `Detector.detect`.

        Raises
        ------
        EvidenceUnavailableError
            After the findings, when rows of a report could not be read.
        """
        if not isinstance(subject, Group):
            raise TypeError(subject)
        broken = [f.name for f in subject.reports if not f.is_whole]
        for file in subject.reports:
            yield from self._flags(subject, file)
            if file.is_whole:
                yield from self._header(subject, file)
        if broken:
            raise EvidenceUnavailableError(
                "report rows",
                f"Rows of {', '.join(broken)} could not be read: its header is not compared.",
            )

    def _header(self, subject: Group, file: ReportFile) -> Iterator[Finding]:
        report = file.whole or file.report
        rows = counts((*report.competition_reports, *file.twice))
        wrong = {
            name: (getattr(report, name), rows[name])
            for name in TOTALS
            if name in file.totals_known and getattr(report, name) != rows[name]
        }
        if not wrong:
            return
        medals = any("medal" in name for name in wrong)
        told = "; ".join(f"{name} {said}, in the rows {n}" for name, (said, n) in wrong.items())
        numbers = [
            Quantity(
                name=f"{file.name}: {name}",
                value=said,
                compared_with="its rows",
                reference=n,
            )
            for name, (said, n) in wrong.items()
        ]
        yield self.about.finding(
            subject,
            f"The header of {file.name} is not the sum of its rows: {told}.",
            *numbers[: self.max_evidence],
            file_evidence(file),
            severity=Severity.MEDIUM if medals else Severity.LOW,
            confidence=Confidence.HIGH,
        )

    def _flags(self, subject: Group, file: ReportFile) -> Iterator[Finding]:
        rows = file.report.competition_reports
        wrong = [(row, flags) for row in rows if (flags := wrong_flags(row, limits_of(row)))]
        if not wrong:
            return
        medals = any(flag in _MEDALS for _, flags in wrong for flag in flags)
        wrong.sort(key=lambda found: not any(f in _MEDALS for f in found[1]))
        told = ", ".join(f"{r.competition_id} ({', '.join(f)})" for r, f in wrong[:5])
        more = f" and {len(wrong) - 5} more" if len(wrong) > 5 else ""  # noqa: PLR2004
        yield self.about.finding(
            subject,
            f"In {file.name}, {counted(len(wrong), 'row')} have flags that score and thresholds do "
            f"not give: {told}{more}.",
            *(limit_of(f[0], r, limits_of(r)) for r, f in wrong[: self.max_evidence]),
            file_evidence(file),
            severity=Severity.MEDIUM,
            confidence=Confidence.HIGH if medals else Confidence.MEDIUM,
        )
