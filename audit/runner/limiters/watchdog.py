"""Looks at a process tree again and again, where no control group counts it."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING

from audit.runner.keeper import GONE, look_at, running, stop_all
from audit.runner.usage import used_by

if TYPE_CHECKING:
    from collections.abc import Mapping

    from audit.runner.keeper import Process
    from audit.runner.limiters.control_group import Resource

_PATIENCE_S = 10.0


class Watchdog:
    """Adds up what a process tree uses, and remembers whom it has seen.

    Parameters
    ----------
    limits : mapping
        What is watched and how much of it the whole tree may use: ``memory`` in bytes, ``pids`` in
        processes and threads; None means no limit.
    mark : str
        ``NAME=value`` in the environment of the tree, by which detached children are found again.
    """

    def __init__(self, limits: Mapping[Resource, int | None], mark: str) -> None:
        self._limits = limits
        self._mark = mark.encode()
        self._seen: dict[int, int] = {}  # when each was born: a number is given anew
        self._peak = 0
        # A bomb of forks wants all the processors, and whoever looks must get his turn before it.
        # Children do not inherit this. It takes a privilege; who has none gets `_brake`.
        with contextlib.suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_RR | os.SCHED_RESET_ON_FORK, os.sched_param(1))

    def exceeded(self, pid: int) -> set[Resource]:
        """Say of which resource there is too much in the tree below a process."""
        tree = self._tree(pid)
        most = self._limits.get("pids")
        # First, and alone: to look at the memory of a multitude takes longer than it takes to grow.
        if most is not None and sum(process.threads for process in tree.values()) > most:
            return {"pids"}
        if "memory" not in self._limits:
            return set()
        used = used_by(tree)
        self._peak = max(self._peak, used)
        limit = self._limits["memory"]
        return {"memory"} if limit is not None and used > limit else set()

    @property
    def peak_bytes(self) -> int | None:
        """The most memory that was seen in use at once."""
        return self._peak or None

    def pids(self) -> list[int]:
        """List those seen at the last look."""
        return list(self._seen)

    def stop(self, pid: int) -> None:
        """Stop all below a process, so that the tree cannot grow while it is killed."""
        stop_all({pid, *self._alive()}, pid, _PATIENCE_S)

    def kill(self) -> None:
        """Kill those seen, all below them, and those with the mark."""
        deadline = time.monotonic() + _PATIENCE_S
        while (left := {*self._alive(), *self._marked()}) and time.monotonic() < deadline:
            for pid in stop_all(left, patience_s=_PATIENCE_S):
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.02)

    def close(self) -> None:
        """Forget everybody."""
        self._seen.clear()
        with contextlib.suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))

    def _brake(self, root: int, there: int) -> None:
        """Let the kernel refuse processes well above the limit, where it counts the user's own."""
        if (most := self._limits.get("pids")) is not None:
            with contextlib.suppress(OSError, ValueError):
                bound = there + 2 * most
                resource.prlimit(root, resource.RLIMIT_NPROC, (bound, bound))

    def _tree(self, root: int) -> dict[int, Process]:
        """Look at all that descend from the root or from anybody seen before."""
        now = dict(running())
        if not self._seen:
            self._brake(root, sum(process.threads for process in now.values()))
        tree = {pid: now[pid] for pid in (root, *self._seen) if self._is_alive(pid, now.get(pid))}
        below: dict[int, list[int]] = {}
        for pid, process in now.items():
            below.setdefault(process.parent, []).append(pid)
        waiting = list(tree)
        while waiting:
            for child in below.get(waiting.pop(), ()):
                if child not in tree and now[child].state not in GONE:
                    tree[child] = now[child]
                    waiting.append(child)
        self._seen = {pid: process.born for pid, process in tree.items()}
        return tree

    def _is_alive(self, pid: int, process: Process | None) -> bool:
        if process is None or process.state in GONE:
            return False
        return self._seen.get(pid, process.born) == process.born

    def _alive(self) -> list[int]:
        return [pid for pid in self._seen if self._is_alive(pid, look_at(pid))]

    def _marked(self) -> list[int]:
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if self._mark in (folder / "environ").read_bytes().split(b"\x00"):
                    found.append(int(folder.name))
        return found
