"""Ask whether a label that no answer has costs something."""

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
class UnknownLabelFree(Probe):
    """A label that no answer has, before those of every cell; fractions for whole numbers.

    Parameters
    ----------
    limit_s : float > 0, default=120.0
        Seconds of asking one task's grader, for all probes together.
    """

    about: ClassVar[About] = About(
        id="unknown-label-free",
        subject=SubjectKind.TASK,
        asks="Are labels that no answer has free of cost?",
        blind_spots=("Labels that the task knows and the test part lacks are not tried."),
        reference=REFERENCE,
    )
    asked: ClassVar[tuple[str, ...]] = ("perfect",)
    limit_s: float = 120.0

    def seen(self, answers: Answers) -> Iterator[Seen]:
        """See `Probe.seen`."""
        added = answers.taken("strange-word", "strange-number")
        added |= {n: a for n, a in answers.taken("fractions").items() if a.forbidden}
        free = {n: a for n, a in added.items() if answers.is_as_perfect(a)}
        if free:
            yield Seen(
                f"Labels that no answer has cost nothing: {told(free)}.", free, is_harmful=True
            )
