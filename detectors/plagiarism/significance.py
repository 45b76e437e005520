"""How often an honest solution shares as much with another one of its competition.

Every competition's own documents are the comparison: each is asked for its best match among those
of other authors. Some of them copied, too (about one pair in nine of public notebooks): a document
that holds half of another's solution is no honest one and left out, and what lies above the 60 %
quantile of the others counts only as *at least this high*. An exponential tail is fitted above
their first quartile; what it leaves above a score is the p of that score.

The two quantiles were chosen on the open half of a set of public notebooks, where no p below .001
was an honest file's and one in fifty below .01 (a copy that the labels do not know).

References
----------
.. [1] J. Pickands, "Statistical inference using extreme order statistics", Ann. Statist. 3, 1975.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

MIN_NULL = 20  # honest comparisons below which no p is given
MOST_NULL = 200  # documents of a competition that are asked, spread evenly over all
COPY = 0.5  # score of a document that is a copy itself
_START, _COPIED = 0.25, 0.6  # quantiles of the other scores; above the second more copies may lie
_FLOOR = 1e-6  # what a fitted tail says below this nobody has seen


class Null(NamedTuple):
    """The scores that honest solutions of a competition reach.

    Parameters
    ----------
    scores : ndarray of float, shape (n,), sorted
        Best scores of the competition's documents against other authors', copies left out.
    start : float
        Score from which the tail is fitted.
    above : float
        Share of the scores above `start`.
    mean : float
        Mean of what honest scores have above `start`.
    """

    scores: NDArray[np.float64]
    start: float
    above: float
    mean: float

    def p(self, score: float) -> float:
        """Return the share of honest solutions expected to score as high, above 0.

        Below `start` it is the share that did.
        """
        n = len(self.scores)
        reached = n - int(np.searchsorted(self.scores, score, side="left"))
        if score <= self.start:
            return (reached + 1) / (n + 1)
        return max(_FLOOR, self.above * float(np.exp(-(score - self.start) / self.mean)))


def n_honest(scores: NDArray[np.float32]) -> int:
    """Count the scores that are a comparison: NaN is none, and a copy's is no honest one."""
    return int((scores < COPY).sum())


def null_of(scores: NDArray[np.float32]) -> Null | None:
    """Fit the null to a competition's scores; NaN are none.

    Returns
    -------
    Null or None
        None when there are fewer than `MIN_NULL`.

    Notes
    -----
    Scores are censored at the quantile `_COPIED`: those above count as *at least this high*. The
    maximum of that likelihood is the sum of all excesses over the number of uncensored ones.
    """
    told = np.sort(scores[scores < COPY].astype(np.float64))  # NaN is not below
    if len(told) < MIN_NULL:
        return None
    start, limit = np.quantile(told, [_START, _COPIED])
    excess = told[told > start] - start
    censored = np.minimum(excess, limit - start)
    n_known = max(1, int((excess <= limit - start).sum()))
    mean = max(float(censored.sum()) / n_known, 1e-3)
    return Null(told, float(start), len(excess) / len(told), mean)
