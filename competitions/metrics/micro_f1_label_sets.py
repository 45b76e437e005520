"""F1 over all labels of all rows, where a row has any number of labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.errors import InvalidSubmissionError
from competitions.metrics.base import Context, Metric

if TYPE_CHECKING:
    import pandas as pd


def score(answers: pd.DataFrame, submission: pd.DataFrame, context: Context) -> float:
    """Return the micro-averaged F1 of sets of labels, written in one cell, separated by blanks.

    An empty cell is the empty set; a label that is repeated counts once; case matters. Under ``v1``
    labels that no answer has cost nothing, and a column that reads as numbers (one number in
    every row) is refused. Under ``fixed`` such labels are false positives, and a number is a label.

    Raises
    ------
    InvalidSubmissionError
        Under ``v1``, when the column reads as numbers and is not empty throughout.

    Notes
    -----
    F1 = 2·Σᵢ |ŷᵢ ∩ yᵢ| / (Σᵢ |ŷᵢ| + Σᵢ |yᵢ|), sums over rows; 0 when nothing is predicted.

    References
    ----------
    https://scikit-learn.org/stable/modules/model_evaluation.html#precision-recall-f-measure-metrics

    Examples
    --------
    >>> import pandas as pd
    >>> truth = pd.DataFrame({"y": ["a b", "c"]})
    >>> round(score(truth, pd.DataFrame({"y": ["a", "b c"]}), Context(("y",))), 5)  # 2·2 / (3 + 3)
    0.66667
    """
    cells, name = submission[context.target], context.target
    if context.variant == "v1" and cells.dtype.kind in "biuf" and cells.notna().any():
        said = f"{name}: expected labels separated by blanks, found one number in every row"
        raise InvalidSubmissionError([said])
    truth, predicted = label_sets(answers[name]), label_sets(cells)
    known = set().union(*truth)
    if context.variant == "fixed":
        known = known.union(*predicted)
    hits = sum(len(y & p) for y, p in zip(truth, predicted, strict=True))
    total = sum(len(y) for y in truth) + sum(len(p & known) for p in predicted)
    return 2 * hits / total if hits else 0.0


def label_sets(cells: pd.Series) -> list[set[str]]:
    """Cut each cell at its blanks; a missing one is the empty set."""
    present = cells.notna()
    return [set(str(c).split()) if p else set() for c, p in zip(cells, present, strict=True)]


METRIC = Metric(name="micro-f1-label-sets", direction="higher", best=1.0, score=score)
