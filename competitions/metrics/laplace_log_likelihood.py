"""Log-likelihood of a value and its uncertainty under a Laplace distribution, with bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.errors import InvalidSubmissionError
from competitions.metrics.base import Context, Metric
from competitions.metrics.checks import numbers, refuse_rows, require_columns

if TYPE_CHECKING:
    import pandas as pd

LEAST_SIGMA = 70.0  # ml; differences between two measurements of one person
LARGEST_ERROR = 1000.0  # ml
N_LAST_VISITS = 3


def score(answers: pd.DataFrame, submission: pd.DataFrame, context: Context) -> float:
    """Return the mean modified Laplace log-likelihood of each patient's last three visits.

    The targets are the value and its σ, in this order; the key's last part after ``_`` is the week.
    The argument ``group`` names the answers' column of patients (default ``Patient``). Answers
    without a value are not visits.

    Under ``v1`` the tables are taken as they were read: any subset of the visits may be
    submitted, and the mean is over those that count, NaN when there is none; an empty σ is 0, hence
    70; an empty value makes the score NaN. Under ``fixed`` every visit is needed, and no cell may
    be empty.

    Raises
    ------
    InvalidSubmissionError
        When a key is unknown or, among those that count, repeated; when a column is not numeric.

    Notes
    -----
    S = (1/n) · Σᵢ [-√2·Δᵢ/σᵢ - ln(√2·σᵢ)] with σᵢ = max(σ̂ᵢ, 70) and Δᵢ = min(|ŷᵢ - yᵢ|, 1000). The
    best that can be had is -ln(70·√2) = -4.59507.

    References
    ----------
    https://www.kaggle.com/competitions/osic-pulmonary-fibrosis-progression/overview/evaluation

    Examples
    --------
    >>> import pandas as pd
    >>> truth = pd.DataFrame({"id": ["a_1", "a_2"], "Patient": ["a", "a"], "v": [2000.0, 2100.0]})
    >>> guess = pd.DataFrame({"id": ["a_1", "a_2"], "v": [2000.0, 2100.0], "s": [10, 70]})
    >>> round(score(truth, guess, Context(("v", "s"), key=("id",))), 5)
    -4.59507
    """
    import numpy as np

    (key,), (value, spread) = context.key, context.targets
    require_columns(submission, [key, value, spread])
    allow = () if context.variant == "fixed" else ("missing", "infinite")
    _refuse_unknown(answers, submission, context)
    read = numbers(submission, context, allow=allow)
    last = _last_visits(answers, context)
    counted = submission[key].isin(last.index)
    keys = submission.loc[counted, key]
    refuse_rows(submission, counted & submission[key].duplicated(), f"{key}: repeated", context)
    if context.variant == "fixed" and set(keys) != set(last.index):
        n = len(set(last.index) - set(keys))
        raise InvalidSubmissionError([f"{key}: {n} of {len(last)} visits are missing"])
    if keys.empty:
        return float("nan")
    sigma = read.loc[counted, spread].fillna(0.0).clip(lower=LEAST_SIGMA).to_numpy()
    error = np.abs(last.loc[keys].to_numpy() - read.loc[counted, value].to_numpy())
    with np.errstate(all="ignore"):
        delta = np.sqrt(2) * np.minimum(error, LARGEST_ERROR)
        return float(np.mean(-delta / sigma - np.log(np.sqrt(2) * sigma)))


def _last_visits(answers: pd.DataFrame, context: Context) -> pd.Series:
    """Return the values that count, by key."""
    (key,), value = context.key, context.targets[0]
    seen = answers[answers[value].notna()]
    week = seen[key].map(lambda name: int(str(name).rsplit("_", 1)[-1]))
    patients = seen[str(context.arguments.get("group", "Patient"))]
    ordered = seen.loc[week.sort_values(kind="stable").index]
    last = ordered.groupby(patients.loc[ordered.index]).tail(N_LAST_VISITS)
    return last.set_index(key)[value]


def _refuse_unknown(answers: pd.DataFrame, submission: pd.DataFrame, context: Context) -> None:
    import pandas as pd

    (key,) = context.key
    unknown = ~submission[key].isin(answers[key])
    refuse_rows(submission, unknown, f"{key}: keys that are not in the test part", context)
    for name in context.targets:
        if submission.empty or not pd.api.types.is_numeric_dtype(submission[name]):
            raise InvalidSubmissionError([f"{name}: expected numbers, found text or no row"])


METRIC = Metric(name="laplace-log-likelihood", direction="higher", best=-4.59507, score=score)
