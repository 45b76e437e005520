"""Submission files of one task, read without trusting them and laid side by side row by row.

Large files are sampled by a hash of the row's key, so that every file keeps the same rows.
"""

from __future__ import annotations

import warnings
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from competitions import spec as specs
from competitions.errors import MleAuditError, UnreadableFileError
from competitions.io import reason
from competitions.submission import MAX_SUBMISSION_BYTES, key_index

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    import pandas as pd
    from numpy.typing import NDArray

    from competitions.spec import Variant
    from reports.schema import Provenance

_T = TypeVar("_T")
MAX_CELLS = 20_000  # rows times columns that are compared; larger files are sampled
MAX_FILES = 400  # of one task; more are not compared
FEW_VALUES = 20  # a column with no more different values is one of labels
MIN_COVERED = 0.99  # share of the rows that a file must have to be compared
_BLOCK = 1 << 20  # also the longest line
_CHUNK = 200_000  # rows
_LARGEST = 1e100  # numbers beyond this have no square
_SEED = "copied-submission"[:16]  # of the hash that draws rows: pandas takes 16 characters


class Rules(NamedTuple):
    """Which columns name a row and which are predicted; empty: not known."""

    key: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    texts: frozenset[str] = frozenset()  # predicted columns that are no numbers


@dataclass(frozen=True)
class File:
    """A submission file and whose it is.

    Parameters
    ----------
    name : str
        How evidence names it.
    author : str
        Files of one author are never held against one another.
    attempt : str
        Id of the attempt that handed it in; empty for a public file.
    """

    path: Path
    name: str
    author: str
    attempt: str = ""
    provenance: Provenance | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Sheets:
    """Files of one task with equal rows in equal order.

    Parameters
    ----------
    files : tuple of File
    numbers : ndarray of float, shape (n_files, n_rows, n_number_columns)
        A missing cell has the mean of its column.
    labels : ndarray of int, shape (n_files, n_rows, n_label_columns)
        Equal numbers are equal labels.
    number_columns, label_columns : tuple of str
    n_rows : int
        Rows of the whole, of which those here may be a sample.
    left_out : tuple of (File, str)
        Files that could not be compared, and why.
    """

    files: tuple[File, ...]
    numbers: NDArray[np.float64]
    labels: NDArray[np.int64]
    number_columns: tuple[str, ...]
    label_columns: tuple[str, ...]
    n_rows: int
    left_out: tuple[tuple[File, str], ...] = ()


def rules_of(competition: str, variant: Variant) -> Rules:
    """Return what the catalog says of a task's submissions; nothing of a task it does not have."""
    try:
        said = specs.load(competition, variant).submission
    except MleAuditError:
        return Rules()
    texts = {n for n, c in said.columns.items() if c.type not in {"float", "int"}}
    return Rules(said.key, tuple(said.columns), frozenset(texts))


def sheets_of(files: Sequence[File], rules: Rules, max_cells: int = MAX_CELLS) -> Sheets:
    """Read files and lay them side by side.

    The rows are those that most of the files have in common; files that lack more than one in a
    hundred of them are left out.
    """
    read: list[tuple[File, pd.DataFrame]] = []
    left_out = [(f, f"only {MAX_FILES} files are compared") for f in files[MAX_FILES:]]
    scanned: dict[File, int] = {}
    for file in files[:MAX_FILES]:
        try:
            scanned[file] = _held(file, scan, ())
        except UnreadableFileError as error:
            left_out.append((file, error.problem))
    n_rows = max((n for f, n in scanned.items() if f.attempt), default=0)
    share = 1.0
    for file in scanned:
        try:
            if not read:
                share = min(1.0, max_cells / max(1, n_rows * _width(file.path, rules)))
            read.append((file, _held(file, read_rows, (rules, share))))
        except UnreadableFileError as error:
            left_out.append((file, error.problem))
    return _aligned(read, rules, n_rows, left_out)


_HELD: OrderedDict[tuple[object, ...], tuple[Any, int]] = OrderedDict()
_MAX_HELD = 128 << 20  # bytes of public files that are kept for the next task or audit
_LEAST = 1 << 10  # of what is held, whatever it is


