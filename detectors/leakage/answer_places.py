"""Hold what public files hold against the hidden answers: under ids, in order, file by file."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from competitions.errors import EvidenceUnavailableError
from competitions.submission import key_index
from detectors.leakage.answer_match import LEAST, Cells, Match, best_match, cells_of
from detectors.leakage.association import ranks
from detectors.leakage.hidden_answers import as_texts, parts_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import pandas as pd
    from numpy.typing import NDArray

    from detectors.leakage.split import Split

MAX_ROWS = 5_000  # of answers that a column is held against; of more an even sample
MAX_COLUMNS = 500  # of a table
MAX_TARGETS = 40
MOST_REPEATED = 0.5  # share of different cells, below which a column names no rows
ONE_HOT = "the class with the answer 1"
_SOME = 1_000  # cells that show whether they are names of files
_KNOWN = 0.01  # by how much a map has to be better than one of a public column

Join = tuple["NDArray[np.intp]", "NDArray[np.intp]", str]  # rows here, rows of answers, how


class Place(NamedTuple):
    """Where answers stand.

    Parameters
    ----------
    file, column, target : str
        The file, the column or path within it, and the answer.
    joined : str
        How its rows were brought together with test rows.
    match : Match
    rows : ndarray of int
        Of the answers that it was held against, at most `MAX_ROWS`.
    n_rows : int
        Test rows that have a value there, an estimate where there are more than were compared.
    """

    file: str
    column: str
    target: str
    joined: str
    match: Match
    rows: NDArray[np.intp]
    n_rows: int


@dataclass(eq=False)
class Wanted:
    """The hidden answers, ready to be looked for.

    Parameters
    ----------
    perfect : DataFrame
        Key and targets, a row per test row.
    split : Split
    log_p : float
        Natural logarithm of the chance that all comparisons together may have.
    n_asked : int
        Comparisons so far.
    """

    perfect: pd.DataFrame
    split: Split
    log_p: float
    n_asked: int = 0
    _cells: dict[str, Cells] = field(default_factory=dict)

    @cached_property
    def names(self) -> pd.Index:
        """The test rows by their whole key."""
        found = key_index(self.perfect, self.split.key)
        if not found.is_unique:
            raise EvidenceUnavailableError("data", "an id names several of its answers")
        return found

    @cached_property
    def targets(self) -> dict[str, pd.Series]:
        """What is looked for; with the class, where each class has a column."""
        import pandas as pd

        columns = [t for t in self.split.targets if t in self.perfect.columns]
        found = {str(t): self.perfect[t] for t in columns}
        if len(columns) > 1:
            table = self.perfect[columns].apply(pd.to_numeric, errors="coerce").to_numpy(float)
            if np.isin(table, [0, 1]).all() and (table.sum(axis=1) == 1).all():
                classes = [str(columns[n]) for n in table.argmax(axis=1)]
                return {ONE_HOT: pd.Series(classes)}
        varied = {t: v for t, v in found.items() if len(v.astype(str).unique()) > 1}
        return dict(list(varied.items())[:MAX_TARGETS])

    @cached_property
    def items(self) -> dict[str, list[int]]:
        """Test rows by what files may be called by: the first key, its first part, file names."""
        first = as_texts(self.perfect[self.split.key[0]]).tolist()
        found: dict[str, list[int]] = {}
        for row, name in enumerate(first):
            found.setdefault(_plain(name), []).append(row)
        for row, whom in enumerate((parts_of(first) or ([], []))[0]):
            found.setdefault(_plain(whom), []).append(row)
        for row, name in self._file_names():
            found.setdefault(_plain(name), []).append(row)
        return {name: rows for name, rows in found.items() if name}

    def _file_names(self) -> Iterator[tuple[int, str]]:
        listed = self.split.listed.frame if self.split.listed else None
        if self.listed_rows is None or listed is None:
            return
        for column in (c for c in self.split.media if c in listed.columns):
            for row, name in zip(self.listed_rows, as_texts(listed[column]), strict=True):
                if row >= 0:
                    yield int(row), name

    @cached_property
    def listed_rows(self) -> NDArray[np.intp] | None:
        """For each row of the public table of test rows, that of its answer or -1."""
        listed = self.split.listed
        if listed is None or not set(self.split.key) <= set(listed.frame.columns):
            return None
        return np.asarray(self.names.get_indexer(key_index(listed.frame, self.split.key)))

    @cached_property
    def known(self) -> list[tuple[NDArray[np.intp], NDArray[np.float64]]]:
        """Public columns of numbers, and the place of a row: what may order answers honestly."""
        import pandas as pd

        listed, rows = self.split.listed, self.listed_rows
        if listed is None or rows is None:
            return []
        columns = [np.arange(float(len(rows)))]
        for name in listed.frame.columns:
            if name not in self.split.targets:
                number = pd.to_numeric(listed.frame[name], errors="coerce").to_numpy(float)
                columns.append(number)
        is_there = rows >= 0
        return [(rows[is_there], c[is_there]) for c in columns]

    def cells(self, target: str, rows: NDArray[np.intp]) -> Cells:
        """Return the answers of some rows, ready to be compared; the last ones are kept."""
        name = f"{target}\0{hash(rows.tobytes())}"
        if name not in self._cells:
            if len(self._cells) > 2 * MAX_TARGETS:
                self._cells.clear()
            self._cells[name] = cells_of(self.targets[target].iloc[rows])
        return self._cells[name]

    def places_of(
        self, file: str, columns: Iterable[tuple[str, Any]], join: Join
    ) -> Iterator[Place]:
        """Yield the columns that follow an answer, each at most once for each answer."""
        import pandas as pd

        here, rows, joined = join
        n_all = len(here)
        if n_all > MAX_ROWS:
            some = np.linspace(0, len(here) - 1, MAX_ROWS).astype(int)
            here, rows = here[some], rows[some]
        for name, values in columns:
            is_column = isinstance(values, pd.Series)
            taken = values.iloc[here].tolist() if is_column else [values[int(n)] for n in here]
            cells = Cells(taken)
            for target in self.targets:
                self.n_asked += 1
                limit = self.log_p - float(np.log(self.n_asked + 100))
                match = best_match(cells, self.cells(target, rows), limit)
                if match is not None and not self._is_known(match, target, rows):
                    n_rows = round(match.n * n_all / len(here))
                    yield Place(file, name, target, joined, match, rows, n_rows)

    def _is_known(self, match: Match, target: str, rows: NDArray[np.intp]) -> bool:
        """Say whether a public column, or the place of a row, gives the answer's order as well."""
        if "map" not in match.how and match.is_exact:
            return False
        answers = self.cells(target, rows).numbers
        if answers is None:
            return False
        for at, values in self.known:
            by_row = np.full(len(self.perfect), np.nan)
            by_row[at] = values
            both = np.isfinite(by_row[rows]) & np.isfinite(answers)
            if both.sum() >= LEAST and _rank_correlation(by_row[rows][both], answers[both]) >= (
                match.score - _KNOWN
            ):
                return True
        return False


