"""Pair rows as published graders do that never compare keys.

Metrics take aligned tables. Some graders of MLE-bench v1 pair rows in another way; the argument
``pairing`` of such a task's metric says how, and grading does it in place of aligning by key.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.errors import InvalidSubmissionError
from competitions.metrics.checks import require_columns

if TYPE_CHECKING:
    import pandas as pd

    from competitions.metrics.base import Context


def paired(
    answers: pd.DataFrame, submission: pd.DataFrame, context: Context
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return both tables row by row, paired as the argument ``pairing`` says under ``v1``.

    ``position``: in the order of the files, keys unread. ``sorted``: each sorted by the key, keys
    not compared. ``sorted-known``: the same, and every submitted key is one of the answers',
    however often. ``sorted-set``: the same, and both hold the same set of keys. ``joined``: each
    row of a key with each of the other table, so that a repeated key counts more than once; both
    hold the same set of keys. Without the argument, and under ``fixed``, the tables are aligned
    already.

    Raises
    ------
    InvalidSubmissionError
        When the number of rows or the keys do not fit.
    """
    how = context.arguments.get("pairing")
    if how is None or context.variant == "fixed":
        return answers, submission
    if how != "position":
        require_columns(submission, context.key)
    if how in {"joined", "sorted-set"}:
        _same_keys(answers, submission, context)
    if how == "joined":
        return _joined(answers, submission, context)
    if len(answers) != len(submission):
        raise InvalidSubmissionError([f"expected {len(answers)} rows, found {len(submission)}"])
    if how == "position":
        return answers.reset_index(drop=True), submission.reset_index(drop=True)
    if how == "sorted-known" and _as_objects(submission[context.key[0]]).is_monotonic_increasing:
        return by_key(answers, context), submission.reset_index(drop=True)  # ties stay as they are
    return by_key(answers, context), by_key(submission, context)


def by_key(frame: pd.DataFrame, context: Context) -> pd.DataFrame:
    """Sort by the key as the published graders do: ties in no particular order.

    Raises
    ------
    InvalidSubmissionError
        When keys of different types cannot be sorted.
    """
    try:
        return frame.sort_values(context.key[0], key=_as_objects).reset_index(drop=True)
    except TypeError as error:
        said = f"{context.key[0]}: numbers and text among the keys cannot be sorted"
        raise InvalidSubmissionError([said]) from error


def _as_objects(keys: pd.Series) -> pd.Series:
    """Take text out of Arrow, which brings ties into another order than the published graders."""
    from pandas.api.types import is_string_dtype

    return keys.astype(object) if is_string_dtype(keys) else keys


def _same_keys(answers: pd.DataFrame, submission: pd.DataFrame, context: Context) -> None:
    key = context.key[0]
    expected, found = set(answers[key]), set(submission[key])
    if expected != found:
        said = f"{len(expected - found)} keys missing, {len(found - expected)} unknown"
        raise InvalidSubmissionError([f"{key}: expected the keys of the test part, found {said}"])


def _joined(
    answers: pd.DataFrame, submission: pd.DataFrame, context: Context
) -> tuple[pd.DataFrame, pd.DataFrame]:
    import pandas as pd

    key = context.key[0]
    left = pd.DataFrame({"key": answers[key].astype(object), "left": range(len(answers))})
    right = pd.DataFrame({"key": submission[key].astype(object), "right": range(len(submission))})
    rows = left.merge(right, on="key")
    first, second = answers.iloc[rows["left"]], submission.iloc[rows["right"]]
    return first.reset_index(drop=True), second.reset_index(drop=True)
