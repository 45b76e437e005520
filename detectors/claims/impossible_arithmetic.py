"""Say where a published mean or spread is none that whole numbers of medals can give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from competitions.errors import EvidenceUnavailableError
from detectors.base import About, register
from detectors.claims.counts import Spread, declared, spread_of
from detectors.claims.report_rows import NO_CLAIMS
from detectors.claims.row_arithmetic import (
    LIKELY_SEEDS,
    known,
    likely_spread,
    nearest,
    reading,
    readings,
    seeds_that_fit,
)
from detectors.group import Group
from reports.claims import Claim, split_tasks
from reports.grading import awards_medals, is_comparable
from reports.schema import Confidence, Quantity, Severity, SubjectKind
from reports.seeds import complete, expected_tasks, figures, seeds_of, seeds_of_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.base import Subject
    from detectors.claims.row_arithmetic import Reading
    from reports.claims import ClaimedFigure
    from reports.schema import Finding
    from reports.seeds import SplitFigure


@register
@dataclass(frozen=True)
class ImpossibleArithmetic:
    """Means, spreads and sums that no whole numbers of medals give, or that are not the reports'.

    A mean over n tasks and k seeds is a multiple of 100 / (n · k). A spread over seeds is that of k
    whole numbers with that sum. Low, medium and high together are all. A number may have been
    rounded or cut off at its last digit. Where grading reports are given beside the row, their
    figures are held against its own, else those of its attempts as graded here.

    Parameters
    ----------
    max_evidence : int >= 1, default=8
        Figures shown with a finding.
    """

    about: ClassVar[About] = About(
        id="impossible-arithmetic",
        subject=SubjectKind.GROUP,
        asks="Can whole numbers of medals over these tasks and seeds give the published figures?",
        blind_spots=(
            "Figures that are possible need not be true. With many seeds or few decimals nearly "
            "every mean is possible. A spread of a kind that is not known here, as one of a "
            "bootstrap, looks like an impossible one; the finding says so."
        ),
        reference="https://doi.org/10.1177/1948550616673876 (GRIM test)",
    )
    max_evidence: int = 8

    def applies(self, subject: Subject) -> str | None:
        """See `Detector.applies`."""
        if not isinstance(subject, Group):
            return "it looks at groups only"
        return None if subject.claims else NO_CLAIMS

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """See `Detector.detect`.

        Raises
        ------
        EvidenceUnavailableError
            After the findings, when a row says of no figure over how many tasks it is.
        """
        if not isinstance(subject, Group):
            raise TypeError(subject)
        blind = [c for c in subject.claims if not known(c)]
        for claim in subject.claims:
            yield from self._of_reports(subject, claim)
            if claim not in blind:
                yield from self._of_row(subject, claim)
        if blind:
            raise EvidenceUnavailableError(
                "number of tasks", f"{blind[0].source} does not say over how many tasks it is."
            )

    def _of_row(self, subject: Group, claim: Claim) -> Iterator[Finding]:
        found = readings(claim)
        if not found:
            yield self._no_seeds(subject, claim)
            return
        first = found[0]
        if first.impossible:
            yield self._means(subject, claim, first)
        elif not first.recombines:
            yield self._sum(subject, claim, first)
        elif any(f.spread for f in known(claim)) and not any(r.kinds for r in found):
            yield self._spreads(subject, claim, first)

    def _means(self, subject: Group, claim: Claim, at: Reading) -> Finding:
        other = seeds_that_fit(claim)
        hint = f" They can be over {_listed(other)} seeds." if other else ""
        told = "; ".join(
            f"{f.words}, next to it are {near.below:.2f} and {near.above:.2f}"
            for f in at.impossible
            for near in (nearest(f, at.k),)
        )
        return self.about.finding(
            subject,
            f"{_who(claim)} no whole number of medals over {at.k} seeds gives {told}.{hint}",
            *(
                Quantity(
                    name=f"{f.split}, printed mean over {f.n_tasks} tasks and {at.k} seeds",
                    value=f.mean.value,
                    unit="%",
                    compared_with="nearest possible mean",
                    reference=min(nearest(f, at.k), key=lambda m: abs(m - f.mean.value)),
                )
                for f in at.impossible[: self.max_evidence]
            ),
            severity=Severity.MEDIUM,
            confidence=Confidence.MEDIUM if other else Confidence.HIGH,
        )

    def _no_seeds(self, subject: Group, claim: Claim) -> Finding:
        figures_ = known(claim)[: self.max_evidence]
        return self.about.finding(
            subject,
            f"{_who(claim)} no number of seeds up to {LIKELY_SEEDS[-1]} gives all its means: "
            f"{', '.join(f.words for f in figures_)}.",
            *(_printed(f) for f in figures_),
            severity=Severity.MEDIUM,
            confidence=Confidence.MEDIUM,
        )

    def _sum(self, subject: Group, claim: Claim, at: Reading) -> Finding:
        *parts, whole = (f for f in map(claim.figure, ("low", "medium", "high", "all")) if f)
        n_all = whole.n_tasks or 1
        joined = sum(f.mean.value * (f.n_tasks or 0) for f in parts) / n_all
        return self.about.finding(
            subject,
            f"{_who(claim)} low, medium and high together give {joined:.2f}, and all is printed as "
            f"{whole.mean.text} ({at.k} seeds).",
            Quantity(
                name=f"all, printed mean over {n_all} tasks",
                value=whole.mean.value,
                unit="%",
                compared_with="low, medium and high, weighted by their tasks",
                reference=round(joined, 4),
            ),
            severity=Severity.MEDIUM,
            confidence=Confidence.HIGH,
        )

    def _spreads(self, subject: Group, claim: Claim, at: Reading) -> Finding:
        alone = [f for f in known(claim) if f.spread and not _alone(f, at.k)]
        shown = (alone or [f for f in known(claim) if f.spread])[: self.max_evidence]
        why = (
            f"none that {at.k} whole numbers with its mean have: "
            if alone
            else "each possible, but not all of one kind and from the same seeds: "
        )
        return self.about.finding(
            subject,
            f"{_who(claim)} the ± is {why}{', '.join(f.words for f in shown)}. Tried were standard "
            "error, standard deviation, 95 % interval and pooled binomial error; it may be of "
            "another kind.",
            *(
                Quantity(
                    name=f"{f.split}, printed ±",
                    value=f.spread.value if f.spread else 0.0,
                    unit="%",
                    compared_with="a standard error near it that can be",
                    reference=likely_spread(f, Spread.SEM, at.k),
                )
                for f in shown
            ),
            severity=Severity.LOW if not declared(claim.spread) else Severity.MEDIUM,
            confidence=Confidence.MEDIUM,
        )

    def _of_reports(self, subject: Group, claim: Claim) -> Iterator[Finding]:
        """Hold the row against the mean over the complete seeds of the reports beside it."""
        here = {f.split: f for f in reported(subject, claim)}
        wrong = [
            (f, here[f.split])
            for f in claim.figures
            if f.split in here and _differs(f, here[f.split])
        ]
        if wrong:
            told = "; ".join(f"{f.words}, counted here {own.words}" for f, own in wrong)
            yield self.about.finding(
                subject,
                f"{_who(claim)} the complete seeds behind it give other figures: {told}.",
                *(
                    Quantity(
                        name=f"{f.split}, printed mean",
                        value=f.mean.value,
                        unit="%",
                        compared_with=f"{len(own.counts)} complete seeds",
                        reference=round(100 * own.share.mean, 4) if own.share else None,
                    )
                    for f, own in wrong[: self.max_evidence]
                ),
                severity=Severity.MEDIUM,
                confidence=Confidence.HIGH,
            )


def reported(subject: Group, claim: Claim) -> tuple[SplitFigure, ...]:
    """Return the figures over the complete seeds of a group, for the splits of a row.

    The seeds are those of its reports; where there is none, of its attempts as graded here.
    """
    graded = [r for r in subject.graded if awards_medals(r) and is_comparable(r)]
    seeds = seeds_of(subject.reports) or seeds_of_rows("graded here", graded)
    tasks = expected_tasks(seeds, (f.split for f in claim.figures if split_tasks(f.split)))
    whole = complete(seeds, tasks)
    return figures(whole) if whole else ()


def _differs(claimed: ClaimedFigure, own: SplitFigure) -> bool:
    """Say whether a printed mean, or its ± of whatever kind, is none of the reports' counts."""
    same_tasks = claimed.n_tasks in {None, own.n_tasks}
    share = own.share
    if share is None or not same_tasks:
        return False
    if abs(100 * share.mean - claimed.mean.value) >= claimed.mean.unit:
        return True
    printed = claimed.spread
    if printed is None:
        return False
    spreads = (spread_of(own.counts, own.n_tasks, kind) for kind in Spread)
    return not any(s is not None and abs(s - printed.value) < printed.unit for s in spreads)


def _alone(figure: ClaimedFigure, k: int) -> bool:
    """Say whether a figure by itself can have its ± by any kind."""
    return bool(reading(Claim("", (figure,)), k).kinds)


def _printed(figure: ClaimedFigure) -> Quantity:
    return Quantity(
        name=f"{figure.split}, printed mean over {figure.n_tasks} tasks",
        value=figure.mean.value,
        unit="%",
    )


def _who(claim: Claim) -> str:
    return f"{claim.label} ({claim.source}):" if claim.label != claim.source else f"{claim.label}:"


def _listed(numbers: tuple[int, ...]) -> str:
    shown = ", ".join(map(str, numbers[:5]))
    return f"{shown} …" if len(numbers) > 5 else shown  # noqa: PLR2004
