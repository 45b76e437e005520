"""Edits between sequences of labels, per true label."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.metrics.base import Context, Metric
from competitions.metrics.cells import answer_texts, parsed, shown, texts

if TYPE_CHECKING:
    import pandas as pd


def _labels(_row: int, cell: str) -> list[int]:
    try:
        return [int(word) for word in cell.split()]
    except ValueError:
        raise ValueError(f"expected whole numbers between blanks, found {shown(cell)}") from None


def score(answers: pd.DataFrame, submission: pd.DataFrame, context: Context) -> float:
    """Return the edits over all rows divided by the number of true labels.

    Raises
    ------
    InvalidSubmissionError
        When a cell is empty or holds anything but whole numbers between white space. Blanks alone
        are an empty sequence.

    Notes
    -----
    E = Σᵢ d(yᵢ, ŷᵢ) / Σᵢ |yᵢ|; d counts inserted, deleted and substituted labels, each 1. It is a
    ratio of sums, so long rows weigh more, and it exceeds 1 where too many labels are submitted.
    Any whole number is a label, and any length is taken. A number as pandas wrote it is a sequence
    of one label; under ``v1`` 3.0 (one cell of a column of numbers is empty) is none.

    References
    ----------
    Escalera et al. (2013), Multi-modal Gesture Recognition Challenge 2013: Dataset and Results.
    https://doi.org/10.1145/2522848.2532595

    Examples
    --------
    >>> import pandas as pd
    >>> truth = pd.DataFrame({"y": ["1 2 3", "4"]})
    >>> score(truth, pd.DataFrame({"y": ["1 3", "5"]}), Context(("y",)))
    0.5
    """
    from rapidfuzz.distance import Levenshtein

    cells = texts(submission, context.target, context, numbers=True)
    predicted = parsed(submission, context.target, context, cells, _labels)
    true = [_labels(0, cell) for cell in answer_texts(answers, context.target, "nan")]
    edits = sum(Levenshtein.distance(t, p) for t, p in zip(true, predicted, strict=True))
    return edits / sum(map(len, true))


METRIC = Metric(name="sequence-error-rate", direction="lower", best=0.0, score=score)
