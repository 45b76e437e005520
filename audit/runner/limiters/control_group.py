"""Control groups of Linux, version 1 and 2: made, entered, asked and removed."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

Version = Literal["cgroup-v2", "cgroup-v1"]
Resource = Literal["memory", "pids"]

_PREFIX = "mle-audit-"
# The child enters the group before it becomes the agent, so nothing is ever outside of it.
_ENTER = 'echo $$ > "$1" && shift && exec "$@"'
_SHELL = "/bin/sh"


class ControlGroup:
    """A control group of its own for one attempt.

    Parameters
    ----------
    folder : Path
        The group's folder; it was made by `make_group`.
    resources : collection of {"memory", "pids"}
        What the group limits.
    """

    def __init__(self, version: Version, folder: Path, resources: frozenset[Resource]) -> None:
        self.version = version
        self.folder = folder
        self.resources = resources
        self._peak: int | None = None
        self._was_refused: bool | None = None

    def wrap(self, argv: Sequence[str]) -> list[str]:
        """Return a command that enters the group first."""
        return [_SHELL, "-c", _ENTER, "sh", str(self.folder / "cgroup.procs"), *argv]

    def exceeded(self) -> set[Resource]:
        """Say of which resource there was too much."""
        found: set[Resource] = set()
        if "memory" in self.resources and self._was_killed():
            found.add("memory")
        if "pids" in self.resources:
            refused = self._is_refused() if self._was_refused is None else self._was_refused
            found |= {"pids"} if refused else set()
        return found

    def _was_killed(self) -> bool:
        """Whether the kernel has killed a process of the group for want of memory."""
        name = "memory.events" if self.version == "cgroup-v2" else "memory.oom_control"
        return _number(self.folder / name, "oom_kill") > 0

    def _is_refused(self) -> bool:
        """Whether the kernel has refused the group a process or thread."""
        return _number(self.folder / "pids.events", "max") > 0

    @property
    def peak_bytes(self) -> int | None:
        """The most memory that was used at once; `memory.peak` needs Linux 5.19."""
        name = "memory.peak" if self.version == "cgroup-v2" else "memory.max_usage_in_bytes"
        text = _read(self.folder / name).strip()
        return int(text) if text.isdigit() else self._peak

    def pids(self) -> list[int]:
        """List the processes in the group."""
        return [int(line) for line in _read(self.folder / "cgroup.procs").split()]

    def stop(self) -> None:
        """Refuse further processes, so that the group cannot grow while it is killed."""
        if "pids" in self.resources and self._was_refused is None:
            # What we refuse from here on is no limit that the agent has reached.
            self._was_refused = self._is_refused()
            with contextlib.suppress(OSError):
                _write(self.folder / "pids.max", "0")

    def kill(self) -> None:
        """Kill all in the group; repeated where a process may fork while we read the list."""
        deadline = time.monotonic() + 10
        while pids := self.pids():
            for pid in pids:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            if time.monotonic() > deadline:
                break
            time.sleep(0.01)

    def close(self) -> None:
        """Remove the group; the kernel says busy until the last process is reaped."""
        self._peak = self.peak_bytes
        deadline = time.monotonic() + 5
        while self.folder.is_dir() and time.monotonic() < deadline:
            try:
                self.folder.rmdir()
            except OSError:
                self.kill()
                time.sleep(0.02)


def make_group(version: Version, limits: Mapping[Resource, int | None]) -> ControlGroup | None:
    """Make a group with these limits that a process can enter; None where there is none to be had.

    Parameters
    ----------
    limits : mapping
        Bytes of memory, number of processes and threads; None means no limit.
    """
    for parent in _parents(version, next(iter(limits))):
        _sweep(parent)
        folder = _make_folder(version, parent, limits)
        if folder is not None:
            return ControlGroup(version, folder, frozenset(limits))
    return None


def _parents(version: Version, resource: Resource) -> Iterator[Path]:
    """Yield where a group may be made: below our own one first, then further up."""
    for line in _read(Path("/proc/self/mountinfo")).splitlines():
        left, _, right = line.partition(" - ")
        root, mount = left.split()[3:5]
        filesystem, _, *options = right.split()
        if version == "cgroup-v2" and filesystem != "cgroup2":
            continue
        if version == "cgroup-v1" and (
            filesystem != "cgroup" or resource not in options[-1].split(",")
        ):
            continue
        own = Path(mount) / _own_path(version, resource).removeprefix(root).lstrip("/")
        inside = [own, *own.parents]
        yield from (p for p in inside if p.is_dir() and p.is_relative_to(mount))


def _own_path(version: Version, resource: Resource) -> str:
    for line in _read(Path("/proc/self/cgroup")).splitlines():
        number, controllers, path = line.split(":", 2)
        if version == "cgroup-v2" and number == "0" and not controllers:
            return path
        if version == "cgroup-v1" and resource in controllers.split(","):
            return path
    return "/"


def _make_folder(
    version: Version, parent: Path, limits: Mapping[Resource, int | None]
) -> Path | None:
    folder = parent / f"{_PREFIX}{os.getpid()}-{os.urandom(6).hex()}"
    try:
        folder.mkdir()
    except OSError:
        return None
    try:
        for resource, most in limits.items():
            _LIMIT[version, resource](folder, most)
        enter = [_SHELL, "-c", _ENTER, "sh", str(folder / "cgroup.procs"), "/bin/true"]
        subprocess.run(enter, check=True, capture_output=True, env={})  # noqa: S603 - fixed words
    except (OSError, subprocess.CalledProcessError):
        with contextlib.suppress(OSError):
            folder.rmdir()
        return None
    return folder


def _limit_memory_v2(folder: Path, most: int | None) -> None:
    # Without the controller these files do not exist and opening them fails, as it should.
    _write(folder / "memory.max", "max" if most is None else str(most))
    _write(folder / "memory.oom.group", "1")
    with contextlib.suppress(OSError):  # kernels without swap accounting have no such file
        _write(folder / "memory.swap.max", "0")


def _limit_memory_v1(folder: Path, most: int | None) -> None:
    _write(folder / "memory.limit_in_bytes", "-1" if most is None else str(most))
    if most is not None:
        with contextlib.suppress(OSError):  # kernels without swap accounting have no such file
            _write(folder / "memory.memsw.limit_in_bytes", str(most))


def _limit_processes(folder: Path, most: int | None) -> None:
    _write(folder / "pids.max", "max" if most is None else str(most))


_LIMIT = {
    ("cgroup-v2", "memory"): _limit_memory_v2,
    ("cgroup-v1", "memory"): _limit_memory_v1,
    ("cgroup-v2", "pids"): _limit_processes,
    ("cgroup-v1", "pids"): _limit_processes,
}


def _sweep(parent: Path) -> None:
    """Remove empty groups whose runner is gone, as after ``kill -9``."""
    for folder in parent.glob(f"{_PREFIX}*-*"):
        pid = folder.name.removeprefix(_PREFIX).partition("-")[0]
        if pid.isdigit() and not Path(f"/proc/{pid}").exists():
            with contextlib.suppress(OSError):
                folder.rmdir()


def _number(path: Path, key: str) -> int:
    """Read one number of a file of keys and numbers; 0 where it is not."""
    for line in _read(path).splitlines():
        name, _, value = line.partition(" ")
        if name == key:
            return int(value)
    return 0


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
