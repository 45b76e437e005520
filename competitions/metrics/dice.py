"""Overlap of masks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.metrics.base import Context, Metric
from competitions.metrics.rle import mask_areas

if TYPE_CHECKING:
    import pandas as pd


def score(answers: pd.DataFrame, submission: pd.DataFrame, context: Context) -> float:
    """Return the Dice coefficient of run-length masks, per image or of all pixels at once.

    Raises
    ------
    InvalidSubmissionError
        Where a cell is no mask: see `competitions.metrics.rle`.

    Notes
    -----
    D = (1/n) · Σᵢ 2·|Xᵢ ∩ Yᵢ| / (|Xᵢ| + |Yᵢ|), X and Y the foreground of truth and submission; an
    image with two empty masks counts 1. With the argument ``pooled: true`` it is one ratio of sums
    over all images, Σᵢ 2·|Xᵢ ∩ Yᵢ| / Σᵢ (|Xᵢ| + |Yᵢ|), NaN where nothing is foreground anywhere.
    Further arguments: `competitions.metrics.rle.mask_areas`.

    References
    ----------
    Dice (1945), Measures of the amount of ecologic association between species.
    https://doi.org/10.2307/1932409

    Examples
    --------
    >>> import pandas as pd
    >>> truth = pd.DataFrame({"mask": ["1 4", "5 2"]})
    >>> context = Context(("mask",), {"height": 3, "width": 3})
    >>> score(truth, pd.DataFrame({"mask": ["3 2", "5 2"]}), context) == (4 / 6 + 1) / 2
    True
    """
    import numpy as np

    true, predicted, shared = mask_areas(answers, submission, context)
    if context.arguments.get("pooled"):
        true, predicted, shared = (a.sum(keepdims=True) for a in (true, predicted, shared))
    both = true + predicted
    undefined = np.nan if context.arguments.get("pooled") else 1.0
    per_image = np.where(both > 0, 2 * shared / np.maximum(both, 1), undefined)
    return float(per_image.mean())


METRIC = Metric(name="dice", direction="higher", best=1.0, score=score)
