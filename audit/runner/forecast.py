"""What a group would take at most, told before anything starts."""

from __future__ import annotations

import math
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

from audit.runner.hardware import this_machine

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from audit.runner.agent import Agent
    from audit.runner.group import Unit
    from audit.runner.limits import Limits


@dataclass(frozen=True)
class Forecast:
    """Upper bounds for a group; None where there is no limit or nothing was declared.

    Parameters
    ----------
    hours : float
        If every attempt took its whole time, `jobs` at once.
    disk_bytes : int or None
        If every attempt filled its folders.
    free_bytes : int or None
        What the file system has left; None where that cannot be told.
    memory_bytes : int or None
        Of all attempts that run at once.
    cost_usd : float or None
        What the agent's authors declare for one attempt, times the attempts.
    machine_bytes : int or None
        The machine's memory.
    """

    attempts: int
    jobs: int
    hours: float
    disk_bytes: int | None
    free_bytes: int | None
    memory_bytes: int | None
    cost_usd: float | None
    tokens: int | None
    machine_bytes: int | None = None

    @property
    def warnings(self) -> tuple[str, ...]:
        """What does not fit this machine."""
        found = []
        if self.disk_bytes is not None and self.disk_bytes > (self.free_bytes or math.inf):
            found.append("the attempts may fill more disk than is free")
        if self.memory_bytes is not None and self.memory_bytes > (self.machine_bytes or math.inf):
            found.append("the attempts at once may use more memory than the machine has")
        return tuple(found)


def forecast(
    agent: Agent, units: Sequence[Unit], limits: Limits, jobs: int, folder: Path
) -> Forecast:
    """Say what attempts would take at most; nothing is made or started.

    Parameters
    ----------
    folder : Path
        Where the attempts would lie; it need not exist.
    """
    n, at_once = len(units), min(jobs, max(1, len(units)))
    budget = agent.definition.budget
    return Forecast(
        attempts=n,
        jobs=at_once,
        hours=math.ceil(n / at_once) * limits.wall_clock_s / 3600,
        disk_bytes=None if limits.disk_bytes is None else n * limits.disk_bytes,
        free_bytes=_free(folder),
        memory_bytes=None if limits.memory_bytes is None else at_once * limits.memory_bytes,
        cost_usd=None if budget.cost_usd is None else n * budget.cost_usd,
        tokens=None if budget.tokens is None else n * budget.tokens,
        machine_bytes=this_machine().memory_bytes,
    )


def _free(folder: Path) -> int | None:
    for place in (folder.absolute(), *folder.absolute().parents):
        if place.is_dir():
            try:
                return shutil.disk_usage(place).free
            except OSError:
                return None
    return None
