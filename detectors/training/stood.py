"""Where the rows of a submission stand typed: in code, in a log's steps, in a prompt."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from detectors.training.literals import MAX_TEXT, Rows
from detectors.training.parsed import MAX_EXCERPT, Shown
from detectors.trajectories.events import EventKind, events
from detectors.units import code_units

if TYPE_CHECKING:
    from detectors.attempt import Attempt
    from detectors.text_file import TextFile
    from detectors.training.handed_in import HandedIn
    from detectors.trajectories.events import Event

_TYPES = frozenset({EventKind.COMMAND, EventKind.CODE, EventKind.WRITE})
_ACTS = _TYPES | {EventKind.READ, EventKind.NETWORK, EventKind.OUTPUT}


class Found(NamedTuple):
    """Rows of a submission that stand in a text.

    Parameters
    ----------
    is_told : bool
        They stand in what the agent was told, and were copied from there.
    """

    place: Shown
    n_rows: int
    share: float
    in_log: bool = False
    is_told: bool = False


def typed_rows(attempt: Attempt, file: HandedIn) -> Found | None:
    """Return the first text in which most rows of a submission stand typed; None for none.

    Whatever language it is in: what is looked at are keys beside values, and values in order.
    """
    rows = Rows(file)
    if not rows.is_asked:
        return None
    for unit in code_units(attempt.code):
        found = in_text(rows, unit.text, unit.path, unit.first_line)
        if found is not None:
            return found
    for log in attempt.logs:
        found = _in_log(rows, log)
        if found is not None:
            return found
    return None


def in_text(rows: Rows, text: str, path: str, first_line: int) -> Found | None:
    """Return where rows stand in a file's text; None where they do not."""
    stood = rows.stand_in(text)
    if stood is None:
        return None
    first = first_line + text.count("\n", 0, stood.start)
    last = first + text.count("\n", stood.start, stood.end)
    start = text.rfind("\n", 0, stood.start) + 1
    excerpt = text[start : stood.end][:MAX_EXCERPT]
    return Found(Shown(path, first, last, excerpt, _SHOWS), stood.n_rows, stood.share)


def _in_log(rows: Rows, log: TextFile) -> Found | None:
    """Look into all that a log's steps typed together, then into what was told before them."""
    typed: list[Event] = []
    told: list[Event] = []
    for event in events([log]):
        if event.kind in _TYPES:
            typed.append(event)
        is_prompt = event.kind is EventKind.MESSAGE and event.by in {"system", "user"}
        if is_prompt and not typed and event.kind not in _ACTS:
            told.append(event)
    return _among(rows, typed) or _among(rows, told, is_told=True)


def _among(rows: Rows, found: list[Event], *, is_told: bool = False) -> Found | None:
    """Look for rows in the texts of events as one, and show the event at which they begin."""
    parts: list[str] = []
    starts: list[int] = []
    size = 0
    for event in found:
        if size > MAX_TEXT:
            break
        starts.append(size)
        parts.append(event.text)
        size += len(event.text) + 1
    stood = rows.stand_in("\n".join(parts)) if parts else None
    if stood is None:
        return None
    at = bisect_right(starts, stood.start) - 1
    event = found[at]
    inside = max(0, stood.start - starts[at])
    excerpt = event.text[event.text.rfind("\n", 0, inside) + 1 :][:MAX_EXCERPT]
    last = max(event.first_line, event.last_line)
    shows = "the values stand in what the agent was told" if is_told else _SHOWS
    place = Shown(event.where, event.first_line, last, excerpt, shows)
    return Found(place, stood.n_rows, stood.share, in_log=True, is_told=is_told)


_SHOWS = "the submission's values, typed"
