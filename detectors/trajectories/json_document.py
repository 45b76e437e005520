"""A JSON document of no known form, over several lines: read by what its keys are called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from detectors.trajectories.events import MAX_OUTPUT, Event, EventKind
from detectors.trajectories.json_events import value_events
from detectors.trajectories.readers import Reader
from detectors.trajectories.records import parts_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.text_file import TextFile
    from detectors.trajectories.heads import Head


def fit(head: Head) -> int:
    """Recognise JSON that is not one document a line."""
    return 1 if head.keys and not head.is_lines else 0


def read(log: TextFile) -> Iterator[Event]:
    """Read part by part; the message after a call holds what the call printed."""
    held: Event | None = None
    for part in parts_of(log):
        is_after = isinstance(part, Event)  # the JSON has ended
        for event in [part] if isinstance(part, Event) else value_events(part.value, log.name, 1):
            if held and event.kind is EventKind.TEXT and not held.output and not is_after:
                held = held._replace(output=event.text[:MAX_OUTPUT])
            if held:
                yield held
            held = event
    if held:
        yield held


READER = Reader("json-document", "a JSON document of no known form", fit=fit, read=read)
