"""Bytes that code unpacks from its own literals, bounded: a short text may hold a large one."""

from __future__ import annotations

import base64
import bz2
import codecs
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


def decode(value: str | bytes, encoding: str = "utf-8") -> str | bytes:
    """Decode bytes, or a text in hexadecimal or shifted by 13.

    Raises
    ------
    ValueError
        For other encodings.
    """
    if isinstance(value, bytes) and encoding.replace("-", "").lower() in {
        "utf8",
        "ascii",
        "latin1",
    }:
        return value.decode(encoding, "replace")
    if isinstance(value, str) and encoding in {"rot13", "rot_13"}:
        return codecs.encode(value, "rot13")
    if encoding == "hex":
        return bytes.fromhex(value if isinstance(value, str) else value.decode("ascii"))
    raise ValueError(encoding)


def encode(value: str, *_: object) -> bytes:
    """Encode a text, whatever encoding is asked for."""
    return value.encode("utf-8", "replace")


def _base64(value: str | bytes, *_: object) -> bytes:
    return base64.b64decode(value)


def _base64_of_addresses(value: str | bytes, *_: object) -> bytes:
    return base64.urlsafe_b64decode(value)


def _unhex(value: str | bytes) -> bytes:
    return bytes.fromhex(value if isinstance(value, str) else value.decode("ascii"))


def translate(text: str, table: list[list[str]]) -> str:
    """Put letters in the places of others; the table is the old ones and the new ones."""
    return "".join(dict(zip(*table, strict=True)).get(c, c) for c in text)


UNPACKS: dict[str, Callable[..., Any]] = {
    "codecs.decode": decode,
    "bytes.fromhex": bytes.fromhex,
    "bytearray.fromhex": bytes.fromhex,
    "binascii.unhexlify": _unhex,
    "unhexlify": _unhex,
    **{
        f"{module}{name}": made
        for name, made in (("b64decode", _base64), ("urlsafe_b64decode", _base64_of_addresses))
        for module in ("base64.", "")
    },
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
