"""Logarithmic loss of probabilities, one column per class."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from competitions.metrics.base import Context, Metric
from competitions.metrics.checks import check_columns, numbers, refuse_rows, refuse_sums

if TYPE_CHECKING:
    import pandas as pd


def score(answers: pd.DataFrame, submission: pd.DataFrame, context: Context) -> float:
    """Return the mean negative log-likelihood of the true class.

    Answers are one-hot: the true class's column holds 1, every other one 0. Arguments:
    ``sum_tolerance`` (rows whose sum is further from 1 are refused), ``sum_decimals`` (rows whose
    sum, rounded to so many decimals, is not 1 are refused), ``rescale`` (divide each row by its sum
    instead), ``clip`` (ε) and ``columns`` (see `competitions.metrics.checks.check_columns`).

    Raises
    ------
    InvalidSubmissionError
        When a cell is empty, text or outside [0, 1], or a row breaks the rule on sums.

    Notes
    -----
    L = -(1/n) · Σᵢ ln pᵢ(yᵢ), p clipped to [ε, 1 - ε]; ε is the machine epsilon of 64-bit floats,
    2.2e-16, unless the task says otherwise. Rows are not renormalised after clipping.

    References
    ----------
    https://scikit-learn.org/stable/modules/model_evaluation.html#log-loss

    Examples
    --------
    >>> import pandas as pd
    >>> truth = pd.DataFrame({"a": [1, 0], "b": [0, 0], "c": [0, 1]})
    >>> guess = pd.DataFrame({"a": [0.5, 0.25], "b": [0.5, 0.5], "c": [0.0, 0.25]})
    >>> round(score(truth, guess, Context(("a", "b", "c"))), 5)  # (ln 2 + ln 4) / 2
    1.03972
    """
    from sklearn.metrics import log_loss

    check_columns(submission, context)
    probability = numbers(submission, context, limits=(0.0, 1.0))
    sums = probability.sum(axis=1)
    if "sum_tolerance" in context.arguments:
        wrong = (sums - 1).abs() > float(context.arguments["sum_tolerance"])
        refuse_sums(submission, sums, wrong, context)
    if "sum_decimals" in context.arguments:
        wrong = sums.round(int(context.arguments["sum_decimals"])) != 1
        refuse_sums(submission, sums, wrong, context)
    if context.arguments.get("rescale"):
        said = f"{context.targets[0]} … {context.targets[-1]}: rows of zeros"
        refuse_rows(submission, sums == 0, said, context)
        probability = probability.div(sums, axis=0)
    clip = float(context.arguments.get("clip", 0.0))
    probability = probability.clip(clip, 1 - clip)
    with warnings.catch_warnings():  # rows may be off by what the task tolerates
        warnings.filterwarnings("ignore", message=".*sum to one", category=UserWarning)
        return float(log_loss(answers[list(context.targets)].to_numpy(), probability.to_numpy()))


METRIC = Metric(
    name="multi-class-log-loss", direction="lower", best=0.0, score=score, rounding="python"
)
