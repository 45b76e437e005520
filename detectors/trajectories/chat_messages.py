"""A list of chat messages with roles, as many tools keep it; other readers use it for theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from detectors.trajectories.events import Event, EventKind
from detectors.trajectories.heads import head_of
from detectors.trajectories.json_stream import Text
from detectors.trajectories.readers import Reader
from detectors.trajectories.records import At, joined, line_of, parts_of, texts_of, time_of
from detectors.trajectories.tools import call

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.text_file import TextFile
    from detectors.trajectories.heads import Head

ASKED = {"system": "system", "developer": "system", "user": "user", "human": "user"}
AGENT = frozenset({"assistant", "ai", "agent", "model"})
TOOL = frozenset({"tool", "function", "observation", "environment", "ipython"})
_KNOWN = frozenset(
    {
        *("role", "content", "text", "tool_calls", "function_call", "reasoning_content"),
        *("reasoning", "thinking", "name", "id", "tool_call_id", "function", "type", "extra"),
        "timestamp",
    }
)


def message_events(message: Any, at: At) -> list[Event]:  # noqa: ANN401 - any JSON value
    """Read one message with its calls; without calls, blocks of code in an answer are what is done.

    Parameters
    ----------
    message : Any
        Its ``role`` and ``content``; a text, or blocks of one.
    """
    if not isinstance(message, dict):
        return []
    role = str(message.get("role", "")).lower()
    content = message.get("content", message.get("text"))
    rest = at.rest(message, _KNOWN)
    if role in ASKED:
        results = _results(content, at)
        said = at.said(EventKind.MESSAGE, _without_results(content), by=ASKED[role])
        return [*results, *said, *rest]
    if role in TOOL:
        return [*at.said(EventKind.OUTPUT, content, by="tool"), *rest]
    if role not in AGENT:
        return at.rest(message, ())
    thoughts = [
        event
        for key in ("reasoning_content", "reasoning", "thinking")
        for event in at.said(EventKind.THOUGHT, message.get(key), by="agent")
    ]
    done = [event for name, arguments in calls_of(message) for event in call(at, name, arguments)]
    done = done or [event for text in texts_of(content) for event in blocks(text, at)]
    kind = EventKind.THOUGHT if done else EventKind.MESSAGE
    return [*thoughts, *at.said(kind, content, by="agent"), *done, *rest]


def calls_of(message: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield name and arguments of a message's calls, in the forms that providers have."""
    found = message.get("tool_calls")
    for one in found if isinstance(found, list) else ():
        inner = one.get("function") if isinstance(one, dict) else None
        if isinstance(inner, dict):
            yield str(inner.get("name", "")), inner.get("arguments")
        elif isinstance(inner, str):
            yield inner, one.get("arguments")
    old = message.get("function_call")
    if isinstance(old, dict):
        yield str(old.get("name", "")), old.get("arguments")
    content = message.get("content")
    for block in content if isinstance(content, list) else ():
        if isinstance(block, dict) and block.get("type") == "tool_use":
            yield str(block.get("name", "")), block.get("input")


def _results(content: Any, at: At) -> list[Event]:  # noqa: ANN401
    """Read the answers of tools that a user's message carries."""
    return [
        event
        for block in (content if isinstance(content, list) else ())
        if isinstance(block, dict) and block.get("type") == "tool_result"
        for event in at.said(EventKind.OUTPUT, block.get("content"), by="tool")
    ]


def _without_results(content: Any) -> Any:  # noqa: ANN401
    if not isinstance(content, list):
        return content
    return [b for b in content if not (isinstance(b, dict) and b.get("type") == "tool_result")]


def blocks(text: str, at: At) -> list[Event]:
    """Read the commands and the code that an answer holds, as in a log of plain text."""
    from detectors.trajectories.plain_text import from_lines

    line = text.line if isinstance(text, Text) else at.line
    lines = enumerate(text.split("\n"), start=1)
    return [
        at.event(event.kind, Text(event.text, line))
        for event in from_lines(lines, at.path)
        if event.kind in {EventKind.COMMAND, EventKind.CODE}
    ]


def fit(head: Head) -> int:
    """Recognise a list of messages, or one message a line, with roles that chats have."""
    listed = head.marks({"[].role", "[].content"})
    return (
        listed
        or head.marks({"role", "content"})
        or head.marks({"messages[].role", "messages[].content"})
    )


def read(log: TextFile) -> Iterator[Event]:
    """Read message by message."""
    split = {"messages"} & head_of(log).keys

    def batches() -> Iterator[list[Event]]:
        for step, part in enumerate(parts_of(log, split)):
            if isinstance(part, Event):
                yield [part]
                continue
            value = part.value
            time = time_of(value.get("timestamp")) if isinstance(value, dict) else None
            at = At(log.name, line_of(value), step=step, time=time)
            is_message = isinstance(value, dict) and "role" in value
            known = isinstance(value, dict) and not part.key
            record = value if known else {part.key: value}
            yield message_events(value, at) if is_message else at.rest(record, ())

    return joined(batches())


READER = Reader("chat-messages", "a list of chat messages with roles", fit=fit, read=read)
