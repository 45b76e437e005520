"""Tables of anybody's making: whatever format, checked before they are parsed."""

from __future__ import annotations

import csv
import gzip
import json
import zipfile
import zlib
from collections import Counter
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from competitions.errors import EvidenceUnavailableError, MissingLibraryError
from competitions.table_faults import fault_of, no_text
from competitions.work import refuse_longer_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import pandas as pd

MAX_HEADER_BYTES = 8 << 20  # a first line beyond that is no list of columns
MAX_COLUMNS = 100_000  # a parser takes minutes for more
MAX_UNPACKED = 8 << 30
USUAL_UNPACKED = 256 << 20  # up to there, a packed table may be of any density
MAX_DENSITY = 200  # bytes of a table to one when packed; bombs have a thousand
REPEATED = "repeated"  # attribute of a frame: names that its file has more than once
_LOOKED_AT = 8192  # bytes after the first line by which text is told from other files
_OTHER_SEPARATORS = ";\t|"  # in a .csv whose first line has no comma
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_SEPARATORS = {".csv": ",", ".tsv": "\t", ".tab": "\t", ".txt": "\t", ".data": ","}
SUFFIXES = (*_SEPARATORS, ".json", ".jsonl", ".ndjson", ".parquet", ".feather", ".gz", ".zip")
_UNPACKED = SUFFIXES[:-2]


# Parser errors of pandas and pyarrow are ValueErrors, or errors of what they stumble on; archives
# may be broken, encrypted, or packed in a way that nobody here unpacks.
_UNREADABLE = (
    *(ValueError, TypeError, AttributeError, KeyError, OverflowError, RecursionError),
    *(OSError, EOFError, RuntimeError, NotImplementedError, zipfile.BadZipFile, zlib.error),
)


@dataclass(frozen=True, eq=False)
class Table:
    """A table and how a report calls it.

    Parameters
    ----------
    name : str
        Such as ``public/train.csv``.
    frame : DataFrame
        Its rows, numbered from 0 as they stand in the file.
    """

    name: str
    frame: pd.DataFrame


def is_table(path: Path) -> bool:
    """Say whether a file is a table by its name; an archive by the names of what it holds.

    Of an archive that is not there, or that is broken, its own name says it.
    """
    suffixes = [s.lower() for s in path.suffixes]
    if suffixes[-1:] == [".zip"]:
        try:
            with zipfile.ZipFile(path) as archive:
                names = [Path(m.filename) for m in _members(archive)]
        except (OSError, ValueError, NotImplementedError, zipfile.BadZipFile):
            return len(suffixes) == 1 or suffixes[-2] in SUFFIXES
        return len(names) == 1 and names[0].suffix.lower() in _UNPACKED
    last = [s for s in suffixes if s != ".gz"][-1:]
    return bool(last) and last[0] in SUFFIXES


def read_any(path: Path) -> pd.DataFrame:
    """Read a table: CSV, TSV, JSON records, JSON lines, parquet, feather; also in gzip or zip.

    Raises
    ------
    EvidenceUnavailableError
        When it is not there, is no table, or cannot be parsed; with the line where that is known.
    """
    return _told(path.name, lambda: _read(path))


def read_content(name: str, content: bytes) -> pd.DataFrame:
    """Read a table from its bytes, such as those of a member of an archive; see `read_any`.

    Raises
    ------
    EvidenceUnavailableError
        When its name is not that of a plain table, or it cannot be parsed.
    """
    return _told(name, lambda: _parse(Path(name), lambda: BytesIO(content)))


def _told(name: str, read: Callable[[], pd.DataFrame]) -> pd.DataFrame:
    """Read a table; what cannot be read is told in one sentence."""
    try:
        return read()
    except MissingLibraryError as error:
        raise EvidenceUnavailableError("data", str(error), error.remedy) from error
    except _UNREADABLE as error:
        raise EvidenceUnavailableError(
            "data", f"{name} cannot be read as a table: {fault_of(error)}"
        ) from error


def _read(path: Path) -> pd.DataFrame:
    suffix = path.suffix.lower()
    if suffix == ".zip":
        return _only_table(path)
    if suffix == ".gz":
        with gzip.open(path, "rb") as stream:
            most = _most_unpacked(path.stat().st_size)
            content = stream.read(most + 1)
        _require_size(len(content), most)
        return _parse(path.with_suffix(""), lambda: BytesIO(content))
    return _parse(path, lambda: path.open("rb"), is_on_disk=True)


def _only_table(path: Path) -> pd.DataFrame:
    with zipfile.ZipFile(path) as archive:
        members = _members(archive)
        if len(members) != 1:
            raise ValueError(f"expected one table in the archive, found {len(members)} files")
        (member,) = members
        _require_size(member.file_size, _most_unpacked(member.compress_size))
        content = archive.read(member)
    return _parse(path.with_name(member.filename.rsplit("/", 1)[-1]), lambda: BytesIO(content))


