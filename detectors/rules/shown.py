"""Evidence of places in logs and code, cut to what can be shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from reports.schema import CodeLines, LogLines

if TYPE_CHECKING:
    from detectors.trajectories.events import Event
    from detectors.trajectories.excerpts import Excerpts

MAX_EXCERPT = 600  # characters of one excerpt
MAX_LINES = 10


class _Place(Protocol):
    """Lines of code: a file, where they are in it, and what stands there."""

    @property
    def path(self) -> str: ...
    @property
    def first_line(self) -> int: ...
    @property
    def last_line(self) -> int: ...
    @property
    def excerpt(self) -> str: ...


def cut(text: str) -> str:
    """Cut what is too long to show, and say so; half a surrogate pair is shown as ``?``."""
    whole = text.encode("utf-8", "replace").decode("utf-8")
    return whole if len(whole) <= MAX_EXCERPT else f"{whole[:MAX_EXCERPT]} …"


def code_lines(place: _Place, shows: str) -> CodeLines:
    """Show lines of code."""
    return CodeLines(
        path=place.path,
        first_line=place.first_line,
        last_line=max(place.first_line, place.last_line),
        excerpt=cut(place.excerpt),
        shows=cut(shows),
    )


def log_lines(event: Event, shows: str, excerpts: Excerpts | None = None) -> LogLines:
    """Show an event: its text, or the log's own lines, with what came back apart from it.

    Parameters
    ----------
    excerpts : Excerpts or None
        Where the lines are looked up at which the event stands, where it is one of lines.
    """
    last = min(event.last_line, event.first_line + MAX_LINES - 1)
    text = event.text
    if excerpts is not None and not event.member and event.path.endswith((".log", ".txt")):
        text = "\n".join(excerpts.lines(event, event.first_line, last)) or text
    output = event.output.strip()
    return LogLines(
        path=event.where,
        first_line=event.first_line,
        last_line=max(event.first_line, last),
        excerpt=cut(text),
        shows=cut(shows),
        output=cut(output) if output else None,
    )
