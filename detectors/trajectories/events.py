"""What happened in a log: the event model, and the choice of a reader."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from detectors.attempt import TextFile


MAX_OUTPUT = 4_000  # characters of output kept with a command


class EventKind(StrEnum):
    """What a stretch of a log is."""

    COMMAND = "command"  # a shell command that was run
    CODE = "code"  # Python that was run or handed in
    OUTPUT = "output"  # what a tool, a command or the program printed
    TEXT = "text"  # anything else: thoughts, messages, plans


class Event(NamedTuple):
    """One event with its place.

    Parameters
    ----------
    output : str
        COMMAND and CODE only: what was printed after it, up to the next event, capped.
    output_end : int
        Last line of that output where it stands on lines of its own, else 0.
    """

    kind: EventKind
    text: str
    path: str
    first_line: int
    last_line: int
    output: str = ""
    output_end: int = 0


def events(logs: Iterable[TextFile]) -> Iterator[Event]:
    """Read every log with the reader its content asks for, in the order of the files."""
    from detectors.trajectories import plain_text

    for log in logs:
        yield from plain_text.read(log)
