"""Who watches an attempt's memory and knows its processes: a control group, or we ourselves.

A control group counts the whole tree exactly, page cache and shared memory too, and names every
process however it detached itself. Where none can be made, the watchdog sums over the tree.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from audit.runner.usage import used_by

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Kind = Literal["cgroup-v2", "cgroup-v1", "watchdog"]
KINDS: tuple[Kind, ...] = ("cgroup-v2", "cgroup-v1", "watchdog")

_PREFIX = "mle-audit-"
# The child enters the group before it becomes the agent, so nothing is ever outside of it.
_ENTER = 'echo $$ > "$1" && shift && exec "$@"'
_SHELL = "/bin/sh"


class MemoryLimiter(Protocol):
    """Counts, limits and ends the processes of one attempt."""

    kind: Kind

    def wrap(self, argv: Sequence[str]) -> list[str]:
        """Return a command that is watched from its first instruction."""

    def exceeded(self, pid: int) -> bool:
        """Say whether the limit was hit; called again and again while the attempt runs."""

    @property
    def peak_bytes(self) -> int | None:
        """The most memory that was used at once, as far as known."""

    def kill(self) -> None:
        """Kill every process that is still there, and come back when none is."""

    def close(self) -> None:
        """Leave nothing behind."""


class ControlGroup:
    """A control group of its own for one attempt, version 1 or 2.

    Parameters
    ----------
    folder : Path
        The group's folder; it was made by `_make_group`.
    """

    def __init__(self, kind: Literal["cgroup-v2", "cgroup-v1"], folder: Path) -> None:
        self.kind: Kind = kind
        self.folder = folder
        self._peak: int | None = None

    def wrap(self, argv: Sequence[str]) -> list[str]:
        """See `MemoryLimiter.wrap`."""
        return [_SHELL, "-c", _ENTER, "sh", str(self.folder / "cgroup.procs"), *argv]

    def exceeded(self, pid: int) -> bool:  # noqa: ARG002 - the group knows its processes
        """See `MemoryLimiter.exceeded`: the kernel has killed a process of the group."""
        name = "memory.events" if self.kind == "cgroup-v2" else "memory.oom_control"
        for line in _read(self.folder / name).splitlines():
            key, _, value = line.partition(" ")
            if key == "oom_kill":
                return int(value) > 0
        return False

    @property
    def peak_bytes(self) -> int | None:
        """See `MemoryLimiter.peak_bytes`; `memory.peak` needs Linux 5.19."""
        name = "memory.peak" if self.kind == "cgroup-v2" else "memory.max_usage_in_bytes"
        text = _read(self.folder / name).strip()
        return int(text) if text.isdigit() else self._peak

    def pids(self) -> list[int]:
        """List the processes in the group."""
        return [int(line) for line in _read(self.folder / "cgroup.procs").split()]

    def kill(self) -> None:
        """See `MemoryLimiter.kill`; repeated, since a process may fork while we read the list."""
        deadline = time.monotonic() + 10
        while pids := self.pids():
            for pid in pids:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            if time.monotonic() > deadline:
                break
            time.sleep(0.01)

    def close(self) -> None:
        """See `MemoryLimiter.close`; the kernel says busy until the last process is reaped."""
        self._peak = self.peak_bytes
        deadline = time.monotonic() + 5
        while self.folder.is_dir() and time.monotonic() < deadline:
            try:
                self.folder.rmdir()
            except OSError:
                self.kill()
                time.sleep(0.02)


class Watchdog:
    """Sums the memory of a process tree by looking at it, and remembers whom it has seen.

    Parameters
    ----------
    limit : int or None
        Bytes for the whole tree.
    mark : str
        ``NAME=value`` in the environment of the tree, by which detached children are found again.
    """

    kind: Kind = "watchdog"

    def __init__(self, limit: int | None, mark: str) -> None:
        self.limit = limit
        self.mark = mark.encode()
        self._seen: dict[int, float] = {}
        self._peak = 0

    def wrap(self, argv: Sequence[str]) -> list[str]:
        """See `MemoryLimiter.wrap`."""
        return list(argv)

    def exceeded(self, pid: int) -> bool:
        """See `MemoryLimiter.exceeded`."""
        used = used_by(self._tree(pid))
        self._peak = max(self._peak, used)
        return self.limit is not None and used > self.limit

    @property
    def peak_bytes(self) -> int | None:
        """See `MemoryLimiter.peak_bytes`."""
        return self._peak or None

    def kill(self) -> None:
        """See `MemoryLimiter.kill`: children of those seen, those seen, and those with the mark."""
        deadline = time.monotonic() + 5
        while (alive := [*self._alive(), *self._marked()]) and time.monotonic() < deadline:
            for pid in alive:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.02)

    def close(self) -> None:
        """See `MemoryLimiter.close`."""
        self._seen.clear()

    def _tree(self, root: int) -> list[int]:
        import psutil

        for pid in [root, *self._alive()]:
            with contextlib.suppress(psutil.Error):
                process = psutil.Process(pid)
                for member in [process, *process.children(recursive=True)]:
                    with contextlib.suppress(psutil.Error):
                        self._seen[member.pid] = member.create_time()
        return self._alive()

    def _alive(self) -> list[int]:
        """List those seen that still run; a number that was given anew is another process."""
        import psutil

        alive = []
        for pid, born in self._seen.items():
            with contextlib.suppress(psutil.Error):
                process = psutil.Process(pid)
                if process.create_time() == born and process.status() != psutil.STATUS_ZOMBIE:
                    alive.append(pid)
        return alive

    def _marked(self) -> list[int]:
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if self.mark in (folder / "environ").read_bytes().split(b"\x00"):
                    found.append(int(folder.name))
        return found


def choose(limit: int | None, mark: str, allowed: Sequence[Kind] = KINDS) -> MemoryLimiter:
    """Make the best limiter this machine allows.

    Parameters
    ----------
    limit : int or None
        Bytes for the whole process tree.
    mark : str
        See `Watchdog`.
    allowed : sequence of {"cgroup-v2", "cgroup-v1", "watchdog"}
        Which may be used.
    """
    for kind in ("cgroup-v2", "cgroup-v1"):
        for parent in _parents(kind) if kind in allowed else ():
            _sweep(parent)
            folder = _make_group(kind, parent, limit)
            if folder is not None:
                return ControlGroup(kind, folder)
    return Watchdog(limit, mark)


def _parents(kind: Literal["cgroup-v2", "cgroup-v1"]) -> Iterator[Path]:
    """Yield where a group may be made: below our own one first, then further up."""
    for line in _read(Path("/proc/self/mountinfo")).splitlines():
        left, _, right = line.partition(" - ")
        root, mount = left.split()[3:5]
        filesystem, _, *options = right.split()
        if kind == "cgroup-v2" and filesystem != "cgroup2":
            continue
        if kind == "cgroup-v1" and (
            filesystem != "cgroup" or "memory" not in options[-1].split(",")
        ):
            continue
        own = Path(mount) / _own_path(kind).removeprefix(root).lstrip("/")
        inside = [own, *own.parents]
        yield from (p for p in inside if p.is_dir() and p.is_relative_to(mount))


def _own_path(kind: str) -> str:
    for line in _read(Path("/proc/self/cgroup")).splitlines():
        number, controllers, path = line.split(":", 2)
        if kind == "cgroup-v2" and number == "0" and not controllers:
            return path
        if kind == "cgroup-v1" and "memory" in controllers.split(","):
            return path
    return "/"


def _make_group(
    kind: Literal["cgroup-v2", "cgroup-v1"], parent: Path, limit: int | None
) -> Path | None:
    """Make a group with its limit and see that a process can enter it; None when it cannot be."""
    folder = parent / f"{_PREFIX}{os.getpid()}-{os.urandom(6).hex()}"
    try:
        folder.mkdir()
    except OSError:
        return None
    try:
        if kind == "cgroup-v2":
            _limit_v2(folder, limit)
        else:
            _limit_v1(folder, limit)
        enter = [_SHELL, "-c", _ENTER, "sh", str(folder / "cgroup.procs"), "/bin/true"]
        subprocess.run(enter, check=True, capture_output=True, env={})  # noqa: S603 - fixed words
    except (OSError, subprocess.CalledProcessError):
        with contextlib.suppress(OSError):
            folder.rmdir()
        return None
    return folder


def _limit_v2(folder: Path, limit: int | None) -> None:
    # Without the controller these files do not exist and opening them fails, as it should.
    _write(folder / "memory.max", "max" if limit is None else str(limit))
    _write(folder / "memory.oom.group", "1")
    with contextlib.suppress(OSError):  # kernels without swap accounting have no such file
        _write(folder / "memory.swap.max", "0")


def _limit_v1(folder: Path, limit: int | None) -> None:
    _write(folder / "memory.limit_in_bytes", "-1" if limit is None else str(limit))
    if limit is not None:
        with contextlib.suppress(OSError):  # kernels without swap accounting have no such file
            _write(folder / "memory.memsw.limit_in_bytes", str(limit))


def _sweep(parent: Path) -> None:
    """Remove empty groups whose runner is gone, as after ``kill -9``."""
    for folder in parent.glob(f"{_PREFIX}*-*"):
        pid = folder.name.removeprefix(_PREFIX).partition("-")[0]
        if pid.isdigit() and not Path(f"/proc/{pid}").exists():
            with contextlib.suppress(OSError):
                folder.rmdir()


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _write(path: Path, text: str) -> None:
    # Not Path.write_text: creating the file must fail where the kernel did not make it.
    descriptor = os.open(path, os.O_WRONLY)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)
