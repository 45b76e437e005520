"""Which media files belong to the train part and which to the test part, and how they are read."""

from __future__ import annotations

import os
import re
import zipfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from competitions.errors import EvidenceUnavailableError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from competitions.shapes import RowFiles
    from detectors.leakage.split import Split

_T = TypeVar("_T")

MAX_BYTES = 64 * 2**20  # of one file; a larger one is not read
MAX_MEMBERS = 200_000  # of one archive
PACKED = frozenset({".7z", ".tar", ".tgz", ".gz", ".rar", ".tfrec", ".tfrecord", ".h5", ".lmdb"})
_TRAIN = frozenset({"train", "training", "trn"})
_TEST = frozenset({"test", "testing", "tst", "eval", "holdout", "valid", "validation", "val"})
_WORDS = re.compile(r"[a-z]+")


class MediaFile(NamedTuple):
    """A file of the data, or a member of a zip archive of it.

    Parameters
    ----------
    name : str
        Path below the data, with its half: ``public/train/1.png``, ``public/a.zip/train/1.png``.
    path : Path
        The file on disk.
    member : str or None
        Its name within the archive.
    size : int
        Bytes once unpacked.
    """

    name: str
    path: Path
    member: str | None
    size: int

    @property
    def is_private(self) -> bool:
        """Whether it lies in the private half."""
        return self.name.startswith("private/")

    def read(self) -> bytes:
        """Return its bytes.

        Raises
        ------
        OSError
            When it cannot be read, is larger than `MAX_BYTES` or than its archive says.
        """
        if self.size > MAX_BYTES:
            raise OSError(f"{self.name} has {self.size} bytes, more than are read of one file")
        if self.member is None:
            with self.path.open("rb") as stream:
                return stream.read(MAX_BYTES)
        try:
            with zipfile.ZipFile(self.path) as archive, archive.open(self.member) as stream:
                content = stream.read(MAX_BYTES + 1)
        except (zipfile.BadZipFile, RuntimeError, NotImplementedError, KeyError) as error:
            raise OSError(f"{self.name} cannot be unpacked: {error}") from error
        if len(content) > MAX_BYTES:
            raise OSError(f"{self.name} unpacks to more than its archive says")
        return content


@dataclass(frozen=True)
class Sides:
    """The media files of one kind on both sides of a split.

    Parameters
    ----------
    train, test : tuple of MediaFile
        By name; `test` holds private files where the public half has none of the test part.
    unclear : int
        Files of which neither tables nor names say where they belong.
    unopened : tuple of str
        Archives that were not looked into.
    n_links : int
        Links to such files, or to folders; they may lead anywhere and are not followed.
    """

    train: tuple[MediaFile, ...]
    test: tuple[MediaFile, ...]
    unclear: int = 0
    unopened: tuple[str, ...] = ()
    n_links: int = 0

    @property
    def are_there(self) -> bool:
        """Whether any file of this kind is there at all."""
        return bool(self.train or self.test or self.unclear)


def sides_of(split: Split, suffixes: frozenset[str], rules: Sequence[RowFiles] = ()) -> Sides:
    """Sort files with these suffixes into train and test.

    The task's definition decides first, then a path that one of the tables names, then words in the
    path (``train/``, ``test_0001.png``), then a name or stem that stands in the rows of one table.

    Parameters
    ----------
    suffixes : frozenset of str
        In lower case, with their dot.
    rules : sequence of RowFiles
        What the task's definition says about files.
    """
    public, unopened = _media(split.public, split.public_root, "public", suffixes)
    private, more = _media(split.private, split.private_root, "private", suffixes)
    n_links = _links(split.public_root, suffixes) + _links(split.private_root, suffixes)
    named = {"train": _names_in(split, "train"), "test": _names_in(split, "test")}
    patterns = [(rule.part, _pattern(rule.to)) for rule in rules]
    sides = [_by_path(f, patterns, named) for f in public]
    if {"train", "test"} - set(sides):  # words in paths tell only where they tell both
        sides = [_by_path(f, patterns, named, with_words=False) for f in public]
    sides = [s or _by_name(f, named) for f, s in zip(public, sides, strict=True)]
    if not any(sides) and private:
        return Sides(public, private, 0, (*unopened, *more), n_links)
    train = tuple(f for f, s in zip(public, sides, strict=True) if s == "train")
    test = tuple(f for f, s in zip(public, sides, strict=True) if s == "test")
    return Sides(train, test or private, sides.count(None), (*unopened, *more), n_links)


def need_both(sides: Sides, what: str) -> None:
    """Refuse to compare where one side has no file.

    Raises
    ------
    EvidenceUnavailableError
        With what is there, and why nothing can be compared.
    """
    if sides.train and sides.test:
        return
    archives = f"; not opened: {', '.join(sides.unopened[:3])}" if sides.unopened else ""
    raise EvidenceUnavailableError(
        "data",
        f"Which {what} are of the train part and which of the test part cannot be told: "
        f"{len(sides.train)} are of the one, {len(sides.test)} of the other, {sides.unclear} of "
        f"neither by the names in tables and folders{archives}.",
    )


