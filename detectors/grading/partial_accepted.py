"""Ask whether a part of the rows is enough."""

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
class PartialAccepted(Probe):
    """Half of the rows, all but one, or none.

    Parameters
    ----------
    limit_s : float > 0, default=120.0
        Seconds of asking one task's grader, for all probes together.
    """

    about: ClassVar[About] = About(
        id="partial-accepted",
        subject=SubjectKind.TASK,
        asks="Does the grader take a submission that lacks rows?",
        blind_spots=(
            "A grader that wants all rows and then looks at some of them only is not seen."
        ),
        reference=REFERENCE,
    )
    asked: ClassVar[tuple[str, ...]] = ("half", "one-row-short", "no-row")
    limit_s: float = 120.0

    def seen(self, answers: Answers) -> Iterator[Seen]:
        """See `Probe.seen`."""
        taken = answers.taken("half", "one-row-short", "no-row")
        if taken:
            yield Seen(
                f"The grader takes submissions that lack rows: {told(taken)}.",
                taken,
                is_harmful=True,
            )
