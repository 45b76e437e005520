"""Readings of stretches that stand encoded in a text: base64, numbers, reversed, shifted by 13.

Whatever language decodes them, what stands in the text is the same.
"""

from __future__ import annotations

import base64
import codecs
import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

ASCII = 128  # codes
MAX_STRETCH = 8_000  # characters of one encoded stretch
_BASE64 = re.compile(rf"(?<![\w+/-])[A-Za-z0-9+/_-]{{16,{MAX_STRETCH}}}={{0,2}}(?![\w+/=-])")
_HEX = re.compile(r"(?<![0-9A-Za-z])(?:0x)?(?P<digits>(?:[0-9a-fA-F]{2}){12,2000})(?![0-9A-Za-z])")
_ESCAPES = re.compile(
    r"(?:\\{1,4}x[0-9a-fA-F]{2}){8,2000}|(?:\\{1,4}[0-7]{3}){8,2000}|(?:\\{1,4}u00[0-7][0-9a-fA-F]){8,2000}"
)
_QUOTED = re.compile(r"\$'(?P<inner>[^'\n]{4,2000})'")  # of a shell, which knows escapes
_ESCAPE = re.compile(r"\\+(?:x([0-9a-fA-F]{2})|u00([0-9a-fA-F]{2})|([0-7]{3}))")
_CODES = re.compile(r"(?<![\d.])(?:\d{2,3}\s{0,2},\s{0,4}){11,1000}\d{2,3}(?![\d.])")
_MAKES_LETTERS = re.compile(r"[cC]har|chr\b|intToUtf8|Utf8|pack\b|bytes|Uint8Array|TextDecoder")
_WORD = re.compile(r"[A-Za-z0-9_+/=.~:@-]{12,2000}")
_TURNS_ROUND = re.compile(r"\brev\b|[Rr]everse|\[::-1\]|strrev|\[\s*::\s*-1\s*\]")
_SHIFTS = re.compile(r"rot_?-?13|N-Z\s?A-M|n-z\s?a-m", re.IGNORECASE)


class Reading(NamedTuple):
    """What a stretch of a text says when it is decoded, and its place."""

    plain: str
    start: int
    end: int


def readings(text: str) -> Iterator[Reading]:
    """Yield what encoded stretches of a text say, where that is printable ASCII.

    Reversed and shifted texts are read only where the text tells that something is turned so.

    Examples
    --------
    >>> [r.plain for r in readings("echo vsc.tset/etavirp/ | rev") if "/" in r.plain]
    ['/private/test.csv']
    >>> [r.plain for r in readings("atob('L3ByaXZhdGUvdGVzdC5jc3Y=')")]
    ['/private/test.csv']
    """
    forms = (_in_base64, _in_numbers, _turned)
    yield from (Reading(*one) for form in forms for one in form(text) if one[0])


def _in_base64(text: str) -> Iterator[tuple[str, int, int]]:
    for match in _BASE64.finditer(text):
        yield of_base64(match.group()), *match.span()


def _in_numbers(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield what numbers of letters say: in hexadecimal, in escapes, and in a list of codes."""
    for match in _HEX.finditer(text):
        yield _printable(bytes.fromhex(match["digits"])), *match.span()
    for match in _ESCAPES.finditer(text) if "\\" in text else ():
        codes = _ESCAPE.findall(match.group())
        raw = bytes(int(x or u or o, 8 if o else 16) & 0xFF for x, u, o in codes)
        yield _printable(raw), *match.span()
    for match in _QUOTED.finditer(text) if "$'" in text else ():
        plain = _ESCAPE.sub(_letter, match["inner"])
        yield plain if plain != match["inner"] else "", *match.span()
    for match in _CODES.finditer(text) if _MAKES_LETTERS.search(text) else ():
        numbers = [int(n) for n in match.group().split(",")]
        if max(numbers) < ASCII:
            yield _printable(bytes(numbers)), *match.span()


def _letter(match: re.Match[str]) -> str:
    by_16, of_unicode, by_8 = match.groups()
    code = int(by_16 or of_unicode or by_8, 8 if by_8 else 16)
    return chr(code) if code < ASCII else match.group()


def _turned(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield words reversed or shifted, where the text has what turns them so."""
    turns, shifts = _TURNS_ROUND.search(text), _SHIFTS.search(text)
    for match in _WORD.finditer(text) if turns or shifts else ():
        if turns:
            yield match.group()[::-1], *match.span()
        if shifts:
            yield codecs.encode(match.group(), "rot13"), *match.span()


def of_base64(text: str) -> str:
    """Return the printable text that base64 stands for, of either alphabet, else nothing."""
    standard = text.replace("-", "+").replace("_", "/")
    try:
        return _printable(base64.b64decode(standard + "=" * (-len(text) % 4), validate=True))
    except ValueError:
        return ""


def _printable(raw: bytes) -> str:
    try:
        plain = raw.decode("ascii")
    except ValueError:
        return ""
    return plain if re.sub(r"[\r\n\t]", "", plain).isprintable() else ""
