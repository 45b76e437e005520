"""Name listed runs that the published figure leaves out, and say the figure with all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from competitions.errors import EvidenceUnavailableError
from detectors.base import About, register
from detectors.group import Group
from reports.claims import ALL, split_tasks
from reports.grading import mean_sem
from reports.schema import Confidence, Quantity, Severity, SubjectKind
from reports.seeds import complete, expected_tasks, figures, seeds_of
from reports.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from detectors.base import Subject
    from detectors.group import Listed
    from reports.claims import Claim
    from reports.grading import CompetitionReport
    from reports.schema import Evidence, Finding
    from reports.seeds import Seed

NO_LIST = "no published figure stands beside a list of runs, or beside more reports than it counts"
_MOST_NAMED = 6


@register
@dataclass(frozen=True)
class CherryPickedSeeds:
    """Runs that a plan or an experiment list names, and that the published figure does not count.

    What they scored is counted in where it is known, so that the figure with all runs stands beside
    the published one. That runs are left out is more than a note where the figure is better for it.
    A row that names fewer seeds than the reports beside it hold is asked the same.

    Parameters
    ----------
    max_evidence : int >= 1, default=8
        Runs shown with a finding.
    """

    about: ClassVar[About] = About(
        id="cherry-picked-seeds",
        subject=SubjectKind.GROUP,
        asks="Does the published figure leave out runs that a list of runs names?",
        blind_spots=(
            "Runs that no list names are not missed: whoever keeps no list, or changes it "
            "afterwards, shows nothing here."
        ),
        reference="https://doi.org/10.1177/0956797611417632 (undisclosed flexibility)",
    )
    max_evidence: int = 8

    def applies(self, subject: Subject) -> str | None:
        """See `Detector.applies`."""
        if not isinstance(subject, Group):
            return "it looks at groups only"
        several = any(c.seeds for c in subject.claims) and bool(subject.reports)
        return None if several or any(x.is_counted for x in subject.listed) else NO_LIST

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """See `Detector.detect`.

        Raises
        ------
        EvidenceUnavailableError
            After the findings, when nobody knows what a run that is left out scored.
        """
        if not isinstance(subject, Group):
            raise TypeError(subject)
        left_out = [x for x in subject.listed if not x.is_counted]
        if left_out and any(x.is_counted for x in subject.listed):
            yield self._listed(subject, left_out)
        for claim in subject.claims:
            yield from self._fewer(subject, claim)
        if unknown := [x.name for x in left_out if not x.rows]:
            raise EvidenceUnavailableError(
                "grading report",
                f"What {', '.join(unknown[:5])} scored is not known, so the figure with all "
                "runs cannot be told.",
            )

    def _listed(self, subject: Group, left_out: Sequence[Listed]) -> Finding:
        counted_rows = subject.rows
        everything = (*counted_rows, *(r for x in left_out for r in x.rows))
        published, with_all = _medal_rate(counted_rows), _medal_rate(everything)
        better = published is not None and with_all is not None and published > with_all
        names = ", ".join(x.name for x in left_out[:_MOST_NAMED])
        more = f" and {len(left_out) - _MOST_NAMED} more" if len(left_out) > _MOST_NAMED else ""
        numbers = (
            f" Any medal: {published:.2f} % of the runs that are counted, {with_all:.2f} % of all."
            if published is not None and with_all is not None
            else ""
        )
        return self.about.finding(
            subject,
            f"{left_out[0].source} names {counted(len(subject.listed), 'run')}, and the published "
            f"reports leave {len(left_out)} out: {names}{more}.{numbers}",
            *_rates(published, with_all),
            *(_run(x) for x in left_out[: self.max_evidence]),
            severity=Severity.MEDIUM if better else Severity.NOTE,
            confidence=Confidence.MEDIUM if better else Confidence.HIGH,
            attempts=tuple(x.name for x in left_out if x.name in {a.id for a in subject.attempts}),
        )

    def _fewer(self, subject: Group, claim: Claim) -> Iterator[Finding]:
        """Compare a row of fewer seeds than the reports hold with all of them."""
        whole = _complete(subject, claim)
        if not claim.seeds or claim.seeds >= len(whole):
            return
        rates = {f.split: f for f in figures(whole)}
        shown = [(f, rates[f.split]) for f in claim.figures if f.split in rates]
        better = any(
            own.share is not None and f.mean.value - 100 * own.share.mean >= f.mean.unit
            for f, own in shown
        )
        told = "; ".join(f"{f.words}, with all {own.words}" for f, own in shown)
        yield self.about.finding(
            subject,
            f"{claim.label} counts {counted(claim.seeds, 'seed')} and the reports hold "
            f"{len(whole)} complete ones: {told or 'no split of it is whole'}.",
            Quantity(
                name="seeds the row counts",
                value=claim.seeds,
                compared_with="complete seeds of the reports",
                reference=len(whole),
            ),
            *(
                Quantity(
                    name=f"{f.split}, printed mean",
                    value=f.mean.value,
                    unit="%",
                    compared_with=f"all {len(whole)} seeds",
                    reference=round(100 * own.share.mean, 4) if own.share else None,
                )
                for f, own in shown[: self.max_evidence]
            ),
            severity=Severity.MEDIUM if better else Severity.NOTE,
            confidence=Confidence.MEDIUM if better else Confidence.HIGH,
        )


def _complete(subject: Group, claim: Claim) -> tuple[Seed, ...]:
    seeds = seeds_of(subject.reports)
    named = (f.split for f in claim.figures if split_tasks(f.split))
    return complete(seeds, expected_tasks(seeds, named))


def _medal_rate(rows: Sequence[CompetitionReport]) -> float | None:
    """Return the share of rows with a medal, in per cent."""
    share = mean_sem(float(r.any_medal) for r in rows)
    return None if share is None else 100 * share.mean


def _rates(published: float | None, with_all: float | None) -> Iterator[Evidence]:
    if published is not None:
        yield Quantity(
            name=f"any medal, {ALL} runs that are counted",
            value=round(published, 4),
            unit="%",
            compared_with="all runs of the list" if with_all is not None else None,
            reference=None if with_all is None else round(with_all, 4),
        )


def _run(listed: Listed) -> Quantity:
    return Quantity(
        name=f"{listed.name}, left out: medals",
        value=sum(r.any_medal for r in listed.rows),
        compared_with="its graded rows",
        reference=len(listed.rows),
    )
