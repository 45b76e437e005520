"""Ask whether the order of rows or columns changes the score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from detectors.base import About, register
from detectors.grading.probing import REFERENCE, Probe, Seen, told
from reports.schema import SubjectKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.grading.answers import Answers


@register
@dataclass(frozen=True)
class PositionGraded(Probe):
    """The right answers in another order of rows, and of columns under their right names.

    Parameters
    ----------
    limit_s : float > 0, default=120.0
        Seconds of asking one task's grader, for all probes together.
    """

    about: ClassVar[About] = About(
        id="position-graded",
        subject=SubjectKind.TASK,
        asks="Does the order of rows or columns change the score?",
        blind_spots=(
            "One order is tried. A grader that refuses another order is strict, not wrong."
        ),
        reference=REFERENCE,
    )
    asked: ClassVar[tuple[str, ...]] = ("shuffled-perfect",)
    limit_s: float = 120.0

    def seen(self, answers: Answers) -> Iterator[Seen]:
        """See `Probe.seen`."""
        orders = answers.taken("shuffled-perfect", "columns-reversed")
        wrong = {n: a for n, a in orders.items() if not answers.is_as_perfect(a)}
        if wrong:
            yield Seen(
                f"The same answers in another order have another score: {told(wrong)}.",
                wrong,
                is_harmful=True,
            )
