"""Average precision of boxes of several classes, pooled over all rows."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from competitions.errors import InvalidSubmissionError
from competitions.metrics.base import Context, Metric
from competitions.metrics.cells import answer_texts, parsed, shown, texts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd

_TOKENS = 6  # label, confidence, xmin, ymin, xmax, ymax
_ENOUGH = 0.5  # a matching box has a larger IoU


class Box(NamedTuple):
    """An upright rectangle with its confidence."""

    confidence: float
    x_min: float
    y_min: float
    x_max: float
    y_max: float

    @property
    def area(self) -> float:
        """Width times height; negative where one of them is."""
        return (self.x_max - self.x_min) * (self.y_max - self.y_min)


Boxes = dict[str, list[Box]]  # by label


def iou(a: Box, b: Box) -> float:
    """Return the shared area divided by the united area; 0 where that is not positive.

    Examples
    --------
    >>> iou(Box(1, 0, 0, 2, 2), Box(1, 1, 0, 3, 2))
    0.3333333333333333
    """
    width = max(0, min(a.x_max, b.x_max) - max(a.x_min, b.x_min))
    height = max(0, min(a.y_max, b.y_max) - max(a.y_min, b.y_min))
    union = a.area + b.area - width * height
    return width * height / union if union > 0 else 0.0


def _boxes(text: str) -> Boxes:
    words = text.split()
    if len(words) % _TOKENS:
        raise ValueError(f"expected {_TOKENS} words a box, found {len(words)}")
    found: Boxes = defaultdict(list)
    for first in range(0, len(words), _TOKENS):
        label, *numbers = words[first : first + _TOKENS]
        try:
            found[label].append(Box(*map(float, numbers)))
        except ValueError:
            raise ValueError(f"expected numbers, found {shown(' '.join(numbers))}") from None
    return found


def matched(predicted: Sequence[Box], true: Sequence[Box]) -> list[tuple[int, float]]:
    """Match boxes of one row and class; return (is positive, confidence) for each of them.

    A submitted box, surest first, takes the unmatched true box of largest IoU above 0.5. A hit is
    (1, confidence), a false alarm (0, confidence), a missed box (1, 0); nothing at all is (0, 0).
    """
    if not predicted and not true:
        return [(0, 0.0)]
    pairs: list[tuple[int, float]] = []
    free = list(true)
    for box in sorted(predicted, key=lambda b: b.confidence, reverse=True):
        overlaps = [iou(box, t) for t in free]
        best = max(range(len(free)), key=overlaps.__getitem__, default=None)
        hit = best is not None and overlaps[best] > _ENOUGH
        if hit and best is not None:
            del free[best]
        pairs.append((int(hit), box.confidence))
    return pairs + [(1, 0.0)] * len(free)


def score(answers: pd.DataFrame, submission: pd.DataFrame, context: Context) -> float:
    """Return the mean over classes of the average precision of their boxes.

    Raises
    ------
    InvalidSubmissionError
        When a cell is empty or not made of six words a box; when a confidence of a class in the
        answers is not finite; and under ``v1`` where a class leaves no negative at all.

    Notes
    -----
    A cell is ``label confidence xmin ymin xmax ymax ...`` between white space. Classes are the
    labels of the answers, each weighs the same, and other labels cost nothing. Boxes are matched
    row by row (`matched`) and the pairs of a class pooled: AP = Σ (Rₖ - Rₖ₋₁) · Pₖ by falling
    confidence, not interpolated. A missed box ranks last as a positive of confidence 0, together
    with the rows that have nothing of the class. Where every pair is positive ``fixed`` takes 1.

    References
    ----------
    Everingham et al. (2010), The PASCAL Visual Object Classes Challenge.
    https://doi.org/10.1007/s11263-009-0275-4

    https://scikit-learn.org/stable/modules/generated/sklearn.metrics.average_precision_score.html

    Examples
    --------
    >>> import pandas as pd
    >>> truth = pd.DataFrame({"boxes": ["a 1 0 0 4 4", "b 1 0 0 1 1"]})
    >>> one_of_two = pd.DataFrame({"boxes": ["a 0.9 0 0 4 4", "a 0.5 0 0 1 1"]})
    >>> score(truth, one_of_two, Context(("boxes",)))  # a: 1; b: a missed box among two at 0
    0.75
    """
    truth = [_boxes(cell) for cell in answer_texts(answers, context.target)]
    labels = sorted({label for row in truth for label in row})
    known_labels = set(labels)

    def known(_row: int, cell: str) -> Mapping[str, list[Box]]:
        boxes = {k: v for k, v in _boxes(cell).items() if k in known_labels}
        if not all(math.isfinite(b.confidence) for row in boxes.values() for b in row):
            raise ValueError("a confidence that is not finite")
        return boxes

    cells = texts(submission, context.target, context)
    predicted = parsed(submission, context.target, context, cells, known)
    return float(np.mean([_precision(label, truth, predicted, context) for label in labels]))


def _precision(
    label: str,
    truth: Sequence[Mapping[str, list[Box]]],
    predicted: Sequence[Mapping[str, list[Box]]],
    context: Context,
) -> float:
    from sklearn.metrics import average_precision_score

    pairs = [
        pair
        for t, p in zip(truth, predicted, strict=True)
        for pair in matched(p.get(label, ()), t.get(label, ()))
    ]
    if all(positive for positive, _ in pairs):
        if context.variant == "fixed":
            return 1.0
        raise InvalidSubmissionError(
            [f"{context.target}: no row is without a box {label} and none is a false alarm"]
        )
    positives, confidences = zip(*pairs, strict=True)
    return float(average_precision_score(positives, confidences))


METRIC = Metric(name="boxes-pooled-map", direction="higher", best=1.0, score=score)
