"""What readers of JSON share: the parts of a document, places, and calls with their answers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from detectors.trajectories.events import MAX_OUTPUT, Event, EventKind
from detectors.trajectories.json_events import value_events
from detectors.trajectories.json_stream import BrokenJsonError, Part, Text, parts
from detectors.trajectories.source import numbered_lines, pieces

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from detectors.text_file import TextFile

DONE = frozenset(
    {EventKind.COMMAND, EventKind.CODE, EventKind.READ, EventKind.WRITE, EventKind.NETWORK}
)
MAX_ANSWERS = 1_000  # events after a call that are looked at for what came back


def parts_of(
    log: TextFile, split: Collection[str] = (), *, apart: bool = False
) -> Iterator[Part | Event]:
    """Yield the parts of a log that is JSON, then the events of the plain text that follows it."""
    try:
        yield from parts(pieces(log), split, apart=apart)
    except BrokenJsonError as error:
        from detectors.trajectories.plain_text import from_lines

        lines = numbered_lines(pieces(log))
        yield from from_lines(((n, line) for n, line in lines if n >= error.line), log.name)


@dataclass(frozen=True)
class At:
    """Where and when a record stands; makes the events of its texts.

    Parameters
    ----------
    path : str
        The log.
    line : int
        Line of texts that do not know their own.
    member : str
        Of an archive.
    step : int or None
        The agent's count.
    time : float or None
        Seconds since 1970.
    """

    path: str
    line: int = 1
    member: str = ""
    step: int | None = None
    time: float | None = None

    def event(
        self,
        kind: EventKind,
        text: str,
        *,
        by: str = "",
        target: str = "",
        **fields: Any,  # noqa: ANN401
    ) -> Event:
        """Make an event of a text, at the text's own line where it knows it."""
        line = text.line if isinstance(text, Text) else self.line
        return Event(
            kind,
            str(text),
            self.path,
            line,
            line,
            step=self.step,
            time=self.time,
            member=self.member,
            by=by,
            target=str(target),
            **fields,
        )

    def said(self, kind: EventKind, value: Any, *, by: str = "") -> list[Event]:  # noqa: ANN401
        """Make events of a text, or of a list of texts; anything else and blanks give none."""
        texts = texts_of(value)
        return [self.event(kind, text, by=by) for text in texts if text.strip()]

    def rest(self, record: dict[str, Any], known: Collection[str]) -> list[Event]:
        """Read what stands under other keys than the known ones, by the names of the keys."""
        left = {key: value for key, value in record.items() if key not in known}
        found = value_events(left, self.path, self.line)
        return [
            event._replace(step=self.step, time=self.time, member=self.member) for event in found
        ]

    def score(self, name: str, value: Any, *, is_shown: bool, line: int = 0) -> list[Event]:  # noqa: ANN401
        """Make the event of a score on hidden answers; what is no number gives none."""
        number = number_of(value)
        if number is None:
            return []
        text = Text(f"{name}: {value}", line or self.line)
        fields = {"value": number, "is_shown": is_shown}
        return [self.event(EventKind.SCORE, text, by="harness", target=name, **fields)]


def line_of(record: Any) -> int:  # noqa: ANN401 - any JSON value
    """Return the line at which an object begins: that of its first key; 1 where it is not known."""
    first = next(iter(record), None) if isinstance(record, dict) else record
    return first.line if isinstance(first, Text) else 1


def texts_of(value: Any) -> list[str]:  # noqa: ANN401
    """Return the texts of a text, of a list of texts, or of a chat's content blocks."""
    if isinstance(value, str):
        return [value]
    if not isinstance(value, list):
        return []
    found = []
    for item in value:
        text = item if isinstance(item, str) else _block_text(item)
        if text is not None:
            found.append(text)
    return found


def _block_text(block: Any) -> str | None:  # noqa: ANN401
    for key in ("text", "content", "reasoning", "thinking"):
        if isinstance(block, dict) and isinstance(block.get(key), str):
            return block[key]  # type: ignore[no-any-return]
    return None


def number_of(value: Any) -> float | None:  # noqa: ANN401
    """Return a number, or what a text says if it is one; truth is 1 and 0."""
    if isinstance(value, str) and len(value) > 40:  # noqa: PLR2004 - no number
        return None
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return None


def step_of(value: Any) -> int | None:  # noqa: ANN401
    """Return a step's number, None where it is none."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def time_of(value: Any) -> float | None:  # noqa: ANN401
    """Return seconds since 1970 of a number or of an ISO time; one without a zone is UTC."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return float(value)
    try:
        moment = datetime.fromisoformat(str(value)[:40])
    except ValueError:
        return number_of(value)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def joined(batches: Iterable[list[Event]]) -> Iterator[Event]:
    """Give calls what came back: the outputs that follow a batch with calls, one each in turn.

    An event is yielded once what came back is known.
    """
    held: list[Event] = []
    calls: list[int] = []  # places in `held` of calls without an answer
    for batch in batches:
        if any(event.kind in DONE for event in batch) or len(held) > MAX_ANSWERS:
            yield from held
            held, calls = [], []
        for event in batch:
            if event.kind in DONE and not event.output:
                calls.append(len(held))
            elif event.kind is EventKind.OUTPUT and calls and not event.target:
                at = calls.pop(0)
                held[at] = held[at]._replace(output=event.text[:MAX_OUTPUT])
            held.append(event)
    yield from held


def read_parts(
    log: TextFile,
    of_part: Callable[[Part], list[Event]],
    split: Collection[str] = (),
    *,
    apart: bool = False,
) -> Iterator[Event]:
    """Read a JSON log part by part; see `json_stream.parts`, `joined`."""

    def batches() -> Iterator[list[Event]]:
        for part in parts_of(log, split, apart=apart):
            yield [part] if isinstance(part, Event) else of_part(part)

    return joined(batches())


def numbers_in(value: Any, word: str) -> Iterator[tuple[str, Any]]:  # noqa: ANN401
    """Yield the numbers of a JSON value whose key has a word in it, at any depth."""
    stack = [("", value)]
    while stack:
        key, current = stack.pop()
        if isinstance(current, dict):
            stack += [(str(k), v) for k, v in reversed(current.items())]
        elif isinstance(current, list):
            stack += [(key, v) for v in reversed(current)]
        elif word in key.lower() and isinstance(current, int | float):
            yield key, current
