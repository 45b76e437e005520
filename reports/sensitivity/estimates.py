"""Figures over attempts, how sure they are, and what the best of k attempts reaches. Pure.

The interval resamples tasks, and within each drawn task its attempts (a two-stage bootstrap:
Davison & Hinkley 1997, Bootstrap Methods and their Application, §3.8). How often it holds the
truth was measured: docs/sensitivity.md.
"""

from __future__ import annotations

import math
import statistics
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from reports.grading import awards_medals, is_comparable, mean_sem
from reports.sensitivity.models import AtK, Estimate, Figures

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from reports.grading import CompetitionReport
    from reports.sensitivity.models import Measure

    Counts = NDArray[np.int64]

N_RESAMPLES: Final = 2000
LEVEL: Final = 0.95
MAX_K: Final = 32  # of pass@k
_MOST_CELLS: Final = 20_000_000  # counts of one table of resamples: 160 MB
_FEWEST: Final = 100  # resamples, whatever the number of attempts


@dataclass(frozen=True)
class Run:
    """One attempt as the estimates see it: what it reached, None where that is not defined.

    Parameters
    ----------
    seed : str
        What names the seed; the same for all attempts of one repetition of the tasks.
    percentile : float in [0, 1] or None
        Share of the board that the score beats; 0 without a score.
    normalised : float in [0, 1] or None
        See `normalised`.
    attempt : str or None
        Its name, where it has one.
    """

    task: str
    seed: str
    any_medal: float | None
    valid_submission: float
    above_median: float
    percentile: float | None = None
    normalised: float | None = None
    is_on_baselines: bool = False
    comparable: bool = True
    variant: str = "v1"
    attempt: str | None = None

    @property
    def failed(self) -> Run:
        """The same attempt, counted as if nothing had been handed in."""
        zero: dict[str, Any] = {m: 0.0 for m in MEASURES if getattr(self, m) is not None}
        return replace(self, **zero)


MEASURES: Final[tuple[Measure, ...]] = (
    *("any_medal", "valid_submission", "above_median"),
    *("percentile", "normalised"),
)


def run_of(row: CompetitionReport, seed: str, beats: float | None = None) -> Run:
    """Read one graded row.

    Parameters
    ----------
    beats : float in [0, 1] or None
        Share of the board that the score beats, where the row does not say it itself.
    """
    details = row.mle_audit
    if details is not None and details.percentile is not None:
        beats = details.percentile / 100
    return Run(
        task=row.competition_id,
        seed=seed,
        any_medal=float(row.any_medal) if awards_medals(row) else None,
        valid_submission=float(row.valid_submission),
        above_median=float(row.above_median),
        percentile=0.0 if row.score is None else beats,
        normalised=normalised(row),
        is_on_baselines=not awards_medals(row),
        comparable=is_comparable(row),
        variant=details.variant if details else "v1",
        attempt=details.attempt if details else None,
    )


def normalised(row: CompetitionReport) -> float | None:
    """Place a score between the board's median (0) and its gold threshold (1), cut at both ends.

    It is the form of DSBench's relative performance gap, max((p - b) / (g - b), 0), with the
    board's median as b and gold as g; above gold it is 1, so that no task pays for another.

    Returns
    -------
    float or None
        0 without a score; None where the row has no two different thresholds.

    References
    ----------
    Jing et al. (2024), DSBench, https://arxiv.org/abs/2409.07703
    """
    gold, median = row.gold_threshold, row.median_threshold
    if gold is None or median is None or gold == median:
        return None
    if row.score is None:
        return 0.0
    # Halves, since the difference of two huge scores may be no float.
    return min(max((row.score / 2 - median / 2) / (gold / 2 - median / 2), 0.0), 1.0)


class Interval(NamedTuple):
    """The middle part of the resampled figures."""

    low: float
    high: float


