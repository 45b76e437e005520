"""Can a published row be? Its means, its spreads, and low, medium and high together as all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from detectors.claims.counts import (
    Spread,
    can_give,
    count_vectors,
    nearest_spread,
    orders,
    spread_of,
    sums_of_three,
    totals,
)
from reports.claims import ALL

if TYPE_CHECKING:
    from reports.claims import Claim, ClaimedFigure

PARTS = ("low", "medium", "high")
LIKELY_SEEDS = range(1, 21)  # where a row does not say how many
MAX_VECTORS, MAX_ORDERS, MAX_JOINT_SEEDS = 50, 50_000, 5


@dataclass(frozen=True)
class Reading:
    """What a row can be for one number of seeds.

    Parameters
    ----------
    impossible : tuple of ClaimedFigure
        Figures whose mean no whole number of medals gives.
    recombines : bool
        Whether low, medium and high can make all; True where the row has not all four.
    kinds : tuple of Spread
        Of the spreads that fit every ± of the row; empty where none fits or none is printed.
    """

    k: int
    impossible: tuple[ClaimedFigure, ...]
    recombines: bool
    kinds: tuple[Spread, ...]

    @property
    def means_fit(self) -> bool:
        """Whether all means can be for this number of seeds."""
        return not self.impossible and self.recombines


class Nearest(NamedTuple):
    """The means next to a printed one that whole numbers of medals give, in per cent."""

    below: float
    above: float


def known(claim: Claim) -> tuple[ClaimedFigure, ...]:
    """Return the figures of a row whose number of tasks is known."""
    return tuple(f for f in claim.figures if f.n_tasks)


def reading(claim: Claim, k: int) -> Reading:
    """Say what a row can be for `k` seeds."""
    figures = known(claim)
    impossible = tuple(f for f in figures if not _totals(f, k))
    recombines = impossible != () or _recombines(claim, k)
    kinds: tuple[Spread, ...] = ()
    if not impossible and any(f.spread for f in figures):
        kinds = tuple(kind for kind in Spread if _fits(claim, kind, k))
    return Reading(k, impossible, recombines, kinds)


def readings(claim: Claim) -> tuple[Reading, ...]:
    """Read a row for the seeds it names; where it names none, for each that fits its means."""
    if claim.seeds:
        return (reading(claim, claim.seeds),)
    found = (reading(claim, k) for k in LIKELY_SEEDS)
    return tuple(r for r in found if r.means_fit)


def seeds_that_fit(claim: Claim) -> tuple[int, ...]:
    """Recover how many seeds a row is over: the numbers up to 20 for which all its means can be."""
    return tuple(k for k in LIKELY_SEEDS if reading_of_means(claim, k))


def reading_of_means(claim: Claim, k: int) -> bool:
    """Say whether all means of a row can be for `k` seeds, its spreads left out."""
    return all(_totals(f, k) for f in known(claim)) and _recombines(claim, k)


def nearest(figure: ClaimedFigure, k: int) -> Nearest:
    """Return the means that are possible next to a printed one.

    Examples
    --------
    >>> from reports.claims import parse_claim
    >>> nearest(parse_claim("Low 62.20, seeds 3").figures[0], 3)
    Nearest(below=62.12121212121212, above=63.63636363636363)
    """
    runs = (figure.n_tasks or 1) * k
    below = int(figure.mean.value * runs / 100)
    return Nearest(100 * below / runs, min(100.0, 100 * (below + 1) / runs))


def likely_spread(figure: ClaimedFigure, kind: Spread, k: int) -> float | None:
    """Return the spread of a kind that lies nearest to the printed one and can be, in per cent."""
    if figure.spread is None:
        return None
    printed, n = figure.spread, figure.n_tasks or 1
    found = [nearest_spread(total, printed, kind, n, k) for total in _totals(figure, k)]
    return min(
        (s for s in found if s is not None), key=lambda s: abs(s - printed.value), default=None
    )


def _totals(figure: ClaimedFigure, k: int) -> tuple[int, ...]:
    return totals(figure.mean, figure.n_tasks or 1, k)


def _four(claim: Claim) -> tuple[ClaimedFigure, ...] | None:
    """Return low, medium, high and all where the row has them and their tasks add up."""
    found = tuple(f for f in map(claim.figure, (*PARTS, ALL)) if f and f.n_tasks)
    if len(found) != len(PARTS) + 1:
        return None
    n_parts = sum(f.n_tasks or 0 for f in found[:-1])
    return found if n_parts == found[-1].n_tasks else None


def _recombines(claim: Claim, k: int) -> bool:
    four = _four(claim)
    if four is None:
        return True
    low, high = (sum(at(_totals(f, k), default=0) for f in four[:-1]) for at in (min, max))
    return any(low <= total <= high for total in _totals(four[-1], k))


def _fits(claim: Claim, kind: Spread, k: int) -> bool:
    """Say whether every ± of a row can be of one kind, those of splits and all together too."""
    for f in known(claim):
        if f.spread and not any(
            can_give(t, f.spread, kind, f.n_tasks or 1, k) for t in _totals(f, k)
        ):
            return False
    return kind is Spread.POOLED or _fit_together(claim, kind, k)


def _fit_together(claim: Claim, kind: Spread, k: int) -> bool:
    """Say whether counts that give the splits' spreads can also give that of all.

    True where it cannot be told: more than five seeds, a missing ±, or too many ways.
    """
    four = _four(claim)
    if four is None or k > MAX_JOINT_SEEDS or not all(f.spread for f in four):
        return True
    *parts, whole = four
    splits = []
    for part in parts:
        listed: list[tuple[int, ...]] = []
        for total in _totals(part, k):
            found = count_vectors(total, part.spread, kind, part.n_tasks or 1, k, MAX_VECTORS)  # type: ignore[arg-type]
            if found is None:
                return True
            listed += found
        splits.append(listed)
    if orders(splits) > MAX_ORDERS:
        return True
    allowed = set(_totals(whole, k))
    printed = whole.spread
    return any(
        sum(counts) in allowed
        and printed is not None
        and (spread := spread_of(counts, whole.n_tasks or 1, kind)) is not None
        and abs(spread - printed.value) < printed.unit
        for counts in sums_of_three(splits)
    )