def evenly(items: Sequence[_T], most: int) -> list[_T]:
    """Return at most `most` items, evenly spread over all.

    Examples
    --------
    >>> evenly("abcdefgh", 4)
    ['a', 'c', 'e', 'g']
    """
    if len(items) <= most:
        return list(items)
    return [items[i * len(items) // most] for i in range(most)]


def _media(
    paths: Iterable[Path], root: Path | None, half: str, suffixes: frozenset[str]
) -> tuple[tuple[MediaFile, ...], tuple[str, ...]]:
    """Return the files with these suffixes, and archives left closed.

    Those in zip archives are among them, unless the archive is a copy of files that lie beside it.
    """
    if root is None:
        return (), ()
    found: list[MediaFile] = []
    closed: list[str] = []
    for path in paths:
        name = f"{half}/{path.relative_to(root).as_posix()}"
        suffix = path.suffix.lower()
        if suffix in suffixes:
            found.append(MediaFile(name, path, None, path.stat().st_size))
        elif suffix == ".zip":
            try:
                found.extend(_members(path, name, suffixes))
            except (OSError, zipfile.BadZipFile):
                closed.append(name)
        elif suffix in PACKED:
            closed.append(name)
    loose = {(_ending(f), f.size) for f in found if f.member is None}
    kept = [f for f in found if f.member is None or (_ending(f), f.size) not in loose]
    return tuple(sorted(kept)), tuple(closed)


def _ending(file: MediaFile) -> tuple[str, str]:
    """Return the names of a file and its folder; an archive stands for a folder of its name."""
    *_, folder, name = ("", *PurePosixPath(file.name).parts)
    return folder.removesuffix(".zip"), name


def _members(path: Path, name: str, suffixes: frozenset[str]) -> Iterator[MediaFile]:
    with zipfile.ZipFile(path) as archive:
        for entry in archive.infolist()[:MAX_MEMBERS]:
            if PurePosixPath(entry.filename).suffix.lower() in suffixes:
                yield MediaFile(f"{name}/{entry.filename}", path, entry.filename, entry.file_size)


def _links(root: Path | None, suffixes: frozenset[str]) -> int:
    """Count links to files with these suffixes and to folders."""
    found = 0
    for folder, folders, names in os.walk(root) if root else ():
        likely = [n for n in names if PurePosixPath(n).suffix.lower() in suffixes]
        found += sum(Path(folder, name).is_symlink() for name in (*folders, *likely))
    return found


def _names_in(split: Split, part: str) -> frozenset[str]:
    """Return what the rows of a table may call files by; nothing where it is no table."""
    try:
        table = split.train if part == "train" else split.test
        asked = (*split.media, *split.key, *split.foreign_keys)
    except EvidenceUnavailableError:  # an archive of pictures may be called test.zip
        return frozenset()
    if table is None:
        return frozenset()
    names: set[str] = set()
    for column in dict.fromkeys(c for c in asked if c in table.frame.columns):
        values = table.frame[column].dropna().astype(str).unique()
        names.update(str(v).removeprefix("./").lower() for v in values)
    return frozenset(names - {""})


def _pattern(to: str) -> re.Pattern[str]:
    """Make a pattern of a path with columns in braces."""
    parts = re.split(r"\{\w+(?:\[\d+\])?\}", to)
    return re.compile("[^/]+".join(map(re.escape, parts)))


def _by_path(
    file: MediaFile,
    patterns: Sequence[tuple[str, re.Pattern[str]]],
    named: dict[str, frozenset[str]],
    *,
    with_words: bool = True,
) -> str | None:
    below = file.name.split("/", 1)[1]
    inner = file.member or below
    declared = {part for part, pattern in patterns if pattern.fullmatch(below)}
    declared |= {part for part, pattern in patterns if pattern.fullmatch(inner)}
    if len(declared) == 1:
        return declared.pop()
    paths = {inner.lower()[i + 1 :] for i, c in enumerate(f"/{inner}") if c == "/" and i >= 0}
    paths |= {inner.lower()}
    told = {part for part, names in named.items() if any("/" in p and p in names for p in paths)}
    if len(told) == 1:
        return told.pop()
    if not with_words:
        return None
    words = set(_WORDS.findall(below.lower()))
    is_train, is_test = bool(words & _TRAIN), bool(words & _TEST)
    if is_train == is_test:
        return None
    return "train" if is_train else "test"


def _by_name(file: MediaFile, named: dict[str, frozenset[str]]) -> str | None:
    path = PurePosixPath(file.name.lower())
    whole = {path.name, path.stem, path.name.removesuffix("".join(path.suffixes))}
    told = {part for part, names in named.items() if whole & names}
    return told.pop() if len(told) == 1 else None