def resampled(tasks: Sequence[str], rng: np.random.Generator, n: int = N_RESAMPLES) -> Counts:
    """Draw tasks with replacement, and for each drawn task as many attempts as it has.

    Parameters
    ----------
    tasks : sequence of str, length m
        The task of each attempt.
    n : int >= 1
        Resamples; fewer where the table would not fit into memory.

    Returns
    -------
    ndarray of shape (n, m)
        How often each attempt is drawn.
    """
    import numpy as np

    n = min(n, max(_FEWEST, _MOST_CELLS // max(len(tasks), 1)))
    places: dict[str, list[int]] = defaultdict(list)
    for i, task in enumerate(tasks):
        places[task].append(i)
    drawn = rng.multinomial(len(places), np.full(len(places), 1 / len(places)), size=n)
    counts = np.zeros((n, len(tasks)), dtype=np.int64)
    sizes = np.array([len(found) for found in places.values()])
    columns = list(places.values())
    for size in np.unique(sizes):
        chosen = np.flatnonzero(sizes == size)
        within = rng.multinomial(drawn[:, chosen] * size, np.full(size, 1 / size))
        counts[:, np.array([columns[c] for c in chosen])] = within
    return counts


def interval(
    values: Sequence[float], weights: Sequence[float], counts: Counts, level: float = LEVEL
) -> Interval | None:
    """Return the percentile interval of a weighted mean; None where no resample differs.

    Parameters
    ----------
    values, weights : sequence of float, length m
        What is averaged, and how much each counts.
    counts : ndarray of shape (n, m)
        See `resampled`.
    """
    import numpy as np

    weighted = counts * np.asarray(weights)
    total = weighted.sum(axis=1)
    kept = total > 0
    means = (weighted[kept] @ np.asarray(values)) / total[kept]
    if not len(means) or np.ptp(means) <= 1e-12:  # noqa: PLR2004 - rounding
        return None
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    mean = float(np.average(values, weights=weights))
    # Quantiles of a lumpy statistic may pass by the estimate that they are drawn around.
    return Interval(min(float(low), mean), max(float(high), mean))


def figures_of(
    runs: Sequence[Run], rng: np.random.Generator, n_resamples: int = N_RESAMPLES
) -> Figures:
    """Compute an agent's figures: share per seed over the tasks, then the mean over seeds.

    Medals, percentile and normalised score are over the boards of people; where there is none,
    the percentile is one of baselines.

    Raises
    ------
    ValueError
        When there is no run.
    """
    if not runs:
        raise ValueError("figures need at least one attempt")
    counts = resampled([r.task for r in runs], rng, n_resamples)
    on_people = any(not r.is_on_baselines for r in runs)

    def estimate(measure: Measure) -> Estimate | None:
        placed = measure in {"percentile", "normalised"} and on_people
        at = [
            i
            for i, r in enumerate(runs)
            if getattr(r, measure) is not None and not (placed and r.is_on_baselines)
        ]
        return _estimate([runs[i] for i in at], measure, counts[:, at]) if at else None

    return Figures(
        n_attempts=len(runs),
        n_tasks=len({r.task for r in runs}),
        n_seeds=len({r.seed for r in runs}),
        percentile_of="teams" if on_people else "baselines",
        comparable=all(r.comparable for r in runs if not (on_people and r.is_on_baselines)),
        any_medal=estimate("any_medal"),
        valid_submission=estimate("valid_submission"),
        above_median=estimate("above_median"),
        percentile=estimate("percentile"),
        normalised=estimate("normalised"),
    )


def _estimate(runs: Sequence[Run], measure: Measure, counts: Counts) -> Estimate | None:
    values = [float(getattr(r, measure)) for r in runs]
    by_seed: dict[str, list[float]] = defaultdict(list)
    for run, value in zip(runs, values, strict=True):
        by_seed[run.seed].append(value)
    found = mean_sem(statistics.fmean(v) for v in by_seed.values())
    if found is None:
        return None
    weights = [1 / (len(by_seed) * len(by_seed[r.seed])) for r in runs]
    sure = interval(values, weights, counts)
    return Estimate(
        mean=found.mean,
        sem=found.sem,
        low=min(sure.low, found.mean) if sure else None,
        high=max(sure.high, found.mean) if sure else None,
        n_tasks=len({r.task for r in runs}),
    )


def pass_at_k(n: int, c: int, k: int) -> float:
    """Estimate without bias how often the best of k attempts passes, given c of n that did.

    It is 1 - C(n-c, k) / C(n, k), the share of all choices of k attempts that hold one that passed.

    Raises
    ------
    ValueError
        When not 0 <= c <= n and 1 <= k <= n.

    References
    ----------
    Chen et al. (2021), https://arxiv.org/abs/2107.03374

    Examples
    --------
    >>> pass_at_k(3, 1, 1), pass_at_k(3, 1, 3)
    (0.3333333333333333, 1.0)
    """
    if not (0 <= c <= n and 1 <= k <= n):
        raise ValueError(f"expected 0 <= c <= n and 1 <= k <= n, found n={n}, c={c}, k={k}")
    return (math.comb(n, k) - math.comb(n - c, k)) / math.comb(n, k)


def best_of_k(values: Sequence[float], k: int) -> float:
    """Estimate without bias the mean of the best of k attempts: over all choices of k of them.

    Of zeros and ones it is `pass_at_k`.

    Raises
    ------
    ValueError
        When not 1 <= k <= number of values.

    Examples
    --------
    >>> best_of_k([0.0, 0.5, 1.0], 2)
    0.8333333333333334
    """
    if not 1 <= k <= len(values):
        raise ValueError(f"expected 1 <= k <= {len(values)}, found {k}")
    choices = math.comb(len(values), k)
    ordered = enumerate(sorted(values))
    return math.fsum(v * (math.comb(i, k - 1) / choices) for i, v in ordered)


def at_k(
    runs: Sequence[Run],
    measure: Literal["any_medal", "above_median", "percentile"],
    rng: np.random.Generator,
    n_resamples: int = N_RESAMPLES,
) -> tuple[AtK, ...]:
    """Average the best of k over tasks, for each k up to the most attempts of a task, at most 32.

    The interval resamples tasks: within one, the estimate is over all choices already.
    """
    by_task: dict[str, list[float]] = defaultdict(list)
    for run in runs:
        value = getattr(run, measure)
        if value is not None:
            by_task[run.task].append(float(value))
    most = max(map(len, by_task.values()), default=0)
    found = []
    for k in range(1, min(most, MAX_K) + 1):
        there = {t: best_of_k(v, k) for t, v in by_task.items() if len(v) >= k}
        counts = resampled(list(there), rng, n_resamples)
        sure = interval(list(there.values()), [1.0] * len(there), counts)
        mean = statistics.fmean(there.values())
        found.append(
            AtK(
                k=k,
                flag=measure,
                estimate=Estimate(
                    mean=mean,
                    low=min(sure.low, mean) if sure else None,
                    high=max(sure.high, mean) if sure else None,
                    n_tasks=len(there),
                ),
                left_out=tuple(sorted(by_task.keys() - there.keys())),
            )
        )
    return tuple(found)
