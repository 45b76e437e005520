"""Find rows of the test part that are also rows of the train part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from detectors.base import About, register
from detectors.leakage.near_rows import NO_GRID, Side, Tables, max_changed, near
from detectors.leakage.row_evidence import (
    Shown,
    answers_agree,
    no_tables,
    overlap_evidence,
    shared_columns,
    views,
)
from detectors.leakage.row_hashes import (
    MAX_GROUPS,
    counts_of,
    equal_rows,
    hash_rows,
    marked,
    share_recurring,
)
from detectors.leakage.split import split_of
from reports.schema import Confidence, Severity, SubjectKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd
    from numpy.typing import NDArray

    from detectors.base import Subject
    from detectors.leakage.row_hashes import Equal, RowHashes
    from detectors.leakage.split import Split
    from reports.schema import Finding

N_CUTS = 16
LARGE = 200_000  # train rows from which half as many cuts do
MIN_RECURRENCE = 5  # equal train rows from which a row is content that recurs, not a copy
MOST = 0.5  # share of train rows with an equal from which the whole table recurs
UNSEEN = 0.1  # rows that are taken to be equal in half the columns where none was seen
MAX_BY_CHANCE = 0.1  # equal rows that a test part of this size may show by chance
FEW = 2  # shared rows that the train table's own equal rows may explain
NARROW = 0.1  # share of train rows up to which those that may count are looked at alone
N_OWN = 20_000  # train rows that are held against the others for it
EQUAL_OF_NEAR = 0.1  # of natural near rows, the share that is equal
RARE = 0.01  # chance of so many shared rows, from which they are nothing unusual
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
    is_usual : bool
        True where one or two rows are shared, as may be by the train table's own equal rows.
    """

    test_rows: NDArray[np.intp]
    train_rows: NDArray[np.intp]
    is_coincidence: NDArray[np.bool_]
    is_usual: bool = False


