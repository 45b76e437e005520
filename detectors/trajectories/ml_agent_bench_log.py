"""MLAgentBench's ``main_log`` and its logs of model calls: prompt, entries of a step, observation.

A step is ``Step 3:``, a line ``Assistant:``, and entries such as ``Thought:``, ``Action:``,
``Action Input:`` and ``Observation:``. Logs of model calls have the same between lines of ``=``.
"""

from __future__ import annotations

import json
import re
from itertools import dropwhile
from typing import TYPE_CHECKING, Any

from detectors.trajectories.events import Event, EventKind
from detectors.trajectories.plain_text import from_lines
from detectors.trajectories.readers import Reader
from detectors.trajectories.records import At, joined
from detectors.trajectories.source import numbered_lines, pieces
from detectors.trajectories.tools import call

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.text_file import TextFile
    from detectors.trajectories.heads import Head

MAX_SECTION = 1 << 18  # characters of one entry; a longer one comes in parts
_THOUGHTS = ("Reflection", "Research Plan and Status", "Fact Check", "Thought")
_ENTRY = re.compile(rf"(?P<name>{'|'.join(_THOUGHTS)}|Action Input|Action|Observation):")
_STEP = re.compile(r"Step (?P<number>\d{1,6}):\s*$")
_RULE = re.compile(r"={10,40}(?P<what>prompt|tokens|[^=\n]{1,80} response \(\d{1,9}\))={10,40}\s*$")
_MARKS = (
    re.compile(r"^Assistant:[ \t]*\n(?:.{0,4000}\n){0,400}?Action Input:", re.MULTILINE),
    re.compile(r"^Research Problem: ", re.MULTILINE),
    re.compile(r"^Step \d{1,6}:[ \t]*\n\s{0,4}Assistant:", re.MULTILINE),
)
_CALLED = re.compile(r"^={10,40}prompt={10,40}\n\s{0,4}Human: ", re.MULTILINE)
_KEY = re.compile(  # where the model wrote what is almost JSON
    r'(?:\A\s{0,20}\{|"\s{0,20},)\s{0,20}"(?P<key>\w{1,40})"\s{0,20}:\s{0,20}"'
)


def fit(head: Head) -> int:
    """Recognise steps with their entries after a research problem, or a model's prompt."""
    if "Assistant:" not in head.text:
        return 0
    if _CALLED.search(head.text):
        return 1
    found = [bool(mark.search(head.text)) for mark in _MARKS]
    return sum(found) if found[1] and found[2] else 0


class _Log:
    """Reads lines; gives the events of a part when the next one begins."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.entry = "prompt"
        self.tool = ""
        self.step: int | None = None
        self.coming: int | None = None  # the step that has begun; what came before is of another
        self.lines: list[tuple[int, str]] = []
        self.size = 0

    def line(self, number: int, text: str) -> Iterator[list[Event]]:
        """Take in a line; yield what it ends."""
        begins = self._begins(text)
        if begins is not None:
            yield self.ended()
            self.step = self.coming
            self.entry, text = begins
        self.lines.append((number, text))
        self.size += len(text) + 1
        if self.size > MAX_SECTION:
            yield self.ended()

    def _begins(self, text: str) -> tuple[str, str] | None:
        """Say which part a line begins, and what of the line is in it."""
        rule = _RULE.match(text)
        if rule:
            self.coming = None
            known = {"prompt": "prompt", "tokens": "rest"}
            return known.get(rule["what"], "response"), ""
        if text.startswith("Assistant:"):
            self._take_step()
            return "said", text.removeprefix("Assistant:")
        if self.entry in {"prompt", "rest", "Observation"}:
            return None
        found = _ENTRY.match(text)
        if not found or (self.entry == "Action Input" and found["name"] != "Observation"):
            return None
        return found["name"], text[found.end() :]

    def _take_step(self) -> None:
        """Take the number of the step from the lines just before, which belong to no entry."""
        for back in range(1, min(len(self.lines), 4) + 1):
            found = _STEP.match(self.lines[-back][1])
            if found:
                self.coming = int(found["number"])
                del self.lines[-back:]
                return

    def ended(self) -> list[Event]:
        """Return the events of the part that ends here."""
        lines = list(dropwhile(lambda line: not line[1].strip(), self.lines))
        self.lines, self.size = [], 0
        if not lines:
            return []
        text = "\n".join(line for _, line in lines).strip()
        at = At(self.path, lines[0][0], step=self.step)
        return [e._replace(last_line=lines[-1][0]) for e in self._events(at, text, lines)]

    def _events(self, at: At, text: str, lines: list[tuple[int, str]]) -> list[Event]:
        if self.entry in {"rest", "response"}:
            return [e._replace(step=self.step) for e in from_lines(lines, self.path)]
        if self.entry == "prompt":
            return at.said(EventKind.MESSAGE, text.removeprefix("Human:").strip(), by="user")
        if self.entry == "Action":
            self.tool = text
            return []
        if self.entry == "Action Input":
            return call(at, self.tool, _arguments(text))
        if self.entry == "Observation":
            return at.said(EventKind.OUTPUT, _unfenced(text), by="tool")
        return at.said(EventKind.THOUGHT, text, by="agent")


def _arguments(text: str) -> Any:  # noqa: ANN401 - what the model wrote
    """Read an action's input as its tool does: JSON with lines in texts, or what looks like it."""
    try:
        found = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        found = _almost(text)
    return found if isinstance(found, dict) and found else text


def _almost(text: str) -> dict[str, str]:
    """Return the texts of an object whose quotes are not escaped, each up to the next key."""
    keys = list(_KEY.finditer(text))
    ends = [key.start() for key in keys[1:]]
    last = text.rstrip("} \n").removesuffix('"')
    values = [text[k.end() : end] for k, end in zip(keys, ends, strict=False)]
    values += [last[k.end() :] for k in keys[-1:]]
    return {k["key"]: value for k, value in zip(keys, values, strict=True)}


def _unfenced(text: str) -> str:
    return text.removeprefix("```").removesuffix("```").strip("\n")


def read(log: TextFile) -> Iterator[Event]:
    """Read line by line."""

    def batches() -> Iterator[list[Event]]:
        reading = _Log(log.name)
        for number, text in numbered_lines(pieces(log)):
            yield from reading.line(number, text.rstrip("\r"))
        yield reading.ended()

    return joined(batches())


READER = Reader(
    "ml-agent-bench-log", "MLAgentBench: main_log, logs of model calls", fit=fit, read=read
)
