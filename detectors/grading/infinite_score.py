"""Ask whether a valid submission may score no number."""

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
class InfiniteScore(Probe):
    """Valid submissions whose score is infinite or no number: right answers, constants, samples.

    Parameters
    ----------
    limit_s : float > 0, default=120.0
        Seconds of asking one task's grader, for all probes together.
    """

    about: ClassVar[About] = About(
        id="infinite-score",
        subject=SubjectKind.TASK,
        asks="Can a valid submission have a score that is infinite or no number?",
        blind_spots=(
            "Only these submissions and those without rows or with empty cells are tried."
        ),
        reference=REFERENCE,
    )
    asked: ClassVar[tuple[str, ...]] = ("constant",)
    limit_s: float = 120.0

    def seen(self, answers: Answers) -> Iterator[Seen]:
        """See `Probe.seen`."""
        odd = {
            n: a
            for n, a in answers.by_question.items()
            if a.outcome == "scored" and not a.is_number and (n == "perfect" or a.score is not None)
        }
        if odd:
            yield Seen(f"A valid score is no number: {told(odd)}.", odd, is_harmful=True)
