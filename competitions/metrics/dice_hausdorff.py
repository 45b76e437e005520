"""Overlap of masks and the largest distance between the volumes they stack up to."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from competitions.errors import InvalidSubmissionError
from competitions.metrics.base import Context, Metric
from competitions.metrics.cells import aligned, answer_texts, texts
from competitions.metrics.checks import require_columns
from competitions.metrics.rle import Runs, decode, sizes_of, submitted_runs

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd
    from numpy.typing import NDArray

_DICE_WEIGHT, _HAUSDORFF_WEIGHT = 0.4, 0.6
_TOO_LARGE = 10  # times the true volume: counts as the largest distance without being measured
_DIAGONAL = math.sqrt(3)  # of the unit cube


@dataclass(frozen=True)
class _Volume:
    """Foreground of one stack of slices, as sorted voxel numbers."""

    voxels: NDArray[np.int64]
    shape: tuple[int, int, int]

    def points(self, voxels: NDArray[np.int64], scale: tuple[int, int, int]) -> NDArray[np.float64]:
        """Return coordinates (slice, y, x) divided by `scale`, shape (n, 3)."""
        _, height, width = self.shape
        depth, pixel = np.divmod(voxels, height * width)
        x, y = np.divmod(pixel, height)
        found: NDArray[np.float64] = np.stack([depth, y, x], axis=1) / np.array(scale)
        return found


def _volumes(
    ids: Sequence[str], runs: Sequence[Runs], shapes: Sequence[tuple[int, int]]
) -> list[_Volume]:
    """Unite the masks of each slice and stack the slices of each series, both in order of the ids.

    Raises
    ------
    ValueError
        When the slices of a series are not of one size.
    """
    series: dict[str, dict[str, list[int]]] = {}
    for row in sorted(range(len(ids)), key=lambda row: ids[row]):
        slices = series.setdefault(ids[row].split("_slice_")[0], {})
        slices.setdefault(ids[row], []).append(row)
    volumes = []
    for slices in series.values():
        sizes = {shapes[row] for members in slices.values() for row in members}
        if len(sizes) > 1:
            raise ValueError(f"slices of several sizes in one series: {sorted(sizes)}")
        height, width = sizes.pop()
        voxels = [
            runs[row].pixels() + depth * height * width
            for depth, members in enumerate(slices.values())
            for row in members
        ]
        volumes.append(_Volume(np.unique(np.concatenate(voxels)), (len(slices), height, width)))
    return volumes


def _farthest(source: NDArray[np.float64], target: NDArray[np.float64]) -> float:
    """Return the largest distance from a source point to its nearest target point."""
    from scipy.spatial import cKDTree

    if not len(source):
        return 0.0
    tree = cKDTree(target, balanced_tree=False, compact_nodes=False)
    return float(np.max(tree.query(source)[0]))


def hausdorff(true: _Volume, predicted: _Volume) -> float:
    """Return the symmetric Hausdorff distance in the true volume's unit cube, in [0, 1].

    NaN where both are empty; 1 where one is, or where the submitted one is more than ten times as
    large as the true one.
    """
    if not len(true.voxels) and not len(predicted.voxels):
        return math.nan
    if not len(true.voxels) or not len(predicted.voxels):
        return 1.0
    only_true, only_predicted = true.voxels, predicted.voxels
    if true.shape[1:] == predicted.shape[1:]:  # a shared voxel is no distance away
        only_true = np.setdiff1d(true.voxels, predicted.voxels, assume_unique=True)
        only_predicted = np.setdiff1d(predicted.voxels, true.voxels, assume_unique=True)
    if not len(only_true) and not len(only_predicted):
        return 0.0
    if len(predicted.voxels) > _TOO_LARGE * len(true.voxels):
        return 1.0
    scale = true.shape
    there = _farthest(true.points(only_true, scale), predicted.points(predicted.voxels, scale))
    back = _farthest(predicted.points(only_predicted, scale), true.points(true.voxels, scale))
    return max(there, back) / _DIAGONAL


def _mean_of_defined(values: Sequence[float]) -> float:
    defined = [v for v in values if not math.isnan(v)]
    return float(np.mean(defined)) if defined else math.nan


def _dice(true: Runs, predicted: Runs) -> float:
    both = true.area + predicted.area
    return 2 * true.overlap(predicted) / both if both else math.nan


def score(answers: pd.DataFrame, submission: pd.DataFrame, context: Context) -> float:
    """Return 0.4 · Dice + 0.6 · (1 - Hausdorff distance), from tables that nobody has aligned.

    Parameters
    ----------
    answers, submission : DataFrame
        One row per slice and class, as they were read. The first key column names the slice, as
        ``<series>_slice_<number>``.

    Raises
    ------
    InvalidSubmissionError
        When a column is missing, a cell is no mask, or slices of one series differ in size; under
        ``fixed`` also when the keys are not those of the answers.

    Notes
    -----
    S = 0.4 · (1/n) · Σᵢ Dᵢ + 0.6 · (1 - (1/m) · Σⱼ Hⱼ) over the rows i and the volumes j, pairs of
    which both are empty left out. D = 2·|X ∩ Y| / (|X| + |Y|). For the distance H the masks of a
    slice are united over the classes and the slices of a series stacked to a volume; coordinates
    are divided by the true volume's shape and the distance by √3. Under ``v1`` rows are paired by
    position and volumes by rank, and neither keys nor the number of rows are looked at: surplus
    rows count for nothing, and so do the answers' rows behind a submission's last. ``fixed`` pairs
    by key. Arguments ``height``, ``width`` (columns of the answers).

    References
    ----------
    https://www.kaggle.com/c/uw-madison-gi-tract-image-segmentation/overview/evaluation

    https://docs.scipy.org/doc/scipy/reference/generated/scipy.spatial.distance.directed_hausdorff.html

    Examples
    --------
    >>> import pandas as pd
    >>> rows = {"id": ["a_slice_1"], "class": ["x"], "height": [2], "width": [2]}
    >>> truth = pd.DataFrame({**rows, "mask": ["1 2"]})
    >>> context = Context(("mask",), key=("id", "class"))
    >>> round(score(truth, truth.assign(mask="1 1"), context), 5)  # Dice 2/3, half a height away
    0.69346
    """
    require_columns(submission, [*context.key, *context.targets])
    if context.variant == "fixed":
        answers, submission = aligned(answers, submission, context)
    shapes = list(zip(*sizes_of(answers, context), strict=True))
    areas = [height * width for height, width in shapes]
    true = [
        decode(cell, size)
        for cell, size in zip(answer_texts(answers, context.target), areas, strict=True)
    ]
    paired = submission.iloc[: len(answers)]
    predicted = submitted_runs(paired, context, areas, missing="")
    ids = texts(paired, context.key[0], context)
    try:
        stacked = _volumes(ids, predicted, shapes[: len(paired)])
    except ValueError as error:
        raise InvalidSubmissionError([f"{context.key[0]}: {error}"]) from error
    known = _volumes(answer_texts(answers, context.key[0]), true, shapes)
    dice = _mean_of_defined([_dice(t, p) for t, p in zip(true, predicted, strict=False)])
    distance = _mean_of_defined([hausdorff(t, p) for t, p in zip(known, stacked, strict=False)])
    return _DICE_WEIGHT * dice + _HAUSDORFF_WEIGHT * (1 - distance)


METRIC = Metric(name="dice-hausdorff", direction="higher", best=1.0, score=score)
