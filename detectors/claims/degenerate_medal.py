"""Name medals won on boards where a medal means little."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from competitions.board_facts import all_facts, load_kaggle_board
from competitions.board_health import board_health, means_little
from detectors.base import About, register
from detectors.claims.report_rows import NO_ROWS
from detectors.claims.without import any_medal_without, medal_tasks
from detectors.group import Group
from reports.schema import Confidence, Quantity, Severity, SubjectKind
from reports.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.base import Subject
    from reports.schema import Finding


@register
@dataclass(frozen=True)
class DegenerateMedal:
    """Medals on boards whose gold, silver and bronze are one score, or where half have one.

    Parameters
    ----------
    min_share : float in [0, 1], default=0.5
        Share of a board's teams at or above bronze from which a medal there means little.
    max_evidence : int >= 1, default=8
        Boards shown with the finding.
    """

    about: ClassVar[About] = About(
        id="degenerate-medal",
        subject=SubjectKind.GROUP,
        asks="Were medals won on boards where a medal means little?",
        blind_spots=(
            "Only the spread of a board's scores is seen. A medal can be easy for other reasons, "
            "as where a public solution is enough."
        ),
        reference="https://github.com/openai/mle-bench#known-issues",
    )
    min_share: float = 0.5
    max_evidence: int = 8

    def applies(self, subject: Subject) -> str | None:
        """See `Detector.applies`."""
        if not isinstance(subject, Group):
            return "it looks at groups only"
        return None if subject.rows else NO_ROWS

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """See `Detector.detect`."""
        if not isinstance(subject, Group):
            raise TypeError(subject)
        tasks = sorted({r.competition_id for r in subject.rows})
        boards = {t: board_health(load_kaggle_board(t)) for t in tasks if t in all_facts()}
        every = {t: health for t, health in boards.items() if means_little(health, self.min_share)}
        won = medal_tasks(subject.rows)
        weak = {task: health for task, health in every.items() if task in won}
        if not weak:
            return
        told = "; ".join(f"{task} ({health.words})" for task, health in weak.items())
        yield self.about.finding(
            subject,
            f"Medals were won on {counted(len(weak), 'board')} where a medal means little. "
            f"{any_medal_without(subject.rows, every, 'with such a board')}. Those with "
            f"medals: {told}.",
            *(
                Quantity(
                    name=f"{task}: teams of its board with a medal",
                    value=round(100 * (health.share_with_medal or 0.0), 1),
                    unit="%",
                    compared_with=f"all {health.n_teams} teams",
                    reference=100,
                )
                for task, health in list(weak.items())[: self.max_evidence]
            ),
            severity=Severity.NOTE,
            confidence=Confidence.HIGH,
        )
