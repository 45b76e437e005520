"""Tables as the lines that a model may have read, and tables like them that nobody has read.

A fresh table has the header, the types, the digits and the joint shape of the published one, and
other rows: each is drawn between a published row and one of its nearest neighbours. What makes rows
easy to foretell, correlated columns and round numbers among them, is in both.
"""

from __future__ import annotations

import csv
import io
import re
import string
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from competitions.errors import TextError
from competitions.io import reason
from detectors.familiarity.texts import Text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

MIN_ROWS = 12  # fewer tell nothing of rows
MAX_READ = 20_000  # rows of a file that fresh ones are drawn from
MAX_BYTES = 64 << 20
_N_NEIGHBOURS = 5
_N_LEVELS = 20  # of a column that is kept as it is in either row
_OFTEN = 0.5  # share of different values from which a number is drawn anew, not taken over
_TRIES = 20
_NUMBER = re.compile(r"-?\d+(\.\d*)?|-?\.\d+")


@dataclass(frozen=True)
class Lines:
    """A table as it is written: the header, and rows of cells.

    Parameters
    ----------
    name : str
        The file's name, which is put before the header.
    header : tuple of str
    rows : tuple of tuple of str
        As many cells each as the header has.
    separator : str
    """

    name: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    separator: str = ","

    def line(self, cells: Sequence[str]) -> str:
        """Write cells as the file has them; quoted only where they must be."""
        out = io.StringIO()
        csv.writer(out, delimiter=self.separator, lineterminator="").writerow(cells)
        return out.getvalue()

    def text(self, n_rows: int | None = None) -> Text:
        """Return name, header and the first rows as one text."""
        lines = [self.name, self.line(self.header), *map(self.line, self.rows[:n_rows])]
        return Text(self.name, "\n".join(lines) + "\n")

    def with_rows(self, rows: Sequence[tuple[str, ...]]) -> Lines:
        """Return the table with other rows."""
        return replace(self, rows=tuple(rows))

    def with_header(self, header: Sequence[str]) -> Lines:
        """Return the header alone, with other names."""
        return replace(self, header=tuple(header), rows=())

    def fitting(self, n_rows: int, n_characters: int) -> int:
        """Return how many of the first rows are no more, and no longer than this together."""
        lengths = np.cumsum([len(self.line(row)) + 1 for row in self.rows[:n_rows]])
        return int(np.searchsorted(lengths, n_characters, side="right"))


def lines_in(path: Path, separator: str | None = None) -> Lines:
    """Read the beginning of a CSV or TSV file as it is written, however few rows it has.

    Raises
    ------
    TextError
        When it cannot be read, or is no table.
    """
    separator = separator or ("\t" if path.suffix.lower() in {".tsv", ".tab"} else ",")
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            content = stream.read(MAX_BYTES)
        table = list(csv.reader(io.StringIO(content), delimiter=separator, strict=True))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise TextError(str(path), f"expected a CSV table, found {reason(error)}") from error
    if len(content) == MAX_BYTES:
        table.pop()  # it may be cut within a line
    table = [row for row in table if row][: MAX_READ + 1]
    lines = _lines(path.name, table, separator)
    lines.text(MIN_ROWS)  # which refuses binary content
    return lines


def lines_of(name: str, table: Sequence[Sequence[str]], separator: str = ",") -> Lines:
    """Return a table whose first row is the header.

    Raises
    ------
    TextError
        When rows have other cells than the header, or there are fewer than twelve.
    """
    return require_rows(_lines(name, table, separator))


def require_rows(lines: Lines) -> Lines:
    """Return a table that has rows enough to ask about.

    Raises
    ------
    TextError
        When it has fewer than twelve.
    """
    if len(lines.rows) < MIN_ROWS:
        raise TextError(
            lines.name, f"expected a header and {MIN_ROWS} rows, found {len(lines.rows)} rows"
        )
    return lines


def _lines(name: str, table: Sequence[Sequence[str]], separator: str) -> Lines:
    if not table:
        raise TextError(name, "expected a table, found an empty file")
    header = tuple(table[0])
    for number, row in enumerate(table[1:], start=2):
        if len(row) != len(header):
            raise TextError(name, f"expected {len(header)} cells in row {number}, found {len(row)}")
    return Lines(name, header, tuple(tuple(row) for row in table[1:]), separator)


def with_order(lines: Lines, order: Sequence[int] | NDArray[np.intp]) -> Lines:
    """Return the rows in another order."""
    return replace(lines, rows=tuple(lines.rows[i] for i in order))


