"""MLE-Dojo's ``history.json`` and ``agent_trajectory.json``: each execution shows a test score."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from detectors.trajectories.chat_messages import message_events
from detectors.trajectories.events import Event, EventKind
from detectors.trajectories.json_stream import Part, Text
from detectors.trajectories.readers import Reader
from detectors.trajectories.records import (
    At,
    line_of,
    numbers_in,
    read_parts,
    step_of,
    time_of,
)  # fmt: skip
from detectors.trajectories.tools import call

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.text_file import TextFile
    from detectors.trajectories.heads import Head

_SCORE = re.compile(
    r"\b(?P<name>(?:(?:current|best|public|private|average)[ _])*(?:raw|position)[ _]score)"
    r"[^\w\n-]{1,6}(?P<value>-?\d[\d.]*(?:[eE][+-]?\d+)?)",
    re.IGNORECASE,
)
_ACTION = frozenset({"actions[].action", "actions[].feedback"})
_KNOWN = frozenset({"step", "action", "timestamp", "result", "feedback", "code"})


def fit(head: Head) -> int:
    """Recognise a history of actions with feedback, or a chat that is told position scores."""
    history = head.marks(_ACTION, {"competition", "actions[].result", "best_position_score"})
    chat = head.marks({"[].role", "[].content"})
    return history or (chat + 1 if chat and _SCORE.search(head.text) else 0)


def read(log: TextFile) -> Iterator[Event]:
    """Read either file; one has actions, the other messages."""

    def of_part(part: Part) -> list[Event]:
        if part.key == "actions" and part.is_element:
            return _action(part.value, log.name)
        at = At(log.name, line_of(part.value))
        if part.key.startswith("best_") and isinstance(part.value, int | float):
            return at.score(part.key, part.value, is_shown=False)
        if not part.key:
            return _message(part.value, at)
        return at.rest({part.key: part.value}, ())

    return read_parts(log, of_part, {"actions"}, apart=True)


def _action(record: Any, path: str) -> list[Event]:  # noqa: ANN401 - any JSON value
    if not isinstance(record, dict):
        return []
    number, time = step_of(record.get("step")), time_of(record.get("timestamp"))
    at = At(path, line_of(record), step=number, time=time)
    result, feedback = record.get("result"), record.get("feedback")
    code = _code(record)
    name = str(record.get("action", ""))
    done = call(at, name, {"code": code}) if code else []
    said = [text for part in (result, feedback) for text in _printed(part)]
    scores = [
        event
        for part in (result, feedback)
        for key, value in numbers_in(part, "score")
        for event in at.score(key, value, is_shown=True)
    ]
    told = [e for text in said for e in _scores_said(text, at)] if not scores else []
    outputs = [at.event(EventKind.OUTPUT, text, by="tool") for text in said if text.strip()]
    return [*done, *outputs, *scores, *told, *at.rest(record, _KNOWN | {"kwargs", "args"})]


def _code(record: dict[str, Any]) -> str:
    """Return the code of an action, wherever the version of the tool keeps it."""
    result = record.get("result")
    data = result.get("data") if isinstance(result, dict) else None
    for place in (record, record.get("kwargs"), record.get("args"), data):
        if isinstance(place, dict) and isinstance(place.get("code"), str):
            return place["code"]  # type: ignore[no-any-return]
    return ""


def _printed(value: Any) -> Iterator[str]:  # noqa: ANN401
    """Yield the texts of a result or of feedback that are no states and no code."""
    stack = [("", value)]
    while stack:
        key, current = stack.pop()
        if isinstance(current, dict):
            stack += [(str(k), v) for k, v in reversed(current.items())]
        elif isinstance(current, list):
            stack += [(key, v) for v in reversed(current)]
        elif isinstance(current, str) and key not in {"status", "feedback_status", "code"}:
            yield current


def _scores_said(text: str, at: At) -> Iterator[Event]:
    line = text.line if isinstance(text, Text) else at.line
    for found in _SCORE.finditer(text):
        yield from at.score(found["name"], found["value"].rstrip("."), is_shown=True, line=line)


def _message(value: Any, at: At) -> list[Event]:  # noqa: ANN401
    found: list[Event] = []
    for event in message_events(value, at):
        found.append(event)
        if event.by == "user":
            found += _scores_said(Text(event.text, event.first_line), at)
    return found


READER = Reader("mle-dojo", "MLE-Dojo: history.json, agent_trajectory.json", fit=fit, read=read)
