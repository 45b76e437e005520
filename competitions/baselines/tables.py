"""Baselines for tables of complete numeric columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from competitions.baselines.problem import SEED, Problem
from competitions.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy as np
    from numpy.typing import NDArray

# scikit-learn has no types, so models are Any here.


def _scaled(model: Any) -> Any:  # noqa: ANN401
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), model)


def _classifiers() -> dict[str, Callable[[], Any]]:
    """Name the models; each is built anew for each task."""
    from sklearn.ensemble import (
        ExtraTreesClassifier,
        HistGradientBoostingClassifier,
        RandomForestClassifier,
    )
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.tree import DecisionTreeClassifier

    def logistic(penalty: float = 1.0) -> Any:  # noqa: ANN401
        return _scaled(LogisticRegression(C=1 / penalty, max_iter=5000, random_state=SEED))

    return {
        "logistic-regression": logistic,
        "logistic-regression-strong-penalty": lambda: logistic(100.0),
        "naive-bayes": GaussianNB,
        "nearest-neighbours-5": lambda: _scaled(KNeighborsClassifier(5)),
        "nearest-neighbours-25": lambda: _scaled(KNeighborsClassifier(25)),
        "decision-stump": lambda: DecisionTreeClassifier(max_depth=1, random_state=SEED),
        "decision-tree-depth-4": lambda: DecisionTreeClassifier(max_depth=4, random_state=SEED),
        "random-forest": lambda: RandomForestClassifier(200, random_state=SEED),
        "extra-trees": lambda: ExtraTreesClassifier(200, random_state=SEED),
        "gradient-boosting": lambda: HistGradientBoostingClassifier(
            max_iter=60, max_depth=3, random_state=SEED
        ),
    }


def _regressors() -> dict[str, Callable[[], Any]]:
    """Name the models that predict a number."""
    from sklearn.ensemble import (
        ExtraTreesRegressor,
        HistGradientBoostingRegressor,
        RandomForestRegressor,
    )
    from sklearn.linear_model import LassoCV, LinearRegression, Ridge
    from sklearn.neighbors import KNeighborsRegressor
    from sklearn.tree import DecisionTreeRegressor

    leaf = {"min_samples_leaf": 5, "random_state": SEED}
    return {
        "linear-regression": LinearRegression,
        "ridge-strong-penalty": lambda: _scaled(Ridge(alpha=1000.0)),
        "lasso": lambda: _scaled(LassoCV(random_state=SEED)),
        "nearest-neighbours-5": lambda: _scaled(KNeighborsRegressor(5)),
        "nearest-neighbours-25": lambda: _scaled(KNeighborsRegressor(25)),
        "decision-stump": lambda: DecisionTreeRegressor(max_depth=1, random_state=SEED),
        "decision-tree-depth-4": lambda: DecisionTreeRegressor(max_depth=4, random_state=SEED),
        "random-forest": lambda: RandomForestRegressor(200, **leaf),
        "extra-trees": lambda: ExtraTreesRegressor(200, **leaf),
        "gradient-boosting": lambda: HistGradientBoostingRegressor(
            max_iter=60, max_depth=3, random_state=SEED
        ),
    }


def constant(problem: Problem) -> tuple[str, Any]:
    """Return the prediction that looks at no feature: the mean, or the most common class."""
    if problem.kind == "label":
        return "constant-most-common", problem.truth.mode()[0]
    return "constant-train-mean", float(problem.truth.mean())


def fitted(
    problem: Problem,
    models: dict[str, Callable[[], Any]],
    train: object,
    test: object,
) -> Iterator[tuple[str, NDArray[np.generic]]]:
    """Fit each model on the train part and predict the test part as the task asks."""
    for name, build in models.items():
        model = build().fit(train, problem.truth)
        if problem.kind == "probability":
            yield name, model.predict_proba(test)[:, 1]
        else:
            yield name, model.predict(test)


def predictions(problem: Problem) -> Iterator[tuple[str, Any]]:
    """Yield eleven baselines by name, each with its predictions in the test table's order.

    Raises
    ------
    UsageError
        When the columns are not complete numbers.
    """
    train, test, features = problem.train, problem.test, problem.features()
    words = [c for c in features if train[c].dtype.kind not in "biuf"]
    gaps = [c for c in features if train[c].isna().any() or test[c].isna().any()]
    if words or gaps or not features:
        raise UsageError(
            f"{problem.spec.id}: baselines of tables take complete numeric columns; found "
            f"{len(features)} columns, words in {', '.join(words) or 'none'}, empty cells in "
            f"{', '.join(gaps) or 'none'}."
        )
    yield constant(problem)
    models = _regressors() if problem.kind == "number" else _classifiers()
    yield from fitted(problem, models, train[features], test[features])
