"""Words that two texts share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from competitions.metrics.base import Context, Metric
from competitions.metrics.cells import answer_texts, refusal, texts

if TYPE_CHECKING:
    import pandas as pd


def score(answers: pd.DataFrame, submission: pd.DataFrame, context: Context) -> float:
    """Return the mean over rows of shared words to all words.

    Raises
    ------
    InvalidSubmissionError
        When a cell is no text (unless the argument ``as_text`` is true), and where both texts are
        without words under ``v1`` with the argument ``both_empty: refused``.

    Notes
    -----
    J = (1/n) · Σᵢ |Aᵢ ∩ Bᵢ| / |Aᵢ ∪ Bᵢ|, A and B the sets of lower-cased words between white space;
    an empty cell has none. Where both sets are empty the ratio is undefined: the published scores
    take 0 (argument ``both_empty: zero``, the default) or refuse the whole submission
    (``refused``); ``fixed`` takes 1, for the texts agree.

    References
    ----------
    Jaccard (1912), The distribution of the flora in the alpine zone.
    https://doi.org/10.1111/j.1469-8137.1912.tb05611.x

    Examples
    --------
    >>> import pandas as pd
    >>> truth = pd.DataFrame({"y": ["a good day", "no"]})
    >>> score(truth, pd.DataFrame({"y": ["Good day", "yes"]}), Context(("y",)))
    0.3333333333333333
    """
    as_text = bool(context.arguments.get("as_text"))
    predicted = texts(submission, context.target, context, missing="", numbers=as_text)
    counts = [
        _count(p, t) for p, t in zip(predicted, answer_texts(answers, context.target), strict=True)
    ]
    neither = [row for row, (_, united) in enumerate(counts) if not united]
    refused = context.variant == "v1" and context.arguments.get("both_empty") == "refused"
    if neither and refused:
        said = f"{context.target}: no words where the answer has none either"
        raise refusal(submission, context, {said: neither})
    agree = 0.0 if context.variant == "v1" else 1.0
    return float(np.mean([shared / united if united else agree for shared, united in counts]))


def _count(first: str, second: str) -> tuple[int, int]:
    """Count the words that two texts share and those they have together."""
    a, b = set(first.lower().split()), set(second.lower().split())
    shared = len(a & b)
    return shared, len(a) + len(b) - shared


METRIC = Metric(name="word-jaccard", direction="higher", best=1.0, score=score)
