"""Inspect's logs: ``.eval``, a zip of JSON whose members may be zstd, and the same as one JSON."""

from __future__ import annotations

import shlex
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from detectors.trajectories.chat_messages import message_events
from detectors.trajectories.events import EventKind
from detectors.trajectories.json_events import nested_json
from detectors.trajectories.json_stream import BrokenJsonError, Part, parts
from detectors.trajectories.readers import Reader
from detectors.trajectories.records import (
    DONE,
    At,
    joined,
    numbers_in,
    read_parts,
    texts_of,
    time_of,
)
from detectors.trajectories.reports import is_report
from detectors.trajectories.source import pieces
from detectors.trajectories.tools import call
from detectors.trajectories.zip_members import MAGIC, Member, members, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from detectors.text_file import TextFile
    from detectors.trajectories.events import Event
    from detectors.trajectories.heads import Head

MAX_ATTACHED = 64 << 20  # characters of a sample's attachments that are held
MAX_COMMAND = 100_000  # characters of a command that are taken apart
_SPLIT = ("messages", "events")
_REFERENCE = "attachment://"
_SILENT = frozenset({"model", "state", "store", "span_begin", "span_end", "sample_init"})
_REPEATED = frozenset({"input", "target", "output", "attachments"})


def fit(head: Head) -> int:
    """Recognise a zip, or JSON with the parts of an evaluation."""
    if head.magic.startswith(MAGIC):
        return 3
    own = head.marks({"version", "status", "eval"}, {"eval.task", "plan", "samples[].messages"})
    return own + 1 if "eval.task" in head.keys else 0


def read(log: TextFile) -> Iterator[Event]:
    """Read sample by sample; of a zip each event's `member` names the sample's file."""
    if log.source is None or next(pieces(log), "")[:2] != "PK":
        return read_parts(log, lambda part: _whole(part, log.name), {"samples"}, apart=True)
    return _of_archive(log.source, log.name)


def _of_archive(source: Path, path: str) -> Iterator[Event]:
    for member in members(source):
        if member.name.startswith("samples/"):
            yield from joined(_of_member(source, member, path))


def _of_member(source: Path, member: Member, path: str) -> Iterator[list[Event]]:
    """Read one sample in two passes: its attachments stand behind what refers to them."""
    attached = _Attached()
    for part in _parts(source, member):
        if part.key == "attachments":
            attached.add(part.value)
    sample = _Sample(At(path, member=member.name), attached)
    for part in _parts(source, member):
        yield sample.of_part(part.key, part.value, is_element=part.is_element)


def _parts(source: Path, member: Member) -> Iterator[Part]:
    """Yield the parts of a sample, as far as it can be read."""
    with suppress(BrokenJsonError):
        yield from parts(text_of(source, member), _SPLIT, apart=True)


def _whole(part: Part, path: str) -> list[Event]:
    """Read a part of a log that is one JSON: a sample, or something about all."""
    at = At(path)
    if part.key != "samples" or not isinstance(part.value, dict):
        return at.rest({part.key: part.value}, ())
    attached = _Attached()
    attached.add(part.value.get("attachments"))
    sample = _Sample(at, attached)
    found: list[list[Event]] = []
    for key, value in part.value.items():
        if key in _SPLIT and isinstance(value, list):
            found += [sample.of_part(key, one, is_element=True) for one in value]
        else:
            found.append(sample.of_part(key, value, is_element=False))
    return list(joined(found))


class _Sample:
    """Reads the parts of one sample; what messages and events both tell comes once."""

    def __init__(self, at: At, attached: _Attached) -> None:
        self.at = at
        self.attached = attached
        self.step = 0
        self.done: set[int] = set()

    def of_part(self, key: str, value: Any, *, is_element: bool) -> list[Event]:  # noqa: ANN401
        """Read a message, an event, the scores, or what else there is."""
        value = self.attached.resolved(value)
        if is_element and key == "messages":
            self.step += 1
            found = message_events(value, replace(self.at, step=self.step))
            self.done |= {hash(e.text) for e in found if e.kind in DONE}
            return found
        if is_element and key == "events" and isinstance(value, dict):
            return self._event(value)
        if key == "scores":
            return _scores(value, self.at)
        return [] if key in _REPEATED else self.at.rest({key: value}, ())

    def _event(self, event: dict[str, Any]) -> list[Event]:
        """Read one event of the transcript."""
        at = replace(self.at, time=time_of(event.get("timestamp")))
        kind = event.get("event")
        if kind == "score":
            return _scores({"score": event.get("score")}, at)
        if kind in _SILENT:
            return []
        if kind == "tool":
            done = call(at, str(event.get("function", "")), event.get("arguments"))
            known, back = [e.text for e in done], event.get("result")
        elif kind == "sandbox" and event.get("action") == "exec":
            command = " ".join(texts_of(event.get("cmd")))
            done, back = [at.event(EventKind.COMMAND, command)], event.get("output")
            known = [_last_word(command)]
        else:
            return at.rest(event, ("event", "timestamp"))
        if all(hash(text) in self.done for text in known):
            return []
        self.done |= {hash(text) for text in known}
        return [*done, *at.said(EventKind.OUTPUT, back, by="tool")]


def _last_word(command: str) -> str:
    """Return what a shell was given to run: `bash -c` has it last."""
    try:
        words = shlex.split(command[:MAX_COMMAND])
    except ValueError:
        return command
    return words[-1] if words and "-c" in words else command


def _scores(scores: Any, at: At) -> list[Event]:  # noqa: ANN401 - any JSON value
    """Read what scorers found, and the report that one may keep as its explanation."""
    found: list[Event] = []
    for name, score in scores.items() if isinstance(scores, dict) else ():
        value = score.get("value") if isinstance(score, dict) else score
        named = value if isinstance(value, dict) else {name: value}
        for key, number in numbers_in(named, ""):
            found += at.score(key, number, is_shown=False)
        explanation = score.get("explanation") if isinstance(score, dict) else None
        report = nested_json(explanation) if isinstance(explanation, str) else None
        if isinstance(report, dict) and is_report(report):
            found += at.score("score", report.get("score"), is_shown=False)
    return found


class _Attached:
    """Texts that a sample keeps once and refers to."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.size = 0

    def add(self, values: Any) -> None:  # noqa: ANN401 - any JSON value
        """Remember texts by the names they are referred to."""
        for name, text in values.items() if isinstance(values, dict) else ():
            if isinstance(text, str) and self.size < MAX_ATTACHED:
                self.texts[name] = text
                self.size += len(text)

    def resolved(self, value: Any) -> Any:  # noqa: ANN401
        """Put the texts in the place of their references, at any depth."""
        whole = [value]
        stack: list[Any] = [whole]
        while stack:
            inner = stack.pop()
            for key, one in list(inner.items() if isinstance(inner, dict) else enumerate(inner)):
                if isinstance(one, dict | list):
                    stack.append(one)
                elif isinstance(one, str) and one.startswith(_REFERENCE):
                    inner[key] = self.texts.get(one.removeprefix(_REFERENCE), one)
        return whole[0]


READER = Reader("inspect-eval", "Inspect: .eval, and its JSON logs", fit=fit, read=read)
