"""Say where a grading report's thresholds or direction are not those of the pinned boards."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, ClassVar

from competitions import spec as specs
from competitions.board_facts import all_facts
from competitions.errors import EvidenceUnavailableError, MleAuditError
from competitions.medals import load_board, thresholds
from detectors.base import About, register
from detectors.claims.report_rows import NO_REPORTS, Limits, file_evidence, flags_of, limits_of
from detectors.group import Group
from reports.schema import Confidence, Quantity, Severity, SubjectKind
from reports.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.base import Subject
    from reports.grading import CompetitionReport
    from reports.report_files import ReportFile
    from reports.schema import Finding

_NAMES = ("gold", "silver", "bronze", "median")
_MEDALS = ("gold_medal", "silver_medal", "bronze_medal")


@register
@dataclass(frozen=True)
class BoardMismatch:
    """Thresholds and direction of each row, held against the board that is pinned by its sha256.

    Where a row of MLE-bench names no threshold, nothing is compared.

    Parameters
    ----------
    tolerance : float >= 0, default=1e-05
        Distance, relative to the larger of 1 and the threshold, up to which two are equal.
    max_evidence : int >= 1, default=8
        Thresholds shown with the finding.
    """

    about: ClassVar[About] = About(
        id="board-mismatch",
        subject=SubjectKind.GROUP,
        asks="Are the thresholds and the direction in a grading report those of the pinned boards?",
        blind_spots=(
            "Boards of tasks that are not known here are not compared. A board that its publisher "
            "changed after the report was written differs from the pinned one as a forged one does."
        ),
        reference="https://doi.org/10.48550/arXiv.2410.07095 (MLE-bench, leaderboards)",
    )
    tolerance: float = 1e-05
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
            After the findings, when a task has no pinned board.
        """
        if not isinstance(subject, Group):
            raise TypeError(subject)
        unknown: set[str] = set()
        for file in subject.reports:
            found: list[tuple[CompetitionReport, Limits, tuple[str, ...]]] = []
            for row in file.report.competition_reports:
                pinned = pinned_limits(row.competition_id)
                if pinned is None:
                    unknown.add(row.competition_id)
                elif differing := self._differing(row, pinned):
                    found.append((row, pinned, differing))
            if found:
                yield self._finding(subject, file, found)
        if unknown:
            named = ", ".join(sorted(unknown)[:5])
            raise EvidenceUnavailableError("board", f"No board is known of {named}.")

    def _differing(self, row: CompetitionReport, pinned: Limits) -> tuple[str, ...]:
        """Name what differs between a row and the board."""
        found = ["direction"] if row.is_lower_better != pinned.is_lower_better else []
        for name in _NAMES:
            said, right = getattr(limits_of(row), name), getattr(pinned, name)
            if said is None and row.mle_audit is None:  # a row that MLE-bench filled in
                continue
            if (said is None) != (right is None) or not self._is_equal(said, right):
                found.append(name)
        return tuple(found)

    def _is_equal(self, said: float | None, right: float | None) -> bool:
        if said is None or right is None:
            return said is right
        return abs(said - right) <= self.tolerance * max(1.0, min(abs(said), abs(right)))

    def _finding(
        self,
        subject: Group,
        file: ReportFile,
        found: list[tuple[CompetitionReport, Limits, tuple[str, ...]]],
    ) -> Finding:
        turned = [r.competition_id for r, pinned, _ in found if _medal_differs(r, pinned)]
        found = sorted(found, key=lambda f: f[0].competition_id not in turned)
        told = ", ".join(f"{r.competition_id} ({', '.join(names)})" for r, _, names in found[:5])
        more = f" and {len(found) - 5} more" if len(found) > 5 else ""  # noqa: PLR2004
        effect = (
            f"; by the pinned boards, {counted(len(turned), 'medal')} would be another or none: "
            f"{', '.join(turned[:5])}"
            if turned
            else ""
        )
        shown = [_number(r, pinned, n) for r, pinned, names in found for n in names]
        return self.about.finding(
            subject,
            f"In {file.name}, {counted(len(found), 'row')} are held against another board than the "
            f"pinned one: {told}{more}{effect}.",
            *shown[: self.max_evidence],
            file_evidence(file),
            severity=Severity.MEDIUM if turned else Severity.LOW,
            confidence=Confidence.HIGH if turned else Confidence.MEDIUM,
        )


@cache
def pinned_limits(competition_id: str) -> Limits | None:
    """Return the limits of a task's pinned board; None when none is known."""
    facts = all_facts().get(competition_id)
    if facts is not None:
        is_lower = facts.direction == "lower"
        return Limits(facts.gold, facts.silver, facts.bronze, facts.median, is_lower)
    try:
        spec = specs.load(competition_id)
        board = thresholds(load_board(spec))
    except MleAuditError:
        return None
    return Limits(board.gold, board.silver, board.bronze, board.median, spec.metric.is_lower_better)


def _medal_differs(row: CompetitionReport, pinned: Limits) -> bool:
    right = flags_of(row.score, pinned)
    return any(bool(getattr(row, m)) != right[m] for m in _MEDALS)


def _number(row: CompetitionReport, pinned: Limits, name: str) -> Quantity:
    if name == "direction":
        return Quantity(
            name=f"{row.competition_id}: is_lower_better",
            value=float(row.is_lower_better),
            compared_with="the pinned board",
            reference=float(pinned.is_lower_better),
        )
    said, right = getattr(limits_of(row), name), getattr(pinned, name)
    return Quantity(
        name=f"{row.competition_id}: {name}_threshold" + ("" if said is not None else " missing"),
        value=0.0 if said is None else said,
        compared_with="the pinned board",
        reference=right,
    )
