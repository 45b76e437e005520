"""Run one command under its limits, keep its output, and end its whole process tree."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from audit.runner.limits import show_size
from audit.runner.output import Capture

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from audit.runner.limits import Limits
    from audit.runner.memory import MemoryLimiter

_POLL_S = 0.05
_PATIENCE_S = 5.0

Status = Literal[
    "finished",
    "timed_out",
    "memory_limit",
    "process_limit",
    "disk_limit",
    "output_limit",
    "interrupted",
    "killed",
    "crashed",
]


@dataclass(frozen=True)
class Command:
    """A command that is ready to start.

    Parameters
    ----------
    argv : tuple of str
        Program and arguments.
    env : mapping
        The whole environment; nothing of ours is added.
    cwd : Path
        Where it starts.
    descriptors : tuple of int
        Open files it inherits beside its output; everything else is closed.
    ends_its_own : bool
        True when SIGTERM makes it end all its processes, as `audit.runner.keeper` does.
    """

    argv: tuple[str, ...]
    env: Mapping[str, str]
    cwd: Path
    descriptors: tuple[int, ...] = ()
    ends_its_own: bool = False


@dataclass(frozen=True)
class Ending:
    """How a command ended.

    Parameters
    ----------
    status : str
        ``finished`` only for exit code 0; ``killed`` when a signal from elsewhere ended it,
        ``interrupted`` when the runner was told to end.
    limit_hit : str or None
        Which limit, in words.
    """

    status: Status
    exit_code: int | None
    peak_memory_bytes: int | None
    limit_hit: str | None = None


def supervise(
    command: Command,
    log: Path,
    limits: Limits,
    memory: MemoryLimiter,
    *,
    clock: Callable[[], float] = time.monotonic,
    must_end: Callable[[], str | None] = lambda: None,
) -> Ending:
    """Run a command to its end or to a limit; afterwards none of its processes is alive.

    Parameters
    ----------
    log : Path
        Where its output is appended, up to ``limits.log_bytes``.
    memory : MemoryLimiter
        Made for this command alone; it is closed here.
    must_end : callable
        Asked again and again; says why the command must end before its time, or None.

    Raises
    ------
    OSError
        When the program cannot be started.
    """
    status: Status | None = None
    try:
        process = _start(command, memory)
        assert process.stdout is not None  # noqa: S101 - it was asked for
        capture = Capture(process.stdout, log, limits.log_bytes)
        try:
            status = _watch(process, limits, memory, clock, must_end)
        finally:
            if command.ends_its_own:
                _ask_to_end(process)
            _kill_tree(process, memory)
            capture.finish()
        # The kernel may have killed the biggest process in the very last moment.
        if status is None and memory.exceeded(process.pid):
            status = "memory_limit"
        peak = memory.peak_bytes
    finally:
        memory.close()
    ending = _ending(status, process.returncode, peak, limits)
    # Whoever ends the runner may have ended the agent by the same signal, a moment earlier.
    if (why := must_end()) and (status == "interrupted" or ending.exit_code):
        return Ending("interrupted", None, peak, why)
    if capture.problem and ending.limit_hit is None:  # the log may have no room to say it
        return replace(ending, limit_hit=f"output was lost: {capture.problem}")
    return ending


def _start(command: Command, memory: MemoryLimiter) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603 - running the agent is the purpose
        memory.wrap(command.argv),
        env=dict(command.env),
        cwd=command.cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        pass_fds=command.descriptors,
        start_new_session=True,
    )


def _watch(
    process: subprocess.Popen[bytes],
    limits: Limits,
    memory: MemoryLimiter,
    clock: Callable[[], float],
    must_end: Callable[[], str | None],
) -> Status | None:
    """Wait; say why it must end, or None when the command ended by itself."""
    deadline = clock() + limits.wall_clock_s
    while True:
        if memory.exceeded(process.pid):
            return "memory_limit"
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=_POLL_S)
            return None
        if clock() > deadline:
            return "timed_out"
        if must_end() is not None:
            return "interrupted"


def _ask_to_end(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError, subprocess.TimeoutExpired):
        process.terminate()
        process.wait(timeout=_PATIENCE_S)


def _kill_tree(process: subprocess.Popen[bytes], memory: MemoryLimiter) -> None:
    """Kill what is left: the process group first, then whatever has left the group."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    memory.kill()
    process.wait()


def _ending(status: Status | None, code: int, peak: int | None, limits: Limits) -> Ending:
    if status == "timed_out":
        return Ending(status, None, peak, f"wall clock of {limits.wall_clock_s:g} s")
    if status == "memory_limit":
        size = show_size(limits.memory_bytes) if limits.memory_bytes else "the machine"
        return Ending(status, None, peak, f"memory of {size}")
    if code < 0:
        return Ending("killed", code, peak, f"signal {-code}")
    return Ending("finished" if code == 0 else "crashed", code, peak)
