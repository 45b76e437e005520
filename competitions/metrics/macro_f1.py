"""F1 of each class, averaged so that rare classes count as much as common ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.metrics.base import Context, Metric

if TYPE_CHECKING:
    import pandas as pd


def score(answers: pd.DataFrame, submission: pd.DataFrame, context: Context) -> float:
    """Return the unweighted mean of the classes' F1.

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
    return float(f1_score(truth, labels, average="macro", zero_division=0.0))


METRIC = Metric(name="macro-f1", direction="higher", best=1.0, score=score)
