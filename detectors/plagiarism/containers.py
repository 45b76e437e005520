"""Files of folders and zip archives of strangers, one after the other, bounded.

Nothing is written to disk and no link is followed, so a name that leads outside an archive can do
no harm; it is refused all the same, as is what is encrypted or comes twice.
"""

from __future__ import annotations

import io
import lzma
import stat
import struct
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import PurePosixPath, PureWindowsPath
from typing import IO, TYPE_CHECKING, NamedTuple, Protocol

from competitions.io import printable, walk_files
from detectors.plagiarism.decoding import MAX_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator
    from pathlib import Path

    IsWanted = Callable[[str], bool]

# What no author of a solution wrote there: version control, caches, installed packages.
LEFT_OUT = frozenset(
    {".git", ".hg", ".svn", "__pycache__", "__MACOSX", ".ipynb_checkpoints"}
    | {"node_modules", "site-packages"}
)
_MAX_NESTED = 3  # archives within archives
_MAX_LISTING = 128 << 20  # bytes of a zip's list of entries: about two million of them
_MAX_RATIO, _RATIO_FROM = 200, 1 << 30  # unpacked to packed bytes, once there are so many
_END = (b"PK\x05\x06", "<I", 12)  # signature, form and place of the listing's size
_END_64 = (b"PK\x06\x06", "<Q", 40)
_TAIL = (1 << 16) + 128  # bytes at the end of a zip within which its ends lie
_ENCRYPTED = 0x1
_ZIP_MAGIC = b"PK\x03\x04"
_UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    NotImplementedError,  # a compression that Python does not know
    RuntimeError,  # a password is needed
    OverflowError,
    ValueError,
    OSError,
)


class Unread(NamedTuple):
    """A file that is there and could not be read, and why."""

    name: str
    why: str


class Container(Protocol):
    """A folder or an archive."""

    def read(self, inner: str, most: int) -> bytes | None:
        """Return a file's bytes, at most so many; None when there is no such file."""


class Found(NamedTuple):
    """A file's name below its source, its bytes, and where it lies.

    Parameters
    ----------
    inner : str
        Its path within the container, as the container writes it.
    """

    name: str
    content: bytes
    inner: str
    container: Container


@dataclass(frozen=True)
class Folder:
    """A folder as a container."""

    path: Path

    def read(self, inner: str, most: int) -> bytes | None:
        """See `Container.read`."""
        path = self.path / inner
        try:
            if path.is_symlink() or not path.is_file():
                return None
            with path.open("rb") as stream:
                return stream.read(most)
        except (OSError, ValueError):
            return None


@dataclass(frozen=True)
class Zip:
    """An open zip as a container; only what its listing says without tricks is in it."""

    opened: zipfile.ZipFile
    entries: dict[str, zipfile.ZipInfo]

    def read(self, inner: str, most: int) -> bytes | None:
        """See `Container.read`."""
        try:
            return self.content(inner, most) if inner in self.entries else None
        except _UNREADABLE:
            return None

    def content(self, inner: str, most: int) -> bytes:
        """Return an entry's bytes, at most so many; its CRC is compared when it is read whole."""
        with self.opened.open(self.entries[inner]) as stream:
            return stream.read(most)


def files_below(
    source: Path, is_wanted: IsWanted, only: Collection[Path] | None = None
) -> Iterator[Found | Unread]:
    """Yield the wanted files of a folder or zip and of the zips in it, in the order of names.

    Parameters
    ----------
    is_wanted : callable
        Asked about each path in a folder or zip; a source that is one file is always wanted.
    only : collection of Path or None
        Files below a folder to look at, instead of all.
    """
    if not source.is_dir():
        with_head = _is_zip(source.name) or _begins_as_zip(source)
        yield from _file(Folder(source.parent), source, source.name, is_wanted, is_zip=with_head)
        return
    unread: list[Unread] = []

    def note(error: OSError) -> None:
        unread.append(Unread(_shown(str(error.filename or source)), _said(error)))

    folder = Folder(source)
    for path in walk_files(source, note) if only is None else only:
        below = path.relative_to(source)
        inner, is_zip = below.as_posix(), _is_zip(below.name)
        if (is_zip or is_wanted(inner)) and LEFT_OUT.isdisjoint(below.parts[:-1]):
            yield from _file(folder, path, inner, is_wanted, is_zip=is_zip)
    yield from unread


def _begins_as_zip(path: Path) -> bool:
    head = Folder(path.parent).read(path.name, len(_ZIP_MAGIC))
    return head == _ZIP_MAGIC


def _is_zip(name: str) -> bool:
    return name.lower().endswith(".zip")


