"""Mean over columns of the root mean squared logarithmic error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.metrics.base import Context, Metric
from competitions.metrics.checks import numbers

if TYPE_CHECKING:
    import pandas as pd


def score(answers: pd.DataFrame, submission: pd.DataFrame, context: Context) -> float:
    """Return the plain mean of each target's RMSLE.

    Under ``v1`` the logarithms of a column of True and False are taken in half precision.

    Raises
    ------
    InvalidSubmissionError
        When a cell is empty, infinite, text or below 0 (scikit-learn 1.5's limit; 1.7 takes what is
        above -1).

    Notes
    -----
    S = (1/K) · Σₖ √((1/n) · Σᵢ (ln(1 + ŷᵢₖ) - ln(1 + yᵢₖ))²): relative errors count, and too little
    costs more than as much too much.

    References
    ----------
    https://scikit-learn.org/stable/modules/model_evaluation.html#mean-squared-logarithmic-error

    Examples
    --------
    >>> import pandas as pd
    >>> truth = pd.DataFrame({"a": [0.0, 0.0], "b": [1.0, 3.0]})
    >>> guess = pd.DataFrame({"a": [1.0, 1.0], "b": [1.0, 3.0]})
    >>> round(score(truth, guess, Context(("a", "b"))), 5)  # (ln 2 + 0) / 2
    0.34657
    """
    import numpy as np

    predicted = numbers(submission, context, limits=(0.0, float("inf")))
    errors = []
    for name in context.targets:
        is_half = context.variant == "v1" and submission[name].dtype == bool
        guess = np.log1p(predicted[name].to_numpy("float16" if is_half else "float64"))
        truth = np.log1p(answers[name].to_numpy("float64"))
        errors.append(float(np.sqrt(np.mean((truth - guess) ** 2))))
    return sum(errors) / len(errors)


METRIC = Metric(name="mean-column-wise-rmsle", direction="lower", best=0.0, score=score)
