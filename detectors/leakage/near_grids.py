"""Numbers that are a little off: shifted grids that put nearly equal rows into one cell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from detectors.leakage.row_hashes import Hashes, RowHashes

    Numbers = dict[int, NDArray[np.float64]]

OFF = 1e-3  # jitter that is looked for, relative to a number's size or to the column's spread
TOLERANCE = 4.5  # of a column's scale: numbers further apart are others
WIDTH = 16.0  # of a grid's cell, in scales
MAX_OF_SPREAD = 0.06  # tolerance as a share of the spread, beyond which a column tells too little
N_LOOKED_AT = 20_000
MIN_LEVELS = 50  # different numbers, in a sample, from which a column varies finely
MAX_IN_CELLS = 300  # columns; of more, an even choice: rows that are near share cells of most
EACH = 3  # columns of a grid where others have to be equal as well
EACH_ALONE = 6
N_SHIFTS = 3
_FACTORS = (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9)


@dataclass(frozen=True)
class Grid:
    """Cells for finely varying columns.

    Parameters
    ----------
    scales : dict of int to float
        By column, the size of jitter that is looked for.
    each : int
        Columns that a cell spans.
    """

    scales: dict[int, float]
    each: int

    def cells(self, left: Numbers, right: Numbers) -> Iterator[tuple[Hashes, Hashes]]:
        """Yield the cells of both sides' rows, for each grid."""
        columns = list(self.scales)
        if not columns:
            return
        columns = columns[:: -(-len(columns) // MAX_IN_CELLS)]
        each = min(self.each, len(columns))
        for shift in range(N_SHIFTS if len(columns) < 2 * each else N_SHIFTS - 1):
            turned = columns[shift:] + columns[:shift]
            for start in range(0, len(turned) - each + 1, each):
                group = turned[start : start + each]
                yield self._cells(left, group, shift), self._cells(right, group, shift)

    def _cells(self, numbers: Numbers, group: list[int], shift: int) -> Hashes:
        total = np.zeros(len(numbers[group[0]]), np.uint64)
        for column in group:
            width = WIDTH * self.scales[column]
            cell = np.floor(numbers[column] / width + shift / N_SHIFTS)
            cell[~np.isfinite(cell)] = -1.0
            mixed = np.clip(cell, -9e18, 9e18).astype(np.int64).view(np.uint64)
            mixed = (mixed + np.uint64(column + 1)) * np.uint64(_FACTORS[0])
            mixed ^= mixed >> np.uint64(29)
            mixed *= np.uint64(_FACTORS[1])
            mixed ^= mixed >> np.uint64(32)
            total += mixed
        return total


def grids_of(left: RowHashes, right: RowHashes) -> tuple[Grid, tuple[Numbers, Numbers]]:
    """Choose the finely varying columns and how far apart their numbers may be."""
    scales: dict[int, float] = {}
    numbers: tuple[Numbers, Numbers] = ({}, {})
    for column in range(left.n_columns):
        if left.groups[column].kind != "number":
            continue
        mine = left.values(column)
        scale = scale_of(mine)
        if scale is not None:
            scales[column] = scale
            numbers[0][column] = mine
            numbers[1][column] = right.values(column)
    others = left.n_columns - len(scales)
    return Grid(scales, EACH if others else EACH_ALONE), numbers


def scale_of(numbers: NDArray[np.float64]) -> float | None:
    """Return the size of jitter that is looked for in a column, or None where it varies coarsely.

    Whole numbers and numbers of which most recur are coarse: they are compared as they are.
    """
    step = max(1, len(numbers) // N_LOOKED_AT)
    sample = numbers[::step]
    sample = np.sort(sample[np.isfinite(sample)])
    n = len(sample)
    if not n or 1 + np.count_nonzero(sample[1:] != sample[:-1]) < max(MIN_LEVELS, n / 10):
        return None
    if (sample == np.floor(sample)).all():
        return None
    low, middle, high = np.interp(np.array([0.16, 0.5, 0.84]) * (n - 1), np.arange(n), sample)
    spread = (high - low) / 2
    scale = OFF * max(float(np.median(np.abs(sample))), float(spread))
    if spread <= 0 or TOLERANCE * scale > MAX_OF_SPREAD * spread:
        scale = MAX_OF_SPREAD * spread / TOLERANCE
    return scale if scale > 0 and np.isfinite(middle) else None


def off_by_little(
    one: NDArray[np.float64], other: NDArray[np.float64], scale: float
) -> NDArray[np.bool_]:
    """Say which numbers are within the tolerance of one another."""
    with np.errstate(invalid="ignore"):
        return np.asarray(np.abs(one - other) <= TOLERANCE * scale)
