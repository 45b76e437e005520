"""Share of IoU thresholds that a mask passes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.metrics.base import Context, Metric
from competitions.metrics.checks import check_columns
from competitions.metrics.rle import mask_areas, sizes_of

if TYPE_CHECKING:
    import pandas as pd


def score(answers: pd.DataFrame, submission: pd.DataFrame, context: Context) -> float:
    """Return the mean over images of the share of IoU thresholds that are passed.

    Raises
    ------
    InvalidSubmissionError
        Where a cell is no mask, see `competitions.metrics.rle`, or a column is too many.

    Notes
    -----
    P = (1/n) · Σᵢ (1/10) · |{t : IoUᵢ > t}| for t = 0.5, 0.55, ..., 0.95 and
    IoU = |X ∩ Y| / |X ∪ Y|, one object an image. An empty true mask scores 1 when the submitted one
    is empty too, else 0. Under ``v1`` an empty submitted mask where the true one is not counts as
    one that covers the whole image, as in the published scores; under ``fixed`` its IoU is 0.
    Arguments: `competitions.metrics.rle.mask_areas` and ``columns``
    (`competitions.metrics.checks.check_columns`).

    References
    ----------
    https://www.kaggle.com/c/tgs-salt-identification-challenge/overview/evaluation

    Examples
    --------
    >>> import pandas as pd
    >>> truth = pd.DataFrame({"mask": ["1 4"]})
    >>> context = Context(("mask",), {"height": 3, "width": 3})
    >>> score(truth, pd.DataFrame({"mask": ["1 3"]}), context)  # IoU 0.75, thresholds 0.5 to 0.7
    0.5
    """
    import numpy as np

    check_columns(submission, context)
    true, predicted, shared = mask_areas(answers, submission, context)
    if context.variant == "v1":
        heights, widths = sizes_of(answers, context)
        whole = np.array(heights, dtype=np.int64) * np.array(widths, dtype=np.int64)
        lost = (predicted == 0) & (true > 0)
        predicted, shared = np.where(lost, whole, predicted), np.where(lost, true, shared)
    iou = shared / np.maximum(true + predicted - shared, 1)
    thresholds = np.arange(0.5, 1.0, 0.05)  # with their float noise: 0.6000000000000001
    passed = (iou[:, None] > thresholds).mean(axis=1)
    return float(np.where(true == 0, predicted == 0, passed).mean())


METRIC = Metric(name="mask-precision", direction="higher", best=1.0, score=score)
