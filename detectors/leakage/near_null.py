"""How many nearly equal rows chance makes, and how many a train table has among its own rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from detectors.leakage.near_rows import Side, near

if TYPE_CHECKING:
    from detectors.leakage.near_rows import Near, Tables

N_NULL = 20_000  # rows of the null, at most, but where few were found
MIN_TIMES = 10  # a test part that is smaller is broken up so many times
FEW = 20  # rows found in a large test part, from which all of it is broken up


class Null(NamedTuple):
    """What to hold the rows found against.

    Parameters
    ----------
    by_chance : float >= 0
        Rows of a test part of this size that are near when half of the columns of each of its rows
        are another row's.
    n_rows : int
        Such broken rows that were looked for.
    within : float in [0, 1]
        Share of train rows that are near to another train row.
    """

    by_chance: float
    n_rows: int
    within: float


def near_and_null(tables: Tables, seed: int = 0) -> tuple[Near, Null]:
    """Look for test rows that are near, and for broken rows and train rows as for these.

    Half of the columns of each test row are given the values of another one. What is still near a
    train row is so by chance, and not by being copied. Where few are found in a large test part,
    all of it is broken up; where none is, there is nothing to hold against it.
    """
    n_test = tables.right.n_rows
    found, null = _searched(tables, min(n_test, N_NULL), seed, tables.right)
    if 0 < len(found.right) <= FEW and n_test > N_NULL:
        _, null = _searched(tables, n_test, seed, tables.right.taken(np.zeros(0, np.intp)))
    return found, null


def _searched(tables: Tables, each: int, seed: int, right: Side) -> tuple[Near, Null]:
    """Search rows of the test part, broken ones and train rows in one go: the train part is long.

    Parameters
    ----------
    each : int
        Test rows that are broken up, some times over where they are few.
    """
    rng = np.random.default_rng(seed)
    times = max(1, min(MIN_TIMES, N_NULL // max(1, each)))
    broken = [_broken(tables.right, each, rng) for _ in range(times)]
    own = np.sort(rng.permutation(tables.left.n_rows)[:N_NULL])
    n_broken = each * times
    itself = np.concatenate([np.full(right.n_rows + n_broken, -1), own])
    joined = _joined([right, *broken, tables.left.taken(own)])
    seen = near(tables._replace(right=joined), itself)
    is_found = seen.right < right.n_rows
    of_broken = int((seen.right < right.n_rows + n_broken).sum()) - int(is_found.sum())
    null = Null(
        by_chance=of_broken * tables.right.n_rows / max(1, n_broken),
        n_rows=n_broken,
        within=(len(seen.right) - int(is_found.sum()) - of_broken) / max(1, len(own)),
    )
    return seen.only(is_found), null


def _broken(side: Side, n: int, rng: np.random.Generator) -> Side:
    rows = rng.permutation(side.n_rows)[:n]
    columns = rng.permutation(len(side.columns))[: len(side.columns) // 2]
    return side.taken(rows).recombined(columns.tolist(), rng.permutation(n))


def _joined(parts: list[Side]) -> Side:
    columns = tuple(np.concatenate(c) for c in zip(*(p.columns for p in parts), strict=True))
    numbers = {n: np.concatenate([p.numbers[n] for p in parts]) for n in parts[0].numbers}
    return Side(columns, numbers)
