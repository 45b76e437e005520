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


def null_of(tables: Tables, found: Near, seed: int = 0) -> Null:
    """Look for broken rows of the test part, and for train rows, as for the test rows themselves.

    Half of the columns of each test row are given the values of another one. What is still near a
    train row is so by chance, and not by being copied.
    """
    rng = np.random.default_rng(seed)
    n_test, n_train = tables.right.n_rows, tables.left.n_rows
    each = n_test if len(found.right) <= FEW else min(n_test, N_NULL)
    times = max(1, min(MIN_TIMES, N_NULL // max(1, each)))
    parts = [_broken(tables.right, each, rng) for _ in range(times)]
    own = np.sort(rng.permutation(n_train)[:N_NULL])
    parts.append(tables.left.taken(own))
    itself = np.concatenate([np.full(each * times, -1), own])
    seen = near(tables._replace(right=_joined(parts)), itself)
    n_broken = int((seen.right < each * times).sum())
    return Null(
        by_chance=n_broken * n_test / max(1, each * times),
        n_rows=each * times,
        within=(len(seen.right) - n_broken) / max(1, len(own)),
    )


def _broken(side: Side, n: int, rng: np.random.Generator) -> Side:
    rows = rng.permutation(side.n_rows)[:n]
    columns = rng.permutation(len(side.columns))[: len(side.columns) // 2]
    return side.taken(rows).recombined(columns.tolist(), rng.permutation(n))


def _joined(parts: list[Side]) -> Side:
    columns = tuple(np.concatenate(c) for c in zip(*(p.columns for p in parts), strict=True))
    numbers = {n: np.concatenate([p.numbers[n] for p in parts]) for n in parts[0].numbers}
    return Side(columns, numbers)
