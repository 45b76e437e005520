"""Baselines for one value over time: the last value, trends, and the seasons of the year."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from competitions.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from competitions.baselines.problem import Problem

_DAYS = 365.25
_RECENT = 10  # years that "recent" models learn from
_HARMONICS = 2  # waves a year


def _years(dates: pd.Series) -> NDArray[np.float64]:
    """Write dates as years since 1970."""
    import pandas as pd

    return (pd.to_datetime(dates) - pd.Timestamp(0)).dt.days.to_numpy() / _DAYS


def _columns(years: NDArray[np.float64], degree: int, harmonics: int) -> NDArray[np.float64]:
    """Write a polynomial of time, centred on the year 1980, and waves that repeat each year."""
    import numpy as np

    turns = [2 * np.pi * years * k for k in range(1, harmonics + 1)]
    powers = [((years - 10) / 10) ** p for p in range(degree + 1)]
    return np.column_stack([*powers, *map(np.sin, turns), *map(np.cos, turns)])


class _Past:
    """The train part in the order of time."""

    def __init__(self, years: NDArray[np.float64], values: NDArray[np.float64]) -> None:
        order = years.argsort(kind="stable")
        self.years, self.levels = years[order], values[order]

    def curve(
        self,
        future: NDArray[np.float64],
        degree: int,
        harmonics: int = 0,
        recent: int | None = None,
        *,
        on_last_level: bool = False,
    ) -> NDArray[np.float64]:
        """Fit a polynomial with yearly waves by least squares and go on with it.

        `on_last_level` moves it up or down so that it is right on average over the last year.
        """
        import numpy as np

        rows = self.years > self.years[-1] - recent if recent else np.ones(len(self.years), bool)
        known = _columns(self.years, degree, harmonics)
        weights = np.linalg.lstsq(known[rows], self.levels[rows], rcond=None)[0]
        missed = (self.levels - known @ weights)[self.years > self.years[-1] - 1].mean()
        gone_on = _columns(future, degree, harmonics) @ weights
        return np.asarray(gone_on + missed if on_last_level else gone_on)

    def last_season(self, future: NDArray[np.float64], growth: float = 0.0) -> NDArray[np.float64]:
        """Repeat the last year, `growth` higher with each year."""
        import numpy as np

        ahead = np.ceil(future - self.years[-1])
        nearest = np.abs(self.years[None, :] - (future - ahead)[:, None]).argmin(axis=1)
        return np.asarray(self.levels[nearest] + growth * ahead)

    def growth(self) -> float:
        """Return how much the recent years rose, per year."""
        import numpy as np

        recent = self.years > self.years[-1] - _RECENT
        return float(np.polyfit(self.years[recent], self.levels[recent], 1)[0])


def _time_column(problem: Problem) -> str:
    import pandas as pd

    time = problem.spec.split.time
    found = problem.train.columns.intersection(problem.test.columns)
    is_date = time in found and not pd.api.types.is_numeric_dtype(problem.train[time])
    if time is None or not is_date or problem.kind != "number" or problem.spec.entities:
        raise UsageError(
            f"{problem.spec.id}: baselines of series predict a number from a column of dates that "
            f"the split names; found {', '.join(found)} and the split's time {time}."
        )
    return time


def predictions(problem: Problem) -> Iterator[tuple[str, Any]]:
    """Yield thirteen baselines by name, each with its predictions in the test table's order.

    Raises
    ------
    UsageError
        When the task asks for no number, has entities or no column of dates.
    """
    time = _time_column(problem)
    future = _years(problem.test[time])
    past = _Past(_years(problem.train[time]), problem.truth.to_numpy(dtype=float))
    yield "constant-train-mean", past.levels.mean()
    yield "last-value", past.levels[-1]
    yield "last-year-again", past.last_season(future)
    yield "last-year-and-recent-growth", past.last_season(future, past.growth())
    yield "line", past.curve(future, 1)
    yield "parabola", past.curve(future, 2)
    yield "cubic", past.curve(future, 3)
    yield "recent-line", past.curve(future, 1, recent=_RECENT)
    yield "line-and-seasons", past.curve(future, 1, _HARMONICS)
    yield "parabola-and-seasons", past.curve(future, 2, _HARMONICS)
    yield (
        "parabola-and-seasons-on-last-level",
        past.curve(future, 2, _HARMONICS, on_last_level=True),
    )
    yield "cubic-and-seasons", past.curve(future, 3, _HARMONICS)
    yield "recent-line-and-seasons", past.curve(future, 1, _HARMONICS, recent=_RECENT)
