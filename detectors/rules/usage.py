"""What logs show of time, tokens and money that an attempt used."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from detectors.trajectories.events import Event, EventKind, events, recognised
from detectors.trajectories.source import numbered_lines, pieces

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from detectors.attempt import TextFile

_ENDING_S = 60  # a log's last words may come after the end on record
MAX_LINE = 1 << 20  # characters of a line that are looked at
_NUMBER = r"(?P<value>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)"
_STAMP = re.compile(
    r"^\s*[\[(]?(?P<at>\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d)(?:[.,]\d+)?\s?(?P<zone>Z|[+-]\d\d:?\d\d)?"
    r"(?=[\])\s|-]|$)"
)
_GRADING = re.compile(r"\bgrad(?:ed|ing|er)\b", re.IGNORECASE)  # which comes after the end
_COST_KEY = re.compile(
    rf'"(?:instance_cost|accumulated_cost|total_cost|total_cost_usd|cost_usd)"\s*:\s*{_NUMBER}'
)
_COST_SAID = re.compile(
    r"\b(?:total|cumulative|accumulated|overall)\s+(?:api\s+|llm\s+)?cost"
    rf"(?:\s+(?:so far|to date))?\s*[:=]\s*(?:\$|USD\s?){_NUMBER}",
    re.IGNORECASE,
)
_TOKEN_KEYS = {
    "sent": re.compile(rf'"tokens_sent"\s*:\s*{_NUMBER}'),
    "received": re.compile(rf'"tokens_received"\s*:\s*{_NUMBER}'),
}
_OF_A_CALL = re.compile(rf'"(?:prompt_tokens|completion_tokens)"\s*:\s*{_NUMBER}')
_TOTAL_TOKENS = re.compile(rf'"total_tokens(?:_used)?"\s*:\s*{_NUMBER}')
_IN_AND_OUT = re.compile(r"\bin_tokens=(?P<sent>\d+)\s+out_tokens=(?P<received>\d+)")


class Used(NamedTuple):
    """An amount and the line of a log that tells it last.

    Parameters
    ----------
    value : float
        Seconds, tokens or USD.
    """

    value: float
    event: Event


def span_of(log: TextFile, started: datetime, ended: datetime | None = None) -> Used | None:
    """Return the seconds between the first and the last time on a log's lines or records.

    Times are taken that lie within a day before the attempt's start and 60 days after it, so that
    dates in the data do not count; differences need no time zone. A log whose last time lies
    between the start and the end on record began with the attempt's preparation where its first
    time lies before the start: it is counted from the start.
    """
    begin = started.timestamp()
    low, high = begin - 86_400, begin + 60 * 86_400
    first: float | None = None
    last: Used | None = None
    for at, event in _times(log):
        if low <= at <= high:
            first = at if first is None else min(first, at)
            if last is None or at > last.value:
                last = Used(at, event)
    if last is None or first is None:
        return None
    if ended is not None and begin <= last.value <= ended.timestamp() + _ENDING_S:
        first = max(first, begin)
    return Used(last.value - first, last.event)


def _times(log: TextFile) -> Iterator[tuple[float, Event]]:
    if recognised(log) != "plain-text":
        yield from ((e.time, e) for e in events([log]) if e.time is not None)
        return
    for number, line in numbered_lines(pieces(log)):
        found = _STAMP.match(line[:80])
        at = _moment(found) if found and not _GRADING.search(line[:400]) else None
        if at is not None:
            yield at, Event(EventKind.TEXT, line[:400], log.name, number, number)


def _moment(found: re.Match[str]) -> float | None:
    zone = (found["zone"] or "+00:00").replace("Z", "+00:00")
    try:
        return datetime.fromisoformat(found["at"].replace(" ", "T") + zone).timestamp()
    except ValueError:
        return None


def cost_of(logs: Iterable[TextFile]) -> Used | None:
    """Return the largest sum of money that a scaffold's own account in the logs tells, in USD."""
    best: Used | None = None
    for log in logs:
        for event in _lines(log):
            found = [*_COST_KEY.finditer(event.text)]
            found += _COST_SAID.finditer(event.text) if recognised(log) == "plain-text" else ()
            for one in found:
                if best is None or float(one["value"]) > best.value:
                    best = Used(float(one["value"]), _cut(event, one))
    return best


def tokens_of(logs: Iterable[TextFile]) -> Used | None:
    """Return the tokens of the log that tells of most.

    Running totals count by the largest of them; of aira-dojo's nodes and of lines that tell single
    calls, the calls are added up.
    """
    found = [used for log in logs for used in [_tokens(log)] if used is not None]
    return max(found, key=lambda used: used.value, default=None)


def _tokens(log: TextFile) -> Used | None:
    of_calls = recognised(log) == "aira-dojo"
    totals = dict.fromkeys((*_TOKEN_KEYS, "total"), 0.0)
    calls, last = 0.0, None
    for event in _lines(log):
        if "token" not in event.text:
            continue
        marks = [
            (name, one) for name, key in _TOKEN_KEYS.items() for one in key.finditer(event.text)
        ]
        if not of_calls:
            marks += [("total", one) for one in _TOTAL_TOKENS.finditer(event.text)]
        for name, one in marks:
            totals[name] = max(totals[name], float(one["value"]))
        told = [float(m["value"]) for m in _OF_A_CALL.finditer(event.text)] if of_calls else []
        told += [float(m["sent"]) + float(m["received"]) for m in _IN_AND_OUT.finditer(event.text)]
        calls += sum(told)
        if marks or told:
            at = marks[0][1] if marks else re.search("token", event.text)
            last = _cut(event, at) if at else event
    most = max(calls, totals["sent"] + totals["received"], totals["total"])
    return Used(most, last) if last is not None and most else None


def _lines(log: TextFile) -> Iterator[Event]:
    for number, line in numbered_lines(pieces(log)):
        yield Event(EventKind.TEXT, line[:MAX_LINE], log.name, number, number)


def _cut(event: Event, at: re.Match[str]) -> Event:
    """Keep of a long line what stands around a place."""
    return event._replace(text=event.text[max(0, at.start() - 60) : at.end() + 60])


def seconds_between(started: datetime, ended: datetime | None) -> float:
    """Return the seconds of an attempt, 0 where no end is on record."""
    return (ended.astimezone(UTC) - started.astimezone(UTC)).total_seconds() if ended else 0.0
