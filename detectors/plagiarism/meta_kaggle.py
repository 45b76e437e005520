"""Meta Kaggle's CSV files, looked up by row: the largest has 5 GB and is never loaded.

One pass a file notes where each row begins, 16 bytes a row; a row is read when it is asked for.
"""

from __future__ import annotations

import csv
from array import array
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from competitions.errors import UnreadableFileError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

VERSIONS = "KernelVersions.csv"
_KERNELS, _USERS = "Kernels.csv", "Users.csv"
_SOURCES, _COMPETITIONS = "KernelVersionCompetitionSources.csv", "Competitions.csv"
_MAX_DIGITS = 18  # of a number that 64 bits hold
_MAX_ROW_LINES = 1000  # lines of one row; a quote that is never closed must not eat the file


class Version(NamedTuple):
    """A version of a notebook; a text is empty where Meta Kaggle does not say it."""

    user: str
    slug: str
    title: str
    created: str
    votes: str
    competition: str


def meta_kaggle_beside(source: Path) -> MetaKaggle | None:
    """Return Meta Kaggle where it lies in a source, beside it, or in ``meta-kaggle`` there."""
    for near in (source, *source.absolute().parents[:4]):
        for folder in (near, near / "meta-kaggle"):
            path = folder / VERSIONS
            if path.is_file():
                return _opened(folder, path.stat().st_mtime_ns)
    return None


@lru_cache(maxsize=2)
def _opened(folder: Path, _changed: int) -> MetaKaggle:
    return MetaKaggle(folder)


@dataclass(frozen=True)
class MetaKaggle:
    """A folder of Meta Kaggle's CSV files; those that are missing leave their part empty."""

    folder: Path

    def version(self, number: int) -> Version | None:
        """Return a version by its number, or None when Meta Kaggle does not know it.

        Raises
        ------
        UnreadableFileError
            When a file has not the columns that it has on Kaggle.
        """
        row = self._versions.row(number)
        if row is None:
            return None
        kernel = self._kernels.row(_number(row.get("ScriptId") or row.get("KernelId"))) or {}
        author = row.get("AuthorUserId") or kernel.get("AuthorUserId")
        user = self._users.row(_number(author)) or {}
        competition = self._competitions.row(self._sources.value(number)) or {}
        return Version(
            user.get("UserName", ""),
            kernel.get("CurrentUrlSlug", ""),
            row.get("Title", ""),
            row.get("CreationDate", ""),
            kernel.get("TotalVotes") or row.get("TotalVotes", ""),
            competition.get("Slug", ""),
        )

    @cached_property
    def _versions(self) -> Table:
        return Table.of(self.folder / VERSIONS, "Id", "AuthorUserId")

    @cached_property
    def _kernels(self) -> Table:
        return Table.of(self.folder / _KERNELS, "Id")

    @cached_property
    def _users(self) -> Table:
        return Table.of(self.folder / _USERS, "Id", keep=np.unique(self._versions.values))

    @cached_property
    def _sources(self) -> Table:
        return Table.of(self.folder / _SOURCES, "KernelVersionId", "SourceCompetitionId")

    @cached_property
    def _competitions(self) -> Table:
        return Table.of(self.folder / _COMPETITIONS, "Id")


@dataclass(frozen=True)
class Table:
    """Where the rows of a CSV file begin.

    Parameters
    ----------
    keys, places : array of int64, shape (n,)
        Ascending keys, and the byte at which each one's row begins.
    values : array of int64, shape (n,)
        Another column of numbers, or nothing.
    """

    path: Path
    header: tuple[str, ...]
    keys: NDArray[np.int64]
    places: NDArray[np.int64]
    values: NDArray[np.int64]

    @classmethod
    def of(
        cls, path: Path, key: str, value: str = "", keep: NDArray[np.int64] | None = None
    ) -> Table:
        """Read a file once.

        Parameters
        ----------
        keep : array of int64 or None
            Keys to keep, ascending; None keeps all.
        """
        columns = array("q"), array("q"), array("q")
        header: tuple[str, ...] = ()
        if path.is_file():
            rows = _rows(path)
            header = tuple(_cells(next(rows, (0, b""))[1]))
            if missing := [name for name in (key, value) if name and name not in header]:
                raise UnreadableFileError(
                    f"{path}: expected a column {missing[0]}, found {', '.join(header)[:200]}."
                )
            at = header.index(key), header.index(value or key)
            _read(rows, at, columns, keep)
        keys, places, values = (np.frombuffer(c, np.int64) if c else _NONE for c in columns)
        if np.any(keys[1:] < keys[:-1]):
            order = np.argsort(keys, kind="stable")
            keys, places, values = keys[order], places[order], values[order]
        return cls(path, header, keys, places, values if value else _NONE)

    def row(self, key: int | None) -> dict[str, str] | None:
        """Return the row of a key by the names of its columns."""
        at = self._at(key)
        if at is None:
            return None
        with self.path.open("rb") as stream:
            stream.seek(int(self.places[at]))
            _, row = next(_joined(iter(stream), 0), (0, b""))
        return dict(zip(self.header, _cells(row), strict=False))

    def value(self, key: int) -> int | None:
        """Return the other number of a key's first row."""
        at = self._at(key)
        return None if at is None else int(self.values[at])

    def _at(self, key: int | None) -> int | None:
        at = int(np.searchsorted(self.keys, key)) if key is not None else len(self.keys)
        return at if at < len(self.keys) and self.keys[at] == key else None


_NONE = np.empty(0, np.int64)


def _read(
    rows: Iterator[tuple[int, bytes]],
    at: tuple[int, int],
    columns: tuple[array[int], array[int], array[int]],
    keep: NDArray[np.int64] | None,
) -> None:
    """Note key, place and value of each row; rows whose key is no number are passed over."""
    wanted = None if keep is None else frozenset(keep.tolist())
    keys, places, values = columns
    key_at, value_at = at
    last = max(at) + 1
    for place, row in rows:
        cells = row.split(b",", last)
        if b'"' in row and any(b'"' in cell for cell in cells[:last]):
            cells = [cell.encode() for cell in _cells(row)]
        try:
            key = int(cells[key_at])
            if wanted is None or key in wanted:
                value = int(cells[value_at] or 0)
                keys.append(key)
                places.append(place)
                values.append(value)
        except (ValueError, IndexError):
            continue


def _rows(path: Path) -> Iterator[tuple[int, bytes]]:
    with path.open("rb") as stream:
        yield from _joined(iter(stream), 0)


def _joined(lines: Iterator[bytes], place: int) -> Iterator[tuple[int, bytes]]:
    """Yield the rows of a CSV file with their places; a row goes on while a quote is open."""
    for line in lines:
        row, first = line, place
        place += len(line)
        if b'"' in line and line.count(b'"') % 2:
            parts, quotes = [line], line.count(b'"')
            for more in lines:
                place += len(more)
                parts.append(more)
                quotes += more.count(b'"')
                if not quotes % 2 or len(parts) > _MAX_ROW_LINES:
                    break
            row = b"".join(parts)
        yield first, row


def _cells(row: bytes) -> list[str]:
    text = row.decode("utf-8", errors="replace").lstrip("\ufeff").replace("\0", "")
    try:
        return next(csv.reader(text.splitlines(keepends=True)), [])
    except csv.Error:
        return []


def _number(text: str | None) -> int | None:
    is_number = text and text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS
    return int(text) if text and is_number else None