def _members(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """Return an archive's files, without what a Mac adds to each."""
    found = (m for m in archive.infolist() if not m.filename.endswith("/"))
    return [m for m in found if not m.filename.startswith("__MACOSX/")]


def _most_unpacked(n_packed: int) -> int:
    return min(MAX_UNPACKED, max(USUAL_UNPACKED, MAX_DENSITY * n_packed))


def _require_size(n_bytes: int, most: int) -> None:
    if n_bytes > most:
        raise ValueError(f"it unpacks to more than {most >> 20} MiB, as no table of its size does")


def _parse(path: Path, opened: Callable[[], BinaryIO], *, is_on_disk: bool = False) -> pd.DataFrame:
    import pandas as pd

    suffix = path.suffix.lower()
    if suffix in {".parquet", ".feather"}:
        return _of_arrow(path, opened)
    if suffix in {".json", ".jsonl", ".ndjson"}:
        return _plain(_of_json(opened, lines=suffix != ".json"))
    if suffix not in _SEPARATORS:
        raise ValueError(f"expected one of {' '.join(SUFFIXES)}, found {suffix or 'no suffix'}")
    with opened() as stream:
        first = stream.readline(MAX_HEADER_BYTES + 1)
        if other := no_text(first + stream.read(_LOOKED_AT)):
            raise ValueError(f"expected text with {suffix} in its name, found {other}")
        options = _options(first, _SEPARATORS[suffix])
    with opened() as stream:
        frame: pd.DataFrame = pd.read_csv(stream, encoding_errors="replace", **options)
    if is_on_disk:
        refuse_longer_rows(frame, path, options)
    if repeated := _repeated(first, options):
        frame.attrs[REPEATED] = repeated
    return frame


def _of_json(opened: Callable[[], BinaryIO], *, lines: bool) -> pd.DataFrame:
    import pandas as pd

    try:
        with opened() as stream:
            records: pd.DataFrame = pd.read_json(
                stream,
                lines=lines,
                dtype=False,  # ids stay as they are written
            )
    except _UNREADABLE as error:
        raise ValueError(fault_of(error, opened, lines=lines)) from error
    return records


def _repeated(first: bytes, options: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names that the first line has more than once: pandas numbers them."""
    if options["encoding"] != "utf-8":
        return ()
    names = next(csv.reader([first.decode("utf-8-sig", "replace")], delimiter=options["sep"]), [])
    named = [name for name in names if name.strip()]
    return tuple(dict.fromkeys(n for n, many in Counter(named).items() if many > 1))


def _options(first: bytes, separator: str) -> dict[str, Any]:
    """Return how pandas is to read a table of text, from its first line and its usual separator.

    Raises
    ------
    ValueError
        When that line is no list of columns.
    """
    if len(first) > MAX_HEADER_BYTES:
        raise ValueError(f"its first line is longer than {MAX_HEADER_BYTES >> 20} MiB")
    encoding = "utf-16" if first.startswith(_UTF16) else "utf-8"
    names = first.decode("utf-16" if encoding == "utf-16" and len(first) % 2 == 0 else "latin-1")
    if separator == "," and "," not in names:
        separator = max(_OTHER_SEPARATORS, key=names.count) if _is_parted(names) else ","
    if names.count(separator) >= MAX_COLUMNS:
        raise ValueError(f"its first line names more than {MAX_COLUMNS} columns")
    return {"sep": separator, "low_memory": False, "encoding": encoding}


def _is_parted(names: str) -> bool:
    return any(sign in names for sign in _OTHER_SEPARATORS)


def _plain(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table with names that are text and cells that can be compared.

    JSON rows that are lists name no column; bytes, lists and objects in cells become texts.

    Raises
    ------
    ValueError
        When two columns have one name.
    """
    from pandas.api.types import is_object_dtype

    frame.columns = frame.columns.map(str)
    if not frame.columns.is_unique:
        twice = frame.columns[frame.columns.duplicated()]
        raise ValueError(f"two columns are called {twice[0]}")
    for name in frame.columns:
        if is_object_dtype(frame[name]):
            frame[name] = frame[name].map(_cell)
    return frame


def _cell(value: object) -> object:
    import numpy as np

    if isinstance(value, bytes):
        return value.decode(errors="backslashreplace")
    if isinstance(value, np.ndarray):
        value = value.tolist()
    return json.dumps(value, default=str) if isinstance(value, (list, dict)) else value


def _of_arrow(path: Path, opened: Callable[[], BinaryIO]) -> pd.DataFrame:
    import pandas as pd

    read = pd.read_parquet if path.suffix.lower() == ".parquet" else pd.read_feather
    try:
        with opened() as stream:
            frame: pd.DataFrame = read(stream)
    except ImportError as error:
        raise MissingLibraryError("pyarrow", f"{path.name} cannot be read") from error
    except (ValueError, OSError) as error:
        kind = "Parquet" if path.suffix.lower() == ".parquet" else "Feather"
        problem = f"expected a {kind} file, found something else or a broken one"
        raise ValueError(problem) from error
    return _plain(frame)
