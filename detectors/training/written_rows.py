"""What a log shows was written to the submission: rows that were typed, and code that ran."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from detectors.shell import pipelines
from detectors.training.typed import of_content
from detectors.trajectories.events import EventKind, events

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from detectors.text_file import TextFile
    from detectors.training.typed import Typed
    from detectors.trajectories.events import Event

MAX_BODY = 5_000  # lines of a here-document that a log tells line by line
MAX_CODE = 200_000  # characters of code that is read
_HEREDOC = re.compile(r"<<-?\s*(['\"]?)(\w+)\1")
_TABLE = re.compile(r"\.(?:csv|tsv|txt|dat|lst|jsonl?|ya?ml|toml|ini)$", re.IGNORECASE)
_NAMED = re.compile(r"(?<![\w./~${}-])[\w./~${}-]*subm\w{0,200}\.csv\b", re.IGNORECASE)
_PYTHON = re.compile(r"^(?:\S*/)?(?:python[\d.]*|ipython)$")
_WRAPPERS = frozenset(
    {"timeout", "nice", "stdbuf", "env", "uv", "poetry", "conda", "mamba", "run", "xvfb-run",
     "ionice", "taskset", "unbuffer", "setsid", "nohup", "time"}
)  # fmt: skip
_OPTION = re.compile(r"^(?:-\S*|\d+(?:\.\d+)?[smhd]?|\w+=\S*)$")
_NOTEBOOKS = frozenset({"jupyter", "papermill", "jupyter-nbconvert", "jupyter-execute"})


class Step(NamedTuple):
    """One thing done to a file, in the order of the log.

    Parameters
    ----------
    target : str
        The file that was written; empty where code ran.
    typed : Typed or None
        The rows that were written, where they were typed.
    code : str
        Python that ran.
    script : str
        Name of a script that ran and whose text is not in the command.
    source : str
        File that was copied to the target.
    """

    event: Event
    target: str = ""
    typed: Typed | None = None
    code: str = ""
    script: str = ""
    source: str = ""


@dataclass
class _Rows:
    """Lines that commands have written to files so far, by the files' names."""

    lines: dict[str, list[str]] = field(default_factory=dict)

    def typed(self, target: str, text: str, *, more: bool) -> Typed | None:
        kept = self.lines.setdefault(target, [])
        if not more:
            kept.clear()
        kept += text.split("\n")
        return of_content("\n".join(kept)) if len(kept) < MAX_BODY * 20 else None


def steps(logs: Iterable[TextFile]) -> Iterator[Step]:
    """Yield what a log shows was written or run, as far as it concerns tables and Python."""
    rows = _Rows()
    for event in _whole(events(logs)):
        if event.kind is EventKind.CODE:
            yield Step(event, code=event.text[:MAX_CODE])
        elif event.kind is EventKind.WRITE:
            if _TABLE.search(event.target):
                typed = rows.typed(event.target, event.text, more=False)
                yield Step(event, event.target, typed)
            elif event.target.endswith(".py"):
                yield Step(event, event.target, code=event.text[:MAX_CODE])
        elif event.kind is EventKind.COMMAND:
            yield from _commands(event, rows)


def _whole(found: Iterator[Event]) -> Iterator[Event]:
    """Give a command the here-document that the log has on the lines after it."""
    for first in found:
        event = first
        mark = _HEREDOC.search(event.text) if event.kind is EventKind.COMMAND else None
        end = mark.group(2) if mark else ""
        if not mark or re.search(rf"\n\s*{end}\s*$", event.text, re.MULTILINE):
            yield event
            continue
        inner = event.output.split("\n")
        if end in (line.strip() for line in inner):
            yield event._replace(text="\n".join([event.text, *inner]))
            continue
        body = [event.text]
        for after in found:
            body.append(after.text)
            if after.text.strip() == end or len(body) > MAX_BODY:
                break
        yield event._replace(text="\n".join(body))


def _commands(event: Event, rows: _Rows) -> Iterator[Step]:
    """Yield the steps of a command, at last the submission that it names and writes otherwise."""
    is_seen = False
    for step in _steps_of(event, rows):
        is_seen = is_seen or "subm" in step.target.lower() or bool(step.script or step.code)
        yield step
    if not is_seen and (named := _NAMED.search(event.text)):
        yield Step(event, named[0])


def _steps_of(event: Event, rows: _Rows) -> Iterator[Step]:
    for pipeline in pipelines(event.text):
        command = list(pipeline.commands[-1])
        first = _unwrapped(list(pipeline.commands[0]))
        target, is_more = _redirected(command)
        if first[0] in _NOTEBOOKS and (ran := [w for w in first if w.endswith(".ipynb")]):
            yield Step(event, script=ran[0].rpartition("/")[2])
        elif _PYTHON.match(first[0]):
            yield from _python(event, first, pipeline.heredoc)
        elif target.endswith(".py") and pipeline.heredoc:
            yield Step(event, target, code=pipeline.heredoc[:MAX_CODE])
        elif target and _TABLE.search(target):
            text = pipeline.heredoc or _echoed(first)
            yield Step(event, target, rows.typed(target, text, more=is_more) if text else None)
        elif command[0] in {"cp", "mv", "install", "ln"} and len(command) > len(("cp", "a")):
            names = [w for w in command[1:] if not w.startswith("-")]
            yield Step(event, names[-1], source=names[0]) if len(names) > 1 else Step(event)


def _unwrapped(command: list[str]) -> list[str]:
    """Take off what only runs the rest: ``timeout 600``, ``nohup``, ``uv run``."""
    at = 0
    while at < len(command) - 1 and command[at] in _WRAPPERS:
        at += 1
        while at < len(command) - 1 and _OPTION.match(command[at]):
            at += 1
    return command[at:]


def _redirected(command: list[str]) -> tuple[str, bool]:
    """Return the file that a command writes to, and whether it appends."""
    for mark, word in pairwise(command):
        if mark in {">", ">>", "1>"}:
            return word, mark == ">>"
    if command[0] == "tee":
        names = [w for w in command[1:] if not w.startswith("-")]
        return (names[0] if names else ""), "-a" in command
    return "", False


def _echoed(command: list[str]) -> str:
    """Return what `echo` or `printf` writes, escapes undone."""
    if command[0] not in {"echo", "printf"}:
        return ""
    words = []
    for word in command[1:]:
        if word in {">", ">>", "1>"}:
            break
        words.append(word)
    if command[0] == "printf" and words and "%s" in words[0]:
        return "\n".join(words[1:])
    said = " ".join(w for w in words if w not in {"-e", "-n"})
    return said.replace("\\n", "\n").strip("\n")


def _python(event: Event, command: list[str], heredoc: str) -> Iterator[Step]:
    if heredoc:
        yield Step(event, code=heredoc[:MAX_CODE])
    elif "-c" in command[:-1]:
        yield Step(event, code=command[command.index("-c") + 1][:MAX_CODE])
    else:
        scripts = [w for w in command[1:] if w.endswith(".py")]
        if scripts or "-m" in command:
            yield Step(event, script=(scripts or ["?"])[0].rpartition("/")[2])
