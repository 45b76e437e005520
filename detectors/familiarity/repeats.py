"""How well a figure per task repeats, and whether tasks do worse without their story.

What does not repeat cannot correlate: the reliability of both figures bounds what a correlation
between them can reach. The second question pairs runs on the original description with runs on an
obfuscated one, task by task.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from competitions.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

MIN_TASKS = 6  # with five, not even all differences of one sign are seen at .05
_SPLITS = 200
_DRAWS = 9_999
_POWER = 0.8
_LEVEL = 0.05


@dataclass(frozen=True)
class Reliability:
    """How well each figure of a task repeats, from 0 to 1; NaN where it was not repeated.

    Parameters
    ----------
    familiarity : float
        Over halves of the documents of each task.
    performance : float
        Over halves of its attempts.
    """

    familiarity: float
    performance: float

    @property
    def ceiling(self) -> float:
        """Largest correlation that figures so reliable can show; NaN where one is not known.

        References
        ----------
        Spearman, The proof and measurement of association between two things, 1904
        (doi:10.2307/1412159).
        """
        if not (self.familiarity > 0 and self.performance > 0):
            return math.nan
        return math.sqrt(self.familiarity * self.performance)


@dataclass(frozen=True)
class Paired:
    """Performance with the original description less that with an obfuscated one, over tasks.

    Parameters
    ----------
    differences : mapping of str to float
        By task, in points of percentile.
    low, high : float
        95 % interval of the mean (BCa bootstrap over tasks).
    p : float
        Two-sided, by changing signs of differences.
    visible : float
        Mean difference that so many tasks show at .05 with a probability of .8.
    """

    differences: Mapping[str, float]
    mean: float
    low: float
    high: float
    p: float
    visible: float


def split_half(repeats: Sequence[Sequence[float]], seed: int = 0) -> float:
    """Return the reliability of the mean of each task's repeats.

    The repeats of each task are split into random halves; the correlation of both halves' means
    over tasks, averaged over splits, is stepped up to the whole number of repeats. NaN with fewer
    than six tasks of two repeats.

    References
    ----------
    Spearman, 1910 (doi:10.1111/j.2044-8295.1910.tb00206.x), and Brown, 1910.

    Examples
    --------
    >>> round(split_half([[i, i, i, i] for i in range(8)]), 2)
    1.0
    """
    usable = [np.asarray(r, dtype=np.float64) for r in repeats if len(r) > 1]
    if len(usable) < MIN_TASKS:
        return math.nan
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(_SPLITS):
        halves = np.array([_halves(values, rng) for values in usable])
        if halves[:, 0].std() and halves[:, 1].std():
            found.append(float(np.corrcoef(halves[:, 0], halves[:, 1])[0, 1]))
    if not found:
        return math.nan
    r = float(np.mean(found))
    return max(0.0, 2 * r / (1 + r)) if r > -1 else 0.0


def _halves(values: NDArray[np.float64], rng: np.random.Generator) -> tuple[float, float]:
    drawn = rng.permutation(values)
    middle = len(drawn) // 2
    return float(drawn[:middle].mean()), float(drawn[middle:].mean())


def paired(original: Mapping[str, float], obfuscated: Mapping[str, float], seed: int = 0) -> Paired:
    """Compare both kinds of runs over the tasks that have both.

    Raises
    ------
    UsageError
        When fewer than six tasks have both.

    References
    ----------
    Fisher's randomisation test of pairs: The Design of Experiments, 1935, section 21.
    """
    from scipy.stats import bootstrap, norm, permutation_test

    tasks = sorted(original.keys() & obfuscated.keys())
    if len(tasks) < MIN_TASKS:
        raise UsageError(
            f"Expected at least {MIN_TASKS} tasks with runs on both descriptions, found "
            f"{len(tasks)}."
        )
    first, second = ([of[t] for t in tasks] for of in (original, obfuscated))
    differences = np.subtract(first, second)
    mean, spread = float(differences.mean()), float(differences.std(ddof=1))
    rng = np.random.default_rng(seed)
    p, low, high = 1.0, mean, mean
    if differences.any():
        test = permutation_test(
            (np.asarray(first), np.asarray(second)),
            _mean_difference,
            permutation_type="samples",
            vectorized=True,
            n_resamples=_DRAWS,
            rng=rng,
        )
        p = float(test.pvalue)
    if spread:
        interval = bootstrap(
            (differences,), np.mean, method="BCa", n_resamples=_DRAWS, rng=rng
        ).confidence_interval
        low, high = float(interval.low), float(interval.high)
    z = norm.ppf(1 - _LEVEL / 2) + norm.ppf(_POWER)
    return Paired(
        differences=dict(zip(tasks, differences.tolist(), strict=True)),
        mean=mean,
        low=low,
        high=high,
        p=p,
        visible=float(z) * spread / math.sqrt(len(tasks)),
    )


def _mean_difference(
    first: NDArray[np.float64], second: NDArray[np.float64], axis: int
) -> NDArray[np.float64]:
    return np.asarray(np.mean(first - second, axis=axis))
