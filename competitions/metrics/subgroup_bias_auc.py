"""AUC over all rows, and over three kinds of rows for each group of people that is mentioned."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.errors import InvalidSubmissionError
from competitions.metrics.base import Context, Metric
from competitions.metrics.checks import numbers

if TYPE_CHECKING:
    import pandas as pd

THRESHOLD = 0.5
POWER = -5
WEIGHT = 0.25


def score(answers: pd.DataFrame, submission: pd.DataFrame, context: Context) -> float:
    """Return the mean of the overall AUC and of three power means of AUCs per subgroup.

    Arguments: ``truth`` (the answers' column, at 0.5 and above positive; default the target) and
    ``groups`` (the answers' columns of the subgroups, separated by blanks, at 0.5 and above a
    member; an empty cell is none).

    Under ``v1`` a column called like the answers' may stand for the target; the predictions are
    cut at 0.5 before any AUC, and empty cells count as below. Under ``fixed`` the predictions rank
    as they are, and empty cells are refused. An AUC of 0 makes its power mean 0 (scikit-learn 1.5;
    with 1.7 the published grader divides by zero there and gives no score).

    Raises
    ------
    InvalidSubmissionError
        When a cell is text, and as said above.

    Notes
    -----
    S = ¼·AUC + ¼ · Σₜ Mₜ over the three kinds t of AUCs, Mₜ = ((1/G) · Σ_g AUC_{g,t}⁻⁵)^(-1/5) over
    G groups. Kinds of rows: all of the group; negatives of the group with positives outside it;
    positives of the group with negatives outside it.

    References
    ----------
    Borkan et al. (2019), Nuanced Metrics for Measuring Unintended Bias.
    https://doi.org/10.1145/3308560.3317593

    Examples
    --------
    >>> import pandas as pd
    >>> truth = pd.DataFrame({"y": [0, 1, 0, 1], "g": [1.0, 1.0, 0.0, 0.0]})
    >>> guess = pd.DataFrame({"y": [0.1, 0.9, 0.2, 0.7]})
    >>> score(truth, guess, Context(("y",), {"groups": "g"}))
    1.0
    """
    column = str(context.arguments.get("truth", context.target))
    positive = answers[column] >= THRESHOLD
    values = _predicted(submission, column, context)
    members = [answers[g] >= THRESHOLD for g in str(context.arguments["groups"]).split()]
    total = WEIGHT * _area(positive, values, positive.notna())
    for kind in ("subgroup", "negatives", "positives"):
        areas = []
        for member in members:
            crossed = member != positive if kind == "negatives" else member == positive
            rows = member if kind == "subgroup" else crossed
            areas.append(_area(positive, values, rows))
        total += WEIGHT * _power_mean(areas)
    return total


def _predicted(submission: pd.DataFrame, column: str, context: Context) -> pd.Series:
    name = context.target
    if context.variant == "fixed":
        return numbers(submission, context, [name])[name]
    if column != name and {column, name} <= set(submission.columns):
        raise InvalidSubmissionError([f"both {name} and {column} are there; one of them is enough"])
    name = column if name not in submission.columns and column in submission.columns else name
    read = numbers(submission, context, [name], allow=("missing", "infinite"))[name]
    return (read >= THRESHOLD).astype(int)


def _area(positive: pd.Series, values: pd.Series, rows: pd.Series) -> float:
    from sklearn.metrics import roc_auc_score

    if positive[rows].nunique() != 2:  # noqa: PLR2004 - a ROC curve needs both classes
        raise ValueError("the answers hold a subgroup with one class where AUC needs two")
    return float(roc_auc_score(positive[rows], values[rows]))


def _power_mean(areas: list[float]) -> float:
    if min(areas) == 0:
        return 0.0
    return float((sum(a**POWER for a in areas) / len(areas)) ** (1 / POWER))


METRIC = Metric(name="subgroup-bias-auc", direction="higher", best=1.0, score=score)
