"""Tables of anybody's making: whatever format, checked before they are parsed."""

from __future__ import annotations

import gzip
import zipfile
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from competitions.errors import EvidenceUnavailableError, MissingLibraryError
from competitions.io import said_by
from competitions.work import refuse_longer_rows

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd

MAX_HEADER_BYTES = 8 << 20  # a first line beyond that is no list of columns
MAX_UNPACKED = 8 << 30
_SEPARATORS = {".csv": ",", ".tsv": "\t", ".tab": "\t", ".txt": "\t", ".data": ","}
SUFFIXES = (*_SEPARATORS, ".json", ".jsonl", ".ndjson", ".parquet", ".feather", ".gz", ".zip")


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
    """Say whether a file is a table by its name; an archive by the name of what it holds."""
    suffixes = path.suffixes
    if suffixes[-1:] == [".zip"]:
        return len(suffixes) == 1 or suffixes[-2].lower() in SUFFIXES
    last = [s for s in suffixes if s != ".gz"][-1:]
    return bool(last) and last[0].lower() in SUFFIXES


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
    except (ValueError, OSError, EOFError, zipfile.BadZipFile) as error:
        # pandas' and pyarrow's parser errors are ValueErrors
        raise EvidenceUnavailableError(
            "data", f"{name} cannot be read as a table: {said_by(error)}"
        ) from error


def _read(path: Path) -> pd.DataFrame:
    suffix = path.suffix.lower()
    if suffix == ".zip":
        return _only_table(path)
    if suffix == ".gz":
        with gzip.open(path, "rb") as stream:
            content = stream.read(MAX_UNPACKED + 1)
        if len(content) > MAX_UNPACKED:
            raise ValueError(f"it unpacks to more than {MAX_UNPACKED >> 30} GiB")
        return _parse(path.with_suffix(""), lambda: BytesIO(content))
    return _parse(path, lambda: path.open("rb"), is_on_disk=True)


def _only_table(path: Path) -> pd.DataFrame:
    with zipfile.ZipFile(path) as archive:
        members = [m for m in archive.infolist() if not m.is_dir()]
        if len(members) != 1:
            raise ValueError(f"expected one table in the archive, found {len(members)} files")
        (member,) = members
        if member.file_size > MAX_UNPACKED:
            raise ValueError(f"it unpacks to more than {MAX_UNPACKED >> 30} GiB")
        content = archive.read(member)
    return _parse(path.with_name(member.filename.rsplit("/", 1)[-1]), lambda: BytesIO(content))


def _parse(path: Path, opened: Callable[[], BinaryIO], *, is_on_disk: bool = False) -> pd.DataFrame:
    import pandas as pd

    suffix = path.suffix.lower()
    if suffix in {".parquet", ".feather"}:
        return _of_arrow(path, opened)
    if suffix in {".json", ".jsonl", ".ndjson"}:
        with opened() as stream:
            records: pd.DataFrame = pd.read_json(
                stream,
                lines=suffix != ".json",
                dtype=False,  # ids stay as they are written
            )
        return records
    if suffix not in _SEPARATORS:
        raise ValueError(f"expected one of {' '.join(SUFFIXES)}, found {suffix or 'no suffix'}")
    with opened() as stream:
        if len(stream.readline(MAX_HEADER_BYTES + 1)) > MAX_HEADER_BYTES:
            raise ValueError(f"its first line is longer than {MAX_HEADER_BYTES >> 20} MiB")
    options: dict[str, Any] = {"sep": _SEPARATORS[suffix], "low_memory": False}
    with opened() as stream:
        frame: pd.DataFrame = pd.read_csv(stream, encoding_errors="replace", **options)
    if is_on_disk:
        refuse_longer_rows(frame, path, options)
    return frame


def _of_arrow(path: Path, opened: Callable[[], BinaryIO]) -> pd.DataFrame:
    import pandas as pd

    read = pd.read_parquet if path.suffix.lower() == ".parquet" else pd.read_feather
    try:
        with opened() as stream:
            frame: pd.DataFrame = read(stream)
    except ImportError as error:
        raise MissingLibraryError("pyarrow", f"{path.name} cannot be read") from error
    return frame
