"""Room on a disk: asked for before much is written, and told in numbers when it ran out."""

from __future__ import annotations

import contextlib
import errno
import shutil
import tempfile
from typing import TYPE_CHECKING

from competitions.errors import DiskFullError, UsageError
from competitions.io import reason

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_STEP = 1024
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_REMEDY = "Free room there, or use a data directory on another disk: --data-dir DIR"


def size_text(size: float) -> str:
    """Write a number of bytes in the largest unit that leaves a whole part.

    Examples
    --------
    >>> size_text(1536), size_text(3)
    ('1.5 KiB', '3 B')
    """
    for unit in ("B", "KiB", "MiB", "GiB"):
        if float(f"{size:.4g}") < _STEP:  # as it is written: 1023.9 MiB would read 1024
            return f"{size:.4g} {unit}"
        size /= _STEP
    return f"{size:.4g} TiB"


def require_room(folder: Path, needed: int) -> None:
    """See that a folder's disk has room for so many bytes more.

    Raises
    ------
    DiskFullError
        With both numbers.
    """
    if needed > shutil.disk_usage(folder).free:
        raise _full(folder, needed)


def require_writable(target: Path, remedy: str, *, is_folder: bool = False) -> None:
    """See that a file can be written, or a folder be filled, before the work that it is to hold.

    Nothing is left behind: what is not there is not made.

    Raises
    ------
    UsageError
        When the nearest folder above it takes no file, or is a file itself, and when a folder
        stands where the file should be.
    """
    if target.is_dir() and not is_folder:
        raise UsageError(f"{target}: expected a file to write, found a folder.", remedy)
    folder = target.absolute() if is_folder else target.absolute().parent
    here = next(path for path in (folder, *folder.parents) if path.exists())
    try:
        with tempfile.TemporaryFile(dir=here):
            pass
    except OSError as error:
        raise UsageError(
            f"{target}: expected a place that can be written, found {reason(error)} at {here}.",
            remedy,
        ) from error


@contextlib.contextmanager
def telling_when_full(folder: Path, needed: int | None = None) -> Iterator[None]:
    """Turn the system's word for a full disk or a used-up quota into ours.

    Parameters
    ----------
    needed : int or None
        Bytes that the block was to write, where that is known.

    Raises
    ------
    DiskFullError
        When a write inside the block found no room.
    """
    try:
        yield
    except OSError as error:
        if error.errno not in _FULL:
            raise
        raise _full(folder, needed) from error


def _full(folder: Path, needed: int | None) -> DiskFullError:
    wanted = "more" if needed is None else size_text(needed)
    return DiskFullError(folder, wanted, size_text(shutil.disk_usage(folder).free), _REMEDY)
