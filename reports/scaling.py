"""What an agent's attempts had reached after how long, and under which limit of time.

Copies of the submission, made while an attempt ran, are graded like the submission itself. Between
two copies the older one counts; before the first, nothing is handed in; after the end, the
submission.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from reports.sensitivity.estimates import N_RESAMPLES, Run, figures_of
from reports.sensitivity.models import Figures, Omitted

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

MAX_TIMES: Final = 48  # points of a curve
_TOGETHER: Final = 0.01  # of the whole time: copies of different attempts so close are one time
Share = Annotated[float, Field(ge=0, le=1)]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Reached(_Record):
    """What a copy of the submission is worth, made so many seconds after the start."""

    after_s: Annotated[float, Field(ge=0)]
    score: float | None = None
    any_medal: Share | None = None  # None where the board awards none
    valid_submission: Share = 0.0
    above_median: Share = 0.0
    percentile: Share | None = None
    normalised: Share | None = None


class Trajectory(_Record):
    """One attempt's copies, in the order of time, its submission last."""

    attempt: str
    task: str
    seed: str
    reached: Annotated[tuple[Reached, ...], Field(min_length=1)]
    is_on_baselines: bool = False
    comparable: bool = True
    variant: str = "v1"
    n_graded: Annotated[int, Field(ge=0)] = 0  # copies that were graded
    n_copies: Annotated[int, Field(ge=0)] = 0  # different copies that there are

    def at(self, after_s: float) -> Run:
        """Return the attempt as it stood at a time."""
        past = [r for r in self.reached if r.after_s <= after_s]
        state = past[-1] if past else self.reached[-1]
        run = Run(
            task=self.task,
            seed=self.seed,
            any_medal=state.any_medal,
            valid_submission=state.valid_submission,
            above_median=state.above_median,
            percentile=state.percentile,
            normalised=state.normalised,
            is_on_baselines=self.is_on_baselines,
            comparable=self.comparable,
            variant=self.variant,
            attempt=self.attempt,
        )
        return run if past else run.failed


class AtTime(_Record):
    """The figures of all attempts as they stood after some seconds."""

    after_s: Annotated[float, Field(ge=0)]
    figures: Figures


class UnderLimit(_Record):
    """The figures of the attempts with one limit of time, over the tasks that every limit has."""

    limit_s: Annotated[float, Field(gt=0)]
    figures: Figures


class Scaling(_Record):
    """How one agent's figures grow with time."""

    agent: str
    trajectories: tuple[Trajectory, ...] = ()
    over_time: tuple[AtTime, ...] = ()
    by_limit: tuple[UnderLimit, ...] = ()
    omitted: tuple[Omitted, ...] = ()


def times_of(trajectories: Sequence[Trajectory], most: int = MAX_TIMES) -> tuple[float, ...]:
    """Choose the times of a curve: where something changed, nearly equal ones together.

    Parameters
    ----------
    most : int >= 2
        More times than these are thinned out evenly; the last one stays.

    Examples
    --------
    >>> one = Trajectory(attempt="a", task="t", seed="0",
    ...     reached=(Reached(after_s=60.1), Reached(after_s=120.0), Reached(after_s=300.0)))
    >>> two = one.model_copy(update={"reached": (Reached(after_s=60.4),)})
    >>> times_of([one, two])
    (60.4, 120.0, 300.0)
    """
    found = sorted({r.after_s for t in trajectories for r in t.reached})
    if not found:
        return ()
    together = _TOGETHER * found[-1]
    groups: list[list[float]] = []
    for time in found:
        if groups and time - groups[-1][0] <= together:
            groups[-1].append(time)
        else:
            groups.append([time])
    times = [group[-1] for group in groups]  # at its end all of a group have been made
    if len(times) <= most:
        return tuple(times)
    kept = {round(i * (len(times) - 1) / (most - 1)) for i in range(most)}
    return tuple(times[i] for i in sorted(kept))


def over_time(
    trajectories: Sequence[Trajectory],
    rng: np.random.Generator,
    n_resamples: int = N_RESAMPLES,
) -> tuple[AtTime, ...]:
    """Compute the figures of all attempts at the start, and at each time of the curve.

    Parameters
    ----------
    rng : numpy.random.Generator
        Draws the resamples of the intervals.
    """
    return tuple(
        AtTime(
            after_s=time,
            figures=figures_of([t.at(time) for t in trajectories], rng, n_resamples),
        )
        for time in dict.fromkeys((0.0, *times_of(trajectories)))
    )


def by_limit(
    runs: Sequence[tuple[float, Run]],
    rng: np.random.Generator,
    n_resamples: int = N_RESAMPLES,
) -> tuple[UnderLimit, ...] | str:
    """Compute the figures under each limit of time, over the tasks that were tried under all.

    Parameters
    ----------
    runs : sequence of (float, Run)
        Attempts with their limits in seconds.

    Returns
    -------
    tuple of UnderLimit or str
        Why there is nothing to compare, where there is not.
    """
    limits = sorted({limit for limit, _ in runs})
    if not limits:
        return "no attempt has a record of its limits"
    if len(limits) == 1:
        return f"all attempts had the same limit of {limits[0]:g} s"
    common = set.intersection(*({run.task for at, run in runs if at == limit} for limit in limits))
    if not common:
        return "no task was tried under each of the limits"
    return tuple(
        UnderLimit(
            limit_s=limit,
            figures=figures_of(
                [run for at, run in runs if at == limit and run.task in common], rng, n_resamples
            ),
        )
        for limit in limits
    )
