"""What counts of medals over seeds can give: means, sums of squares, and the spreads of these.

Each of k seeds counts medals on n tasks: whole numbers c₁ … c_k in [0, n]. A printed mean is
100 · Σc / (n · k), and each usual spread is a factor times √SS, SS = Σ(c - mean)²: both leave gaps.
The test of means is GRIM's, that of spreads GRIMMER's.

References
----------
Brown and Heathers (2017), https://doi.org/10.1177/1948550616673876
Anaya (2016), https://doi.org/10.7287/peerj.preprints.2400v1
"""

from __future__ import annotations

import math
from enum import StrEnum
from functools import cache, lru_cache
from itertools import islice, pairwise, permutations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reports.claims import Printed

MAX_EXACT_SEEDS, MAX_EXACT_TASKS, MAX_EXACT_SUMS = 6, 100, 1000
_SLACK = 1e-9
_Z95 = 1.959964


class Spread(StrEnum):
    """What a printed ± can be. The values are words for a person."""

    SEM = "standard error over seeds (ddof 1)"
    SD = "standard deviation over seeds (ddof 1)"
    SD_POPULATION = "standard deviation over seeds (ddof 0)"
    SEM_POPULATION = "standard error over seeds (ddof 0)"
    POOLED = "pooled binomial standard error over tasks x seeds"
    INTERVAL = "half of a 95 % normal interval over seeds (1.96 standard errors)"
    T_INTERVAL = "half of a 95 % t interval over seeds"


_DECLARED = {
    "sem": Spread.SEM, "se": Spread.SEM, "standard error": Spread.SEM,
    "sd": Spread.SD, "std": Spread.SD, "standard deviation": Spread.SD,
    "population sd": Spread.SD_POPULATION, "sd ddof 0": Spread.SD_POPULATION,
    "binomial": Spread.POOLED, "pooled binomial": Spread.POOLED,
    "95% ci": Spread.INTERVAL, "95 % ci": Spread.INTERVAL, "ci": Spread.INTERVAL,
}  # fmt: skip


def declared(text: str | None) -> Spread | None:
    """Return the spread that a row says its ± is; None where it says nothing that is known."""
    if text is None:
        return None
    word = " ".join(text.lower().split())
    return _DECLARED.get(word) or next((s for s in Spread if s.value == word), None)


def totals(mean: Printed, n: int, k: int) -> tuple[int, ...]:
    """List the totals of k seeds over n tasks that give a printed mean.

    A mean may have been rounded or cut off: it lies less than one of its last digit away.

    Examples
    --------
    >>> from reports.claims import Printed
    >>> totals(Printed("62.12"), 22, 3), totals(Printed("62.20"), 22, 3)
    ((41,), ())
    """
    low, high = _around(mean)
    first = max(0, math.ceil(low * n * k / 100 - _SLACK))
    last = min(n * k, math.floor(high * n * k / 100 + _SLACK))
    inside = (t for t in range(first, last + 1) if abs(100 * t / (n * k) - mean.value) < mean.unit)
    return tuple(inside)


def squares(spread: Printed, kind: Spread, n: int, k: int) -> tuple[float, float] | None:
    """Return the range of sums of squared deviations that give a printed spread.

    None where the kind is none of deviations over these seeds.
    """
    factor = _factor(kind, k)
    if factor is None:
        return None
    low, high = _around(spread)
    return tuple((limit * n / (100 * factor)) ** 2 for limit in (low, high))  # type: ignore[return-value]


def pooled(total: int, n: int, k: int) -> float:
    """Return the binomial standard error of a share of n · k, in per cent.

    Examples
    --------
    >>> round(pooled(42, 22, 3), 2)
    5.92
    """
    share = total / (n * k)
    return 100 * math.sqrt(share * (1 - share) / (n * k))


def spread_of(counts: Sequence[int], n: int, kind: Spread) -> float | None:
    """Return what a spread of this kind would be for counts of medals, in per cent.

    Examples
    --------
    >>> round(spread_of([13, 14, 14], 22, Spread.SEM), 2)
    1.52
    """
    k, total = len(counts), sum(counts)
    if kind is Spread.POOLED:
        return pooled(total, n, k)
    factor = _factor(kind, k)
    if factor is None:
        return None
    deviations = sum(c * c for c in counts) - total * total / k
    return 100 / n * factor * math.sqrt(max(0.0, deviations))


def can_give(total: int, spread: Printed, kind: Spread, n: int, k: int) -> bool:
    """Say whether some counts of k seeds with this total give a printed spread of this kind."""
    if kind is Spread.POOLED:
        return abs(pooled(total, n, k) - spread.value) < spread.unit
    found = squares(spread, kind, n, k)
    if found is None:
        return False
    possible = _sums_of_squares(total, k, found, n)
    if k > MAX_EXACT_SEEDS or n > MAX_EXACT_TASKS:  # they reach nearly every sum
        return any(True for _ in possible)
    middle = total * total / k + sum(found) / 2
    likely_first = sorted(possible, key=lambda q: abs(q - middle))
    if len(likely_first) > MAX_EXACT_SUMS:  # of so many sums some can be
        return True
    return any(_reaches(k, total, q, n) for q in likely_first)


