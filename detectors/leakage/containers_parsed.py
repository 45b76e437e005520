"""Parse a file of data from its bytes into tables and named leaves; no code in it is ever run."""

from __future__ import annotations

import io
import json
import math
import zipfile
import zlib
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from detectors.leakage.containers_records import nmea_table, record_table, text_leaves, xml_leaves
from detectors.leakage.tables import read_content

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pandas as pd

MAX_UNPACKED = 1 << 29  # bytes that a packed array or table may come to
MAX_HEADER = 20_000  # columns of a table
MAX_LEAVES = 5_000  # of one file
MAX_NESTED = 12  # how deep leaves lie
LEAST_ROWS = 8  # of a list of objects that is a table


class UnreadableError(ValueError):
    """A file that cannot be parsed, or would take more than is allowed."""


class Parsed(NamedTuple):
    """What a file holds.

    Parameters
    ----------
    tables : list of (str, DataFrame)
        Each with where it stands in the file; empty for the file itself.
    leaves : dict of str to object
        Scalars, texts, arrays and nested lists by their paths.
    """

    tables: list[tuple[str, pd.DataFrame]]
    leaves: dict[str, Any]


def parsed(name: str, content: bytes) -> Parsed:
    """Parse a file by its suffix.

    Raises
    ------
    UnreadableError
        When it is damaged, of no known kind, or too large.
    """
    parser = _PARSERS.get(PurePosixPath(name.lower()).suffix)
    if parser is None:
        raise UnreadableError("nothing here reads such files")
    try:
        return parser(PurePosixPath(name).name, content)
    except Exception as error:
        # What scipy, numpy and pyarrow raise of damaged files is of a dozen kinds.
        raise UnreadableError(f"{type(error).__name__}: {str(error)[:200]}") from error


def _table(name: str, content: bytes) -> Parsed:
    head = content[: content.find(b"\n") if b"\n" in content else len(content)]
    if max(head.count(b","), head.count(b"\t")) > MAX_HEADER:
        raise UnreadableError(f"it has more than {MAX_HEADER} columns")
    return Parsed([("", read_content(name, content))], {})


def _arrow(name: str, content: bytes) -> Parsed:
    if name.lower().endswith(".parquet"):
        import pyarrow.parquet as pq

        about = pq.ParquetFile(io.BytesIO(content)).metadata
        if about.num_columns > MAX_HEADER or about.num_rows * about.num_columns > MAX_UNPACKED // 8:
            raise UnreadableError("it has too many cells")
    return Parsed([("", read_content(name, content))], {})


def _json(name: str, content: bytes) -> Parsed:
    text = content.decode("utf-8", errors="replace")
    if not name.lower().endswith((".jsonl", ".ndjson")):
        try:
            return of_object(json.loads(text))
        except json.JSONDecodeError as error:
            if not error.msg.startswith("Extra data"):  # a value a line, whatever its name
                raise
    return of_object([json.loads(line) for line in text.splitlines() if line.strip()])


def of_object(value: Any) -> Parsed:  # noqa: ANN401 - any JSON value
    """Find tables and leaves in nested lists and mappings."""
    tables: list[tuple[str, pd.DataFrame]] = []
    leaves: dict[str, Any] = {}
    for path, one in _walk(value, "", 0):
        if len(leaves) >= MAX_LEAVES:
            break
        table = _as_table(one)
        if table is not None:
            tables.append((path, table))
        elif not isinstance(one, dict):
            leaves[path] = one
    return Parsed(tables, leaves)


def _walk(value: Any, path: str, depth: int) -> Iterator[tuple[str, Any]]:  # noqa: ANN401
    """Yield each mapping, and each list and scalar, with its path; lists of objects by field."""
    if depth > MAX_NESTED:
        return
    if isinstance(value, dict):
        yield path, value
        for key, inner in list(value.items())[:MAX_LEAVES]:
            yield from _walk(inner, f"{path}.{key}"[-200:].lstrip("."), depth + 1)
    elif isinstance(value, list) and value and all(isinstance(v, dict) for v in value):
        yield path, value
        for key in list(value[0])[:200]:
            yield from _walk([v.get(key) for v in value], f"{path}[].{key}", depth + 1)
    elif isinstance(value, list | tuple | np.ndarray) or not hasattr(value, "__dict__"):
        yield path, value


def _as_table(value: Any) -> pd.DataFrame | None:  # noqa: ANN401
    """Make a table of a list of objects, or of a mapping of names to objects or to scalars."""
    import pandas as pd

    if isinstance(value, list) and len(value) >= LEAST_ROWS and isinstance(value[0], dict):
        return pd.DataFrame([{k: v for k, v in one.items() if _is_scalar(v)} for one in value])
    if not isinstance(value, dict) or len(value) < LEAST_ROWS:
        return None
    if all(isinstance(v, dict) for v in value.values()):
        rows = [{k: v for k, v in one.items() if _is_scalar(v)} for one in value.values()]
        table = pd.DataFrame(rows)
        table.insert(0, "the name", [str(k) for k in value], allow_duplicates=True)
        return table
    if all(_is_scalar(v) for v in value.values()):
        return pd.DataFrame({"the name": [str(k) for k in value], "value": list(value.values())})
    return None


