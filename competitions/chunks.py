"""Tables read in chunks, with the column types that pandas finds in the whole of them.

A column's type follows from all of its cells: one fraction makes whole numbers floats, one empty
cell does, one word makes everything text. `chunked` looks at every chunk once and says what the
whole is; afterwards chunks are read as that, so that what is written of them equals, byte for byte,
what is written of the table read at once.
"""

from __future__ import annotations

import contextlib
import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from competitions.errors import MissingLibraryError, RawDataError
from competitions.work import options_of, raw_file, refuse_longer_rows, require_schema, telling

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    import pandas as pd

    from competitions.spec import Competition
    from competitions.work import Work

CHUNK = 32 << 20  # bytes of text that are a table at a time, which takes up to ten times as much
_NUMBER = 8  # bytes
_LONG_ROW = 1 << 12  # bytes; how many rows the first chunk may have before any was seen
_FIRST_BEYOND = 2.0**63  # whole numbers from here on: pandas' choice depends on the rows' order
_LONGEST_MISSING = len("#N/A N/A")
_MANY_DIGITS = r"\s*[-+]?\d{19,}\s*"
_FLAGS = "bool or empty"  # no type of pandas: True, False and NaN among objects


@dataclass(frozen=True)
class ChunkedTable:
    """A raw table, to be read as often as one likes.

    Parameters
    ----------
    path : Path
        CSV, TSV, or parquet of numbers.
    head : DataFrame
        Its columns with the types of the whole table, and no row.
    n_rows : int
        Rows of the whole.
    size : int
        Bytes of a chunk, about; parquet counts what its numbers take in memory.
    """

    path: Path
    head: pd.DataFrame
    n_rows: int
    size: int
    _options: dict[str, Any]
    _kinds: dict[str, str]

    @property
    def n_bytes(self) -> int:
        """Bytes of the whole, counted as `size` is."""
        if self.path.suffix == ".parquet":
            return self.n_rows * len(self.head.columns) * _NUMBER
        return self.path.stat().st_size

    def chunks(self, columns: list[str] | None = None) -> Iterator[pd.DataFrame]:
        """Yield the table's rows in order, numbered as in the whole.

        Parameters
        ----------
        columns : list of str or None
            Only these; None yields all.
        """
        given = {name: kind for name, kind in self._kinds.items() if kind != _FLAGS}
        flags = [name for name, kind in self._kinds.items() if kind == _FLAGS]
        options = self._options | {"dtype": self._options.get("dtype", {}) | given}
        with telling(self.path):
            for chunk in _chunks(self.path, self.size, options, columns):
                if self.path.suffix == ".parquet":
                    yield chunk.astype({c: kind for c, kind in given.items() if c in chunk})
                    continue
                wide = {name: chunk[name].astype(object) for name in flags if name in chunk}
                yield chunk.assign(**wide) if wide else chunk


def chunked(spec: Competition, work: Work, name: str, size: int = CHUNK) -> ChunkedTable | None:
    """Look through a raw table once.

    Returns
    -------
    ChunkedTable or None
        None where only the whole table says what pandas would make of it: whole numbers beyond 64
        bits, rows that name themselves, parquet of anything but numbers.

    Raises
    ------
    RawDataError
        As `competitions.work.raw_table` does.
    """
    path, file = work.path(name), raw_file(spec, name)
    if not path.is_file():
        raise RawDataError(f"Expected {name} in {work.raw}, found none.")
    options = options_of(file.read if file else None)
    known = options.get("dtype", {})
    seen: dict[str, dict[str, None]] = {}  # kinds of each column in the order of the rows
    n_rows, head = 0, None
    with telling(path):
        for chunk in _chunks(path, size, options, None):
            n_rows += len(chunk)
            head = chunk.iloc[:0] if head is None else head
            if not _is_plain(chunk, path):
                return None
            if n_rows == len(chunk) and path.suffix != ".parquet":
                refuse_longer_rows(chunk, path, options)
            for column in chunk.columns.difference(list(known)):
                kinds = seen.setdefault(column, {})
                if "str" not in kinds:  # whatever follows
                    kinds.setdefault(_kind(chunk[column]))
    if head is None:
        return None
    require_schema(path, head, file)
    joined = {column: _joined(kinds) for column, kinds in seen.items()} if n_rows else {}
    whole = {column: kind for column, kind in joined.items() if kind is not None}
    if len(whole) < len(joined):
        return None
    types: dict[str, Any] = {c: object if kind == _FLAGS else kind for c, kind in whole.items()}
    return ChunkedTable(path, head.astype(types), n_rows, size, options, whole)


