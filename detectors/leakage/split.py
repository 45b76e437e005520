"""What detectors of family leakage see: a train and a test part, whoever describes them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING

from competitions.errors import EvidenceUnavailableError
from competitions.io import walk_files
from detectors.dataset import Dataset
from detectors.leakage.hidden_answers import pair_answers
from detectors.task import Task

if TYPE_CHECKING:
    from collections.abc import Container
    from pathlib import Path

    import pandas as pd

    from competitions.shapes import Entity
    from detectors.base import Subject
    from detectors.leakage.hidden_answers import Answers
    from detectors.leakage.tables import Table

MIN_TRAIN = 50  # rows; of fewer no column can be said to tell the target


class Split(ABC):
    """A train and a test part: tables, files, and what their columns are.

    Everything is worked out when it is first asked for, and kept.

    Attributes
    ----------
    name : str
        Of the task, the folder or the two tables.
    train, test, sample, answers : Table or None
        Rows of the train part and of the test part, the sample submission, and the hidden answers
        under the ids of the test rows. None where there is no such table.
    listed : Table or None
        The public table that lists the rows to predict.
    public_root, private_root : Path or None
        The folders; None where only tables are known.
    key, targets : tuple of str
        Columns that name a row in the submission, and that are to be predicted.
    entities : tuple of Entity
        What rows are about.
    times : tuple of str
        Columns that say when something happened.
    foreign_keys : tuple of str
        Columns that name rows of another table.
    media : tuple of str
        Columns that name files.
    how : dict of str to str
        Of each role: ``declared``, ``asked``, or ``inferred: <why>``.
    """

    name: str

    @property
    @abstractmethod
    def train(self) -> Table | None:
        """Rows with answers."""

    @property
    @abstractmethod
    def test(self) -> Table | None:
        """Rows whose answers are hidden."""

    @property
    @abstractmethod
    def sample(self) -> Table | None:
        """The sample submission."""

    @property
    @abstractmethod
    def answers(self) -> Table | None:
        """The hidden answers."""

    @property
    @abstractmethod
    def public_root(self) -> Path | None:
        """What an agent may see."""

    @property
    @abstractmethod
    def private_root(self) -> Path | None:
        """What it may not."""

    @property
    @abstractmethod
    def key(self) -> tuple[str, ...]:
        """Columns that name a row in the submission."""

    @property
    @abstractmethod
    def targets(self) -> tuple[str, ...]:
        """Columns that are to be predicted."""

    @property
    @abstractmethod
    def entities(self) -> tuple[Entity, ...]:
        """What rows are about."""

    @property
    @abstractmethod
    def times(self) -> tuple[str, ...]:
        """Columns that say when something happened."""

    @property
    @abstractmethod
    def foreign_keys(self) -> tuple[str, ...]:
        """Columns that name rows of another table."""

    @property
    @abstractmethod
    def media(self) -> tuple[str, ...]:
        """Columns that name files."""

    @property
    @abstractmethod
    def how(self) -> dict[str, str]:
        """Where each role comes from."""

    @abstractmethod
    def on_record(self, *kinds: str, shown_by: Container[str] | None = None) -> tuple[str, ...]:
        """Return the ids of faults of these kinds that a definition names and has not mended.

        Parameters
        ----------
        shown_by : container of str or None
            Ids of detectors: faults that the definition says another one shows are not among them.
        """

    @property
    @abstractmethod
    def listed(self) -> Table | None:
        """The public table that lists the rows to predict: test rows, or the sample."""

    @property
    def listed_in(self) -> str:
        """How a report calls that table."""
        return self.listed.name if self.listed else "the test part"

    @abstractmethod
    def _perfect(self) -> pd.DataFrame:
        """Return the perfect submission: key and targets.

        Raises
        ------
        EvidenceUnavailableError
            When nothing here says what it is.
        """

    @cached_property
    def public(self) -> tuple[Path, ...]:
        """All public files; links are not among them."""
        return tuple(walk_files(self.public_root)) if self.public_root else ()

    @cached_property
    def private(self) -> tuple[Path, ...]:
        """All private files; links are not among them."""
        return tuple(walk_files(self.private_root)) if self.private_root else ()

    @property
    def features(self) -> tuple[str, ...]:
        """Columns of both tables, without key and targets, in the order of the test table."""
        train, test = self.both()
        left_out = {*self.key, *self.targets}
        names = map(str, test.frame.columns)
        return tuple(c for c in names if c in train.frame.columns and c not in left_out)

    @property
    def train_targets(self) -> tuple[str, ...]:
        """The answers' columns in the train table: targets, else what only that table has."""
        if self.train is None:
            return ()
        columns = self.train.frame.columns
        if found := tuple(t for t in self.targets if t in columns):
            return found
        other = set(self.test.frame.columns) if self.test else set(columns)
        return tuple(c for c in map(str, columns) if c not in other and c not in self.key)

    def both(self) -> tuple[Table, Table]:
        """Return the tables of train and test rows.

        Raises
        ------
        EvidenceUnavailableError
            When there is none of one of them, or it has no rows.
        """
        if self.train is None or self.test is None:
            part = "train" if self.train is None else "test"
            raise EvidenceUnavailableError("data", f"{self.name} has no table of {part} rows")
        for part, table in (("train", self.train), ("test", self.test)):
            if not len(table.frame):
                raise EvidenceUnavailableError("data", f"0 rows in the {part} table {table.name}")
        return self.train, self.test

    @cached_property
    def too_little(self) -> str | None:
        """Why there is too little to say what the rows give away; None where there is enough.

        Raises
        ------
        EvidenceUnavailableError
            When a table cannot be read.
        """
        if self.train is None or self.test is None:
            return None
        try:
            frame, name = self.both()[0].frame, self.train.name
        except EvidenceUnavailableError as error:
            return error.problem
        if len(frame) < MIN_TRAIN:
            return f"{len(frame)} rows in the train table {name}, expected {MIN_TRAIN} or more"
        targets = [t for t in self.train_targets if t in frame.columns]
        known = {t: frame[t].dropna() for t in targets}
        if targets and all(len(v.unique()) <= 1 for v in known.values()):
            first, values = next(iter(known.items()))
            rows = (
                "every row"
                if len(values) == len(frame)
                else f"the {len(values)} rows that have one"
            )
            found = f"{values.iloc[0]!s:.40} in {rows}" if len(values) else "empty in every row"
            return f"the target {first} is {found} ({name}), so that nothing can tell it"
        return None

    def answered(self) -> pd.DataFrame:
        """Return key and targets of all test rows as they are, whatever the answers are.

        Raises
        ------
        EvidenceUnavailableError
            When they are not here, or cannot be read.
        """
        return self._perfect()

    def hidden(self) -> Answers:
        """Return the hidden answers row by row, as the public part lists the rows.

        Raises
        ------
        EvidenceUnavailableError
            When they are not here, cannot be paired with the public rows, are fewer than twenty, or
            are neither numbers nor classes.
        """
        return self._answers

    @cached_property
    def _answers(self) -> Answers:
        return self._paired()

    def _paired(self) -> Answers:
        if self.listed is None:
            raise EvidenceUnavailableError("data", f"{self.name} has no table of test rows")
        return pair_answers(self._perfect(), self.listed.frame, self.key, self.targets)


def is_data(subject: Subject) -> bool:
    """Say whether a detector of data looks at such a subject."""
    return isinstance(subject, (Task, Dataset))


_MOST_KEPT = 2  # detectors go over one task after the other
_kept: list[tuple[Task | Dataset, Split]] = []


def split_of(subject: Subject) -> Split:
    """Return a subject's train and test part; the same object as long as it is looked at.

    Raises
    ------
    TypeError
        When it is neither a task nor data.
    """
    for known, split in _kept:
        if known is subject:
            return split
    if isinstance(subject, Task):
        from detectors.leakage.task_split import TaskSplit

        made: Split = TaskSplit(subject)
    elif isinstance(subject, Dataset):
        from detectors.leakage.data_split import DataSplit

        made = DataSplit(subject)
    else:
        raise TypeError(subject)
    _kept.insert(0, (subject, made))
    del _kept[_MOST_KEPT:]
    return made
