"""Plain-text logs: prompts, shell traces, ReAct actions, fenced code, JSON lines.

The reader is a line scanner: linear in the size of the log, and it never fails. What it does not
recognise is TEXT, which no detector takes for something that was done.
"""

from __future__ import annotations

import re
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from detectors.shell import HEREDOC
from detectors.trajectories.commands import looks_like_command
from detectors.trajectories.events import MAX_OUTPUT, Event, EventKind
from detectors.trajectories.json_events import from_json
from detectors.trajectories.readers import Reader
from detectors.trajectories.reports import ReportLines
from detectors.trajectories.source import numbered_lines, pieces
from detectors.trajectories.tools import PYTHON

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    from detectors.text_file import TextFile

MAX_LINE = 20_000  # characters of a line that are looked at, unless it is JSON
JSON_WITHIN = 400  # characters of a line within which its JSON begins
MAX_BLOCK = 5_000  # lines of one fenced block
MAX_INPUT = 500  # lines of one input of an action

_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_STAMPS = (
    re.compile(r"^\s*[\[(]?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[.,\d]*(?:Z|[+-]\d\d:?\d\d)?[\])]?\s*"),
    re.compile(r"^\s*[\[(]?\d\d:\d\d:\d\d[.,\d]*[\])]?\s*"),
    re.compile(r"^\s*\[[^\]\[]{1,40}\]\s*"),
    re.compile(r"^\s*(?:DEBUG|INFO|WARN|WARNING|ERROR|TRACE|NOTICE)\b[:\s|-]*"),
    re.compile(r"^\s*(?:agent|tool|step \d+|turn \d+|assistant)\s*[-|:>]+\s*", re.IGNORECASE),
    re.compile(r"^\s*\|\s+"),
)
MAX_STAMPS = 5
_SHELL = re.compile(
    r"^(?:\s*\$ |\++ |\s*[\w.-]+@[\w.-]+:[^\s#$]*[#$] |\(\w+\) \$ |\s*(?:ba)?sh-[\d.]+[#$] |"
    r"\s*(?:exec|cmd|bash|sh|shell|terminal)> )"
    r"(?P<body>.+)$"
)
_PYTHON = re.compile(r"^\s*(?:>>> |In \[\d*\]: )(?P<body>.+)$")
_MORE_PYTHON = re.compile(r"^\s*\.\.\.:? (?P<body>.*)$")
_FORMS = ((_SHELL, EventKind.COMMAND), (_PYTHON, EventKind.CODE), (_MORE_PYTHON, EventKind.CODE))
_ACTION = re.compile(
    r"^\W*(?:action[ _]input|command|cmd|executing(?: command)?|running(?: command)?|run|exec|"
    r"execute|bash|shell|tool_call|tool call|calling tool|args|arguments|input)"
    r"\W{0,4}[:=][*_]{0,3}\s*(?P<body>\S.*)$",
    re.IGNORECASE,
)
_ACTION_NAME = re.compile(  # of ReAct agents: what the next line is the input of
    r"^\W*action(?: \d+)?\W{0,4}:[*_]{0,3}\s*[`\"']?(?P<name>\w+)[`\"']?\s*$", re.IGNORECASE
)
_ACTION_INPUT = re.compile(
    r"^\W*(?:action[ _]input|input|args|arguments)\W{0,4}:[*_]{0,3}\s*(?P<body>[^\s{].*)$",
    re.IGNORECASE,
)
_ANSWER = re.compile(r"^\W*(?:observation|tool result|result)(?: \d+)?\W{0,4}:", re.IGNORECASE)
_NEXT_STEP = re.compile(r"^\W*(?:thought|action|final answer)\b[^:\n]{0,20}:", re.IGNORECASE)
_CALL = re.compile(r"\b(?:bash|shell|execute_bash|run_command|execute|terminal)\((?P<args>(?=.))")
_PYTHON_TAGS = frozenset({"python", "execute_ipython", "code", "ipython"})
_TAG = re.compile(
    r"<(?P<name>execute_bash|bash|shell|command|cmd|execute|execute_ipython|ipython|python|code)>"
    r"(?P<body>.+?)(?:</(?P=name)>|$)",
    re.IGNORECASE,
)
_TAG_BLOCK = re.compile(
    r"^\s*<(?P<name>execute_bash|bash|shell|command|execute|execute_ipython|ipython|python|code)>"
    r"\s*$",
    re.IGNORECASE,
)
_BRACKETS = re.compile(  # the first ReAct agents: Action 2: bash[ls -la]
    r"^\W*action(?: \d+)?\s*:\s*(?P<name>\w+)\[(?P<body>.+)\]\s*$", re.IGNORECASE
)
_TOOLS = frozenset(
    {"bash", "shell", "sh", "terminal", "execute", "execute_bash", "run", "exec", "command", "cmd"}
)
_FENCE = re.compile(r"^\s*(?P<mark>```+|~~~+)\s*(?P<language>[\w+-]*)\s*$")
_SHELL_LANGUAGES = frozenset({"bash", "sh", "shell", "console", "zsh"})
_PYTHON_LANGUAGES = frozenset({"python", "py", "python3", "ipython"})


