"""Whether a table's rows could as well stand in another order, and orders that they could have.

A model that has read a table finds its published order more probable than others (Oren et al.).
That says something only where no reader could guess the order: sorted rows and rows that follow one
another in time are easier in their own order for anybody.

References
----------
Oren et al., Proving Test Set Contamination in Black Box Language Models, 2023 (arXiv:2310.17623).
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from detectors.familiarity.data_tables import Lines

LEVEL = 0.01  # of the check; over all columns
MIN_IN_STRATUM = 5
_MOST_STRATA = 20
_TRAILING = re.compile(r"\d+$")
_WORD = re.compile(r"[a-z]{2,}")


class Order(NamedTuple):
    """What the order of rows is.

    Parameters
    ----------
    strata : ndarray of shape (n_rows,)
        Number of the block that each row stands in; rows may be shuffled within blocks.
    refused : str
        Why no other order is as likely; empty where some are.
    """

    strata: NDArray[np.intp]
    refused: str = ""


def order_of(lines: Lines) -> Order:
    """Say within which blocks rows could stand in any order.

    Neighbouring cells of each column are held against chance (the serial correlation of ranks,
    Bonferroni over columns). Where rows are sorted by a class, its blocks are looked at one by one.
    """
    columns = [np.array(c, dtype=object) for c in zip(*lines.rows, strict=True)]
    whole = np.zeros(len(lines.rows), dtype=np.intp)
    if not (told := _told(lines.header, columns, whole)):
        return Order(whole)
    for column in columns:
        blocks = _blocks(column)
        if blocks is not None and not _told(lines.header, columns, blocks):
            return Order(blocks)
    return Order(whole, f"rows are in an order that the column {told} shows")


def _told(
    header: Sequence[str], columns: Sequence[NDArray[np.object_]], strata: NDArray[np.intp]
) -> str:
    """Return the column that shows an order within strata, empty where none does."""
    from scipy.stats import norm

    limit = float(norm.isf(LEVEL / 2 / len(columns)))
    for name, column in zip(header, columns, strict=True):
        if abs(_serial(_ranked(column), strata)) > limit:
            return name
    return ""


def _ranked(column: NDArray[np.object_]) -> NDArray[np.float64]:
    from scipy.stats import rankdata

    try:
        values = np.array([float(c) if c.strip() else np.nan for c in column])
    except ValueError:
        values = np.unique(column.astype(str), return_inverse=True)[1].astype(float)
    return np.asarray(rankdata(np.nan_to_num(values, nan=-np.inf)), dtype=float)


def _serial(ranks: NDArray[np.float64], strata: NDArray[np.intp]) -> float:
    """Return the z value of the correlation of neighbours within strata, pooled."""
    total, variance = 0.0, 0.0
    for stratum in np.unique(strata):
        own = ranks[strata == stratum]
        own = own - own.mean()
        square = float(own @ own)
        if len(own) < MIN_IN_STRATUM or not square:
            continue
        total += float(own[1:] @ own[:-1]) / square + 1 / len(own)  # expected: -1/n
        variance += 1 / len(own)
    return total / np.sqrt(variance) if variance else 0.0


def _blocks(column: NDArray[np.object_]) -> NDArray[np.intp] | None:
    """Return the number of the run of each row where every class is one run, None elsewhere."""
    starts = np.append(True, column[1:] != column[:-1])
    n_runs = int(starts.sum())
    is_sorted = n_runs == len(set(column)) and 1 < n_runs <= _MOST_STRATA
    return np.cumsum(starts) - 1 if is_sorted else None


def other_orders(
    strata: NDArray[np.intp], count: int, rng: np.random.Generator
) -> Iterator[NDArray[np.intp]]:
    """Yield orders of rows that change places within their strata."""
    for _ in range(count):
        order = np.arange(len(strata))
        for stratum in np.unique(strata):
            own = np.flatnonzero(strata == stratum)
            order[own] = rng.permutation(own)
        yield order


def orders_of_names(
    header: Sequence[str], count: int, rng: np.random.Generator
) -> list[tuple[str, ...]] | str:
    """Return other orders of a header's names, or why its own could be guessed.

    Names that are numbered or sorted have an order that anybody would choose; so have names that
    share words, as ``sepal_length`` and ``sepal_width`` do: they stand side by side.
    """
    names = list(header)
    if len({*names}) < 4:  # noqa: PLR2004 - 24 orders: too few for a small p
        return f"{len(names)} names have too few orders"
    numbered = [n for n in names if _TRAILING.search(n)]
    if len(numbered) > len(names) / 2:
        return "its names are numbered"
    if names == sorted(names) or names == sorted(names, reverse=True):
        return "its names are sorted"
    words = Counter(w for n in names for w in {*_WORD.findall(n.lower())})
    if shared := [w for w, n in words.items() if n > 1]:
        return f"several names have the word {shared[0]}"
    found: dict[tuple[str, ...], None] = {}
    for _ in range(20 * count):
        found.setdefault(tuple(str(n) for n in rng.permutation(names)))
        found.pop(tuple(names), None)
        if len(found) == count:
            break
    return list(found)
