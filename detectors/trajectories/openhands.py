"""OpenHands' list of events, and ``output.jsonl`` of its evaluations, one instance a line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from detectors.trajectories.chat_messages import message_events
from detectors.trajectories.events import Event, EventKind
from detectors.trajectories.readers import Reader
from detectors.trajectories.records import (
    At,
    joined,
    line_of,
    numbers_in,
    parts_of,
    step_of,
    time_of,
)  # fmt: skip
from detectors.trajectories.tools import call

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.text_file import TextFile
    from detectors.trajectories.heads import Head
    from detectors.trajectories.json_stream import Part

_KNOWN = frozenset(
    {"id", "timestamp", "source", "message", "cause", "action", "args", "observation", "content"}
    | {"extras", "tool_call_metadata", "success", "llm_metrics"}
)
_SPLIT = frozenset({"history"})


def fit(head: Head) -> int:
    """Recognise events with a source, or an instance with its history."""
    events = head.marks({"[].source", "[].action"}, {"[].args", "[].id", "[].cause"})
    return events or head.marks({"instance_id", "history"}, {"test_result", "instruction"})


def event_events(event: Any, path: str) -> list[Event]:  # noqa: ANN401 - any JSON value
    """Read one of OpenHands' events, or a pair of an action and what was observed."""
    if isinstance(event, list):
        return [found for one in event for found in _one(one, path)]
    return _one(event, path)


def _one(event: Any, path: str) -> list[Event]:  # noqa: ANN401
    if not isinstance(event, dict):
        return At(path).rest({"": event}, ())
    number, time = step_of(event.get("id")), time_of(event.get("timestamp"))
    at = At(path, line_of(event), step=number, time=time)
    rest = at.rest(event, _KNOWN)
    if "action" in event:
        return [*_action(event, at), *rest]
    if "observation" in event:
        return [*at.said(EventKind.OUTPUT, event.get("content"), by="tool"), *rest]
    return message_events(event, at) if "role" in event else [*rest]


def _action(event: dict[str, Any], at: At) -> list[Event]:
    name = str(event.get("action", ""))
    found = event.get("args")
    args: dict[str, Any] = found if isinstance(found, dict) else {}
    source = str(event.get("source", "agent"))
    if name == "change_agent_state":
        return []
    if name in {"message", "system", "finish", "recall"}:
        said = args.get("content") or args.get("final_thought") or event.get("message")
        by = "system" if name == "system" else source
        return at.said(EventKind.MESSAGE, said, by=by)
    thought = at.said(EventKind.THOUGHT, args.get("thought"), by="agent")
    return thought if name == "think" else [*thought, *call(at, name, args)]


def read(log: TextFile) -> Iterator[Event]:
    """Read event by event."""

    def batches() -> Iterator[list[Event]]:
        for part in parts_of(log, _SPLIT, apart=True):
            yield [part] if isinstance(part, Event) else _part_events(part, log.name)

    return joined(batches())


def _part_events(part: Part, path: str) -> list[Event]:
    if part.is_element:
        return event_events(part.value, path)
    at = At(path)
    if part.key == "instruction":
        return at.said(EventKind.MESSAGE, part.value, by="user")
    if part.key == "test_result":
        scores = numbers_in(part.value, "score")
        found = [e for name, n in scores for e in at.score(name, n, is_shown=False)]
        return [*found, *at.rest({part.key: part.value}, ())]
    return at.rest({part.key: part.value}, ())


READER = Reader("openhands", "OpenHands: a list of events, output.jsonl", fit=fit, read=read)
