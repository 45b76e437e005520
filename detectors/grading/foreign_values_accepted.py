"""Ask whether values that are no answer are taken."""

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
class ForeignValuesAccepted(Probe):
    """Words for numbers, numbers for names, numbers out of range, masks of an odd count.

    Parameters
    ----------
    limit_s : float > 0, default=120.0
        Seconds of asking one task's grader, for all probes together.
    """

    about: ClassVar[About] = About(
        id="foreign-values-accepted",
        subject=SubjectKind.TASK,
        asks="Does the grader take values that the task forbids, instead of refusing the file?",
        blind_spots=(
            "What is forbidden is the definition's word; where any text may stand none is foreign."
        ),
        reference=REFERENCE,
    )
    asked: ClassVar[tuple[str, ...]] = ("perfect",)
    limit_s: float = 120.0

    def seen(self, answers: Answers) -> Iterator[Seen]:
        """See `Probe.seen`."""
        names = ("words", "one-word", "far-number", "numbers-for-names")
        taken = {n: a for n, a in answers.taken(*names, "fractions").items() if a.forbidden}
        taken |= answers.taken("odd-runs")
        if taken:
            yield Seen(
                f"The grader takes values that are no answer: {told(taken)}.",
                taken,
                is_harmful=any(answers.is_as_perfect(a) or not a.is_number for a in taken.values()),
            )
