"""``.traj`` of SWE-agent and of MLGym, whose `validate` shows the score on the test set."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from detectors.trajectories.chat_messages import message_events
from detectors.trajectories.events import Event, EventKind
from detectors.trajectories.json_stream import Part, Text
from detectors.trajectories.readers import Reader
from detectors.trajectories.records import At, line_of, numbers_in, read_parts, texts_of, time_of
from detectors.trajectories.tools import command_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.text_file import TextFile
    from detectors.trajectories.heads import Head

_STEP = frozenset({"trajectory[].action", "trajectory[].observation"})
_KNOWN = frozenset(
    {"thought", "response", "action", "observation", "state", "query", "execution_time", "messages"}
)
_VALIDATES = re.compile(r"(?:^|&&|;)\s*validate\s*$")
_NUMBER = re.compile(
    r"[\"']?(?P<name>[A-Za-z][\w /-]{0,40}?)[\"']?\s*[:=]\s*"
    r"(?P<value>-?\d+\.?\d*(?:[eE][+-]?\d+)?)\b"
)


def fit(head: Head) -> int:
    """Recognise steps of actions and observations."""
    return head.marks(_STEP, {"trajectory[].thought", "trajectory[].response", "environment"})


class _Steps:
    """Reads the parts of one file; remembers what steps said, of which `history` is a copy."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.step = 0
        self.said: set[str] = set()

    def of_part(self, part: Part) -> list[Event]:
        if part.key == "trajectory" and part.is_element:
            self.step += 1
            if isinstance(part.value, dict):
                self.said |= {str(part.value.get(k)).strip() for k in ("thought", "response")}
            return step_events(part.value, At(self.path, line_of(part.value), step=self.step))
        at = At(self.path, line_of(part.value))
        if part.key == "history" and part.is_element:
            found = message_events(part.value, at)
            if not self.step or self._is_other_word(part.value):
                return found
            return [e for e in found if e.by in {"system", "user"}]
        if part.key == "info" and isinstance(part.value, dict):
            scores = part.value.get("score")
            found = [
                e
                for name, n in numbers_in({"score": scores}, "")
                for e in at.score(name, n, is_shown=False)
            ]
            return [*found, *at.rest(part.value, {"score", "model_stats"})]
        return at.rest({part.key: part.value}, ())

    def _is_other_word(self, message: Any) -> bool:  # noqa: ANN401 - any JSON value
        """Say whether the agent says in plain words what no step has, as a closing message is."""
        if not isinstance(message, dict) or message.get("role") != "assistant":
            return False
        text, others = message.get("content"), ("is_demo", "tool_calls", "action", "thought")
        is_plain = isinstance(text, str) and not any(message.get(key) for key in others)
        return is_plain and "```" not in str(text) and str(text).strip() not in self.said


def step_events(step: Any, at: At) -> list[Event]:  # noqa: ANN401 - any JSON value
    """Read one step: the thought, the action, what came back."""
    if not isinstance(step, dict):
        return []
    at = replace(at, time=time_of(step.get("timestamp")))
    thought = step.get("thought") or step.get("response")
    done = [e for text in texts_of(step.get("action")) for e in command_line(at, text)]
    seen = step.get("observation")
    is_validation = _VALIDATES.search(str(step.get("action", ""))) is not None
    scores = list(_scores(seen, at)) if is_validation else []
    output = at.said(EventKind.OUTPUT, seen, by="tool")
    rest = at.rest(step, _KNOWN)
    return [*at.said(EventKind.THOUGHT, thought, by="agent"), *done, *output, *scores, *rest]


def _scores(observation: Any, at: At) -> Iterator[Event]:  # noqa: ANN401
    """Read the figures that a validation prints; MLGym prints the test metric and the baseline."""
    for text in texts_of(observation):
        line = text.line if isinstance(text, Text) else at.line
        for found in _NUMBER.finditer(text[:4_000]):
            yield from at.score(found["name"].strip(), found["value"], is_shown=True, line=line)


def read(log: TextFile) -> Iterator[Event]:
    """Read step by step."""
    return read_parts(log, _Steps(log.name).of_part, {"trajectory", "history"}, apart=True)


READER = Reader("swe-agent", "SWE-agent, MLGym: .traj", fit=fit, read=read)
