"""Precision and recall of the pixels of masks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.metrics.base import Context, Metric
from competitions.metrics.checks import check_columns
from competitions.metrics.rle import mask_areas

if TYPE_CHECKING:
    import pandas as pd


def score(answers: pd.DataFrame, submission: pd.DataFrame, context: Context) -> float:
    """Return the mean over images of the pixels' F-beta.

    Raises
    ------
    InvalidSubmissionError
        Where a cell is no mask: see `competitions.metrics.rle`.

    Notes
    -----
    F = (1/n) · Σᵢ (1 + β²)·|Yᵢ ∩ Ŷᵢ| / (β²·|Yᵢ| + |Ŷᵢ|), Y the pixels that the truth marks and Ŷ
    those of the submission; 0 where both masks are empty. Argument ``beta``; below 1 a false pixel
    costs more than a missed one. Further arguments: `competitions.metrics.rle.mask_areas`, and
    ``columns``: `competitions.metrics.checks.check_columns`.

    References
    ----------
    https://scikit-learn.org/stable/modules/model_evaluation.html#precision-recall-f-measure-metrics

    Examples
    --------
    >>> import pandas as pd
    >>> truth = pd.DataFrame({"mask": ["1 4"]})
    >>> context = Context(("mask",), {"height": 3, "width": 3, "beta": 0.5})
    >>> score(truth, pd.DataFrame({"mask": ["3 4"]}), context)
    0.5
    """
    import numpy as np

    check_columns(submission, context)
    true, predicted, shared = mask_areas(answers, submission, context)
    beta2 = float(context.arguments["beta"]) ** 2
    weighted = beta2 * true + predicted
    marked = np.where(weighted > 0, weighted, 1.0)
    return float(((1 + beta2) * shared / marked).mean())


METRIC = Metric(name="mask-fbeta", direction="higher", best=1.0, score=score)
