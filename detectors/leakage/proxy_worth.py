"""How many points of score a leak is worth: a small model with it and without it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from detectors.leakage.proxy_scan import numbers_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd
    from numpy.typing import NDArray

    from detectors.leakage.column_scan import Leak
    from detectors.leakage.column_scores import Target

MAX_ROWS = 3_000
MAX_COLUMNS = 40  # of the honest rest
N_TOLD = 6  # leaks whose worth is worked out
_N_FOLDS = 3
_FEWEST_OF_CLASS = 2 * _N_FOLDS


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
    without = _reached([*base, np.zeros(len(rows))], some, seed)
    if without is None:
        return [None] * len(leaks)
    measure = "area under the curve" if some.is_classes else "R²"
    told: list[Worth | None] = []
    for leak in leaks[:N_TOLD]:
        found = _reached([*base, leak.cells[rows].astype(float)], some, seed)
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


def _reached(columns: Sequence[NDArray[np.float64]], target: Target, seed: int) -> float | None:
    """Return a model's area under the curve or R² out of fold; None where there is no model."""
    from sklearn.ensemble import ExtraTreesClassifier, ExtraTreesRegressor
    from sklearn.metrics import r2_score, roc_auc_score
    from sklearn.model_selection import KFold, StratifiedKFold, cross_val_predict

    table, y = np.column_stack(columns), target.cells
    few: dict[str, Any] = {"n_estimators": 20, "min_samples_leaf": 5, "max_features": 0.5}
    if not target.is_classes:
        folds = KFold(_N_FOLDS, shuffle=True, random_state=seed)
        forest = ExtraTreesRegressor(random_state=seed, **few)
        return float(r2_score(y, cross_val_predict(forest, table, y, cv=folds)))
    n_classes = int(y.max(initial=0)) + 1
    if n_classes < 2:  # noqa: PLR2004
        return None
    cut = StratifiedKFold(_N_FOLDS, shuffle=True, random_state=seed)
    trees = ExtraTreesClassifier(random_state=seed, **few)
    said = cross_val_predict(trees, table, y, cv=cut, method="predict_proba")
    if n_classes == 2:  # noqa: PLR2004
        return float(roc_auc_score(y, said[:, 1]))
    return float(roc_auc_score(y, said / said.sum(1, keepdims=True), multi_class="ovr"))
