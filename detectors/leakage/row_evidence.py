"""What detectors of shared rows have in common: which columns to compare, and what they show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from competitions.errors import EvidenceUnavailableError
from detectors.leakage.hidden_answers import as_texts
from detectors.leakage.split import is_data
from detectors.leakage.tables import is_table
from detectors.task import Task
from reports.schema import RowOverlap, RowPair

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pandas as pd

    from detectors.base import Subject
    from detectors.leakage.row_hashes import Rows
    from detectors.leakage.split import Split
    from detectors.leakage.tables import Table

MAX_PAIRS = 10  # that are shown
MAX_KEY = 60  # characters of a key


def no_tables(subject: Subject) -> str | None:
    """Say why there are no two tables of rows here, or None."""
    if not is_data(subject):
        return "it looks at tasks and data only"
    if not isinstance(subject, Task):
        return None
    names = (subject.spec.file_of("train"), subject.spec.file_of("test"))
    if all(name is not None and _is_table(name) for name in names):
        return None
    return "the task has no tables of train and test rows, such as CSV"


def shared_columns(split: Split) -> list[str]:
    """Return the columns of both tables, in the order of the test table."""
    train, test = split.both()
    return [c for c in test.frame.columns if c in train.frame.columns]


def views(split: Split) -> Iterator[tuple[str, ...]]:
    """Yield the columns to leave out: the key, names of entities, the answers, all of them.

    The key is always left out: rows that are equal with it are equal without it.

    Raises
    ------
    EvidenceUnavailableError
        When no column is left to compare.
    """
    shared = frozenset(shared_columns(split))
    entities = tuple(e.column for e in split.entities)
    further = ((), entities, split.targets, (*split.targets, *entities))
    seen: set[frozenset[str]] = {frozenset()}
    for names in further:
        left_out = tuple(dict.fromkeys([*split.key, *(n for n in names if n in shared)]))
        left = shared - set(left_out)
        if left not in seen:
            seen.add(left)
            yield left_out
    if len(seen) == 1:
        train, test = split.both()
        raise EvidenceUnavailableError(
            "data", f"{train.name} and {test.name} share no column besides the key."
        )


class Shown(NamedTuple):
    """What is told of pairs of rows beside where they stand."""

    likeness: Literal["equal", "nearly equal", "about the same thing"] = "equal"
    rule: str | None = None
    differs: Sequence[tuple[str, ...]] = ()  # of the first pairs
    scores: Sequence[float] = ()  # of the first pairs
    answers_agree: int | None = None


def overlap_evidence(
    split: Split,
    rows: tuple[Rows, Rows],
    columns: Sequence[str],
    ignored: Sequence[str],
    shown: Shown,
    tables: tuple[Table, Table] | None = None,
) -> RowOverlap:
    """Build the evidence for pairs of rows; the first ones are shown with their keys.

    Parameters
    ----------
    rows : tuple of two ndarrays of shape (n_pairs,)
        Positions in the train table and in the test table.
    tables : tuple of two tables or None
        None: those of the train and the test rows.
    """
    train, test = tables or split.both()
    first = list(zip(*(r[:MAX_PAIRS].tolist() for r in rows), strict=True))
    pairs = [
        RowPair(
            left_row=a + 1,
            right_row=b + 1,
            left_key=_key(train.frame, split.key, a),
            right_key=_key(test.frame, split.key, b),
            differs_in=shown.differs[n] if n < len(shown.differs) else (),
            score=shown.scores[n] if n < len(shown.scores) else None,
        )
        for n, (a, b) in enumerate(first)
    ]
    return RowOverlap(
        left_table=train.name,
        right_table=test.name,
        n_left=len(train.frame),
        n_right=len(test.frame),
        n_shared=len(np.unique(rows[1])),
        likeness=shown.likeness,
        rule=shown.rule,
        compared_columns=tuple(columns),
        ignored_columns=tuple(ignored),
        pairs=tuple(pairs),
        answers_agree=shown.answers_agree,
    )


def answers_agree(split: Split, train_rows: Rows, test_rows: Rows) -> int | None:
    """Count pairs whose hidden answer is the train row's; None when it cannot be told."""
    train, test = split.both()
    try:
        answers = split.answers
    except EvidenceUnavailableError:
        return None
    if answers is None or not split.targets:
        return None
    key, target = list(split.key), split.targets[0]
    known = {target, *key} <= set(answers.frame) and target in train.frame
    if not key or not known or not set(key) <= set(test.frame):
        return None
    if answers.frame.duplicated(subset=key).any():
        return None
    asked = test.frame.iloc[test_rows][key]
    hidden = _by_key(asked, answers.frame, key, target)
    given = train.frame.iloc[train_rows][target]
    return int((hidden == as_texts(given).to_numpy()).sum()) if hidden is not None else None


def _by_key(
    asked: pd.DataFrame, answers: pd.DataFrame, key: list[str], target: str
) -> object | None:
    """Return the answers of rows as texts, or None where the tables' keys cannot be compared."""
    try:
        found = asked.merge(answers[[*key, target]], on=key, how="left")[target]
    except ValueError:  # one of them has texts where the other has numbers
        return None
    return as_texts(found).to_numpy()


def _key(table: pd.DataFrame, key: Sequence[str], row: int) -> str | None:
    named = [str(table[c].iloc[row]) for c in key if c in table]
    return ", ".join(named)[:MAX_KEY] if named else None


def _is_table(name: str) -> bool:
    from pathlib import Path

    return is_table(Path(name)) and not name.endswith(".zip")  # which may hold anything
