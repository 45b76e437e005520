"""Numbers that give a numeric target exactly: functions of it, copies in some rows, group means."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from detectors.leakage.association import ranks

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from detectors.leakage.column_scores import Target

    Numbers = NDArray[np.float64]

MONOTONE = 0.9999  # rank correlation from which numbers are in the target's order
STRICTLY = 0.999999  # the same of few rows, where two honest trends come near it
NEAR = 0.01  # of the target's standard deviation: how near its neighbours' a value is
MOST_NEAR = 0.9  # of the rows
FEWEST_SMOOTH = 500  # rows from which a smooth function can be told from a steep trend
TRENDING = 0.9  # correlation of neighbouring rows from which their differences are looked at
FEWEST = 50
N_SHUFFLES = 99
MAX_SHUFFLED = 4_000  # rows of them
_FEWEST_GROUPS = 4
MOST_LEFT = 0.5  # of the deviations that independent rows of groups would leave over
MAX_DENOMINATOR = 100  # rows of a group whose mean of flags is told as a fraction
MAX_FEW_ROWS = 10  # of a group that is often of one class
_ROUNDED = 1e-4
_FEW_DIFFERENT = 64


class Exact(NamedTuple):
    """A way in which numbers give a target away.

    Parameters
    ----------
    said : str
        What they are, as the end of a sentence that begins with the column.
    measure : str
        What `value` is.
    value, bar : float
        The measure, and where it would be remarkable.
    n_rows : int
        Rows for which it holds.
    by_chance : float or None
        The most extreme value of the measure among shuffled rows.
    """

    said: str
    measure: str
    value: float
    bar: float
    n_rows: int
    by_chance: float | None = None


def follows(
    x: Numbers, y: Numbers, rng: np.random.Generator, *, is_time: bool = False
) -> Exact | None:
    """Say whether a target is a function of a column of numbers, without noise.

    Where neighbouring rows of the target are alike, as in a series, differences of rows have to
    follow as well: two trends follow one another without leaking.

    Parameters
    ----------
    x, y : ndarray, shape (n_rows,)
        The column, NaN where it is empty, and the target.
    rng : Generator
        Of the shuffles that tell what is reached by chance.
    is_time : bool
        Whether the numbers are times, over which a target may run smoothly.
    """
    known = np.isfinite(x)
    if known.sum() < max(FEWEST, MOST_NEAR * len(x)):
        return None
    x, y = x[known], y[known]
    n_different = len(np.unique(x))
    if n_different <= _FEW_DIFFERENT or len(np.unique(y)) < _FEWEST_GROUPS:
        return None
    found = _function(x, y, rng, is_smooth_told=not is_time and len(x) >= FEWEST_SMOOTH)
    if found is not None and is_trending(y):
        steps = abs(rank_correlation(np.diff(x), np.diff(y)))
        return found if steps >= MONOTONE - 0.01 else None
    return found


def _function(
    x: Numbers, y: Numbers, rng: np.random.Generator, *, is_smooth_told: bool
) -> Exact | None:
    order = abs(rank_correlation(x, y))
    bar = MONOTONE if len(x) >= FEWEST_SMOOTH else STRICTLY
    if order >= bar:
        said = "rises or falls with the target without exception"
        ranked = ranks(x[:MAX_SHUFFLED])
        chance = _largest(lambda z: abs(_correlation(ranked, z)), ranks(y), rng)
        return Exact(said, "rank correlation", order, bar, len(x), chance)
    if not is_smooth_told:
        return None
    near = share_near(x, y)
    if near < MOST_NEAR:
        return None
    said = "gives the target as a function without noise"
    chance = _largest(lambda z: share_near(x[:MAX_SHUFFLED], z), y, rng)
    return Exact(said, "share of rows told by their neighbours", near, MOST_NEAR, len(x), chance)


def _largest(measure: Callable[[Numbers], float], y: Numbers, rng: np.random.Generator) -> float:
    """Return the largest measure among shuffled targets."""
    return max(measure(rng.permutation(y)[:MAX_SHUFFLED]) for _ in range(N_SHUFFLES))


def share_near(x: Numbers, y: Numbers) -> float:
    """Return the share of rows whose target is the mean of their two neighbours' by `x`."""
    by_x = y[np.argsort(x, kind="stable")]
    between = (by_x[:-2] + by_x[2:]) / 2
    spread = float(y.std()) or 1.0
    return float((np.abs(by_x[1:-1] - between) <= NEAR * spread).mean())


