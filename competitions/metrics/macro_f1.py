"""F1 of each class, averaged so that rare classes count as much as common ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.labels import LARGEST_WHOLE_FLOAT
from competitions.metrics.base import Context, Metric
from competitions.metrics.checks import refuse_rows, whole_numbers

if TYPE_CHECKING:
    import pandas as pd


def score(answers: pd.DataFrame, submission: pd.DataFrame, context: Context) -> float:
    """Return the unweighted mean of the classes' F1.

    Argument ``labels``: ``int`` for answers that are class numbers. Under ``v1`` fractions are then
    cut towards zero and text is read as Python reads an integer; under ``fixed`` both are refused.

    Raises
    ------
    InvalidSubmissionError
        With ``labels``, when a cell is no class number.

    Notes
    -----
    F1 = (1/K) · Σₖ 2·TPₖ / (2·TPₖ + FPₖ + FNₖ) over the K classes that occur in the answers *or* in
    the submission: a class that the answers do not hold adds a zero when it is predicted.

    References
    ----------
    https://scikit-learn.org/stable/modules/model_evaluation.html#precision-recall-f-measure-metrics

    Examples
    --------
    >>> import pandas as pd
    >>> truth = pd.DataFrame({"y": ["a", "a", "b", "b"]})
    >>> round(score(truth, pd.DataFrame({"y": ["a", "a", "a", "b"]}), Context(("y",))), 5)
    0.73333
    """
    from sklearn.metrics import f1_score

    truth, labels = answers[context.target], submission[context.target]
    if context.arguments.get("labels") == "int":
        strict = context.variant == "fixed"
        reader = whole_numbers if strict else _cut
        labels = reader(submission, context, context.target)
    return float(f1_score(truth, labels, average="macro", zero_division=0.0))


def _cut(submission: pd.DataFrame, context: Context, column: str) -> pd.Series:
    """Read each cell as ``int()`` does."""
    read = submission[column].astype(object).map(_int)
    refuse_rows(submission, read.isna(), f"{column}: cells that are no class number", context)
    return read.astype("int64")


def _int(cell: object) -> int | None:
    try:
        found = int(cell)  # type: ignore[call-overload]
    except (TypeError, ValueError, OverflowError):
        return None
    return found if abs(found) < LARGEST_WHOLE_FLOAT else None


METRIC = Metric(name="macro-f1", direction="higher", best=1.0, score=score)
