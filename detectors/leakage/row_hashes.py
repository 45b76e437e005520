"""Tables as 64-bit hashes per row, made column by column as they are asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from detectors.leakage.row_texts import (
    arrow_array,
    arrow_hashes,
    as_text,
    is_arrow,
    joined,
    text_hashes,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeAlias

    import pandas as pd
    from numpy.typing import NDArray

    Hashes: TypeAlias = NDArray[np.uint64]
    Rows: TypeAlias = NDArray[np.intp]
    Counts: TypeAlias = NDArray[np.int64]

MAX_GROUPS = 1000  # of more columns, some are hashed together
MAX_LAID_OUT = 1 << 27  # values of a table that are copied to be worked on together
_STRETCH = 1 << 15  # values at a time: what is worked on stays in the processor's cache
TELLING = 0.5  # different values per row, from which a column tells most rows apart
_MANY_COLUMNS = 200  # of which enough are telling, if any are
_SAMPLE = 500  # rows by which columns are ordered
_MANY = 100_000  # rows of which all are looked at
SPARE_OF_FEW, CACHED = 9, 20  # bits of a table that is small anyway
_NAN = np.array([np.nan]).view(np.uint64)[0]


class Group(NamedTuple):
    """What is compared as one value: a column or, in a wide table, some columns of numbers."""

    start: int
    stop: int
    kind: Literal["number", "arrow", "text"]


@dataclass(frozen=True, eq=False)
class RowHashes:
    """A table and hashes of its rows over any of its columns.

    A row's hash is the sum of its columns' hashes (mod 2^64), each scrambled by the column's
    position, so that hashes over some columns are added up. A column is hashed when it is first
    asked for: where one column tells most rows apart, the others are hashed for few rows only.

    Parameters
    ----------
    table : DataFrame
    groups : tuple of Group
        The columns: numbers are compared as float64, the others as text.
    """

    table: pd.DataFrame
    groups: tuple[Group, ...]
    _known: dict[int, Hashes] = field(default_factory=dict, repr=False)

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.table)

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return len(self.groups)

    @property
    def columns(self) -> tuple[Hashes, ...]:
        """The hashes of each column's values."""
        return tuple(self.column(n) for n in range(self.n_columns))

    @cached_property
    def told(self) -> tuple[float, ...]:
        """Of some neighbouring rows, how many different values the first columns have per row."""
        start = max(0, (self.n_rows - _SAMPLE) // 2)
        sample = RowHashes(self.table.iloc[start : start + _SAMPLE], self.groups[:_MANY_COLUMNS])
        found = [len(np.unique(c)) / max(1, sample.n_rows) for c in sample.columns]
        return (*found, *[0.0] * (self.n_columns - len(found)))

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The columns, those first that tell most rows apart, and numbers before texts."""

        def rank(n: int) -> tuple[int, bool, int]:
            return -int(10 * self.told[n]), self.groups[n].kind != "number", n

        return tuple(sorted(range(self.n_columns), key=rank))

    def column(self, number: int) -> Hashes:
        """Return the hashes of a column's values."""
        if number not in self._known:
            self._known[number] = _hashed(self.table, self.groups[number])
        return self._known[number]

    def only(self, columns: Iterable[int]) -> Hashes:
        """Return the rows' hashes over some columns."""
        total = np.zeros(self.n_rows, np.uint64)
        for number in columns:
            total += self.column(number)
        return total

    def taken(self, rows: Rows) -> RowHashes:
        """Return some of its rows."""
        return RowHashes(self.table.iloc[rows], self.groups)

    def narrowed(self, rows: Rows) -> RowHashes:
        """Return some of its rows, with what is known of them."""
        known = {n: hashes[rows] for n, hashes in self._known.items()}
        return RowHashes(self.table.iloc[rows], self.groups, known)

    def values(self, number: int) -> NDArray[Any]:
        """Return a column's values, as numbers or texts; of several columns in as many columns."""
        start, stop, kind = self.groups[number]
        if kind != "number":
            return np.array(as_text(self.table.iloc[:, start]), object)
        if stop - start == 1:
            return _numbers(self.table.iloc[:, start])
        return _numbers(self.table.iloc[:, start:stop])

    def equal_values(self, other: RowHashes) -> NDArray[np.bool_]:
        """Compare the rows of two tables, each with the other's at its place; missing is missing.

        Both have the same columns and as many rows.
        """
        same = np.ones(self.n_rows, dtype=bool)
        for number in range(self.n_columns):
            a, b = self.values(number), other.values(number)
            equal = (a == b) | ((a != a) & (b != b))  # noqa: PLR0124 - only NaN is so
            same &= equal.all(axis=tuple(range(1, equal.ndim)))  # of a run of columns, all
        return same

    def is_rich_text(self, min_length: int) -> NDArray[np.bool_]:
        """Say which rows of a one-column table are texts long enough to identify themselves."""
        if self.groups[0].kind == "number":
            return np.zeros(self.n_rows, dtype=bool)
        return np.array([len(text) >= min_length for text in self.values(0)], bool)


def hash_rows(
    left: pd.DataFrame, right: pd.DataFrame, max_groups: int | None = None
) -> tuple[RowHashes, RowHashes]:
    """Prepare two tables of the same columns to be hashed so that equal rows have equal hashes.

    A column that is numeric (or boolean) in both is compared as float64, any other as text. Hashes
    of texts may differ from one run of Python to the next.

    Parameters
    ----------
    max_groups : int or None
        Of more columns, some of numbers, or some of texts, count as one.
    """
    from pandas.api.types import is_numeric_dtype

    together = 1 if max_groups is None else -(-left.shape[1] // max_groups)
    if together > 1:
        left, right = _texts_joined(left, right, together)
    kinds = list(zip(left.dtypes, right.dtypes, strict=True))
    is_number = np.array([all(map(is_numeric_dtype, both)) for both in kinds], dtype=bool)
    if len(kinds) > MAX_GROUPS:
        left, right = _numbers_first(left, is_number), _numbers_first(right, is_number)
        places = np.argsort(np.argsort(~is_number, kind="stable")).tolist()
    else:
        places = list(range(len(kinds)))
    groups: list[Group] = []
    last = -1  # the group of numbers that may still grow
    for place, both, is_one in zip(places, kinds, is_number.tolist(), strict=True):
        if is_one and last >= 0 and groups[last].stop - groups[last].start < together:
            groups[last] = groups[last]._replace(stop=place + 1)
            continue
        last = len(groups) if is_one else last
        text: Literal["arrow", "text"] = "arrow" if all(map(is_arrow, both)) else "text"
        groups.append(Group(place, place + 1, "number" if is_one else text))
    return RowHashes(left, tuple(groups)), RowHashes(right, tuple(groups))


def _texts_joined(
    left: pd.DataFrame, right: pd.DataFrame, size: int
) -> tuple[pd.DataFrame, pd.DataFrame]:
    import pandas as pd

    kinds = zip(left.dtypes, right.dtypes, strict=True)
    is_text = np.array([all(map(is_arrow, both)) for both in kinds], dtype=bool)
    if not is_text.any():
        return left, right
    one, other = (
        pd.concat([table.loc[:, ~is_text], joined(table.loc[:, is_text], size)], axis=1)
        for table in (left, right)
    )
    return one, other


def _numbers_first(table: pd.DataFrame, is_number: NDArray[np.bool_]) -> pd.DataFrame:
    """Lay the numbers of a wide table out as one array: pandas keeps them column by column."""
    import pandas as pd

    if table.size > MAX_LAID_OUT:
        order = np.argsort(~is_number, kind="stable")
        return table.iloc[:, order]
    numbers = pd.DataFrame(_numbers(table.loc[:, is_number]), index=table.index)
    return pd.concat([numbers, table.loc[:, ~is_number]], axis=1)


class Equal(NamedTuple):
    """Rows of the right table that the left one holds.

    Parameters
    ----------
    right : ndarray of shape (n_found,)
        Positions, ascending.
    left : ndarray of shape (n_found,)
        The first row of the left table that is equal.
    n_equal : ndarray of shape (n_found,)
        Rows of the left table that are.
    """

    right: Rows
    left: Rows
    n_equal: Counts


def equal_rows(left: RowHashes, right: RowHashes) -> Equal:
    """Find the rows of the right table that the left one holds, by their values.

    Columns are taken in one by one, the most telling first; after one, two, four, eight ... columns
    only the rows go on that may have an equal.
    """
    sides = [left, right]
    rows = [np.arange(side.n_rows) for side in sides]
    total = [np.zeros(side.n_rows, np.uint64) for side in sides]
    for done, number in enumerate(left.order, 1):
        for n, side in enumerate(sides):
            total[n] += side.column(number)
        if done & (done - 1) == 0 or done == left.n_columns:
            for n, keep in enumerate(possible(total[0], total[1])):
                if 2 * len(keep) < len(total[n]):
                    rows[n], total[n] = rows[n][keep], total[n][keep]
                    sides[n] = sides[n].narrowed(keep)
    theirs, mine = first_equal(total[0], total[1])
    same = sides[0].taken(mine).equal_values(sides[1].taken(theirs))
    theirs, mine = theirs[same], mine[same]
    return Equal(rows[1][theirs], rows[0][mine], counts_of(total[0], total[1][theirs]))


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
    mine = np.flatnonzero(marked(right, left))
    theirs = np.flatnonzero(marked(left[mine], right))
    return mine, theirs


def counts_of(values: Hashes, asked: Hashes) -> Counts:
    """Count how often each of the `asked` stands among `values`."""
    ordered = np.sort(values[marked(asked, values)])
    upper, lower = np.searchsorted(ordered, asked, "right"), np.searchsorted(ordered, asked, "left")
    return np.asarray(upper - lower, dtype=np.int64)


def share_recurring(table: RowHashes) -> float:
    """Return the share of rows that have an equal; of many, by those whose hash is low."""
    order = table.order
    n_first = 1 if max(table.told, default=0) > TELLING else len(order)
    total = table.only(order[:n_first])
    if table.n_rows > _MANY:
        low = np.flatnonzero(total < np.uint64((1 << 64) * _MANY // table.n_rows))
        table, total = table.taken(low), total[low]
    n_rows = table.n_rows
    keep = _recurring(total)
    if n_first < len(order):
        table, total = table.taken(keep), total[keep]
        keep = _recurring(total + table.only(order[n_first:]))
    return len(keep) / max(1, n_rows)


def _recurring(hashes: Hashes) -> Rows:
    """Return the positions of hashes that stand there more than once."""
    ordered = np.sort(hashes)
    twice = np.unique(ordered[1:][ordered[1:] == ordered[:-1]])
    maybe = np.flatnonzero(marked(twice, hashes))
    return maybe[np.isin(hashes[maybe], twice)]


class Table(NamedTuple):
    """Bits that say of a hash that it is surely not among those known, or that it may be."""

    bits: NDArray[np.bool_]
    shift: np.uint64

    @classmethod
    def of(cls, known: Hashes, spare: int = 5) -> Table:
        """Mark hashes; of others, one in ``2 ** spare`` or less is taken for one of them."""
        size = len(known).bit_length()
        n_bits = int(np.clip(size + spare, min(size + SPARE_OF_FEW, CACHED), 26))
        bits, shift = np.zeros(1 << n_bits, dtype=bool), np.uint64(64 - n_bits)
        bits[(known >> shift).view(np.int64)] = True
        return cls(bits, shift)

    def may_hold(self, asked: Hashes) -> NDArray[np.bool_]:
        """Look some thousands of hashes up."""
        return self.bits[(asked >> self.shift).view(np.int64)]


def marked(known: Hashes, asked: Hashes) -> NDArray[np.bool_]:
    """Say which of the `asked` may be among the `known`."""
    table = Table.of(known)
    found = np.empty(len(asked), dtype=bool)
    for part in stretches(len(asked)):
        found[part] = table.may_hold(asked[part])
    return found


def stretches(n: int, size: int = _STRETCH) -> Iterator[slice]:
    """Yield slices of so many rows."""
    for start in range(0, n, size):
        yield slice(start, start + size)


def _hashed(table: pd.DataFrame, group: Group) -> Hashes:
    start, stop, kind = group
    if kind != "number":
        values = table.iloc[:, start]
        array = arrow_array(values) if kind == "arrow" else None
        return _scrambled(text_hashes(values) if array is None else arrow_hashes(array), start)
    if stop - start == 1:
        return _scrambled(_number_bits(_numbers(table.iloc[:, start])), start)
    total = np.empty(len(table), np.uint64)
    places, numbers = np.arange(start, stop, dtype=np.uint64), _numbers(table.iloc[:, start:stop])
    for part in stretches(len(table), max(1, _STRETCH // len(places))):
        bits = _scrambled(_number_bits(numbers[part]), places)
        total[part] = bits.sum(axis=1, dtype=np.uint64)
    return total


def _numbers(values: pd.Series | pd.DataFrame) -> NDArray[np.float64]:
    return np.asarray(values.to_numpy(np.float64, na_value=np.nan))


def _number_bits(values: NDArray[np.float64]) -> Hashes:
    numbers = np.add(values, 0.0, order="C")  # -0.0 is 0.0
    bits = numbers.view(np.uint64)
    with np.errstate(invalid="ignore", over="ignore"):
        may_miss = np.isnan(numbers.sum())  # so that most columns are not gone over twice
    if may_miss:
        bits[np.isnan(numbers)] = _NAN
    return bits


def _scrambled(bits: Hashes, number: int | Hashes) -> Hashes:
    """Mix bits (the finaliser of SplitMix64), so that sums of columns do not collide; in place."""
    place = np.atleast_1d(np.asarray(number, np.uint64))
    odd = np.uint64(0x9E3779B97F4A7C15) * (np.uint64(2) * place + np.uint64(1))
    if len(place) == 1:
        place, odd = place[0], odd[0]
    spare = np.empty_like(bits[:_STRETCH])
    for part in stretches(len(bits)):
        x = bits[part]
        shifted = spare[: len(x)]
        x *= odd
        x += place
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            np.right_shift(x, np.uint64(shift), out=shifted)
            x ^= shifted
            x *= np.uint64(factor)
        np.right_shift(x, np.uint64(31), out=shifted)
        x ^= shifted
    return bits
