"""Linear correlation."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from competitions.errors import InvalidSubmissionError
from competitions.metrics.base import Context, Metric
from competitions.metrics.checks import numbers

if TYPE_CHECKING:
    import pandas as pd


def score(answers: pd.DataFrame, submission: pd.DataFrame, context: Context) -> float:
    """Return Pearson's r between numbers and answers.

    Under ``v1`` a constant column, and one with empty or infinite cells, scores NaN, which the
    published results count as valid. Under ``fixed`` all of them are refused.

    Raises
    ------
    InvalidSubmissionError
        When a cell is text; under ``fixed`` also when it is empty or infinite, or every row holds
        the same value.

    Notes
    -----
    r = Σᵢ (ŷᵢ - m̂)(yᵢ - m) / √(Σᵢ (ŷᵢ - m̂)² · Σᵢ (yᵢ - m)²) with the means m̂ and m. Neither unit
    nor offset of the submitted numbers matters.

    References
    ----------
    https://docs.scipy.org/doc/scipy/reference/generated/scipy.stats.pearsonr.html

    Examples
    --------
    >>> import pandas as pd
    >>> truth = pd.DataFrame({"y": [0.0, 1.0, 2.0]})
    >>> round(score(truth, pd.DataFrame({"y": [1.0, 1.0, 4.0]}), Context(("y",))), 5)
    0.86603
    """
    import numpy as np
    from scipy.stats import pearsonr

    allow = ("missing", "infinite") if context.variant == "v1" else ()
    predicted = numbers(submission, context, allow=allow)[context.target]
    if not np.isfinite(predicted).all():
        return float("nan")
    if (predicted == predicted.iloc[0]).all():
        if context.variant == "v1":
            return float("nan")
        said = f"{context.target}: the same value in every row, and a correlation needs two"
        raise InvalidSubmissionError([said])
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # nearly constant input
        return float(pearsonr(answers[context.target], predicted).statistic)


METRIC = Metric(name="pearson", direction="higher", best=1.0, score=score)
