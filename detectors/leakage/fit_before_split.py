"""Say whether transformations were fitted on rows that were held out for validation later."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from detectors.base import About, register
from detectors.leakage.code_before import findings_before
from detectors.leakage.code_reading import applies_to_code
from detectors.leakage.code_values import Kind
from reports.schema import Severity, SubjectKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.base import Subject
    from reports.schema import Finding


@register
@dataclass(frozen=True)
class FitBeforeSplit:
    """A transformation or a statistic worked out of all rows, before some are held out.

    Scalers, imputers, vectorizers and components, means that fill gaps, bins, counts and statistics
    per group that are none of the target. The validation score then says a little too much, as a
    rule very little: the finding is of low severity. What learns nothing but a list of categories
    is left out, as is what stands in a pipeline that is fitted within each fold, and statistics
    that only a plot or a print uses. Fitting on the features of the task's own test rows is not
    its question: test-used-in-fit notes it.

    Parameters
    ----------
    max_evidence : int >= 1, default=8
        Places of the code shown with the finding.
    """

    about: ClassVar[About] = About(
        id="fit-before-split",
        subject=SubjectKind.ATTEMPT,
        asks="Was a transformation fitted on rows that were held out for validation later?",
        blind_spots=(
            "Python alone is followed, by names and without running it: not what a library does, "
            "not other languages, not code that only a log shows. A split by own "
            "conditions on columns is seen only where a score is worked out on its other side."
        ),
        reference="https://arxiv.org/abs/2604.04199; "
        "https://doi.org/10.1145/3551349.3556918 (Yang et al. 2022)",
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
        yield from findings_before(
            self.about, subject, Kind.STATISTIC, Severity.LOW, self.max_evidence
        )
