"""Say whether the rows of a reported score also decided when to stop or what to keep."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from detectors.base import About, register
from detectors.leakage.code_faults import reused
from detectors.leakage.code_reading import applies_to_code, gap_of, programs_of
from reports.schema import Confidence, Severity, SubjectKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.base import Subject
    from reports.schema import Finding

_HOW = {
    "stop": "when the training stops",
    "choice": "what is kept as the best",
}


@register
@dataclass(frozen=True)
class ValidationReuse:
    """A score on rows that also decided when to stop, or which of many results to keep.

    Early stopping watched by the very rows that are scored afterwards, and a loop or a search that
    keeps the best score on them, where no rows that decided nothing are scored as well. Such a
    score is the best of many and says a little too much. It is common and mostly harmless where
    the task has hidden rows of its own: low severity. A search by cross-validation within the train
    half beside a test half is how it should be, and a choice by the mean over folds is left out.

    Parameters
    ----------
    max_evidence : int >= 1, default=8
        Places of the code shown with the finding.
    """

    about: ClassVar[About] = About(
        id="validation-reuse",
        subject=SubjectKind.ATTEMPT,
        asks="Did the rows of the score also decide when to stop or what to keep?",
        blind_spots=(
            "Python alone is followed, by names and without running it. What an agent decides "
            "after it has read a score, between two runs of its code, is not seen, nor is a search "
            "inside a library."
        ),
        reference="https://jmlr.org/papers/v11/cawley10a.html (Cawley and Talbot 2010)",
        needs=frozenset({"code", "logs"}),
    )
    max_evidence: int = 8

    def applies(self, subject: Subject) -> str | None:
        """See `Detector.applies`."""
        return applies_to_code(subject)

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """See `Detector.detect`.

        Raises
        ------
        EvidenceUnavailableError
            After the finding, when code was too long to be followed to its end.
        """
        read = programs_of(subject)
        found = [(p, one) for p in read for one in reused(p.story)]
        if found:
            lines = dict.fromkeys(
                line
                for p, one in found
                for line in (
                    p.lines(one.decided, f"decides {_HOW[one.how]}, by the rows scored below"),
                    p.lines(one.scored, "scores the same rows"),
                )
            )
            ways = dict.fromkeys(_HOW[one.how] for _, one in found)
            yield self.about.finding(
                subject,
                f"The held-out rows that are scored also decide {' and '.join(ways)}; no other "
                "rows are scored.",
                *list(lines)[: self.max_evidence],
                severity=Severity.LOW,
                confidence=Confidence.MEDIUM,
            )
        gap = gap_of(read)
        if gap is not None:
            raise gap
