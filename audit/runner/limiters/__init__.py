"""Who watches an attempt's memory and processes: control groups, or we ourselves.

A control group counts the whole tree exactly, page cache and shared memory too, refuses what is too
much, and names every process however it detached itself. What no group can be made for, a watchdog
adds up over the tree, many times a second.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from audit.runner.limiters.control_group import make_group
from audit.runner.limiters.watchdog import Watchdog

if TYPE_CHECKING:
    from collections.abc import Sequence

    from audit.runner.limiters.control_group import ControlGroup, Resource, Version
    from audit.runner.limits import Limits

Kind = Literal["cgroup-v2", "cgroup-v1", "watchdog"]
KINDS: tuple[Kind, ...] = ("cgroup-v2", "cgroup-v1", "watchdog")
Hit = Literal["memory_limit", "process_limit"]

# Version 2 has one hierarchy for all, version 1 one for each.
_TOGETHER: dict[Version, tuple[tuple[Resource, ...], ...]] = {
    "cgroup-v2": (("memory", "pids"), ("memory",), ("pids",)),
    "cgroup-v1": (("memory",), ("pids",)),
}


class Limiter:
    """Counts, limits and ends the processes of one attempt.

    Parameters
    ----------
    groups : sequence of ControlGroup
        At most one for each resource.
    watchdog : Watchdog or None
        For what no group counts.
    """

    def __init__(self, groups: Sequence[ControlGroup], watchdog: Watchdog | None) -> None:
        self.groups = groups
        self.watchdog = watchdog

    def _kind(self, resource: Resource) -> Kind:
        return next((g.version for g in self.groups if resource in g.resources), "watchdog")

    @property
    def memory_kind(self) -> Kind:
        """What watches memory."""
        return self._kind("memory")

    @property
    def process_kind(self) -> Kind:
        """What watches the number of processes and threads."""
        return self._kind("pids")

    def wrap(self, argv: Sequence[str]) -> list[str]:
        """Return a command that is watched from its first instruction."""
        for group in self.groups:
            argv = group.wrap(argv)
        return list(argv)

    def exceeded(self, pid: int) -> Hit | None:
        """Say which limit was hit; called again and again while the attempt runs.

        Parameters
        ----------
        pid : int
            The process that was started.
        """
        hit: set[Resource] = set()
        for group in self.groups:
            hit |= group.exceeded()
        if not hit and self.watchdog:
            hit = self.watchdog.exceeded(pid)
        if "memory" in hit:
            return "memory_limit"
        return "process_limit" if hit else None

    @property
    def peak_bytes(self) -> int | None:
        """The most memory that was used at once, as far as known."""
        for group in self.groups:
            if "memory" in group.resources:
                return group.peak_bytes
        return self.watchdog.peak_bytes if self.watchdog else None

    def pids(self) -> list[int]:
        """List the attempt's processes, as far as known."""
        if self.groups:
            return self.groups[0].pids()
        return self.watchdog.pids() if self.watchdog else []

    def stop(self, pid: int) -> None:
        """See to it that the tree below a process grows no more."""
        for group in self.groups:
            group.stop()
        if self.watchdog:
            self.watchdog.stop(pid)

    def kill(self) -> None:
        """Kill every process that is still there, and come back when none is."""
        for group in self.groups:
            group.kill()
        if self.watchdog:
            self.watchdog.kill()

    def close(self) -> None:
        """Leave nothing behind; twice does no harm."""
        for group in self.groups:
            group.close()
        if self.watchdog:
            self.watchdog.close()


def choose(limits: Limits, mark: str, allowed: Sequence[Kind] = KINDS) -> Limiter:
    """Make the best limiter this machine allows.

    Parameters
    ----------
    limits : Limits
        Of the whole process tree; what has no limit is counted all the same.
    mark : str
        See `Watchdog`.
    allowed : sequence of {"cgroup-v2", "cgroup-v1", "watchdog"}
        Which may be used.
    """
    left: dict[Resource, int | None] = {"memory": limits.memory_bytes, "pids": limits.processes}
    groups = []
    for version, ways in _TOGETHER.items():
        for resources in ways if version in allowed else ():
            if set(resources) <= left.keys():
                group = make_group(version, {name: left[name] for name in resources})
                if group is not None:
                    groups.append(group)
                    left = {name: most for name, most in left.items() if name not in resources}
    return Limiter(groups, Watchdog(left, mark) if left else None)
