"""MLAgentBench's ``trace.json``: actions with named arguments and observations."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from detectors.trajectories.events import Event, EventKind
from detectors.trajectories.readers import Reader
from detectors.trajectories.records import At, line_of, read_parts, time_of
from detectors.trajectories.tools import call

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.text_file import TextFile
    from detectors.trajectories.heads import Head
    from detectors.trajectories.json_stream import Part

_STEP = frozenset({"steps[].action.name", "steps[].observation"})
_LISTS = ("steps", "low_level_steps")


def fit(head: Head) -> int:
    """Recognise steps of named actions."""
    return head.marks(_STEP, {"steps[].action.args", "low_level_steps", "task_description"})


class _Trace:
    """Reads the parts of one trace; steps that the low-level list repeats come once."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.step = 0
        self.seen: set[int] = set()

    def of_part(self, part: Part) -> list[Event]:
        at = At(self.path)
        if part.key in _LISTS and part.is_element and isinstance(part.value, dict):
            return self._step(part.value, is_own=part.key == "steps")
        if part.key == "task_description":
            return at.said(EventKind.MESSAGE, part.value, by="user")
        return at.rest({part.key: part.value}, ())

    def _step(self, step: dict[str, Any], *, is_own: bool) -> list[Event]:
        self.step += is_own
        number = self.step if is_own else None
        time = time_of(step.get("timestamp"))
        at = At(self.path, line_of(step), step=number, time=time)
        action = step.get("action")
        key = _key(action)
        if key is not None and not is_own and key in self.seen:
            return []
        if key is not None:
            self.seen.add(key)
        done: list[Event] = []
        if isinstance(action, dict):
            done = call(at, str(action.get("name", "")), action.get("args"))
        output = at.said(EventKind.OUTPUT, step.get("observation"), by="tool")
        return [*done, *output, *at.rest(step, {"action", "observation", "timestamp"})]


def _key(action: Any) -> int | None:  # noqa: ANN401 - any JSON value
    """Return what tells an action from others; None when it is too deep to say."""
    try:
        return hash(json.dumps(action, sort_keys=True))
    except RecursionError:
        return None


def read(log: TextFile) -> Iterator[Event]:
    """Read step by step."""
    return read_parts(log, _Trace(log.name).of_part, _LISTS, apart=True)


READER = Reader("ml-agent-bench", "MLAgentBench: trace.json", fit=fit, read=read)
