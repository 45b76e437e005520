"""Mean absolute error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.metrics.base import Context, Metric
from competitions.metrics.checks import numbers

if TYPE_CHECKING:
    import pandas as pd


def score(answers: pd.DataFrame, submission: pd.DataFrame, context: Context) -> float:
    """Return the mean absolute difference between numbers and answers.

    Arguments: ``zero_in`` (a column of the answers: only rows where it is 0 count, and whatever
    stands in the others is accepted under ``v1``) and ``rounded`` (true: to a whole number, halves
    to the even one).

    Raises
    ------
    InvalidSubmissionError
        When a cell that counts is empty, infinite or text; under ``fixed``, any cell.

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

    if context.variant == "fixed":
        numbers(submission, context)
    if "zero_in" in context.arguments:
        counted = answers[str(context.arguments["zero_in"])] == 0
        answers, submission = answers[counted], submission[counted]
    predicted = numbers(submission, context)[context.target]
    error = float(mean_absolute_error(answers[context.target], predicted))
    return float(round(error)) if context.arguments.get("rounded") else error


METRIC = Metric(name="mae", direction="lower", best=0.0, score=score)
