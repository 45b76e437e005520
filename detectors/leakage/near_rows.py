"""Rows that are other rows with one or two values changed, or with their numbers a little off."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from detectors.leakage.near_grids import Grid, grids_of, off_by_little
from detectors.leakage.row_hashes import Table, hash_rows, possible, stretches

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd
    from numpy.typing import NDArray

    from detectors.leakage.row_hashes import Hashes, Rows

N_BLOCKS = 5  # columns are dealt to so many blocks; two blocks may differ
MIN_FOR_TWO = 8  # columns from which two may have changed
MIN_FOR_ONE = 5
MAX_LIKE = 20  # train rows that agree in most blocks, beyond which they agree in what is common
MAX_PAIRS = 3_000_000
SPARE, SPARE_ALONE = 3, 5  # bits of tables of which several, or one, have to hold a row
_AT_ONCE = 1 << 18  # pairs


@dataclass(frozen=True)
class Side:
    """One of two tables: hashes of its columns, and the numbers of columns that vary finely.

    Parameters
    ----------
    columns : tuple of ndarray of shape (n_rows,)
    numbers : dict of int to ndarray of shape (n_rows,)
        By the position of the column.
    """

    columns: tuple[Hashes, ...]
    numbers: dict[int, NDArray[np.float64]]

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.columns[0]) if self.columns else 0

    def sum_of(self, columns: list[int], rows: Rows | slice | None = None) -> Hashes:
        """Return the hashes of rows over some columns."""
        if not columns:
            return np.zeros(self.n_rows, np.uint64)
        rows = slice(None) if rows is None else rows
        total = self.columns[columns[0]][rows].copy()
        for column in columns[1:]:
            total += self.columns[column][rows]
        return total

    def taken(self, rows: Rows) -> Side:
        """Return some of its rows."""
        numbers = {c: values[rows] for c, values in self.numbers.items()}
        return Side(tuple(c[rows] for c in self.columns), numbers)

    def recombined(self, columns: list[int], order: Rows) -> Side:
        """Give some columns the values of other rows: what rows have in common is broken up."""
        chosen = set(columns)
        mixed = tuple(c[order] if n in chosen else c for n, c in enumerate(self.columns))
        numbers = {n: v[order] if n in chosen else v for n, v in self.numbers.items()}
        return replace(self, columns=mixed, numbers=numbers)


class Near(NamedTuple):
    """Rows of the right table that are nearly a row of the left one, each with its nearest.

    Parameters
    ----------
    right, left : ndarray of shape (n_found,)
        Positions; `right` ascending.
    n_changed : ndarray of shape (n_found,)
        Columns whose values have nothing to do with one another.
    n_like : ndarray of shape (n_found,)
        Rows of the left table that were as near.
    """

    right: Rows
    left: Rows
    n_changed: NDArray[np.intp]
    n_like: NDArray[np.intp]

    def only(self, rows: NDArray[np.bool_]) -> Near:
        """Return some of what was found."""
        return Near(*(values[rows] for values in self))


class Tables(NamedTuple):
    """Two tables made ready for the search."""

    left: Side
    right: Side
    grid: Grid
    max_changed: int


NO_GRID = Grid({}, 0)


def prepared(left: pd.DataFrame, right: pd.DataFrame) -> Tables:
    """Make two tables of the same columns ready for `near`."""
    one, other = hash_rows(left, right)
    grid, numbers = grids_of(one, other)
    sides = Side(one.columns, numbers[0]), Side(other.columns, numbers[1])
    return Tables(*sides, grid, max_changed(one.n_columns))


def max_changed(n_columns: int) -> int:
    """Return how many columns of two near rows may have nothing to do with one another."""
    return (n_columns >= MIN_FOR_ONE) + (n_columns >= MIN_FOR_TWO)


def near(tables: Tables, itself: Rows | None = None) -> Near:
    """Find rows of the right table that are nearly a row of the left one, and not equal to any.

    Two rows are near when all but one or two of their columns (none of fewer than five, one of
    fewer than eight) are equal or, where a column's numbers vary finely, off by no more than the
    grid allows; at least one column differs.

    Parameters
    ----------
    itself : ndarray of shape (n_right,) or None
        Where the right table is a part of the left one: the position of each of its rows there.

    Notes
    -----
    Candidates are rows whose hashes agree over all but two of five blocks of columns, and rows in
    one cell of shifted grids over some finely varying columns; every candidate is then checked.
    Pigeonholes make the first search complete for what it looks for; the grids miss a row in a
    few thousand.
    """
    right = tables.right
    found = list(_candidates(tables, itself))
    pairs = np.unique(np.concatenate([np.zeros(0, np.int64), *found]))
    chosen = [_checked(tables, pairs[at : at + _AT_ONCE]) for at in range(0, len(pairs), _AT_ONCE)]
    if not chosen:
        nothing = np.zeros(0, np.intp)
        return Near(nothing, nothing, nothing, nothing)
    mine, theirs, changed, is_equal = (np.concatenate(part) for part in zip(*chosen, strict=True))
    has_equal = np.zeros(right.n_rows, dtype=bool)
    has_equal[theirs[is_equal]] = True
    keep = ~has_equal[theirs]
    return _nearest(mine[keep], theirs[keep], changed[keep])


def _nearest(mine: Rows, theirs: Rows, changed: NDArray[np.intp]) -> Near:
    order = np.lexsort((mine, changed, theirs))
    mine, theirs, changed = mine[order], theirs[order], changed[order]
    is_first = np.ones(len(theirs), dtype=bool)
    is_first[1:] = theirs[1:] != theirs[:-1]
    first = np.flatnonzero(is_first)
    n_like = np.diff(np.append(first, len(theirs)))
    return Near(theirs[first], mine[first], changed[first], n_like)


def _candidates(tables: Tables, itself: Rows | None) -> Iterator[NDArray[np.int64]]:
    """Yield pairs of rows that may be near, as one number each."""
    columns = list(range(len(tables.left.columns)))
    if tables.max_changed:
        n_blocks = N_BLOCKS if tables.max_changed > 1 else len(columns)
        # dealt like cards, so that columns side by side, which often tell the same, are kept apart
        blocks = [columns[start::n_blocks] for start in range(n_blocks)]
        yield from _of_blocks(tables, blocks, itself)
    exact = [c for c in columns if c not in tables.left.numbers]
    halves = [exact[::2], exact[1::2]] if tables.max_changed else [exact]
    yield from _of_cells(tables, [half for half in halves if half], itself)


def _of_blocks(
    tables: Tables, blocks: list[list[int]], itself: Rows | None
) -> Iterator[NDArray[np.int64]]:
    """Yield pairs of rows that agree in all but one or two blocks of columns."""
    rows = _agreeing(tables, blocks, len(blocks) - tables.max_changed)
    sides = list(zip((tables.left, tables.right), rows, strict=True))
    sums = [[side.sum_of(block, at) for block in blocks] for side, at in sides]
    for out in combinations(range(len(blocks)), tables.max_changed):
        kept = [n for n in range(len(blocks)) if n not in out]
        keys = [reduce(np.add, [total[n] for n in kept]) for total in sums]
        yield _pairs(keys, rows, tables.left.n_rows, itself)


def _of_cells(
    tables: Tables, halves: list[list[int]], itself: Rows | None
) -> Iterator[NDArray[np.int64]]:
    """Yield pairs of rows in one cell of a grid that agree in one of the halves of the rest."""
    if not tables.grid.scales:
        return
    left, right = tables.left, tables.right
    if halves:
        rows = _agreeing(tables, halves, 1)
        left, right = left.taken(rows[0]), right.taken(rows[1])
    else:
        rows = np.arange(left.n_rows), np.arange(right.n_rows)
    rest = [(left.sum_of(half), right.sum_of(half)) for half in halves or [[]]]
    for cells_left, cells_right in tables.grid.cells(left.numbers, right.numbers):
        for one, other in rest:
            keys = [cells_left + one, cells_right + other]
            yield _pairs(keys, rows, tables.left.n_rows, itself)


def _agreeing(tables: Tables, parts: list[list[int]], least: int) -> tuple[Rows, Rows]:
    """Return the rows that agree in at least so many parts with some rows of the other side.

    With one row in this part and maybe another one in that; and a few that do not agree.
    """
    left, right = tables.left, tables.right
    mine = _hits(left, [right.sum_of(part) for part in parts], parts, least)
    theirs = _hits(right, [left.sum_of(part, mine) for part in parts], parts, least)
    return mine, theirs


def _hits(side: Side, known: list[Hashes], parts: list[list[int]], least: int) -> Rows:
    lookup = [Table.of(hashes, SPARE if least > 1 else SPARE_ALONE) for hashes in known]
    found = np.zeros(side.n_rows, np.int8)
    for stretch in stretches(side.n_rows):
        for table, part in zip(lookup, parts, strict=True):
            found[stretch] += table.may_hold(side.sum_of(part, stretch))
    return np.flatnonzero(found >= least)


def _pairs(
    keys: list[Hashes], rows: tuple[Rows, Rows], n_left: int, itself: Rows | None
) -> NDArray[np.int64]:
    """Return pairs of rows with equal keys, by their positions in the whole tables."""
    theirs, mine = np.divmod(matched(keys[0], keys[1]), max(1, len(rows[0])))
    left, right = rows[0][mine], rows[1][theirs]
    if itself is not None:
        other = left != itself[right]
        left, right = left[other], right[other]
    return np.asarray(right.astype(np.int64) * n_left + left)


def matched(left: Hashes, right: Hashes) -> NDArray[np.int64]:
    """Return pairs with equal hashes as one number each; what agrees with many is left out."""
    mine, theirs = possible(left, right)
    mine = mine[np.argsort(left[mine], kind="stable")]
    ordered = left[mine]
    low = np.searchsorted(ordered, right[theirs], "left")
    n_each = np.searchsorted(ordered, right[theirs], "right") - low
    few = (n_each > 0) & (n_each <= MAX_LIKE)
    theirs, low, n_each = theirs[few], low[few], n_each[few]
    within = np.cumsum(n_each) <= MAX_PAIRS
    theirs, low, n_each = theirs[within], low[within], n_each[within]
    of = np.repeat(np.arange(len(theirs)), n_each)
    step = np.arange(len(of)) - np.repeat(np.cumsum(n_each) - n_each, n_each)
    pairs_left, pairs_right = mine[low[of] + step], theirs[of]
    return np.asarray(pairs_right.astype(np.int64) * len(left) + pairs_left)


def _checked(
    tables: Tables, pairs: NDArray[np.int64]
) -> tuple[Rows, Rows, NDArray[np.intp], NDArray[np.bool_]]:
    """Keep the pairs that are near or equal, and count the columns that changed."""
    left, right = tables.left, tables.right
    theirs, mine = np.divmod(pairs, left.n_rows)
    changed = np.zeros(len(pairs), np.intp)
    differs = np.zeros(len(pairs), dtype=bool)
    for number, (one, other) in enumerate(zip(left.columns, right.columns, strict=True)):
        unequal = one[mine] != other[theirs]
        differs |= unequal
        if number in left.numbers:
            at = np.flatnonzero(unequal)
            a, b = left.numbers[number][mine[at]], right.numbers[number][theirs[at]]
            unequal[at] = ~off_by_little(a, b, tables.grid.scales[number])
        changed += unequal
    keep = changed <= tables.max_changed
    return mine[keep], theirs[keep], changed[keep], ~differs[keep]
