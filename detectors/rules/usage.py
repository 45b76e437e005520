"""What logs show of time that an attempt used, and which of their lines are no program's output."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from detectors.rules.prompts import said
from detectors.trajectories.commands import whole
from detectors.trajectories.events import Event, EventKind, events, recognised
from detectors.trajectories.source import numbered_lines, pieces

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from detectors.text_file import TextFile

_ENDING_S = 60  # a log's last words may come after the end on record
MAX_LINE = 1 << 20  # characters of a line that are looked at
_DAY_S = 86_400.0
MAX_DAYS = 60  # of one attempt; more is the time of something else
_LEVEL = r"(?:\[?(?:DEBUG|INFO|WARN|WARNING|ERROR|TRACE)\]?[:\s|-]{1,3})?"
_STAMP = re.compile(
    rf"^\s*{_LEVEL}[\[(]?(?P<at>\d{{4}}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d)(?:[.,]\d+)?\s?"
    r"(?P<zone>Z|[+-]\d\d:?\d\d)?(?=[\])\s|:-]|$)"
)
_IN_JSON = re.compile(
    r"\"(?:time|timestamp|ts|at|created_at|asctime|datetime)\"\s*:\s*(?:\""
    r"(?P<at>\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d)(?:[.,]\d+)?\s?(?P<zone>Z|[+-]\d\d:?\d\d)?\"|"
    r"(?P<epoch>1[5-9]\d{8}(?:\.\d+)?)\b)"
)
_CLOCK = re.compile(
    rf"^\s*{_LEVEL}[\[(]?(?P<h>[01]\d|2[0-3]):(?P<m>[0-5]\d):(?P<s>[0-5]\d)(?:[.,]\d+)?[\])\s]"
)
_BACK_S = 3_600.0  # by which clocks of several writers may differ
_TAGGED = re.compile(
    r"^\s*\[[\w.:-]{1,30}\]\s|^[\W\d]{0,30}(?:T[\d:.]+Z?\W*)?(?:(?:INFO|DEBUG|WARNING)\W{1,3})?"
    r"(?:harness|scaffold|runner)\b"
)
_TIME_OVER = re.compile(
    r"\b(?:limit|budget|time|clock|deadline)\b[^\n]{0,30}\b(?:reached|exhausted|expired|hit|"
    r"used up|is up|over|exceeded)\b|\b\d+ ?h(?:ours)? (?:are|is) (?:over|up)\b|\btimed out\b",
    re.IGNORECASE,
)
_FRESH_CLOCK = re.compile(
    r"\b(?:clock|timer|budget|limit|time)\b[^\n]{0,20}\b(?:reset|restarted|renewed|refreshed|"
    r"anew|set back|zero)\b|\belapsed\W{0,3}0\b|"
    r"\b(?:fresh|new|full|another|reset(?:ting)?(?: the)?) (?:(?:time|wall|clock)[ -]?){0,2}"
    r"(?:clock|budget|limit|timer|24|allowance)\b",
    re.IGNORECASE,
)
_GRADING = re.compile(r"\bgrad(?:ed|ing|er)\b", re.IGNORECASE)  # which comes after the end
READS_FILES = re.compile(
    r"^\s*(?:cat|head|tail|less|more|grep|egrep|rg|awk|sed|cut|sort|zcat|xsv|csvlook|jq|sqlite3|"
    r"duckdb|git)\b|pandas|read_csv"
)


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
        return _by_clock(log)
    if ended is not None and begin <= last.value <= ended.timestamp() + _ENDING_S:
        first = max(first, begin)
    return Used(last.value - first, last.event)


def is_made_longer(log: TextFile) -> bool:
    """Say whether a log tells that work went on, with a fresh clock, after the time was over."""
    if recognised(log) != "plain-text":
        return False
    is_over = False
    for event in own_lines(log):
        if is_over and _FRESH_CLOCK.search(event.text):
            return True
        is_over = is_over or _TIME_OVER.search(event.text) is not None
    return False


def spread_of(log: TextFile) -> Used | None:
    """Return the seconds between a log's first and last time, where no start is on record."""
    times = list(_times(log))
    if not times:
        return _by_clock(log)
    (first, _), (last, event) = min(times, key=_at), max(times, key=_at)
    return Used(last - first, event) if last - first < MAX_DAYS * _DAY_S else None


