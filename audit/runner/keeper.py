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
_RESERVED = 300  # numbers below are given at the machine's start alone
_SET_PARENT_DEATH_SIGNAL, _SET_CHILD_SUBREAPER = 1, 36  # of linux/prctl.h
# Who waits in vfork(2) for a child that is stopped never stands still: SIGKILL alone wakes him.
_QUIET_ROUNDS = 100


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
    """Yield number and state of all processes of the machine but those known already."""
    with os.scandir("/proc") as entries:
        for entry in entries:
            if entry.name.isdigit() and (pid := int(entry.name)) not in known:
                process = look_at(pid)
                if process is not None:
                    yield pid, process


def _last_number() -> int:
    """Return the number that was given to a process or thread last."""
    with open("/proc/loadavg", "rb") as stream:  # noqa: PTH123 - pathlib would double the start-up
        return int(stream.read().split()[-1])


def _newborn(mark: int, deadline: float) -> Iterator[int]:
    """Yield all numbers given since another one, until no more are given."""
    with open("/proc/sys/kernel/pid_max", "rb") as stream:  # noqa: PTH123 - as above
        end = int(stream.read())
    while (last := _last_number()) != mark and time.monotonic() < deadline:
        if last < mark:  # they begin anew
            yield from range(mark + 1, end)
            mark = _RESERVED - 1
        yield from range(mark + 1, last + 1)
        mark = last


def stop_all(roots: set[int], spared: int = 0, patience_s: float = float("inf")) -> set[int]:
    """Stop some processes and all their descendants, save one, and name those that were stopped.

    A bomb of forks outruns who kills one after the other: its parents die, its children go on. What
    is stopped neither forks nor dies. After each look at all, only the newborn are looked at, which
    is faster than they are made. A process in the middle of a fork finishes it first, so the last
    look begins when all are seen to stand still.
    """
    told: set[int] = set()
    quiet = 0
    deadline = time.monotonic() + patience_s

    def tell(pid: int, process: Process) -> None:
        is_ours = pid in roots or process.parent in roots or process.parent in told
        if is_ours and pid != spared and process.state not in GONE:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGSTOP)
            told.add(pid)

    while time.monotonic() < deadline:
        stand, before, mark = all(_stands(pid) for pid in told), len(told), _last_number()
        for pid, process in running(told):
            tell(pid, process)
        for pid in _newborn(mark, deadline):
            if pid not in told and (newborn := look_at(pid)):
                tell(pid, newborn)
        quiet = quiet + 1 if len(told) == before else 0
        if quiet:
            if stand or quiet > _QUIET_ROUNDS:
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
        with contextlib.suppress(OSError, ValueError):  # no core dump, see `audit.runner.relay`
            resource.setrlimit(resource.RLIMIT_CORE, (1, 1))
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
        for pid in stop_all({os.getpid()}, os.getpid()):
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
