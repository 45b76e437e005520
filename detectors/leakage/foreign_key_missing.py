"""Ask whether the public tables that test rows point into hold what they point to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from competitions.errors import EvidenceUnavailableError, NotApplicableError
from detectors.base import About, register
from detectors.leakage.hidden_answers import as_texts
from detectors.leakage.split import is_data, split_of
from detectors.leakage.tables import is_table, read_any
from reports.schema import Confidence, Quantity, Severity, SubjectKind

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import pandas as pd

    from detectors.base import Subject
    from detectors.leakage.split import Split
    from reports.schema import Finding

COVERED = 0.95  # of train rows, from which a table is one that rows point into
FEWEST_KEYS = 10  # fewer different values are a category
MAX_TABLES = 30
MAX_BYTES = 1 << 30  # of one table
MAX_SHOWN = 3


class Pointed(NamedTuple):
    """A column of both parts that points into a side table.

    Parameters
    ----------
    column, table : str
    of_train, of_test : float in [0, 1]
        Share of rows whose value stands in the side table.
    absent : tuple of str
        The first values of test rows that do not.
    """

    column: str
    table: str
    of_train: float
    of_test: float
    absent: tuple[str, ...]


@register
@dataclass(frozen=True)
class ForeignKeyMissing:
    """Test rows that point into a public table which does not have what they point to.

    A column that train, test and a further public table share, and that the further table covers
    for the train rows, is a key into it. Where some test rows find nothing there, or no table has
    anything for the test rows, what train rows are described by was left out for test rows: a fault
    of the preparation and no leak. A table for the train part alone is only noted where another
    covers the test part.

    Parameters
    ----------
    max_missing : float in [0, 1), default=0.0
        Share of test rows that may find nothing in a table.
    """

    about: ClassVar[About] = About(
        id="foreign-key-missing",
        subject=SubjectKind.TASK,
        asks="Do the public tables hold what the test rows point to?",
        blind_spots=(
            "Only keys of one column are followed, under one name in all tables. Files that rows "
            "name are not looked for."
        ),
        reference="https://www.kaggle.com/competitions/champs-scalar-coupling/data "
        "(structures.csv holds both parts there)",
    )
    max_missing: float = 0.0

    def applies(self, subject: Subject) -> str | None:
        """See `Detector.applies`."""
        return None if is_data(subject) else "it looks at tasks and data only"

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """See `Detector.detect`.

        Raises
        ------
        EvidenceUnavailableError
            When the tables are not here, or there is no public folder with further ones.
        """
        split = split_of(subject)
        split.both()
        if split.public_root is None:
            raise NotApplicableError("two tables alone name no rows of a third")
        found = list(_pointed(split))
        for column in dict.fromkeys(one.column for one in found):
            mine = [one for one in found if one.column == column]
            is_covered = any(one.of_test >= COVERED for one in mine)
            for one in mine:
                if 1 - one.of_test > self.max_missing:
                    is_of_train = one.of_test == 0 and is_covered
                    yield self._finding(subject, split, one, is_of_train=is_of_train)

    def _finding(
        self, subject: Subject, split: Split, one: Pointed, *, is_of_train: bool
    ) -> Finding:
        n_rows = len(split.both()[1].frame)
        n_missing = round((1 - one.of_test) * n_rows)
        record = split.on_record("file")
        said = f" On record: {', '.join(record)}." if record else ""
        return self.about.finding(
            subject,
            f"{n_missing} of {n_rows} test rows name a {one.column} that {one.table} does not have,"
            f" such as {', '.join(one.absent)}; it has that of {one.of_train:.0%} of the train "
            f"rows.{said}",
            Quantity(
                name=f"share of test rows whose {one.column} stands in {one.table}",
                value=round(one.of_test, 4),
                compared_with="of train rows",
                reference=round(one.of_train, 4),
            ),
            severity=Severity.NOTE if is_of_train else Severity.LOW,
            confidence=Confidence.HIGH,
        )


def _pointed(split: Split) -> Iterator[Pointed]:
    """Yield the columns of both parts that point into a further public table."""
    train, test = split.both()
    own = {t.name for t in (split.train, split.test, split.sample) if t is not None}
    shared = [str(c) for c in test.frame if c in train.frame and c not in split.targets]
    for path in _further_tables(split, own):
        for column, cells in _columns(path, shared).items():
            known = set(_keys(cells))
            if len(known) < FEWEST_KEYS:
                continue
            of_train, of_test = (_keys(t.frame[column]) for t in (train, test))
            is_there = of_test.isin(known)
            covered = float(of_train.isin(known).mean())
            if covered >= COVERED:
                absent = tuple(dict.fromkeys(of_test[~is_there]))[:MAX_SHOWN]
                name = f"public/{path.relative_to(split.public_root or path.parent)}"
                yield Pointed(column, name, covered, float(is_there.mean()), absent)


def _further_tables(split: Split, own: set[str]) -> list[Path]:
    root = split.public_root
    if root is None:
        return []
    tables = [p for p in split.public if is_table(p) and p.stat().st_size <= MAX_BYTES]
    return [p for p in tables if f"public/{p.relative_to(root)}" not in own][:MAX_TABLES]


def _columns(path: Path, wanted: list[str]) -> dict[str, pd.Series]:
    """Read the columns of a table that may be keys; none where it cannot be read."""
    import pandas as pd

    try:
        if path.suffix.lower() == ".csv":
            head = pd.read_csv(path, nrows=0)
            columns = [c for c in wanted if c in head.columns]
            table = pd.read_csv(path, usecols=columns, low_memory=False) if columns else head
        else:
            table = read_any(path)
    except (EvidenceUnavailableError, ValueError, OSError):  # other detectors say so
        return {}
    return {c: table[c] for c in wanted if c in table.columns and not _is_measured(table[c])}


def _is_measured(values: pd.Series) -> bool:
    """Say whether numbers are no names: some of them are no whole numbers."""
    from pandas.api.types import is_float_dtype

    return is_float_dtype(values) and bool((values.dropna() != np.floor(values.dropna())).any())


def _keys(values: pd.Series) -> pd.Series:
    return as_texts(values[values.notna()]).str.removesuffix(".0")
