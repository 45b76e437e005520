"""Tables as 64-bit hashes per row that any column can be taken out of again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from competitions.errors import EvidenceUnavailableError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    import pandas as pd
    from numpy.typing import NDArray


def read_table(path: Path) -> pd.DataFrame:
    """Read a CSV table.

    Raises
    ------
    EvidenceUnavailableError
        When it cannot be parsed.
    """
    import pandas as pd

    try:
        return pd.read_csv(path, low_memory=False)
    except (ValueError, OSError) as error:  # pandas' parser errors are ValueErrors
        raise EvidenceUnavailableError("data", f"{path.name} cannot be read: {error}") from error


@dataclass(frozen=True)
class RowHashes:
    """A table's values made comparable, and the hash of each row.

    A row's hash is the sum of its columns' hashes (mod 2^64), each scrambled by the column's
    position, so that a column is taken out by a subtraction.
    """

    columns: tuple[NDArray[np.uint64], ...]
    values: tuple[NDArray[np.object_] | NDArray[np.float64], ...]
    rows: NDArray[np.uint64]

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return len(self.columns)

    def only(self, columns: Iterable[int]) -> NDArray[np.uint64]:
        """Return the rows' hashes over some columns; `rows` less this is over the others."""
        total = np.zeros(len(self.rows), np.uint64)
        for column in columns:
            total = total + self.columns[column]
        return total

    def equal_values(
        self, other: RowHashes, mine: NDArray[np.intp], theirs: NDArray[np.intp]
    ) -> NDArray[np.bool_]:
        """Compare pairs of rows by their values; missing equals missing."""
        same = np.ones(len(mine), dtype=bool)
        for left, right in zip(self.values, other.values, strict=True):
            a, b = left[mine], right[theirs]
            same &= (a == b) | ((a != a) & (b != b))  # noqa: PLR0124 - only NaN differs from itself
        return same

    def is_rich_text(self, rows: NDArray[np.intp], min_length: int) -> NDArray[np.bool_]:
        """Say which rows of a one-column table are texts long enough to identify themselves."""
        column = self.values[0]
        return np.array([isinstance(v, str) and len(v) >= min_length for v in column[rows]], bool)


def hash_rows(left: pd.DataFrame, right: pd.DataFrame) -> tuple[RowHashes, RowHashes]:
    """Hash two tables of the same columns so that equal rows have equal hashes.

    A column that is numeric (or boolean) in both is compared as float64, any other as text.
    """
    pairs = [_comparable(left[c], right[c]) for c in left.columns]
    return _hashed([p[0] for p in pairs]), _hashed([p[1] for p in pairs])


def _comparable(
    left: pd.Series, right: pd.Series
) -> tuple[NDArray[np.object_] | NDArray[np.float64], NDArray[np.object_] | NDArray[np.float64]]:
    from pandas.api.types import is_numeric_dtype

    if is_numeric_dtype(left) and is_numeric_dtype(right):
        return left.to_numpy(np.float64) + 0.0, right.to_numpy(np.float64) + 0.0  # -0.0 is 0.0
    return _text(left), _text(right)


def _text(column: pd.Series) -> NDArray[np.object_]:
    text: NDArray[np.object_] = column.astype(object).to_numpy()
    missing = column.isna().to_numpy()
    return np.array(["" if m else str(v) for v, m in zip(text, missing, strict=True)], object)


def _hashed(values: list[NDArray[np.object_] | NDArray[np.float64]]) -> RowHashes:
    from pandas.util import hash_array

    columns = []
    for number, column in enumerate(values):
        odd = np.uint64((0x9E3779B97F4A7C15 * (2 * number + 1)) % 2**64 | 1)
        hashed = hash_array(column) if len(column) else np.zeros(0, np.uint64)
        columns.append(_scramble(hashed * odd + np.uint64(number)))
    total = np.zeros(len(values[0]), np.uint64)
    for column_hash in columns:
        total = total + column_hash
    return RowHashes(tuple(columns), tuple(values), total)


def _scramble(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Mix bits (the finaliser of SplitMix64), so that sums of columns do not collide."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))
