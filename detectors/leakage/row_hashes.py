"""Tables as 64-bit hashes per row that any column can be taken out of again."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from detectors.leakage.row_texts import arrow_array, arrow_hashes, as_text, text_hashes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import TypeAlias

    import pandas as pd
    from numpy.typing import NDArray

    Hashes: TypeAlias = NDArray[np.uint64]
    Rows: TypeAlias = NDArray[np.intp]
    Counts: TypeAlias = NDArray[np.int64]

_STRETCH = 1 << 15  # rows at a time: what is worked on stays in the processor's cache
_MANY = 100_000  # values of which all are looked at
_NAN = np.array([np.nan]).view(np.uint64)[0]


@dataclass(frozen=True)
class RowHashes:
    """A table and the hash of each of its rows.

    A row's hash is the sum of its columns' hashes (mod 2^64), each scrambled by the column's
    position, so that a column is taken out by a subtraction.

    Parameters
    ----------
    columns : tuple of ndarray of shape (n_rows,)
        The hashes of each column's values.
    values : tuple of Series
    is_number : tuple of bool
        Which columns are compared as float64; the others as text.
    rows : ndarray of shape (n_rows,)
    """

    columns: tuple[Hashes, ...]
    values: tuple[pd.Series, ...]
    is_number: tuple[bool, ...]
    rows: Hashes

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return len(self.columns)

    def only(self, columns: Iterable[int]) -> Hashes:
        """Return the rows' hashes over some columns; `rows` less this is over the others."""
        return reduce(
            np.add, (self.columns[c] for c in columns), np.zeros(len(self.rows), np.uint64)
        )

    def counts_in_parts(
        self, parts: Sequence[Sequence[int]], asked: Sequence[Hashes], rest: Sequence[Hashes]
    ) -> Iterator[tuple[Counts, Counts]]:
        """Count rows that agree with others in some columns, and in all others.

        Parameters
        ----------
        parts : sequence of sequences of int
            Columns, as often as counts are wanted.
        asked, rest : sequences of ndarray of shape (n_asked,)
            For each part, the others' hashes over its columns and over the remaining ones.

        Yields
        ------
        tuple of two ndarrays of shape (n_asked,)
        """
        n_bits = _bits_for(len(asked[0]))
        tables = [(_table(a, n_bits), _table(r, n_bits)) for a, r in zip(asked, rest, strict=True)]
        kept: list[tuple[list[Hashes], list[Hashes]]] = [([], []) for _ in parts]
        for stretch in _stretches(len(self.rows), _STRETCH // 4):
            whole = self.rows[stretch]
            for part, (one, other), (ones, others) in zip(parts, tables, kept, strict=True):
                total = np.zeros(len(whole), np.uint64)
                for column in part:
                    total += self.columns[column][stretch]
                ones.append(total[_looked_up(one, total, n_bits)])
                total = whole - total
                others.append(total[_looked_up(other, total, n_bits)])
        for a, r, (ones, others) in zip(asked, rest, kept, strict=True):
            yield _counted(np.concatenate(ones), a), _counted(np.concatenate(others), r)

    def equal_values(self, other: RowHashes, mine: Rows, theirs: Rows) -> NDArray[np.bool_]:
        """Compare pairs of rows by their values; missing equals missing."""
        same = np.ones(len(mine), dtype=bool)
        for column in range(self.n_columns):
            same &= self.equal_in(column, other, mine, theirs)
        return same

    def equal_in(
        self, column: int, other: RowHashes, mine: Rows, theirs: Rows
    ) -> NDArray[np.bool_]:
        """Compare pairs of rows by the values of one column."""
        a, b = self.taken(column, mine), other.taken(column, theirs)
        same: NDArray[np.bool_] = (a == b) | ((a != a) & (b != b))  # noqa: PLR0124 - only NaN is so
        return same

    def taken(self, column: int, rows: Rows) -> NDArray[Any]:
        """Return a column's values in some rows, as numbers or texts."""
        values = self.values[column].iloc[rows]
        return _numbers(values) if self.is_number[column] else np.array(as_text(values), object)

    def is_rich_text(self, rows: Rows, min_length: int) -> NDArray[np.bool_]:
        """Say which rows of a one-column table are texts long enough to identify themselves."""
        if self.is_number[0]:
            return np.zeros(len(rows), dtype=bool)
        return np.array([len(text) >= min_length for text in self.taken(0, rows)], bool)


def hash_rows(left: pd.DataFrame, right: pd.DataFrame) -> tuple[RowHashes, RowHashes]:
    """Hash two tables of the same columns so that equal rows have equal hashes.

    A column that is numeric (or boolean) in both is compared as float64, any other as text. Hashes
    of texts may differ from one run of Python to the next.
    """
    pairs = [(left.iloc[:, n], right.iloc[:, n]) for n in range(left.shape[1])]
    raw = [_bits(a, b) for a, b in pairs]
    is_number = tuple(is_one for is_one, _ in raw)
    sides = []
    for side, table in enumerate((left, right)):
        columns = tuple(_scrambled(bits[side], number) for number, (_, bits) in enumerate(raw))
        values = tuple(pair[side] for pair in pairs)
        rows = np.zeros(len(table), np.uint64)
        for column in columns:
            rows += column
        sides.append(RowHashes(columns, values, is_number, rows))
    return sides[0], sides[1]


def first_equal(left: Hashes, right: Hashes) -> tuple[Rows, Rows]:
    """Return the positions in `right` that `left` holds, ascending, and their first in `left`."""
    mine, theirs = possible(left, right)
    order = mine[np.argsort(left[mine], kind="stable")]
    ordered = left[order]
    position = np.searchsorted(ordered, right[theirs])
    hit = position < len(ordered)
    hit[hit] = ordered[position[hit]] == right[theirs[hit]]
    return theirs[hit], order[position[hit]]


def possible(left: Hashes, right: Hashes) -> tuple[Rows, Rows]:
    """Return the positions of both sides that may have an equal on the other; few are missed out.

    A table of bits says of a value that the other side surely does not hold it. Of a million rows
    about as many are left as have an equal.
    """
    n_bits = _bits_for(len(right))
    mine = np.flatnonzero(_marked(right, left, n_bits))
    theirs = np.flatnonzero(_marked(left[mine], right, n_bits))
    return mine, theirs


def counts_of(values: Hashes, asked: Hashes) -> Counts:
    """Count how often each of the `asked` stands among `values`."""
    n_bits = _bits_for(len(asked))
    return _counted(values[_marked(asked, values, n_bits)], asked)


def _counted(values: Hashes, asked: Hashes) -> Counts:
    ordered = np.sort(values)
    upper, lower = np.searchsorted(ordered, asked, "right"), np.searchsorted(ordered, asked, "left")
    return np.asarray(upper - lower, dtype=np.int64)


def share_recurring(values: Hashes) -> float:
    """Return the share of values that have an equal; of many, by those whose hash is low."""
    if len(values) > _MANY:
        values = values[values < np.uint64((1 << 64) * _MANY // len(values))]
    ordered = np.sort(values)
    again = ordered[1:] == ordered[:-1]
    if not len(again):
        return 0.0
    return float(np.mean(np.append(again, False) | np.insert(again, 0, False)))


def _bits_for(n: int) -> int:
    return int(np.clip(n.bit_length() + 5, 10, 26))


def _table(known: Hashes, n_bits: int) -> NDArray[np.bool_]:
    table = np.zeros(1 << n_bits, dtype=bool)
    table[known >> np.uint64(64 - n_bits)] = True
    return table


def _looked_up(table: NDArray[np.bool_], asked: Hashes, n_bits: int) -> NDArray[np.bool_]:
    return table[(asked >> np.uint64(64 - n_bits)).view(np.int64)]


def _marked(known: Hashes, asked: Hashes, n_bits: int) -> NDArray[np.bool_]:
    table = _table(known, n_bits)
    found = np.empty(len(asked), dtype=bool)
    for part in _stretches(len(asked)):
        found[part] = _looked_up(table, asked[part], n_bits)
    return found


def _bits(left: pd.Series, right: pd.Series) -> tuple[bool, tuple[Hashes, Hashes]]:
    """Return 64 bits for each value, equal where values are; and whether they are numbers."""
    from pandas.api.types import is_numeric_dtype

    if is_numeric_dtype(left) and is_numeric_dtype(right):
        return True, (_number_bits(left), _number_bits(right))
    one, other = arrow_array(left), arrow_array(right)
    if one is not None and other is not None:
        return False, (arrow_hashes(one), arrow_hashes(other))
    return False, (text_hashes(left), text_hashes(right))


def _numbers(values: pd.Series) -> NDArray[np.float64]:
    return np.asarray(values.to_numpy(np.float64, na_value=np.nan))


def _number_bits(values: pd.Series) -> Hashes:
    numbers = _numbers(values) + 0.0  # -0.0 is 0.0
    bits = numbers.view(np.uint64)
    with np.errstate(invalid="ignore", over="ignore"):
        may_miss = np.isnan(numbers.sum())  # so that most columns are not gone over twice
    if may_miss:
        bits[np.isnan(numbers)] = _NAN
    return bits


def _scrambled(bits: Hashes, number: int) -> Hashes:
    """Mix bits (the finaliser of SplitMix64), so that sums of columns do not collide; in place."""
    odd = np.uint64((0x9E3779B97F4A7C15 * (2 * number + 1)) % 2**64 | 1)
    spare = np.empty(_STRETCH, np.uint64)
    for part in _stretches(len(bits)):
        x = bits[part]
        shifted = spare[: len(x)]
        x *= odd
        x += np.uint64(number)
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            np.right_shift(x, np.uint64(shift), out=shifted)
            x ^= shifted
            x *= np.uint64(factor)
        np.right_shift(x, np.uint64(31), out=shifted)
        x ^= shifted
    return bits


def _stretches(n: int, size: int = _STRETCH) -> Iterator[slice]:
    for start in range(0, n, size):
        yield slice(start, start + size)
