"""Edits between two texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.metrics.base import Context, Metric
from competitions.metrics.cells import answer_texts, texts

if TYPE_CHECKING:
    import pandas as pd


def score(answers: pd.DataFrame, submission: pd.DataFrame, context: Context) -> float:
    """Return the mean number of edits that turn the true text into the submitted one.

    Raises
    ------
    InvalidSubmissionError
        When a cell is empty or no text. With the argument ``as_text: true`` numbers are taken as
        text, and under ``v1`` an empty cell as the word nan, as the published scores do.

    Notes
    -----
    L = (1/n) · Σᵢ d(yᵢ, ŷᵢ); d counts inserted, deleted and substituted characters, each 1. Upper
    and lower case differ, and so does white space.

    References
    ----------
    Levenshtein (1966), Binary codes capable of correcting deletions, insertions and reversals.

    https://rapidfuzz.github.io/RapidFuzz/Usage/distance/Levenshtein.html

    Examples
    --------
    >>> import pandas as pd
    >>> truth = pd.DataFrame({"y": ["kitten", "flaw"]})
    >>> score(truth, pd.DataFrame({"y": ["sitting", "flaw"]}), Context(("y",)))
    1.5
    """
    import numpy as np
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cpdist

    as_text = bool(context.arguments.get("as_text"))
    nan = "nan" if as_text else None
    missing = "nan" if as_text and context.variant == "v1" else None
    predicted = texts(submission, context.target, context, missing=missing, numbers=as_text)
    true = answer_texts(answers, context.target, nan)
    return float(np.mean(cpdist(true, predicted, scorer=Levenshtein.distance, dtype=np.int64)))


METRIC = Metric(name="levenshtein", direction="lower", best=0.0, score=score)