def _shown(name: str) -> str:
    if name.isprintable():
        return name
    from detectors.text_file import printable_name

    return printable(printable_name(name))


def _said(error: BaseException) -> str:
    words = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return printable(" ".join(words.split()))[:200] or type(error).__name__


def _file(
    folder: Folder, path: Path, inner: str, is_wanted: IsWanted, *, is_zip: bool
) -> Iterator[Found | Unread]:
    """Yield one file, or what a zip holds."""
    name = _shown(inner)
    try:
        if not path.is_file():
            yield Unread(name, "no plain file")
            return
        with path.open("rb") as stream:
            if is_zip:
                most = max(_RATIO_FROM, _MAX_RATIO * path.stat().st_size)
                yield from _members(stream, name, _Reading(is_wanted, most))
                return
            content = stream.read(MAX_BYTES + 1)
    except OSError as error:
        yield Unread(name, _said(error))
        return
    yield Found(name, content, inner, folder)


@dataclass
class _Reading:
    """What is wanted of an archive, and how many bytes may still come out of it."""

    is_wanted: IsWanted
    left: int
    nested: int = 0


def _members(stream: IO[bytes], name: str, reading: _Reading) -> Iterator[Found | Unread]:
    """Yield a zip's wanted files by name; those of zips in it too."""
    try:
        if _listing_size(stream) > _MAX_LISTING:
            yield Unread(name, "it lists more files than are read from one archive")
            return
        opened = zipfile.ZipFile(stream)
    except _UNREADABLE as error:
        yield Unread(name, f"no zip that can be read: {_said(error)}")
        return
    with opened:
        archive, refused = _listed(opened)
        for inner, why in sorted([*((inner, "") for inner in archive.entries), *refused]):
            if not (_is_zip(inner) or reading.is_wanted(inner)):
                continue
            shown = f"{name}!{_shown(inner)}"
            if reading.left <= 0:
                yield Unread(shown, "the archive unpacks to more than is read from one")
                return
            if why:
                yield Unread(shown, why)
            else:
                yield from _member(archive, inner, shown, reading)


def _listing_size(stream: IO[bytes]) -> int:
    """Return how many bytes a zip's list of entries claims; it is read into memory whole."""
    size = stream.seek(0, io.SEEK_END)
    stream.seek(max(0, size - _TAIL))
    tail = stream.read()
    stream.seek(0)
    claims = [0]
    for signature, form, place in (_END, _END_64):
        at = tail.rfind(signature)
        if at >= 0 and len(tail) >= at + place + struct.calcsize(form):
            claims.append(struct.unpack_from(form, tail, at + place)[0])
    return min(max(claims), size)


def _listed(opened: zipfile.ZipFile) -> tuple[Zip, list[tuple[str, str]]]:
    """Return the entries that may be read, and why the others may not."""
    entries: dict[str, zipfile.ZipInfo] = {}
    refused: list[tuple[str, str]] = []
    for entry in opened.infolist():
        inner = entry.orig_filename.replace("\\", "/")
        path = PurePosixPath(inner)
        mode = stat.S_IFMT(entry.external_attr >> 16)
        if entry.filename.endswith("/") or not LEFT_OUT.isdisjoint(path.parts[:-1]):
            continue
        if (
            path.is_absolute()
            or ".." in path.parts
            or PureWindowsPath(inner).drive
            or "\0" in inner
        ):
            refused.append((inner, "its name leads outside the archive"))
        elif mode not in {0, stat.S_IFREG}:
            refused.append((inner, "a link or a special file"))
        elif entry.flag_bits & _ENCRYPTED:
            refused.append((inner, "encrypted"))
        elif inner in entries:
            refused.append((inner, "its name comes twice"))
        else:
            entries[inner] = entry
    return Zip(opened, entries), refused


def _member(archive: Zip, inner: str, shown: str, reading: _Reading) -> Iterator[Found | Unread]:
    """Yield one entry, or what a zip within the zip holds."""
    try:
        content = archive.content(inner, min(MAX_BYTES + 1, reading.left))
    except _UNREADABLE as error:
        yield Unread(shown, f"broken: {_said(error)}")
        return
    reading.left -= len(content)
    if not _is_zip(inner):
        yield Found(shown, content, inner, archive)
    elif len(content) > MAX_BYTES:
        yield Unread(shown, f"an archive of more than {MAX_BYTES >> 20} MiB within an archive")
    elif reading.nested >= _MAX_NESTED:
        yield Unread(shown, "archives within archives too deep")
    else:
        reading.nested += 1
        yield from _members(io.BytesIO(content), shown, reading)
        reading.nested -= 1