# A page is made from other logs, to be looked at; code that it shows is nothing that it ran.
_PAGE = re.compile(
    r"\s*(?:<!--.{0,2000}?-->\s*)?<(?:!doctype html|html)\b", re.IGNORECASE | re.DOTALL
)


_MAY_BE_DONE = re.compile(  # of lower case: what all have that a form or a complaint matches
    r"[$#<>+{]|\.\.\.|in \[|a(?:ction|rg)|c(?:ommand|md)|exec|run|bash|shell|t(?:ool|erminal)|"
    r"input|no(?: such|t found|t a)|denied|does not|errno|permitted"
)
_MAY_BEGIN = re.compile("[`~<]")  # a block


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
    lines = numbered_lines(pieces(log))
    if log.name.endswith("history"):
        yield from _history(log.name, lines)
    elif _PAGE.match(next(pieces(log), "")):
        yield from (
            Event(EventKind.TEXT, text[:MAX_LINE], log.name, n, n) for n, text in lines if text
        )
    else:
        yield from from_lines(lines, log.name)


def from_lines(lines: Iterable[tuple[int, str]], path: str) -> Iterator[Event]:
    """Read lines of text with their numbers.

    Parameters
    ----------
    path : str
        The log they are from.
    """
    pending: Event | None = None
    output: list[Event] = []
    size = 0
    reports = ReportLines()
    for event in _scan(lines, path):
        yield from reports.scores(event, is_shown=pending is not None)
        if event.kind in {EventKind.COMMAND, EventKind.CODE}:
            if pending:
                yield _with_output(pending, output)
            pending, output, size = event, [], 0
        else:
            if pending and size <= MAX_OUTPUT:
                output.append(event)
                size += len(event.text) + 1
            yield event
    if pending:
        yield _with_output(pending, output)


def _history(path: str, lines: Iterable[tuple[int, str]]) -> Iterator[Event]:
    """Read a shell's history: every line was a command."""
    for number, line in lines:
        if line.strip():
            yield Event(EventKind.COMMAND, line[:MAX_LINE], path, number, number)


def _with_output(event: Event, output: list[Event]) -> Event:
    if event.output:
        return event
    text, size, end = [], 0, 0
    for line in output:
        size += len(line.text) + 1
        if size > MAX_OUTPUT:
            break
        text.append(line.text)
        end = line.last_line if line.text.strip() else end
    return event._replace(output="\n".join(text), output_end=end)


