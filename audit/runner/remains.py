"""What an agent left behind: made readable, made harmless, and named by digest.

The files were written by someone who may be hostile. Links are never followed, special files never
opened, and nothing runs any more when this is called. Folders may be nested without end, so nothing
here recurses, and files may claim any size, so no more than the cap is read.
"""

from __future__ import annotations

import contextlib
import os
import stat
from typing import TYPE_CHECKING, NamedTuple

from competitions.io import sha256_file, sha256_tree, walk_files
from competitions.submission import MAX_SUBMISSION_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_TOO_LARGE = f"it is larger than {MAX_SUBMISSION_BYTES >> 30} GiB"


class Remains(NamedTuple):
    """Digests of what was left, and why one is missing although there is something."""

    submission_sha256: str | None
    code_sha256: str | None
    problems: tuple[str, ...]


class _Digest(NamedTuple):
    value: str | None = None
    problem: str | None = None


def describe(attempt: Path, folders: tuple[str, ...]) -> Remains:
    """Make an attempt's folders readable and name their contents by digest; never fails.

    Parameters
    ----------
    folders : tuple of str
        Those the agent could write to.
    """
    problems: list[str] = []
    found: list[str | None] = []
    with contextlib.suppress(OSError):
        for name in folders:
            make_readable(attempt / name)
    for what, digest in (("submission", _submission), ("code folder", _code)):
        try:
            value, problem = digest(attempt)
        except Exception as error:  # noqa: BLE001 - whatever was left, the attempt gets its end
            value, problem = None, f"{type(error).__name__}: {error}"
        found.append(value)
        if problem:
            problems.append(f"The {what} has no digest: {problem}.")
    submission, code = found
    return Remains(submission, code, tuple(problems))


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
            with contextlib.suppress(OSError):  # it may belong to somebody else
                path.chmod(wanted)


def _walk(folder: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """Yield each folder before it is entered, so that the caller can open it."""
    waiting = [folder]
    while waiting:
        path = waiting.pop()
        with contextlib.suppress(OSError):  # gone, not ours, or nested beyond the longest path
            status = path.lstat()
            yield path, status
            if stat.S_ISDIR(status.st_mode):
                waiting += path.iterdir()


def _submission(attempt: Path) -> _Digest:
    path = attempt / "submission" / "submission.csv"
    if path.parent.is_symlink() or path.is_symlink() or not path.is_file():
        return _Digest()
    if path.stat().st_size > MAX_SUBMISSION_BYTES:
        return _Digest(problem=_TOO_LARGE)
    return _Digest(sha256_file(path))


def _code(attempt: Path) -> _Digest:
    folder = attempt / "code"
    if folder.is_symlink() or not folder.is_dir():
        return _Digest()
    unread: list[str] = []
    size, is_empty = 0, True
    for path in walk_files(folder, lambda error: unread.append(error.strerror or str(error))):
        is_empty = False
        size += path.stat().st_size
        if size > MAX_SUBMISSION_BYTES:
            return _Digest(problem=_TOO_LARGE)
    if unread:  # a digest of a part would pass for one of the whole
        return _Digest(problem=f"{len(unread)} folder(s) cannot be read ({unread[0]})")
    return _Digest() if is_empty else _Digest(sha256_tree(folder))


def remove_tree(folder: Path) -> None:
    """Remove a folder however deeply nested and locked its content is; links are not followed.

    What lies two levels down is moved up before its folder is removed, so no path grows long. What
    cannot be removed stays.
    """
    number, found = 0, [folder]
    with contextlib.suppress(OSError):
        folder.chmod(0o700)
    while found:
        found = _emptied(folder)
        before = number
        for inner in found:
            with contextlib.suppress(OSError):
                inner.chmod(0o700)
                for child in _emptied(inner):
                    child.chmod(0o700)  # a folder that is moved must be writable itself
                    child.rename(folder / f"{inner.name[:8]}-{os.urandom(8).hex()}")
                inner.rmdir()
                number += 1
        if number == before:
            break
    with contextlib.suppress(OSError):
        folder.rmdir()


def _emptied(folder: Path) -> list[Path]:
    """Remove the files in a folder and return its folders."""
    folders = []
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                folders.append(folder / entry.name)
            else:
                with contextlib.suppress(OSError):
                    os.unlink(entry.path)  # noqa: PTH108 - an entry has its path as text
    return folders
