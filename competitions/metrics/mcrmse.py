"""Mean over columns of the root mean squared error, at scored positions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.errors import InvalidSubmissionError
from competitions.metrics.base import Context, Metric
from competitions.metrics.checks import numbers, require_columns
from competitions.metrics.pairing import by_key

if TYPE_CHECKING:
    import pandas as pd


def score(answers: pd.DataFrame, submission: pd.DataFrame, context: Context) -> float:
    """Return the plain mean of the scored columns' RMSE over the rows that count.

    Arguments: ``scored`` (the columns that count, separated by blanks; every target must be
    there all the same) and ``mask`` (a column of the answers that is True in the rows that count).
    Without them every target and row counts.

    Under ``v1`` with a key the tables are taken as they were read, because the order of rows
    matters: both are sorted by the key, but *which* of the submission's rows are kept is looked up
    by their number in its own file. Then the kept rows are compared one after the other.

    Raises
    ------
    InvalidSubmissionError
        When columns, rows or keys do not fit, or a cell that counts is empty, infinite or text.

    Notes
    -----
    S = (1/K) · Σₖ √((1/n) · Σᵢ (ŷᵢₖ - yᵢₖ)²) over the K scored columns and the n rows that count.

    References
    ----------
    https://www.kaggle.com/competitions/stanford-covid-vaccine/overview/evaluation

    Examples
    --------
    >>> import pandas as pd
    >>> truth = pd.DataFrame({"a": [0.0, 0.0], "b": [1.0, 1.0], "keep": [True, False]})
    >>> guess = pd.DataFrame({"a": [3.0, 9.0], "b": [2.0, 9.0]})
    >>> score(truth, guess, Context(("a", "b"), {"mask": "keep"}))  # (3 + 1) / 2
    2.0
    """
    from sklearn.metrics import root_mean_squared_error

    require_columns(submission, [*context.key, *context.targets])
    names = str(context.arguments.get("scored", "")).split() or list(context.targets)
    if context.variant == "v1" and context.key:
        answers, submission = _kept_by_position(answers, submission, context)
    elif "mask" in context.arguments:
        kept = answers[str(context.arguments["mask"])]
        answers, submission = answers[kept], submission[kept]
    predicted = numbers(submission, context, names)
    errors = [root_mean_squared_error(answers[name], predicted[name]) for name in names]
    return float(sum(errors) / len(errors))


def _kept_by_position(
    answers: pd.DataFrame, submission: pd.DataFrame, context: Context
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Sort both by the key; a submission's row is kept if the answers' row of its number is."""
    if len(answers) != len(submission):
        raise InvalidSubmissionError([f"expected {len(answers)} rows, found {len(submission)}"])
    name = str(context.arguments.get("mask", ""))
    mask = answers[name].to_numpy() if name else answers.index.notna()
    key = context.key[0]
    marked = [by_key(f.assign(**{"\0kept": mask}), context) for f in (answers, submission)]
    differ = (marked[0][key].astype(object) != marked[1][key].astype(object)).sum()
    if differ:
        raise InvalidSubmissionError([f"{key}: {differ} keys are not those of the test part"])
    first, second = (f[f["\0kept"]].reset_index(drop=True) for f in marked)
    return first, second


METRIC = Metric(name="mcrmse", direction="lower", best=0.0, score=score)
