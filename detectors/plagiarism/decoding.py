"""Bytes of strangers as text: encodings, binaries, and lines that everybody counts alike."""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

from competitions.errors import UnreadableFileError
from competitions.io import printable

MAX_BYTES = 64 << 20  # of one file; of a longer text only this much is read
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CODING = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")  # PEP 263
_HEAD = 1 << 14  # bytes by which a binary is told from a text
_CONTROL = bytes(b for b in range(32) if b not in b"\t\n\x0b\x0c\r\x1b")
_MAX_CONTROL = 0.02  # of the head; text has hardly any
_ASCII_ENDS = "\x0b\x0c\x1c\x1d\x1e"  # of lines, for some
_ENDS = _ASCII_ENDS + "\x85\u2028\u2029"
_SURROGATE = re.compile("[\ud800-\udfff]")


class Decoded(NamedTuple):
    r"""A text whose lines end in ``\n`` alone, and what was odd about its bytes."""

    text: str
    notes: tuple[str, ...] = ()


def decode(name: str, content: bytes) -> Decoded:
    r"""Decode a file's bytes: byte order marks, PEP 263, UTF-8, UTF-16 without a mark, cp1252.

    Raises
    ------
    UnreadableFileError
        When it is no text.

    Examples
    --------
    >>> decode("a.py", "x = 'é'\r\n".encode("latin-1"))
    Decoded(text="x = 'é'\n", notes=('no UTF-8: read as cp1252',))
    """
    notes = []
    if len(content) > MAX_BYTES:
        notes.append(f"longer than {MAX_BYTES >> 20} MiB: the rest was not read")
        content = content[:MAX_BYTES]
    encoding = _encoding(content)
    if encoding is None:
        raise UnreadableFileError(f"{printable(name)}: expected text, found a binary file.")
    text = _decoded(content, encoding)
    if text is None:
        text = content.decode("cp1252", errors="replace")
        notes.append("no UTF-8: read as cp1252")
    elif not encoding.startswith("utf-8"):
        notes.append(f"read as {encoding}")
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
        notes.append("holds NUL bytes")
    return Decoded(with_plain_lines(text), tuple(notes))


def with_plain_lines(text: str) -> str:
    r"""End every line in ``\n`` alone, so that all ways of counting lines agree.

    What only some programs take for the end of a line becomes a space; half a surrogate pair, which
    JSON can hold and UTF-8 cannot, becomes U+FFFD.

    Examples
    --------
    >>> with_plain_lines("a\r\nb\x0cc\rd")
    'a\nb c\nd'
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    is_ascii = text.isascii()
    for end in _ASCII_ENDS if is_ascii else _ENDS:
        if end in text:
            text = text.replace(end, " ")
    return text if is_ascii else _SURROGATE.sub("\ufffd", text)


def _encoding(content: bytes) -> str | None:
    """Name the encoding that the bytes ask for; None for a binary."""
    for mark, encoding in _BOMS:
        if content.startswith(mark):
            return encoding
    head = content[:_HEAD]
    if head.count(0) > len(head) // 4:  # every other byte of ASCII text in UTF-16
        even, odd = head[::2].count(0), head[1::2].count(0)
        if min(even, odd) <= max(even, odd) // 50:
            return "utf-16-le" if odd > even else "utf-16-be"
    controls = len(head) - len(head.translate(None, _CONTROL))
    if controls > max(2, _MAX_CONTROL * len(head)):
        return None
    for line in head.split(b"\n", 2)[:2]:
        if found := _CODING.match(line):
            return _known(found[1].decode("ascii", "replace")) or "utf-8"
    return "utf-8"


def _known(name: str) -> str | None:
    """Return Python's name of a text encoding that exists; None for codecs that are none."""
    try:
        info = codecs.lookup(name)
    except (LookupError, ValueError):
        return None
    is_text = getattr(info, "_is_text_encoding", True)
    return (
        info.name if is_text and info.name not in {"idna", "punycode", "unicode_escape"} else None
    )


def _decoded(content: bytes, encoding: str) -> str | None:
    """Decode strictly; a UTF-8 text that was cut within a character loses that character."""
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        if encoding.startswith("utf-8"):
            is_cut = len(content) == MAX_BYTES and error.start > len(content) - 4
            return content[: error.start].decode(encoding) if is_cut else None
        return content.decode(encoding, errors="replace")
    except (ValueError, LookupError):
        return None
