"""Run one command under its limits, keep its output, and end its whole process tree."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from audit.runner.disk import DiskWatch
from audit.runner.output import Capture
from competitions.disk import size_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from audit.runner.limiters import Limiter
    from audit.runner.limits import Limits
    from detectors.record import ExitStatus


_POLL_S = 0.05
_PATIENCE_S = 10.0
_BY_SIGNAL, _SIGNALS = 128, 64


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
    home : Path or None
        A folder on disk it may write to beside those of the contract.
    """

    argv: tuple[str, ...]
    env: Mapping[str, str]
    cwd: Path
    descriptors: tuple[int, ...] = ()
    ends_its_own: bool = False
    home: Path | None = None


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

    status: ExitStatus
    exit_code: int | None
    peak_memory_bytes: int | None
    limit_hit: str | None = None


class _Hit(NamedTuple):
    """Why a command must end, and which limit that is in words."""

    status: ExitStatus
    words: str | None = None


@dataclass(frozen=True)
class _Guards:
    """All that watches one command."""

    limits: Limits
    limiter: Limiter
    capture: Capture
    disk: DiskWatch

    def hit(self, pid: int) -> _Hit | None:
        """Say which limit was hit; asked again and again."""
        if status := self.limiter.exceeded(pid):
            return _Hit(status, self._words(status))
        if self.capture.is_too_much:
            return _Hit("output_limit", self._words("output_limit"))
        words = self.disk.exceeded
        return _Hit("disk_limit", words) if words else None

    def _words(self, status: ExitStatus) -> str:
        limits = self.limits
        if status == "memory_limit":
            return f"memory of {_size(limits.memory_bytes)}"
        if status == "output_limit":
            return f"output of {_size(limits.output_bytes)}"
        return f"{limits.processes or 'all'} processes and threads"


def supervise(  # noqa: PLR0913 - each is one thing it needs, most have a default
    command: Command,
    log: Path,
    limits: Limits,
    limiter: Limiter,
    *,
    folders: Mapping[str, Path] | None = None,
    clock: Callable[[], float] = time.monotonic,
    must_end: Callable[[], str | None] = lambda: None,
) -> Ending:
    """Run a command to its end or to a limit; afterwards none of its processes is alive.

    Parameters
    ----------
    log : Path
        Where its output is appended, up to ``limits.log_bytes``.
    limiter : Limiter
        Made for this command alone; it is closed here.
    folders : mapping of str to Path, optional
        Those on disk it may write to, by names for a reader; ``limits.disk_bytes`` is theirs.
    must_end : callable
        Asked again and again; says why the command must end before its time, or None.

    Raises
    ------
    OSError
        When the program cannot be started.
    """
    hit: _Hit | None = None
    watched = {**(folders or {}), **({"HOME": command.home} if command.home else {})}
    disk = DiskWatch(watched, limits.disk_bytes, limiter.pids)
    try:
        process = _start(command, limiter)
        assert process.stdout is not None  # noqa: S101 - it was asked for
        capture = Capture(process.stdout, log, limits.log_bytes, limits.output_bytes)
        guards = _Guards(limits, limiter, capture, disk)
        try:
            hit = _watch(process, guards, clock, must_end)
        finally:
            limiter.stop(process.pid)
            if command.ends_its_own:
                _ask_to_end(process)
            _kill_tree(process, limiter)
            capture.finish()
        if hit is None:  # it may have happened in the very last moment, or just before the end
            disk.finish()
            hit = guards.hit(process.pid)
        peak = limiter.peak_bytes
    finally:
        disk.close()
        limiter.close()
    ending = _ending(hit, process.returncode, peak)
    # Whoever ends the runner may have ended the agent by the same signal, a moment earlier.
    if (why := must_end()) and (ending.status == "interrupted" or ending.exit_code):
        return Ending("interrupted", None, peak, why)
    if capture.problem and ending.limit_hit is None:  # the log may have no room to say it
        return replace(ending, limit_hit=f"output was lost: {capture.problem}")
    return ending


def _size(limit: int | None) -> str:
    return size_text(limit) if limit else "the machine"


def _start(command: Command, limiter: Limiter) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(  # noqa: S603 - running the agent is the purpose
        limiter.wrap(command.argv),
        env=dict(command.env),
        cwd=command.cwd,
        # An empty pipe: by a descriptor of /dev/null, root's agent could change it for all.
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        pass_fds=command.descriptors,
        start_new_session=True,
    )
    assert process.stdin is not None  # noqa: S101 - it was asked for
    process.stdin.close()
    return process


def _watch(
    process: subprocess.Popen[bytes],
    guards: _Guards,
    clock: Callable[[], float],
    must_end: Callable[[], str | None],
) -> _Hit | None:
    """Wait; say why it must end, or None when the command ended by itself."""
    wall_clock_s = guards.limits.wall_clock_s
    deadline = clock() + wall_clock_s
    while True:
        if hit := guards.hit(process.pid):
            return hit
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=_POLL_S)
            return None
        if clock() > deadline:
            return _Hit("timed_out", f"wall clock of {wall_clock_s:g} s")
        if must_end() is not None:
            return _Hit("interrupted")


def _ask_to_end(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError, subprocess.TimeoutExpired):
        process.terminate()
        process.wait(timeout=_PATIENCE_S)


def _kill_tree(process: subprocess.Popen[bytes], limiter: Limiter) -> None:
    """Kill what is left: the process group first, then whatever has left the group."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    limiter.kill()
    process.wait()


def _ending(hit: _Hit | None, code: int, peak: int | None) -> Ending:
    if hit is not None:
        return Ending(hit.status, None, peak, hit.words)
    if code < 0:
        return Ending("killed", code, peak, f"signal {-code}")
    if _BY_SIGNAL < code <= _BY_SIGNAL + _SIGNALS:  # as shells and bubblewrap tell of a signal
        return Ending("killed", code, peak, f"signal {code - _BY_SIGNAL}")
    return Ending("finished" if code == 0 else "crashed", code, peak)