def is_trending(y: Numbers) -> bool:
    """Say whether neighbouring rows of the file have like targets."""
    return len(y) > _FEWEST_GROUPS and abs(_correlation(y[1:], y[:-1])) >= TRENDING


def rank_correlation(x: Numbers, y: Numbers) -> float:
    """Return Spearman's rank correlation; 0 where either is constant."""
    return _correlation(ranks(x), ranks(y))


def _correlation(x: Numbers, y: Numbers) -> float:
    x, y = x - x.mean(), y - y.mean()
    scale = float(np.sqrt((x * x).sum() * (y * y).sum()))
    return float((x * y).sum()) / scale if scale > 0 else 0.0


def stands_in_some_rows(
    x: Numbers, y: Numbers, fewest: int, rng: np.random.Generator
) -> Exact | None:
    """Say whether the target itself, shifted or scaled, stands in some rows among other values.

    What recurs is a difference or a ratio of column and target that by chance nearly no two rows
    share. Rows where it does not recur have to tell little, or the column is an honest forecast
    that is exact at times, such as the last price.
    """
    if len(np.unique(y)) < len(y) // 2:
        return None
    known = np.isfinite(x)
    ways = {"is the target": np.subtract, "is the target by a factor": np.divide}
    for said, relation in ways.items():
        with np.errstate(all="ignore"):
            rows = _recurring(relation(y, x))
            chance = len(_recurring(relation(rng.permutation(y), x))) / len(y)
        share = len(rows) / len(y)
        if len(rows) < fewest or share < 10 * chance:
            continue
        rest = np.setdiff1d(np.flatnonzero(known), rows)
        if len(rest) > FEWEST and abs(rank_correlation(x[rest], y[rest])) > 0.5:  # noqa: PLR2004
            continue
        where = "in some of the rows" if share < MOST_NEAR else "in nearly all rows"
        return Exact(
            f"{said} {where}", "share of such rows", share, fewest / len(y), len(rows), chance
        )
    return None


def _recurring(relation: Numbers) -> NDArray[np.intp]:
    """Return the rows that share the most common difference or ratio, to nine digits."""
    known = np.flatnonzero(np.isfinite(relation))
    if not len(known):
        return known
    usual = float(np.median(np.abs(relation[known]))) or 1.0
    near = np.abs(relation[known]) < 1e6 * usual  # by next to nothing nobody divides
    steps = np.rint(relation[known][near] / usual * 1e9)
    _distinct, place, counts = np.unique(steps, return_inverse=True, return_counts=True)
    return np.asarray(known[near][place == counts.argmax()])


def is_mean_of_groups(x: Numbers, target: Target, rng: np.random.Generator) -> Exact | None:
    """Say whether a column is the target's mean over groups that each row itself belongs to.

    Then the mean target of the rows that share a value lies on a straight line in that value, and
    nearer to it than independent rows would: by design their deviations add up to nothing. Held
    against the same deviations with random signs. A mean over other rows, or a guess of an honest
    model, leaves deviations that do not cancel.

    References
    ----------
    Micci-Barreca (2001), A preprocessing scheme for high-cardinality categorical attributes.
    https://doi.org/10.1145/507533.507538
    """
    known = np.isfinite(x)
    values, place, counts = np.unique(x[known], return_inverse=True, return_counts=True)
    if not _FEWEST_GROUPS <= len(values) <= known.sum() / 1.3:
        return None
    wanted = range(len(target.classes)) if len(target.classes) > 2 else (None,)  # noqa: PLR2004
    for k in wanted:
        y = target.cells[known].astype(float) if k is None else (target.cells[known] == k) * 1.0
        found = _cancelling(x[known], y, place, counts, rng)
        if found is not None:
            return found
    return None


