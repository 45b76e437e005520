"""Ask whether the sample submission is a submission."""

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
class SampleInvalid(Probe):
    """The sample submission as it is handed out.

    Parameters
    ----------
    limit_s : float > 0, default=120.0
        Seconds of asking one task's grader, for all probes together.
    """

    about: ClassVar[About] = About(
        id="sample-invalid",
        subject=SubjectKind.TASK,
        asks="Is the sample submission refused, or written in a form that never scores?",
        blind_spots=("Whether the sample is a good start is not asked."),
        reference=REFERENCE,
    )
    asked: ClassVar[tuple[str, ...]] = ("sample",)
    limit_s: float = 120.0

    def seen(self, answers: Answers) -> Iterator[Seen]:
        """See `Probe.seen`."""
        sample = answers.by_question.get("sample")
        if sample is None:
            return
        said = ""
        if sample.outcome != "scored":
            said = f"is {sample.outcome} by the grader"
        elif not sample.is_number:
            said = "has no score"
        elif sample.forbidden:
            said = "holds what the task does not mean as an answer"
        elif answers.padded and answers.is_all_wrong(sample):
            said = "writes answers in a form that never scores (leading zeros)"
        if said:
            yield Seen(
                f"The sample submission {said}.",
                {"sample": sample},
                is_harmful=not sample.is_number,
            )
