"""Folders for as long as something runs; those of runners that were killed go at the next start."""

from __future__ import annotations

import contextlib
import fcntl
import os
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from audit.runner.remains import remove_tree

if TYPE_CHECKING:
    from collections.abc import Iterator

_PREFIX = "mle-audit-"
_FRESH_S = 60.0


@contextlib.contextmanager
def scratch_folder(what: str) -> Iterator[Path]:
    """Give a new folder that is gone after the block, whatever lies in it by then.

    A lock on the folder says that its owner lives: a process number would mean another process in
    another container.

    Parameters
    ----------
    what : str
        Part of its name.
    """
    prefix = f"{_PREFIX}{what}-"
    _sweep(prefix)
    folder = Path(tempfile.mkdtemp(prefix=prefix))
    held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield folder
    finally:
        remove_tree(folder)
        os.close(held)


def _sweep(prefix: str) -> None:
    for path in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
        with contextlib.suppress(OSError):
            if time.time() - path.lstat().st_mtime < _FRESH_S:
                continue  # perhaps its owner has not locked it yet
            held = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                if os.fstat(held).st_uid == os.getuid():
                    fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    remove_tree(path)
            finally:
                os.close(held)
