"""Average precision of upright 3D boxes, averaged over scenes and IoU thresholds."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from competitions.metrics.base import Context, Metric
from competitions.metrics.cells import answer_texts, parsed, shown, texts

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

THRESHOLDS = (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)
_TOKENS = 9  # confidence, centre, width, length, height, yaw, class
_X, _Y, _Z, _WIDTH, _LENGTH, _HEIGHT, _YAW = range(7)
_PAIRS_AT_ONCE = 1 << 16  # bounds the memory that a hostile cell can take
_SKEW = 1e-8  # the published grader takes no box whose corners are computed less square than this


class _Boxes(NamedTuple):
    """Boxes of one scene and class.

    Parameters
    ----------
    confidence : list of float
        One per box.
    boxes : array of shape (n, 7)
        Centre x, y, z, width, length, height, yaw in radians.
    """

    confidence: list[float]
    boxes: Floats


def _scene(text: str) -> dict[str, _Boxes]:
    """Read a cell; raises ValueError with a short reason."""
    words = text.split(" ") if text.strip() else []
    if len(words) % _TOKENS:
        raise ValueError(
            f"expected {_TOKENS} words a box between single blanks, found {len(words)}"
        )
    found: dict[str, tuple[list[float], list[list[float]]]] = {}
    for first in range(0, len(words), _TOKENS):
        *numbers, name = words[first : first + _TOKENS]
        try:
            confidence, *box = map(float, numbers)
        except ValueError:
            raise ValueError(f"expected numbers, found {shown(' '.join(numbers))}") from None
        if math.isinf(box[_YAW]):
            raise ValueError("an infinite yaw")
        scores, boxes = found.setdefault(name, ([], []))
        scores.append(confidence)
        boxes.append(box)
    return {name: _Boxes(scores, np.array(boxes)) for name, (scores, boxes) in found.items()}


def _corners(boxes: Floats) -> Floats:
    """Return the footprint's corners in order, shape (n, 4, 2)."""
    along = np.stack([np.cos(boxes[:, _YAW]), np.sin(boxes[:, _YAW])], axis=1)
    across = along[:, ::-1] * [1, -1]
    along, across = along * boxes[:, [_LENGTH]] / 2, across * boxes[:, [_WIDTH]] / 2
    sides = [along + across, along - across, -along - across, across - along]
    return boxes[:, None, :2] + np.stack(sides, axis=1)


def _box_problem(boxes: Floats, variant: str) -> str | None:
    """Say why boxes of a class that the truth holds cannot be compared."""
    if np.isnan(boxes).any():
        return "a coordinate, size or yaw that is no number"
    if (boxes[:, [_WIDTH, _LENGTH, _HEIGHT]] <= 0).any():
        return "a size that is not positive"
    if variant == "fixed":
        return None if np.isfinite(boxes).all() else "an infinite coordinate or size"
    with np.errstate(all="ignore"):
        corners = _corners(boxes)
        edges = np.roll(corners, -1, axis=1) - corners
        skew = np.abs((edges * np.roll(edges, -1, axis=1)).sum(axis=2))
    return None if (skew <= _SKEW).all() else "a box too large or too far away to be computed"


def _clip(polygon: Floats, signed: Floats) -> Floats:
    """Cut convex polygons, shape (n, v, 2), to where `signed`, shape (n, v), is not negative.

    Returns shape (n, w, 2) with the corners of the largest; one with fewer repeats its last. Where
    nothing is left all corners are one point. A line meets a convex polygon twice, but rounding may
    put corners that lie on the line on either side of it, so that there can be more crossings.
    """
    following, signed_next = np.roll(polygon, -1, axis=1), np.roll(signed, -1, axis=1)
    inside = signed >= 0
    crosses = inside != (signed_next >= 0)
    part = signed / np.where(crosses, signed - signed_next, 1.0)
    crossing = polygon + part[..., None] * (following - polygon)
    n, v, _ = polygon.shape
    points = np.stack([polygon, crossing], axis=2).reshape(n, 2 * v, 2)
    kept = np.stack([inside, crosses], axis=2).reshape(n, 2 * v)
    count = kept.sum(axis=1)
    width = int(count.max(initial=1))
    order = np.argsort(~kept, axis=1, kind="stable")[:, :width]
    order = np.take_along_axis(
        order, np.minimum(np.arange(width), np.maximum(count - 1, 0)[:, None]), axis=1
    )
    return np.take_along_axis(points, order[..., None], axis=1)


def footprint_overlap(a: Floats, b: Floats) -> Floats:
    """Return the area that the footprints of boxes share, pair by pair.

    Parameters
    ----------
    a, b : array of shape (n, 7)
        See `_Boxes`.

    Examples
    --------
    >>> square = np.array([[5.0, 5, 0, 2, 2, 1, 0]])
    >>> turned = np.array([[5.0, 5, 0, 2, 2, 1, np.pi / 4]])
    >>> footprint_overlap(square, turned).round(5)  # a regular octagon: 8 · (√2 - 1)
    array([3.31371])
    """
    polygon = _corners(a) - b[:, None, :2]
    cos, sin = np.cos(b[:, _YAW])[:, None], np.sin(b[:, _YAW])[:, None]
    x, y = polygon[..., 0], polygon[..., 1]
    polygon = np.stack([x * cos + y * sin, y * cos - x * sin], axis=2)  # b is upright here
    for axis, size in ((0, _LENGTH), (1, _WIDTH)):
        for sign in (1, -1):
            polygon = _clip(polygon, b[:, [size]] / 2 - sign * polygon[..., axis])
    x, y = polygon[..., 0], polygon[..., 1]
    twice: Floats = (x * np.roll(y, -1, axis=1) - y * np.roll(x, -1, axis=1)).sum(axis=1)
    return np.abs(twice) / 2


