"""Whether tasks that a model knows better are those it does better on.

A correlation over tasks is no proof that what was known was used: popular tasks are both known and
easy. What could not have been seen with so few tasks is part of the answer.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from competitions.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from detectors.familiarity.repeats import Paired, Reliability

    _Statistic = Callable[[NDArray[np.float64], NDArray[np.float64]], NDArray[np.float64]]

MIN_TASKS = 6  # with fewer, r of .8 is no more than chance
LEVEL, POWER = 0.05, 0.8
_RESAMPLES = 2000
_TIE = 1e-12


@dataclass(frozen=True)
class TaskPoint:
    """One task.

    Parameters
    ----------
    familiarity : float
        Excess over the controls' expectation, in their standard deviations.
    performance : float
        Mean percentile of the attempts on the board, 0 to 100; one without a valid submission is 0.
    covariates : tuple of float
        What both may depend on: the deadline in days, the logarithm of the text's length.
    """

    task: str
    familiarity: float
    performance: float
    covariates: tuple[float, ...] = ()


@dataclass(frozen=True)
class Estimate:
    """A coefficient with its 95 % interval (BCa bootstrap over tasks) and permutation p.

    The interval is NaN where resampling gives none.
    """

    value: float
    low: float
    high: float
    p: float


@dataclass(frozen=True)
class Performance:
    """How familiarity and performance go together over tasks.

    Parameters
    ----------
    partial : Estimate or None
        Pearson's r of what the covariates do not explain; None without covariates, or with too
        few tasks for them.
    minimum_r : float
        Smallest r that so many tasks show at .05 with a probability of .8.
    most_influential : str
        The task whose absence changes Pearson's r most.
    without_it : float
        r without it.
    reliability : Reliability or None
        Of both figures, as far as they were repeated.
    paired : Paired or None
        Runs on original and obfuscated descriptions, where both were given.
    drop : Estimate or None
        Spearman's coefficient of familiarity and of what a task loses without its story.
    """

    points: tuple[TaskPoint, ...]
    pearson: Estimate
    spearman: Estimate
    partial: Estimate | None
    minimum_r: float
    most_influential: str
    without_it: float
    reliability: Reliability | None = None
    paired: Paired | None = None
    drop: Estimate | None = None


def minimum_r(n_tasks: int) -> float:
    """Return the smallest correlation that is seen at .05, two-sided, with a power of .8.

    References
    ----------
    Fisher's transformation: Cohen, Statistical Power Analysis, 1988, section 3.4.

    Examples
    --------
    >>> round(minimum_r(75), 2), round(minimum_r(22), 2)
    (0.32, 0.57)
    """
    from scipy.stats import norm

    z = norm.ppf(1 - LEVEL / 2) + norm.ppf(POWER)
    return math.tanh(float(z) / math.sqrt(n_tasks - 3))


def against_performance(points: Sequence[TaskPoint], seed: int = 0) -> Performance:
    """Correlate familiarity with performance over tasks.

    Raises
    ------
    UsageError
        When there are fewer than six tasks, or one of the two does not vary.
    """
    if len(points) < MIN_TASKS:
        raise UsageError(
            f"Expected at least {MIN_TASKS} tasks with a familiarity and a grade, found "
            f"{len(points)}."
        )
    x = np.array([p.familiarity for p in points])
    y = np.array([p.performance for p in points])
    if not x.std() or not y.std():
        raise UsageError(
            "Expected familiarity and performance to differ between tasks; one does not."
        )
    rng = np.random.default_rng(seed)
    others = _rows(*_without_each(x, y))
    most = int(np.nanargmax(np.abs(others - _rows(x, y))))
    return Performance(
        points=tuple(points),
        pearson=_estimate(x, y, _rows, rng),
        spearman=_estimate(x, y, _ranked, rng),
        partial=_partial(x, y, points, rng),
        minimum_r=minimum_r(len(points)),
        most_influential=points[most].task,
        without_it=float(others[most]),
    )


def _rows(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return Pearson's r along the last axis, NaN where one of the two does not vary."""
    x = x - x.mean(axis=-1, keepdims=True)
    y = y - y.mean(axis=-1, keepdims=True)
    scale = np.sqrt((x**2).sum(axis=-1) * (y**2).sum(axis=-1))
    product = (x * y).sum(axis=-1)
    return np.asarray(np.divide(product, scale, out=np.full_like(scale, np.nan), where=scale > 0))


def _without_each(
    x: NDArray[np.float64], y: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return n rows, each without one of the values."""
    kept = ~np.eye(len(x), dtype=bool)
    first, second = (np.tile(v, (len(x), 1))[kept].reshape(len(x), -1) for v in (x, y))
    return first, second


def _ranked(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    from scipy.stats import rankdata

    return _rows(rankdata(x, axis=-1), rankdata(y, axis=-1))


def _partial(
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    points: Sequence[TaskPoint],
    rng: np.random.Generator,
) -> Estimate | None:
    n_covariates = min(len(p.covariates) for p in points)
    if not n_covariates or len(points) < MIN_TASKS + n_covariates:
        return None
    known = np.array([[1.0, *p.covariates[:n_covariates]] for p in points])
    known[:, 1:] -= known[:, 1:].mean(axis=0)
    left = [v - known @ np.linalg.lstsq(known, v, rcond=None)[0] for v in (x, y)]
    return _estimate(left[0], left[1], _rows, rng)


def _estimate(
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    statistic: _Statistic,
    rng: np.random.Generator,
) -> Estimate:
    value = float(statistic(x, y))
    chance = statistic(x[None, :], rng.permuted(np.tile(y, (_RESAMPLES, 1)), axis=1))
    p = (1 + int(np.sum(np.abs(chance) >= abs(value) - _TIE))) / (_RESAMPLES + 1)
    low, high = _bca(x, y, statistic, rng)
    return Estimate(value, low, high, p)


def _bca(
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    statistic: _Statistic,
    rng: np.random.Generator,
) -> tuple[float, float]:
    """Bias-corrected and accelerated interval over tasks (Efron 1987, 10.2307/2289144)."""
    from scipy.stats import norm

    n, value = len(x), float(statistic(x, y))
    draws = rng.integers(0, n, (_RESAMPLES, n))
    found = statistic(x[draws], y[draws])
    found = found[np.isfinite(found)]
    below = (np.sum(found < value) + 0.5 * np.sum(found == value)) / max(1, len(found))
    if len(found) < _RESAMPLES // 2 or not 0 < below < 1:
        return math.nan, math.nan
    left_out = statistic(*_without_each(x, y))
    away = np.nanmean(left_out) - left_out
    spread = float(np.nansum(away**2)) ** 1.5
    acceleration = float(np.nansum(away**3)) / (6 * spread) if spread else 0.0
    bias = float(norm.ppf(below))
    ends = []
    for share in (LEVEL / 2, 1 - LEVEL / 2):
        z = bias + float(norm.ppf(share))
        ends.append(float(norm.cdf(bias + z / (1 - acceleration * z))))
    low, high = np.quantile(found, ends)
    return float(low), float(high)
