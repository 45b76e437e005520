"""Order of cells, pooled over notebooks."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from competitions.metrics.base import Context, Metric
from competitions.metrics.cells import answer_texts, parsed, texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd


def count_inversions(ranks: Sequence[int]) -> int:
    """Count pairs that stand in the wrong order.

    Examples
    --------
    >>> count_inversions([2, 0, 1])
    2
    """
    seen: list[int] = []
    inversions = 0
    for n, rank in enumerate(ranks):
        place = bisect_right(seen, rank)
        inversions += n - place
        seen.insert(place, rank)
    return inversions


def score(answers: pd.DataFrame, submission: pd.DataFrame, context: Context) -> float:
    """Return Kendall's tau between true and submitted orders, pooled over all rows.

    Raises
    ------
    InvalidSubmissionError
        When a row's items are not a permutation of the true ones.

    Notes
    -----
    K = 1 - 4 · Σᵢ Sᵢ / Σᵢ nᵢ(nᵢ - 1); Sᵢ is the number of pairs of row i that stand in the wrong
    order and nᵢ its number of items. It is one ratio of sums and not a mean of taus, so that long
    rows weigh more. A right order scores 1, a reversed one -1. Items are words between white space.

    References
    ----------
    Kendall (1938), A new measure of rank correlation. https://doi.org/10.1093/biomet/30.1-2.81

    Examples
    --------
    >>> import pandas as pd
    >>> truth = pd.DataFrame({"y": ["a b c"]})
    >>> round(score(truth, pd.DataFrame({"y": ["a c b"]}), Context(("y",))), 5)
    0.33333
    """
    orders = [cell.split() for cell in answer_texts(answers, context.target, "nan")]

    def inversions(row: int, cell: str) -> int:
        items, order = cell.split(), orders[row]
        if len(items) != len(order):
            raise ValueError("expected every item once, found more or fewer items")
        rank = {item: n for n, item in reversed(list(enumerate(items)))}
        if not rank.keys() >= set(order):
            raise ValueError("expected every item once, found repeated or unknown items")
        return count_inversions([rank[item] for item in order])

    cells = texts(submission, context.target, context, missing="nan", numbers=True)
    counts = parsed(submission, context.target, context, cells, inversions)
    n_ordered = sum(len(order) * (len(order) - 1) for order in orders)
    if not n_ordered:
        raise ValueError("no row of the answers has two items to order")
    return 1 - 4 * sum(counts) / n_ordered


METRIC = Metric(name="kendall-tau", direction="higher", best=1.0, score=score)
