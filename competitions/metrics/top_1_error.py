"""Share of rows whose first guess is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.labels import LARGEST_WHOLE_FLOAT
from competitions.metrics.base import Context, Metric
from competitions.metrics.checks import refuse_rows

if TYPE_CHECKING:
    import pandas as pd


def score(answers: pd.DataFrame, submission: pd.DataFrame, context: Context) -> float:
    """Return the share of rows whose first class number is not the answer.

    A cell is one class number, or several in a ranking, separated by blanks; only the first counts.

    Raises
    ------
    InvalidSubmissionError
        When a cell is empty, does not begin with a whole number, or is a float such as 3.0 (one
        empty cell makes a column of numbers floats).

    Notes
    -----
    E = 1 - (1/n) · Σᵢ [ŷᵢ = yᵢ].

    References
    ----------
    https://www.kaggle.com/competitions/inaturalist-2019-fgvc6/overview/evaluation

    Examples
    --------
    >>> import pandas as pd
    >>> truth = pd.DataFrame({"y": [3, 5]})
    >>> score(truth, pd.DataFrame({"y": ["3 5 7", "3 5 7"]}), Context(("y",)))
    0.5
    """
    from sklearn.metrics import accuracy_score

    name = context.target
    first = submission[name].map(first_class)
    said = f"{name}: cells that do not begin with a whole number"
    refuse_rows(submission, first.isna(), said, context)
    return float(1 - accuracy_score(answers[name], first.astype("int64")))


def first_class(cell: object) -> float | None:
    """Read the first class number of a cell; None when there is none.

    Examples
    --------
    >>> first_class("12 7"), first_class(12), first_class("x 7"), first_class(12.0)
    (12, 12, None, None)
    """
    import numpy as np

    if isinstance(cell, str):
        cell = (cell.split() or [""])[0]
    elif not isinstance(cell, (int, np.integer, np.bool_)):
        return None
    try:
        found = int(cell)
    except ValueError:
        return None
    return found if abs(found) < LARGEST_WHOLE_FLOAT else None


METRIC = Metric(name="top-1-error", direction="lower", best=0.0, score=score, rounding="python")