@register
@dataclass(frozen=True)
class ExactRowOverlap:
    """Test rows that also stand in the train table, key columns left out.

    Rows are compared by a 64-bit hash of each column's value and then by the values themselves. An
    equal row counts as copied when chance does not explain it. Chance is estimated from the train
    part: the columns are cut into two halves, in sixteen ways (eight, of large tables); with ``a``
    other train rows equal in one half and ``b`` in the other, about ``a * b / n_train`` train rows
    should be equal in both, and the cut that expects most counts. Where a test part of this size
    would show a tenth of such a row or more, the table's values are too few to tell, and the row is
    told as a note. So is content that recurs: a row that stands five times or more in the train
    part, all rows where most train rows have an equal, and one or two rows where the train table
    has as many equal or nearly equal rows itself. Beyond that, one copied row is enough for a
    finding.

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
        return no_tables(subject)

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """See `Detector.detect`.

        Raises
        ------
        EvidenceUnavailableError
            When the public tables are missing, unreadable, or share no column but the key.
        """
        split = split_of(subject)
        train, test = split.both()
        for left_out in views(split):
            columns = [c for c in shared_columns(split) if c not in left_out]
            overlap = find_overlap(train.frame[columns], test.frame[columns])
            if len(overlap.test_rows):
                yield from self._findings(subject, split, overlap, columns, left_out)
                return

    def _findings(
        self,
        subject: Subject,
        split: Split,
        overlap: Overlap,
        columns: list[str],
        ignored: tuple[str, ...],
    ) -> Iterator[Finding]:
        n_test = len(split.both()[1].frame)
        for unexplained in (True, False):
            mask = overlap.is_coincidence != unexplained
            n = int(mask.sum())
            if not n:
                continue
            copied = unexplained and not overlap.is_usual
            saw = "also stand in the train table"
            expected = (
                "; so few values, or contents that recur so often, make that to be expected. With "
                "a column that tells rows apart, equal ones would be copies"
            )
            rows = overlap.train_rows[mask], overlap.test_rows[mask]
            shown = Shown(answers_agree=answers_agree(split, *rows))
            yield self.about.finding(
                subject,
                f"{n} of {n_test} test rows {saw}{'' if copied else expected}.",
                overlap_evidence(split, rows, columns, ignored, shown),
                severity=self._severity(n / n_test) if copied else Severity.NOTE,
                confidence=Confidence.HIGH if copied else Confidence.LOW,
            )

    def _severity(self, share: float) -> Severity:
        if share >= self.high_share:
            return Severity.HIGH
        return Severity.MEDIUM if share >= self.medium_share else Severity.LOW


def find_overlap(train: pd.DataFrame, test: pd.DataFrame) -> Overlap:
    """Find the rows of `test` that `train` holds, and judge which are copies.

    Parameters
    ----------
    train, test : DataFrame
        The same columns in the same order. Missing values equal one another; ``1`` equals ``1.0``.

    Notes
    -----
    Linear in the rows. What judges the rows found costs about as much as the search again.
    """
    left, right = hash_rows(train, test, MAX_GROUPS)
    found = equal_rows(left, right)
    by_chance = _coincidences(left, right, found)
    n = int((~by_chance).sum())
    is_usual = 1 <= n <= FEW and n <= _most_usual(left, len(test))
    return Overlap(found.right, found.left, by_chance, is_usual)


def _most_usual(left: RowHashes, n_test: int) -> int:
    """Return how many shared rows the equal and nearly equal rows of the train table explain.

    So many as have a chance of a hundredth or more, where of natural near rows a tenth is equal.
    """
    from scipy.stats import poisson

    own = np.arange(left.n_rows)[:: max(1, left.n_rows // N_OWN)]
    train = Side(left.columns, {})
    tables = Tables(train, train.taken(own), NO_GRID, max_changed(left.n_columns))
    nearly = near(tables, own)
    share = share_recurring(left) + EQUAL_OF_NEAR * len(nearly.right) / max(1, len(own))
    return int(poisson.isf(RARE, n_test * share))


def _coincidences(left: RowHashes, right: RowHashes, found: Equal) -> NDArray[np.bool_]:
    """Say which shared rows chance or recurring content explains."""
    if not len(found.right):
        return np.zeros(0, dtype=bool)
    asked = right.taken(found.right)
    recurs: NDArray[np.bool_] = found.n_equal >= MIN_RECURRENCE
    if share_recurring(left) > MOST:
        recurs = np.ones_like(recurs)  # the table is made of contents that recur
    if right.n_columns == 1:
        return recurs | ~asked.is_rich_text(MIN_TEXT)
    generator = np.random.default_rng(0)  # which columns go together does not change by the call
    n_cuts = N_CUTS if left.n_rows <= LARGE else N_CUTS // 2
    n = right.n_columns
    cuts = [generator.permutation(n).tolist() for _ in range(n_cuts)]
    parts = [(cut[: n // 2], cut[n // 2 :]) for cut in cuts]
    nearby = _agreeing(left, asked, [part for both in parts for part in both])
    expected = np.zeros(asked.n_rows)
    for both in parts:
        one, other = (
            counts_of(nearby.only(part), asked.only(part)) - found.n_equal + UNSEEN for part in both
        )
        expected = np.maximum(expected, one * other / left.n_rows)
    return recurs | (expected * right.n_rows >= MAX_BY_CHANCE)


def _agreeing(left: RowHashes, asked: RowHashes, parts: list[list[int]]) -> RowHashes:
    """Return the train rows that may agree with a row asked for in all columns of some part.

    They agree in the most telling column of the part.
    """
    rank = {column: n for n, column in enumerate(left.order)}
    found = np.zeros(left.n_rows, dtype=bool)
    for column in {min(part, key=rank.__getitem__) for part in parts}:
        found |= marked(asked.column(column), left.column(column))
    return left.narrowed(np.flatnonzero(found)) if found.mean() < NARROW else left
