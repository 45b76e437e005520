"""How high the true labels of a clip rank among all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.metrics.base import Context, Metric
from competitions.metrics.checks import check_columns, numbers

if TYPE_CHECKING:
    import pandas as pd


def score(answers: pd.DataFrame, submission: pd.DataFrame, context: Context) -> float:
    """Return the label-weighted label-ranking average precision (lwlrap).

    Answers hold 1 where a label is true. Argument ``columns``: see
    `competitions.metrics.checks.check_columns`.

    Raises
    ------
    InvalidSubmissionError
        When columns do not fit, or a cell is empty, infinite or text.

    Notes
    -----
    S = Σᵢ Σ_{j true in i} Pᵢⱼ / Σᵢ nᵢ with Pᵢⱼ = |true labels that rank at or above j| / rank of j,
    nᵢ true labels in row i. Equal scores share the worst of their ranks.

    References
    ----------
    https://scikit-learn.org/stable/modules/model_evaluation.html#label-ranking-average-precision
    Fonseca et al. (2019), Audio tagging with noisy labels. https://doi.org/10.33682/w13e-5v06

    Examples
    --------
    >>> import pandas as pd
    >>> truth = pd.DataFrame({"a": [1, 0], "b": [0, 1], "c": [0, 1]})
    >>> guess = pd.DataFrame({"a": [0.9, 0.9], "b": [0.1, 0.8], "c": [0.2, 0.7]})
    >>> round(score(truth, guess, Context(("a", "b", "c"))), 5)  # (1 + 1/2 + 2/3) / 3
    0.72222
    """
    from sklearn.metrics import label_ranking_average_precision_score

    check_columns(submission, context)
    scores = numbers(submission, context).to_numpy()
    truth = answers[list(context.targets)].to_numpy()
    labels = truth.sum(axis=1)
    some = labels > 0
    weight = labels[some]
    return float(
        label_ranking_average_precision_score(truth[some], scores[some], sample_weight=weight)
    )


METRIC = Metric(name="label-ranking-average-precision", direction="higher", best=1.0, score=score)
