"""Events in JSON: lines of JSON among text, and logs that are one JSON document."""

from __future__ import annotations

import json
from collections import defaultdict, deque
from json.decoder import scanstring  # type: ignore[attr-defined]  # C, and untyped
from typing import TYPE_CHECKING, Any

from detectors.trajectories.commands import looks_like_command
from detectors.trajectories.events import MAX_OUTPUT, Event, EventKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.attempt import TextFile

_DECODER = json.JSONDecoder(parse_int=str)  # an absurd number must not hide the rest
MAX_DEPTH = 8  # JSON texts within JSON texts
MARK = 40  # characters of a text by which its line is found
MAX_MISSES = 200  # texts that are searched for in the whole file
_SURE_KEYS = frozenset({"command", "cmd"})
_COMMAND_KEYS = _SURE_KEYS | {
    "bash", "shell", "script", "action_input", "input", "run", "exec", "invocation", "args",
    "arguments", "action",
}  # fmt: skip
_CODE_KEYS = frozenset({"code", "source", "python", "program"})
_OUTPUT_KEYS = frozenset({
    "output", "observation", "stdout", "stderr", "result", "response", "content", "error", "out",
})  # fmt: skip


def from_json(text: str, path: str, number: int) -> Iterator[Event]:
    """Read the commands, code and output of one JSON line, at any depth; none is no error."""
    try:
        value, _end = _DECODER.raw_decode(text)
    except (ValueError, RecursionError):
        return
    yield from _events(value, path, lambda _text: number)


def document_events(log: TextFile) -> list[Event] | None:
    """Read a log that is one JSON document over several lines; None when it is not.

    The line of a command is that of its first characters in the file, 1 when they are not found.
    """
    start = log.text.lstrip()[:1]
    if start not in {"{", "["} or "\n" not in log.text.strip():
        return None
    try:
        value = json.loads(log.text, parse_int=str)
    except (ValueError, RecursionError):
        return None
    line_of = _Places(log.text).line_of
    parts = value if isinstance(value, list) else [value]
    found: list[Event] = []
    for part in parts:
        for event in _events(part, log.name, line_of):
            is_reply = event.kind is EventKind.TEXT and found and not found[-1].output
            if is_reply:  # the message after a call holds what the call printed
                found[-1] = found[-1]._replace(output=event.text[:MAX_OUTPUT])
            found.append(event)
    return found


class _Places:
    """Where the texts of a JSON document stand in its file, found in one pass."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.misses = 0
        self.lines: dict[str, deque[int]] = defaultdict(deque)
        number, start = 1, 0
        while (quote := text.find('"', start)) >= 0:
            number += text.count("\n", start, quote)
            value, start = scanstring(text, quote + 1, False)  # noqa: FBT003 - its only signature
            self.lines[value[:MARK]].append(number)

    def line_of(self, text: str) -> int:
        """Return the line of a text; equal ones are given out in order, 1 when it is not found."""
        lines = self.lines.get(text[:MARK])
        if lines:
            return lines.popleft() if len(lines) > 1 else lines[0]
        at = -1
        if self.misses < MAX_MISSES:  # it stands within another text: JSON in JSON
            at = self.text.find(json.dumps(text.partition("\n")[0][:MARK])[1:-1])
            self.misses += 1
        if at >= 0:
            return self.text.count("\n", 0, at) + 1
        first = self.lines.get(text.partition(" ")[0])  # a command given as a list of words
        return first[0] if first else 1


def _events(value: Any, path: str, line_of: Any) -> Iterator[Event]:  # noqa: ANN401
    commands, outputs = [], []
    for key, content in _strings(value):
        sure = key in _SURE_KEYS or (key in _COMMAND_KEYS and looks_like_command(content))
        if key in _CODE_KEYS or sure:
            kind = EventKind.CODE if key in _CODE_KEYS else EventKind.COMMAND
            number = line_of(content)
            commands.append(Event(kind, content, path, number, number))
        elif key in _OUTPUT_KEYS:
            outputs.append(content)
    for command in commands:
        yield command._replace(output="\n".join(outputs)[:MAX_OUTPUT])
    if not commands:
        for content in outputs:
            number = line_of(content)
            yield Event(EventKind.TEXT, content[:MAX_OUTPUT], path, number, number)


def _strings(value: Any) -> Iterator[tuple[str, str]]:  # noqa: ANN401 - any JSON value
    """Yield every text of a JSON value under the key that holds it, without recursion."""
    stack: list[tuple[str, Any, int]] = [("", value, 0)]
    while stack:
        key, current, depth = stack.pop()
        if isinstance(current, str):
            nested = (
                _nested(current) if key in {"arguments", "args", "action_input", "input"} else None
            )
            if nested is not None and depth < MAX_DEPTH:
                stack.append((key, nested, depth + 1))
            else:
                yield key.lower(), current
        elif isinstance(current, dict):
            stack += [(str(k), v, depth + 1) for k, v in reversed(current.items())]
        elif isinstance(current, list):
            if all(isinstance(v, str) for v in current):
                yield key.lower(), " ".join(current)
            else:
                stack += [(key, v, depth + 1) for v in reversed(current)]


def _nested(text: str) -> Any:  # noqa: ANN401
    if not text.lstrip().startswith("{"):
        return None
    try:
        return json.loads(text, parse_int=str)
    except (ValueError, RecursionError):
        return None
