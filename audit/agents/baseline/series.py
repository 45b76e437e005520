"""Models of one value over time: a trend that goes on, and the seasons."""

from functools import partial

import numpy as np
import pandas as pd
from data import as_dates
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.linear_model import Ridge

YEARS = "years since the first date"
DAYS = 365.25
HARMONICS = 4


class Trend(RegressorMixin, BaseEstimator):
    """A polynomial in time and a yearly wave; recent years may weigh more.

    `memory` is the number of years after which a row's weight has fallen to 1/e; None forgets
    nothing. The line is moved to pass through the last year's mean residual, so that what is
    predicted begins where the past ends.
    """

    def __init__(self, degree, memory=None):
        self.degree = degree
        self.memory = memory

    def _columns(self, features):
        years = features[YEARS].to_numpy()
        scaled = (years - self.end_) / self.span_
        trend = [scaled**power for power in range(1, self.degree + 1)]
        turns = [2 * np.pi * years * k for k in range(1, HARMONICS + 1)]
        return np.column_stack([*trend, *map(np.sin, turns), *map(np.cos, turns)])

    def fit(self, features, truth):
        years = features[YEARS].to_numpy()
        self.end_, self.span_ = years.max(), max(np.ptp(years), 1e-9)
        weights = None if self.memory is None else np.exp((years - self.end_) / self.memory)
        self.model_ = Ridge(1e-6).fit(self._columns(features), truth, weights)
        residual = np.asarray(truth) - self.model_.predict(self._columns(features))
        self.shift_ = residual[years >= self.end_ - 1].mean()
        return self

    def predict(self, features):
        return self.model_.predict(self._columns(features)) + self.shift_


def models(task, when):
    """Return the columns of time, which are added, and builders of models by name."""
    train, test = as_dates(task.train[when]), as_dates(task.test[when])
    for frame, dates in ((task.train, train), (task.test, test)):
        frame[YEARS] = (dates - train.min()) / pd.Timedelta(days=DAYS)
    if task.classify:
        return {when, YEARS}, {}
    return {when, YEARS}, {
        "recent line": partial(Trend, 1, 5),
        "curve": partial(Trend, 2),
        "recent curve": partial(Trend, 2, 15),
    }
