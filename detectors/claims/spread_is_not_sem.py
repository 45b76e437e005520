"""Name what a published ± is where it cannot be the standard error over seeds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from detectors.base import About, register
from detectors.claims.counts import Spread, declared
from detectors.claims.report_rows import NO_CLAIMS
from detectors.claims.row_arithmetic import known, likely_spread, readings
from detectors.group import Group
from reports.schema import Confidence, Quantity, Severity, SubjectKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.base import Subject
    from detectors.claims.row_arithmetic import Reading
    from reports.claims import Claim
    from reports.schema import Finding

NO_SPREAD = "no published row has a ± over a known number of tasks"


@register
@dataclass(frozen=True)
class SpreadIsNotSem:
    """A ± that is possible as another kind of spread, and not as the standard error over seeds.

    MLE-bench prints mean ± standard error over seeds (ddof 1). A standard deviation is √k times as
    large; a binomial error pooled over tasks and seeds does not say how far seeds differ. All ± of
    a row have to be of one kind, and those of low, medium and high have to give that of all. A row
    that says what its ± is, is taken at its word, and held to it.

    Parameters
    ----------
    max_evidence : int >= 1, default=8
        Figures shown with the finding.
    """

    about: ClassVar[About] = About(
        id="spread-is-not-sem",
        subject=SubjectKind.GROUP,
        asks="Is the published ± something else than the standard error over seeds?",
        blind_spots=(
            "A ± that can be both is taken for the standard error. Of one figure with few decimals "
            "most kinds fit; several figures of one row tell them apart."
        ),
        reference="https://doi.org/10.7287/peerj.preprints.2400v1 (GRIMMER test)",
    )
    max_evidence: int = 8

    def applies(self, subject: Subject) -> str | None:
        """See `Detector.applies`."""
        if not isinstance(subject, Group):
            return "it looks at groups only"
        if not subject.claims:
            return NO_CLAIMS
        spreads = (f.spread for claim in subject.claims for f in known(claim))
        return None if any(spreads) else NO_SPREAD

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """See `Detector.detect`."""
        if not isinstance(subject, Group):
            raise TypeError(subject)
        for claim in subject.claims:
            said = declared(claim.spread) or Spread.SEM
            found = [r for r in readings(claim) if r.kinds]
            if found and not any(said in r.kinds for r in found):
                yield self._finding(subject, claim, found, said)

    def _finding(self, subject: Group, claim: Claim, found: list[Reading], said: Spread) -> Finding:
        at = found[0]
        kinds = tuple(dict.fromkeys(kind for r in found for kind in r.kinds))
        spreads = [f for f in known(claim) if f.spread]
        over = (
            f"{at.k} seeds" if claim.seeds else f"{' or '.join(str(r.k) for r in found[:5])} seeds"
        )
        told = ", ".join(f.words for f in spreads)
        promised = "says that its ± is" if declared(claim.spread) else "prints as if it were"
        return self.about.finding(
            subject,
            f"{claim.label} ({claim.source}) {promised} the {said.value}: for {over} that cannot "
            f"be. Every ± of it ({told}) is the {' or the '.join(kind.value for kind in kinds)}.",
            *(
                Quantity(
                    name=f"{f.split}, printed ± over {f.n_tasks} tasks and {at.k} seeds",
                    value=f.spread.value if f.spread else 0.0,
                    unit="%",
                    compared_with=f"{kinds[0].value} that can be",
                    reference=_rounded(likely_spread(f, kinds[0], at.k)),
                )
                for f in spreads[: self.max_evidence]
            ),
            severity=Severity.LOW,
            confidence=Confidence.HIGH if claim.seeds else Confidence.MEDIUM,
        )


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
