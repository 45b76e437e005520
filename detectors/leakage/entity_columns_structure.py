"""How a column that names things sits among the others: what it fixes, and where its rows stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

HALF = 0.5
HARDLY = 0.02  # more pairs than things, as a share, from which a column varies at all by chance
VARIES = 0.95  # share of rows that two columns may name by chance
NAMES = 0.995  # share of rows that they name where one counts the occasions of the other
UPWARDS = 1.5  # steps up for each one down, from which a column counts
MOST_OCCASIONS = 0.5  # levels of a column of occasions, as a share of the rows


def determined(
    mine: NDArray[np.intp],
    n_things: int,
    others: dict[str, NDArray[np.intp]],
    levels: dict[str, int],
) -> dict[str, float]:
    """Say of each column how much less it varies within things than by chance.

    Returns
    -------
    dict of str to float
        1 where it is the same in all rows of a thing, 0 where it varies as chance lets it; columns
        that hardly vary at all are left out.
    """
    sizes = np.bincount(mine, minlength=n_things)
    shares = {}
    for name, other in others.items():
        expected = pairs_by_chance(sizes, np.bincount(other, minlength=levels[name]))
        if expected - n_things < max(1.0, HARDLY * n_things):
            continue
        pairs = n_pairs(mine, other, levels[name])
        shares[name] = float(np.clip((expected - pairs) / (expected - n_things), 0, 1))
    return shares


def ranked(values: pd.Series) -> NDArray[np.float64] | None:
    """Return the ranks of a column of numbers, of mean 0; None for others and constants."""
    from pandas.api.types import is_bool_dtype, is_numeric_dtype

    if not is_numeric_dtype(values) or is_bool_dtype(values):
        return None
    ranks = np.array(values.rank(), dtype=float)
    known = np.isfinite(ranks)
    if not known.any():
        return None
    ranks = np.where(known, ranks - ranks[known].mean(), 0.0)
    return ranks if ranks.any() else None


def alike(mine: NDArray[np.intp], n_things: int, ranks: NDArray[np.float64]) -> float:
    """Say how much less a number varies within things than over all rows, beyond chance.

    Returns
    -------
    float in [0, 1]
        The share of the variance of its ranks that is between things (omega squared, Hays 1963).
    """
    n_rows = len(mine)
    if n_things >= n_rows:
        return 0.0
    sizes, sums = np.bincount(mine, minlength=n_things), np.bincount(mine, ranks, n_things)
    total = float(ranks @ ranks)
    between = float((sums**2 / np.maximum(sizes, 1)).sum())
    within = (total - between) / (n_rows - n_things)
    return float(np.clip((between - (n_things - 1) * within) / (total + within), 0, 1))


def n_pairs(one: NDArray[np.intp], other: NDArray[np.intp], n_other: int) -> int:
    """Count the different pairs that two columns make."""
    import pandas as pd

    return len(pd.unique(one.astype(np.int64) * n_other + other))


def pairs_by_chance(sizes: NDArray[np.intp], others: NDArray[np.intp]) -> float:
    """Return how many different pairs two independent columns make, from their levels' sizes."""
    (a, n_a), (b, n_b) = (np.unique(s[s > 0], return_counts=True) for s in (sizes, others))
    met = -np.expm1(-np.outer(a, b) / max(1, int(sizes.sum())))
    return float(n_a @ met @ n_b)


def together(codes: NDArray[np.intp], n: int) -> float:
    """Say how far the rows of a thing stand together: 1 all, 0 no more than by chance."""
    runs = 1 + int((codes[1:] != codes[:-1]).sum())
    sizes = np.bincount(codes, minlength=n) / len(codes)
    by_chance = 1 + (len(codes) - 1) * (1 - float(sizes @ sizes))
    return float(np.clip((by_chance - runs) / max(1.0, by_chance - n), 0, 1))


def occasions(
    column: str, codes: dict[str, NDArray[np.intp]], levels: dict[str, int]
) -> str | None:
    """Return a column that, with this one, names every row, as a year does with a firm."""
    mine = codes[column]
    sizes = np.bincount(mine, minlength=levels[column])
    for name, other in codes.items():
        if name == column or levels[name] > MOST_OCCASIONS * len(mine):
            continue
        by_chance = pairs_by_chance(sizes, np.bincount(other, minlength=levels[name]))
        if by_chance < VARIES * len(mine) and n_pairs(mine, other, levels[name]) >= NAMES * len(
            mine
        ):
            return name
    return None


def counts_up(values: pd.Series, codes: NDArray[np.intp], stands: float) -> bool:
    """Say whether a column counts from row to row, as the days of a series do.

    Of shuffled rows half of the steps go up as well, but as many go down.
    """
    from pandas.api.types import is_numeric_dtype

    if stands > HALF or not is_numeric_dtype(values) or len(codes) <= 1:
        return False
    steps = np.diff(values.to_numpy(float))
    steps = steps[np.isfinite(steps)]
    up, down = int((steps > 0).sum()), int((steps < 0).sum())
    return up > max(HALF * len(steps), UPWARDS * down)
