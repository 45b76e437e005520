"""Baselines for small pictures of one size, by their grey pixels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from competitions.baselines.problem import SEED, Problem
from competitions.baselines.tables import constant, fitted
from competitions.errors import UsageError
from competitions.row_files import file_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from competitions.spec import RowFiles

_MAX_PIXELS = 1024  # more are no features for these models


def _models() -> dict[str, Callable[[], Any]]:
    """Name the models, from the amount of ink to support vectors."""
    from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
    from sklearn.linear_model import LogisticRegression, RidgeClassifier
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import FunctionTransformer
    from sklearn.svm import SVC
    from sklearn.tree import DecisionTreeClassifier

    return {
        "amount-of-ink": lambda: make_pipeline(
            FunctionTransformer(_ink), DecisionTreeClassifier(max_depth=4, random_state=SEED)
        ),
        "naive-bayes": lambda: GaussianNB(var_smoothing=1e-3),
        "decision-tree": lambda: DecisionTreeClassifier(random_state=SEED),
        "least-squares": lambda: RidgeClassifier(random_state=SEED),
        "logistic-regression": lambda: LogisticRegression(C=1.0, max_iter=5000),
        "random-forest": lambda: RandomForestClassifier(200, random_state=SEED),
        "extra-trees": lambda: ExtraTreesClassifier(200, random_state=SEED),
        "nearest-neighbour": lambda: KNeighborsClassifier(1),
        "nearest-neighbours-5": lambda: KNeighborsClassifier(5),
        "support-vectors": lambda: SVC(C=10.0, gamma="scale"),
    }


def _ink(pixels: NDArray[np.float64]) -> NDArray[np.float64]:
    total: NDArray[np.float64] = pixels.mean(axis=1, keepdims=True)
    return total


def _pixels(problem: Problem, rule: RowFiles, table: pd.DataFrame) -> NDArray[np.float64]:
    """Read the picture of each row as one row of grey values in [0, 1]."""
    import numpy as np
    from PIL import Image

    rows = []
    for name in file_names(rule.to, table):
        with Image.open(problem.public / name) as image:
            rows.append(np.asarray(image.convert("L"), dtype=float).ravel() / 255)
    if len({row.size for row in rows}) != 1 or rows[0].size > _MAX_PIXELS:
        sizes = sorted({row.size for row in rows})
        raise UsageError(
            f"{problem.spec.id}: baselines of images take pictures of one size and at most "
            f"{_MAX_PIXELS} pixels; found {len(sizes)} sizes, the largest of {sizes[-1]} pixels."
        )
    return np.stack(rows)


def predictions(problem: Problem) -> Iterator[tuple[str, Any]]:
    """Yield eleven baselines by name, each with its predictions in the test rows' order.

    Raises
    ------
    UsageError
        When the task asks for no class, or has not one small picture per row.
    """
    rules = {rule.part: rule for rule in problem.spec.files}
    if problem.kind != "label" or set(rules) != {"train", "test"}:
        raise UsageError(
            f"{problem.spec.id}: baselines of images predict a class from one picture per row of "
            f"both parts; found pictures of {', '.join(rules) or 'neither'}."
        )
    train = _pixels(problem, rules["train"], problem.train)
    test = _pixels(problem, rules["test"], problem.test)
    yield constant(problem)
    yield from fitted(problem, _models(), train, test)
