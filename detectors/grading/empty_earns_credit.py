"""Ask what a file of empty cells earns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from detectors.base import About, register
from detectors.grading.probing import REFERENCE, Probe, Seen
from reports.schema import SubjectKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.grading.answers import Answers


@register
@dataclass(frozen=True)
class EmptyEarnsCredit(Probe):
    """Empty cells everywhere, against the share of rows whose right answer is empty.

    A measure that counts right items over all rows, such as F1, gives nothing for blanks.

    Parameters
    ----------
    limit_s : float > 0, default=120.0
        Seconds of asking one task's grader, for all probes together.
    """

    about: ClassVar[About] = About(
        id="empty-earns-credit",
        subject=SubjectKind.TASK,
        asks="Does a submission of empty cells earn more than its right blanks are worth?",
        blind_spots=("Only a whole file of blanks is tried, not right answers among blanks."),
        reference=REFERENCE,
    )
    asked: ClassVar[tuple[str, ...]] = ("all-empty",)
    limit_s: float = 120.0

    def seen(self, answers: Answers) -> Iterator[Seen]:
        """See `Probe.seen`."""
        blank = answers.taken("all-empty")
        constant = answers.by_question["constant"].score  # what anybody earns who answers nothing
        worth = max(answers.worth_of_blanks, constant or 0.0)
        earned = {n: a for n, a in blank.items() if a.score is not None and a.score > worth}
        if earned and not answers.is_lower_better:
            yield Seen(
                f"Empty cells earn more than right blanks are worth ({worth:.5g}).",
                earned,
                is_harmful=True,
            )