def _is_scalar(value: Any) -> bool:  # noqa: ANN401
    return value is None or isinstance(value, str | int | float | bool | np.generic)


def _npy(_name: str, content: bytes) -> Parsed:
    return Parsed([], {"": _array(content)})


def _npz(_name: str, content: bytes) -> Parsed:
    leaves = {}
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        if sum(e.file_size for e in archive.infolist()) > MAX_UNPACKED:
            raise UnreadableError("it unpacks to too much")
        for entry in archive.infolist()[:MAX_LEAVES]:
            if entry.filename.endswith(".npy"):
                leaves[entry.filename.removesuffix(".npy")] = _array(archive.read(entry))
    return Parsed([], _fields_apart(leaves))


def _array(content: bytes) -> Any:  # noqa: ANN401
    """Read an array of numbers or texts; one of objects would have to be unpickled."""
    stream = io.BytesIO(content)
    version = np.lib.format.read_magic(stream)
    reads: dict[tuple[int, int], Callable[..., Any]] = {
        (1, 0): np.lib.format.read_array_header_1_0,
        (2, 0): np.lib.format.read_array_header_2_0,
    }
    shape, _, dtype = reads[version](stream)
    if dtype.hasobject or math.prod(shape) * dtype.itemsize > len(content):
        raise UnreadableError("it holds objects, or less than it says")
    stream.seek(0)
    return np.load(stream, allow_pickle=False)


def _fields_apart(leaves: dict[str, Any]) -> dict[str, Any]:
    """Take arrays of records apart by their fields, and matrices of few columns by these."""
    found: dict[str, Any] = {}
    for path, value in leaves.items():
        if isinstance(value, np.ndarray) and value.dtype.names:
            found |= {f"{path}.{name}": value[name] for name in value.dtype.names}
        elif isinstance(value, np.ndarray) and value.ndim == 2 and value.shape[1] <= 64:  # noqa: PLR2004
            found |= {f"{path}[:, {n}]": value[:, n] for n in range(value.shape[1])}
        found[path] = value
    return found


def _mat(_name: str, content: bytes) -> Parsed:
    from scipy.io import loadmat

    _refuse_bomb(content)
    stream: Any = io.BytesIO(content)
    loaded = loadmat(stream, simplify_cells=True)
    found = of_object({k: v for k, v in loaded.items() if not k.startswith("__")})
    return Parsed(found.tables, _fields_apart(found.leaves))


def _refuse_bomb(content: bytes) -> None:
    """Unpack the compressed elements of a MATLAB 5 file block by block, and count."""
    at, total = 128, 0
    order: Any = "little" if content[126:128] == b"IM" else "big"
    while at + 8 <= len(content):
        kind = int.from_bytes(content[at : at + 4], order)
        size = int.from_bytes(content[at + 4 : at + 8], order)
        if kind == 15:  # noqa: PLR2004 - miCOMPRESSED
            unpack, rest = zlib.decompressobj(), content[at + 8 : at + 8 + size]
            while rest and total <= MAX_UNPACKED:
                total += len(unpack.decompress(rest, 1 << 20))
                rest = unpack.unconsumed_tail
        if total > MAX_UNPACKED:
            raise UnreadableError("it unpacks to too much")
        at += 8 + size


def _h5(_name: str, content: bytes) -> Parsed:
    try:
        import h5py  # type: ignore[import-not-found,unused-ignore]
    except ImportError as error:
        raise UnreadableError("h5py is not installed: pip install h5py") from error
    leaves: dict[str, Any] = {}

    def note(path: str, item: Any) -> None:  # noqa: ANN401
        is_small = isinstance(item, h5py.Dataset) and item.size * item.dtype.itemsize < MAX_UNPACKED
        if is_small and len(leaves) < MAX_LEAVES and not item.dtype.hasobject:
            leaves[path] = item[()]

    with h5py.File(io.BytesIO(content), "r") as opened:
        opened.visititems(note)
    return Parsed([], _fields_apart(leaves))


def _records(_name: str, content: bytes) -> Parsed:
    return Parsed([("", record_table(content))], {})


def _nmea(_name: str, content: bytes) -> Parsed:
    return Parsed([("", nmea_table(content))], {})


def _text(name: str, content: bytes) -> Parsed:
    table, leaves = text_leaves(content)
    if name.lower().endswith((".xml", ".kml", ".gpx")):
        return Parsed([], xml_leaves(content))
    return Parsed([("", table)] if table is not None else [], leaves)


_PARSERS: dict[str, Callable[[str, bytes], Parsed]] = {
    **dict.fromkeys((".csv", ".tsv", ".tab", ".data"), _table),
    **dict.fromkeys((".parquet", ".feather"), _arrow),
    **dict.fromkeys((".json", ".jsonl", ".ndjson", ".geojson"), _json),
    **dict.fromkeys((".tfrec", ".tfrecord", ".tfrecords"), _records),
    **dict.fromkeys((".h5", ".hdf5"), _h5),
    **dict.fromkeys((".txt", ".xml", ".kml", ".gpx", ".lab", ".ann"), _text),
    ".npy": _npy,
    ".npz": _npz,
    ".mat": _mat,
    ".nmea": _nmea,
}
SUFFIXES = frozenset(_PARSERS)
