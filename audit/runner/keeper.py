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

TYPE_CHECKING = False  # the module typing would double the start-up time
if TYPE_CHECKING:
    from collections.abc import Container, Iterator

# States of processes: dead and not yet reaped; stopped, also by a debugger.
GONE, STANDING = (b"Z", b"X", b"x"), (b"T", b"t")
_SET_PARENT_DEATH_SIGNAL, _SET_CHILD_SUBREAPER = 1, 36  # of linux/prctl.h


class Process:
    """What the kernel says of a process in one line; a named tuple would cost start-up time.

    Parameters
    ----------
    state : bytes
        One letter, see proc(5).
    threads : int
        How many, at least 1.
    born : int
        Clock ticks from the start of the machine; with the number it names a process for good.
    """

    __slots__ = ("born", "parent", "state", "threads")

    def __init__(self, line: bytes) -> None:
        fields = line.rpartition(b")")[2].split()  # the name before may hold blanks and brackets
        self.state = fields[0]
        self.parent = int(fields[1])
        self.threads = int(fields[17])
        self.born = int(fields[19])


def look_at(pid: int) -> Process | None:
    """Read what is known of a process; None when there is none of this number."""
    try:
        descriptor = os.open(f"/proc/{pid}/stat", os.O_RDONLY)
    except OSError:
        return None
    try:
        return Process(os.read(descriptor, 4096))
    except (OSError, IndexError, ValueError):  # it ended meanwhile
        return None
    finally:
        os.close(descriptor)


def running(known: Container[int] = ()) -> Iterator[tuple[int, Process]]:
    """Yield number and state of all processes of the machine but those known already.

    Each is looked at when it is yielded, in the order of their numbers: what somebody starts while
    the caller works comes up later in the same round.
    """
    with os.scandir("/proc") as entries:
        for entry in entries:
            if entry.name.isdigit() and (pid := int(entry.name)) not in known:
                process = look_at(pid)
                if process is not None:
                    yield pid, process


def stop_below(roots: set[int], patience_s: float = float("inf")) -> set[int]:
    """Stop all descendants of some processes, however fast they multiply, and name them.

    A bomb of forks outruns who kills one after the other: its parents die, its children go on. What
    is stopped neither forks nor dies, so each round finds fewer that are new. A process that is in
    the middle of a fork finishes it first, so all must be seen to stand still.
    """
    told: set[int] = set()
    deadline = time.monotonic() + patience_s
    while time.monotonic() < deadline:
        before = len(told)
        for pid, process in running(told):
            is_ours = process.parent in roots or process.parent in told
            if is_ours and pid not in roots and process.state not in GONE:
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGSTOP)
                told.add(pid)
        if len(told) == before:
            if all(_stands(pid) for pid in told):
                break
            time.sleep(0.001)
    return told


def _stands(pid: int) -> bool:
    process = look_at(pid)
    return process is None or process.state in GONE or process.state in STANDING


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


def _end_all() -> None:
    """Stop and kill all that descends from us, until there is nothing."""
    while True:
        for pid in stop_below({os.getpid()}):
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
