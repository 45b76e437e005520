"""Which models an attempt's Python builds, and which of them are random."""

from __future__ import annotations

import ast
import re
from enum import Enum, auto
from typing import TYPE_CHECKING, NamedTuple

from detectors.folding import dotted

if TYPE_CHECKING:
    from detectors.training.scopes import Names, Scope, Tree


class Kind(Enum):
    """Whether a model's predictions depend on its seed."""

    RANDOM = auto()
    NOT_RANDOM = auto()  # or so little that the predictions can be equal


class Built(NamedTuple):
    """A model that the code builds.

    Parameters
    ----------
    seed : ast.expr or None
        What it is given as its seed; None when nothing.
    """

    scope: Scope
    node: ast.Call
    kind: Kind
    seed: ast.expr | None


# Libraries that say nothing about randomness by themselves.
PLAIN = frozenset(
    {
        *("os", "sys", "shutil", "pathlib", "csv", "json", "pickle", "math", "time", "datetime"),
        *("numpy", "pandas", "joblib", "random", "logging", "argparse", "__future__", "typing"),
        *("base64", "zlib", "gzip", "io", "re", "collections", "itertools", "warnings", "hashlib"),
    }
)
_OPAQUE = frozenset(
    {"autogluon", "flaml", "h2o", "pycaret", "tpot", "autosklearn", "lightautoml", "mljar"}
)
_SEEDS = ("random_state", "seed", "random_seed")
_RANDOM = re.compile(
    r"^(?:RandomForest|ExtraTrees?|Bagging|MLP|SGD)(?:Classifier|Regressor)$|"
    r"^(?:CatBoost(?:Classifier|Regressor)?|Perceptron|PassiveAggressive\w+)$"
)
_HOLDS_ANOTHER = re.compile(r"^Bagging")
_WRAPPER = re.compile(
    r"^(?:CalibratedClassifierCV|Voting\w+|Stacking\w+|MultiOutput\w+|OneVsRest\w+|OneVsOne\w+|"
    r"ClassifierChain|TransformedTarget\w+)$"
)
_ANY_MODEL = re.compile(
    r"^[A-Z]\w*(?:Classifier|Regressor|Regression(?:CV)?|NB|SVC|SVR|Ridge(?:CV|Classifier\w*)?|"
    r"Lasso\w*|ElasticNet\w*|DiscriminantAnalysis|Predictor|Ranker|Neighbors\w*)$|"
    r"^(?:Ridge|Lasso|SVC|SVR|NuSVC|NuSVR|LinearSVC|LinearSVR|ElasticNet|GLM|OLS|Logit|RidgeCV|"
    r"LassoCV)$"
)
_BOOSTERS = frozenset({"lgb.train", "lightgbm.train", "xgb.train", "xgboost.train"})
_BOOSTER_CLASS = re.compile(r"^(?:LGBM|XGB)(?:Classifier|Regressor|Ranker)$")
_ROWS = ("subsample", "bagging_fraction")
_COLUMNS = (
    *("feature_fraction", "feature_fraction_bynode", "colsample_bytree", "colsample_bylevel"),
    "colsample_bynode",
)
_ROW_EVERY = ("subsample_freq", "bagging_freq")
_GLOBAL_SEED = re.compile(
    r"(?:^|\.)(?:seed|manual_seed|manual_seed_all|set_seed|set_random_seed|seed_everything)$"
)


