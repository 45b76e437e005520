"""Look at whether a medal on a task's board says anything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from competitions.board_health import board_health, means_little
from competitions.medals import load_board
from detectors.base import About, register
from detectors.grading.probing import REFERENCE
from detectors.task import Task
from reports.schema import Confidence, Quantity, Severity, SubjectKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from competitions.board_health import BoardHealth
    from detectors.base import Subject
    from reports.schema import Finding


@register
@dataclass(frozen=True)
class DegenerateBoard:
    """Boards whose medals start at one score or next to it, or where half of the teams have one.

    It looks at the board alone and says the same of every variant of a task.

    Parameters
    ----------
    min_share : float in [0, 1], default=0.5
        Share of teams at or above bronze from which a medal means little.
    max_apart : float in [0, 1], default=0.0012
        Distance of gold and bronze, as a share of the larger one, up to which chance hands the
        medals out: a tenth of a per cent of the score.
    """

    about: ClassVar[About] = About(
        id="degenerate-board",
        subject=SubjectKind.TASK,
        asks="Does a medal on this task's board mean little?",
        blind_spots=(
            "Only the spread of a board's scores is seen. A medal can be easy for other reasons, "
            "as where a public solution is enough."
        ),
        reference=REFERENCE,
    )
    min_share: float = 0.5
    max_apart: float = 0.0012

    def applies(self, subject: Subject) -> str | None:
        """See `Detector.applies`."""
        if not isinstance(subject, Task):
            return "it looks at tasks only"
        is_kaggle = subject.spec.board.kind == "kaggle"
        return None if is_kaggle else "its board awards no medals"

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """See `Detector.detect`."""
        if not isinstance(subject, Task):
            raise TypeError(subject)
        health = board_health(load_board(subject.spec))
        if means_little(health, self.min_share):
            yield self._finding(subject, health, f"A medal means little here: {health.words}.")
        elif self._is_crowded(health):
            apart = f"gold at {health.gold:g} and bronze at {health.bronze:g} are as good as one"
            yield self._finding(subject, health, f"A medal means little here: {apart}.")

    def _is_crowded(self, health: BoardHealth) -> bool:
        if health.gold is None or health.bronze is None:
            return False
        largest = max(abs(health.gold), abs(health.bronze))
        return abs(health.gold - health.bronze) <= self.max_apart * largest

    def _finding(self, task: Task, health: BoardHealth, message: str) -> Finding:
        return self.about.finding(
            task,
            message,
            Quantity(
                name="teams with a medal",
                value=round(100 * (health.share_with_medal or 0.0), 1),
                unit="%",
                compared_with="all teams",
                reference=100,
            ),
            severity=Severity.LOW,
            confidence=Confidence.MEDIUM,
        )
