"""How many points of score a leak is worth: a small model with it and without it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from detectors.leakage.proxy_scan import numbers_of
from detectors.leakage.small_model import N_FOLDS, reached

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd
    from numpy.typing import NDArray

    from detectors.leakage.column_scan import Leak
    from detectors.leakage.column_scores import Target

MAX_ROWS = 3_000
MAX_COLUMNS = 40  # of the honest rest
N_TOLD = 6  # leaks whose worth is worked out
_FEWEST_OF_CLASS = 2 * N_FOLDS


class Worth(NamedTuple):
    """What a small model reaches out of fold.

    Parameters
    ----------
    measure : str
    without, with_it : float
        With the columns that are no leak, and with the leak beside them.
    """

    measure: str
    without: float
    with_it: float


def worths(
    table: pd.DataFrame, columns: Sequence[str], target: Target, leaks: Sequence[Leak], seed: int
) -> list[Worth | None]:
    """Return the worth of each leak, None for those beyond the first few.

    The model is a few random trees; the leak stands in it as the view that gives the target away,
    since no tree sees how many decimals a number has.

    Parameters
    ----------
    table : DataFrame, shape (n_rows, n_columns)
    columns : sequence of str
        Those that were looked at.
    target : Target
        Of these rows.
    leaks : sequence of Leak
        The strongest first.
    seed : int
    """
    rows = np.arange(len(table))
    if len(rows) > MAX_ROWS:
        rows = np.sort(np.random.default_rng(seed).choice(rows, MAX_ROWS, replace=False))
    some = target.of(rows)
    if some.is_classes:
        some, rows = _of_common_classes(some, rows)
    leaking = {name for leak in leaks for name in leak.columns}
    honest = [name for name in columns if name not in leaking][:MAX_COLUMNS]
    base = [_as_numbers(table[name].iloc[rows]) for name in honest]
    without = reached(np.column_stack([*base, np.zeros(len(rows))]), some, seed)
    if without is None:
        return [None] * len(leaks)
    measure = "area under the curve" if some.is_classes else "R²"
    told: list[Worth | None] = []
    for leak in leaks[:N_TOLD]:
        found = reached(np.column_stack([*base, leak.cells[rows].astype(float)]), some, seed)
        told.append(None if found is None else Worth(measure, without, found))
    return told + [None] * (len(leaks) - len(told))


def _of_common_classes(target: Target, rows: NDArray[np.intp]) -> tuple[Target, NDArray[np.intp]]:
    """Leave out rows of classes that are too few for every fold to have some."""
    n = np.bincount(target.cells, minlength=len(target.classes))
    kept = n[target.cells] >= _FEWEST_OF_CLASS
    _known, codes = np.unique(target.cells[kept], return_inverse=True)
    return target.of(kept)._replace(cells=codes), rows[kept]


def _as_numbers(values: pd.Series) -> NDArray[np.float64]:
    cells = numbers_of(values)
    if cells is not None:
        return cells
    import pandas as pd

    codes, _levels = pd.factorize(values.astype(object).map(str), sort=True)
    return codes.astype(float)
