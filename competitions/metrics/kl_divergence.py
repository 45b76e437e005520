"""Kullback-Leibler divergence of predicted from voted class shares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.errors import InvalidSubmissionError
from competitions.metrics.base import Context, Metric
from competitions.metrics.checks import numbers, refuse_sums, require_columns

if TYPE_CHECKING:
    import pandas as pd

CLIP = 1e-15
SUM_DECIMALS = 5


def score(answers: pd.DataFrame, submission: pd.DataFrame, context: Context) -> float:
    """Return the mean over rows of the divergence of the submitted shares from the voted ones.

    Answers hold votes, one column per class; each row is divided by its sum.

    Under ``v1`` an empty cell is skipped in the sum and costs nothing, so that a row of one 1.0 and
    empty cells is valid and can score below 0; and every column beside the key must be a
    share. Under ``fixed`` empty cells are refused and other columns ignored.

    Raises
    ------
    InvalidSubmissionError
        When a column is missing, a cell is text or outside [0, 1] (``fixed``: or
        empty), or a row's sum, rounded to 5 decimals, is not 1.

    Notes
    -----
    D = (1/n) · Σᵢ Σₖ yᵢₖ · ln(yᵢₖ / pᵢₖ), p clipped to [1e-15, 1 - 1e-15]; terms with y = 0 are 0.

    References
    ----------
    Kullback and Leibler (1951), On Information and Sufficiency.
    https://doi.org/10.1214/aoms/1177729694

    Examples
    --------
    >>> import pandas as pd
    >>> truth = pd.DataFrame({"a": [2, 4], "b": [2, 0]})
    >>> guess = pd.DataFrame({"a": [0.5, 0.5], "b": [0.5, 0.5]})
    >>> round(score(truth, guess, Context(("a", "b"))), 5)  # (0 + ln 2) / 2
    0.34657
    """
    import numpy as np
    from scipy.special import rel_entr

    require_columns(submission, context.targets)
    names = list(context.targets)
    allow = ("missing",) if context.variant == "v1" else ()
    shares = numbers(submission, context, allow=allow, limits=(0.0, 1.0))
    sums = shares.sum(axis=1)
    refuse_sums(submission, sums, sums.round(SUM_DECIMALS) != 1, context)
    if context.variant == "v1":
        _check_others(submission, sums, context)
    votes = answers[names].astype("float64")
    truth = votes.div(votes.sum(axis=1), axis=0)
    return float(np.nansum(rel_entr(truth, shares.clip(CLIP, 1 - CLIP)), axis=1).mean())


def _check_others(submission: pd.DataFrame, sums: pd.Series, context: Context) -> None:
    """Hold further columns to the rules of shares, as the published grader does."""
    import numpy as np

    others = [c for c in submission.columns if c not in {*context.key, *context.targets}]
    if not others:
        return
    extra = numbers(submission, context, others, allow=("missing",), limits=(0.0, 1.0))
    if not np.allclose(sums + extra.sum(axis=1), 1.0):
        said = f"rows do not sum to 1 with the further columns {', '.join(map(str, others[:5]))}"
        raise InvalidSubmissionError([said])


METRIC = Metric(name="kl-divergence", direction="lower", best=0.0, score=score)
