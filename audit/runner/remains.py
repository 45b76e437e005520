"""What an agent left behind: made readable, made harmless, and named by digest.

The files were written by someone who may be hostile. Links are never followed, special files never
opened, and nothing runs any more when this is called.
"""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

from competitions.io import sha256_file, sha256_tree, walk_files

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator
    from pathlib import Path

_MAX_DIGESTED = 8 << 30  # more than this is not read; a sparse file can claim any size


def make_readable(folder: Path) -> None:
    """Give their owner access to all files and folders below, and take set-uid bits away.

    A file of mode 000 must not stop a reader, and a set-uid program must not lie about.
    """
    for path, status in _walk(folder):
        if stat.S_ISLNK(status.st_mode):
            continue
        mode = stat.S_IMODE(status.st_mode)
        wanted = (mode | (0o700 if stat.S_ISDIR(status.st_mode) else 0o600)) & ~0o6000
        if wanted != mode:
            path.chmod(wanted)


def _walk(folder: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """Yield each folder before it is entered, so that the caller can open it."""
    waiting = [folder]
    while waiting:
        path = waiting.pop()
        try:
            status = path.lstat()
        except OSError:
            continue
        yield path, status
        if stat.S_ISDIR(status.st_mode):
            waiting += path.iterdir()


def submission_digest(attempt: Path) -> str | None:
    """Return the sha256 of ``submission/submission.csv``; None unless it is a plain file."""
    path = attempt / "submission" / "submission.csv"
    if path.parent.is_symlink() or path.is_symlink() or not path.is_file():
        return None
    return sha256_file(path) if path.stat().st_size <= _MAX_DIGESTED else None


def code_digest(attempt: Path) -> str | None:
    """Return the digest of ``code/``; None when there is no file in it."""
    folder = attempt / "code"
    if folder.is_symlink() or not folder.is_dir():
        return None
    size = 0
    for path in walk_files(folder):
        size += path.stat().st_size
        if size > _MAX_DIGESTED:
            return None
    return sha256_tree(folder) if any(walk_files(folder)) else None
