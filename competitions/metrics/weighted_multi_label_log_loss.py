"""Logarithmic loss of a patient's label and its parts, positives and the whole weighing more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.metrics.base import Context, Metric
from competitions.metrics.checks import numbers

if TYPE_CHECKING:
    import pandas as pd


CLIP = 1e-15


def score(answers: pd.DataFrame, submission: pd.DataFrame, context: Context) -> float:
    """Return the weighted log loss of rows that belong to studies.

    The key is ``<study>_<label>``, cut at the first ``_``. Arguments: ``heavy`` (the label that
    weighs more), ``heavy_weight`` and ``positive_factor`` (what a positive answer multiplies its
    weight by). Under ``v1`` each study's loss is divided by the sum of its own weights, so that a
    study with positives counts no more than one without; under ``fixed`` the weighted losses
    are averaged over rows, as the competition says.

    Raises
    ------
    InvalidSubmissionError
        When a cell is empty, text or outside [0, 1].

    Notes
    -----
    v1: L = (1/S) · Σₛ [Σⱼ wₛⱼlₛⱼ / Σⱼ wₛⱼ] over S studies; fixed: L = (1/n) · Σᵢ wᵢlᵢ over n rows;
    l = -[y ln p + (1 - y) ln(1 - p)], p clipped to [1e-15, 1 - 1e-15].

    References
    ----------
    https://www.kaggle.com/competitions/rsna-2022-cervical-spine-fracture-detection/overview/evaluation

    Examples
    --------
    >>> import pandas as pd
    >>> truth = pd.DataFrame({"id": ["s_all", "s_C1"], "y": [1, 0]})
    >>> guess = pd.DataFrame({"id": ["s_all", "s_C1"], "y": [0.5, 0.5]})
    >>> how = {"heavy": "all", "heavy_weight": 7.0, "positive_factor": 2.0}
    >>> round(score(truth, guess, Context(("y",), how, key=("id",))), 5)  # (14 + 1) ln 2 / 15
    0.69315
    """
    import numpy as np

    (key,), arguments = context.key, context.arguments
    p = numbers(submission, context, limits=(0.0, 1.0))[context.target].clip(CLIP, 1 - CLIP)
    y = answers[context.target]
    loss = -(y * np.log(p) + (1 - y) * np.log(1 - p))
    parts = answers[key].astype(str).str.split("_", n=1)
    is_heavy = parts.str[1] == str(arguments["heavy"])
    weight = 1.0 + (float(arguments["heavy_weight"]) - 1.0) * is_heavy
    weight *= 1.0 + (float(arguments["positive_factor"]) - 1.0) * y
    if context.variant == "fixed":
        return float((weight * loss).mean())
    by_study = (weight * loss).groupby(parts.str[0]).sum() / weight.groupby(parts.str[0]).sum()
    return float(by_study.mean())


METRIC = Metric(name="weighted-multi-label-log-loss", direction="lower", best=0.0, score=score)
