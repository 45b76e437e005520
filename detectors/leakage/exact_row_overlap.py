"""Find rows of the test part that are also rows of the train part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from competitions.errors import EvidenceUnavailableError
from detectors.base import About, register
from detectors.leakage.row_hashes import RowHashes, hash_rows, read_table
from detectors.task import Task
from reports.schema import Confidence, RowOverlap, RowPair, Severity, SubjectKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd
    from numpy.typing import NDArray

    from detectors.base import Subject
    from reports.schema import Finding

MAX_PAIRS = 10
N_CUTS = 16
MIN_RECURRENCE = 5  # equal train rows from which a row is content that recurs, not a copy
MOST = 0.5  # share of train rows with an equal from which the whole table recurs
UNSEEN = 0.1  # rows that are taken to be equal in half the columns where none was seen
MAX_BY_CHANCE = 0.1  # equal rows that a test part of this size may show by chance
MIN_TEXT = 20  # characters from which a single text column can identify a row


class Overlap(NamedTuple):
    """Test rows that the train table holds.

    Parameters
    ----------
    test_rows : ndarray of shape (n_shared,), positions from 0, ascending
    train_rows : ndarray of shape (n_shared,)
        The first equal row of the train table.
    is_coincidence : ndarray of bool, shape (n_shared,)
        True where chance explains it, or content that recurs: equal rows are to be expected.
    """

    test_rows: NDArray[np.intp]
    train_rows: NDArray[np.intp]
    is_coincidence: NDArray[np.bool_]


@register
@dataclass(frozen=True)
class ExactRowOverlap:
    """Test rows that also stand in the train table, key columns left out.

    Rows are compared by a 64-bit hash of each column's value and then by the values themselves. An
    equal row counts as copied when chance does not explain it. Chance is estimated from the train
    part: the columns are cut into two halves, in sixteen ways; with ``a`` other train rows equal in
    one half and ``b`` in the other, about ``a * b / n_train`` train rows should be equal in both,
    and the cut that expects most counts. Where a test part of this size would show a tenth of such
    a row or more, the table's values are too few to tell, and the row is told as a note. So is
    content that recurs: a row that stands five times or more in the train part, and all rows where
    most train rows have an equal. One copied row is enough for a finding.

    Parameters
    ----------
    medium_share : float in [0, 1], default=0.005
        Share of copied test rows from which the finding is of medium severity.
    high_share : float in [0, 1], default=0.05
        Share from which it is of high severity.
    """

    about: ClassVar[About] = About(
        id="exact-row-overlap",
        subject=SubjectKind.TASK,
        asks="Do rows of the test part also stand in the train part?",
        blind_spots=(
            "Rows that differ in a single character are not seen, nor images, audio or texts that "
            "are kept in files of their own."
        ),
        reference="https://doi.org/10.1016/j.patter.2023.100804 (Kapoor and Narayanan 2023, L1.4)",
    )
    medium_share: float = 0.005
    high_share: float = 0.05

    def applies(self, subject: Subject) -> str | None:
        """See `Detector.applies`."""
        if not isinstance(subject, Task):
            return "it looks at tasks only"
        tables = (subject.spec.file_of("train"), subject.spec.file_of("test"))
        if all(t is not None and t.endswith(".csv") for t in tables):
            return None
        return "the task has no CSV tables of train and test rows"

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """See `Detector.detect`.

        Raises
        ------
        EvidenceUnavailableError
            When the public tables are missing, unreadable, or share no column but the key.
        """
        if not isinstance(subject, Task):
            raise TypeError(subject)
        train_name, test_name = subject.spec.file_of("train"), subject.spec.file_of("test")
        train = read_table(subject.public(train_name or ""))
        test = read_table(subject.public(test_name or ""))
        entities = [e.column for e in subject.spec.entities]
        for ignored in _views(subject.spec.submission.key, entities):
            columns = [c for c in test.columns if c in train.columns and c not in ignored]
            if not columns:
                raise EvidenceUnavailableError(
                    "data", f"{train_name} and {test_name} share no column besides the key."
                )
            overlap = find_overlap(train[columns], test[columns])
            if len(overlap.test_rows):
                yield from self._findings(subject, overlap, (train, test), columns, ignored)
                return

    def _findings(
        self,
        subject: Task,
        overlap: Overlap,
        tables: tuple[pd.DataFrame, pd.DataFrame],
        columns: list[str],
        ignored: tuple[str, ...],
    ) -> Iterator[Finding]:
        n_test = len(tables[1])
        for copied in (True, False):
            mask = overlap.is_coincidence != copied
            n = int(mask.sum())
            if not n:
                continue
            saw = "also stand in the train table"
            expected = "; so few values, or contents that recur so often, make that to be expected"
            yield self.about.finding(
                subject,
                f"{n} of {n_test} test rows {saw}{'' if copied else expected}.",
                self._evidence(subject, overlap, mask, tables, columns, ignored),
                severity=self._severity(n / n_test) if copied else Severity.NOTE,
                confidence=Confidence.HIGH if copied else Confidence.LOW,
            )

    def _severity(self, share: float) -> Severity:
        if share >= self.high_share:
            return Severity.HIGH
        return Severity.MEDIUM if share >= self.medium_share else Severity.LOW

    def _evidence(
        self,
        subject: Task,
        overlap: Overlap,
        mask: NDArray[np.bool_],
        tables: tuple[pd.DataFrame, pd.DataFrame],
        columns: list[str],
        ignored: tuple[str, ...],
    ) -> RowOverlap:
        train_rows, test_rows = overlap.train_rows[mask], overlap.test_rows[mask]
        pairs = [
            RowPair(left_row=int(a) + 1, right_row=int(b) + 1)
            for a, b in zip(train_rows[:MAX_PAIRS], test_rows[:MAX_PAIRS], strict=True)
        ]
        return RowOverlap(
            left_table=f"public/{subject.spec.file_of('train')}",
            right_table=f"public/{subject.spec.file_of('test')}",
            n_left=len(tables[0]),
            n_right=len(tables[1]),
            n_shared=int(mask.sum()),
            compared_columns=tuple(columns),
            ignored_columns=ignored,
            pairs=tuple(pairs),
            answers_agree=_answers_agree(subject, tables, train_rows, test_rows),
        )


def _views(key: tuple[str, ...], entities: list[str]) -> Iterator[tuple[str, ...]]:
    """Yield the columns to leave out: the key, then the key and the names of entities."""
    yield key
    further = tuple(e for e in entities if e not in key)
    if further:
        yield key + further


def find_overlap(train: pd.DataFrame, test: pd.DataFrame) -> Overlap:
    """Find the rows of `test` that `train` holds, and judge which are copies.

    Parameters
    ----------
    train, test : DataFrame
        The same columns in the same order. Missing values equal one another; ``1`` equals ``1.0``.

    Notes
    -----
    Linear in the rows but for one sort; the judgement costs 32 sorts of `train`'s hashes, and only
    when something was found.
    """
    left, right = hash_rows(train, test)
    order = np.argsort(left.rows, kind="stable")
    ordered = left.rows[order]
    position = np.searchsorted(ordered, right.rows)
    inside = position < len(ordered)
    hit = np.zeros(len(right.rows), dtype=bool)
    hit[inside] = ordered[position[inside]] == right.rows[inside]
    test_rows = np.flatnonzero(hit)
    train_rows = order[position[test_rows]]
    same = left.equal_values(right, train_rows, test_rows)
    test_rows, train_rows = test_rows[same], train_rows[same]
    is_coincidence = _coincidences(left, right, ordered, test_rows)
    return Overlap(test_rows, train_rows, is_coincidence)


def _coincidences(
    left: RowHashes, right: RowHashes, ordered: NDArray[np.uint64], test_rows: NDArray[np.intp]
) -> NDArray[np.bool_]:
    """Say which shared rows chance or recurring content explains."""
    if not len(test_rows):
        return np.zeros(0, dtype=bool)
    rows = right.rows[test_rows]
    equal = _count(ordered, rows)
    recurs: NDArray[np.bool_] = equal >= MIN_RECURRENCE
    if np.mean(_count(ordered, ordered) > 1) > MOST:
        recurs = np.ones_like(recurs)  # the table is made of contents that recur
    if right.n_columns == 1:
        return recurs | ~right.is_rich_text(test_rows, MIN_TEXT)
    expected = np.zeros(len(test_rows))
    generator = np.random.default_rng(0)  # which columns go together does not change by the call
    for _ in range(N_CUTS):
        half = generator.permutation(right.n_columns)[: right.n_columns // 2]
        one, one_test = left.only(half), right.only(half)[test_rows]
        same_one = _count(np.sort(one), one_test) - equal
        same_other = _count(np.sort(left.rows - one), rows - one_test) - equal
        by_chance = (same_one + UNSEEN) * (same_other + UNSEEN) / len(left.rows)
        expected = np.maximum(expected, by_chance)
    return recurs | (expected * len(right.rows) >= MAX_BY_CHANCE)


def _count(ordered: NDArray[np.uint64], values: NDArray[np.uint64]) -> NDArray[np.int64]:
    counts: NDArray[np.int64] = np.searchsorted(ordered, values, "right") - np.searchsorted(
        ordered, values, "left"
    )
    return counts


def _answers_agree(
    subject: Task,
    tables: tuple[pd.DataFrame, pd.DataFrame],
    train_rows: NDArray[np.intp],
    test_rows: NDArray[np.intp],
) -> int | None:
    """Count shared rows whose hidden answer is the train row's; None when it cannot be told."""
    train, test = tables
    key, target = list(subject.spec.submission.key), subject.spec.targets[0]
    try:
        answers = read_table(subject.private(subject.spec.answers))
    except EvidenceUnavailableError:
        return None
    known = {target, *key} <= set(answers.columns) and {target} <= set(train.columns)
    if not known or not set(key) <= set(test.columns) or answers.duplicated(subset=key).any():
        return None
    hidden = test.iloc[test_rows][key].merge(answers[[*key, target]], on=key, how="left")[target]
    given = train.iloc[train_rows][target]
    return int((hidden.to_numpy() == given.to_numpy()).sum())
