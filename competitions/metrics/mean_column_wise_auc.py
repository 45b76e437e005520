"""Mean over columns of the area under the ROC curve."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.errors import InvalidSubmissionError
from competitions.metrics.base import Context, Metric
from competitions.metrics.checks import check_columns, numbers
from competitions.submission import key_index

if TYPE_CHECKING:
    import pandas as pd


def score(answers: pd.DataFrame, submission: pd.DataFrame, context: Context) -> float:
    """Return the plain mean of each target's AUC.

    Arguments: ``skip_negative_rows`` (answers whose labels sum to less than 0 are not scored, and
    whatever stands in rows of their keys is accepted), ``by_position`` (under ``v1`` the n-th
    column beside the key is taken for the n-th column of the answers, whatever it is called, and no
    other column may exist) and ``columns`` (see `competitions.metrics.checks.check_columns`).

    Raises
    ------
    InvalidSubmissionError
        When a scored cell is empty, infinite or text, or a column is missing or too many.

    Notes
    -----
    S = (1/K) · Σₖ AUCₖ, AUCₖ = P(s₁ > s₀) + ½ · P(s₁ = s₀) over the rows with yₖ = 1 and yₖ = 0. A
    column with one class has no AUC: that is the task's fault, never the submission's.

    References
    ----------
    https://scikit-learn.org/stable/modules/generated/sklearn.metrics.roc_auc_score.html

    Examples
    --------
    >>> import pandas as pd
    >>> truth = pd.DataFrame({"a": [0, 1, 1], "b": [1, 0, 1]})
    >>> guess = pd.DataFrame({"a": [0.1, 0.9, 0.4], "b": [0.5, 0.5, 0.5]})
    >>> score(truth, guess, Context(("a", "b")))
    0.75
    """
    from sklearn.metrics import roc_auc_score

    check_columns(submission, context)
    names = list(context.targets)
    if context.arguments.get("by_position") and context.variant == "v1":
        submission = _named_by_position(submission, context)
    truth = answers[names]
    if context.arguments.get("skip_negative_rows"):
        truth, submission = _scored(answers, truth, submission, context)
    scores = numbers(submission, context)
    flat = [name for name in names if truth[name].nunique() != 2]  # noqa: PLR2004
    if flat:
        raise ValueError(f"the answers of {', '.join(flat)} do not hold two classes")
    areas = [roc_auc_score(truth[name], scores[name]) for name in names]
    return float(sum(areas) / len(areas))


def _scored(
    answers: pd.DataFrame, truth: pd.DataFrame, submission: pd.DataFrame, context: Context
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Leave out what is not scored, by key on each side: under ``v1`` keys may repeat."""
    is_scored = truth.sum(axis=1) >= 0
    kept = key_index(submission, context.key).isin(key_index(answers[is_scored], context.key))
    if kept.sum() != is_scored.sum():
        said = f"expected {is_scored.sum()} rows that are scored, found {kept.sum()}"
        raise InvalidSubmissionError([f"{', '.join(context.key)}: {said}"])
    return truth[is_scored].reset_index(drop=True), submission[kept].reset_index(drop=True)


def _named_by_position(submission: pd.DataFrame, context: Context) -> pd.DataFrame:
    columns = [name for name in submission.columns if name not in context.key]
    if len(columns) != len(context.targets):
        said = f"expected {len(context.targets)} columns beside the key, found {len(columns)}"
        raise InvalidSubmissionError([said])
    return submission.rename(columns=dict(zip(columns, context.targets, strict=True)))


METRIC = Metric(name="mean-column-wise-auc", direction="higher", best=1.0, score=score)
