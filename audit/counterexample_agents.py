"""Two agents that differ in how they validate, and in nothing else.

Both fit the same few models and hand in the one that scored best on their own validation. The naive
one takes random folds of the rows as they lie, after it has prepared them all together. The careful
one keeps things whole, learns from the past where the test part is the future, prepares within the
folds, and leaves out columns that look otherwise in the test part.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from audit.counterexample_features import CODES, prepared, roles_of
from audit.counterexample_folds import folds_of, shifted
from competitions.metrics import Context, metric_named

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from audit.counterexample_features import Roles
    from competitions.spec import Scalar
    from competitions.trap import Parts

AgentName = Literal["naive", "careful"]
MODELS: Final = ("nearest", "forest", "linear", "shallow")
_TREES: Final = 40
_MAX_FEATURES: Final = 0.4  # share of the columns that a tree of numbers looks at in a split
_UNSURE: Final = 0.01  # probabilities stay off 0 and 1, whose logarithms cost without end


@dataclass(frozen=True)
class Scoring:
    """How submissions are scored: the task's own metric, and which direction is better."""

    name: str
    arguments: Mapping[str, Scalar]
    is_lower_better: bool

    @property
    def sign(self) -> int:
        """+1 where a higher score is a better one, else -1."""
        return -1 if self.is_lower_better else 1

    def score(self, answers: pd.DataFrame, predictions: NDArray[np.generic], target: str) -> float:
        """Score predictions for rows whose answers are known."""
        handed_in = answers.assign(**{target: predictions})
        context = Context((target,), self.arguments)
        return metric_named(self.name).score(answers, handed_in, context)


class Attempted(NamedTuple):
    """What an agent chose, what it expected of it, and what came of it.

    Parameters
    ----------
    local, hidden : float
        Its own validation score and that on the hidden test, in units of the metric.
    predictions : ndarray
        For the hidden rows, in their order.
    """

    agent: AgentName
    chosen: str
    folds: str
    local: float
    hidden: float
    predictions: NDArray[np.generic]


def attempt(agent: AgentName, parts: Parts, scoring: Scoring, seed: int) -> Attempted:
    """Let an agent validate, choose, fit all of the train part, and predict the hidden test.

    Parameters
    ----------
    seed : int
        Of folds and of models.
    """
    import numpy as np

    roles = roles_of(parts)
    if agent == "careful":
        roles = roles.without(shifted(parts, roles))
    scheme, folds = folds_of(parts, seed, careful=agent == "careful")
    recipes = _recipes(roles)
    truth = parts.train[["id", parts.target]]
    values = parts.train[parts.target].to_numpy()
    held_out: dict[str, list[NDArray[np.generic]]] = {name: [] for name in recipes}
    for seen, unseen in folds:
        for used in dict.fromkeys(recipes.values()):
            # Only codes are prepared by the target: the naive agent has done so with all rows.
            leaks = agent == "naive" and used.codes
            learnt_on = np.arange(len(values)) if leaks else seen
            table = prepared(parts.train, values, used, parts.kind, learnt_on)
            for name in (n for n, roles_used in recipes.items() if roles_used == used):
                fit = (table[seen], values[seen])
                held_out[name].append(_predicted(name, parts.kind, fit, table[unseen], seed))
    rows = np.concatenate([unseen for _seen, unseen in folds])
    known = truth.iloc[rows].reset_index(drop=True)
    local = {
        name: scoring.score(known, np.concatenate(found), parts.target)
        for name, found in held_out.items()
    }
    chosen = max(local, key=lambda name: scoring.sign * local[name])
    table, asked = _whole(parts, values, recipes[chosen])
    predictions = _predicted(chosen, parts.kind, (table, values), asked, seed)
    hidden = scoring.score(parts.answers, predictions, parts.target)
    return Attempted(agent, chosen, scheme, local[chosen], hidden, predictions)


def _recipes(roles: Roles) -> dict[str, Roles]:
    """Name what is tried: each model, with and without the codes where there are some."""
    plain = {name: replace(roles, codes=()) for name in MODELS}
    if not roles.codes:
        return plain
    return {**plain, **{f"{name}{CODES}": roles for name in MODELS}}


def _whole(
    parts: Parts, values: NDArray[np.generic], used: Roles
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    import numpy as np
    import pandas as pd

    both = pd.concat([parts.train, parts.test], ignore_index=True)
    n_train = len(parts.train)
    table = prepared(both, values, used, parts.kind, np.arange(n_train))
    return table[:n_train], table[n_train:]


def _predicted(
    name: str,
    kind: str,
    seen: tuple[NDArray[np.float64], NDArray[np.generic]],
    asked: NDArray[np.float64],
    seed: int,
) -> NDArray[np.generic]:
    """Fit one model and predict: classes, the probability of 1, or numbers."""
    import numpy as np

    model = _builders(seed, is_number=kind == "number")[name.removesuffix(CODES)]()
    model.fit(*seen)
    if kind != "probability":
        return model.predict(asked)  # type: ignore[no-any-return]
    at = list(model.classes_).index(1) if 1 in model.classes_ else 0
    return np.clip(model.predict_proba(asked)[:, at], _UNSURE, 1 - _UNSURE)  # type: ignore[no-any-return]


def _builders(seed: int, *, is_number: bool) -> dict[str, Callable[[], Any]]:
    from sklearn.ensemble import ExtraTreesClassifier, ExtraTreesRegressor
    from sklearn.linear_model import LogisticRegression, Ridge
    from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

    def trees(**how: int) -> Any:  # noqa: ANN401 - scikit-learn has no types
        if is_number:
            return ExtraTreesRegressor(_TREES, max_features=_MAX_FEATURES, random_state=seed, **how)
        return ExtraTreesClassifier(_TREES, random_state=seed, **how)

    near = KNeighborsRegressor if is_number else KNeighborsClassifier
    return {
        "nearest": lambda: near(1),
        "forest": trees,
        "linear": lambda: Ridge(30.0) if is_number else LogisticRegression(C=0.05, max_iter=300),
        "shallow": lambda: trees(max_depth=5, min_samples_leaf=15),
    }
