"""Ranked suggestions, of which the first k count."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from competitions.metrics.base import Context, Metric
from competitions.metrics.cells import aligned, answer_texts, refusal, texts
from competitions.metrics.checks import check_columns, require_columns

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd


def average_precision(true: set[str], ranked: Sequence[str], k: int) -> float:
    """Return the average precision of the first `k` suggestions.

    A suggestion that was made before earns nothing and uses up its rank.

    Examples
    --------
    >>> average_precision({"a", "b"}, ["x", "a", "a", "b"], k=5)
    0.5
    """
    gained, seen = 0.0, set[str]()
    for rank, item in enumerate(ranked[:k], start=1):
        if item in true and item not in seen:
            seen.add(item)
            gained += len(seen) / rank
    return gained / min(len(true), k) if true else 0.0


def score(answers: pd.DataFrame, submission: pd.DataFrame, context: Context) -> float:
    """Return the mean over rows of the average precision at k.

    Raises
    ------
    InvalidSubmissionError
        When the columns break the argument ``columns``: `competitions.metrics.checks`.

    Notes
    -----
    MAP@k = (1/n) · Σᵢ (1/min(|Tᵢ|, k)) · Σᵣ P(r) over the ranks r ≤ k that hold an item of the true
    set T not suggested before; P(r) is the share of such items among the first r. With one true
    item it is 1/rank. Argument ``k``. Items are compared as text and stand between single blanks:
    a second blank makes an empty item that uses up a rank. An empty cell suggests the word nan, and
    under ``v1`` 7.0, which pandas makes of 7 where another cell is empty, is not the item 7. With
    the argument ``numbers: true`` ``fixed`` compares without leading zeros. With ``superset: true``
    tables come as they were read: see `score_superset`. Argument ``columns``: see
    `competitions.metrics.checks.check_columns`.

    References
    ----------
    Manning, Raghavan and Schütze (2008), Introduction to Information Retrieval, chapter 8.4.
    https://nlp.stanford.edu/IR-book/

    Examples
    --------
    >>> import pandas as pd
    >>> truth = pd.DataFrame({"y": ["w_1", "w_2"]})
    >>> suggested = pd.DataFrame({"y": ["w_3 w_1", "w_2 w_1"]})
    >>> score(truth, suggested, Context(("y",), {"k": 5}))
    0.75
    """
    if context.arguments.get("superset"):
        rest = {k: v for k, v in context.arguments.items() if k != "superset"}
        return score_superset(answers, submission, replace(context, arguments=rest))
    check_columns(submission, context)
    check_columns(submission, context)
    k = int(context.arguments["k"])
    cells = texts(submission, context.target, context, missing="nan", numbers=True)
    rows = list(zip(answer_texts(answers, context.target, "nan"), cells, strict=True))
    if context.variant == "fixed" and context.arguments.get("numbers"):
        rows = [(_without_zeros(true), _without_zeros(ranked)) for true, ranked in rows]
    gained = [average_precision(set(t.split(" ")), r.split(" "), k) for t, r in rows]
    return float(np.mean(gained))


def score_superset(answers: pd.DataFrame, submission: pd.DataFrame, context: Context) -> float:
    """Score tables that are not aligned; the submission may hold further keys, which are dropped.

    Raises
    ------
    InvalidSubmissionError
        When a column or a key of the answers is missing, or (unless the argument ``columns`` says
        otherwise) there are further columns; under ``fixed`` also when a key occurs
        more than once.

    Notes
    -----
    Under ``v1`` both tables are sorted by key and paired row by row, so that a repeated key shifts
    all rows behind it.
    """
    require_columns(submission, context.key)
    strict = {"columns": "exact", **context.arguments}
    check_columns(submission, replace(context, arguments=strict))
    if context.variant == "fixed":
        return score(*aligned(answers, submission, context, superset=True), context)
    (key,) = context.key
    missing = ~answers[key].isin(submission[key])
    if missing.any():
        said = f"{key}: missing keys"
        raise refusal(answers, context, {said: missing.to_numpy().nonzero()[0].tolist()})
    kept = submission[submission[key].isin(answers[key])]
    kept, known = kept.iloc[_order(kept[key])], answers.iloc[_order(answers[key])]
    length = min(len(kept), len(known))
    return score(known[:length], kept[:length], context)


def _order(keys: pd.Series) -> np.ndarray:
    """Sort as pandas 2 sorts text, which is not stable where keys repeat."""
    return keys.astype(object).to_numpy().argsort(kind="quicksort")


def _without_zeros(cell: str) -> str:
    return " ".join(item.lstrip("0") for item in cell.split(" "))


METRIC = Metric(name="map-at-k", direction="higher", best=1.0, score=score)
