"""Say whether rows were copied or made up before some were held out for validation."""

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
class ResampleBeforeSplit:
    """Oversampling before the split: copies of a row, or rows between it and others, on both sides.

    SMOTE and its kin, random oversampling, drawing rows with replacement. Undersampling makes no
    copies and is left out, as is what a pipeline does within each fold. Where only the folds of a
    train half are concerned and a test half was kept apart, the finding is of medium severity.

    Parameters
    ----------
    max_evidence : int >= 1, default=8
        Places of the code shown with the finding.
    """

    about: ClassVar[About] = About(
        id="resample-before-split",
        subject=SubjectKind.ATTEMPT,
        asks="Were rows oversampled before some of them were held out for validation?",
        blind_spots=(
            "Python alone is followed, by names and without running it: not what a library does, "
            "not other languages, not code that only a log shows. Copies made by "
            "putting a table twice into one, or by own augmentation, are not seen."
        ),
        reference="https://doi.org/10.1145/3551349.3556918 (Yang et al. 2022, overlap leakage)",
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
            self.about, subject, Kind.RESAMPLING, Severity.HIGH, self.max_evidence
        )
