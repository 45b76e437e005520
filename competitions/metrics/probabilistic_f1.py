"""F1 of probabilities, without a threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.errors import InvalidSubmissionError
from competitions.metrics.base import Context, Metric
from competitions.metrics.checks import numbers

if TYPE_CHECKING:
    import pandas as pd


def score(answers: pd.DataFrame, submission: pd.DataFrame, context: Context) -> float:
    """Return the F1 in which a probability counts as that share of a positive prediction.

    Values are clipped to [0, 1]. Under ``v1`` one empty cell makes the score 0, and a submission
    whose every value is below 0 is invalid. Under ``fixed`` empty cells are refused and values
    below 0 are 0, as anywhere. Answers without a positive have no score: that is the task's fault,
    never the submission's.

    Raises
    ------
    InvalidSubmissionError
        When a cell is text, and as said above.

    Notes
    -----
    pF1 = 2·P·R / (P + R), P = Σᵢ pᵢyᵢ / Σᵢ pᵢ, R = Σᵢ pᵢyᵢ / Σᵢ yᵢ; 0 where P or R is 0 or P
    is not defined.

    References
    ----------
    Yacouby and Axman (2020), Probabilistic Extension of Precision, Recall, and F1 Score.
    https://doi.org/10.18653/v1/2020.eval4nlp-1.9

    Examples
    --------
    >>> import pandas as pd
    >>> truth = pd.DataFrame({"y": [1, 0]})
    >>> score(truth, pd.DataFrame({"y": [0.5, 0.5]}), Context(("y",)))
    0.5
    """
    allow = ("missing", "infinite") if context.variant == "v1" else ("infinite",)
    values = numbers(submission, context, allow=allow)[context.target]
    positive = answers[context.target].astype(bool)
    if not positive.any():
        raise ValueError(f"the answers of {context.target} hold no positive")
    if context.variant == "v1" and values.isna().any():
        return 0.0
    if context.variant == "v1" and (values < 0).all():
        raise InvalidSubmissionError([f"{context.target}: every value is below 0"])
    share = values.clip(0.0, 1.0)
    hit, total = float(share[positive].sum()), float(share.sum())
    if hit == 0.0:
        return 0.0
    precision, recall = hit / total, hit / int(positive.sum())
    return 2 * precision * recall / (precision + recall)


METRIC = Metric(name="probabilistic-f1", direction="higher", best=1.0, score=score)
