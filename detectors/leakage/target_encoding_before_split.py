"""Say whether columns were encoded by the target of rows held out for validation later."""

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
class TargetEncodingBeforeSplit:
    """Encodings by the target worked out of all rows, before some are held out.

    Target encoders of libraries, and means of the target per group that are put back into rows.
    The target of a held-out row is then in its own features. Statistics per group of other columns
    are the question of fit-before-split.

    Parameters
    ----------
    max_evidence : int >= 1, default=8
        Places of the code shown with the finding.
    """

    about: ClassVar[About] = About(
        id="target-encoding-before-split",
        subject=SubjectKind.ATTEMPT,
        asks="Were columns encoded by the target of rows that were held out for validation later?",
        blind_spots=(
            "Python alone is followed, by names and without running it: not what a library does, "
            "not other languages, not code that only a log shows. A target that no "
            "column's name tells is not known as one."
        ),
        reference="https://arxiv.org/abs/2604.04199; "
        "https://doi.org/10.1145/507533.507538 (Micci-Barreca 2001)",
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
            self.about, subject, Kind.TARGET, Severity.HIGH, self.max_evidence
        )
