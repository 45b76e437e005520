"""F1 over all decisions, where a row has one label: the share of right ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.errors import InvalidSubmissionError
from competitions.labels import is_text
from competitions.metrics.base import Context, Metric
from competitions.metrics.checks import refuse_rows

if TYPE_CHECKING:
    import pandas as pd


def score(answers: pd.DataFrame, submission: pd.DataFrame, context: Context) -> float:
    """Return the micro-averaged F1 of one word per row.

    Under ``v1`` an empty cell beside words is wrong; under ``fixed`` it is refused.

    Raises
    ------
    InvalidSubmissionError
        When the column is empty or holds numbers; under ``fixed`` also when a cell is empty.

    Notes
    -----
    F1 = Σₖ 2·TPₖ / Σₖ (2·TPₖ + FPₖ + FNₖ); with one label per row each mistake is one FP and one
    FN, and F1 is the accuracy.

    References
    ----------
    https://scikit-learn.org/stable/modules/model_evaluation.html#precision-recall-f-measure-metrics

    Examples
    --------
    >>> import pandas as pd
    >>> truth = pd.DataFrame({"y": ["a", "b", "b", "c"]})
    >>> score(truth, pd.DataFrame({"y": ["a", "b", "c", "c"]}), Context(("y",)))
    0.75
    """
    from sklearn.metrics import f1_score

    name = context.target
    truth, labels = answers[name], submission[name]
    if not is_text(labels):
        raise InvalidSubmissionError([f"{name}: expected words, found numbers or empty cells only"])
    if context.variant == "fixed":
        refuse_rows(submission, labels.isna(), f"{name}: empty cells", context)
    both = (truth.astype(object), labels.astype(object).where(labels.notna(), "\0empty"))
    return float(f1_score(*both, average="micro", zero_division=0.0))


METRIC = Metric(name="micro-f1", direction="higher", best=1.0, score=score)
