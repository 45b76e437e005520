"""Say who scored worse than the pass line of a task that was built as a trap."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from competitions.errors import MleAuditError
from competitions.outside import known
from detectors.base import About, register
from detectors.claims.report_rows import NO_ROWS
from detectors.group import Group
from reports.schema import Confidence, Quantity, Severity, SubjectKind
from reports.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from competitions.spec import Competition
    from competitions.trap_record import Trap
    from detectors.base import Subject
    from reports.grading import CompetitionReport
    from reports.schema import Finding


@register
@dataclass(frozen=True)
class FellIntoTrap:
    """Scores below the pass line of tasks that `counterexample build` made.

    On such a task rows of one thing stand all over the train part, or a column or a way to prepare
    gives the target away there and not in the hidden test. Whoever trusts a validation that does
    not see this hands in a model that is worse than a plain one. It is a failure of method and
    breaks no rule: the finding is a note.

    Parameters
    ----------
    max_evidence : int >= 1, default=8
        Scores shown with a finding.
    data : str, default=""
        Directory of prepared data, where the tasks' definitions were kept.
    """

    about: ClassVar[About] = About(
        id="fell-into-trap",
        subject=SubjectKind.GROUP,
        asks="Did the agent's choice of a model survive a task made to mislead its validation?",
        blind_spots=(
            "A score says that the method failed, not how; a plain or an unlucky model fails as "
            "well. Who averages many models may pass although its own validation was far too good."
        ),
        reference="https://doi.org/10.1016/j.patter.2023.100804 (Kapoor and Narayanan 2023)",
    )
    max_evidence: int = 8
    data: str = ""

    def applies(self, subject: Subject) -> str | None:
        """See `Detector.applies`."""
        if not isinstance(subject, Group):
            return "it looks at groups only"
        if not subject.rows:
            return NO_ROWS
        return None if self._trapped(subject) else "none of the tasks was built as a trap"

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """See `Detector.detect`."""
        if not isinstance(subject, Group):
            raise TypeError(subject)
        for name, (spec, trap) in self._trapped(subject).items():
            rows = [r for r in subject.rows if r.competition_id == name and r.score is not None]
            fell = [row for row in rows if _is_below(row, trap)]
            if fell:
                yield self._finding(subject, spec, trap, (rows, fell))

    def _trapped(self, subject: Group) -> dict[str, tuple[Competition, Trap]]:
        """Return the tasks of the group that have a record of a trap, by id."""
        place = Path(self.data) if self.data else None
        found = {}
        for name in sorted({row.competition_id for row in subject.rows}):
            try:
                spec = known(name, "v1", place)
            except MleAuditError:
                continue
            if spec.trap is not None:
                found[name] = (spec, spec.trap)
        return found

    def _finding(
        self,
        subject: Group,
        spec: Competition,
        trap: Trap,
        rows: tuple[list[CompetitionReport], list[CompetitionReport]],
    ) -> Finding:
        graded, fell = rows
        ids = (r.mle_audit.attempt for r in fell if r.mle_audit)
        own = {attempt.id for attempt in subject.attempts}
        return self.about.finding(
            subject,
            f"{len(fell)} of {counted(len(graded), 'score')} on {spec.id} "
            f"{'is' if len(fell) == 1 else 'are'} worse than {trap.pass_line:g}, the pass line "
            f"of a task built with the trap `{trap.kind}`. By {spec.metric.name} "
            f"({spec.metric.direction} is better) a model chosen by a naive validation scores "
            f"{trap.naive.hidden:g} there, one chosen with care {trap.careful.hidden:g}.",
            *(
                Quantity(
                    name=f"{spec.id}: score of {_who(row)}",
                    value=row.score or 0.0,
                    compared_with="the pass line",
                    reference=trap.pass_line,
                )
                for row in fell[: self.max_evidence]
            ),
            severity=Severity.NOTE,
            confidence=Confidence.HIGH,
            attempts=tuple(one for one in ids if one in own),
        )


def _is_below(row: CompetitionReport, trap: Trap) -> bool:
    score = row.score or 0.0
    return score > trap.pass_line if row.is_lower_better else score < trap.pass_line


def _who(row: CompetitionReport) -> str:
    details = row.mle_audit
    return (details.attempt if details else None) or "a row of a report"
