"""The lines of logs at which events stand, without holding logs that are large."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from detectors.trajectories.source import numbered_lines, pieces

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from detectors.text_file import TextFile
    from detectors.trajectories.events import Event

MAX_LINE = 20_000  # characters of a line of a large log that are kept


class Excerpts:
    """Looks up lines of logs; a large log is read along, as its events come in its order.

    Parameters
    ----------
    logs : iterable of TextFile
        All logs that the events are from.
    """

    def __init__(self, logs: Iterable[TextFile]) -> None:
        self._logs = {log.name: log for log in logs}
        self._held: dict[str, list[str]] = {}
        self._large: dict[str, _Window] = {}

    def lines(self, event: Event, first: int, last: int) -> list[str]:
        """Return the lines of an event's log from `first` to `last`, counted from 1.

        Of what stands in a file without lines, it is the lines of the event's own text.
        """
        log = self._logs[event.path]
        if event.member:
            return event.text.split("\n")[: max(0, last - first + 1)]
        if log.is_large:
            return self._large.setdefault(log.name, _Window(log)).lines(first, last)
        if log.name not in self._held:
            self._held[log.name] = log.text.split("\n")
        return self._held[log.name][first - 1 : last]


class _Window:
    """The last few lines that were read of a large log."""

    def __init__(self, log: TextFile) -> None:
        self.log = log
        self.rest: Iterator[tuple[int, str]] = iter(())
        self.start = 0  # number of the first line that is kept; 0 before anything was read
        self.kept: deque[str] = deque()

    def lines(self, first: int, last: int) -> list[str]:
        """Return lines; going back costs reading from the beginning."""
        if first < self.start or not self.start:
            self.rest, self.start = numbered_lines(pieces(self.log)), 1
            self.kept.clear()
        while self.kept and self.start < first:
            self.kept.popleft()
            self.start += 1
        while self.start + len(self.kept) <= last:
            number, line = next(self.rest, (0, ""))
            if not number:
                break
            if number >= first:
                self.kept.append(line[:MAX_LINE])
            else:
                self.start = number + 1
        return list(self.kept)[first - self.start : last - self.start + 1]
