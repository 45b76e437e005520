"""Text files of an attempt, read without trusting them: of any size, in any encoding."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

MAX_TEXT_BYTES = 64 << 20  # a larger file is read up to here; `TextFile.truncated` says so
MAX_HELD_BYTES = 4 << 20  # a larger log is not kept in memory
_HOLE = re.compile("\x00{64,}")


@dataclass(frozen=True)
class TextFile:
    """A text file of an attempt: hostile input, decoded without failing.

    Parameters
    ----------
    name : str
        Path relative to the attempt's folder, with forward slashes.
    text : str
        Content; bytes that are no UTF-8 become U+FFFD, NUL bytes too.
    truncated : bool
        True when only the first 64 MiB were read.
    source : Path or None
        The file, for readers of archives and of what is too large to hold.
    """

    name: str
    text: str
    truncated: bool = False
    source: Path | None = field(default=None, compare=False, repr=False)
    is_large = False  # `text` is read anew each time, and `source` holds all of it


class LargeFile(TextFile):
    """A file whose text is not kept in memory: each look at it reads it anew."""

    source: Path
    most: int
    is_large = True

    def __init__(self, name: str, source: Path, most: int, *, truncated: bool) -> None:
        held = {"name": name, "source": source, "most": most, "truncated": truncated}
        self.__dict__.update(held)

    @property
    def text(self) -> str:
        """Its beginning, of at most 64 MiB; empty when it can no longer be read."""
        try:
            return read_text_file(self.source, self.name, self.most, is_log=True).text
        except OSError:
            return ""


def read_text_file(
    path: Path, name: str, most: int = MAX_TEXT_BYTES, *, is_log: bool = False
) -> TextFile:
    """Read a hostile text file: size capped, UTF-16 by its mark, anything undecodable replaced.

    Of a log holes of zeros are left out; see `without_zeros`.
    """
    with path.open("rb") as stream:
        content = stream.read(most + 1)
    truncated = len(content) > most
    encoding = "utf-16" if content[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8-sig"
    text = content[:most].decode(encoding, errors="replace")
    return TextFile(name, without_zeros(text) if is_log else _marked(text), truncated, path)


def without_zeros(text: str) -> str:
    """Leave out the hole in a log that was emptied while it was written to; mark other zeros."""
    return _marked(_HOLE.sub("", text) if "\x00" in text else text)


def _marked(text: str) -> str:
    """Put the sign of what can't be read in the place of zero bytes."""
    return text.replace("\x00", "\ufffd")


def open_log(path: Path, name: str, most: int = MAX_TEXT_BYTES) -> TextFile:
    """Read a small log, or stand for a large one without holding its text.

    Raises
    ------
    OSError
        When it cannot be read.
    """
    size = path.stat().st_size
    if size <= MAX_HELD_BYTES and size <= most:
        return read_text_file(path, name, most, is_log=True)
    with path.open("rb") as stream:
        stream.read(1)
    return LargeFile(name, path, most, truncated=size > most)


def printable_name(name: str) -> str:
    r"""Write a file's name so that it can stand in a document: bytes that are no UTF-8 as ``\xff``.

    Examples
    --------
    >>> printable_name("caf\udce9.py")
    'caf\\xe9.py'
    """
    return os.fsencode(name).decode("utf-8", "backslashreplace")
