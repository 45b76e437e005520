"""Pairs of columns that give a target away together: sums, ratios, products, joint levels, xor."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from detectors.leakage.column_exact import MONOTONE, is_trending, rank_correlation
from detectors.leakage.column_scores import binned, folds_of, score

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from detectors.leakage.column_scores import Target

    Numbers = NDArray[np.float64]

MAX_NUMERIC = 1_500  # columns of numbers whose pairs are screened
MAX_FEW = 80  # columns of few levels whose pairs are tried
N_QUICK = 2_000  # rows on which they are tried first
FEW = 12  # levels up to which two columns are tried together
N_TRIED = 40  # pairs that the screen leaves to try
N_SCREENED = 4_000  # rows that the screen looks at
PAIR_AREA = 0.998  # out of fold, of classes
PAIR_ACCURACY = 0.99
JOINT_SHARE = 0.7  # of the variance of ranks: two halves of a target's range explain 0.75
JOINT_GAIN = 0.3  # of columns of few levels, beyond the sum of both
GAIN = 0.05  # beyond the better of the two columns
MOST_FILLED = 0.9  # share of a column's cells that have to hold a number
_FEWEST = 200


class Pair(NamedTuple):
    """Two columns that together give a target away.

    Parameters
    ----------
    columns : tuple of two str
    said : str
        What is made of the two.
    measure : str
    value, bar, alone : float
        What they reach together, where that is remarkable, and what the better one reaches alone.
    cells : ndarray
        What is made of the two, row by row.
    """

    columns: tuple[str, str]
    said: str
    measure: str
    value: float
    bar: float
    alone: float
    cells: NDArray[np.generic]


class Few(NamedTuple):
    """A column, or a view of one such as whether a number is even, of at most `FEW` levels.

    Parameters
    ----------
    column, said : str
        The column, and what is read of it.
    codes : ndarray of integers from 0
    """

    column: str
    said: str
    codes: NDArray[np.intp]


def pairs_of(
    numbers: Mapping[str, Numbers], few: Sequence[Few], target: Target, seed: int
) -> Iterator[Pair]:
    """Yield the pairs that give a target away where neither column does, each column once.

    Parameters
    ----------
    numbers : mapping of column to ndarray of floats
        Columns of numbers.
    few : sequence of Few
        Columns of few levels; those with more than `FEW` are passed over.
    """
    if len(target.cells) < _FEWEST:
        return
    taken: set[str] = set()
    found = [*_of_numbers(numbers, target, seed), *_of_levels(few, target, seed)]
    for pair in sorted(found, key=lambda p: -p.value):
        if not taken & set(pair.columns):
            taken |= set(pair.columns)
            yield pair


def _of_numbers(numbers: Mapping[str, Numbers], target: Target, seed: int) -> Iterator[Pair]:
    """Try sums, differences, products and ratios of the pairs that a screen leaves."""
    names = [n for n in numbers if np.isfinite(numbers[n]).mean() > MOST_FILLED][:MAX_NUMERIC]
    if len(names) < 2:  # noqa: PLR2004
        return
    folds = folds_of(len(target.cells), seed)
    for left, right in _screened([numbers[n] for n in names], target, seed):
        one, other = numbers[names[left]], numbers[names[right]]
        best = _best_of(one, other, target, folds)
        if best is None:
            continue
        way, cells, value, bar, alone = best
        said = way.format(names[left], names[right])
        measure = "out-of-fold area under the curve" if target.is_classes else "rank correlation"
        yield Pair((names[left], names[right]), said, measure, value, bar, alone, cells)


def _screened(columns: list[Numbers], target: Target, seed: int) -> list[tuple[int, int]]:
    """Return the pairs of which a straight line explains the target far better than of either.

    Once of the numbers, which finds sums and differences, and once of their logarithms, which finds
    products and ratios; all pairs at once from the matrix of correlations.
    """
    rows = np.arange(len(target.cells))
    if len(rows) > N_SCREENED:
        rows = np.sort(np.random.default_rng(seed).choice(rows, N_SCREENED, replace=False))
    table = np.column_stack([np.where(np.isfinite(c[rows]), c[rows], np.nan) for c in columns])
    table = np.where(np.isnan(table), np.nanmedian(table, axis=0), table)
    found: dict[tuple[int, int], float] = {}
    y = target.cells[rows].astype(float)
    for wanted in _wanted(y, target):
        logs = np.log(np.maximum(np.abs(table), 1e-12))
        log_y = wanted if target.is_classes else np.log(np.maximum(np.abs(wanted), 1e-12))
        for cells, goal in ((table, wanted), (logs, log_y)):
            for pair, gain in _gains(cells, goal):
                found[pair] = max(gain, found.get(pair, 0.0))
    return sorted(found, key=lambda pair: -found[pair])[:N_TRIED]


def _wanted(y: Numbers, target: Target) -> list[Numbers]:
    if not target.is_classes:
        return [y]
    n_classes = len(target.classes)
    return [y] if n_classes == 2 else [(y == k) * 1.0 for k in range(min(n_classes, 10))]  # noqa: PLR2004


def _gains(table: Numbers, goal: Numbers) -> list[tuple[tuple[int, int], float]]:
    """Return the pairs whose line explains most beyond the better column, best first."""
    x = table - table.mean(0)
    y = goal - goal.mean()
    x = x / np.maximum(np.sqrt((x**2).sum(0)), 1e-300)
    norm = float(np.sqrt(y @ y))
    if norm <= 0:
        return []
    with_y = x.T @ (y / norm)
    between = np.clip(x.T @ x, -1, 1)
    left = 1 - between**2
    with np.errstate(divide="ignore", invalid="ignore"):
        square = with_y[:, None] ** 2 + with_y[None, :] ** 2
        together = (square - 2 * with_y[:, None] * with_y[None, :] * between) / left
    alone = np.maximum(with_y[:, None] ** 2, with_y[None, :] ** 2)
    gain = np.where((left > 1e-9) & np.isfinite(together), together - alone, 0.0)  # noqa: PLR2004
    upper = np.triu_indices(len(with_y), 1)
    gains = gain[upper]
    best = np.argsort(-gains)[:N_TRIED]
    pairs = zip(upper[0][best].tolist(), upper[1][best].tolist(), strict=True)
    return [(p, float(g)) for p, g in zip(pairs, gains[best], strict=True) if g > GAIN / 2]


def _ways(one: Numbers, other: Numbers) -> dict[str, Numbers]:
    """Return what two columns of numbers are put together to."""
    with np.errstate(all="ignore"):
        return {
            "the sum of {0} and {1}": one + other,
            "the difference of {0} and {1}": one - other,
            "the product of {0} and {1}": one * other,
            "the ratio of {0} and {1}": one / other,
            "the ratio of {1} and {0}": other / one,
        }


def _best_of(
    one: Numbers, other: Numbers, target: Target, folds: NDArray[np.intp]
) -> tuple[str, Numbers, float, float, float] | None:
    """Return the way in which a pair gives the target away, and how far either does alone."""
    tried = _of_classes if target.is_classes else _of_ranks
    found = tried(one, other, target, folds)
    return max(found, key=lambda f: f[2]) if found else None


def _of_classes(
    one: Numbers, other: Numbers, target: Target, folds: NDArray[np.intp]
) -> list[tuple[str, Numbers, float, float, float]]:
    alone = max(score(binned(c), target, folds).strength for c in (one, other))
    found = []
    for way, cells in _ways(one, other).items():
        got = score(binned(np.where(np.isfinite(cells), cells, np.nan)), target, folds)
        is_right = got.strength >= PAIR_AREA and got.accuracy >= PAIR_ACCURACY
        if is_right and got.strength - alone >= GAIN / 5:
            found.append((way, cells, got.strength, PAIR_AREA, alone))
    return found


def _of_ranks(
    one: Numbers, other: Numbers, target: Target, _folds: NDArray[np.intp]
) -> list[tuple[str, Numbers, float, float, float]]:
    y, found = target.cells, []
    few = slice(None, None, max(1, len(y) // 500))
    for way, cells in _ways(one, other).items():
        known = np.isfinite(cells)
        if known.mean() < MOST_FILLED or abs(_rank(cells[few], y[few])) < MONOTONE - 0.01:
            continue
        order = abs(_rank(cells, y))
        if order >= MONOTONE and not _is_of_trends(cells[known], y[known]):
            alone = max(abs(_rank(c, y)) for c in (one, other))
            found.append((way, cells, order, MONOTONE, alone))
    return found


def _rank(x: Numbers, y: Numbers) -> float:
    known = np.isfinite(x)
    return rank_correlation(x[known], y[known])


def _is_of_trends(x: Numbers, y: Numbers) -> bool:
    """Say whether two series run alike while their steps do not."""
    return is_trending(y) and abs(rank_correlation(np.diff(x), np.diff(y))) < MONOTONE - 0.01


def _is_joint(together: float, one: float, other: float, target: Target) -> bool:
    """Say whether two columns tell far more together than both add up to, as in xor."""
    if target.is_classes:
        together, one, other = 2 * together - 1, 2 * one - 1, 2 * other - 1
    return together >= max(one, 0) + max(other, 0) + JOINT_GAIN


def _of_levels(few: Sequence[Few], target: Target, seed: int) -> Iterator[Pair]:
    """Try all pairs of columns of few levels together, as xor needs."""
    tried = [f for f in few if f.codes.max(initial=0) < FEW][:MAX_FEW]
    rows = np.arange(len(target.cells))
    if len(rows) > N_QUICK:
        rows = np.random.default_rng(seed).choice(rows, N_QUICK, replace=False)
    some, quick_folds = target.of(rows), folds_of(len(rows), seed)
    folds = folds_of(len(target.cells), seed)
    alone = [score(f.codes, target, folds).strength for f in tried]
    bar = PAIR_AREA if target.is_classes else JOINT_SHARE
    for left, right in combinations(range(len(tried)), 2):
        one, other = tried[left], tried[right]
        together = one.codes * (int(other.codes.max()) + 1) + other.codes
        is_same = one.column == other.column
        if is_same or score(together[rows], some, quick_folds).strength < bar - GAIN:
            continue
        found = score(together, target, folds)
        better = max(alone[left], alone[right])
        is_right = not target.is_classes or found.accuracy >= PAIR_ACCURACY
        if (
            found.strength >= bar
            and is_right
            and _is_joint(found.strength, alone[left], alone[right], target)
        ):
            area = "out-of-fold area under the curve"
            yield Pair(
                (one.column, other.column),
                f"the pair of {one.said} and {other.said}",
                area if target.is_classes else "out-of-fold share of the variance of ranks",
                found.strength,
                bar,
                better,
                together,
            )
