"""Why a file is no table: what a parser says of it, in words for a person."""

from __future__ import annotations

import json
import re
import zipfile
import zlib
from gzip import BadGzipFile
from typing import TYPE_CHECKING, Final

from competitions.io import said_by

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO

_LOOKED_AT: Final = 8192  # bytes by which text is told from anything else
_MOST_JSON: Final = 64 << 20  # bytes that are parsed once more to say what is wrong with them
_BEGINNINGS: Final = {
    b"PAR1": "a Parquet file",
    b"ARROW1": "a Feather file",
    b"PK\x03\x04": "a zip archive or a spreadsheet",
    b"\x1f\x8b": "a gzip file",
    b"SQLite format 3": "a database",
    b"7z\xbc\xaf": "a 7z archive",
    b"\x89PNG": "a picture",
    b"%PDF": "a PDF file",
}
_UTF16: Final = (b"\xff\xfe", b"\xfe\xff")
_RAGGED: Final = re.compile(r"Expected (\d+) fields in line (\d+), saw (\d+)")
_UNCLOSED: Final = re.compile(r"EOF inside string starting at row (\d+)")
_BROKEN: Final = {
    "a gzip file": (BadGzipFile, zlib.error, EOFError),
    "a zip archive": (zipfile.BadZipFile,),
}
_KINDS: Final = {
    str: "a text",
    bool: "true or false",
    int: "a number",
    float: "a number",
    type(None): "null",
    dict: "an object whose values are no columns",
    list: "a list of something else",
}


def no_text(beginning: bytes) -> str | None:
    """Say what a file that should be text is instead, from its first bytes; None for text.

    Examples
    --------
    >>> no_text(b"PAR1" + bytes(9))
    'a Parquet file'
    >>> no_text(b"a,b")
    """
    for sign, kind in _BEGINNINGS.items():
        if beginning.startswith(sign):
            return kind
    if beginning.startswith(_UTF16):
        return None
    return "a binary file" if b"\0" in beginning[:_LOOKED_AT] else None


def fault_of(
    error: Exception, opened: Callable[[], BinaryIO] | None = None, *, lines: bool = False
) -> str:
    """Say why a table could not be read, with the line where the parser knows it.

    Parameters
    ----------
    opened : callable or None
        Opens JSON once more, of which pandas does not say where it is broken.
    lines : bool, default=False
        Whether each of its lines is to be JSON.
    """
    words = str(error)
    if found := _RAGGED.search(words):
        expected, line, cells = found.groups()
        return f"expected {expected} cells in line {line}, found {cells}"
    if found := _UNCLOSED.search(words):
        line = int(found[1]) + 1
        return f"expected a closing quotation mark, found none for the one in line {line}"
    if words.startswith("No columns to parse"):
        return "expected a first line with the names of columns, found an empty file"
    for kind, errors in _BROKEN.items():
        if isinstance(error, errors):
            return f"expected {kind}, found something else or a broken one"
    told = None
    if opened is not None:
        told = _of_json_lines(opened) if lines else _of_json(opened)
    return told or said_by(error)


def _of_json(opened: Callable[[], BinaryIO]) -> str | None:
    with opened() as stream:
        content = stream.read(_MOST_JSON + 1)
    if len(content) > _MOST_JSON:
        return None
    try:
        found = json.loads(content)
    except json.JSONDecodeError as error:
        where = f"none at line {error.lineno}, column {error.colno} ({error.msg})"
        return f"expected JSON, found {where if content.strip() else 'an empty file'}"
    except UnicodeDecodeError as error:
        return f"expected JSON, found no UTF-8 text at byte {error.start}"
    except RecursionError:
        return "expected JSON records, found lists within lists without end"
    return f"expected a list of records, found {_KINDS[type(found)]}"


def _of_json_lines(opened: Callable[[], BinaryIO]) -> str | None:
    """Name the first line that is no record."""
    n_read = 0
    with opened() as stream:
        for number, line in enumerate(stream, start=1):
            n_read += len(line)
            if n_read > _MOST_JSON:
                return None
            try:
                found = json.loads(line) if line.strip() else {}
            except (ValueError, RecursionError):
                return f"expected a JSON record in line {number}, found something else"
            if not isinstance(found, dict):
                return f"expected a JSON record in line {number}, found {_KINDS[type(found)]}"
    return None if n_read else "expected JSON records, found an empty file"
