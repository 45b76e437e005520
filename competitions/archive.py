"""Unpack zip and 7z archives that strangers made: nothing outside the folder, no link, no flood.

Every entry is looked at before the first byte is written. Whoever calls unpacks into a folder that
is thrown away when something is wrong.
"""

from __future__ import annotations

import lzma
import stat
import struct
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING

from competitions.disk import require_room, size_text, telling_when_full
from competitions.errors import ArchiveError, MissingLibraryError, UnsafeArchiveError
from competitions.io import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    import py7zr

    Show = Callable[[int, int, str], None]

_BLOCK = 1 << 20
_MIB = 1 << 20
_ENCRYPTED = 0x1
_UNREADABLE = (
    zipfile.BadZipFile,  # CRC, headers, an end that is missing
    zlib.error,
    lzma.LZMAError,
    EOFError,
    struct.error,
    NotImplementedError,  # a compression that Python does not know
    ValueError,  # names that are no text
    OSError,  # bz2's word for broken data, and a disk that cannot be read
)
_LOOKS_LIKE = (
    (b"", "it is empty"),
    (b"PK\x03\x04", "its end is missing, as when a download was cut"),
    (b"7z\xbc\xaf\x27\x1c", "it is a 7z archive; unpack it by hand"),
    (b"\x1f\x8b", "it is a gzip file; unpack it by hand"),
    (b"BZh", "it is a bzip2 file; unpack it by hand"),
    (b"Rar!", "it is a rar archive; unpack it by hand"),
    (b"<", "it is a web page, as a login or an error page would be"),
)


@dataclass(frozen=True)
class Limits:
    """What an archive may ask for.

    Parameters
    ----------
    max_bytes : int
        All files together, unpacked.
    max_entries : int
        Files and folders; the largest Kaggle archives have a few million.
    max_ratio : int
        Unpacked to packed bytes of the whole; real data stay far below.
    ratio_from_bytes : int
        Archives that unpack to less may have any ratio.
    """

    max_bytes: int = 4 << 40
    max_entries: int = 20_000_000
    max_ratio: int = 200
    ratio_from_bytes: int = 1 << 30


