"""Area under the ROC curve, low true-positive rates counting double."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.metrics.base import Context, Metric
from competitions.metrics.checks import numbers

if TYPE_CHECKING:
    import pandas as pd

THRESHOLD = 0.4  # of the true-positive rate
WEIGHTS = (2.0, 1.0)  # below and above it


def score(answers: pd.DataFrame, submission: pd.DataFrame, context: Context) -> float:
    """Return the weighted area under the ROC curve of one column of scores against 0/1 answers.

    Raises
    ------
    InvalidSubmissionError
        When a cell is empty, infinite or text.

    Notes
    -----
    W = (2·A₁ + 1·A₂) / (2·0.4 + 1·0.6) = Σ over bands, where A₁ is the area under the curve
    TPR(FPR) up to a TPR of 0.4 and A₂ the area above it: with f the interpolated curve,
    A₁ = ∫ min(f, 0.4) and A₂ = ∫ max(f - 0.4, 0) over the FPR from 0 to 1. A constant scores
    0.58571, not 0.5.

    References
    ----------
    https://www.kaggle.com/competitions/alaska2-image-steganalysis/overview/evaluation

    Examples
    --------
    >>> import pandas as pd
    >>> truth = pd.DataFrame({"y": [0, 0, 1, 1]})
    >>> round(score(truth, pd.DataFrame({"y": [0.5, 0.5, 0.5, 0.5]}), Context(("y",))), 5)
    0.58571
    """
    import numpy as np
    from sklearn.metrics import auc, roc_curve

    truth = answers[context.target]
    if truth.nunique() != 2:  # noqa: PLR2004 - a ROC curve needs both classes
        raise ValueError(f"the answers hold {truth.nunique()} classes where AUC needs two")
    values = numbers(submission, context)[context.target]
    false_rate, true_rate, _ = roc_curve(truth, values, pos_label=1)
    first = int(np.searchsorted(true_rate, THRESHOLD))  # where the curve reaches the threshold
    if true_rate[first] != THRESHOLD:
        rise = true_rate[first] - true_rate[first - 1]
        along = (THRESHOLD - true_rate[first - 1]) / rise
        step = false_rate[first] - false_rate[first - 1]
        crossing = false_rate[first - 1] + along * step
        false_rate = np.insert(false_rate, first, crossing)
        true_rate = np.insert(true_rate, first, THRESHOLD)
    below = auc(false_rate, np.minimum(true_rate, THRESHOLD))
    above = auc(false_rate, np.maximum(true_rate - THRESHOLD, 0.0))
    weight = WEIGHTS[0] * THRESHOLD + WEIGHTS[1] * (1 - THRESHOLD)
    return float((WEIGHTS[0] * below + WEIGHTS[1] * above) / weight)


METRIC = Metric(name="weighted-auc", direction="higher", best=1.0, score=score)
