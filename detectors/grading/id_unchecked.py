"""Ask whether ids are looked at."""

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
class IdUnchecked(Probe):
    """Foreign ids, an id that stands twice while another is missing, a row too many.

    Parameters
    ----------
    limit_s : float > 0, default=120.0
        Seconds of asking one task's grader, for all probes together.
    """

    about: ClassVar[About] = About(
        id="id-unchecked",
        subject=SubjectKind.TASK,
        asks="Does the grader take submissions whose ids are not those of the test part?",
        blind_spots=("Ids that differ in form alone, such as 7 and 007, are not tried."),
        reference=REFERENCE,
    )
    asked: ClassVar[tuple[str, ...]] = ("foreign-keys", "row-again")
    limit_s: float = 120.0

    def seen(self, answers: Answers) -> Iterator[Seen]:
        """See `Probe.seen`."""
        taken = answers.taken("foreign-keys", "one-key-twice", "row-again")
        if taken:
            yield Seen(
                f"The grader takes submissions with wrong ids: {told(taken)}.",
                taken,
                is_harmful="foreign-keys" in taken or "row-again" in taken,
            )
