"""Files of folders and zip archives of strangers, one after the other, bounded."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from competitions.io import printable, walk_files
from detectors.attempt import printable_name
from detectors.plagiarism.decoding import MAX_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


class Unread(NamedTuple):
    """A file that is there and could not be read, and why."""

    name: str
    why: str


class Found(NamedTuple):
    """A file's name below its source, and its bytes."""

    name: str
    content: bytes


def files_below(source: Path, is_wanted: Callable[[str], bool]) -> Iterator[Found | Unread]:
    """Yield the wanted files below a source; links are not followed."""
    if source.is_file():
        yield _read(source, source.name)
        return
    unread: list[Unread] = []
    for path in walk_files(
        source, lambda e: unread.append(Unread(str(e.filename), str(e.strerror)))
    ):
        name = path.relative_to(source).as_posix()
        if is_wanted(name) and ".git" not in path.relative_to(source).parts:
            yield _read(path, name)
    yield from unread


def _read(path: Path, name: str) -> Found | Unread:
    name = printable(printable_name(name))
    try:
        with path.open("rb") as stream:
            return Found(name, stream.read(MAX_BYTES + 1))
    except OSError as error:
        return Unread(name, error.strerror or "cannot be read")
