"""Programs that stand in the texts of another: written to a file, given to ``exec``, or encoded.

One that is cut into many short texts, a line each, is put together again.
"""

from __future__ import annotations

import ast
import base64
import binascii
import re
import zlib
from typing import TYPE_CHECKING, NamedTuple

from detectors.plagiarism.languages import guessed
from detectors.plagiarism.notebooks import read_notebook

if TYPE_CHECKING:
    from collections.abc import Iterator

MIN_LINES = 5  # of a program within a text; fewer are an example or a query
_MAX_UNPACKED = 4 << 20  # bytes of one that was packed
_MAX_FOUND = 200  # of one file
# Comments and texts, closed or not: each is read once, whatever it holds.
_TEXT = re.compile(
    r"\#[^\n]*+|(?:\b[rRbBuUfF]{1,2})?(?:"
    r'"""(?:[^"\\]|\\[\s\S]|"(?!""))*+(?:"""|\\?\Z)'
    r"|'''(?:[^'\\]|\\[\s\S]|'(?!''))*+(?:'''|\\?\Z)"
    r'|"(?:[^"\\\n]|\\[\s\S])*+"?'
    r"|'(?:[^'\\\n]|\\[\s\S])*+'?)"
)
_LONG = 200  # characters of a text in one line that may be a program of its own
_MOST_SHORT = 20_000  # texts of one file that are put together
_BASE85 = re.compile(r"[!-~]{200,}+")
_ENCODED = re.compile(r"[A-Za-z0-9+/_\s-]{200,}={0,2}\s*")
_TRIPLE = frozenset({'"""', "'''"})
_HEAD = 256  # characters within which the brace of a notebook stands
_GZIP = b"\x1f\x8b"


class Text(NamedTuple):
    """A program and the line at which the text that holds it begins."""

    first_line: int
    code: str


def code_in_texts(code: str) -> Iterator[Text]:
    r"""Yield the programs in a program's longer texts, as they are or out of base64 and gzip.

    Examples
    --------
    >>> inner = "import os\n" + "x = os.getcwd()\n" * 9
    >>> [t.first_line for t in code_in_texts(f"a = 1\nexec('''{inner}''')\n")]
    [2]
    """
    line, last, n_found = 1, 0, 0
    short: list[re.Match[str]] = []
    for found in _TEXT.finditer(code):
        literal = found.group()
        if literal[0] == "#":
            continue
        if len(literal) < _LONG and "\n" not in literal:
            short.append(found)
            continue
        inner = _program(literal)
        if inner is not None:
            line, last = line + code.count("\n", last, found.start()), found.start()
            yield Text(line, inner)
            n_found += 1
            if n_found >= _MAX_FOUND:
                return
    yield from _joined(code, short[:_MOST_SHORT])


def _joined(code: str, found: list[re.Match[str]]) -> Iterator[Text]:
    """Yield the program that a file's short texts are the lines of, if they are."""
    if len(found) < MIN_LINES:
        return
    lines = [str(_value(literal.group()) or "").rstrip("\n") for literal in found]
    text = "\n".join(line for line in lines if line)
    if text.count("\n") >= MIN_LINES and guessed(text):
        yield Text(code.count("\n", 0, found[0].start()) + 1, text)


def _value(literal: str) -> object:
    """Return what a literal says; the fields of a formatted one stay as they are written."""
    quote = min(literal.find(q) % (len(literal) + 1) for q in "\"'")
    prefix = literal[:quote].lower().replace("f", "")
    try:
        return ast.literal_eval(prefix + literal[quote:])
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None


def _program(literal: str) -> str | None:
    """Return what a literal holds when it is a program."""
    if "\\" not in literal and literal[:3] in _TRIPLE and literal[-3:] == literal[:3]:
        text = literal[3:-3]
    else:
        value = _value(literal)
        if value is None:
            return None
        text = value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
    if _ENCODED.fullmatch(text) or _BASE85.fullmatch(text):
        text = _decoded(text)
    if text[:_HEAD].lstrip()[:1] == "{":
        notebook = read_notebook(text)
        text = notebook.code if notebook else text
    is_long = text.count("\n") >= MIN_LINES
    return text if is_long and guessed(text) else None


def _decoded(text: str) -> str:
    """Undo hex, base64 or base85, and gzip or zlib below it; nothing where it is no text."""
    for decode in (_of_hex, _of_base64, base64.b85decode):
        try:
            content = decode(text)
            if content.startswith((_GZIP, b"x")):
                window = 31 if content.startswith(_GZIP) else 15  # as zlib calls gzip and itself
                content = zlib.decompressobj(window).decompress(content, _MAX_UNPACKED)
            return content.decode("utf-8")
        except (binascii.Error, zlib.error, ValueError):
            continue
    return ""


def _of_hex(text: str) -> bytes:
    return bytes.fromhex(text)


def _of_base64(text: str) -> bytes:
    return base64.b64decode(
        "".join(text.split()).replace("-", "+").replace("_", "/"), validate=True
    )
