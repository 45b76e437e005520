"""The process of a server beside an attempt: asleep until somebody asks, gone when its runner is.

Run as a script by a bare interpreter, with its settings on standard input. Whoever does not ask
pays for this file alone: all else is loaded when the first connection comes.
"""

from __future__ import annotations

import ctypes
import json
import os
import select
import signal
import sys

_SET_PARENT_DEATH_SIGNAL = 1  # of linux/prctl.h


def _end(number: int, _frame: object) -> None:
    raise SystemExit(128 + number)


def main() -> None:
    """Serve until the runner is dead or ends us, and leave no folder behind."""
    signal.signal(signal.SIGTERM, _end)
    settings = json.load(sys.stdin)
    ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGTERM, 0, 0, 0)
    try:
        if os.getppid() != settings["parent"]:  # the runner died before we asked to be told
            return
        select.select([settings["listener"]], [], [])
        sys.path[:] = settings["path"]  # the runner's own, since this interpreter is bare
        from importlib import import_module

        import_module(settings["server"]).serve(settings)
    finally:
        import shutil

        shutil.rmtree(settings["folder"], ignore_errors=True)


if __name__ == "__main__":
    main()