def _rank_correlation(left: NDArray[np.float64], right: NDArray[np.float64]) -> float:
    one, other = ranks(left), ranks(right)
    scale = float(np.sqrt((one @ one) * (other @ other)))
    return abs(float(one @ other)) / scale if scale else 0.0


def _plain(name: str) -> str:
    """Return a name without folders and suffix, in lower case."""
    last = str(name).lower().rstrip("/").rpartition("/")[2]
    stem, _, suffix = last.rpartition(".")
    return stem if stem and 0 < len(suffix) <= 5 and not suffix.isdigit() else last  # noqa: PLR2004


def in_table(
    wanted: Wanted, file: str, table: pd.DataFrame, left_out: frozenset[str] = frozenset()
) -> Iterator[Place]:
    """Yield the columns of a table that follow answers: under ids, else in the same order.

    Parameters
    ----------
    left_out : frozenset of str
        Columns that others look at.
    """
    names = [c for c in map(str, table.columns) if c not in left_out][:MAX_COLUMNS]
    renamed = table.set_axis([str(c) for c in table.columns], axis=1)
    renamed = renamed.loc[:, ~renamed.columns.duplicated()]
    found: set[tuple[str, str]] = set()
    for join, by in _joins(wanted, renamed, names):
        columns = [(c, renamed[c]) for c in names if c in renamed and c not in by]
        for place in wanted.places_of(file, columns, join):
            if (place.column, place.target) not in found:
                found.add((place.column, place.target))
                yield place


def _joins(
    wanted: Wanted, table: pd.DataFrame, names: list[str]
) -> Iterator[tuple[Join, tuple[str, ...]]]:
    key = wanted.split.key
    if set(key) <= set(table.columns):
        join = _by_names(wanted, key_index(table, key), f"under {', '.join(key)}")
        if join is not None:
            yield join, tuple(key)
    elif len(key) == 1:
        for column in names[:50]:
            join = _by_column(wanted, table[column], column)
            if join is not None:
                yield join, (column,)
    for join in in_order(wanted, len(table)):
        yield join, ()


def _by_names(wanted: Wanted, found: pd.Index, how: str) -> Join | None:
    rows = np.asarray(wanted.names.get_indexer(found))
    here = np.flatnonzero(rows >= 0)
    _, first = np.unique(rows[here], return_index=True)
    here = here[np.sort(first)]
    return (here, rows[here], how) if len(here) >= LEAST else None


def _by_column(wanted: Wanted, cells: pd.Series, column: str) -> Join | None:
    """Join by a column of any name whose cells are ids, or files that are called by them."""
    from pandas.api.types import is_float_dtype

    if is_float_dtype(cells) or cells.astype(str).nunique() < MOST_REPEATED * len(cells):
        return None
    names = as_texts(cells).str.lower()
    spread = names.iloc[:: max(1, len(names) // _SOME)]
    if (spread != spread.map(_plain)).any():  # names of files
        names = names.map(_plain)
    first: dict[int, int] = {}
    for here in np.flatnonzero(names.isin(set(wanted.items))):
        rows = wanted.items[names.iloc[here]]
        if len(rows) == 1:
            first.setdefault(rows[0], int(here))
    if len(first) < LEAST:
        return None
    return np.array(list(first.values())), np.array(list(first)), f"under the ids in {column}"


def in_order(wanted: Wanted, length: int) -> Iterator[Join]:
    """Yield the ways in which so many values are as many as there are test rows."""
    rows = wanted.listed_rows
    if rows is None or len(rows) < LEAST:
        return
    n_train = len(wanted.split.train.frame) if wanted.split.train is not None else 0
    starts = {len(rows): (0,), len(rows) + n_train: (0, n_train)}.get(length, ())
    for start in dict.fromkeys(starts):
        there = np.flatnonzero(rows >= 0)
        yield there + start, rows[there], "in the order of the test rows"
