"""A lock that the kernel drops with its holder, and that nothing in its place can block."""

from __future__ import annotations

import contextlib
import fcntl
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# An agent without a sandbox may have put a link or a pipe where a lock is.
_FLAGS = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK


@contextlib.contextmanager
def locked(path: Path, *, wait: bool) -> Iterator[bool]:
    """Hold a lock file for as long as the block runs; the file stays.

    Yields
    ------
    bool
        False when another process holds it, and `wait` is false.

    Raises
    ------
    OSError
        When no such file can be opened, or a link is in its place.
    """
    held = os.open(path, _FLAGS, 0o644)
    try:
        try:
            fcntl.flock(held, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True
    finally:
        os.close(held)
