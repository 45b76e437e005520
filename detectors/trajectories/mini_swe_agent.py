"""mini-swe-agent's ``.traj.json``: messages whose ``extra`` holds the commands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from detectors.trajectories.chat_messages import AGENT, TOOL, message_events
from detectors.trajectories.events import Event, EventKind
from detectors.trajectories.readers import Reader
from detectors.trajectories.records import At, line_of, read_parts, time_of
from detectors.trajectories.tools import call

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.text_file import TextFile
    from detectors.trajectories.heads import Head
    from detectors.trajectories.json_stream import Part

_OWN = frozenset({"trajectory_format", "info.mini_version", "info.exit_status", "messages[].extra"})


def fit(head: Head) -> int:
    """Recognise messages in a file that names its format, or has the tool's version."""
    own = len(_OWN & head.keys)
    return head.marks({"messages[].role", "messages[].content"}) + own if own else 0


class _Messages:
    """Reads messages; a user's answer to a command is what the command printed."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.step = 0
        self.has_acted = False

    def of_part(self, part: Part) -> list[Event]:
        at = At(self.path)
        if part.key != "messages" or not isinstance(part.value, dict):
            return at.rest({part.key: part.value}, ())
        self.step += 1
        extra = part.value.get("extra")
        extra = extra if isinstance(extra, dict) else {}
        time = time_of(extra.get("timestamp"))
        at = At(self.path, line_of(part.value), step=self.step, time=time)
        role = str(part.value.get("role", "")).lower()
        if role in AGENT:
            return self._acted(part.value, extra, at)
        if self.has_acted and role not in TOOL and role != "system":
            return at.said(EventKind.OUTPUT, part.value.get("content"), by="tool")
        return message_events(part.value, at)

    def _acted(self, message: dict[str, Any], extra: dict[str, Any], at: At) -> list[Event]:
        actions = extra.get("actions", extra.get("action"))
        actions = actions if isinstance(actions, list) else [actions] if actions else []
        done = [e for one in actions for e in call(at, "bash", one)]
        if done:  # the message writes the same command once more
            said = at.said(EventKind.THOUGHT, message.get("content"), by="agent")
            found = [*said, *done]
        else:
            found = message_events(message, at)
        self.has_acted = self.has_acted or any(e.kind is EventKind.COMMAND for e in found)
        return found


def read(log: TextFile) -> Iterator[Event]:
    """Read message by message."""
    return read_parts(log, _Messages(log.name).of_part, {"messages"}, apart=True)


READER = Reader("mini-swe-agent", "mini-swe-agent: .traj.json", fit=fit, read=read)