class Fresh:
    """Draws tables like a published one.

    Parameters
    ----------
    lines : Lines
    n_rows : int
        Rows of a drawn table: each stands where a published one stands, and is like it.
    """

    def __init__(self, lines: Lines, n_rows: int) -> None:
        self._lines = lines
        self._n_rows = n_rows
        self._columns = [np.array(column, dtype=object) for column in zip(*lines.rows, strict=True)]
        self._kinds = [_kind(column) for column in self._columns]
        self._known = {n: _numbers_of(c) for n, c in enumerate(self._columns)}
        self._constant = [_kept(column) for column in self._columns]
        self._taken = set(lines.rows)
        self._near = _neighbours(self._columns, self._kinds, n_rows)

    def draw(self, rng: np.random.Generator) -> Lines:
        """Return one; none of its rows is a published row where that can be had."""
        rows = [self._row(number, rng) for number in range(self._n_rows)]
        return replace(self._lines, rows=tuple(rows))

    def _row(self, number: int, rng: np.random.Generator) -> tuple[str, ...]:
        row = self._lines.rows[number]
        for _ in range(_TRIES):
            other = self._lines.rows[int(rng.choice(self._near[number]))]
            share = float(rng.uniform(0.2, 0.8))
            row = tuple(
                self._cell(n, a, b, share, rng)
                for n, (a, b) in enumerate(zip(self._lines.rows[number], other, strict=True))
            )
            if row not in self._taken:
                break
        return row

    def _cell(self, column: int, a: str, b: str, share: float, rng: np.random.Generator) -> str:
        kind = self._kinds[column]
        if kind == "counter":
            return a
        if kind == "level":
            return a if rng.uniform() > share else b
        if kind == "name" or not (_NUMBER.fullmatch(a) and _NUMBER.fullmatch(b)):
            return self._name(column, a, rng)
        value = float(a) + share * (float(b) - float(a))
        if kind == "often":  # the nearest there is, so that round numbers stay as frequent
            numbers, cells = self._known[column]
            return cells[int(np.abs(numbers - value).argmin())]
        if kind == "alone" and a == b:  # a number that names, as a ticket's does
            return self._name(column, a, rng)
        decimals = len(a.partition(".")[2])
        return f"{value:.{decimals}f}" if "." in a else str(round(value))

    def _name(self, column: int, cell: str, rng: np.random.Generator) -> str:
        """Return a name of the same form: words of others in their places, or other signs."""
        words = cell.split(" ")
        if len(words) > 1:
            others = rng.choice(self._columns[column], len(words))
            mixed = [o.split(" ") for o in others]
            return " ".join(
                m[n] if n < len(m) else word
                for n, (word, m) in enumerate(zip(words, mixed, strict=True))
            )
        kept = self._constant[column].get(len(cell), set())
        drawn = rng.integers(0, 1 << 30, len(cell)).tolist()
        return "".join(
            sign if place in kept else _other(sign, drawn[place]) for place, sign in enumerate(cell)
        )


def _kind(column: NDArray[np.object_]) -> str:
    """Say how cells of a column are drawn anew."""
    different = len(set(column))
    numbers = [c for c in column if _NUMBER.fullmatch(c)]
    if len(numbers) < len(column) * 0.9:
        return "level" if different <= max(_N_LEVELS, 0.05 * len(column)) else "name"
    if different <= _N_LEVELS:
        return "level"
    if different == len(column) and _counts(column):
        return "counter"
    return "alone" if different > _OFTEN * len(column) else "often"


def _numbers_of(column: NDArray[np.object_]) -> tuple[NDArray[np.float64], list[str]]:
    """Return the different numbers of a column, and the cells that hold them."""
    cells = sorted({c for c in column if _NUMBER.fullmatch(c)})
    return np.array([float(c) for c in cells]), cells


def _counts(column: NDArray[np.object_]) -> bool:
    """Say whether cells count up by one, as an index does."""
    if not all(c.isdecimal() and len(c) < 16 for c in column):  # noqa: PLR2004 - digits of a float
        return False
    return bool((np.diff(np.array([int(c) for c in column])) == 1).all())


def _neighbours(
    columns: Sequence[NDArray[np.object_]], kinds: Sequence[str], n_rows: int
) -> NDArray[np.intp]:
    """Return for each of the first rows the rows most like it, itself not among them."""
    views = []
    for column, kind in zip(columns, kinds, strict=True):
        if kind in {"alone", "often"}:
            numbers = np.array([float(c) if _NUMBER.fullmatch(c) else np.nan for c in column])
            numbers = np.nan_to_num(numbers, nan=float(np.nanmedian(numbers)))
            views.append((numbers - numbers.mean()) / (numbers.std() or 1.0))
        elif kind == "level":
            levels = sorted(set(column))
            views.extend((column == level) * 1.0 for level in levels[:_N_LEVELS])
    points = np.column_stack(views) if views else np.zeros((len(columns[0]), 1))
    near = np.empty((n_rows, _N_NEIGHBOURS), dtype=np.intp)
    for row in range(n_rows):
        distance = ((points - points[row]) ** 2).sum(axis=1)
        distance[row] = np.inf
        near[row] = np.argsort(distance, kind="stable")[:_N_NEIGHBOURS]
    return near


def _kept(column: NDArray[np.object_]) -> dict[int, set[int]]:
    """Return by length of a cell the places where all such cells have one sign."""
    by_length: dict[int, list[str]] = {}
    for cell in column:
        by_length.setdefault(len(cell), []).append(cell)
    return {
        n: {place for place in range(n) if len({c[place] for c in cells}) == 1 < len(cells)}
        for n, cells in by_length.items()
    }


def _other(sign: str, drawn: int) -> str:
    """Return another digit for a digit and another letter for a letter."""
    for kind in (string.digits, string.ascii_lowercase, string.ascii_uppercase):
        if sign in kind:
            return kind[drawn % len(kind)]
    return sign
