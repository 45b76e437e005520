"""A few random trees, asked out of fold: how well columns tell a target at little cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detectors.leakage.column_scores import Target

N_FOLDS = 3
# Trees take a moment of one core; boosting takes all cores, and waits for them where they are busy.
_FEW: dict[str, Any] = {"n_estimators": 20, "min_samples_leaf": 5, "max_features": 0.5}


def reached(table: NDArray[np.float64], target: Target, seed: int) -> float | None:
    """Return the area under the curve of classes, or R² of numbers, of a small model out of fold.

    Parameters
    ----------
    table : ndarray, shape (n_rows, n_columns)
        NaN where a cell is empty.
    target : Target
        Of these rows; each of its classes in at least `N_FOLDS` of them.
    seed : int
        Of the folds and the trees.

    Returns
    -------
    float or None
        Of several classes the mean of one against the rest. None where all rows are of one class.
    """
    from sklearn.ensemble import ExtraTreesClassifier, ExtraTreesRegressor
    from sklearn.metrics import r2_score, roc_auc_score
    from sklearn.model_selection import KFold, StratifiedKFold, cross_val_predict

    y = target.cells
    if not target.is_classes:
        folds = KFold(N_FOLDS, shuffle=True, random_state=seed)
        forest = ExtraTreesRegressor(random_state=seed, **_FEW)
        return float(r2_score(y, cross_val_predict(forest, table, y, cv=folds)))
    n_classes = len(np.unique(y))
    if n_classes < 2:  # noqa: PLR2004
        return None
    cut = StratifiedKFold(N_FOLDS, shuffle=True, random_state=seed)
    trees = ExtraTreesClassifier(random_state=seed, **_FEW)
    said = cross_val_predict(trees, table, y, cv=cut, method="predict_proba")
    if n_classes == 2:  # noqa: PLR2004
        return float(roc_auc_score(y, said[:, 1]))
    return float(roc_auc_score(y, said / said.sum(1, keepdims=True), multi_class="ovr"))
