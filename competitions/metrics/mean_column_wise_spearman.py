"""Mean over columns of the rank correlation."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from competitions.errors import InvalidSubmissionError
from competitions.metrics.base import Context, Metric
from competitions.metrics.checks import check_columns, numbers

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    Floats = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


def score(answers: pd.DataFrame, submission: pd.DataFrame, context: Context) -> float:
    """Return the plain mean of each target's Spearman ρ.

    Argument ``columns``: see `competitions.metrics.checks.check_columns`. Under ``v1`` a constant
    column and one with an empty cell score NaN, the whole too, and a column of text is ranked as
    text. Under ``fixed`` all three are refused.

    Raises
    ------
    InvalidSubmissionError
        When columns do not fit; under ``fixed`` also when a cell is empty, infinite or
        text, or a column holds one value only.

    Notes
    -----
    S = (1/K) · Σₖ ρₖ, ρₖ Pearson's r of the ranks; equal values share the mean of their ranks.

    References
    ----------
    https://docs.scipy.org/doc/scipy/reference/generated/scipy.stats.spearmanr.html

    Examples
    --------
    >>> import pandas as pd
    >>> truth = pd.DataFrame({"a": [0.0, 0.5, 1.0], "b": [0.0, 0.5, 1.0]})
    >>> guess = pd.DataFrame({"a": [0.1, 0.2, 9.0], "b": [0.2, 0.1, 0.3]})
    >>> round(score(truth, guess, Context(("a", "b"))), 5)
    0.75
    """
    check_columns(submission, context)
    strict = context.variant == "fixed"
    values = numbers(submission, context) if strict else submission[list(context.targets)]
    flat = [name for name in context.targets if (values[name] == values[name].iloc[0]).all()]
    if strict and flat:
        said = "the same value in every row, and a correlation needs two"
        raise InvalidSubmissionError([f"{name}: {said}" for name in flat])
    found = [_rho(values[name], answers[name]) for name in context.targets]
    return float(sum(found) / len(found))


def _rho(values: pd.Series, truth: pd.Series) -> float:
    import numpy as np
    from scipy.stats import rankdata, spearmanr

    if values.isna().any():
        return float("nan")
    if values.dtype.kind not in "biuf":  # text has an order, too
        _, codes = np.unique(values.to_numpy(dtype=str), return_inverse=True)
        return _correlation(rankdata(codes), rankdata(truth))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # constant input
        return float(spearmanr(values, truth).statistic)


def _correlation(first: Floats, second: Floats) -> float:
    import numpy as np

    with np.errstate(all="ignore"):
        return float(np.corrcoef(first, second)[0, 1])


METRIC = Metric(name="mean-column-wise-spearman", direction="higher", best=1.0, score=score)