def unpack(
    archive: Path, folder: Path, *, limits: Limits | None = None, show: Show | None = None
) -> None:
    """Unpack a zip or 7z archive into a folder; each file's CRC is compared on the way.

    Parameters
    ----------
    folder : Path
        Made when it is missing; files that lie there are never replaced.
    show : callable or None
        Told how many MiB are done, how many there are, and the archive's name.

    Raises
    ------
    UnsafeArchiveError
        When an entry is a link, leads outside or comes twice, or the whole is too much.
    ArchiveError
        When it is no such archive, encrypted, truncated, or a CRC differs.
    DiskFullError
        When the folder's disk has no room for it.
    MissingLibraryError
        For 7z without py7zr.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if archive.suffix == ".7z":
        _unpack_seven_zip(archive, folder, limits or Limits())
        return
    with _opened(archive) as opened:
        entries = _checked(archive, opened.infolist(), limits or Limits())
        total, done = sum(entry.file_size for entry in entries.values()), 0
        require_room(folder, total)
        with telling_when_full(folder, total):
            for path, entry in entries.items():
                target = folder / path
                if entry.is_dir():
                    target.mkdir(parents=True, exist_ok=True)
                    continue
                for block in _written(target, archive, opened, entry):
                    done += len(block)
                    if show is not None:
                        show(done // _MIB, total // _MIB, f"{archive.name}: MiB unpacked")


def _unpack_seven_zip(archive: Path, folder: Path, limits: Limits) -> None:
    """Unpack a 7z archive after the same looks at its entries; py7zr compares CRCs."""
    try:
        import py7zr
    except ImportError as error:
        raise MissingLibraryError("py7zr", f"{archive.name} cannot be unpacked") from error
    try:
        with py7zr.SevenZipFile(archive) as opened:
            if opened.needs_password():
                raise ArchiveError(f"{archive} is encrypted.", "Unpack it by hand.")
            entries = [_as_zip_entry(entry) for entry in opened.list()]
            checked = _checked(archive, entries, limits)
            require_room(folder, sum(entry.file_size for entry in entries))
            if taken := [p for p, e in checked.items() if not e.is_dir() and (folder / p).exists()]:
                raise UnsafeArchiveError(f"{archive} would replace {folder / taken[0]}.")
            with telling_when_full(folder):
                opened.extractall(folder)
    except (py7zr.exceptions.ArchiveError, *_UNREADABLE) as error:
        said = printable(" ".join(str(error).split()))[:200]
        raise ArchiveError(f"{archive} cannot be read as a 7z archive: {said}") from error


def _as_zip_entry(entry: py7zr.FileInfo) -> zipfile.ZipInfo:
    """Describe an entry of a 7z archive as one of a zip, so that one set of looks does for both."""
    found = zipfile.ZipInfo(entry.filename + "/" * entry.is_directory)
    found.orig_filename = found.filename
    found.file_size = entry.uncompressed
    if not (entry.is_file or entry.is_directory):
        found.external_attr = stat.S_IFLNK << 16
    return found


def unpack_inner(folder: Path, wanted: Iterable[str], *, limits: Limits | None = None) -> None:
    """Unpack archives within `folder` for wanted paths that are not there: `train.csv.zip` and so.

    Kaggle packs single files (``train.csv.zip``) and whole folders (``train.zip`` for ``train/…``).
    An archive whose entries begin with its own name is unpacked beside itself, any other into a
    folder of that name.

    Raises
    ------
    ArchiveError
        See `unpack`.
    """
    for path in map(PurePosixPath, wanted):
        for ancestor in (path, *path.parents[:-1]):
            inner = folder / f"{ancestor}.zip"
            if (folder / path).exists() or not inner.is_file():
                continue
            beside = _begins_with(inner, ancestor.name)
            unpack(inner, inner.parent if beside else folder / ancestor, limits=limits)


def _begins_with(archive: Path, name: str) -> bool:
    with _opened(archive) as opened:
        return any(PurePosixPath(n).parts[:1] == (name,) for n in opened.namelist())


def _opened(archive: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(archive)
    except FileNotFoundError:
        raise
    except _UNREADABLE as error:
        with archive.open("rb") as stream:
            head = stream.read(8).lstrip()
        guess = next((said for magic, said in _LOOKS_LIKE if _is(head, magic)), "it is none")
        raise ArchiveError(f"{archive} cannot be read as a zip archive: {guess}.") from error


def _is(head: bytes, magic: bytes) -> bool:
    return head.startswith(magic) if magic else not head


def _checked(
    archive: Path, entries: list[zipfile.ZipInfo], limits: Limits
) -> dict[PurePosixPath, zipfile.ZipInfo]:
    """Return the entries by their safe relative path."""
    total = sum(entry.file_size for entry in entries)
    packed = max(archive.stat().st_size, 1)
    if len(entries) > limits.max_entries:
        raise UnsafeArchiveError(
            f"{archive} has {len(entries)} entries, expected at most {limits.max_entries}."
        )
    if total > limits.max_bytes or (
        total > limits.ratio_from_bytes and total > limits.max_ratio * packed
    ):
        raise UnsafeArchiveError(
            f"{archive} of {size_text(packed)} would unpack to {size_text(total)}: "
            f"expected at most {size_text(limits.max_bytes)} and {limits.max_ratio} times its size."
        )
    paths: dict[PurePosixPath, zipfile.ZipInfo] = {}
    for entry in entries:
        path = _safe_path(archive, entry)
        if path in paths:
            raise UnsafeArchiveError(f"{_place(archive, entry)} comes twice.")
        paths[path] = entry
    for path, entry in paths.items():
        if any(parent in paths and not paths[parent].is_dir() for parent in path.parents):
            raise UnsafeArchiveError(f"{_place(archive, entry)} lies below a file.")
    return paths


def _safe_path(archive: Path, entry: zipfile.ZipInfo) -> PurePosixPath:
    mode = stat.S_IFMT(entry.external_attr >> 16)
    if mode not in {0, stat.S_IFREG, stat.S_IFDIR}:
        raise UnsafeArchiveError(f"{_place(archive, entry)} is a link or a special file.")
    if entry.flag_bits & _ENCRYPTED:
        raise ArchiveError(f"{_place(archive, entry)} is encrypted.", "Unpack it by hand.")
    name = entry.orig_filename
    path = PurePosixPath(name)
    outside = path.is_absolute() or ".." in path.parts or PureWindowsPath(name).drive
    if outside or "\\" in name or "\0" in name or not path.parts:
        raise UnsafeArchiveError(f"{_place(archive, entry)} leads outside the archive's folder.")
    return path


def _place(archive: Path, entry: zipfile.ZipInfo) -> str:
    return f"{archive}: the entry {printable(entry.orig_filename)[:200]!r}"


def _written(
    target: Path, archive: Path, opened: zipfile.ZipFile, entry: zipfile.ZipInfo
) -> Iterator[bytes]:
    """Write an entry into a new file, block by block, and yield what was written."""
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        stream = target.open("xb")
    except FileExistsError as error:
        raise UnsafeArchiveError(f"{_place(archive, entry)} would replace {target}.") from error
    with stream:
        for block in _content(archive, opened, entry):
            stream.write(block)
            yield block


def _content(archive: Path, opened: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Iterator[bytes]:
    """Yield an entry's bytes; the last read compares their CRC."""
    try:
        with opened.open(entry) as stream:
            while block := stream.read(_BLOCK):
                yield block
    except _UNREADABLE as error:
        said = printable(" ".join(str(error).split()))[:200]
        raise ArchiveError(f"{_place(archive, entry)} is broken: {said}") from error