def _at(time: tuple[float, Event]) -> float:
    return time[0]


def _times(log: TextFile) -> Iterator[tuple[float, Event]]:
    if recognised(log) != "plain-text":
        yield from ((e.time, e) for e in events([log]) if e.time is not None)
        return
    shown = lines_of_files(log)
    for number, line in numbered_lines(pieces(log)):
        if number in shown:
            continue
        found = _STAMP.match(line[:80])
        if found is None and line.startswith("{"):
            found = _IN_JSON.search(line[:MAX_LINE])
        at = _moment(found) if found and not _GRADING.search(line[:400]) else None
        if at is not None:
            yield at, Event(EventKind.TEXT, line[:400], log.name, number, number)


def _moment(found: re.Match[str]) -> float | None:
    if found.groupdict().get("epoch"):
        return float(found["epoch"])
    zone = (found["zone"] or "+00:00").replace("Z", "+00:00")
    try:
        text = found["at"].replace(" ", "T").replace("/", "-")
        return datetime.fromisoformat(text + zone).timestamp()
    except ValueError:
        return None


def _by_clock(log: TextFile) -> Used | None:
    """Return the seconds by times of the day alone, where they go on for hours and pass midnight.

    A time before the last one is of the next day where it lies hours before; a little before, it is
    another writer's.
    """
    if recognised(log) != "plain-text":
        return None
    shown = lines_of_files(log)
    passed, last, event = 0.0, None, None
    for number, line in numbered_lines(pieces(log)):
        found = _CLOCK.match(line[:60])
        if found is None or number in shown:
            continue
        at = int(found["h"]) * 3600.0 + int(found["m"]) * 60 + int(found["s"])
        ahead = at - last if last is not None else 0.0
        if -_BACK_S < ahead < 0:
            continue
        passed += ahead if ahead >= 0 else ahead + _DAY_S
        last, event = at, Event(EventKind.TEXT, line[:400], log.name, number, number)
    return Used(passed, event) if event is not None and passed > _BACK_S else None


def lines_of_files(log: TextFile) -> frozenset[int]:
    """Return the lines of a log of text on which commands show files: they are of other times."""
    return frozenset(
        number
        for event in events([log])
        if event.kind in {EventKind.COMMAND, EventKind.CODE} and READS_FILES.search(event.text)
        for number in _output_lines(event)
    )


def _output_lines(event: Event) -> range:
    """Return the lines of a command's output; a part of one ends where somebody speaks again."""
    if not event.output_end:
        return range(0)
    n = whole(event).output.count("\n") + 1
    return range(event.last_line + 1, min(event.output_end, event.last_line + n) + 1)


def own_lines(log: TextFile) -> Iterator[Event]:
    """Yield the lines of a log that are neither output of programs nor told or said by anybody.

    Of records and documents every line is given: there, what was said is within texts.
    """
    left_out: set[int] = set()
    if recognised(log) == "plain-text":
        for one in said(events([log])):
            event = one.event
            if event.kind in {EventKind.COMMAND, EventKind.CODE}:
                left_out |= set(_output_lines(event))
            is_logged = _TAGGED.match(event.text) is not None  # by a scaffold, whoever spoke before
            if ((one.told or one.own) and not is_logged) or event.kind is EventKind.THOUGHT:
                left_out |= set(range(event.first_line, event.last_line + 1))
    yield from (event for event in all_lines(log) if event.first_line not in left_out)


def all_lines(log: TextFile) -> Iterator[Event]:
    """Yield the lines of a log, whoever they are from."""
    for number, line in numbered_lines(pieces(log)):
        yield Event(EventKind.TEXT, line[:MAX_LINE], log.name, number, number)


def durations_of(logs: Iterable[TextFile]) -> Used | None:
    """Return the longest time that a clock measured by a log's word, in seconds."""
    from detectors.rules.durations import measured

    found = [used for log in logs for used in measured(log)]
    return max(found, key=lambda used: used.value, default=None)


def seconds_between(started: datetime, ended: datetime | None) -> float:
    """Return the seconds of an attempt, 0 where no end is on record."""
    return (ended.astimezone(UTC) - started.astimezone(UTC)).total_seconds() if ended else 0.0
