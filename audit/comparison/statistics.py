"""Tests, intervals and effect sizes of paired differences over tasks and their pairs.

The tests themselves are those of a reproduction: `audit.reproduction.uncertainty`.
"""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING, Literal, NamedTuple

from audit.reproduction.uncertainty import CONFIDENCE, DRAWN, permutation_p, sign_p, smallest_p
from reports.comparison.schema import Paired, Tested

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reports.comparison.schema import TaskDifference

BOOTSTRAP_DRAWS = 10_000
SEED = 0
ALPHA = 0.05
POWER = 0.8
_DECIMALS = 10  # as differences: what differs only beyond is rounding error


class Interval(NamedTuple):
    """Two limits."""

    low: float
    high: float


def paired(tasks: Sequence[TaskDifference]) -> Paired:
    """Compare over tasks and pairs: interval, tests, effect sizes, and what could have been seen.

    Parameters
    ----------
    tasks : sequence of TaskDifference
        At least one.

    Notes
    -----
    With several tasks the mean over tasks is tested first, each task as one voice: pairs of one
    task are not independent of one another. The test over pairs asks whether there is any
    difference on just these tasks. With one task there are only pairs.
    """
    means = [t.mean for t in tasks]
    pairs = [d for t in tasks for d in t.differences]
    values = means if len(tasks) > 1 else pairs
    tests = [signs_tested(means, "tasks")] if len(tasks) > 1 else []
    if len(pairs) > len(tasks) or not tests:  # with a pair a task both ask the same
        tests.append(signs_tested(pairs, "pairs"))
    mean = round(statistics.fmean(means), _DECIMALS) + 0.0
    is_constant = len(values) > 1 and len(set(pairs)) == 1
    limits = None if is_constant else bootstrap([t.differences for t in tasks])
    return Paired(
        tasks=tuple(tasks),
        n_pairs=len(pairs),
        mean=mean,
        low=mean if is_constant else limits and limits.low,
        high=mean if is_constant else limits and limits.high,
        is_constant=is_constant,
        tests=tuple(tests),
        cohens_d=cohens_d(values),
        rank_biserial=rank_biserial(values),
        smallest_seen=smallest_seen(values),
    )


def signs_tested(values: Sequence[float], over: Literal["tasks", "pairs"]) -> Tested:
    """Count better, worse and equal, and test that there is no difference, in two ways.

    Zeros change no sum, so the permutation test leaves them out: fewer values are counted out
    exactly instead of being drawn.

    Examples
    --------
    >>> found = signs_tested([0.5, 0.25, 0.0, -0.25], "tasks")
    >>> found.better, found.worse, found.ties, found.sign_p, found.permutation_p
    (2, 1, 1, 1.0, 0.75)
    """
    moved = [v for v in values if v]
    better = sum(v > 0 for v in moved)
    return Tested(
        over=over,
        n=len(values),
        better=better,
        worse=len(moved) - better,
        ties=len(values) - len(moved),
        sign_p=sign_p(moved),
        permutation_p=permutation_p(moved) if moved else None,
        draws=None if 2 ** len(moved) <= DRAWN else DRAWN,
        smallest_p=smallest_p(len(values)),
    )