def _cancelling(
    x: Numbers,
    y: Numbers,
    place: NDArray[np.intp],
    counts: NDArray[np.intp],
    rng: np.random.Generator,
) -> Exact | None:
    """Look at one target, or one class of it, as numbers."""
    n, off = len(y), x - x.mean()
    if abs(x.mean() - y.mean()) > 5 * float(y.std()) / np.sqrt(n) or not x.std() > 0:
        return None
    slope = float((off * (y - y.mean())).sum() / (off * off).sum())
    left = y - y.mean() - slope * off
    if not 0.8 <= slope <= 3:  # noqa: PLR2004 - of 1, or more where a mean was drawn to the middle
        return None
    error = float(left.std() / (x.std() * np.sqrt(n)))
    is_calibrated = abs(slope - 1) <= max(0.02, 3 * error)
    bar = 1e-3 if is_calibrated and _denominator(x, MAX_DENOMINATOR) else 1e-8
    said = "is a mean of the target over rows among which each row itself is"
    found, chance = _left_over(left, place, counts, bar, rng)
    if found is not None:
        return Exact(said, "deviations left over in groups", found, 1.0, n, chance)
    if is_calibrated and (n_ends := _rows_at_pure_ends(x, y)):
        share = n_ends / n
        return Exact(said, "share of rows whose mean of 0 or 1 has no exception", share, 0.02, n)
    return None


def _left_over(
    left: Numbers,
    place: NDArray[np.intp],
    counts: NDArray[np.intp],
    bar: float,
    rng: np.random.Generator,
) -> tuple[float | None, float]:
    """Return the squared sums of deviations per group beside those of independent rows.

    None where they are no less than chance allows; and the least of random signs.
    """
    from scipy.stats import chi2

    shared = counts[place] > 1
    expected = float((left[shared] ** 2 / counts[place][shared]).sum())
    n_free = int((counts > 1).sum()) - 2
    if expected <= 0 or n_free < _FEWEST_GROUPS - 2:
        return None, 1.0
    found = _sums(left, place, counts) / expected
    if found > MOST_LEFT or float(chi2.cdf(found * n_free, n_free)) > bar:
        return None, 1.0
    signs = (rng.choice((-1.0, 1.0), len(left)) for _ in range(N_SHUFFLES))
    least = min(_sums(left * sign, place, counts) / expected for sign in signs)
    return (found if found < least else None), float(least)


def _sums(left: Numbers, place: NDArray[np.intp], counts: NDArray[np.intp]) -> float:
    sums = np.bincount(place, left, minlength=len(counts))
    return float((sums**2 / counts)[counts > 1].sum())


def _rows_at_pure_ends(x: Numbers, y: Numbers) -> int:
    """Return the rows whose mean is 0 or 1, if means are of few rows and these have no exception.

    Where a mean over three rows is 0, none of the three is positive.
    """
    if _denominator(x, MAX_FEW_ROWS) is None:
        return 0
    none, all_of_them = np.abs(x) < _ROUNDED, np.abs(x - 1) < _ROUNDED
    are_pure = not y[none].any() and bool(y[all_of_them].all())
    between = len(np.unique(np.rint(x[~none & ~all_of_them] / _ROUNDED)))
    if not are_pure or min(none.sum(), all_of_them.sum()) < FEWEST or between < 2:  # noqa: PLR2004
        return 0
    return int(none.sum() + all_of_them.sum())


def _denominator(x: Numbers, most: int) -> int | None:
    """Return the least denominator that all values are fractions of, as means of flags are."""
    for whole in range(2, most + 1):
        if np.abs(x * whole - np.rint(x * whole)).max() <= _ROUNDED:
            return whole
    return None
