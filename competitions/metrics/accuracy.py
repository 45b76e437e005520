"""Share of rows whose label is right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.errors import InvalidSubmissionError
from competitions.labels import is_text, label_problem
from competitions.metrics.base import Context, Metric

if TYPE_CHECKING:
    import pandas as pd


def score(answers: pd.DataFrame, submission: pd.DataFrame, context: Context) -> float:
    """Return the share of rows whose label equals the answer.

    Raises
    ------
    InvalidSubmissionError
        When the labels are missing, fractional, or words where the answers are none: see
        `competitions.labels.label_problem`.

    Notes
    -----
    A = (1/n) · Σᵢ [ŷᵢ = yᵢ]. ``True``, 1 and 1.0 are the same label. Under ``v1`` a column of three
    or more different words against answers that are no words counts as wrong in every row, a
    valid 0.0, because the published scores were made that way (scikit-learn 1.5 to 1.7).

    References
    ----------
    https://scikit-learn.org/stable/modules/model_evaluation.html#accuracy-score

    Examples
    --------
    >>> import pandas as pd
    >>> truth = pd.DataFrame({"y": [True, False, True, True]})
    >>> score(truth, pd.DataFrame({"y": [1, 0, 0, 1]}), Context(("y",)))
    0.75
    """
    truth, labels = answers[context.target], submission[context.target]
    if is_text(truth):
        if labels.isna().any():
            raise InvalidSubmissionError([f"{context.target}: empty cells ({labels.isna().sum()})"])
        return float((truth.to_numpy() == labels.to_numpy()).mean())
    problem = label_problem(labels, words_count_as_wrong=context.variant == "v1")
    if problem:
        raise InvalidSubmissionError([f"{context.target}: {problem}"])
    if is_text(labels):
        return 0.0
    return float((truth.to_numpy() == labels.to_numpy()).mean())


METRIC = Metric(name="accuracy", direction="higher", best=1.0, score=score)
