"""Labelled points that should lie in labelled boxes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from competitions.metrics.base import Context, Metric
from competitions.metrics.cells import answer_texts, parsed, shown, texts

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_POINT, _BOX = 3, 5  # words: label x y; label x y width height
_PAIRS_AT_ONCE = 1 << 22  # bounds the memory that a hostile cell can take


class Counts(NamedTuple):
    """What one page adds to the score."""

    hits: int
    points: int
    boxes: int


def _split(cell: str, n_words: int) -> tuple[NDArray[np.object_], Floats]:
    """Return labels and numbers, shape (n, words - 1); raises ValueError with a short reason."""
    words = cell.split(" ") if cell else []
    if len(words) % n_words:
        raise ValueError(f"expected {n_words} words each between single blanks, found {len(words)}")
    table = np.array(words, dtype=object).reshape(-1, n_words)
    try:
        return table[:, 0], table[:, 1:].astype(np.float64)
    except ValueError:
        raise ValueError(f"expected numbers after each label, found {shown(cell)}") from None


def hits(points: str, boxes: str) -> Counts:
    """Match the points of a page to its boxes, in order of the boxes.

    A box takes the first free point of its label that lies inside and not on its edge.

    Examples
    --------
    >>> hits("a 2 2 a 3 3 b 9 9", "a 0 0 5 5 b 0 0 5 5")
    Counts(hits=1, points=3, boxes=2)
    """
    labels, at = _split(points, _POINT)
    names, corners = _split(boxes, _BOX)
    codes = {name: n for n, name in enumerate(dict.fromkeys(names))}
    code = np.array([codes.get(label, -1) for label in labels])
    wanted = np.array([codes[name] for name in names])
    low, high = corners[:, :2], corners[:, :2] + corners[:, 2:]
    free = np.ones(len(labels), dtype=bool)
    found, step = 0, max(1, _PAIRS_AT_ONCE // max(1, len(labels)))
    for first in range(0, len(names), step):
        part = slice(first, first + step)
        inside = (low[part, None] < at) & (at < high[part, None])
        fits = inside.all(axis=2) & (wanted[part, None] == code)
        taken = -1
        for box, point in np.argwhere(fits):
            if box != taken and free[point]:
                free[point], taken = False, box
                found += 1
    return Counts(found, len(labels), len(names))


def score(answers: pd.DataFrame, submission: pd.DataFrame, context: Context) -> float:
    """Return the F1 of points over all pages.

    Raises
    ------
    InvalidSubmissionError
        When a cell is not made of ``label x y`` between single blanks, x and y numbers. An empty
        cell is a page without a point.

    Notes
    -----
    F1 = 2·P·R / (P + R), P = Σᵢ hitsᵢ / Σᵢ pointsᵢ, R = Σᵢ hitsᵢ / Σᵢ boxesᵢ over the pages
    (`hits`); 0 where nothing was hit. Truth is ``label x y width height ...``, x and y the upper
    left corner. A point that is no number lies in no box.

    References
    ----------
    https://www.kaggle.com/c/kuzushiji-recognition/overview/evaluation

    Examples
    --------
    >>> import pandas as pd
    >>> truth = pd.DataFrame({"labels": ["U+003F 1 1 10 10 U+30A2 50 50 9 9"]})
    >>> score(truth, pd.DataFrame({"labels": ["U+003F 3 3 U+30A2 1 1"]}), Context(("labels",)))
    0.5
    """
    boxes = answer_texts(answers, context.target)
    cells = texts(submission, context.target, context, missing="")
    pages = parsed(
        submission, context.target, context, cells, lambda row, cell: hits(cell, boxes[row])
    )
    total = Counts(*(sum(counts) for counts in zip(*pages, strict=True)))
    if not total.hits:
        return 0.0
    precision, recall = total.hits / total.points, total.hits / total.boxes
    return 2 * precision * recall / (precision + recall)


METRIC = Metric(name="points-f1", direction="higher", best=1.0, score=score)
