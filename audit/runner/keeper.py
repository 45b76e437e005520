"""Stands above an agent that has no sandbox, so that none of its processes gets away.

Run as a script by a bare interpreter: ``keeper.py PARENT PROGRAM ARGUMENT...``. Orphans of the
agent become its children, whatever they did to their session, group and environment. When the agent
ends, when it is told to end, or when the runner dies, it kills them all and ends as the agent did.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import sys
import time

_SET_PARENT_DEATH_SIGNAL, _SET_CHILD_SUBREAPER = 1, 36  # of linux/prctl.h


class _ToldToEnd(Exception):  # noqa: N818 - no error
    """The runner wants the end, or is dead."""


def _told(_number: int, _frame: object) -> None:
    raise _ToldToEnd


def _start(program: list[str]) -> int:
    """Start the agent in a session of its own: its ``kill 0`` is not for us."""
    child = os.fork()
    if child:
        return child
    try:
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
        os.execv(program[0], program)  # noqa: S606 - no shell is wanted
    except OSError as error:
        os.write(2, f"{program[0]}: {error}\n".encode())
    os._exit(127)


def _wait_for(child: int) -> int:
    while True:
        pid, status = os.wait()  # orphans are reaped on the way
        if pid == child:
            return status


def _children() -> list[int]:
    found = []
    for name in os.listdir("/proc"):  # noqa: PTH208 - pathlib would double the start-up time
        if name.isdigit():
            with contextlib.suppress(OSError, IndexError, ValueError):
                with open(f"/proc/{name}/stat", "rb") as stream:  # noqa: PTH123 - as above
                    fields = stream.read().rpartition(b")")[2].split()
                if int(fields[1]) == os.getpid():
                    found.append(int(name))
    return found


def _end_all() -> None:
    """Kill children until there are none; whose parent dies becomes a child and is next."""
    while True:
        for pid in _children():
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.002)


def _end_as(status: int) -> None:
    if os.WIFSIGNALED(status):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        number = os.WTERMSIG(status)
        with contextlib.suppress(OSError):  # SIGKILL and SIGSTOP have no handler
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {number})
        os.kill(os.getpid(), number)
    os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


def main() -> None:
    """Keep one agent."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    signal.signal(signal.SIGTERM, _told)
    system = ctypes.CDLL(None)
    system.prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    system.prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGTERM, 0, 0, 0)
    if os.getppid() != int(sys.argv[1]):  # the runner died before we asked to be told
        return
    status = signal.SIGTERM.value  # as the kernel writes "ended by this signal"
    try:
        child = _start(sys.argv[2:])
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
        status = _wait_for(child)
    except _ToldToEnd:
        pass
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    _end_all()
    _end_as(status)


if __name__ == "__main__":
    main()