def _is_plain(chunk: pd.DataFrame, path: Path) -> bool:
    """Say whether rows have numbers alone for names, and parquet nothing but numbers."""
    import pandas as pd

    is_numbered = isinstance(chunk.index, pd.RangeIndex)
    numbers = (getattr(dtype, "kind", "") in "iuf" for dtype in chunk.dtypes)
    return is_numbered and (path.suffix != ".parquet" or all(numbers))


def _kind(cells: pd.Series) -> str:
    """Say what pandas made of a chunk's column, in the words that `_joined` knows."""
    import pandas as pd

    if cells.isna().all():
        return "empty"
    if pd.api.types.is_bool_dtype(cells.dtype):
        return "bool"
    if getattr(cells.dtype, "kind", "") in "iuf":
        is_odd = cells.dtype == "uint64" or (cells.dtype == "float64" and _is_vast(cells))
        return "odd" if is_odd else str(cells.dtype)
    if cells.dtype == object and pd.api.types.infer_dtype(cells, skipna=True) == "boolean":
        return _FLAGS
    return _kind_of_text(cells.dropna())


def _kind_of_text(texts: pd.Series) -> str:
    """Tell words from what is text, or numbers of Python's, only for numbers beyond 64 bits."""
    import pandas as pd

    if texts.dtype == object and not all(isinstance(text, str) for text in texts):
        return "odd"
    vast = texts.str.fullmatch(_MANY_DIGITS).to_numpy(dtype=bool)
    if not vast.any():
        return "str"
    before = texts[: int(vast.argmax())]
    words = before[before.str.len() > _LONGEST_MISSING]
    return "str" if pd.to_numeric(words, errors="coerce").isna().any() else "odd"


def _is_vast(cells: pd.Series) -> bool:
    """Say whether some may be whole numbers that no 64 bits hold."""
    import numpy as np

    sizes = cells.abs()
    return bool(((sizes >= _FIRST_BEYOND) & (sizes < np.inf)).any())


def _joined(seen: Iterable[str]) -> str | None:
    """Return the type of a column whose chunks are of these kinds; None where nobody can tell.

    Where a number beyond 64 bits comes before any word, pandas takes even words for missing values
    as text, or makes numbers of Python's.
    """
    kinds = set(seen)
    before = set(itertools.takewhile(lambda kind: kind != "odd", seen))
    full = kinds - {"empty"}
    if "odd" in full:
        return "str" if before & {"str", "bool", _FLAGS} else None
    if "str" in full:
        return "str"
    if full <= {"int64", "float64"}:
        return "int64" if kinds == {"int64"} else "float64"
    if full <= {"bool", _FLAGS}:
        return "bool" if kinds == {"bool"} else _FLAGS
    if full <= {"bool", _FLAGS, "int64", "float64"}:
        return "str"
    return next(iter(kinds)) if len(kinds) == 1 else None  # parquet's narrow numbers


def _chunks(
    path: Path, size: int, options: dict[str, Any], columns: list[str] | None
) -> Iterator[pd.DataFrame]:
    if path.suffix == ".parquet":
        yield from _batches(path, size, columns)
        return
    import pandas as pd

    n_rows, n_read = max(1, size // _LONG_ROW), 0
    # `usecols` and not fewer columns afterwards: cells that are not asked for are never made.
    with (
        path.open("rb") as stream,
        pd.read_csv(stream, iterator=True, usecols=columns, **options) as reader,
    ):
        while True:
            with contextlib.suppress(StopIteration):
                chunk = reader.get_chunk(n_rows)
                n_read += len(chunk)
                n_rows = max(1, n_read * size // max(1, stream.tell()))
                yield chunk
                continue
            return


def _batches(path: Path, size: int, columns: list[str] | None) -> Iterator[pd.DataFrame]:
    """Yield a parquet table; rows that are named by more than their number keep their names."""
    try:
        from pyarrow import parquet
    except ImportError as error:
        raise MissingLibraryError("pyarrow", f"{path.name} cannot be read") from error
    import pandas as pd

    with parquet.ParquetFile(path) as table:
        n_rows = max(1, size // (_NUMBER * max(1, table.metadata.num_columns)))
        n_read = 0
        for batch in table.iter_batches(n_rows, columns=columns):
            frame = batch.to_pandas()
            if isinstance(frame.index, pd.RangeIndex):
                frame.index = pd.RangeIndex(n_read, n_read + len(frame))
            n_read += len(frame)
            yield frame