def _scan(numbered: Iterable[tuple[int, str]], path: str) -> Iterator[Event]:
    lines = _Lines(
        _Line(n, _uncoloured(line if '{"' in line[:JSON_WITHIN] else line[:MAX_LINE]))
        for n, line in numbered
    )
    tool = ""
    for line in lines:
        named, tool = tool, _tool_named(line.text)
        kind = _of_tool(named)
        given = _ACTION_INPUT.match(line.text) if kind else None
        more = lines.up_to_answer() if given else None
        if given and kind and (more is not None or kind is EventKind.COMMAND):
            body = "\n".join([given["body"], *(m.text for m in more or [])])
            yield Event(kind, body, path, line.number, line.number + len(more or []))
            continue
        if line.text.startswith("@@ "):
            line = yield from _diff(path, line, lines)  # noqa: PLW2901 - the line after it
        if not _MAY_BEGIN.search(line.text):
            yield from _one_line(path, line)
            continue
        fence, tag = _FENCE.match(line.text), _TAG_BLOCK.match(line.text)
        if fence:
            language, end = fence.group("language").lower(), fence.group("mark")
            yield from _block(path, line, language, end, lines)
            continue
        if tag:
            name = tag.group("name").lower()
            language = "python" if name in _PYTHON_TAGS else "bash"
            yield from _block(path, line, language, f"</{tag.group('name')}>", lines)
            continue
        yield from _one_line(path, line)


class _Lines:
    """Lines that may be looked at ahead of their turn."""

    def __init__(self, lines: Iterable[_Line]) -> None:
        self._lines = iter(lines)
        self._ahead: deque[_Line] = deque()

    def __iter__(self) -> Iterator[_Line]:
        return self

    def __next__(self) -> _Line:
        return self._ahead.popleft() if self._ahead else next(self._lines)

    def up_to_answer(self) -> list[_Line] | None:
        """Take the lines of an input before its observation; None where no observation follows."""
        taken: list[_Line] = []
        for line in self:
            if _ANSWER.match(line.text):
                self._ahead.appendleft(line)
                return taken
            taken.append(line)
            if _NEXT_STEP.match(line.text) or len(taken) >= MAX_INPUT:
                break
        self._ahead.extendleft(reversed(taken))
        return None


def _of_tool(name: str) -> EventKind | None:
    if name in _TOOLS:
        return EventKind.COMMAND
    return EventKind.CODE if name in PYTHON else None


def _tool_named(text: str) -> str:
    """Return the tool that a line chooses, whose input the next line is; else nothing."""
    found = _ACTION_NAME.match(text) if "ction" in text[:40] else None
    return found["name"].lower() if found else ""


def _uncoloured(line: str) -> str:
    return (_ANSI.sub("", line) if "\x1b" in line else line).rstrip("\r")


def _diff(path: str, first: _Line, lines: Iterator[_Line]) -> Generator[Event, None, _Line]:
    """Read a hunk of a diff: what was added or taken out is code. Returns the line after it."""
    body: list[str] = []
    line = first
    for line in lines:
        if not line.text.startswith((" ", "+", "-", "@@")) or len(body) >= MAX_BLOCK:
            break
        body.append(line.text[1:] if line.text[:1] in {"+", "-"} else "")
    if any(body):
        last = first.number + len(body)
        yield Event(EventKind.CODE, "\n".join(body), path, first.number + 1, last)
    return line if line.number > first.number + len(body) else _Line(line.number, "")


def _block(
    path: str, first: _Line, language: str, end: str, lines: Iterator[_Line]
) -> Iterator[Event]:
    """Read a block up to its end mark; its language says what it is, without one it is text."""
    body: list[str] = []
    last = first.number
    for line in lines:
        last = line.number
        if line.text.strip().startswith(end) or len(body) >= MAX_BLOCK:
            break
        body.append(line.text)
    text = "\n".join(body)
    if language in _PYTHON_LANGUAGES:
        yield Event(EventKind.CODE, text, path, first.number + 1, max(last - 1, first.number + 1))
    elif language in _SHELL_LANGUAGES:
        for offset, line_text in _commands(body):
            command = re.sub(r"^\s*\$ ", "", line_text)
            if command.strip():
                number = first.number + offset
                end_at = number + command.count("\n")
                yield Event(EventKind.COMMAND, command, path, number, end_at)
    else:
        for offset, line_text in enumerate(body, start=1):
            yield from _one_line(path, _Line(first.number + offset, line_text))


