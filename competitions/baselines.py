"""Compute a board of baselines: honest models of scikit-learn on one task's prepared data.

Each is trained on the public train part alone and scored on the private answers, with fixed seeds.
The boards of embedded tasks are written by ``python -m competitions.baselines ID``; a task of one's
own adds ``--raw DIR``.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from competitions.errors import MleAuditError, RefusedError, UsageError
from competitions.io import atomic_path, sha256_file
from competitions.metrics import Context, metric_named
from competitions.submission import align, read_table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    import pandas as pd

    from competitions.prepared import Prepared
    from competitions.spec import Competition

_SEED = 0


class Baseline(NamedTuple):
    """One line of a board."""

    name: str
    score: float


def _linear(**arguments: Any) -> Any:  # noqa: ANN401 - scikit-learn has no types
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(
        StandardScaler(), LogisticRegression(max_iter=5000, random_state=_SEED, **arguments)
    )


def _models() -> dict[str, Callable[[], Any]]:
    """Name the models; each is built anew for each task."""
    from sklearn.ensemble import (
        ExtraTreesClassifier,
        HistGradientBoostingClassifier,
        RandomForestClassifier,
    )
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.tree import DecisionTreeClassifier

    return {
        "logistic-regression": _linear,
        "logistic-regression-strong-penalty": lambda: _linear(C=0.01),
        "naive-bayes": GaussianNB,
        "nearest-neighbours-5": lambda: make_pipeline(StandardScaler(), KNeighborsClassifier(5)),
        "nearest-neighbours-25": lambda: make_pipeline(StandardScaler(), KNeighborsClassifier(25)),
        "decision-stump": lambda: DecisionTreeClassifier(max_depth=1, random_state=_SEED),
        "decision-tree-depth-4": lambda: DecisionTreeClassifier(max_depth=4, random_state=_SEED),
        "random-forest": lambda: RandomForestClassifier(200, random_state=_SEED),
        "extra-trees": lambda: ExtraTreesClassifier(200, random_state=_SEED),
        "gradient-boosting": lambda: HistGradientBoostingClassifier(
            max_iter=60, max_depth=3, random_state=_SEED
        ),
    }


def _features(train: pd.DataFrame, test: pd.DataFrame, spec: Competition) -> list[str]:
    """List the columns that describe a row: no key, no group, no target."""
    named = {*spec.submission.key, *spec.targets, *(e.column for e in spec.entities)}
    features = [c for c in train.columns if c not in named and c in test.columns]
    words = [c for c in features if train[c].dtype.kind not in "biuf"]
    gaps = [c for c in features if train[c].isna().any() or test[c].isna().any()]
    if words or gaps or not features:
        raise UsageError(
            f"{spec.id}: baselines take complete numeric columns; found {len(features)} columns, "
            f"words in {', '.join(words) or 'none'}, empty cells in {', '.join(gaps) or 'none'}."
        )
    return features


def _target(spec: Competition) -> str:
    """Return the one column whose probability is asked for."""
    rules = spec.submission.columns
    if len(rules) != 1 or rules[spec.targets[0]].type != "float" or not spec.file_of("train"):
        found = ", ".join(f"{name} ({rule.type})" for name, rule in rules.items())
        raise UsageError(
            f"{spec.id}: baselines need a train part and predict one float column, the probability "
            f"of a 0/1 target; found {found}."
        )
    return spec.targets[0]


def compute(prepared: Prepared) -> list[Baseline]:
    """Train and score every baseline of a task that asks for the probability of a 0/1 target.

    Returns
    -------
    list of Baseline
        Best first: eleven models and constants, scores rounded to 5 decimals.

    Raises
    ------
    UsageError
        When the task asks for something else, or has columns that these models cannot take.
    """
    spec = prepared.spec
    target = _target(spec)
    train = read_table(prepared.public / str(spec.file_of("train")))
    test = read_table(prepared.public / str(spec.file_of("test")))
    answers = read_table(prepared.answers)
    features = _features(train, test, spec)
    if set(train[target].unique()) != {0, 1}:
        raise UsageError(f"{spec.id}: baselines need a train part with both 0 and 1 in {target}.")
    metric, context = metric_named(spec.metric.name), Context((target,), spec.metric.arguments)

    def scored(name: str, probability: float | np.ndarray) -> Baseline:
        submission = test[list(spec.submission.key)].assign(**{target: probability})
        value = metric.score(*align(prepared.schema, submission, answers), context)
        return Baseline(name, round(value, 5))

    board = [scored("constant-train-mean", float(train[target].mean()))]
    for name, build in _models().items():
        model = build().fit(train[features], train[target])
        board.append(scored(name, model.predict_proba(test[features])[:, 1]))
    return sorted(board, key=lambda b: b.score, reverse=not spec.metric.is_lower_better)


def write_board(
    spec: Competition, target: Path, source: str | None = None, raw: Path | None = None
) -> None:
    """Prepare a task in a temporary folder and write its board of baselines.

    Parameters
    ----------
    source, raw : str or None, Path or None
        As `competitions.prepare.prepare` takes them.
    """
    from competitions.prepare import prepare

    with tempfile.TemporaryDirectory() as folder:
        board = compute(prepare(spec, Path(folder), source, raw))
    lines = ["name,score", *(f"{b.name},{b.score:.5f}" for b in board)]
    with atomic_path(target) as temporary:
        temporary.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _refuse_to_ship(spec: Competition, source: str | None) -> None:
    """Refuse a shipped board that would replace Kaggle's or rest on synthetic data."""
    if spec.board.kind != "baselines":
        raise RefusedError(
            f"The board of {spec.id} is Kaggle's and is not replaced by baselines.",
            "Name another file: --output FILE",
        )
    if source == "miniature":
        raise RefusedError(
            f"Scores on a miniature are no board of {spec.id}.",
            "Name the real files: --raw DIR; or another file, for a trial: --output FILE",
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Write one task's board; its sha256 is then pinned in the task's YAML by hand.

    Returns
    -------
    int
        The exit code; an error of ours is one sentence on stderr.
    """
    from competitions import spec
    from competitions.medals import BOARDS

    parser = argparse.ArgumentParser(
        prog="python -m competitions.baselines", description="Write a task's board of baselines."
    )
    parser.add_argument("competition")
    parser.add_argument("--source", help="embedded, miniature or local; default: the task's")
    parser.add_argument("--raw", type=Path, help="folder of raw files, for --source local")
    parser.add_argument("--output", type=Path, help="default: the shipped board")
    given = parser.parse_args(arguments)
    try:
        task = spec.load(given.competition)
        if given.output is None:
            _refuse_to_ship(task, given.source)
        target = given.output or BOARDS / f"{task.id}.csv"
        write_board(task, target, given.source, given.raw)
    except MleAuditError as error:
        sys.stderr.write(f"error[{error.code}]: {error}\n")
        return error.exit_code
    except OSError as error:
        sys.stderr.write(f"error[os]: {error}\n")
        return MleAuditError.exit_code
    sys.stdout.write(f"Written: {target}\nsha256: {sha256_file(target)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
