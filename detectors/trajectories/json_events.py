"""Events in JSON of no known form: by the names of the keys that hold a text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from detectors.trajectories.commands import looks_like_command
from detectors.trajectories.events import MAX_OUTPUT, Event, EventKind
from detectors.trajectories.json_stream import Text

if TYPE_CHECKING:
    from collections.abc import Iterator

_DECODER = json.JSONDecoder(parse_int=str)  # an absurd number must not hide the rest
MAX_DEPTH = 8  # JSON texts within JSON texts
_SURE_KEYS = frozenset({"command", "cmd"})
COMMAND_KEYS = _SURE_KEYS | {
    "bash", "shell", "script", "action_input", "input", "run", "exec", "invocation", "args",
    "arguments", "action",
}  # fmt: skip
CODE_KEYS = frozenset({"code", "source", "python", "program"})
_NESTING_KEYS = frozenset({"arguments", "args", "action_input", "input"})
OUTPUT_KEYS = frozenset({
    "output", "observation", "stdout", "stderr", "result", "response", "content", "error", "out",
})  # fmt: skip


def from_json(text: str, path: str, number: int) -> Iterator[Event]:
    """Read the commands, code and output of one JSON line, at any depth; none is no error."""
    try:
        value, _end = _DECODER.raw_decode(text)
    except (ValueError, RecursionError):
        return
    yield from value_events(value, path, number)


def value_events(value: Any, path: str, line: int) -> Iterator[Event]:  # noqa: ANN401 - JSON
    """Read the commands and code of a JSON value with the output beside them, at any depth.

    Parameters
    ----------
    line : int
        Where a text stands that does not know its own line.
    """
    commands, outputs = [], []
    for key, content, number in _strings(value, line):
        sure = key in _SURE_KEYS or (key in COMMAND_KEYS and looks_like_command(content))
        if key in CODE_KEYS or sure:
            kind = EventKind.CODE if key in CODE_KEYS else EventKind.COMMAND
            commands.append(Event(kind, str(content), path, number, number))
        elif key in OUTPUT_KEYS:
            outputs.append((str(content), number))
    for command in commands:
        yield command._replace(output="\n".join(text for text, _ in outputs)[:MAX_OUTPUT])
    if not commands:
        for content, number in outputs:
            yield Event(EventKind.TEXT, content[:MAX_OUTPUT], path, number, number)


def _strings(value: Any, line: int) -> Iterator[tuple[str, str, int]]:  # noqa: ANN401
    """Yield every text of a JSON value under the key that holds it, without recursion."""
    stack: list[tuple[str, Any, int, int]] = [("", value, 0, line)]
    while stack:
        key, current, depth, number = stack.pop()
        if isinstance(current, str):
            number = current.line if isinstance(current, Text) else number
            nested = nested_json(current) if key in _NESTING_KEYS else None
            if nested is not None and depth < MAX_DEPTH:
                stack.append((key, nested, depth + 1, number))
            else:
                yield key.lower(), current, number
        elif isinstance(current, dict):
            stack += [(str(k), v, depth + 1, number) for k, v in reversed(current.items())]
        elif isinstance(current, list):
            if all(isinstance(v, str) for v in current):
                first = next((v.line for v in current if isinstance(v, Text)), number)
                yield key.lower(), " ".join(current), first
            else:
                stack += [(key, v, depth + 1, number) for v in reversed(current)]


def nested_json(text: str) -> Any:  # noqa: ANN401
    """Return the JSON object that a text holds, else None."""
    if not text.lstrip().startswith("{"):
        return None
    try:
        return json.loads(text, parse_int=str)
    except (ValueError, RecursionError):
        return None