def _held(file: File, read: Callable[..., _T], asked: tuple[object, ...]) -> _T:
    """Read a file; a public one that has not changed since is not read again.

    What was asked for last is kept, up to `_MAX_HELD`; nobody changes what is handed out.
    """
    if file.attempt:
        return read(file.path, *asked)
    try:
        at = file.path.stat(follow_symlinks=False)
    except OSError:
        return read(file.path, *asked)  # which says why not
    key = (read.__name__, at.st_dev, at.st_ino, at.st_size, at.st_mtime_ns, *asked)
    if key in _HELD:
        _HELD.move_to_end(key)
        found: _T = _HELD[key][0]
        return found
    found = read(file.path, *asked)
    usage = getattr(found, "memory_usage", None)
    _HELD[key] = found, _LEAST + (int(usage(deep=True).sum()) if usage else 0)
    while sum(size for _, size in _HELD.values()) > _MAX_HELD:
        _HELD.popitem(last=False)
    return found


def scan(path: Path) -> int:
    """Count a file's rows and see that it can be parsed without harm.

    Raises
    ------
    UnreadableFileError
        When it is no plain file, too large, binary, or has lines of more than 1 MiB.
    """
    problem, n_lines, since = None, 0, 0
    try:
        if path.is_symlink() or not path.is_file():
            raise UnreadableFileError(f"{path.name}: expected a file, found none.")
        if path.stat().st_size > MAX_SUBMISSION_BYTES:
            raise UnreadableFileError(f"{path.name}: it is too large to be compared.")
        with path.open("rb") as stream:
            while block := stream.read(_BLOCK):
                ends = block.count(b"\n")
                n_lines += ends
                since = len(block) - 1 - block.rfind(b"\n") if ends else since + len(block)
                if b"\0" in block:
                    problem = "it holds NUL bytes"
                if since > _BLOCK:
                    problem = "a line is longer than 1 MiB"
                if problem:
                    raise UnreadableFileError(f"{path.name}: {problem}.")
    except OSError as error:
        raise UnreadableFileError(f"{path.name}: {reason(error)}.") from error
    return max(0, n_lines - (since == 0))


def _width(path: Path, rules: Rules) -> int:
    if rules.columns:
        return len(rules.columns)
    with path.open("rb") as stream:
        return max(1, stream.readline(_BLOCK).count(b","))


def read_rows(path: Path, rules: Rules, share: float = 1.0) -> pd.DataFrame:
    """Read the predicted columns of a share of the rows, named by their keys.

    Parameters
    ----------
    share : float in (0, 1]
        How many of the rows are kept, about; which ones follows from their keys alone.

    Raises
    ------
    UnreadableFileError
        When it is no CSV, or has none of the task's predicted columns.
    """
    import pandas as pd

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", category=pd.errors.ParserWarning)
            with pd.read_csv(path, chunksize=_CHUNK, low_memory=False) as chunks:
                parts = [_named(chunk, rules, share) for chunk in chunks]
    except (ValueError, OverflowError, pd.errors.ParserError, RecursionError) as error:
        said = " ".join(str(error).split())[:200]
        raise UnreadableFileError(f"{path.name}: no readable CSV ({said}).") from error
    if not parts:
        raise UnreadableFileError(f"{path.name}: it has no rows.")
    frame = pd.concat(parts)
    if frame.index.has_duplicates:  # tasks that pair rows by their place may repeat a key
        again = frame.groupby(level=0).cumcount()
        frame.index = pd.Index(
            [f"{k}#{n}" if n else k for k, n in zip(frame.index, again, strict=True)]
        )
    return frame


def _named(chunk: pd.DataFrame, rules: Rules, share: float) -> pd.DataFrame:
    import pandas as pd

    key = [c for c in rules.key if c in chunk.columns] if rules.key else list(chunk.columns[:1])
    wanted = [c for c in rules.columns if c in chunk.columns]
    if not rules.columns:
        wanted = [c for c in chunk.columns if c not in key]
    if not wanted or any(not isinstance(chunk[c], pd.Series) for c in (*key, *wanted)):
        raise UnreadableFileError("it has none of the predicted columns.")
    if len(key) == len(rules.key or key):
        names = key_index(chunk, tuple(key))
    else:
        names = pd.Index([str(n) for n in chunk.index], dtype=object)
    named = pd.Index([str(n) for n in names], dtype=object)
    found = chunk[wanted].set_axis(named, axis="index")
    if share < 1:
        hashes = pd.util.hash_array(named.to_numpy(), hash_key=_SEED, categorize=False)
        found = found[hashes < np.uint64(share * (2**64 - 1))]
    return found


