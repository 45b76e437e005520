"""Area under the receiver operating characteristic curve."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.metrics.base import Context, Metric
from competitions.metrics.checks import numbers

if TYPE_CHECKING:
    import pandas as pd


def score(answers: pd.DataFrame, submission: pd.DataFrame, context: Context) -> float:
    """Return the area under the ROC curve of one column of scores against 0/1 answers.

    Raises
    ------
    InvalidSubmissionError
        When a cell is empty, infinite or text.

    Notes
    -----
    AUC = P(s₁ > s₀) + ½ · P(s₁ = s₀) for the scores s₁ of a random positive row and s₀ of a random
    negative one. Only the order of the scores matters.

    References
    ----------
    Fawcett (2006), An introduction to ROC analysis. https://doi.org/10.1016/j.patrec.2005.10.010

    Examples
    --------
    >>> import pandas as pd
    >>> truth = pd.DataFrame({"p": [0, 0, 1, 1]})
    >>> score(truth, pd.DataFrame({"p": [0.1, 0.4, 0.35, 0.8]}), Context(("p",)))
    0.75
    """
    from sklearn.metrics import roc_auc_score

    truth = answers[context.target]
    if truth.nunique() != 2:  # noqa: PLR2004 - a ROC curve needs both classes
        raise ValueError(f"the answers hold {truth.nunique()} classes where AUC needs two")
    return float(roc_auc_score(truth, numbers(submission, context)[context.target]))


METRIC = Metric(name="auc-roc", direction="higher", best=1.0, score=score)
