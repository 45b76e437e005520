"""Which public files, and members of public archives, belong to which row."""

from __future__ import annotations

import re
import tarfile
import zipfile
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from detectors.leakage.hidden_answers import as_texts, parts_of

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

    import pandas as pd

    from detectors.leakage.split import Split

MAX_MEMBERS = 200_000  # of one archive
MAX_ARCHIVE = 4 << 30  # bytes of a tar archive that is gone through for its list
LEAST_NAMED = 0.8  # share of rows that have to have a file
LEAST_ITEMS = 20
LONGEST_NAME = 200  # letters of a cell that may name a file, and cells that are looked at
TRAIN = frozenset({"train", "training", "trn"})
TEST = frozenset({"test", "testing", "tst"})
_ARCHIVES = (".tar", ".tar.gz", ".tgz")
_PIECE = re.compile(r"[^\W_]+")
_LETTERS = re.compile(r"[a-z]+")
_NAME = re.compile(r"[^\s]{1,200}")


class ItemFile(NamedTuple):
    """A file on disk, or a member of an archive.

    Parameters
    ----------
    name : str
        Its path in a report: ``public/test/1.png``, ``public/test.zip/1.png``.
    path : Path
        On disk.
    member : str or None
        Its name within the archive.
    size, packed : int
        Bytes, and bytes within the archive.
    place : int or None
        Its place in the archive's list.
    written : float or None
        When it was last written, in seconds; None where nobody says.
    """

    name: str
    path: Path
    member: str | None
    size: int
    packed: int
    place: int | None
    written: float | None


class Items(NamedTuple):
    """Rows that have files.

    Parameters
    ----------
    rows : list of int
        Their places among the rows that were asked about, each row of its own files.
    names : list of str
        What the files of each are called by.
    files : list of list of ItemFile
        By name.
    """

    rows: list[int]
    names: list[str]
    files: list[list[ItemFile]]


def public_files(split: Split) -> tuple[list[ItemFile], list[str]]:
    """Return all public files and the members of zip and tar archives, and what was not opened."""
    root = split.public_root
    found: list[ItemFile] = []
    closed: list[str] = []
    for path in split.public if root is not None else ():
        name = f"public/{path.relative_to(root or path).as_posix()}"
        try:
            status = path.stat()
            found.append(
                ItemFile(name, path, None, status.st_size, status.st_size, None, status.st_mtime)
            )
            found.extend(_members(path, name))
        except (OSError, ValueError, EOFError, zipfile.BadZipFile, tarfile.TarError):
            closed.append(name)
    return found, closed


def _members(path: Path, name: str) -> Iterator[ItemFile]:
    lower = path.name.lower()
    if lower.endswith(".zip"):
        with zipfile.ZipFile(path) as archive:
            for n, entry in enumerate(archive.infolist()[:MAX_MEMBERS]):
                if not entry.filename.endswith("/"):
                    yield ItemFile(
                        f"{name}/{entry.filename}",
                        path,
                        entry.filename,
                        entry.file_size,
                        entry.compress_size,
                        n,
                        _seconds(entry.date_time),
                    )
    elif lower.endswith(_ARCHIVES) and path.stat().st_size <= MAX_ARCHIVE:
        with tarfile.open(path, "r:*") as archive:
            for n, member in enumerate(archive):
                if n >= MAX_MEMBERS:
                    return
                if member.isfile():
                    inner = f"{name}/{member.name}"
                    size, when = member.size, float(member.mtime)
                    yield ItemFile(inner, path, member.name, size, size, n, when)


def _seconds(when: tuple[int, ...]) -> float:
    """Order the times of a zip archive's entries, whatever their zone."""
    year, month, day, hour, minute, second = when
    return ((((year * 12 + month) * 31 + day) * 24 + hour) * 60 + minute) * 60.0 + second


def items_of(
    files: Sequence[ItemFile],
    ids: Sequence[str],
    public: pd.DataFrame,
    media: Sequence[str] = (),
    other: frozenset[str] = TRAIN,
) -> Items | None:
    """Find the files of rows: by the first column that names files of most of them.

    A file is called by its path, its name with and without suffixes, the folders it lies in, or the
    pieces of its name, in this order. Of rows that share files the first stands for them.

    Parameters
    ----------
    ids : sequence of str
        Of the rows.
    public : DataFrame
        Their public columns.
    media : sequence of str
        Columns that name files; they are asked first.
    other : frozenset of str
        Words in paths of files that are of the other part, where rows have files without them.

    Returns
    -------
    Items or None
        None where no column names files of at least twenty rows and four fifths of all.
    """
    own = [f for f in files if not other & set(_LETTERS.findall(_below(f)))]
    candidates = list(_names(ids, public, media))
    wanted = {name for names in candidates for name in names}
    for mine in (own, files):
        for called in (_whole, _folders, _pieces):
            by_name: dict[str, list[ItemFile]] = {}
            for file in mine:
                for name in called(_below(file)) & wanted:
                    by_name.setdefault(name, []).append(file)
            for names in candidates:
                if (found := _by(names, by_name)) is not None:
                    return found
    return None


def _names(ids: Sequence[str], public: pd.DataFrame, media: Sequence[str]) -> Iterator[list[str]]:
    """Yield what rows may call files by: columns of files, the id, its first part, other texts."""
    for column in (c for c in media if c in public.columns):
        yield _plain(as_texts(public[column]))
    yield _plain(ids)
    if (parts := parts_of(ids)) is not None:
        yield _plain(parts[0])
    for column in (c for c in public.columns if c not in media):
        texts = as_texts(public[column]).head(LONGEST_NAME)
        if not texts.empty and bool(texts.str.fullmatch(_NAME).all()):
            yield _plain(as_texts(public[column]))


def _plain(names: Iterable[str]) -> list[str]:
    return [str(name).removeprefix("./").lower() for name in names]


def _below(file: ItemFile) -> str:
    return file.name.split("/", 1)[-1].lower()


def _whole(below: str) -> set[str]:
    """Return what a path ends with, and its last part without suffixes."""
    parts = PurePosixPath(below).parts
    ends = {"/".join(parts[n:]) for n in range(len(parts))}
    return {*ends, PurePosixPath(below).stem, parts[-1].split(".")[0]}


def _folders(below: str) -> set[str]:
    return set(PurePosixPath(below).parts[:-1])


def _pieces(below: str) -> set[str]:
    """Return the pieces of a name, and the first ones together: ``a_7`` of ``a_7_left.png``."""
    stem = PurePosixPath(below).name.split(".")[0]
    pieces = list(_PIECE.finditer(stem))
    return {p.group() for p in pieces} | {stem[: p.end()] for p in pieces[:5]}


def item_of(below: str, names: Container[str]) -> str | None:
    """Return which of some names a path below the data belongs to; None where it is of none.

    Examples
    --------
    >>> item_of("test/a7/log.txt", {"a7", "b2"})
    'a7'
    """
    for called in (_whole, _folders, _pieces):
        found = [one for one in called(below.lower()) if one in names]
        if found:
            return max(found, key=lambda one: (len(one), one))
    return None


def _by(names: Sequence[str], by_name: Mapping[str, list[ItemFile]]) -> Items | None:
    n_named = sum(name in by_name for name in names)
    first: dict[str, int] = {}
    for row, name in enumerate(names):
        if name in by_name:
            first.setdefault(name, row)
    if len(first) < LEAST_ITEMS or n_named < LEAST_NAMED * len(names):
        return None
    return Items(list(first.values()), list(first), [by_name[name] for name in first])
