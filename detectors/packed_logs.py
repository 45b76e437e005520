"""Archives among an attempt's logs, as the logs in them: nothing is written, all is bounded.

Zip, tar, gzip, bzip2, xz and zstd are known by how they begin, and read as streams up to a number
of bytes. Links and special files are never followed; what was not read is told.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import sys
import tarfile
import zipfile
import zlib
from contextlib import suppress
from pathlib import PurePosixPath
from typing import IO, TYPE_CHECKING, Any, NamedTuple, cast

from competitions.archive import BoundedMember
from competitions.errors import UnsafeArchiveError
from detectors.text_file import TextFile, printable_name
from detectors.trajectories.source import PIECE, decoded
from detectors.trajectories.zip_members import members, text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


MAX_UNPACKED = 64 << 20  # bytes of all archives of an attempt together
MAX_MEMBERS = 2_000  # files of one archive that are looked at
MAX_DEPTH = 2  # archives within archives
MAX_NESTED = 16 << 20  # bytes of an archive within an archive, which is held in memory
MAX_WINDOW = 160 << 20  # bytes that unpacking xz may hold
MAX_TOLD = 20  # files of one archive that are told to be unread
_BEGINNINGS = (
    (b"PK\x03\x04", "zip"),
    (b"PK\x05\x06", "zip"),
    (b"\x1f\x8b", "gz"),
    (b"BZh", "bz2"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"\x28\xb5\x2f\xfd", "zst"),
)
_TAR_AT, _TAR = 257, b"ustar"
_SUFFIXES = re.compile(r"\.(?:zip|eval|gz|tgz|tar|bz2|tbz2?|xz|txz|zst|tzst)$", re.IGNORECASE)
_DATA = re.compile(  # of which nothing can be read as what was done
    r"\.(?:csv|tsv|parquet|feather|arrow|np[yz]|h5|hdf5|png|jpe?g|gif|svg|webp|tiff?|bmp|pdf|wav|mp3|"
    r"flac|mp4|pth?|ckpt|safetensors|onnx|gguf|joblib|pkl|pyc|so|whl|bin)$",
    re.IGNORECASE,
)
_ENCRYPTED = 0x1
_UNREADABLE = (
    *(zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, UnsafeArchiveError),
    *(EOFError, OSError, ValueError, RuntimeError, OverflowError, NotImplementedError),
)


class Unpacked(NamedTuple):
    """Logs, those of archives in the place of the archives, and what of these was not read."""

    files: tuple[TextFile, ...]
    unread: tuple[str, ...]


def unpacked(files: Iterable[TextFile]) -> Unpacked:
    """Put the logs within archives in the place of the archives.

    A file is an archive by its name and its beginning together; an evaluation of Inspect's is a log
    as it is. A log within one is called ``logs/a.tar.gz!run/agent.log``.
    """
    found: list[TextFile] = []
    reader = _Reader()
    for file in files:
        kind = _kind_of(file)
        if kind:
            before = len(reader.files)
            with_gap = reader.read_path(file, kind)
            found += reader.files[before:]
            reader.unread += [with_gap] if with_gap else []
        else:
            found.append(file)
    return Unpacked(tuple(found), tuple(reader.unread))


def _kind_of(file: TextFile) -> str:
    """Return what a file is packed with; empty for one that is no archive, or Inspect's."""
    if file.source is None or not _SUFFIXES.search(file.name):
        return ""
    try:
        with file.source.open("rb") as stream:
            kind = _begins_as(stream.read(_TAR_AT + len(_TAR)))
    except OSError:
        return ""
    if kind == "zip" and any(
        m.name == "header.json" or m.name.startswith(("samples/", "_journal/"))
        for m in members(file.source)
    ):
        return ""
    return kind


def _begins_as(head: bytes) -> str:
    kind = next((kind for magic, kind in _BEGINNINGS if head.startswith(magic)), "")
    return "tar" if not kind and head[_TAR_AT:] == _TAR else kind


