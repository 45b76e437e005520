"""What a baseline is asked: the public tables, the target, and what kind of value it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from competitions.errors import UsageError
from competitions.submission import read_table

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

    from competitions.prepared import Prepared
    from competitions.spec import Competition

SEED = 0

Kind = Literal["probability", "number", "label"]
_KINDS: dict[str, Kind] = {
    "accuracy": "label",
    "macro-f1": "label",
    "mae": "number",
    "rmse": "number",
    "auc-roc": "probability",
    "log-loss": "probability",
}


@dataclass(frozen=True)
class Problem:
    """One task as a baseline sees it.

    Parameters
    ----------
    kind : {"probability", "number", "label"}
        What the metric scores: P(target = 1), the target as a number, or its class.
    train, test : DataFrame
        The public tables; a task without a table of test rows has their keys alone.
    public : Path
        The public folder, for files that belong to rows.
    """

    spec: Competition
    target: str
    kind: Kind
    train: pd.DataFrame
    test: pd.DataFrame
    public: Path

    @property
    def truth(self) -> pd.Series:
        """The train part's targets."""
        return self.train[self.target]

    def features(self) -> list[str]:
        """List the columns that describe a row: no key, no entity, no target."""
        spec = self.spec
        named = {*spec.submission.key, *spec.targets, *(e.column for e in spec.entities)}
        return [c for c in self.train.columns if c not in named and c in self.test.columns]


def problem_of(prepared: Prepared) -> Problem:
    """Read the public half of a prepared task.

    Raises
    ------
    UsageError
        When it predicts several columns, has no train part, or has a metric or target that these
        baselines do not know.
    """
    spec = prepared.spec
    kind = _KINDS.get(spec.metric.name)
    train_name, test_name = spec.file_of("train"), spec.file_of("test")
    if len(spec.targets) != 1 or train_name is None or kind is None:
        raise UsageError(
            f"{spec.id}: baselines need a train part and predict one column for one of the metrics "
            f"{', '.join(_KINDS)}; found {', '.join(spec.targets)} for {spec.metric.name}."
        )
    (target,) = spec.targets
    train = read_table(prepared.public / train_name)
    test = read_table(prepared.public / (test_name or spec.sample_submission.path))
    if kind == "probability" and set(train[target].unique()) != {0, 1}:
        raise UsageError(f"{spec.id}: baselines need a train part with both 0 and 1 in {target}.")
    return Problem(
        spec, target, kind, train, test.drop(columns=target, errors="ignore"), prepared.public
    )
