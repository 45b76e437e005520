"""Ask whether things of the test part, such as patients, also stand in the train part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from competitions.errors import EvidenceUnavailableError
from competitions.submission import read_table
from detectors.base import About, register
from detectors.leakage.hidden_answers import as_texts
from detectors.task import Task
from reports.schema import Confidence, RowOverlap, RowPair, Severity, SubjectKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd

    from competitions.shapes import Entity
    from detectors.base import Subject
    from reports.schema import Finding

MAX_PAIRS = 10


@register
@dataclass(frozen=True)
class EntityOverlap:
    """Test rows about a thing that train rows are about as well: a patient, a sentence, a place.

    The things are those that the task's definition declares, by a column or by what stands in a
    column before a sign. An agent that validates with random folds over such rows is as surprised
    by new things as its score on the test part is not.

    Parameters
    ----------
    medium_share : float in [0, 1], default=0.01
        Share of test rows about things of the train part from which the finding is of medium
        severity.
    high_share : float in [0, 1], default=0.5
        Share from which it is of high severity.
    """

    about: ClassVar[About] = About(
        id="entity-overlap",
        subject=SubjectKind.TASK,
        asks="Are test rows about things that train rows are about as well?",
        blind_spots=(
            "Only entities that the definition declares are looked at, and only where both tables "
            "name them; names that differ by a letter are two. A task may mean to ask about known "
            "things: the definition does not say."
        ),
        reference="https://doi.org/10.1016/j.patter.2023.100804 (Kapoor and Narayanan 2023, L3.2)",
    )
    medium_share: float = 0.01
    high_share: float = 0.5

    def applies(self, subject: Subject) -> str | None:
        """See `Detector.applies`."""
        if not isinstance(subject, Task):
            return "it looks at tasks only"
        spec = subject.spec
        if not [e for e in spec.entities if e.column not in spec.targets]:
            return "the task declares no entities beside its answers"
        return None if spec.file_of("train") else "the task has no train table"

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """See `Detector.detect`.

        Raises
        ------
        EvidenceUnavailableError
            When the tables are not here, or one of them does not name the entity.
        """
        if not isinstance(subject, Task):
            raise TypeError(subject)
        spec = subject.spec
        train_name = spec.file_of("train") or ""
        train = _read(subject, train_name)
        for entity in spec.entities:
            if entity.column in spec.targets:
                continue
            test_name = self._test_table(subject, entity, train)
            test = _read(subject, test_name)
            left, right = names_of(entity, train), names_of(entity, test)
            shared = right.isin(set(left) - {""}).to_numpy()
            if shared.any() and not (is_numbered(left) and is_numbered(right)):
                yield self._finding(subject, entity, (train_name, test_name), (left, right), shared)

    @staticmethod
    def _test_table(task: Task, entity: Entity, train: pd.DataFrame) -> str:
        """Return the public table of test rows that names the entity."""
        names = dict.fromkeys([task.spec.file_of("test") or task.spec.keys_in, task.spec.keys_in])
        for name in names:
            if entity.column in train.columns and entity.column in _read(task, name).columns:
                return name
        raise EvidenceUnavailableError(
            "data", f"no pair of public tables names the {entity.name} ({entity.column})"
        )

    def _finding(
        self,
        task: Task,
        entity: Entity,
        tables: tuple[str, str],
        names: tuple[pd.Series, pd.Series],
        shared: np.ndarray,
    ) -> Finding:
        left, right = names
        first = {name: row for row, name in reversed(list(enumerate(left)))}
        rows = np.flatnonzero(shared)
        share = len(rows) / len(right)
        n_things = right[shared].nunique()
        known = task.on_record("leak", "split")
        severity = Severity.LOW
        if share >= self.medium_share and not known:
            severity = Severity.HIGH if share >= self.high_share else Severity.MEDIUM
        record = f" On record: {', '.join(known)}." if known else ""
        return self.about.finding(
            task,
            f"{len(rows)} of {len(right)} test rows share their {entity.name} with train rows "
            f"({n_things} of {right.nunique()} by {entity.column}).{record}",
            RowOverlap(
                left_table=f"public/{tables[0]}",
                right_table=f"public/{tables[1]}",
                n_left=len(left),
                n_right=len(right),
                n_shared=len(rows),
                compared_columns=(entity.column,),
                pairs=tuple(
                    RowPair(left_row=first[right.iloc[row]] + 1, right_row=int(row) + 1)
                    for row in rows[:MAX_PAIRS]
                ),
            ),
            severity=severity,
            confidence=Confidence.MEDIUM if known else Confidence.HIGH,
        )


def names_of(entity: Entity, table: pd.DataFrame) -> pd.Series:
    """Return what each row is about, as text; empty where it names nothing."""
    names = as_texts(table[entity.column])
    if entity.prefix_before is not None:
        names = names.str.split(entity.prefix_before, n=1).str[0]
    return names.str.removesuffix(".0")


def is_numbered(names: pd.Series) -> bool:
    """Say whether things are numbered from 0 or 1 without a gap, as each table may do for itself.

    Examples
    --------
    >>> import pandas as pd
    >>> is_numbered(pd.Series(["0", "0", "1", "2"])), is_numbered(pd.Series(["0", "7"]))
    (True, False)
    """
    different = set(names)
    if not all(name.isdigit() for name in different):
        return False
    numbers = sorted(map(int, different))
    return numbers[0] in {0, 1} and numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def _read(task: Task, name: str) -> pd.DataFrame:
    """Read a public table.

    Raises
    ------
    EvidenceUnavailableError
        When it is not there or cannot be read.
    """
    path = task.public(name)
    try:
        return read_table(path)
    except (ValueError, OSError) as error:
        raise EvidenceUnavailableError("data", f"{name} cannot be read: {error}") from error
