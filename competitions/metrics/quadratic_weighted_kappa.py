"""Agreement of ordered classes beyond chance, far misses costing more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.errors import InvalidSubmissionError
from competitions.metrics.base import Context, Metric
from competitions.metrics.checks import places, whole_numbers

if TYPE_CHECKING:
    import pandas as pd


def score(answers: pd.DataFrame, submission: pd.DataFrame, context: Context) -> float:
    """Return Cohen's kappa with quadratic weights; NaN where it is not defined.

    Arguments: ``low`` and ``high``, the least and the greatest class. With them weights follow the
    classes' values and other classes are refused; without, weights follow each class's place among
    those that occur in answers or submission, as in the published scores: a class that nobody
    has makes its neighbours adjacent.

    Raises
    ------
    InvalidSubmissionError
        When a cell is empty, text, a fraction, or a class outside ``low`` … ``high``.

    Notes
    -----
    κ = 1 - Σᵢⱼ wᵢⱼ·Oᵢⱼ / Σᵢⱼ wᵢⱼ·Eᵢⱼ with wᵢⱼ = (i - j)², the table O of counts and its expectation
    E under independence. A constant submission scores 0.

    References
    ----------
    Cohen (1968), Weighted kappa. https://doi.org/10.1037/h0026256

    Examples
    --------
    >>> import pandas as pd
    >>> truth = pd.DataFrame({"y": [0, 1, 2, 2]})
    >>> score(truth, pd.DataFrame({"y": [0, 1, 2, 1]}), Context(("y",)))
    0.8
    """
    import numpy as np
    from sklearn.metrics import cohen_kappa_score

    predicted = whole_numbers(submission, context, context.target)
    truth = answers[context.target]
    classes = None
    if {"low", "high"} <= set(context.arguments):
        low, high = int(context.arguments["low"]), int(context.arguments["high"])
        odd = ~predicted.between(low, high)
        if odd.any():
            said = f"{context.target}: classes outside {low} … {high} ({int(odd.sum())})"
            raise InvalidSubmissionError([f"{said}, at {places(submission, odd, context)}"])
        classes = range(low, high + 1)
    elif len(set(truth) | set(predicted)) == 1:
        return float("nan")  # 0/0
    with np.errstate(invalid="ignore"):
        return float(cohen_kappa_score(truth, predicted, labels=classes, weights="quadratic"))


METRIC = Metric(name="quadratic-weighted-kappa", direction="higher", best=1.0, score=score)
