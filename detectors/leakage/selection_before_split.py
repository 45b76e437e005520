"""Say whether columns were chosen by the target of rows held out for validation later."""

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
class SelectionBeforeSplit:
    """A choice of columns by the target of all rows, before some are held out.

    Univariate scores, recursive elimination, importances of a model trained on all rows,
    correlations with the target. A choice without the target, by variance or by correlations among
    columns, is left out.

    Parameters
    ----------
    max_evidence : int >= 1, default=8
        Places of the code shown with the finding.
    """

    about: ClassVar[About] = About(
        id="selection-before-split",
        subject=SubjectKind.ATTEMPT,
        asks="Were columns chosen by the target of rows that were held out for validation later?",
        blind_spots=(
            "Python alone is followed, by names and without running it: not what a library does, "
            "not other languages, not code that only a log shows. Columns chosen by "
            "eye, after a plot of all rows, are typed and look like any others."
        ),
        reference="https://doi.org/10.1073/pnas.102102699 (Ambroise and McLachlan 2002)",
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
            self.about, subject, Kind.SELECTION, Severity.HIGH, self.max_evidence
        )
