"""Unpack zip, 7z and tar archives that strangers made: nothing outside, no link, no flood.

Every entry is looked at before the first byte is written. Whoever calls unpacks into a folder that
is thrown away when something is wrong.
"""

from __future__ import annotations

import contextlib
import gzip
import lzma
import stat
import struct
import tarfile
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING, cast

from competitions.disk import require_room, size_text, telling_when_full
from competitions.errors import ArchiveError, MissingLibraryError, UnsafeArchiveError
from competitions.io import printable, said_by

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path
    from typing import IO, Self

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
    tarfile.TarError,
    OSError,  # bz2's word for broken data, and a disk that cannot be read
)
_GZIP = b"\x1f\x8b"
_DESCRIBING = {  # entries of a tar archive that tell of the next one, and are read into memory
    *(tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE),
    *(tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK),
}
_LOOKS_LIKE = (
    (b"", "it is empty"),
    (b"PK\x03\x04", "its end is missing, as when a download was cut"),
    (b"7z\xbc\xaf\x27\x1c", "it is a 7z archive; unpack it by hand"),
    (_GZIP, "it is a gzip file; unpack it by hand"),
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
    """Unpack a zip, 7z or tar archive, gzipped or not, into a folder.

    CRCs are compared on the way, but for tar, which has none; that of gzip is.

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
    if archive.suffix in {".tar", ".tgz"} or archive.name.endswith(".tar.gz"):
        _unpack_tar(archive, folder, limits or Limits())
        return
    with _opened(archive) as opened:
        entries = _checked(archive, opened.infolist(), limits or Limits())
        total, done = sum(entry.file_size for entry in entries.values()), 0
        require_room(folder, total)
        with telling_when_full(folder, total):
            for path, entry in entries.items():
                target = folder / path
                if entry.filename.endswith("/"):
                    target.mkdir(parents=True, exist_ok=True)
                    continue
                for block in _written(target, archive, entry, _content(archive, opened, entry)):
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
                opened.extractall(folder)  # noqa: S202 - py7zr's, and looked at
    except (py7zr.exceptions.ArchiveError, *_UNREADABLE) as error:
        said = said_by(error)
        raise ArchiveError(f"{archive} cannot be read as a 7z archive: {said}") from error


def _as_zip_entry(entry: py7zr.FileInfo) -> zipfile.ZipInfo:
    """Describe an entry of a 7z archive as one of a zip, so that one set of looks does for both."""
    found = zipfile.ZipInfo(entry.filename + "/" * entry.is_directory)
    found.orig_filename = found.filename
    found.file_size = entry.uncompressed
    if not (entry.is_file or entry.is_directory):
        found.external_attr = stat.S_IFLNK << 16
    return found


class BoundedMember(tarfile.TarInfo):
    """An entry of a tar archive; what describes one may not be large."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        """See `tarfile.TarInfo.frombuf`.

        Raises
        ------
        UnsafeArchiveError
            When what describes the next entry is larger than 1 MiB.
        """
        found = super().frombuf(buf, encoding, errors)
        if found.type in _DESCRIBING and found.size > _BLOCK:
            raise UnsafeArchiveError(f"An entry's name takes {size_text(found.size)}.")
        return found


@contextlib.contextmanager
def _opened_tar(archive: Path) -> Iterator[tarfile.TarFile]:
    """Open a tar archive as a stream; once it is read, what is behind its last entry is looked at.

    tarfile takes a header that it cannot read for the end.
    """
    try:
        with archive.open("rb") as packed:
            is_gzip = packed.read(len(_GZIP)) == _GZIP
            packed.seek(0)
            stream = gzip.GzipFile(fileobj=packed) if is_gzip else packed
            with tarfile.open(
                fileobj=cast("IO[bytes]", stream),
                mode="r|",
                bufsize=_BLOCK,
                tarinfo=BoundedMember,
                errors="strict",
            ) as opened:
                yield opened
                rest = cast("IO[bytes]", opened.fileobj).read(_BLOCK)
                if not 0 < len(rest) < _BLOCK or rest.strip(b"\0"):
                    raise tarfile.ReadError("its end is missing, or an entry is broken")
    except FileNotFoundError:
        raise
    except _UNREADABLE as error:
        raise ArchiveError(
            f"{archive} cannot be read as a tar archive: {said_by(error)}"
        ) from error


def _unpack_tar(archive: Path, folder: Path, limits: Limits) -> None:
    """Unpack a tar archive after the same looks at its entries, for which it is read twice."""
    found: list[zipfile.ZipInfo] = []
    total = 0
    with _opened_tar(archive) as opened:
        for member in opened:  # before its content is read over
            found.append(_of_tar(member))
            total += member.size
            _refuse_too_much(archive, len(found), total, limits)
    entries = _checked(archive, found, limits)
    require_room(folder, total)
    with telling_when_full(folder, total), _opened_tar(archive) as opened:
        for member in opened:
            path = PurePosixPath(member.name)
            content = opened.extractfile(member)
            if content is None:
                (folder / path).mkdir(parents=True, exist_ok=True)
                continue
            for _ in _written(folder / path, archive, entries[path], _blocks(content)):
                pass


def _of_tar(member: tarfile.TarInfo) -> zipfile.ZipInfo:
    found = zipfile.ZipInfo()
    found.filename = found.orig_filename = member.name + "/" * member.isdir()
    found.file_size = member.size
    if member.issparse() or not (member.isfile() or member.isdir()):
        found.external_attr = stat.S_IFLNK << 16
    return found


def _blocks(stream: IO[bytes]) -> Iterator[bytes]:
    while block := stream.read(_BLOCK):
        yield block


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
    _refuse_too_much(archive, len(entries), sum(entry.file_size for entry in entries), limits)
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


def _refuse_too_much(archive: Path, n_entries: int, total: int, limits: Limits) -> None:
    packed = max(archive.stat().st_size, 1)
    if n_entries > limits.max_entries:
        raise UnsafeArchiveError(
            f"{archive} has {n_entries} entries, expected at most {limits.max_entries}."
        )
    if total > limits.max_bytes or (
        total > limits.ratio_from_bytes and total > limits.max_ratio * packed
    ):
        raise UnsafeArchiveError(
            f"{archive} of {size_text(packed)} would unpack to {size_text(total)}: "
            f"expected at most {size_text(limits.max_bytes)} and {limits.max_ratio} times its size."
        )


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
    target: Path, archive: Path, entry: zipfile.ZipInfo, content: Iterable[bytes]
) -> Iterator[bytes]:
    """Write an entry into a new file, block by block, and yield what was written."""
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        stream = target.open("xb")
    except FileExistsError as error:
        raise UnsafeArchiveError(f"{_place(archive, entry)} would replace {target}.") from error
    with stream:
        for block in content:
            stream.write(block)
            yield block


def _content(archive: Path, opened: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Iterator[bytes]:
    """Yield an entry's bytes; the last read compares their CRC."""
    try:
        with opened.open(entry) as stream:
            yield from _blocks(stream)
    except _UNREADABLE as error:
        raise ArchiveError(f"{_place(archive, entry)} is broken: {said_by(error)}") from error