def nearest_spread(
    total: int, spread: Printed, kind: Spread, n: int, k: int, most: int = 400
) -> float | None:
    """Return the spread of possible counts with this total that lies nearest to a printed one.

    Examples
    --------
    >>> from reports.claims import Printed
    >>> round(nearest_spread(41, Printed("1.30"), Spread.SEM, 22, 3), 4)
    1.5152
    """
    if kind is Spread.POOLED:
        return pooled(total, n, k)
    factor = _factor(kind, k)
    if factor is None or k > MAX_EXACT_SEEDS or n > MAX_EXACT_TASKS:
        return None
    base = total * total / k
    middle = round(base + (spread.value * n / (100 * factor)) ** 2)
    steps = sorted(range(-most, most + 1), key=abs)
    sums = (middle + step for step in steps if (middle + step - total) % 2 == 0)
    possible = islice((q for q in sums if _reaches(k, total, q, n)), 2)
    found = (100 / n * factor * math.sqrt(max(0.0, q - base)) for q in possible)
    return min(found, key=lambda s: abs(s - spread.value), default=None)


def count_vectors(
    total: int, spread: Printed, kind: Spread, n: int, k: int, most: int
) -> tuple[tuple[int, ...], ...] | None:
    """List the counts, ascending, that give a total and a spread; None when more than `most`."""
    found = squares(spread, kind, n, k)
    if found is None:
        return None
    listed: list[tuple[int, ...]] = []
    for q in _sums_of_squares(total, k, found, n):
        for counts in _vectors(k, total, q, 0, n):
            listed.append(counts)
            if len(listed) > most:
                return None
    return tuple(listed)


def sums_of_three(
    splits: Sequence[Sequence[tuple[int, ...]]],
) -> Iterator[tuple[int, ...]]:
    """Yield the counts over all tasks that counts of splits make, in any order of their seeds."""
    first, *others = splits
    seen = set(first)
    for split in others:
        seen = {
            tuple(sorted(a + b for a, b in zip(one, order, strict=True)))
            for one in seen
            for counts in split
            for order in set(permutations(counts))
        }
    yield from seen


def orders(splits: Sequence[Sequence[tuple[int, ...]]]) -> int:
    """Return how many sums `sums_of_three` looks at, at most."""
    sizes = [sum(_n_orders(counts) for counts in split) for split in splits[1:]]
    return len(splits[0]) * math.prod(sizes)


def _n_orders(counts: tuple[int, ...]) -> int:
    runs = [0] + [i + 1 for i, (a, b) in enumerate(pairwise(counts)) if a != b] + [len(counts)]
    return math.factorial(len(counts)) // math.prod(
        math.factorial(b - a) for a, b in pairwise(runs)
    )


def _around(printed: Printed) -> tuple[float, float]:
    return max(0.0, printed.value - printed.unit), printed.value + printed.unit


@cache
def _factor(kind: Spread, k: int) -> float | None:
    """Return what √SS is multiplied with; None for one seed, which has no deviation."""
    if k < 2:  # noqa: PLR2004 - a single seed
        return None
    sem = 1 / math.sqrt(k * (k - 1))
    if kind is Spread.T_INTERVAL:
        from scipy.special import stdtrit

        return sem * float(stdtrit(k - 1, 0.975))
    factors = {
        Spread.SEM: sem,
        Spread.SD: 1 / math.sqrt(k - 1),
        Spread.SD_POPULATION: 1 / math.sqrt(k),
        Spread.SEM_POPULATION: 1 / k,
        Spread.INTERVAL: sem * _Z95,
    }
    return factors.get(kind)


def _sums_of_squares(total: int, k: int, deviations: tuple[float, float], n: int) -> Iterator[int]:
    """Yield the whole Σc² whose deviations lie inside; squares have the parity of their roots."""
    base = total * total / k
    first = math.ceil(base + deviations[0] - _SLACK)
    last = min(_largest(total, n), math.floor(base + deviations[1] + _SLACK))
    for q in range(first, last + 1):
        inside = deviations[0] < q - base + _SLACK and q - base - _SLACK < deviations[1]
        if inside and (q - total) % 2 == 0:
            yield q


def _largest(total: int, n: int) -> int:
    """Return the largest sum of squares of numbers in [0, n] with this sum."""
    full, rest = divmod(max(0, total), n)
    return full * n * n + rest * rest


@lru_cache(maxsize=200_000)
def _reaches(k: int, total: int, q: int, n: int) -> bool:
    """Say whether k whole numbers in [0, n] have this sum and this sum of squares."""
    if not 0 <= total <= n * k or k * q < total * total or q > _largest(total, n):
        return False
    if k == 1:
        return total * total == q
    # One of them lies within √(deviations · (k-1)/k) of the mean: try those next to it first.
    mean = total / k
    reach = math.sqrt(max(0.0, (q - total * total / k) * (k - 1) / k)) + _SLACK
    low, high = max(0, math.ceil(mean - reach)), min(n, math.floor(mean + reach))
    nearest = sorted(range(low, high + 1), key=lambda c: abs(c - mean))
    return any(_reaches(k - 1, total - c, q - c * c, n) for c in nearest)


def _vectors(k: int, total: int, q: int, low: int, n: int) -> Iterator[tuple[int, ...]]:
    """Yield k whole numbers in [low, n], ascending, with this sum and sum of squares."""
    if k * q < total * total or not low * k <= total <= n * k:
        return
    if k == 1:
        if total * total == q:
            yield (total,)
        return
    for c in range(low, total // k + 1):
        for rest in _vectors(k - 1, total - c, q - c * c, c, n):
            yield (c, *rest)
