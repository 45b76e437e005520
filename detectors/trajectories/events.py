"""What happened in a log: the event model, and the choice of a reader."""

from __future__ import annotations

from enum import StrEnum
from sys import getsizeof
from typing import TYPE_CHECKING, NamedTuple

from detectors.kept import Kept

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from detectors.text_file import TextFile


MAX_OUTPUT = 4_000  # characters of output kept with a command
MAX_KEPT = 64 << 20  # bytes of events kept for the next who asks, of all logs in memory


class EventKind(StrEnum):
    """What a stretch of a log is.

    Only COMMAND, CODE, READ, WRITE and NETWORK were done. Logs of unknown form give COMMAND, CODE,
    OUTPUT and TEXT alone; a shell command that reads, writes or downloads stays a COMMAND.
    """

    COMMAND = "command"  # a shell command that was run
    CODE = "code"  # Python that was run or handed in
    READ = "file-read"  # a tool's reading of a file; `target` is its path
    WRITE = "file-write"  # a tool's writing; `target` is the path, `text` what was written
    NETWORK = "network"  # a tool's request; `target` is the address
    OUTPUT = "output"  # what a tool, a command or the program printed
    SCORE = "score"  # a score on hidden answers; `target` is its name, `value` the number
    THOUGHT = "thought"  # what the agent thought, planned or made of a result
    MESSAGE = "message"  # what was said to the agent or by it: prompts, answers
    TEXT = "text"  # anything else


class Event(NamedTuple):
    """One event with its place.

    Parameters
    ----------
    text : str
        What was run, written, printed or said; of a READ or NETWORK the call as the log has it, of
        a SCORE ``name: value``.
    path : str
        The log, relative to the attempt's folder.
    first_line, last_line : int
        Lines of the log, from 1; of a `member`, lines within it, or 1 where it has none.
    output : str
        COMMAND, CODE, READ, WRITE and NETWORK only: what came back, up to the next event, capped.
    output_end : int
        Last line of that output where it stands on lines of its own, else 0.
    step : int or None
        The agent's own count of its steps, as the log has it.
    time : float or None
        Seconds since 1970; a time without a zone is taken as UTC.
    by : str
        Who speaks: ``system``, ``user``, ``agent``, ``tool`` or ``harness``; empty where the log
        does not say. What is by system or user was in the prompt.
    target : str
        A path, an address or a score's name: see `EventKind`.
    value : float or None
        Of a SCORE, the number; of an OUTPUT with ``target="metric"``, the agent's own validation
        score.
    is_shown : bool
        SCORE only: the agent was shown it, and did not only its harness log it.
    member : str
        Where it stands in a file without lines: a zip's member or a pickle's opcode, else empty.
    """

    kind: EventKind
    text: str
    path: str
    first_line: int
    last_line: int
    output: str = ""
    output_end: int = 0
    step: int | None = None
    time: float | None = None
    by: str = ""
    target: str = ""
    value: float | None = None
    is_shown: bool = False
    member: str = ""

    @property
    def where(self) -> str:
        """The log's path, with the member of an archive behind ``!``."""
        return f"{self.path}!{self.member}" if self.member else self.path


def events(logs: Iterable[TextFile]) -> Iterator[Event]:
    """Read every log with the reader its content asks for, in the order of the files.

    It never fails: what cannot be read of a log is left out, what stands before it is given. The
    events of a log that was read to its end are kept while the log is, up to `MAX_KEPT` bytes;
    those of a large file never are.
    """
    for log in logs:
        kept = _KEPT.get(log)
        yield from _read(log) if kept is None else kept


def recognised(log: TextFile) -> str:
    """Return the name of the format as which a log is read; ``plain-text`` where none is known."""
    from detectors.trajectories.readers import reader_of

    return reader_of(log).format


_KEPT: Kept[tuple[Event, ...]] = Kept(MAX_KEPT)


def _read(log: TextFile) -> Iterator[Event]:
    """Read a log, and keep its events where there is room."""
    from detectors.trajectories.readers import reader_of

    found: list[Event] = []
    size, room = 0, 0 if log.is_large else _KEPT.left
    for event in reader_of(log).read(log):
        if size <= room:
            size += getsizeof(event) + sum(getsizeof(text) for text in _long(event) if text)
            found.append(event)
        else:
            found.clear()
        yield event
    if size <= room and not log.is_large:
        _KEPT.put(log, tuple(found), size)


def _long(event: Event) -> tuple[str, ...]:
    """Return the texts that an event does not share with others."""
    return event.text, event.output, event.target, event.member
