"""Plain-text logs: prompts, shell traces, ReAct actions, fenced code, JSON lines.

The reader is a line scanner: linear in the size of the log, and it never fails. What it does not
recognise is TEXT, which no detector takes for something that was done.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from detectors.trajectories.events import Event, EventKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.attempt import TextFile

MAX_LINE = 20_000  # characters of a line that are looked at
MAX_OUTPUT = 4_000  # characters of output kept with a command
MAX_BLOCK = 5_000  # lines of one fenced block

_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_STAMP = re.compile(
    r"^\s*\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[.,\d]*(?:Z|[+-]\d\d:?\d\d)?\]?\s*"
    r"(?:[\w.\-\[\]:]+\s+){0,2}?(?=\$ |\+ |>>> |Action|Command|Running|Exec|\{|run:|cmd)"
)
_SHELL = re.compile(
    r"^(?:\s*\$ |\++ |\s*[\w.-]+@[\w.-]+:[^\s#$]*[#$] |\(\w+\) \$ |\s*(?:ba)?sh-[\d.]+[#$] )"
    r"(?P<cmd>.+)$"
)
_PYTHON = re.compile(r"^\s*(?:>>> |In \[\d*\]: )(?P<code>.+)$")
_MORE_PYTHON = re.compile(r"^\s*\.\.\.:? (?P<code>.*)$")
_ACTION = re.compile(
    r"^\W*(?:action[ _]input|command|cmd|executing(?: command)?|running(?: command)?|run|exec|"
    r"execute|bash|shell|tool_call|tool call|calling tool|args|arguments|input)"
    r"\W{0,4}[:=]\s*(?P<cmd>\S.*)$",
    re.IGNORECASE,
)
_CALL = re.compile(
    r"\b(?:bash|shell|execute_bash|run_command|execute|terminal)\((?P<args>.+)\)\s*$"
)
_FENCE = re.compile(r"^\s*(?P<mark>```+|~~~+)\s*(?P<language>[\w+-]*)\s*$")
_SHELL_LANGUAGES = frozenset({"bash", "sh", "shell", "console", "zsh"})
_PYTHON_LANGUAGES = frozenset({"python", "py", "python3", "ipython"})
_COMMAND_KEYS = ("command", "cmd", "bash", "shell", "script", "action_input", "input")
_CODE_KEYS = ("code", "source", "python", "program")
_OUTPUT_KEYS = (
    "output",
    "observation",
    "stdout",
    "stderr",
    "result",
    "response",
    "content",
    "error",
)
_PROSE_FIRST = re.compile(
    r"^(?:the|i|we|to|a|an|this|that|is|was|it|then|now|with|for|and|no|not|please|of|on|in|my|should)$",
    re.IGNORECASE,
)


class _Line(NamedTuple):
    number: int
    text: str


def read(log: TextFile) -> Iterator[Event]:
    """Yield a log's events in order; commands carry the output that follows them.

    Parameters
    ----------
    log : TextFile
        Any text at all.
    """
    pending: Event | None = None
    output: list[str] = []
    for event in _scan(log):
        if event.kind in {EventKind.COMMAND, EventKind.CODE}:
            if pending:
                yield _with_output(pending, output)
            pending, output = event, []
        else:
            output.append(event.text)
            yield event
    if pending:
        yield _with_output(pending, output)


def _with_output(event: Event, output: list[str]) -> Event:
    text, size = [], 0
    for line in output:
        size += len(line) + 1
        if size > MAX_OUTPUT:
            break
        text.append(line)
    return event._replace(output=event.output or "\n".join(text))


def _scan(log: TextFile) -> Iterator[Event]:
    lines = (
        _Line(n, _ANSI.sub("", line[:MAX_LINE]).rstrip("\r"))
        for n, line in enumerate(log.text.split("\n"), start=1)
    )
    for line in lines:
        fence = _FENCE.match(line.text)
        if fence:
            yield from _fenced(log.name, line, fence, lines)
            continue
        yield from _one_line(log.name, line)


def _fenced(
    path: str, first: _Line, fence: re.Match[str], lines: Iterator[_Line]
) -> Iterator[Event]:
    """Read a fenced block; its language says what it is, and without one it is text."""
    body: list[str] = []
    last = first.number
    for line in lines:
        last = line.number
        if line.text.strip().startswith(fence.group("mark")) or len(body) >= MAX_BLOCK:
            break
        body.append(line.text)
    language = fence.group("language").lower()
    text = "\n".join(body)
    if language in _PYTHON_LANGUAGES:
        yield Event(EventKind.CODE, text, path, first.number + 1, max(last - 1, first.number + 1))
    elif language in _SHELL_LANGUAGES:
        for offset, line_text in enumerate(body, start=1):
            command = re.sub(r"^\s*\$ ", "", line_text)
            if command.strip():
                number = first.number + offset
                yield Event(EventKind.COMMAND, command, path, number, number)
    else:
        for offset, line_text in enumerate(body, start=1):
            yield from _one_line(path, _Line(first.number + offset, line_text))


def _one_line(path: str, line: _Line) -> Iterator[Event]:
    text = _STAMP.sub("", line.text, count=1)
    stripped = text.strip()

    def event(kind: EventKind, content: str) -> Event:
        return Event(kind, content, path, line.number, line.number)

    if stripped.startswith(("{", "[{")):
        found = list(_from_json(stripped, path, line.number))
        if found:
            yield from found
            return
    shell = _SHELL.match(text)
    if shell:
        yield event(EventKind.COMMAND, shell.group("cmd"))
        return
    python = _PYTHON.match(text) or _MORE_PYTHON.match(text)
    if python:
        yield event(EventKind.CODE, python.group("code"))
        return
    action = _ACTION.match(text) or _CALL.search(text)
    if action:
        yield from _action(action.group(1), path, line.number, event)
        return
    yield event(EventKind.OUTPUT if _is_tool_noise(text) else EventKind.TEXT, line.text)


def _action(content: str, path: str, number: int, event: Any) -> Iterator[Event]:  # noqa: ANN401
    """Read what stands behind ``Action Input:`` and its like: JSON, a quoted text, or a command."""
    if content.startswith("{"):
        found = list(_from_json(content, path, number))
        if found:
            yield from found
            return
    command = re.sub(r"^(?:\w+=)?(['\"`])(.*)\1$", r"\2", content.strip())
    words = command.split()
    if words and not _PROSE_FIRST.match(words[0]):
        yield event(EventKind.COMMAND, command)
    else:
        yield event(EventKind.TEXT, content)


_NOISE = re.compile(
    r"\w*(?:Error|Exception)\b|No such file|Permission denied|cannot (?:access|open|stat)|"
    r"not permitted"
)


def _is_tool_noise(text: str) -> bool:
    """Say whether a line reads like a program's own complaint rather than prose."""
    return bool(_NOISE.search(text))


def _from_json(text: str, path: str, number: int) -> Iterator[Event]:
    """Read the commands, code and output of one JSON line, at any depth."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return
    commands, outputs = [], []
    for key, content in _strings(value):
        if key in _CODE_KEYS:
            commands.append(Event(EventKind.CODE, content, path, number, number))
        elif key in _COMMAND_KEYS:
            commands.append(Event(EventKind.COMMAND, content, path, number, number))
        elif key in _OUTPUT_KEYS:
            outputs.append(content)
    for command in commands:
        yield command._replace(output="\n".join(outputs)[:MAX_OUTPUT])
    if not commands:
        for content in outputs:
            yield Event(EventKind.TEXT, content[:MAX_LINE], path, number, number)


def _strings(value: Any) -> Iterator[tuple[str, str]]:  # noqa: ANN401 - any JSON value
    """Yield every text of a JSON value under the key that holds it, without recursion."""
    stack: list[tuple[str, Any, int]] = [("", value, 0)]
    while stack:
        key, current, depth = stack.pop()
        if isinstance(current, str):
            nested = (
                _nested(current) if key in {"arguments", "args", "action_input", "input"} else None
            )
            if nested is not None and depth < 8:  # noqa: PLR2004 - JSON within JSON
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
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
