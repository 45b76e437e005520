"""Tell how many train rows are other train rows again, which random folds would part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from competitions.errors import NotApplicableError
from detectors.base import About, register
from detectors.leakage.near_rows import near, prepared
from detectors.leakage.row_evidence import Shown, no_tables, overlap_evidence
from detectors.leakage.row_hashes import hash_rows
from detectors.leakage.split import split_of
from reports.schema import Confidence, Quantity, Severity, SubjectKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd
    from numpy.typing import NDArray

    from detectors.base import Subject
    from detectors.leakage.row_hashes import Hashes, RowHashes
    from reports.schema import Finding

    Rows = NDArray[np.intp]

N_NEAR = 20_000  # train rows for which near ones are looked for, evenly spread
MIN_COLUMNS = 3  # of fewer, nearly equal rows say nothing
BY_CHANCE = 0.5  # of the equal rows, how many mixed-up columns may show where that is no copying


class Equal(NamedTuple):
    """Rows of one table that are equal.

    Parameters
    ----------
    left, right : ndarray of int, shape (n_repeats,)
        The first row of a content, and a later one.
    n_rows : int
        Rows that have an equal, the first ones among them.
    n_at_odds : int
        Of these, rows whose equals have several answers.
    by_chance : int
        Rows that have an equal where every column is mixed up.
    """

    left: Rows
    right: Rows
    n_rows: int
    n_at_odds: int
    by_chance: int


@register
@dataclass(frozen=True)
class RepeatedTrainRows:
    """Train rows that stand in the train table again, as they are or nearly.

    A note, never more: natural data repeat themselves, and a task may say so. But whoever draws
    folds at random asks in them about rows that were learnt from. Rows are equal in all columns but
    the key and the answers; near ones are told as `near-row-overlap` does. Beside them stands how
    many rows are equal where every column is mixed up by itself.

    Parameters
    ----------
    min_share : float in [0, 1], default=0.005
        Share of the train rows from which equal or nearly equal ones are told.
    seed : int >= 0, default=0
        Of the mixing.
    """

    about: ClassVar[About] = About(
        id="repeated-train-rows",
        subject=SubjectKind.TASK,
        asks="Do rows of the train part stand in it again?",
        blind_spots=(
            "Rows that differ in three columns or more are not seen. Whether a repeat is a copy or "
            "another thing that is alike is not told."
        ),
        reference="https://doi.org/10.1016/j.patter.2023.100804 (Kapoor and Narayanan 2023, L1.4)",
    )
    min_share: float = 0.005
    seed: int = 0

    def applies(self, subject: Subject) -> str | None:
        """See `Detector.applies`."""
        return no_tables(subject)

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """See `Detector.detect`.

        Raises
        ------
        EvidenceUnavailableError
            When the tables are not here.
        NotApplicableError
            When the train table has no column beside key and answers.
        """
        split = split_of(subject)
        train, _test = split.both()
        left_out = {*split.key, *split.train_targets}
        columns = [c for c in train.frame.columns if c not in left_out]
        answers = [c for c in split.train_targets if c in train.frame.columns]
        if not columns:
            raise NotApplicableError(f"{train.name} has no column beside key and answers")
        found = equal_rows_of(train.frame[columns], train.frame[answers], self.seed)
        n = len(train.frame)
        if found.n_rows >= max(2, self.min_share * n):
            ignored = [c for c in train.frame.columns if c not in columns]
            rows = found.left, found.right
            yield self.about.finding(
                subject,
                f"{found.n_rows} of {n} rows of {train.name} equal another one of its rows"
                f"{_at_odds(found)}{_expected(found)}. Random folds part such rows.",
                overlap_evidence(split, rows, columns, ignored, Shown(), (train, train)),
                Quantity(
                    name="train rows that equal another one",
                    value=found.n_rows,
                    unit="rows",
                    compared_with="as many rows of which every column was mixed up by itself",
                    reference=found.by_chance,
                ),
                severity=Severity.NOTE,
                confidence=Confidence.HIGH,
            )
        if len(columns) >= MIN_COLUMNS:
            yield from self._near(subject, train.name, train.frame[columns])

    def _near(self, subject: Subject, name: str, rows: pd.DataFrame) -> Iterator[Finding]:
        tables = prepared(rows, rows)
        own = np.arange(len(rows))[:: max(1, -(-len(rows) // N_NEAR))]
        found = near(tables._replace(right=tables.left.taken(own)), own)
        n = len(np.unique(found.right))
        if n < max(2, self.min_share * len(own)):
            return
        yield self.about.finding(
            subject,
            f"{n} of {len(own)} rows of {name} that were looked at are nearly another one of its "
            "rows. Random folds part such rows.",
            Quantity(name="train rows that are nearly another one", value=n, unit="rows"),
            severity=Severity.NOTE,
            confidence=Confidence.HIGH,
        )


def _at_odds(found: Equal) -> str:
    return f", {found.n_at_odds} of them with another answer" if found.n_at_odds else ""


def _expected(found: Equal) -> str:
    usual = found.by_chance >= BY_CHANCE * found.n_rows
    return "; so few different values make that to be expected" if usual else ""


def equal_rows_of(features: pd.DataFrame, answers: pd.DataFrame, seed: int) -> Equal:
    """Find rows of a table that are equal, and judge their answers.

    Parameters
    ----------
    features, answers : DataFrame
        Of the same rows; `answers` may have no column.
    seed : int
        Of the mixing.
    """
    table = hash_rows(features, features.head(0))[0]
    total = _whole(table)
    _contents, first, inverse, sizes = np.unique(
        total, return_index=True, return_inverse=True, return_counts=True
    )
    later = np.flatnonzero(first[inverse] != np.arange(len(total)))
    at_odds = 0
    if answers.columns.size and len(later):
        known = _whole(hash_rows(answers, answers.head(0))[0])
        differs = np.zeros(len(sizes), dtype=bool)
        differs[inverse[known != known[first[inverse]]]] = True
        at_odds = int(sizes[differs].sum())
    rng = np.random.default_rng(seed)
    mixed = np.zeros_like(total)
    for column in table.columns:
        mixed += rng.permutation(column)
    by_chance = np.unique(mixed, return_counts=True)[1]
    n_rows, n_by_chance = (int(s[s > 1].sum()) for s in (sizes, by_chance))
    return Equal(first[inverse[later]], later, n_rows, at_odds, n_by_chance)


def _whole(table: RowHashes) -> Hashes:
    return np.asarray(table.only(range(table.n_columns)))