def bootstrap(
    tasks: Sequence[Sequence[float]], draws: int = BOOTSTRAP_DRAWS, seed: int = SEED
) -> Interval | None:
    """Return the percentile bootstrap interval at 95 % of the mean of task means.

    Tasks are drawn with replacement, then pairs within each drawn task; of one task, pairs alone.

    Parameters
    ----------
    tasks : sequence of sequences of float
        Differences of each task's pairs.

    Returns
    -------
    Interval or None
        None for a single value, which says nothing about its spread.

    References
    ----------
    Efron & Tibshirani (1993), An Introduction to the Bootstrap, §§ 8, 13; on drawing twice, which
    is a little wide: Field & Welsh (2007), https://doi.org/10.1111/j.1467-9868.2007.00593.x

    Examples
    --------
    >>> bootstrap([[0.5]]) is None, bootstrap([[1.0, 1.0], [1.0]])
    (True, Interval(low=1.0, high=1.0))
    """
    import numpy as np

    if sum(map(len, tasks)) == 1:
        return None
    rng = np.random.default_rng(seed)
    counts = np.array([len(t) for t in tasks])
    table = np.zeros((len(tasks), counts.max()))
    for row, values in zip(table, tasks, strict=True):
        row[: len(values)] = values
    totals = np.zeros(draws)
    places = np.arange(table.shape[1])
    for _ in tasks:  # one drawn task at a time keeps memory small
        task = rng.integers(len(tasks), size=draws)
        n = counts[task][:, None]
        pair = np.minimum((rng.random((draws, table.shape[1])) * n).astype(int), n - 1)
        drawn = np.where(places < n, table[task[:, None], pair], 0.0)
        totals += drawn.sum(axis=1) / n[:, 0]
    tail = 100 * (1 - CONFIDENCE) / 2
    low, high = np.percentile(totals / len(tasks), [tail, 100 - tail])
    return Interval(round(float(low), _DECIMALS) + 0.0, round(float(high), _DECIMALS) + 0.0)


def cohens_d(values: Sequence[float]) -> float | None:
    """Return the mean of differences over their standard deviation (ddof 1): d_z.

    None where there is a single value or none differs from another.

    References
    ----------
    Cohen (1988), Statistical Power Analysis, § 2.3.5

    Examples
    --------
    >>> cohens_d([1.0, 2.0, 3.0]), cohens_d([1.0]), cohens_d([1.0, 1.0])
    (2.0, None, None)
    """
    if len(set(values)) <= 1:
        return None
    return statistics.fmean(values) / statistics.stdev(values)


def rank_biserial(values: Sequence[float]) -> float | None:
    """Return the matched-pairs rank-biserial correlation; zeros are left out.

    1 where every difference is above 0, -1 where every one is below, 0 where their ranks balance.

    References
    ----------
    Kerby (2014), https://doi.org/10.2466/11.IT.3.1

    Examples
    --------
    >>> rank_biserial([3.0, 2.0, -1.0, 0.0]), rank_biserial([0.0])
    (0.6666666666666666, None)
    """
    from scipy.stats import rankdata

    moved = [v for v in values if v]
    if not moved:
        return None
    ranks = rankdata([abs(v) for v in moved])
    signed = sum(float(r) if v > 0 else -float(r) for r, v in zip(ranks, moved, strict=True))
    return signed / float(ranks.sum())


def smallest_seen(values: Sequence[float]) -> float | None:
    """Return the mean difference that a two-sided paired t test at 0.05 sees four times in five.

    It takes the spread of these very differences for the true one, so it is a rough figure where
    they are few. None where they do not differ, or are fewer than three.

    References
    ----------
    Cohen (1988), Statistical Power Analysis, § 2

    Examples
    --------
    >>> round(smallest_seen([-1.0, 0.0, 1.0] * 10), 3)  # d 0.529 for n = 30
    0.44
    """
    from statsmodels.stats.power import TTestPower

    if len(values) < 3 or len(set(values)) <= 1:  # noqa: PLR2004 - two have no spread to speak of
        return None
    solved = TTestPower().solve_power(nobs=len(values), alpha=ALPHA, power=POWER)
    return float(solved) * statistics.stdev(values)


def holm(values: Sequence[float]) -> list[float]:
    """Correct p-values for their number by Holm's method, in the order given.

    References
    ----------
    Holm (1979), https://www.jstor.org/stable/4615733

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    from statsmodels.stats.multitest import multipletests

    if not values:
        return []
    corrected = multipletests(list(values), method="holm")[1]
    return [min(1.0, float(p)) for p in corrected]
