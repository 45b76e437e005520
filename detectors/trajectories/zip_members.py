"""Members of a zip as text in pieces, also of one whose end is missing."""

from __future__ import annotations

import struct
import sys
import zipfile
import zlib
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from detectors.trajectories.source import PIECE, decoded

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MAX_MEMBER = 4 << 30  # bytes of one member, unpacked, that are read
MAX_MEMBERS = 100_000
_LOCAL = struct.Struct("<4s5H3I2H")
MAGIC = b"PK\x03\x04"
_STORED, _DEFLATED, _ZSTD = 0, 8, 93


class Member(NamedTuple):
    """One file of an archive, known by where it begins."""

    name: str
    offset: int  # of its packed bytes
    method: int
    packed: int  # bytes; 0 when its header does not know


def members(path: Path) -> list[Member]:
    """List an archive's members: by its directory, or header by header where that is missing."""
    with suppress(OSError, ValueError, zipfile.BadZipFile), zipfile.ZipFile(path) as archive:
        infos = archive.infolist()[:MAX_MEMBERS]
        with path.open("rb") as stream:
            return [m for i in infos if (m := _at(stream, i.header_offset, i.compress_size))]
    with suppress(OSError), path.open("rb") as stream:
        return list(_salvaged(stream))
    return []


def text_of(path: Path, member: Member) -> Iterator[str]:
    """Yield a member's text in pieces, as far as it can be unpacked."""
    try:
        with path.open("rb") as stream:
            stream.seek(member.offset)
            yield from decoded(_Unpacked(stream, member))  # type: ignore[arg-type]
    except OSError:
        return


def _at(stream: IO[bytes], offset: int, packed: int = 0) -> Member | None:
    """Read the header of one member."""
    stream.seek(offset)
    header = stream.read(_LOCAL.size)
    if len(header) < _LOCAL.size or header[:4] != MAGIC:
        return None
    *_, method, _time, _date, _crc, size, _whole, name_size, extra_size = _LOCAL.unpack(header)
    name = stream.read(name_size).decode("utf-8", "replace")
    return Member(name, stream.tell() + extra_size, method, packed or size)


def _salvaged(stream: IO[bytes]) -> Iterator[Member]:
    """Find members one after another, each behind the end of the packed bytes of the last."""
    offset = 0
    for _ in range(MAX_MEMBERS):
        member = _at(stream, offset)
        if member is None:
            return
        yield member
        stream.seek(member.offset)
        unpacked = _Unpacked(stream, member)
        while unpacked.read(PIECE):
            pass
        offset = _next_header(stream, unpacked.end)


def _next_header(stream: IO[bytes], end: int) -> int:
    """Return where the next header is; a note of sizes may stand before it."""
    stream.seek(end)
    return end + max(0, stream.read(64).find(MAGIC))


class _Unpacked:
    """The unpacked bytes of a member; broken ones end it."""

    def __init__(self, stream: IO[bytes], member: Member) -> None:
        self.stream = stream
        self.left = member.packed if member.method == _STORED or member.packed else None
        self.unpacker = _unpacker(member.method)
        self.is_stored = member.method == _STORED
        self.end = member.offset
        self.given = 0
        self.ahead = b""

    def read(self, _size: int) -> bytes:
        """Return some bytes, none at the end."""
        while self.given < MAX_MEMBER:
            if self.unpacker is not None and self.unpacker.eof:
                return b""
            data = self._packed()
            found = data if self.is_stored else self._unpack(data)
            self.given += len(found)
            if found or not (data or self.ahead):
                return found
        return b""

    def _packed(self) -> bytes:
        if self.ahead:
            return b""
        size = PIECE if self.left is None else min(PIECE, self.left)
        data = self.stream.read(size)
        self.left = None if self.left is None else self.left - len(data)
        self.end += len(data)
        return data

    def _unpack(self, data: bytes) -> bytes:
        """Unpack at most some bytes, and keep the rest of what is packed."""
        if self.unpacker is None:
            return b""
        try:
            found: bytes = self.unpacker.decompress(self.ahead + data, PIECE * 4)
        except Exception:  # noqa: BLE001 - each library has its own for broken bytes
            self.unpacker, self.ahead = None, b""
            return b""
        self.ahead = getattr(self.unpacker, "unconsumed_tail", b"")
        if self.unpacker.eof:
            self.end -= len(self.unpacker.unused_data)
            self.ahead = b""
        return found


def _unpacker(method: int) -> Any:  # noqa: ANN401 - zlib's and zstd's have no common type
    if method == _DEFLATED:
        return zlib.decompressobj(-zlib.MAX_WBITS)
    if method == _ZSTD:
        if sys.version_info >= (3, 14):
            from compression.zstd import ZstdDecompressor
        else:
            from backports.zstd import ZstdDecompressor
        return ZstdDecompressor()
    return None