def _aligned(
    read: Sequence[tuple[File, pd.DataFrame]],
    rules: Rules,
    n_rows: int,
    left_out: list[tuple[File, str]],
) -> Sheets:
    """Give every frame the rows and columns that most have."""
    index, columns = _common(read, rules)
    whole = [(f, frame.reindex(index)) for f, frame in _covering(read, index, columns, left_out)]
    numeric = [c for c in columns if c not in rules.texts and _is_number(whole, c)]
    others = [c for c in columns if c not in numeric]
    numbers = [(f, frame, _numbers(frame, numeric)) for f, frame in whole]
    kept = [(f, frame, values) for f, frame, values in numbers if values is not None]
    left_out += [(f, "cells are missing or no numbers.") for f, _, v in numbers if v is None]
    values = [v for _, _, v in kept] or [np.zeros((len(index), len(numeric)))]
    labels = _labels([frame for _, frame, _ in kept], others, len(index))
    return Sheets(
        files=tuple(f for f, _, _ in kept),
        numbers=np.stack(values)[: len(kept)],
        labels=labels,
        number_columns=tuple(numeric),
        label_columns=tuple(others),
        n_rows=n_rows,
        left_out=tuple(left_out),
    )


def _covering(
    read: Iterable[tuple[File, pd.DataFrame]],
    index: pd.Index,
    columns: Sequence[str],
    left_out: list[tuple[File, str]],
) -> Iterator[tuple[File, pd.DataFrame]]:
    """Yield the files that have the columns and almost all of the rows."""
    for file, frame in read:
        missing = [c for c in columns if c not in frame.columns]
        covered = float(index.isin(frame.index).mean()) if len(index) else 0.0
        if missing:
            left_out.append((file, f"it has no column {missing[0]}."))
        elif covered < MIN_COVERED:
            left_out.append((file, f"it has {covered:.0%} of the rows."))
        else:
            yield file, frame


def _common(
    frames: Sequence[tuple[File, pd.DataFrame]], rules: Rules
) -> tuple[pd.Index, tuple[str, ...]]:
    """Return the rows, sorted, and the columns that most files have."""
    import pandas as pd

    votes: dict[bytes, list[pd.DataFrame]] = {}
    for _, frame in frames:
        names = np.sort(pd.util.hash_array(frame.index.to_numpy(dtype=object), categorize=False))
        votes.setdefault(names.tobytes(), []).append(frame)
    most = max(votes.values(), key=len, default=[])
    if not most:
        return pd.Index([]), ()
    shared = rules.columns or tuple(str(c) for c in most[0].columns)
    return most[0].index.sort_values(), tuple(c for c in shared if c in most[0].columns)


def _is_number(kept: Sequence[tuple[File, pd.DataFrame]], column: str) -> bool:
    """Say whether most files hold numbers of many different values in a column."""
    import pandas as pd

    many = [
        pd.api.types.is_numeric_dtype(frame[column])
        and not pd.api.types.is_bool_dtype(frame[column])
        and frame[column].nunique() > FEW_VALUES
        for _, frame in kept
    ]
    return bool(many) and sum(many) * 2 >= len(many)


def _numbers(frame: pd.DataFrame, columns: Sequence[str]) -> NDArray[np.float64] | None:
    """Return columns of numbers, a gap filled with the mean; None where there are many gaps."""
    import pandas as pd

    numbers = frame[list(columns)].apply(pd.to_numeric, errors="coerce")
    values: NDArray[np.float64] = numbers.to_numpy(np.float64, copy=True)
    values[~np.isfinite(values) | (np.abs(values) > _LARGEST)] = np.nan
    gaps = np.isnan(values)
    if gaps.size == 0:
        return values
    if gaps.mean(axis=0).max() > 1 - MIN_COVERED:
        return None
    filled: NDArray[np.float64] = np.where(gaps, np.nanmean(values, axis=0), values)
    return filled


def _labels(
    frames: Sequence[pd.DataFrame], columns: Sequence[str], n_rows: int
) -> NDArray[np.int64]:
    """Give each label a number; 1, 1.0 and "1" are one label, as are True and "True"."""
    import pandas as pd

    labels = np.zeros((len(frames), n_rows, len(columns)), np.int64)
    for place, column in enumerate(columns):
        if frames:
            texts = [key_index(frame, (column,)).to_series() for frame in frames]
            codes = pd.factorize(pd.concat(texts), use_na_sentinel=False)[0]
            labels[:, :, place] = codes.reshape(len(frames), n_rows)
    return labels
