"""Mean absolute error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.metrics.base import Context, Metric

if TYPE_CHECKING:
    import pandas as pd


def score(answers: pd.DataFrame, submission: pd.DataFrame, context: Context) -> float:
    """Return the mean absolute difference between numbers and answers.

    Notes
    -----
    MAE = (1/n) · Σᵢ |ŷᵢ - yᵢ|, in the unit of the answers. The constant that does best is the
    median.

    References
    ----------
    https://scikit-learn.org/stable/modules/model_evaluation.html#mean-absolute-error

    Examples
    --------
    >>> import pandas as pd
    >>> truth = pd.DataFrame({"y": [1.0, 2.0]})
    >>> score(truth, pd.DataFrame({"y": [4.0, 6.0]}), Context(("y",)))
    3.5
    """
    from sklearn.metrics import mean_absolute_error

    return float(mean_absolute_error(answers[context.target], submission[context.target]))


METRIC = Metric(name="mae", direction="lower", best=0.0, score=score)
