"""Rows that are other rows moved by some columns, as neighbouring windows of one series are."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from detectors.leakage.row_hashes import first_equal

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from detectors.leakage.row_hashes import Hashes, Rows

MIN_COLUMNS = 10  # of numbers; of fewer, half of them say too little
MAX_SHIFT = 64
MIN_DIFFERENT = 5  # different numbers in what two rows share
MAX_CELLS = 30_000_000  # of a table; of more rows an even sample
_BASE = 0x9E3779B97F4A7C15
_INVERSE = pow(_BASE, -1, 1 << 64)


class Lagged(NamedTuple):
    """Test rows whose numbers are a train row's, moved by `shift` columns.

    Parameters
    ----------
    train_rows, test_rows : ndarray of shape (n_found,)
    shift : int
        The smallest by which half as many rows are found as by any other.
    columns : tuple of str
    """

    train_rows: Rows
    test_rows: Rows
    shift: int
    columns: tuple[str, ...]


def lagged(train: pd.DataFrame, test: pd.DataFrame) -> Lagged | None:
    """Find test rows that share half or more of their numbers with a train row, moved.

    Looked at are the columns of numbers in the order of the table, and shifts of up to half of
    them. What is shared has to hold five different numbers: rows of zeros share nothing.

    Returns
    -------
    Lagged or None
        None where there are too few columns of numbers, or nothing was found.
    """
    columns = _numeric(train, test)
    n = len(columns)
    if n < MIN_COLUMNS or not len(train) or not len(test):
        return None
    steps = [1 + len(t) * n // MAX_CELLS for t in (train, test)]
    sides = [
        t[columns].iloc[::step].to_numpy(np.float64, na_value=np.nan)
        for t, step in zip((train, test), steps, strict=True)
    ]
    left, right = (_prefix_sums(side) for side in sides)
    best: Lagged | None = None
    for shift in range(1, min(MAX_SHIFT, n // 2) + 1):
        first, later = (0, n - shift), (shift, n)
        pairs = [
            _rich(sides[1], *first_equal(_window(left, *mine), _window(right, *theirs)), theirs)
            for mine, theirs in ((later, first), (first, later))
        ]
        test_rows = np.concatenate([p[0] for p in pairs])
        train_rows = np.concatenate([p[1] for p in pairs])
        test_rows, at = np.unique(test_rows, return_index=True)
        if len(test_rows) > (2 * len(best.test_rows) if best else 0):
            found = train_rows[at] * steps[0], test_rows * steps[1]
            best = Lagged(*found, shift, tuple(columns))
    return best


def _numeric(train: pd.DataFrame, test: pd.DataFrame) -> list[str]:
    from pandas.api.types import is_bool_dtype, is_numeric_dtype

    return [
        c
        for c in test.columns
        if all(is_numeric_dtype(t[c]) and not is_bool_dtype(t[c]) for t in (train, test))
    ]


def _prefix_sums(numbers: NDArray[np.float64]) -> Hashes:
    """Return sums of mixed numbers, each times the power of its place: a hash of any window."""
    bits = (numbers + 0.0).view(np.uint64)
    bits[np.isnan(numbers)] = 1
    bits ^= bits >> np.uint64(29)
    bits *= np.uint64(0xBF58476D1CE4E5B9)
    bits ^= bits >> np.uint64(32)
    powers = np.array([pow(_BASE, k, 1 << 64) for k in range(bits.shape[1])], np.uint64)
    sums = np.zeros((len(bits), bits.shape[1] + 1), np.uint64)
    np.cumsum(bits * powers, axis=1, out=sums[:, 1:])
    return sums


def _window(sums: Hashes, start: int, stop: int) -> Hashes:
    """Return hashes of the numbers from one place to another, wherever the window lies."""
    there = sums[:, stop] - sums[:, start]
    mixed = there * np.uint64(pow(_INVERSE, start, 1 << 64))
    mixed ^= mixed >> np.uint64(31)  # what decides which rows may be equal are the upper bits
    return mixed * np.uint64(_BASE)


def _rich(
    numbers: NDArray[np.float64], test_rows: Rows, train_rows: Rows, window: tuple[int, int]
) -> tuple[Rows, Rows]:
    """Keep the rows whose window holds several different numbers."""
    shared = np.sort(numbers[test_rows, window[0] : window[1]], axis=1)
    rich = (np.diff(shared, axis=1) > 0).sum(axis=1) >= MIN_DIFFERENT - 1
    return test_rows[rich], train_rows[rich]