def _commands(body: list[str]) -> Iterator[tuple[int, str]]:
    """Join the lines of a block that are one command: a here-document, a line that goes on."""
    where: dict[str, list[int]] = {}
    for number, line in enumerate(body):
        where.setdefault(line.strip(), []).append(number)
    at = 0
    while at < len(body):
        first = at
        mark = HEREDOC.search(body[at])
        while body[at].endswith("\\") and at + 1 < len(body):
            at += 1
            mark = mark or HEREDOC.search(body[at])
        ends = where.get(mark[2], []) if mark else []
        at = next((n for n in ends if n > at), at)
        yield first + 1, "\n".join(body[first : at + 1])
        at += 1


def _one_line(path: str, line: _Line) -> Iterator[Event]:
    if not _MAY_BE_DONE.search(line.text.lower()):
        yield Event(EventKind.TEXT, line.text, path, line.number, line.number)
        return
    text = _without_stamps(line.text)
    start = text.find('{"')
    found = list(from_json(text[start:].strip(), path, line.number)) if start >= 0 else []
    if found:
        yield from found
        return
    kind, content = _recognised(text[:MAX_LINE]) or (None, "")
    if kind is EventKind.COMMAND and content.startswith("{"):  # an action's arguments as JSON
        found = list(from_json(content, path, line.number))
        yield from found or [Event(kind, content, path, line.number, line.number)]
    elif kind:
        yield Event(kind, content, path, line.number, line.number)
    else:
        is_noise = _is_tool_noise(text[:MAX_LINE])
        noise = EventKind.OUTPUT if is_noise else EventKind.TEXT
        yield Event(noise, line.text, path, line.number, line.number)


def _recognised(text: str) -> tuple[EventKind, str] | None:
    """Say what a line does, from the form in which tools write what they do."""
    for pattern, kind in _FORMS:
        found = pattern.match(text)
        if found:
            return kind, found.group("body").strip()
    found = _TAG.search(text) or _BRACKETS.match(text)
    if found and found.group("name").lower() in _TOOLS | _PYTHON_TAGS:
        is_python = found.group("name").lower() in _PYTHON_TAGS
        return (EventKind.CODE if is_python else EventKind.COMMAND), found.group("body").strip()
    action = _ACTION.match(text)
    called = _CALL.search(text) if not action and text.rstrip().endswith(")") else None
    content = action.group("body") if action else ""
    if called:
        content = text[called.end() : text.rindex(")")]
    command = re.sub(r"^(?:\w+=)?(['\"`])(.*)\1$", r"\2", content.strip())
    if command.startswith("{") or looks_like_command(command):
        return EventKind.COMMAND, command
    return None


def _without_stamps(text: str) -> str:
    """Strip the times, levels and names that loggers put before a line."""
    for _ in range(MAX_STAMPS):
        shorter = next((s.sub("", text, count=1) for s in _STAMPS if s.match(text)), text)
        if shorter == text or not shorter:
            return text
        text = shorter
    return text


_NOISE = re.compile(  # how programs complain; prose that mentions an error does not look like this
    r"^\s*(?:[\w.]*(?:Error|Exception): .*(?:No such file|denied|not found|does not exist|Errno)|"
    r"(?:/[\w/.-]*|[a-z][\w.+-]*): .*(?:No such file or directory|Permission denied|"
    r"Operation not permitted|Not a directory)\s*$)"
)


def complaining_lines(text: str) -> list[str]:
    """Return the lines of an output that read like a program's own complaint."""
    return [line for line in text.split("\n") if _is_tool_noise(line[:MAX_LINE])]


def _is_tool_noise(text: str) -> bool:
    """Say whether a line reads like a program's own complaint rather than prose."""
    return bool(_NOISE.search(text))


READER = Reader(
    "plain-text",
    "MLE-bench's logs, `entrypoint.log`, consoles, and whatever no other reader knows",
    fit=lambda _head: 0,
    read=read,
)
