"""What belongs to the harness, looked at before an attempt and again after it.

Data, the agent's folder and the instructions are read-only in a sandbox. Without one they are not,
and whoever runs the attempts may change them at any time for reasons of his own: what is reported
is that a file is another one than before, not who made it so.
"""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass, field
from stat import S_ISREG
from typing import TYPE_CHECKING, NamedTuple

from competitions.io import MAX_DEPTH, sha256_bytes, sha256_file
from detectors.text_file import printable_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

MAX_READ_BYTES = 1 << 20  # a larger file is told by size and times alone
MAX_READ_TOTAL = 64 << 20  # of all that is read before an attempt
MAX_BY_NAME = 1000  # files of one folder; a folder of more is seen as one thing
MAX_REPORTED = 50
_NOT_OURS = frozenset({"__pycache__", ".git"})  # what tools write of their own accord


class _State(NamedTuple):
    """What a file is told by."""

    size: int
    modified_ns: int
    inode: int
    mode: int
    n_links: int
    changed_ns: int  # of the inode: contents, mode, owner, name or links
    sha256: str | None

    def is_same(self, after: _State) -> bool:
        """Say whether a file is still the one it was.

        A hard link made to it changes the inode's time and nothing of the file.
        """
        if self.sha256 and after.sha256:
            return (self.sha256, self.mode) == (after.sha256, after.mode)
        if self[:4] != after[:4]:
            return False
        return self.n_links != after.n_links or self.changed_ns == after.changed_ns


@dataclass
class Harness:
    """Files of the harness as they were; `changed` says which are others now.

    Links are not followed, special files are told by kind. A folder of more than 1000 files is
    seen as one thing, so that a million of them take seconds and little memory.
    """

    _before: dict[str, tuple[Path, _State | str]] = field(default_factory=dict)
    _left: int = MAX_READ_TOTAL

    def watch(self, name: str, path: Path, without: Iterable[Path] = ()) -> None:
        """Look at a file, or at everything below a folder.

        Parameters
        ----------
        name : str
            What it is called in the record.
        without : iterable of Path
            Folders that are left out: attempts that lie there.
        """
        skipped = {os.path.realpath(p) for p in without}
        for folder, entries in _folders(path, skipped):
            if len(entries) > MAX_BY_NAME:
                self._before[f"{_named(name, path, folder)}/"] = (folder, _digest(entries))
                continue
            for entry in entries:
                state = self._state(entry)
                if state:
                    self._before[_named(name, path, entry)] = (entry, state)

    def changed(self) -> tuple[str, ...]:
        """Name the files that are gone or others than before, sorted; at most 50 of them."""
        found = [name for name, (path, state) in self._before.items() if self._differs(path, state)]
        return tuple(sorted(found)[:MAX_REPORTED])

    def _differs(self, path: Path, before: _State | str) -> bool:
        if isinstance(before, str):
            return before != _digest(next((e for _, e in _folders(path, set())), []))
        after = self._state(path, most=before.size if before.sha256 else -1)
        return after is None or not before.is_same(after)

    def _state(self, path: Path, most: int | None = None) -> _State | None:
        """Return what a file is told by; its content where it is small, or was read before."""
        try:
            stat = path.lstat()
        except OSError:
            return None
        limit = min(MAX_READ_BYTES, self._left) if most is None else most
        digest = None
        if S_ISREG(stat.st_mode) and stat.st_size <= limit:
            with contextlib.suppress(OSError):
                digest = sha256_file(path)
                self._left -= stat.st_size if most is None else 0
        return _State(
            *(stat.st_size, stat.st_mtime_ns, stat.st_ino, stat.st_mode),
            *(stat.st_nlink, stat.st_ctime_ns, digest),
        )


def _named(name: str, root: Path, path: Path) -> str:
    """Return what a file or folder is called in the record."""
    return name if path == root else f"{name}/{printable_name(path.relative_to(root).as_posix())}"


def _folders(path: Path, skipped: set[str]) -> Iterator[tuple[Path, list[Path]]]:
    """Yield each folder and the files in it, sorted; a file is its own only entry."""
    if not path.is_dir():
        yield path, [path]
        return
    waiting = [(path, 0)]
    while waiting:
        here, depth = waiting.pop()
        if depth > MAX_DEPTH or os.path.realpath(here) in skipped:
            continue
        files = []
        with contextlib.suppress(OSError), os.scandir(here) as entries:
            for entry in entries:
                if not entry.is_dir(follow_symlinks=False):
                    files.append(here / entry.name)
                elif entry.name not in _NOT_OURS:
                    waiting.append((here / entry.name, depth + 1))
        yield here, sorted(files)


def _digest(entries: list[Path]) -> str:
    """Return the digest of many files' names, sizes and times."""
    lines = []
    for path in entries:
        with contextlib.suppress(OSError):
            stat = path.lstat()
            told = (stat.st_size, stat.st_mtime_ns, stat.st_ino, stat.st_mode)
            lines.append(f"{path.name!r} {told}")
    return sha256_bytes("\n".join(lines).encode("utf-8", "surrogateescape"))
