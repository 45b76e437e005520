"""Average precision of boxes as COCO's evaluation takes it, at one IoU threshold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from competitions.errors import InvalidSubmissionError
from competitions.metrics.base import Context, Metric
from competitions.metrics.cells import aligned, parsed, refusal, shown, texts
from competitions.metrics.checks import require_columns

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

_CORNERS = ("x_min", "y_min", "x_max", "y_max")
_TOKENS = 6  # class, confidence, corners
_MAX_DETECTIONS = 100  # per image and class, the surest
_MAX_AREA = (
    1e10  # COCO's largest box; a larger or negative one is left out where it matches nothing
)
_RECALLS = np.linspace(0.0, 1.0, 101)


@dataclass(frozen=True)
class Boxes:
    """Boxes of many images and classes; arrays of one length.

    Parameters
    ----------
    id : array of int
        Number of the box.
    image, label : array of int
        What it belongs to; images are numbered in order of the answers.
    confidence : array of float
        1 for true boxes.
    corners : array of shape (n, 4)
        x_min, y_min, x_max, y_max.
    """

    id: Integers
    image: Integers
    label: Integers
    confidence: Floats
    corners: Floats

    def __getitem__(self, chosen: Integers) -> Boxes:
        return Boxes(
            self.id[chosen],
            self.image[chosen],
            self.label[chosen],
            self.confidence[chosen],
            self.corners[chosen],
        )

    @property
    def odd_area(self) -> NDArray[np.bool_]:
        """Mark boxes whose area COCO leaves out."""
        c = self.corners
        area = (c[:, 2] - c[:, 0]) * (c[:, 3] - c[:, 1])
        return (area < 0) | (area > _MAX_AREA)


def pairwise_iou(predicted: Floats, true: Floats, *, as_sizes: bool) -> Floats:
    """Return the IoU of every pair, shape (n, m).

    Parameters
    ----------
    predicted, true : array of shape (n, 4), (m, 4)
        Corners.
    as_sizes : bool
        Read the last two numbers as width and height, as the published scores do.

    Examples
    --------
    >>> a, b = np.array([[0.0, 0, 2, 2]]), np.array([[1.0, 1, 3, 3]])
    >>> pairwise_iou(a, b, as_sizes=False).round(5)
    array([[0.14286]])
    """
    p, t = predicted[:, None, :], true[None, :, :]
    size_p, size_t, end_p, end_t = p[..., 2:], t[..., 2:], p[..., 2:], t[..., 2:]
    if as_sizes:
        end_p, end_t = p[..., :2] + size_p, t[..., :2] + size_t
    else:
        size_p, size_t = end_p - p[..., :2], end_t - t[..., :2]
    side = np.fmin(end_p, end_t) - np.fmax(p[..., :2], t[..., :2])
    shared = side[..., 0] * side[..., 1]
    united = size_p[..., 0] * size_p[..., 1] + size_t[..., 0] * size_t[..., 1] - shared
    none = (side <= 0).any(axis=2)
    return np.where(none, 0.0, shared / np.where(none, 1.0, united))


def _match(predicted: Boxes, true: Boxes, threshold: float, *, v1: bool) -> Integers:
    """Match boxes of one image and class; return 1 for a hit, 0 for none, -1 to leave it out.

    `predicted` stands by falling confidence. Each box takes the free true box of largest IoU, the
    last one of equals; boxes whose area is left out only where no other does.
    """
    with np.errstate(all="ignore"):
        iou = pairwise_iou(predicted.corners, true.corners, as_sizes=v1)
        left_out, odd = true.odd_area, predicted.odd_area
    order = np.argsort(left_out, kind="stable")
    taken = np.zeros(len(true.id), dtype=bool)
    found = np.zeros(len(predicted.id), dtype=np.int64)
    for n, row in enumerate(iou):
        best, least = -1, min(threshold, 1 - 1e-10)
        for m in order:
            if taken[m] or (best >= 0 and not left_out[best] and left_out[m]):
                continue
            if not row[m] < least:
                best, least = m, row[m]
        hit = best >= 0 and not (v1 and true.id[best] == 0)
        if best >= 0:
            taken[best] = not (v1 and predicted.id[n] == 0)
        ignored = (best >= 0 and left_out[best]) or (not hit and odd[n])
        found[n] = -1 if ignored else int(hit)
    return found


def average_precision(predicted: Boxes, true: Boxes, threshold: float, *, v1: bool) -> float:
    """Return the interpolated average precision of one class; NaN without a true box.

    `true` stands by image.
    """
    by_confidence = np.argsort(-predicted.confidence, kind="stable")
    by_image = np.argsort(predicted.image[by_confidence], kind="stable")
    ranked = predicted[by_confidence[by_image]]
    images, firsts, counts = np.unique(ranked.image, return_index=True, return_counts=True)
    lows, highs = (np.searchsorted(true.image, images, side) for side in ("left", "right"))
    hits = [np.zeros(0, dtype=np.int64)]
    scores = [np.zeros(0)]
    for first, count, low, high in zip(firsts, counts, lows, highs, strict=True):
        surest = ranked[np.arange(first, first + min(count, _MAX_DETECTIONS))]
        hits.append(_match(surest, true[np.arange(low, high)], threshold, v1=v1))
        scores.append(surest.confidence)
    with np.errstate(all="ignore"):
        n_true = int((~true.odd_area).sum())
    if not n_true:
        return float("nan")
    hit = np.concatenate(hits)[np.argsort(-np.concatenate(scores), kind="stable")]
    found, false = np.cumsum(hit == 1), np.cumsum(hit == 0)
    precision = found / (found + false + np.spacing(1))
    envelope = np.append(np.maximum.accumulate(precision[::-1])[::-1], 0.0)
    at = np.searchsorted(found / n_true, _RECALLS, side="left")
    return float(envelope[at].mean())


def _parse(cell: str) -> Floats:
    try:
        numbers = np.array([float(word) for word in cell.split(" ")])
    except ValueError:
        raise ValueError(f"expected numbers between single blanks, found {shown(cell)}") from None
    if len(numbers) % _TOKENS:
        raise ValueError(f"expected {_TOKENS} numbers a box, found {len(numbers)}")
    boxes = numbers.reshape(-1, _TOKENS)
    if not np.isfinite(boxes[:, 0]).all():
        raise ValueError("a class that is no number")
    return boxes


def _fixed(boxes: Floats) -> Floats:
    if (boxes[:, 0] != np.floor(boxes[:, 0])).any():
        raise ValueError("a class that is no whole number")
    if not np.isfinite(boxes).all():
        raise ValueError("a confidence or corner that is no finite number")
    return boxes


def _submitted(submission: pd.DataFrame, images: pd.Index, context: Context) -> Boxes:
    """Read the submitted boxes in order of the rows."""
    import pandas as pd

    (key,) = context.key
    cells = texts(submission, context.target, context)
    check = _fixed if context.variant == "fixed" else lambda boxes: boxes
    rows = parsed(submission, context.target, context, cells, lambda _, cell: check(_parse(cell)))
    boxes = np.concatenate([np.zeros((0, _TOKENS)), *rows])
    image = np.repeat(
        images.get_indexer(pd.Index(submission[key].tolist(), dtype=object)), [len(b) for b in rows]
    )
    labels = np.trunc(boxes[:, 0])
    huge = np.abs(labels) >= 2**53  # no class of the answers
    return Boxes(
        np.arange(len(boxes)),
        image,
        np.where(huge, -1, labels).astype(np.int64),
        boxes[:, 1],
        boxes[:, 2:],
    )


def _true(answers: pd.DataFrame, images: pd.Index, context: Context) -> Boxes:
    """Read the answers, image by image in order of first appearance."""
    import pandas as pd

    (key,) = context.key
    image = images.get_indexer(pd.Index(answers[key].tolist(), dtype=object))
    order = np.argsort(image, kind="stable")
    return Boxes(
        np.arange(len(answers)),
        image[order],
        answers["class_id"].to_numpy().astype(np.int64)[order],
        np.ones(len(answers)),
        answers[list(_CORNERS)].to_numpy(dtype=np.float64)[order],
    )


def score(answers: pd.DataFrame, submission: pd.DataFrame, context: Context) -> float:
    """Return COCO's mean average precision, from tables that nobody has aligned.

    Parameters
    ----------
    answers : DataFrame
        One row per true box: the key (image), ``class_id``, ``x_min``, ``y_min``, ``x_max``,
        ``y_max``.
    submission : DataFrame
        The key and the target, ``class confidence x_min y_min x_max y_max ...`` between single
        blanks.

    Raises
    ------
    InvalidSubmissionError
        When the images are not those of the answers, or a cell is empty or not made of six numbers
        a box; under ``fixed`` also for an image that occurs twice and for classes that are not
        whole and numbers that are not finite.

    Notes
    -----
    Per class of the answers: the 100 surest boxes of each image, surest first, take the free true
    box of largest IoU, if that reaches the argument ``iou``. AP = (1/101) · Σᵣ max precision at
    recall r or above, for r = 0, 0.01, ..., 1, over all images; the score is the mean of the
    classes' AP. Under ``v1`` the corners are read as x, y, width and height; a
    match with the first true box counts as a false alarm; the true box that the very first
    submitted one matches stays free; a class is cut to a whole number; the order of rows matters a
    little. ``fixed`` has none of these.

    References
    ----------
    Lin et al. (2014), Microsoft COCO: Common Objects in Context. https://arxiv.org/abs/1405.0312

    https://cocodataset.org/#detection-eval

    Examples
    --------
    >>> import pandas as pd
    >>> box = {"x_min": [0, 4], "y_min": [0, 4], "x_max": [2, 8], "y_max": [2, 8]}
    >>> truth = pd.DataFrame({"image": ["i", "i"], "class_id": [3, 3], **box})
    >>> one = pd.DataFrame({"image": ["i"], "boxes": ["3 0.9 4 4 8 8"]})
    >>> context = Context(("boxes",), {"iou": 0.4}, "fixed", ("image",))
    >>> round(score(truth, one, context), 5)  # precision 1 up to recall 0.5: 51 of 101
    0.50495
    """
    import pandas as pd

    (key,) = context.key
    images = pd.Index(answers[key].drop_duplicates().tolist(), dtype=object)
    submission = _of_the_same_images(answers, submission, images, context)
    true = _true(answers, images, context)
    predicted = _submitted(submission, images, context)
    threshold, v1 = float(context.arguments["iou"]), context.variant == "v1"
    precisions = [
        average_precision(
            predicted[np.flatnonzero(predicted.label == label)],
            true[np.flatnonzero(true.label == label)],
            threshold,
            v1=v1,
        )
        for label in np.unique(true.label)
    ]
    defined = [p for p in precisions if p == p]  # noqa: PLR0124 - NaN where no true box counts
    return float(np.mean(defined)) if defined else -1.0


def _of_the_same_images(
    answers: pd.DataFrame, submission: pd.DataFrame, images: pd.Index, context: Context
) -> pd.DataFrame:
    (key,) = context.key
    require_columns(submission, [*context.key, *context.targets])
    if context.variant == "fixed":
        return aligned(answers.drop_duplicates(subset=key), submission, context)[1]
    unknown = ~submission[key].isin(images)
    if unknown.any():
        said = f"{key}: images that are not in the test part"
        raise refusal(submission, context, {said: unknown.to_numpy().nonzero()[0].tolist()})
    missing = ~images.isin(submission[key])
    if missing.any():
        raise InvalidSubmissionError([f"{key}: missing images ({int(missing.sum())})"])
    return submission


METRIC = Metric(name="boxes-coco-map", direction="higher", best=1.0, score=score)