def _iou(predicted: Floats, true: Floats) -> Floats:
    """Return the IoU of every pair, shape (n predicted, n true)."""
    n, m = len(predicted), len(true)
    a, b = np.repeat(predicted, m, axis=0), np.tile(true, (n, 1))
    reach = (np.hypot(a[:, _WIDTH], a[:, _LENGTH]) + np.hypot(b[:, _WIDTH], b[:, _LENGTH])) / 2
    near = np.hypot(a[:, _X] - b[:, _X], a[:, _Y] - b[:, _Y]) <= reach
    top = np.minimum(a[:, _Z] + a[:, _HEIGHT] / 2, b[:, _Z] + b[:, _HEIGHT] / 2)
    bottom = np.maximum(a[:, _Z] - a[:, _HEIGHT] / 2, b[:, _Z] - b[:, _HEIGHT] / 2)
    height = np.maximum(top - bottom, 0)
    near &= height > 0
    shared = np.zeros(n * m)
    shared[near] = footprint_overlap(a[near], b[near]) * height[near]
    volume = [c[:, _WIDTH] * c[:, _LENGTH] * c[:, _HEIGHT] for c in (a, b)]
    return np.clip(shared / (volume[0] + volume[1] - shared), 0, 1).reshape(n, m)


def _average_precision(hits: NDArray[np.bool_], n_true: int) -> float:
    """Return the area under the envelope of precision over recall; `hits` by confidence."""
    found = np.cumsum(hits)
    recall = np.concatenate([[0.0], found / n_true])
    precision = found / np.arange(1, len(hits) + 1)
    envelope = np.maximum.accumulate(precision[::-1])[::-1]
    return float((np.diff(recall) * envelope).sum())


def _class_precisions(predicted: _Boxes, true: Floats) -> list[float]:
    """Return the average precision at each threshold."""
    scores = predicted.confidence
    order = sorted(range(len(scores)), key=scores.__getitem__, reverse=True)
    boxes = predicted.boxes[order]
    best, largest = np.zeros(len(boxes), dtype=np.int64), np.zeros(len(boxes))
    step = max(1, _PAIRS_AT_ONCE // len(true))
    for first in range(0, len(boxes), step):
        part = slice(first, first + step)
        with np.errstate(all="ignore"):
            iou = _iou(boxes[part], true)
        best[part], largest[part] = iou.argmax(axis=1), iou.max(axis=1)
    found = []
    for threshold in THRESHOLDS:
        passed = np.flatnonzero(largest > threshold)
        hits = np.zeros(len(order), dtype=bool)
        hits[passed[np.unique(best[passed], return_index=True)[1]]] = True
        found.append(_average_precision(hits, len(true)))
    return found


def score(answers: pd.DataFrame, submission: pd.DataFrame, context: Context) -> float:
    """Return the mean average precision of 3D boxes.

    Raises
    ------
    InvalidSubmissionError
        When a cell is not made of nine words a box, or a box of a class that the scene holds has no
        numbers or no size; under ``fixed`` also for a confidence that is no number.

    Notes
    -----
    A cell is ``confidence x y z width length height yaw class ...`` between single blanks; an empty
    cell is no box. Per scene, threshold t = 0.5, 0.55, ..., 0.95 and class *of the scene's truth*:
    submitted boxes, surest first, each take the true box of largest IoU; it is a hit when that IoU
    exceeds t and nothing took the box before. AP = Σ Δrecall · max precision at that recall or
    above. The score is the mean of AP over classes, then over thresholds and scenes. Classes that
    the scene does not hold cost nothing. IoU = shared volume / united volume, boxes turned about
    the vertical axis by yaw.

    References
    ----------
    https://www.kaggle.com/c/3d-object-detection-for-autonomous-vehicles/overview/evaluation

    Sutherland and Hodgman (1974), Reentrant polygon clipping. https://doi.org/10.1145/360767.360802

    Examples
    --------
    >>> import pandas as pd
    >>> truth = pd.DataFrame({"boxes": ["1 0 0 0 2 4 2 0 car"]})
    >>> moved = pd.DataFrame({"boxes": ["0.9 1 0 0 2 4 2 0 car"]})  # IoU 12/20: two of ten
    >>> score(truth, moved, Context(("boxes",)))
    0.2
    """
    truth = [_scene(cell) for cell in answer_texts(answers, context.target)]
    if not all(truth):
        raise ValueError("a scene without any true box has no average precision")

    def precision(row: int, cell: str) -> list[float]:
        scene = _scene(cell)
        known = {name: boxes for name, boxes in scene.items() if name in truth[row]}
        for boxes in known.values():
            problem = _box_problem(boxes.boxes, context.variant)
            if problem:
                raise ValueError(problem)
            if context.variant == "fixed" and any(map(math.isnan, boxes.confidence)):
                raise ValueError("a confidence that is no number")
        per_class = np.zeros((len(truth[row]), len(THRESHOLDS)))
        for n, name in enumerate(sorted(truth[row])):
            if name in known:
                per_class[n] = _class_precisions(known[name], truth[row][name].boxes)
        return list(map(float, per_class.mean(axis=0)))

    cells = texts(submission, context.target, context, missing="")
    scenes = parsed(submission, context.target, context, cells, precision)
    return float(np.mean(scenes))


METRIC = Metric(name="boxes-3d-map", direction="higher", best=1.0, score=score)
