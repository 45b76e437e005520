"""Bytes that code unpacks from its own literals, bounded: a short text may hold a large one."""

from __future__ import annotations

import base64
import bz2
import lzma
import zlib
from typing import TYPE_CHECKING, Any

from detectors.bounds import MAX_STRING

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_WINDOW = 32 << 20  # bytes that unpacking may hold
_IS_GZIP = 31  # for zlib: a gzip header stands before


def _by(make: Callable[[], Any]) -> Callable[..., bytes]:
    def unpack(value: bytes, *_: object) -> bytes:
        try:
            found: bytes = make().decompress(value, MAX_STRING)
        except (zlib.error, lzma.LZMAError, OSError, EOFError) as error:
            raise ValueError(str(error)) from error
        return found

    return unpack


UNPACKS: dict[str, Callable[..., bytes]] = {
    "zlib.decompress": _by(zlib.decompressobj),
    "gzip.decompress": _by(lambda: zlib.decompressobj(_IS_GZIP)),
    "bz2.decompress": _by(bz2.BZ2Decompressor),
    "lzma.decompress": _by(lambda: lzma.LZMADecompressor(memlimit=MAX_WINDOW)),
    **{
        f"{module}{decode.__name__}": decode
        for decode in (base64.b85decode, base64.a85decode, base64.b32decode, base64.b16decode)
        for module in ("base64.", "")
    },
}
