"""Raw files as `prepare` sees them: the raw folder, and beside it what its archives hold."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any, NamedTuple

from competitions.errors import MissingLibraryError, RawDataError
from competitions.io import listed, said_by

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    import pandas as pd

    from competitions.shapes import Listing, RawFile, Read
    from competitions.spec import Competition


_HEADER = 1 << 20  # bytes in which the first row of a table must end
_MANY = 20  # columns, of which only those that differ are told
_TAIL = 1 << 20  # bytes in which the last row of a table is looked for


class Work(NamedTuple):
    """Where raw files lie; neither folder is ever written to once the archives are unpacked.

    Parameters
    ----------
    raw : Path
        The raw folder, which may be the user's.
    unpacked : Path
        What the archives hold, in a folder of ours.
    """

    raw: Path
    unpacked: Path

    def path(self, name: str) -> Path:
        """Return where a raw file or folder is, unpacked ones first; it need not exist."""
        unpacked = self.unpacked / name
        return unpacked if unpacked.exists() else self.raw / name

    def matching(self, pattern: str) -> Iterator[tuple[str, Path]]:
        """Yield relative name and place of all files that match a pattern, sorted by name."""
        found: dict[str, Path] = {}
        for root in (self.raw, self.unpacked):
            for path in root.glob(pattern):
                if path.is_file():
                    found[path.relative_to(root).as_posix()] = path
        yield from sorted(found.items())


def unpack_all(spec: Competition, work: Work) -> None:
    """Unpack every archive that the task's raw files come in, each once.

    Raises
    ------
    RawDataError
        When an archive is missing and what it holds is not there either.
    ArchiveError, UnsafeArchiveError, DiskFullError
        See `competitions.archive.unpack`.
    """
    from competitions.archive import unpack

    for packed in dict.fromkeys(f.packed for f in spec.raw if f.packed is not None):
        archive = work.raw / packed.archive
        inside = [f for f in spec.raw if f.packed == packed]
        if archive.is_file():
            unpack(archive, work.unpacked / packed.into)
        elif not all(is_there(work, f) for f in inside):
            names = ", ".join(f.path for f in inside)
            raise RawDataError(
                f"Expected {packed.archive} (with {names}) in {work.raw}, found none.",
                f"Place the raw files of {spec.source.url} there.",
            )


def require_schemas(spec: Competition, work: Work) -> None:
    """See that every raw table has the columns that the task says, before anything is made of it.

    Raises
    ------
    RawDataError
        See `require_schema`.
    """
    import pandas as pd

    for file in spec.raw:
        path = work.path(file.path)
        if file.columns and path.suffix in {".csv", ".tsv"} and path.is_file():
            with telling(path):
                head = pd.read_csv(path, nrows=0, **options_of(file.read))
            require_schema(path, head, file)


def is_there(work: Work, file: RawFile) -> bool:
    """Say whether a raw file, or the folder of many, lies there outside of any archive."""
    folder = file.path.partition("{")[0].rpartition("/")[0]
    return work.path(folder if "{" in file.path else file.path).exists()


def raw_table(spec: Competition, work: Work, name: str) -> pd.DataFrame:
    """Read a raw table, or make it from file names.

    Raises
    ------
    RawDataError
        When it is missing, cannot be parsed, or has other columns than the task says.
    """
    file = raw_file(spec, name)
    if file is not None and file.listing is not None:
        return _listed(work, file.listing)
    path = work.path(name)
    if not path.is_file():
        raise RawDataError(f"Expected {name} in {work.raw}, found none.")
    with telling(path):
        frame = read_raw(path, file.read if file else None)
    require_schema(path, frame, file)
    return frame


def raw_file(spec: Competition, name: str) -> RawFile | None:
    """Return what the task says of a raw file, if it does."""
    return next((f for f in spec.raw if f.path == name), None)


@contextlib.contextmanager
def telling(path: Path) -> Iterator[None]:
    """Turn what pandas says of a file that it cannot parse into our error.

    Raises
    ------
    RawDataError
        With pandas' own words; its parser errors and those of broken UTF-8 are ValueErrors.
    """
    if path.suffix in {".csv", ".tsv"} and path.is_file():
        with path.open("rb") as stream:
            if len(stream.readline(_HEADER + 1)) > _HEADER:  # else names of columns fill the memory
                raise RawDataError(f"{path} cannot be read: its first line has more than 1 MiB.")
    try:
        yield
    except ValueError as error:
        raise RawDataError(f"{path} cannot be read: {said_by(error)}") from error


def require_schema(path: Path, frame: pd.DataFrame, file: RawFile | None) -> None:
    """See that a raw table has the columns that the task says, and that its last row is whole.

    Parameters
    ----------
    frame : DataFrame
        What was read from it; rows do not matter.

    Raises
    ------
    RawDataError
        With both lists of columns, or both numbers of cells.
    """
    if path.suffix in {".csv", ".tsv"}:
        _refuse_cut_off(path, file.read.sep if file else ",", len(frame.columns))
    expected = list(file.columns) if file is not None and file.columns else list(frame.columns)
    if list(frame.columns) != expected:
        found = listed(frame.columns)
        if len(expected) > _MANY and set(frame.columns) != set(expected):
            lacking, odd = (
                listed([c for c in these if c not in set(those)]) or "none"
                for these, those in ((expected, frame.columns), (frame.columns, expected))
            )
            raise RawDataError(
                f"{path}: expected {len(expected)} columns, found {len(frame.columns)}; missing: "
                f"{lacking}; not expected: {odd}."
            )
        raise RawDataError(f"{path}: expected the columns {listed(expected)}, found {found}.")


def _refuse_cut_off(path: Path, sep: str, n_columns: int) -> None:
    """Raise when a table ends within a row, whose missing cells pandas would take for empty ones.

    A last line without an end and without a quote is a row of its own; with quotes it may be the
    end of a cell, and pandas itself refuses one that is not closed.
    """
    with path.open("rb") as stream:
        stream.seek(max(0, path.stat().st_size - _TAIL))
        _, ended, last = stream.read().rpartition(b"\n")
    n_found = last.count(sep.encode()) + 1
    if ended and last.strip() and b'"' not in last and n_found < n_columns:
        raise RawDataError(
            f"{path} is cut off: expected {n_columns} cells in its last row, found {n_found}."
        )


def read_raw(path: Path, read: Read | None = None) -> pd.DataFrame:
    """Read a CSV, or a table of JSON records, as the task says."""
    import pandas as pd

    if path.suffix == ".json":
        return pd.read_json(path)
    if path.suffix == ".jsonl":
        return pd.read_json(path, lines=True)
    if path.suffix == ".parquet":
        try:
            return pd.read_parquet(path)
        except ImportError as error:
            raise MissingLibraryError("pyarrow", f"{path.name} cannot be read") from error
    frame: pd.DataFrame = pd.read_csv(path, **options_of(read))
    refuse_longer_rows(frame, path, options_of(read))
    return frame


def refuse_longer_rows(frame: pd.DataFrame, path: Path, options: Mapping[str, Any]) -> None:
    """Raise where pandas took cells that no name of the first line stands over for an index.

    Every column would then have the values of its neighbour.

    Parameters
    ----------
    frame : DataFrame
        What ``pandas.read_csv`` made of the file at `path` with `options`.

    Raises
    ------
    ValueError
        When it did.
    """
    import pandas as pd

    if not len(frame):
        return
    n_names = len(frame.columns)
    n_cells = n_names + frame.index.nlevels
    if frame.index.equals(pd.RangeIndex(len(frame))):  # also an index of 0 to n - 1 in the file
        n_cells = _n_cells(path, options)
    if n_cells > n_names:
        raise ValueError(f"its rows have {n_cells} cells and its first line names {n_names}")


def _n_cells(path: Path, options: Mapping[str, Any]) -> int:
    """Count the cells of the first row below the names; 0 where it cannot be read alone."""
    import pandas as pd

    alone = {**options, "header": None, "skiprows": 1, "nrows": 1, "dtype": str}
    try:
        return len(pd.read_csv(path, **alone).columns)
    except ValueError:
        return 0


def options_of(read: Read | None) -> dict[str, Any]:
    """Return the arguments with which ``pandas.read_csv`` reads a raw table."""
    if read is None:
        return {"low_memory": False}
    return {
        "sep": read.sep,
        "dtype": dict(read.dtype),
        "keep_default_na": read.empty_is_missing,
        "low_memory": False,
    }


def _listed(work: Work, listing: Listing) -> pd.DataFrame:
    """Make a table of file names, in the order of the whole names or of some columns as text."""
    import pandas as pd

    rows = []
    for name, path in work.matching(listing.files):
        facts = {"name": path.name, "stem": path.stem, "parent": path.parent.name, "path": name}
        rows.append({column: facts[what] for column, what in listing.columns.items()})
    if not rows:
        raise RawDataError(f"Expected files {listing.files} in {work.raw}, found none.")
    frame = pd.DataFrame(rows, columns=list(listing.columns))
    by = list(listing.sort)
    return frame.sort_values(by, kind="stable", ignore_index=True) if by else frame
