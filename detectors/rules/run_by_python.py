"""Commands of the shell that a log shows, those that its Python runs among them."""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from detectors.parsing import parse_leniently
from detectors.shell import pipelines
from detectors.training.flows import last_name
from detectors.trajectories.commands import whole
from detectors.trajectories.events import EventKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.trajectories.events import Event

MAX_TEXT = 100_000  # characters of code that is parsed for them
_MAY_RUN = re.compile(r"\bsubprocess\b|\bos\.(?:system|popen)\b")
_RUNS = re.compile(r"^(?:system|popen|run|call|check_call|check_output|Popen|getoutput)$")
_PYTHON = re.compile(r"(?:^|/)(?:python[\d.]*|ipython)$")


def shell_of(event: Event) -> Iterator[Event]:
    """Yield the commands that an event is, or that its Python runs, as events of commands."""
    if event.kind is EventKind.COMMAND:
        yield whole(event)
    elif event.kind is EventKind.CODE and _MAY_RUN.search(event.text[:MAX_TEXT]):
        for text in _texts(event.text[:MAX_TEXT]):
            yield event._replace(kind=EventKind.COMMAND, text=text)


def python_within(event: Event) -> Iterator[str]:
    """Yield the Python in commands that Python runs: by ``-c``, or out of a here-document."""
    if event.kind is not EventKind.CODE:
        return
    for command in shell_of(event):
        for pipeline in pipelines(command.text):
            words = pipeline.commands[0]
            if not _PYTHON.search(words[0]):
                continue
            given = next((words[n + 1] for n, w in enumerate(words[:-1]) if w == "-c"), "")
            if given or pipeline.heredoc:
                yield given or pipeline.heredoc


@lru_cache(maxsize=256)
def _texts(code: str) -> tuple[str, ...]:
    nodes = (n for s in parse_leniently(code, "log").body for n in ast.walk(s))
    found = (n for n in nodes if isinstance(n, ast.Call) and _RUNS.match(last_name(n)) and n.args)
    given = (getattr(n.args[0], "value", None) for n in found)
    return tuple(text for text in given if isinstance(text, str))
