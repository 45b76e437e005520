"""Large tables are prepared in pieces: the same files as by reading them whole, in less memory.

Most recipes decide by rows' numbers and a column or two. These columns alone are read whole and
split; then every row is laid, chunk by chunk, into a bucket of the rows that will lie near it, and
each bucket is brought into order and written. Beside the raw file and the prepared ones that takes
room for one more copy of the table, packed. `competitions.chunks` sees to the types of columns.
"""

from __future__ import annotations

import pickle
import tempfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from competitions.chunks import CHUNK, ChunkedTable, chunked
from competitions.hooks import Hooks, hooks_of
from competitions.outputs import (
    RAW,
    ROW_GROUP,
    Trees,
    finished,
    names_of,
    renumbered,
    rows_of,
    with_derived,
    write_files,
)
from competitions.row_files import columns_of, copy_row_files
from competitions.row_keys import Keys
from competitions.shapes import Borrowed, Varied
from competitions.splits import Parts, split_frame, without_dropped
from competitions.submission import schema_of
from competitions.work import raw_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from competitions.shapes import OutputFile
    from competitions.spec import Competition
    from competitions.work import Work

LEAST = 256 << 20  # bytes of raw tables from which on they are not read whole
_SUFFIXES = frozenset({".csv", ".tsv", ".parquet"})


def can_stream(spec: Competition) -> bool:
    """Say whether a task's files can be written in pieces, whatever its raw tables are.

    Hooks that split or write, files that are sorted or have one row per group, and samples whose
    values depend on all rows, need the whole.
    """
    hooks = hooks_of(spec) or Hooks()
    needs_whole = any((hooks.build, hooks.split, hooks.rows, hooks.finish))
    fills = spec.sample_submission.fill.values()
    return not (
        needs_whole
        or any(f.sort or f.one_per for f in _written(spec))
        or any(isinstance(v, Varied) or (isinstance(v, Borrowed) and v.mean) for v in fills)
        or any(Path(name).suffix not in _SUFFIXES or _is_listed(spec, name) for name in _raw(spec))
    )


def write_streamed(spec: Competition, work: Work, trees: Trees, scratch: Path) -> bool:
    """Split a task's large tables and write its files, unless the whole table is needed for it.

    Parameters
    ----------
    scratch : Path
        Folder on whose disk rows are kept until they are written.

    Returns
    -------
    bool
        False when nothing was written, because tables are small or have to be read whole.

    Raises
    ------
    RawDataError
        When a raw file is missing, broken, or lacks a column.
    """
    paths = [work.path(name) for name in _raw(spec)]
    if not can_stream(spec) or not all(path.is_file() for path in paths):
        return False
    if sum(path.stat().st_size for path in paths) < LEAST:
        return False
    tables = _tables(spec, work)
    if tables is None or not _has_needed(spec, tables):
        return False
    with tempfile.TemporaryDirectory(dir=scratch, prefix="rows-") as folder:
        parts = _narrow(spec, tables)
        train, test = _laid_out(spec, tables, parts, Path(folder))
        parts = _renamed(spec, parts)

        def pieces(file: OutputFile) -> Iterator[pd.DataFrame]:
            if file.source is not None:
                names = names_of(spec, file, parts)
                for side in tables[file.source].chunks():
                    rows = rows_of(file, side, names)
                    yield finished(spec, file, Parts(rows, rows))
                return
            rows_of_part = (train, parts.train) if file.part == "train" else (test, parts.test)
            for rows in _in_order(spec, *rows_of_part):
                yield finished(spec, file, Parts(rows, rows))

        write_files(spec, work, trees, pieces)
    copy_row_files(spec, work, trees.public, parts)
    return True


def _written(spec: Competition) -> list[OutputFile]:
    """List the files that hold rows, on whichever side."""
    return [f for f in (*spec.public, *spec.private) if f.copy_of is None and f.made is None]


def _raw(spec: Competition) -> list[str]:
    """List the raw tables that are split, looked at or filtered."""
    sources = [f.source for f in _written(spec)]
    names = (spec.split.on, spec.split.test_on, *sources)
    return list(dict.fromkeys(name for name in names if name is not None))


