"""Reading and writing files so that nothing is ever half-written, and naming files by digest."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_BLOCK = 1 << 20
_MAX_SAID, _MAX_NAME, _MAX_NAMES = 300, 60, 40  # characters, characters, names in a message
MAX_DEPTH = 100  # folders within folders that are read


def printable(text: str) -> str:
    """Replace each character that does not print, so that hostile text commands no terminal.

    Examples
    --------
    >>> printable("a" + chr(27) + "[31m") == "a" + chr(0xFFFD) + "[31m"
    True
    """
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def said_by(error: Exception) -> str:
    """Repeat what a library said of a file: one line, cut short, nothing that does not print."""
    return printable(" ".join(str(error)[:_MAX_SAID].split()))[:_MAX_SAID]


def listed(names: Iterable[object]) -> str:
    """List what a file has, for a message: each cut short, the first forty, and how many more.

    Examples
    --------
    >>> listed(["id", "y"] + ["x"] * 50)[-11:]
    'and 12 more'
    """
    shown = [printable(str(name)[:_MAX_NAME]) for name in names]
    rest = f" and {len(shown) - _MAX_NAMES} more" if len(shown) > _MAX_NAMES else ""
    return ", ".join(shown[:_MAX_NAMES]) + rest


def reason(error: Exception) -> str:
    """Say in a few words why a file could not be used: no numbers of the system, no class names.

    Examples
    --------
    >>> reason(FileNotFoundError(2, "No such file or directory", "a.txt"))
    'no such file or directory'
    >>> reason(UnicodeDecodeError("utf-8", b"a", 0, 1, "invalid start byte"))
    'no UTF-8 text at byte 0'
    """
    if isinstance(error, UnicodeDecodeError):
        return f"no UTF-8 text at byte {error.start}"
    words = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return words[:1].lower() + words[1:]


def sha256_bytes(content: bytes) -> str:
    """Return the sha256 of `content` as 64 hex digits."""
    return hashlib.sha256(content).hexdigest()


def sha256_file(path: Path) -> str:
    """Return the sha256 of a file as 64 hex digits, reading it in blocks of 1 MiB."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def walk_files(folder: Path, unreadable: Callable[[OSError], None] | None = None) -> Iterator[Path]:
    """Yield the regular files below `folder`, sorted by relative path; links are not followed.

    Folders nested more than 100 deep count as unreadable.

    Parameters
    ----------
    unreadable : callable or None
        Told of each folder that cannot be listed or entered; without it they are passed over.
    """
    found: list[Path] = []
    # A stack, not recursion: whoever wrote the folder may have nested it very deeply.
    waiting = [(folder, 0)]
    while waiting:
        here, depth = waiting.pop()
        try:
            if depth > MAX_DEPTH:
                raise OSError(errno.ELOOP, "nested too deeply to be read", str(here))
            with os.scandir(here) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append((Path(entry.path), depth + 1))
                    elif entry.is_file(follow_symlinks=False):
                        found.append(Path(entry.path))
        except OSError as error:
            if unreadable:
                unreadable(error)
    yield from sorted(found, key=lambda p: p.relative_to(folder).as_posix())


def tree_line(path: Path, folder: Path) -> str:
    r"""Return the line ``<sha256>  <relative path>`` of a file, as `sha256sum` writes it.

    Where a name has line breaks, they and its backslashes are escaped and the line begins with a
    backslash; else one such name could stand for the lines of two files.
    """
    name = path.relative_to(folder).as_posix()
    if not {"\n", "\r"} & set(name):
        return f"{sha256_file(path)}  {name}\n"
    escaped = name.replace("\\", r"\\").replace("\n", r"\n").replace("\r", r"\r")
    return f"\\{sha256_file(path)}  {escaped}\n"


def sha256_tree(folder: Path) -> str:
    """Return one digest of a folder: of the sorted lines of its files, see `tree_line`.

    An empty folder has the digest of the empty text. Links are left out.

    Raises
    ------
    OSError
        When a file or folder cannot be read: a digest of a part would pass for one of the whole.
    """

    def refuse(error: OSError) -> None:
        raise error

    files = walk_files(folder, refuse)
    lines = [tree_line(p, folder) for p in files]
    return sha256_bytes("".join(lines).encode("utf-8", "surrogateescape"))


@contextlib.contextmanager
def atomic_path(target: Path) -> Iterator[Path]:
    """Give a temporary path beside `target` that replaces it only when the block ends well.

    Yields
    ------
    Path
        A path in the same folder. If the block raises, it is removed and `target` is as it was.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".tmp")
    os.close(descriptor)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o644)
        with temporary.open("rb") as stream:
            os.fsync(stream.fileno())
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def write_text(target: Path, text: str) -> None:
    """Write a UTF-8 text file atomically."""
    with atomic_path(target) as temporary:
        temporary.write_text(text, encoding="utf-8")


def write_json(target: Path, value: Any) -> None:  # noqa: ANN401 - any JSON value
    """Write JSON atomically, indented by two; NaN and infinities are refused."""
    write_text(target, json.dumps(value, indent=2, allow_nan=False) + "\n")
