"""Go through public files and what is packed in them, without ever taking more than is bounded."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
import zlib
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from competitions.io import said_by
from detectors.leakage.containers_parsed import SUFFIXES, UnreadableError, parsed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from detectors.leakage.containers_parsed import Parsed

MAX_DEPTH = 3  # archives within archives
MAX_MEMBERS = 200_000  # of one archive
PICTURES = frozenset({".png", ".tif", ".tiff", ".gif", ".bmp", ".pgm"})  # that may be masks
# Kinds that are known to hold data and are never opened: loading some of them runs their code.
CLOSED = frozenset(
    {".pkl", ".pickle", ".joblib", ".pt", ".pth", ".rds", ".rdata", ".sav", ".sqlite", ".db"}
    | {".bson", ".lmdb", ".rar", ".xlsx", ".xls", ".dill"}
)
_ARCHIVES = (".zip", ".tar", ".tgz", ".tar.gz", ".gz", ".7z")
_BROKEN = (
    *(OSError, ValueError, EOFError, RuntimeError, NotImplementedError, KeyError),
    *(zipfile.BadZipFile, tarfile.TarError, zlib.error),
)


class Content(NamedTuple):
    """A file, or a member of an archive.

    Parameters
    ----------
    name : str
        As a report calls it, below the public folder.
    size : int
        Bytes, as far as somebody says.
    read : callable
        Returns all of its bytes; only while it is the latest one that was given.
    path : Path or None
        Where it is a file on disk.
    """

    name: str
    size: int
    read: Callable[[], bytes]
    path: Path | None = None


@dataclass
class Bounds:
    """What may be read, how much of it was, and what was passed over.

    Parameters
    ----------
    of_file, of_all : int
        Bytes of one file once unpacked, and of all together.
    skipped : dict of str to str
        Names of files that could not be looked at, with the reason; the first thousand.
    n_skipped : int
        How many there are.
    """

    of_file: int
    of_all: int
    skipped: dict[str, str] = field(default_factory=dict)
    n_skipped: int = 0
    n_read: int = 0
    n_bytes: int = 0

    def skip(self, name: str, why: str) -> None:
        """Note a file that is not looked at."""
        self.n_skipped += 1
        if len(self.skipped) < 1000:  # noqa: PLR2004
            self.skipped[name] = why

    def all_of(self, stream: IO[bytes]) -> bytes:
        """Return what a stream holds.

        Raises
        ------
        ValueError
            When it is more than may be read.
        """
        content = stream.read(self.of_file + 1)
        self.n_bytes += len(content)
        if len(content) > self.of_file:
            raise ValueError(f"it has more than {self.of_file >> 20} MiB")
        if self.n_bytes > self.of_all:
            raise ValueError(f"more than {self.of_all >> 20} MiB were read of other files")
        return content

    def parse(self, content: Content) -> Parsed | None:
        """Read and parse a file; None where that fails, which is noted."""
        try:
            found = parsed(content.name, content.read())
        except (UnreadableError, *_BROKEN) as error:
            self.skip(content.name, said_by(error))
            return None
        self.n_read += 1
        return found


def contents_of(paths: Iterable[Path], root: Path, bounds: Bounds) -> Iterator[Content]:
    """Yield files that can be parsed, on disk and in archives; others are noted or passed over."""
    for path in paths:
        name = path.relative_to(root).as_posix()
        try:
            size = path.stat().st_size
        except OSError as error:
            bounds.skip(name, said_by(error))
            continue
        yield from _of(Content(name, size, _reader(path, bounds), path), bounds, 0)


def _reader(path: Path, bounds: Bounds) -> Callable[[], bytes]:
    def read() -> bytes:
        with path.open("rb") as stream:
            return bounds.all_of(stream)

    return read


def _of(content: Content, bounds: Bounds, depth: int) -> Iterator[Content]:
    lower = content.name.lower()
    suffix = PurePosixPath(lower).suffix
    if lower.endswith(_ARCHIVES):
        if depth >= MAX_DEPTH:
            bounds.skip(content.name, "archives are nested too deeply")
            return
        try:
            yield from _members(content, bounds, depth)
        except _BROKEN as error:
            bounds.skip(content.name, said_by(error))
    elif suffix in CLOSED:
        bounds.skip(content.name, f"files {suffix} are not opened")
    elif suffix in SUFFIXES or suffix in PICTURES:
        if content.size > bounds.of_file:
            bounds.skip(content.name, f"it has more than {bounds.of_file >> 20} MiB")
        else:
            yield content


def _members(content: Content, bounds: Bounds, depth: int) -> Iterator[Content]:
    lower = content.name.lower()
    if lower.endswith(".zip"):
        yield from _of_zip(content, bounds, depth)
    elif lower.endswith((".tar", ".tgz", ".tar.gz")):
        yield from _of_tar(content, bounds, depth)
    elif lower.endswith(".7z"):
        yield from _of_seven_zip(content, bounds, depth)
    else:
        inner = f"{content.name}/{PurePosixPath(content.name).stem}"

        def unpacked() -> bytes:
            with gzip.open(_source(content), "rb") as stream:
                return bounds.all_of(stream)  # type: ignore[arg-type]

        yield from _of(Content(inner, content.size, unpacked), bounds, depth + 1)


def _source(content: Content) -> Path | io.BytesIO:
    """Return what an archive is opened by: its path, or its bytes where it lies in another."""
    return content.path or io.BytesIO(content.read())


def _of_zip(content: Content, bounds: Bounds, depth: int) -> Iterator[Content]:
    with zipfile.ZipFile(_source(content)) as archive:
        for entry in archive.infolist()[:MAX_MEMBERS]:
            if entry.filename.endswith("/"):
                continue

            def read(member: zipfile.ZipInfo = entry) -> bytes:
                with archive.open(member) as stream:
                    return bounds.all_of(stream)

            name = f"{content.name}/{entry.filename}"
            yield from _of(Content(name, entry.file_size, read), bounds, depth + 1)


def _of_tar(content: Content, bounds: Bounds, depth: int) -> Iterator[Content]:
    source = _source(content)
    given = {"name": source} if content.path else {"fileobj": source}
    with tarfile.open(**given, mode="r:*") as archive:  # type: ignore[call-overload]
        n_bytes = 0
        for n, entry in enumerate(archive):
            n_bytes += entry.size
            if n >= MAX_MEMBERS or n_bytes > 64 * bounds.of_file:
                bounds.skip(content.name, "it has more members than are gone through")
                return
            if not entry.isfile():
                continue

            def read(member: tarfile.TarInfo = entry) -> bytes:
                stream = archive.extractfile(member)
                return b"" if stream is None else bounds.all_of(stream)

            yield from _of(
                Content(f"{content.name}/{entry.name}", entry.size, read), bounds, depth + 1
            )


def _of_seven_zip(content: Content, bounds: Bounds, depth: int) -> Iterator[Content]:
    """Unpack a whole 7z archive into memory, where it says that it is not too much."""
    try:
        import py7zr
    except ImportError:
        bounds.skip(content.name, "py7zr is not installed")
        return
    try:
        with py7zr.SevenZipFile(_source(content)) as archive:
            total = sum(entry.uncompressed for entry in archive.list())
            if total > bounds.of_file or len(archive.list()) > MAX_MEMBERS:
                raise ValueError(f"it unpacks to more than {bounds.of_file >> 20} MiB")
            factory = py7zr.io.BytesIOFactory(bounds.of_file)
            archive.extractall(factory=factory)  # noqa: S202 - into memory, and bounded
    except py7zr.exceptions.ArchiveError as error:
        raise ValueError(said_by(error)) from error
    for name, stream in factory.products.items():

        def read(opened: Any = stream) -> bytes:  # noqa: ANN401 - py7zr has no types
            opened.seek(0)
            return bounds.all_of(opened)

        yield from _of(Content(f"{content.name}/{name}", stream.size(), read), bounds, depth + 1)