def _is_listed(spec: Competition, name: str) -> bool:
    file = raw_file(spec, name)
    return file is not None and file.listing is not None


def _tables(spec: Competition, work: Work) -> dict[str, ChunkedTable] | None:
    tables = {}
    for name in _raw(spec):
        table = chunked(spec, work, name, CHUNK)
        if table is None:
            return None
        tables[name] = table
    return tables


def _of_parts(spec: Competition) -> set[str]:
    """Return the columns of either part that must be known of all rows at once."""
    named = {column for rule in spec.files for column in columns_of(rule.source, rule.to)}
    named |= {file.by for file in _written(spec) if file.by is not None}
    for column, text in spec.derived.items():
        if column in named:
            named = (named - {column}) | set(columns_of(text))
    if spec.renumber is not None:
        named = {spec.renumber.column} | {column.removeprefix(RAW) for column in named}
    return named


def _of_recipe(spec: Competition) -> set[str]:
    """Return the columns by which the recipe splits."""
    split = spec.split
    named = (split.group.column if split.group else None, split.stratify, split.time)
    return {column for column in named if column is not None} | set(split.drop_rows)


def _has_needed(spec: Competition, tables: dict[str, ChunkedTable]) -> bool:
    """Say whether columns are there; where not, reading the whole table tells which."""
    main = set(tables[spec.split.on].head.columns)
    test = set(tables[spec.split.test_on or spec.split.on].head.columns)
    return _of_recipe(spec) | _of_parts(spec) <= main and _of_parts(spec) <= test


def _narrow(spec: Competition, tables: dict[str, ChunkedTable]) -> Parts:
    """Split the rows' numbers and the few columns that have to be whole."""
    table = tables[spec.split.on]
    columns = _of_recipe(spec) | _of_parts(spec)
    key = [c for c in spec.submission.key if c in table.head.columns]
    if spec.split.test_on is not None:
        train = _read(spec, table, columns, [])
        return Parts(train, _read(None, tables[spec.split.test_on], _of_parts(spec), []))
    is_paired = schema_of(spec).pairing is not None
    return split_frame(_read(spec, table, columns, [] if is_paired else key), spec.split)


def _read(
    spec: Competition | None, table: ChunkedTable, columns: set[str], key: list[str]
) -> pd.DataFrame:
    """Read a few columns of all rows that count, and see that their keys are unique."""
    import pandas as pd

    if not columns and not key:
        return pd.DataFrame(index=pd.RangeIndex(table.n_rows))

    def counted(named: set[str]) -> Iterator[pd.DataFrame]:
        for chunk in table.chunks([c for c in table.head.columns if c in named]):
            yield chunk if spec is None else without_dropped(chunk, spec.split)

    seen = Keys(key, table.n_rows)
    kept = []
    for chunk in counted(columns | set(key)):
        kept.append(chunk[[c for c in chunk if c in columns]])
        seen.add(chunk)
    again = counted({*key, *(spec.split.drop_rows if spec else ())})
    seen.require_unique(again, table.path)
    del seen  # 8 bytes per row
    return pd.concat(kept)


def _renamed(spec: Competition, parts: Parts) -> Parts:
    """Renumber and derive what other tables and files of rows are chosen by."""
    known = set(parts.train.columns) & set(parts.test.columns)
    parts = renumbered(parts, spec.renumber)
    derived = {n: text for n, text in spec.derived.items() if set(columns_of(text)) <= known}
    return with_derived(parts, derived)


