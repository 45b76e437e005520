"""Small models that authors of submissions train, by family: the two halves share none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

# scikit-learn has no types, so models are Any here.
Builders = dict[str, "Callable[[], Any]"]


def model_of(
    half: Literal["open", "sealed"],
    rng: np.random.Generator,
    *,
    is_probability: bool,
    is_default: bool,
) -> Any:
    """Choose a model with settings of its own, or the one that a half's authors take unchanged."""
    from sklearn.linear_model import LogisticRegression, Ridge
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    if is_default:
        plain = LogisticRegression() if is_probability else Ridge()
        return make_pipeline(StandardScaler(), plain)
    families = {
        ("open", True): _open_classifiers, ("open", False): _open_regressors,
        ("sealed", True): _sealed_classifiers, ("sealed", False): _sealed_regressors,
    }  # fmt: skip
    builders = families[half, is_probability](rng)
    name = sorted(builders)[int(rng.integers(len(builders)))]
    return builders[name]()


def _scaled(*steps: Any) -> Any:
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), *steps)


def _open_classifiers(rng: np.random.Generator) -> Builders:
    """Linear and nearest-neighbour models, forests and boosting."""
    from sklearn import ensemble, naive_bayes, neighbors, neural_network
    from sklearn.linear_model import LogisticRegression

    seed, leaf = int(rng.integers(1 << 20)), int(rng.integers(1, 8))
    strength = 10 ** rng.uniform(-2, 1.5)
    return {
        "bayes": lambda: _scaled(naive_bayes.GaussianNB(var_smoothing=10 ** rng.uniform(-9, -1))),
        "boosting": lambda: ensemble.HistGradientBoostingClassifier(
            learning_rate=rng.uniform(0.03, 0.15), max_iter=60, max_depth=3, random_state=seed
        ),
        "extra": lambda: ensemble.ExtraTreesClassifier(
            60, min_samples_leaf=leaf, random_state=seed
        ),
        "forest": lambda: ensemble.RandomForestClassifier(
            60, min_samples_leaf=leaf, random_state=seed
        ),
        "logistic": lambda: _scaled(LogisticRegression(C=strength, max_iter=500)),
        "near": lambda: _scaled(neighbors.KNeighborsClassifier(int(rng.integers(9, 60)))),
        "network": lambda: _scaled(
            neural_network.MLPClassifier((24,), alpha=strength, max_iter=120, random_state=seed)
        ),
    }


def _open_regressors(rng: np.random.Generator) -> Builders:
    from sklearn import ensemble, linear_model, neighbors, svm

    seed, leaf = int(rng.integers(1 << 20)), int(rng.integers(1, 8))
    return {
        "boosting": lambda: ensemble.GradientBoostingRegressor(
            n_estimators=80, subsample=0.7, max_depth=int(rng.integers(2, 5)), random_state=seed
        ),
        "extra": lambda: ensemble.ExtraTreesRegressor(60, min_samples_leaf=leaf, random_state=seed),
        "forest": lambda: ensemble.RandomForestRegressor(
            60, min_samples_leaf=leaf, random_state=seed
        ),
        "lasso": lambda: _scaled(linear_model.Lasso(10 ** rng.uniform(-2, 0))),
        "near": lambda: _scaled(neighbors.KNeighborsRegressor(int(rng.integers(5, 50)))),
        "ridge": lambda: _scaled(linear_model.Ridge(10 ** rng.uniform(-1, 2.5))),
        "vectors": lambda: _scaled(svm.SVR(C=10 ** rng.uniform(0, 2))),
    }


def _sealed_classifiers(rng: np.random.Generator) -> Builders:
    """Splines, kernels, discriminants and bags of other models."""
    from sklearn import discriminant_analysis, ensemble, kernel_approximation, preprocessing, tree
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.linear_model import LogisticRegression
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.svm import LinearSVC

    seed = int(rng.integers(1 << 20))
    strength = 10 ** rng.uniform(-2, 1)
    spline = preprocessing.SplineTransformer(n_knots=int(rng.integers(3, 8)))
    kernel = kernel_approximation.Nystroem(
        gamma=10 ** rng.uniform(-2.5, -0.5), n_components=60, random_state=seed
    )
    return {
        "adaptive": lambda: ensemble.AdaBoostClassifier(
            tree.DecisionTreeClassifier(max_depth=2), n_estimators=30, random_state=seed
        ),
        "bag": lambda: _scaled(
            ensemble.BaggingClassifier(
                KNeighborsClassifier(int(rng.integers(5, 25))), 12, max_features=0.7,
                random_state=seed,
            )
        ),
        "discriminant": lambda: discriminant_analysis.LinearDiscriminantAnalysis(
            solver="lsqr", shrinkage=rng.uniform(0, 0.9)
        ),
        "kernel": lambda: _scaled(kernel, LogisticRegression(C=10 * strength, max_iter=500)),
        "margin": lambda: _scaled(CalibratedClassifierCV(LinearSVC(C=strength), cv=3)),
        "spline": lambda: _scaled(spline, LogisticRegression(C=strength, max_iter=500)),
        "trees": lambda: ensemble.BaggingClassifier(
            tree.DecisionTreeClassifier(max_depth=int(rng.integers(3, 9))), 40, random_state=seed
        ),
    }  # fmt: skip


def _sealed_regressors(rng: np.random.Generator) -> Builders:
    from sklearn import ensemble, kernel_approximation, kernel_ridge, linear_model, preprocessing
    from sklearn.cross_decomposition import PLSRegression
    from sklearn.tree import DecisionTreeRegressor

    seed = int(rng.integers(1 << 20))
    spline = preprocessing.SplineTransformer(n_knots=int(rng.integers(3, 8)))
    kernel = kernel_approximation.Nystroem(
        gamma=10 ** rng.uniform(-2.5, -0.5), n_components=60, random_state=seed
    )
    return {
        "adaptive": lambda: ensemble.AdaBoostRegressor(
            DecisionTreeRegressor(max_depth=5), n_estimators=30, random_state=seed
        ),
        "components": lambda: PLSRegression(n_components=int(rng.integers(1, 4))),
        "elastic": lambda: _scaled(linear_model.ElasticNet(10 ** rng.uniform(-2, 0))),
        "kernel": lambda: _scaled(kernel, linear_model.Ridge(10 ** rng.uniform(-2, 1))),
        "polynomial": lambda: _scaled(
            kernel_ridge.KernelRidge(kernel="poly", degree=2, alpha=10 ** rng.uniform(-1, 2))
        ),
        "spline": lambda: _scaled(spline, linear_model.Ridge(10 ** rng.uniform(-2, 1))),
        "trees": lambda: ensemble.BaggingRegressor(
            DecisionTreeRegressor(max_depth=int(rng.integers(3, 10))), 40, random_state=seed
        ),
    }