def imports(tree: Tree) -> frozenset[str]:
    """Return the top names of what the code imports."""
    found = set()
    for _, node in tree.nodes:
        if isinstance(node, ast.Import):
            found |= {a.name.partition(".")[0] for a in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add((node.module or "").partition(".")[0])
    return frozenset(found)


def trains_network(tree: Tree) -> bool:
    """Say whether the code trains a network of torch or keras."""
    return bool(_network(tree))


def _network(tree: Tree) -> list[tuple[Scope, ast.Call]]:
    """Return the calls that train a network."""
    has_keras = bool(imports(tree) & {"keras", "tensorflow"})
    return [
        (scope, call)
        for scope, call in tree.calls()
        if getattr(call.func, "attr", "") in {"backward", "fit_one_cycle", "fine_tune"}
        or (has_keras and getattr(call.func, "attr", "") == "fit" and _gives(call, "epochs"))
    ]


def _gives(call: ast.Call, name: str) -> bool:
    return any(k.arg == name for k in call.keywords)


def models_in(tree: Tree) -> list[Built] | None:
    """List the models that the code builds; None where that cannot be told."""
    if imports(tree) & _OPAQUE:
        return None
    mappings = _mappings(tree)
    called, skipped = set(), set()
    found = [Built(s, c, Kind.RANDOM, None) for s, c in _network(tree)]
    for scope, call in tree.calls():
        name = dotted(call.func)
        last = name.rpartition(".")[2]
        called.add(id(call.func))
        if id(call) in skipped or _WRAPPER.match(last):
            continue
        if _HOLDS_ANOTHER.match(last):
            skipped |= {id(n) for a in (*call.args, *call.keywords) for n in ast.walk(a)}
        is_model = _RANDOM.match(last) or _ANY_MODEL.match(last) or name in _BOOSTERS
        options = _options(call, mappings) if is_model else {}
        if options is None:
            return None
        if is_model:
            seed = next((options[s] for s in _SEEDS if s in options), None)
            found.append(Built(scope, call, _kind(last, name, options), seed))
    return None if _names_model(tree, called) else found


def _names_model(tree: Tree, called: set[int]) -> bool:
    """Say whether a model's class is handed about without being built there."""
    return any(
        isinstance(node, ast.Name | ast.Attribute)
        and id(node) not in called
        and isinstance(getattr(node, "ctx", None), ast.Load)
        and bool(
            _ANY_MODEL.match(dotted(node).rpartition(".")[2])
            or _RANDOM.match(dotted(node).rpartition(".")[2])
        )
        for _, node in tree.nodes
    )


def _mappings(tree: Tree) -> dict[str, ast.expr]:
    """Return dicts by the name that they are given, when they are given it once."""
    found: dict[str, list[ast.expr]] = {}
    for _, node in tree.nodes:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found.setdefault(node.targets[0].id, []).append(node.value)
    return {n: v[0] for n, v in found.items() if len(v) == 1}


def _options(call: ast.Call, mappings: dict[str, ast.expr]) -> dict[str, ast.expr] | None:
    """Return what a model is built with by name; None where a mapping is not known."""
    options = {k.arg: k.value for k in call.keywords if k.arg}
    spread = [k.value for k in call.keywords if k.arg is None]
    if dotted(call.func) in _BOOSTERS:
        spread += [*call.args[:1], *(v for n, v in options.items() if n == "params")]
    for value in spread:
        mapping = mappings.get(value.id) if isinstance(value, ast.Name) else value
        if isinstance(mapping, ast.Call) and dotted(mapping.func) == "dict":
            if mapping.args:
                return None
            options |= {k.arg: k.value for k in mapping.keywords if k.arg}
        elif isinstance(mapping, ast.Dict) and None not in mapping.keys:
            options |= {
                str(k.value): v
                for k, v in zip(mapping.keys, mapping.values, strict=True)
                if isinstance(k, ast.Constant)
            }
        else:
            return None
    return options


def _number(options: dict[str, ast.expr], *names: str) -> float | None:
    """Return the first of some options that is a number."""
    for name in names:
        node = options.get(name)
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
            return float(node.value)
    return None


def _is_part(options: dict[str, ast.expr], *names: str) -> bool:
    """Say whether one of some options is a share below 1."""
    return any((v := _number(options, n)) is not None and 0 < v < 1 for n in names)


def _kind(last: str, name: str, options: dict[str, ast.expr]) -> Kind:
    """Say whether a model is random, as it is built."""
    if _RANDOM.match(last):
        is_random = True
    elif last.startswith("LGBM") or name in {"lgb.train", "lightgbm.train"}:
        rows = _is_part(options, *_ROWS) and (_number(options, *_ROW_EVERY) or 0) > 0
        is_random = rows or _is_part(options, *_COLUMNS)
    elif _BOOSTER_CLASS.match(last) or name in _BOOSTERS:
        is_random = _is_part(options, "subsample", *_COLUMNS)
    elif last.startswith("GradientBoosting"):
        is_random = _is_part(options, "subsample") or "max_features" in options
    elif last.startswith("HistGradientBoosting"):
        early = options.get("early_stopping")
        stops = isinstance(early, ast.Constant) and early.value is True
        is_random = stops or _is_part(options, "max_features")
    elif last.startswith("DecisionTree"):
        is_random = "max_features" in options
    else:
        is_random = False
    return Kind.RANDOM if is_random else Kind.NOT_RANDOM


def global_seeds(tree: Tree, seeded: Names) -> tuple[bool, bool]:
    """Say whether a global seed is set to something fixed, and whether one follows the seed."""
    fixed = follows = False
    for scope, call in tree.calls():
        if _GLOBAL_SEED.search(dotted(call.func)) and (call.args or call.keywords):
            given = [*call.args, *(k.value for k in call.keywords)]
            if any(seeded.depends(scope, g) for g in given):
                follows = True
            else:
                fixed = True
    return fixed, follows
