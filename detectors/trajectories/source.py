"""Reading a log in pieces, so that its size costs no memory."""

from __future__ import annotations

import codecs
from typing import IO, TYPE_CHECKING

from detectors.text_file import without_zeros

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from detectors.text_file import TextFile

PIECE = 1 << 18  # bytes that are read at once
MAX_HELD = 8 << 20  # characters of one line, or of one text, that are kept


def pieces(log: TextFile) -> Iterator[str]:
    """Yield a log's characters in pieces; a large file is read from disk, to its end."""
    if log.source is None or not log.is_large:
        for start in range(0, len(log.text), PIECE):
            yield log.text[start : start + PIECE]
        return
    try:
        with log.source.open("rb") as stream:
            yield from decoded(stream)
    except OSError:  # it is gone, or the disk fails: what was read stands
        return


def decoded(stream: IO[bytes]) -> Iterator[str]:
    """Decode bytes as `read_text_file` does: UTF-16 by its mark, anything undecodable replaced."""
    content = stream.read(PIECE)
    is_wide = content[:2] in {codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE}
    decoder = codecs.getincrementaldecoder("utf-16" if is_wide else "utf-8-sig")("replace")
    while content:
        yield without_zeros(decoder.decode(content))
        content = stream.read(PIECE)
    yield decoder.decode(b"", final=True)


def numbered_lines(parts: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield lines with their numbers, from 1; one that is too long to hold comes in pieces."""
    number, held, size = 1, list[str](), 0
    for part in parts:
        *whole, rest = part.split("\n")
        for line in whole:
            yield number, "".join([*held, line])
            number, held, size = number + 1, [], 0
        held.append(rest)
        size += len(rest)
        if size > MAX_HELD:
            yield number, "".join(held)
            held, size = [], 0
    yield number, "".join(held)


def lines_between(log: TextFile, first: int, last: int) -> list[str]:
    """Return the lines of a log from `first` to `last`, counted from 1."""
    found = []
    for number, line in numbered_lines(pieces(log)):
        if number > last:
            break
        if number >= first:
            found.append(line)
    return found
