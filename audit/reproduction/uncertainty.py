"""Shares, means and paired differences over few runs, with what so few runs can and cannot show."""

from __future__ import annotations

import math
import statistics
from typing import TYPE_CHECKING

from audit.reproduction.schema import Difference, Mean, Rate

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

CONFIDENCE = 0.95
DECIMALS = 10  # of a difference: scores have 5, so what differs only beyond is rounding error
_MOST_CELLS = 2_000_000  # signed values that are held at once
DRAWN = 99_999  # permutations of a test; all of them where there are fewer: up to 16 pairs


def rate(count: int, n: int) -> Rate:
    """Return a share with its Wilson interval at 95 %.

    Raises
    ------
    ValueError
        When `n` is below 1 or `count` is no part of it.

    References
    ----------
    Wilson (1927), https://doi.org/10.1080/01621459.1927.10502953

    Examples
    --------
    >>> rate(3, 3)
    Rate(count=3, n=3, low=0.438503, high=1.0)
    """
    from scipy.stats import binomtest

    limits = binomtest(count, n).proportion_ci(confidence_level=CONFIDENCE, method="wilson")
    return Rate(count=count, n=n, low=round(float(limits.low), 6), high=round(limits.high, 6))


def mean_of(values: Sequence[float]) -> Mean | None:
    """Return a mean with its 95 % t interval over runs; None when there is no value.

    Returns
    -------
    Mean or None
        Without an interval for a single value. Equal values have an interval of width 0 and
        `is_constant` true: that says that runs do not differ, not that the mean is certain.

    Raises
    ------
    ValueError
        When a value is no finite number.

    Examples
    --------
    >>> mean_of([1.0, 2.0, 3.0])
    Mean(n=3, mean=2.0, sd=1.0, low=-0.4841377118, high=4.4841377118, is_constant=False)
    """
    from scipy.stats import t

    if not all(map(math.isfinite, values)):
        raise ValueError(f"expected finite numbers, found {list(values)}")
    if not values:
        return None
    n, mean = len(values), round(statistics.fmean(values), DECIMALS)
    if n == 1:
        return Mean(n=1, mean=mean)
    if len(set(values)) == 1:
        only = values[0]
        return Mean(n=n, mean=only, sd=0.0, low=only, high=only, is_constant=True)
    sd = statistics.stdev(values)
    half = float(t.ppf((1 + CONFIDENCE) / 2, n - 1)) * sd / math.sqrt(n)
    return Mean(
        n=n, mean=mean, sd=sd, low=round(mean - half, DECIMALS), high=round(mean + half, DECIMALS)
    )


def smallest_p(n: int) -> float:
    """Return the smallest two-sided p that `n` signs can give, were all of them alike.

    Examples
    --------
    >>> [smallest_p(n) for n in (2, 3, 5, 6)]
    [0.5, 0.25, 0.0625, 0.03125]
    """
    return min(1.0, 2.0 ** (1 - n))


def sign_p(values: Sequence[float]) -> float | None:
    """Return the two-sided p of the exact sign test; zeros are left out, None when all are zero.

    Examples
    --------
    >>> sign_p([1.0, 2.0, 3.0]), sign_p([1.0, -1.0]), sign_p([0.0])
    (0.25, 1.0, None)
    """
    from scipy.stats import binomtest

    signs = [value > 0 for value in values if value]
    return float(binomtest(sum(signs), len(signs)).pvalue) if signs else None


def permutation_p(values: Sequence[float]) -> float | None:
    """Return the two-sided p of the sign-flip permutation test of a mean of 0.

    It is exact up to 16 values: each of the 2ⁿ ways to sign them counts. None when all are zero.

    References
    ----------
    Fisher (1935), The Design of Experiments, § 21

    Examples
    --------
    >>> permutation_p([1.0, 2.0, 3.0]), permutation_p([1.0, 2.0, -1.0])
    (0.25, 0.75)
    """
    import numpy as np
    from scipy.stats import permutation_test

    if not any(values):
        return None
    if len(values) == 1:  # scipy takes no sample of one
        return 1.0
    found = permutation_test(
        np.asarray([values], dtype=float),
        lambda sample, axis: np.mean(sample, axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=DRAWN,
        batch=max(1, _MOST_CELLS // len(values)),  # all at once would take 6 GB for 1,000 pairs
        rng=np.random.default_rng(0),
    )
    return min(1.0, float(found.pvalue))


def difference(
    agent: Mapping[int, float], baseline: Mapping[int, float], *, is_lower_better: bool
) -> Difference | None:
    """Compare two agents over the seeds that both have a score for.

    Parameters
    ----------
    agent, baseline : mapping of int to float
        Scores by seed.

    Returns
    -------
    Difference or None
        Above zero where the agent is better, whichever way the metric goes. None without a pair.

    Examples
    --------
    >>> difference({0: 0.2, 1: 0.1}, {0: 0.4, 1: 0.6}, is_lower_better=True).values
    (0.2, 0.5)
    """
    seeds = tuple(sorted(agent.keys() & baseline.keys()))
    sign = -1 if is_lower_better else 1
    values = tuple(round(sign * (agent[s] - baseline[s]), DECIMALS) + 0.0 for s in seeds)
    over = mean_of(values)
    if over is None:
        return None
    return Difference(
        seeds=seeds,
        values=values,
        over=over,
        permutation_p=permutation_p(values),
        sign_p=sign_p(values),
        smallest_p=smallest_p(len(values)),
    )
