"""Ask whether cells without a number are taken."""

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
class NanAccepted(Probe):
    """Empty cells, infinite values and nan where the task means a number or a label.

    Parameters
    ----------
    limit_s : float > 0, default=120.0
        Seconds of asking one task's grader, for all probes together.
    """

    about: ClassVar[About] = About(
        id="nan-accepted",
        subject=SubjectKind.TASK,
        asks="Does the grader take empty cells and infinite values where the task wants an answer?",
        blind_spots=(
            "Where the definition says that an empty cell is an answer it is taken for one, as of "
            "masks. One cell and one column are tried, not each."
        ),
        reference=REFERENCE,
    )
    asked: ClassVar[tuple[str, ...]] = ("empty-cell", "empty-column", "all-empty")
    limit_s: float = 120.0

    def seen(self, answers: Answers) -> Iterator[Seen]:
        """See `Probe.seen`."""
        names = ("empty-cell", "empty-column", "all-empty", "one-and-empty", "infinite-cell")
        taken = {n: a for n, a in answers.taken(*names).items() if a.forbidden}
        texts = answers.taken("nan-in-text").items()
        taken |= {name: answer for name, answer in texts if answers.is_as_perfect(answer)}
        if taken:
            free = [a for a in taken.values() if not a.is_number or answers.is_as_perfect(a)]
            better = [a for a in taken.values() if answers.is_better(a)]
            yield Seen(
                f"The grader takes submissions without an answer: {told(taken)}.",
                taken,
                is_harmful=bool(free or better),
            )
