"""Root mean squared error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.metrics.base import Context, Metric
from competitions.metrics.checks import numbers

if TYPE_CHECKING:
    import pandas as pd


def score(answers: pd.DataFrame, submission: pd.DataFrame, context: Context) -> float:
    """Return the root of the mean squared difference between numbers and answers.

    Raises
    ------
    InvalidSubmissionError
        When a cell is empty, infinite or text.

    Notes
    -----
    RMSE = √((1/n) · Σᵢ (ŷᵢ - yᵢ)²), in the unit of the answers. One large miss outweighs many small
    ones; the constant that does best is the mean.

    References
    ----------
    https://scikit-learn.org/stable/modules/model_evaluation.html#mean-squared-error

    Examples
    --------
    >>> import pandas as pd
    >>> truth = pd.DataFrame({"y": [1.0, 2.0]})
    >>> score(truth, pd.DataFrame({"y": [4.0, 6.0]}), Context(("y",))) == 12.5**0.5
    True
    """
    from sklearn.metrics import root_mean_squared_error

    predicted = numbers(submission, context)[context.target]
    return float(root_mean_squared_error(answers[context.target], predicted))


METRIC = Metric(name="rmse", direction="lower", best=0.0, score=score)