class _Reader:
    """Reads archives one after the other, within one bound for all of them."""

    def __init__(self) -> None:
        self.left = MAX_UNPACKED
        self.files: list[TextFile] = []
        self.unread: list[str] = []

    def read_path(self, file: TextFile, kind: str) -> str:
        """Read an archive on disk; returns why it is not whole, or nothing."""
        assert file.source is not None  # noqa: S101 - `_kind_of` looked
        try:
            if kind == "zip":
                return self.zipped(file)
            with file.source.open("rb") as stream:
                return self.stream(file.name, stream, kind, 1)
        except _UNREADABLE as error:
            return f"{file.name} ({_said(error)})"

    def zipped(self, file: TextFile) -> str:
        """Read the members of a zip, also of one whose end is missing."""
        assert file.source is not None  # noqa: S101
        locked: set[str] = set()
        with suppress(*_UNREADABLE), zipfile.ZipFile(file.source) as archive:
            listed = archive.infolist()[:MAX_MEMBERS]
            locked = {i.filename for i in listed if i.flag_bits & _ENCRYPTED}
        found = members(file.source)
        for member in found[:MAX_MEMBERS]:
            name = f"{file.name}!{member.name}"
            if member.name.endswith("/") or _DATA.search(member.name):
                continue
            if member.name in locked:
                self.tell(name, "encrypted")
            elif _SUFFIXES.search(member.name):
                self.tell(name, "an archive within a zip")
            else:
                self.take(name, text_of(file.source, member))
        if not found:
            return f"{file.name} (no file in it can be found)"
        more = len(found) - MAX_MEMBERS
        return f"{file.name} ({more} more files)" if more > 0 else ""

    def stream(self, name: str, stream: IO[bytes], kind: str, depth: int) -> str:
        """Read a stream: its archive, or the one text that is packed in it."""
        if kind == "tar":
            return self.tarred(name, stream, depth)
        buffered = io.BufferedReader(cast("io.RawIOBase", _opened(stream, kind)), PIECE)
        head = buffered.peek(_TAR_AT + len(_TAR))[: _TAR_AT + len(_TAR)]
        inner = _begins_as(head)
        if inner == "tar":
            return self.tarred(name, buffered, depth)
        if inner:
            return f"{name} (packed more than once)"
        self.take(f"{name}!{PurePosixPath(_SUFFIXES.sub('', name)).name}", decoded(buffered))
        return ""

    def tarred(self, name: str, stream: IO[bytes], depth: int) -> str:
        """Read the members of a tar, one after the other."""
        number = 0
        with tarfile.open(fileobj=stream, mode="r|", tarinfo=BoundedMember) as archive:
            for number, member in enumerate(archive, start=1):
                if number > MAX_MEMBERS or self.left <= 0:
                    return f"{name} (more than is read of archives)"
                inner = f"{name}!{member.name}"
                if not member.isfile():
                    self.tell(inner, "a link or a special file") if not member.isdir() else None
                elif not _DATA.search(member.name):
                    content = archive.extractfile(member)
                    self.member(inner, cast("IO[bytes]", content), member.size, depth)
        return "" if number else f"{name} (no file in it can be found)"

    def member(self, name: str, content: IO[bytes], size: int, depth: int) -> None:
        """Read a file of a tar, which may be packed itself."""
        if not _SUFFIXES.search(name):
            self.take(name, decoded(content))
            return
        if depth >= MAX_DEPTH or size > MAX_NESTED:
            self.tell(name, "an archive within archives, or too large a one")
            return
        held = io.BytesIO(content.read(MAX_NESTED))
        kind = _begins_as(held.read(_TAR_AT + len(_TAR)))
        held.seek(0)
        if kind in {"", "zip"}:
            self.tell(name, "an archive within another")
            return
        gap = self.stream(name, held, kind, depth + 1)
        self.unread += [gap] if gap else []

    def take(self, name: str, parts: Iterator[str]) -> None:
        """Keep a text as far as the bound goes."""
        held: list[str] = []
        truncated = False
        try:
            for part in parts:
                if len(part) > self.left:
                    truncated = True
                    break
                held.append(part)
                self.left -= len(part)
        except _UNREADABLE as error:
            self.tell(name, _said(error))
        if held or truncated:
            shown = printable_name(
                name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
            )
            self.files.append(TextFile(shown, "".join(held), truncated))

    def tell(self, name: str, why: str) -> None:
        if len(self.unread) < MAX_TOLD:
            self.unread.append(f"{name.encode('utf-8', 'replace').decode()} ({why})")


class _Stream(io.RawIOBase):
    """What a packed stream unpacks to, streams behind one another too; it holds little."""

    def __init__(self, packed: IO[bytes], kind: str) -> None:
        self.packed = packed
        self.kind = kind
        self.unpacker = _unpacker(kind)
        self.ahead = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401 - any writable buffer
        data = b""
        while not data:
            if self.unpacker.eof:
                self.ahead = self.unpacker.unused_data or self.packed.read(PIECE)
                if not self.ahead.strip(b"\0"):
                    return 0
                self.unpacker = _unpacker(self.kind)
            needs = self.unpacker.needs_input and not self.ahead
            given = self.packed.read(PIECE) if needs else self.ahead
            if needs and not given:
                raise EOFError("its end is missing")
            self.ahead = b""
            data = self.unpacker.decompress(given, len(buffer))
        buffer[: len(data)] = data
        return len(data)


def _unpacker(kind: str) -> Any:  # noqa: ANN401 - each library has its own
    if kind == "bz2":
        return bz2.BZ2Decompressor()
    if kind == "xz":
        return lzma.LZMADecompressor(memlimit=MAX_WINDOW)
    if sys.version_info >= (3, 14):
        from compression.zstd import ZstdDecompressor
    else:
        from backports.zstd import ZstdDecompressor
    return ZstdDecompressor()


def _opened(stream: IO[bytes], kind: str) -> IO[bytes]:
    opened = gzip.GzipFile(fileobj=stream) if kind == "gz" else _Stream(stream, kind)
    return cast("IO[bytes]", opened)


def _said(error: BaseException) -> str:
    return str(error).splitlines()[0][:200] if str(error) else type(error).__name__
