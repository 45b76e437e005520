"""Find test rows that are train rows with a value or two changed, or with numbers a little off."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from competitions.errors import NotApplicableError
from detectors.base import About, register
from detectors.leakage.near_lagged import lagged
from detectors.leakage.near_null import N_NULL, near_and_null
from detectors.leakage.near_rows import prepared
from detectors.leakage.row_evidence import (
    MAX_PAIRS,
    Shown,
    answers_agree,
    no_tables,
    overlap_evidence,
    shared_columns,
)
from detectors.leakage.split import split_of
from reports.schema import Confidence, Quantity, Severity, SubjectKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.base import Subject
    from detectors.leakage.near_lagged import Lagged
    from detectors.leakage.near_null import Null
    from detectors.leakage.near_rows import Near, Tables
    from detectors.leakage.row_hashes import Rows
    from detectors.leakage.split import Split
    from detectors.leakage.tables import Table
    from reports.schema import Finding, RowOverlap

MIN_COLUMNS = 3  # of fewer, equal values say nothing of the others
MIN_RECURRENCE = 5  # near train rows from which a row is content that recurs, not a copy
AS_USUAL = 2.0  # times what chance or the train part itself shows, up to which nothing is unusual
RARE = 0.01  # chance of so many in a test part, from which a small share of rows says nothing
MAX_BY_CHANCE = 0.1  # rows by chance, beyond which nothing is sure


@register
@dataclass(frozen=True)
class NearRowOverlap:
    """Test rows that are nearly a row of the train table, key columns and answers left out.

    Two rows are near when all but two of their columns are equal (all but one of five to seven
    columns, all of fewer), where numbers that vary finely count as equal when they are off by a few
    thousandths. Equal rows are left to `exact-row-overlap`. What was found is held against two
    nulls: test rows of which half of the columns were given another row's values, and the train
    rows among themselves. Where either shows half as many, and where a row has five or more near
    train rows, the finding is a note. Rows that hold the numbers of a train row moved by some
    columns, as windows of one series do, are told apart from these; they are a note where they are
    no more than stand at an edge.

    Parameters
    ----------
    medium_share : float in [0, 1], default=0.005
        Share of near test rows from which the finding is of medium severity.
    high_share : float in [0, 1], default=0.05
        Share from which it is of high severity.
    seed : int >= 0, default=0
        Of the nulls.
    """

    about: ClassVar[About] = About(
        id="near-row-overlap",
        subject=SubjectKind.TASK,
        asks="Are rows of the test part rows of the train part with a value or two changed?",
        blind_spots=(
            "Rows that differ in three columns or more, or whose numbers were shifted by more than "
            "about half a hundredth, are not seen; nor are rows that agree in most columns with "
            "twenty train rows or more."
        ),
        reference="https://doi.org/10.1016/j.patter.2023.100804 (Kapoor and Narayanan 2023, L1.4)",
    )
    medium_share: float = 0.005
    high_share: float = 0.05
    seed: int = 0

    def applies(self, subject: Subject) -> str | None:
        """See `Detector.applies`."""
        return no_tables(subject)

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """See `Detector.detect`.

        Raises
        ------
        EvidenceUnavailableError
            When the tables are missing, unreadable, or share fewer than three columns.
        """
        split = split_of(subject)
        train, test = split.both()
        columns = [c for c in shared_columns(split) if c not in {*split.key, *split.targets}]
        if len(columns) < MIN_COLUMNS:
            problem = f"expected {MIN_COLUMNS} columns that {train.name} and {test.name} share"
            raise NotApplicableError(f"{problem} beside the key, found {len(columns)}")
        yield from self._near(subject, split, columns)
        moved = lagged(train.frame[columns], test.frame[columns])
        if moved is not None:
            yield self._lagged(subject, split, moved)

    def _near(self, subject: Subject, split: Split, columns: list[str]) -> Iterator[Finding]:
        train, test = split.both()
        tables = prepared(train.frame[columns], test.frame[columns])
        found, null = near_and_null(tables, self.seed)
        recurs = found.n_like >= MIN_RECURRENCE
        for recurring in (False, True):
            some = found.only(recurs == recurring)
            n, n_test = len(some.right), len(test.frame)
            if n:
                evidence = (_pairs(split, columns, tables, some), *_nulls(n, n_test, null))
                few = n / n_test < self.medium_share and _may_be_chance(n, n_test, train, null)
                usual = recurring or few or _is_usual(n, n_test, null)
                if usual and n == 1:
                    continue  # what may be chance is nothing to tell
                yield self._finding(subject, (n, n_test), evidence, null, usual=usual)

    def _lagged(self, subject: Subject, split: Split, moved: Lagged) -> Finding:
        """Tell of rows that are windows of one series, beside one another."""
        n, n_test = len(moved.test_rows), len(split.both()[1].frame)
        at_an_edge = n <= 2 * len(moved.columns)  # where one part of a series ends and one begins
        share = n / n_test
        severity = self._severity(share) if not at_an_edge else Severity.NOTE
        return self.about.finding(
            subject,
            f"{n} of {n_test} test rows hold the numbers of a train row moved by {moved.shift} "
            f"columns, as neighbouring windows of one series do.",
            _lag_evidence(split, moved),
            severity=severity,
            confidence=Confidence.HIGH,
        )

    def _severity(self, share: float) -> Severity:
        grave = Severity.HIGH if share >= self.high_share else Severity.MEDIUM
        return grave if share >= self.medium_share else Severity.LOW

    def _finding(
        self,
        subject: Subject,
        counts: tuple[int, int],
        evidence: tuple[RowOverlap | Quantity, ...],
        null: Null,
        *,
        usual: bool,
    ) -> Finding:
        n, n_test = counts
        severity = self._severity(n / n_test)
        sure = Confidence.HIGH if null.by_chance <= MAX_BY_CHANCE else Confidence.MEDIUM
        why = "; so many are to be expected of these tables" if usual else ""
        return self.about.finding(
            subject,
            f"{n} of {n_test} test rows are nearly a row of the train table{why}.",
            *evidence,
            severity=Severity.NOTE if usual else severity,
            confidence=Confidence.LOW if usual else sure,
        )


def _lag_evidence(split: Split, moved: Lagged) -> RowOverlap:
    """Show the rows that are others moved."""
    shown = Shown(
        likeness="nearly equal",
        rule=f"the numbers of one are those of the other, moved by {moved.shift} columns",
    )
    rows = moved.train_rows, moved.test_rows
    return overlap_evidence(split, rows, moved.columns, [*split.key, *split.targets], shown)


def _pairs(split: Split, columns: list[str], tables: Tables, found: Near) -> RowOverlap:
    """Show the rows with the columns that differ."""
    rows = found.left, found.right
    shown = Shown(
        likeness="nearly equal",
        rule=_rule(tables),
        differs=[_differs(tables, columns, *pair) for pair in _first(rows)],
        scores=[float(c) for c in found.n_changed[:MAX_PAIRS]],
        answers_agree=answers_agree(split, *rows),
    )
    return overlap_evidence(split, rows, columns, [*split.key, *split.targets], shown)


def _is_usual(n: int, n_test: int, null: Null) -> bool:
    """Say whether chance, or what the train table is like, explains so many rows."""
    return n <= AS_USUAL * null.by_chance or n / n_test <= AS_USUAL * null.within


def _may_be_chance(n: int, n_test: int, train: Table, null: Null) -> bool:
    """Say whether so few rows may be as many as broken rows, or train rows, have beside them.

    Of two counts, how the one falls on its rows given their sum is binomial.
    """
    from scipy.stats import binom

    n_own = min(N_NULL, len(train.frame))
    seen = ((null.by_chance * null.n_rows / n_test, null.n_rows), (null.within * n_own, n_own))
    return any(
        binom.sf(n - 1, n + round(others), n_test / (n_test + n_rows)) > RARE
        for others, n_rows in seen
    )


def _rule(tables: Tables) -> str:
    most = tables.max_changed
    rule = (
        f"at most {most} of {len(tables.left.columns)} columns differ"
        if most
        else "no column differs"
    )
    off = " by more than a few thousandths where numbers vary finely" if tables.grid.scales else ""
    return f"{rule}{off}; the score is the number that do"


def _first(rows: tuple[Rows, Rows]) -> Iterator[tuple[int, int]]:
    yield from zip(rows[0][:MAX_PAIRS].tolist(), rows[1][:MAX_PAIRS].tolist(), strict=True)


def _differs(tables: Tables, columns: list[str], mine: int, theirs: int) -> tuple[str, ...]:
    sides = zip(columns, tables.left.columns, tables.right.columns, strict=True)
    return tuple(name for name, one, other in sides if one[mine] != other[theirs])


def _nulls(n: int, n_test: int, null: Null) -> tuple[Quantity, Quantity]:
    return (
        Quantity(
            name="test rows that are nearly a train row",
            value=n,
            unit="rows",
            compared_with=(
                "as many test rows of which half of the columns are another row's "
                f"({null.n_rows} were tried)"
            ),
            reference=round(null.by_chance, 3),
        ),
        Quantity(
            name="share of test rows that are nearly a train row",
            value=round(n / n_test, 6),
            compared_with="the share of train rows that are nearly another train row",
            reference=round(null.within, 6),
        ),
    )