@dataclass(frozen=True)
class _Rows:
    """The rows of a part in buckets, each of `n_each` rows that follow one another.

    Parameters
    ----------
    first : int
        Number of the first bucket.
    head : DataFrame
        Columns of the raw table with their types, and no row.
    """

    folder: Path
    first: int
    n_rows: int
    n_each: int
    head: pd.DataFrame

    @property
    def n_buckets(self) -> int:
        """How many there are; one, if an empty one, where there are no rows."""
        return max(1, -(-self.n_rows // self.n_each))

    def __iter__(self) -> Iterator[pd.DataFrame]:
        for number in range(self.first, self.first + self.n_buckets):
            yield _bucket(self.folder / str(number), self.head)


def _laid_out(
    spec: Competition, tables: dict[str, ChunkedTable], parts: Parts, folder: Path
) -> tuple[_Rows, _Rows]:
    """Lay the rows of both parts, as far as a file needs them, into buckets."""
    used = {file.part for file in _written(spec) if file.source is None}
    uses = ("train" in used, bool(used & {"test", "sample"}))
    is_grouped = any(file.path.endswith(".parquet") for file in _written(spec))
    sources = (tables[spec.split.on], tables[spec.split.test_on or spec.split.on])
    laid = []
    first = 0
    for part, table, is_used in zip(parts, sources, uses, strict=True):
        n_each = max(1, table.n_rows * table.size // max(1, table.n_bytes))
        if is_grouped:
            n_each = -(-n_each // ROW_GROUP) * ROW_GROUP
        rows = _Rows(folder, first, len(part) if is_used else 0, n_each, table.head)
        laid.append((table, rows, part.index if is_used else part.index[:0]))
        first += rows.n_buckets
    if spec.split.test_on is None:
        _lay(sources[0], [(rows, index) for _, rows, index in laid])
    else:
        for table, rows, index in laid:
            _lay(table, [(rows, index)])
    return laid[0][1], laid[1][1]


def _lay(table: ChunkedTable, parts: list[tuple[_Rows, pd.Index]]) -> None:
    """Append each row of a table to the bucket that its place in its part is in."""
    import numpy as np

    n_places = sum(rows.n_buckets * rows.n_each for rows, _ in parts)
    if not any(len(index) for _, index in parts):
        return
    places = np.full(table.n_rows, n_places, dtype=np.min_scalar_type(n_places))
    start, first = 0, parts[0][0].first
    for rows, index in parts:
        places[index] = np.arange(start, start + len(index), dtype=places.dtype)
        start += rows.n_buckets * rows.n_each
    n_each, folder = parts[0][0].n_each, parts[0][0].folder
    n_read = 0
    for chunk in table.chunks():
        of_chunk = places[n_read : n_read + len(chunk)].astype(np.int64)
        n_read += len(chunk)
        order = np.argsort(of_chunk, kind="stable")
        order = order[: int((of_chunk < n_places).sum())]
        numbers = of_chunk[order] // n_each
        for rows_of_one in np.split(order, np.flatnonzero(np.diff(numbers)) + 1):
            if len(rows_of_one):
                found = of_chunk[rows_of_one]
                name = str(first + int(found[0]) // n_each)
                _append(folder / name, chunk.take(rows_of_one), found)


def _append(path: Path, rows: pd.DataFrame, places: NDArray[np.int64]) -> None:
    packed = zlib.compress(pickle.dumps((rows, places), pickle.HIGHEST_PROTOCOL), 1)
    with path.open("ab") as stream:
        stream.write(len(packed).to_bytes(8, "little") + packed)


def _bucket(path: Path, head: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of a bucket in the order of their places."""
    import numpy as np
    import pandas as pd

    if not path.exists():
        return head
    rows, places = [], []
    with path.open("rb") as stream:
        while size := stream.read(8):
            packed = stream.read(int.from_bytes(size, "little"))
            some, their_places = pickle.loads(zlib.decompress(packed))  # noqa: S301 - ours
            rows.append(some)
            places.append(their_places)
    joined: pd.DataFrame = pd.concat(rows)
    return joined.take(np.argsort(np.concatenate(places)))


def _in_order(spec: Competition, rows: _Rows, part: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """Yield the rows of a part, renumbered and with their derived columns."""
    start = 0
    for piece in rows:
        stop = start + len(piece)
        if spec.renumber is not None:
            column = spec.renumber.column
            new = part[column].iloc[start:stop].array
            piece = piece.assign(**{RAW + column: piece[column], column: new})  # noqa: PLW2901
        yield with_derived(Parts(piece, piece[:0]), spec.derived).train
        start = stop
