"""Logarithm of the mean absolute error, averaged over groups of rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.metrics.base import Context, Metric
from competitions.metrics.checks import numbers

if TYPE_CHECKING:
    import pandas as pd


def score(answers: pd.DataFrame, submission: pd.DataFrame, context: Context) -> float:
    """Return the plain mean over groups of the natural logarithm of the group's MAE.

    Arguments: ``group`` (a column of the answers) and ``floor`` (the least MAE; without it one
    group without an error makes the score -∞).

    Raises
    ------
    InvalidSubmissionError
        When a cell is empty, infinite or text.

    Notes
    -----
    S = (1/G) · Σ_g ln max(φ, (1/n_g) · Σᵢ |ŷᵢ - yᵢ|) over the G groups, the inner sum over the n_g
    rows of group g, φ the floor or 0.

    References
    ----------
    https://www.kaggle.com/competitions/champs-scalar-coupling/overview/evaluation

    Examples
    --------
    >>> import pandas as pd
    >>> truth = pd.DataFrame({"y": [0.0, 0.0, 5.0], "kind": ["a", "a", "b"]})
    >>> guess = pd.DataFrame({"y": [1.0, 3.0, 6.0]})
    >>> round(score(truth, guess, Context(("y",), {"group": "kind"})), 5)  # (ln 2 + ln 1) / 2
    0.34657
    """
    import numpy as np

    predicted = numbers(submission, context)[context.target]
    error = (predicted - answers[context.target]).abs()
    by_group = error.groupby(answers[str(context.arguments["group"])]).mean()
    floor = float(context.arguments.get("floor", 0.0))
    with np.errstate(divide="ignore"):
        return float(np.log(by_group.clip(lower=floor).to_numpy()).mean())


METRIC = Metric(name="log-mae-by-group", direction="lower", best=float("-inf"), score=score)
