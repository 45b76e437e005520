"""Ask whether train rows are of later times than test rows where the future is to be told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from competitions.errors import NotApplicableError
from detectors.base import About, register
from detectors.leakage.event_times import as_seconds, event_times
from detectors.leakage.split import is_data, split_of
from detectors.task import Task
from reports.schema import Confidence, Quantity, RowOverlap, RowPair, Severity, SubjectKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd
    from numpy.typing import NDArray

    from detectors.base import Subject
    from detectors.leakage.split import Split
    from reports.schema import Finding

MAX_PAIRS = 10
MOST_TIMES = 0.9  # of the cells that have to be times


class Overlap(NamedTuple):
    """How the times of two parts lie.

    Parameters
    ----------
    share_after : float in [0, 1]
        Chance that a test row is later than a train row, ties counting half: 0.5 where both parts
        are of the same times, 1 where the test part is a forecast.
    start : float
        Second at which the test part begins, a few early rows aside.
    late_rows : ndarray of int
        Train rows at or after it.
    n_times : int
        Test rows with a time.
    """

    share_after: float
    start: float
    late_rows: NDArray[np.intp]
    n_times: int


@register
@dataclass(frozen=True)
class TemporalOverlap:
    """Train rows of times that the test part asks about, in a task that asks about the future.

    A task is taken for a forecast where the test part's times mostly come after the train part's
    or where its definition says that it is split by time. Then train rows of the test period
    tell what was still to come. Where both parts are drawn from the same times, that is only noted:
    such a split answers another question than a forecast would. Times are event times; a date of
    birth is none.

    Parameters
    ----------
    forecast_share : float in [0.5, 1], default=0.75
        Chance that a test row is later than a train row, from which the split is a forecast.
    early_share : float in [0, 1), default=0.05
        Share of test rows that may come before the test part is taken to begin.
    medium_share : float in [0, 1], default=0.005
        Share of train rows within the test period from which the finding is of medium severity.
    """

    about: ClassVar[About] = About(
        id="temporal-overlap",
        subject=SubjectKind.TASK,
        asks="Are train rows later than test rows where the future is to be told?",
        blind_spots=(
            "Only columns of event times that both tables have are looked at. A forecast per "
            "series, each with its own last day, is looked at as a whole. Whether a column was "
            "only known later than its row says is not seen."
        ),
        reference="https://doi.org/10.1016/j.patter.2023.100804 (Kapoor and Narayanan 2023, L3.1)",
    )
    forecast_share: float = 0.75
    early_share: float = 0.05
    medium_share: float = 0.005

    def applies(self, subject: Subject) -> str | None:
        """See `Detector.applies`."""
        return None if is_data(subject) else "it looks at tasks and data only"

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """See `Detector.detect`.

        Raises
        ------
        EvidenceUnavailableError
            When the tables are not here, or no column of both says when something happened.
        """
        split = split_of(subject)
        train, test = split.both()
        shared = list(split.features)
        is_said = split.how.get("times") == "asked"
        columns = list(split.times)
        if not columns and not is_said:
            columns = [t.column for t in event_times(train.frame[shared])]
        looked = False
        for column in (c for c in columns if c in train.frame and c in test.frame):
            found = self._overlap(train.frame[column], test.frame[column])
            looked |= found is not None
            if found is not None:
                yield from self._findings(subject, split, column, found)
        if not looked:
            raise NotApplicableError(
                "no column of both tables says when something happened",
                None if is_said or isinstance(subject, Task) else "Name it with --time",
            )

    def _overlap(self, train: pd.Series, test: pd.Series) -> Overlap | None:
        before, after = as_seconds(train), as_seconds(test)
        if before is None or after is None:
            return None
        filled = min(np.isfinite(before).mean(), np.isfinite(after).mean())
        if filled < MOST_TIMES:
            return None
        known = after[np.isfinite(after)]
        start = float(np.quantile(known, self.early_share, method="lower"))
        # Rows of one day, or of one year, are no later than one another.
        late = np.flatnonzero(np.nan_to_num(before, nan=-np.inf) > start)
        return Overlap(share_after(before, after), start, late, len(known))

    def _findings(
        self, subject: Subject, split: Split, column: str, found: Overlap
    ) -> Iterator[Finding]:
        if not len(found.late_rows):
            return
        is_declared = split.how.get("times") == "declared"
        is_forecast = is_declared or found.share_after >= self.forecast_share
        n_late, n_train = len(found.late_rows), len(split.both()[0].frame)
        pairs = f"a test row is later than a train row in {found.share_after:.0%} of pairs"
        message = (
            f"{n_late} of {n_train} train rows are of times at which the test part has begun "
            f"({column}, {_day(found.start)} and later), though the test part is of later times: "
            f"{pairs}."
            if is_forecast
            else f"Train and test rows are of the same times ({column}): {pairs}. That is no "
            "forecast: train rows tell what came after test rows."
        )
        if record := split.on_record("leak", "split", shown_by=(self.about.id,)):
            message += f" On record: {', '.join(record)}."
        yield self.about.finding(
            subject,
            message,
            Quantity(
                name="chance that a test row is later than a train row",
                value=round(found.share_after, 4),
                compared_with="the same times in both parts",
                reference=0.5,
            ),
            self._rows(split, column, found),
            severity=self._severity(split, n_late / n_train) if is_forecast else Severity.NOTE,
            confidence=Confidence.HIGH if is_declared else Confidence.MEDIUM,
        )

    def _severity(self, split: Split, share: float) -> Severity:
        if split.on_record("leak", "split", shown_by=(self.about.id,)) or share < self.medium_share:
            return Severity.LOW
        return Severity.MEDIUM

    @staticmethod
    def _rows(split: Split, column: str, found: Overlap) -> RowOverlap:
        """Show train rows beside the first test row of the period."""
        train, test = split.both()
        seconds = as_seconds(test.frame[column])
        times = np.full(len(test.frame), np.inf) if seconds is None else seconds
        first = int(np.nanargmin(np.where(times >= found.start, times, np.inf)))
        return RowOverlap(
            left_table=train.name,
            right_table=test.name,
            n_left=len(train.frame),
            n_right=len(test.frame),
            n_shared=min(len(found.late_rows), len(test.frame)),
            compared_columns=(column,),
            pairs=tuple(
                RowPair(left_row=int(row) + 1, right_row=first + 1)
                for row in found.late_rows[:MAX_PAIRS]
            ),
        )


def share_after(before: NDArray[np.float64], after: NDArray[np.float64]) -> float:
    """Return the chance that one of `after` is larger than one of `before`; ties count half.

    Examples
    --------
    >>> share_after(np.array([1.0, 2.0]), np.array([2.0, 3.0]))
    0.875
    """
    before, after = np.sort(before[np.isfinite(before)]), after[np.isfinite(after)]
    below = np.searchsorted(before, after, side="left")
    up_to = np.searchsorted(before, after, side="right")
    return float((below + up_to).sum() / (2 * len(before) * len(after)))


def _day(seconds: float) -> str:
    return str(np.datetime64(int(seconds), "s").astype("datetime64[D]"))
