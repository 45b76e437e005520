"""Scripts that an agent's tool wrote into a log, and whether a later command ran them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from detectors.attempt import TextFile
from detectors.trajectories.events import EventKind
from detectors.units import code_units

if TYPE_CHECKING:
    from detectors.trajectories.events import Event
    from detectors.units import CodeUnit

MAX_COMMAND = 4_000  # characters of a command that are looked at
MAX_NAMES = 5_000  # names of scripts that are remembered
_RUN = re.compile(
    r"(?:\b(?:python[\d.]{0,4}|bash|sh|source|nbconvert|papermill|torchrun|launch)\b[^;|&\n]{0,200}?"
    r"|(?:^|[\s/])\./)(?P<name>[\w.-]{1,80}\.(?:py|ipynb|sh))\b"
)


def script_units(event: Event) -> list[CodeUnit]:
    """Return the code that a WRITE puts into a script or a notebook; nothing of anything else."""
    if event.kind is not EventKind.WRITE or not event.target.endswith((".py", ".ipynb", ".sh")):
        return []
    return list(code_units([TextFile(event.target, event.text)]))


class Runs:
    """Remembers which scripts the commands of logs ran, in the order of the events.

    Examples
    --------
    >>> from detectors.trajectories.events import Event
    >>> runs = Runs()
    >>> wrote = Event(EventKind.WRITE, "x = 1", "a.log", 1, 1, target="/home/code/t.py")
    >>> at = runs.see(wrote)
    >>> runs.ran(wrote, at)
    False
    >>> _ = runs.see(Event(EventKind.COMMAND, "cd /home/code && python t.py", "a.log", 2, 2))
    >>> runs.ran(wrote, at)
    True
    """

    def __init__(self) -> None:
        self._last: dict[tuple[str, str], int] = {}
        self._count = 0

    def see(self, event: Event) -> int:
        """Look at the next event and return its number."""
        self._count += 1
        if event.kind is EventKind.COMMAND and len(self._last) < MAX_NAMES:
            for found in _RUN.finditer(event.text[:MAX_COMMAND]):
                self._last[event.path, found["name"]] = self._count
        return self._count

    def ran(self, event: Event, number: int) -> bool:
        """Say whether a command after the event of this number ran the script that it wrote."""
        name = event.target.rpartition("/")[2]
        return self._last.get((event.path, name), 0) > number
