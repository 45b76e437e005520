"""Copies of the submission while an attempt runs: the points of a scaling curve.

The agent may write the file at the same moment, replace it by a link or a pipe, or fill the disk:
a copy that cannot be made is left out, and the attempt goes on.
"""

from __future__ import annotations

import contextlib
import os
import stat
import threading
import time
from typing import TYPE_CHECKING

from competitions.io import sha256_file
from competitions.submission import MAX_SUBMISSION_BYTES
from detectors.record import Snapshot

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

FOLDER = "snapshots"
MIN_EVERY_S = 1.0
_NAME = "submission.csv"
_BLOCK = 1 << 20


@contextlib.contextmanager
def snapshots_of(
    attempt: Path,
    every_s: float | None,
    keep: Callable[[Snapshot], None],
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[None]:
    """Copy the submission again and again while the block runs.

    Parameters
    ----------
    every_s : float or None
        Seconds between copies; None makes none.
    keep : callable
        Told of each copy, from a thread of its own; after the block it is not called any more.
    """
    if every_s is None:
        yield
        return
    ended = threading.Event()
    started = clock()

    def copy_again_and_again() -> None:
        last: Snapshot | None = None
        number = 1
        while not ended.wait(max(0.0, started + number * every_s - clock())):
            number += 1
            with contextlib.suppress(OSError):
                last = _snapshot(attempt, clock() - started, last) or last
                if last is not None:
                    keep(last)

    thread = threading.Thread(target=copy_again_and_again, name="snapshots", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _snapshot(attempt: Path, after_s: float, last: Snapshot | None) -> Snapshot | None:
    """Copy the submission; an unchanged one is told without a second copy.

    Returns
    -------
    Snapshot or None
        None when there is none, or it was being written.
    """
    folder = attempt / FOLDER
    folder.mkdir(exist_ok=True)
    temporary, target = folder / ".copy", folder / f"{int(after_s):08d}s.csv"
    try:
        if not _copy(attempt / "submission", temporary):
            return None
        digest = sha256_file(temporary)
        if last is not None and last.sha256 == digest:
            return last.model_copy(update={"after_s": round(after_s, 3)})
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
    return Snapshot(
        path=target.relative_to(attempt).as_posix(), after_s=round(after_s, 3), sha256=digest
    )


def _copy(folder: Path, target: Path) -> bool:
    """Copy a regular file that nobody changes meanwhile; links are not followed."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
    above = os.open(folder, flags | os.O_DIRECTORY)
    try:
        source = os.open(_NAME, flags, dir_fd=above)
    except FileNotFoundError:
        return False
    finally:
        os.close(above)
    try:
        before = os.fstat(source)
        if not stat.S_ISREG(before.st_mode) or before.st_size > MAX_SUBMISSION_BYTES:
            return False
        with target.open("wb") as copy:
            while block := os.read(source, _BLOCK):
                copy.write(block)
        after = os.fstat(source)
        return (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns)
    finally:
        os.close(source)
