"""How long an attempt worked by what its commands printed, where no record tells it."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING

from detectors.rules.durations import seconds_by_tools, seconds_said
from detectors.rules.usage import MAX_DAYS, READS_FILES, Used
from detectors.trajectories.commands import whole
from detectors.trajectories.events import EventKind, events, recognised

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.attempt import Attempt
    from detectors.text_file import TextFile
    from detectors.trajectories.events import Event

_OF_EPOCH = re.compile(
    r"^\W{0,3}epoch\b[^\n]{0,160}?[(\[]\s?(?P<s>\d+(?:\.\d+)?)\s?s(?:ec(?:onds)?)?[)\]]|"
    r"^\s*\d+/\d+ - (?P<keras>\d+)s - loss\b",
    re.IGNORECASE | re.MULTILINE,
)
_FINISHED = re.compile(
    r"^\W{0,3}(?:finished|done|completed|took|total)\b[^\d\n]{0,14}(?P<s>\d+(?:\.\d+)?)\s?"
    r"(?P<unit>s|sec(?:onds)?|min(?:utes)?|h(?:ours)?)\b",
    re.IGNORECASE | re.MULTILINE,
)
_DATE = re.compile(
    r"^\w{3} (?P<day>\w{3} +\d+ \d\d:\d\d:\d\d) (?P<zone>[A-Z]{3,4}) (?P<year>20\d\d)$",
    re.MULTILINE,
)
_FILE_TIME = re.compile(
    r"\b(?P<at>20\d\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d)(?:\.\d+)? ?(?P<zone>Z\b|[+-]\d\d:?\d\d\b)"
)
_SHOWS_TIME = re.compile(r"\b(?:date|stat|ls)\b")
_OF_SUBMISSION = re.compile(r"submission[\w.-]*\.csv")
_ONE = re.compile(r"\bstat\b(?![^\n|;&]*\.csv[^\n|;&]*\.csv)")
_DATED = re.compile(r"(?:^|[;&|]\s*)date\b(?!\s+(?:-d|--date|-r))")
_SIDE_BY_SIDE = re.compile(r"(?<![&>|])&(?![&>\d])|\b(?:nohup|parallel|xargs)\b")
_STEP_TIME = {
    "swe-agent": re.compile(r"\"execution_time\"\s*:\s*(?P<s>\d+(?:\.\d+)?)\b"),
    "aide": re.compile(r"\"exec_time\"\s*:\s*(?P<s>\d+(?:\.\d+)?)\b"),
}
_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0}


def worked(attempt: Attempt) -> Used | None:
    """Return the seconds that an attempt worked at least, by its commands' own words.

    Commands run one behind the other: their times are added up, but of those in the background.
    """
    found = [used for log in attempt.logs for used in _of_log(log)]
    return max(found, key=_value, default=None)


def _of_log(log: TextFile) -> Iterator[Used]:
    total, last, first = 0.0, None, None
    for raw in events([log]):
        if raw.kind not in {EventKind.COMMAND, EventKind.CODE} or READS_FILES.search(raw.text):
            continue
        event = whole(raw)
        took = 0.0 if _SIDE_BY_SIDE.search(event.text) else _took(event)
        if took:
            total, last = total + took, event
        yield from seconds_said(event)
        for at in _dates(event):
            first = at if first is None else first
            yield Used(at - first, event)
    if last is not None:
        yield Used(total, last)
    of_steps = _STEP_TIME.get(recognised(log))
    if of_steps and not log.is_large:
        times = [float(m["s"]) for m in of_steps.finditer(log.text)]
        begin = next(iter(events([log])), None)
        if times and begin is not None:
            yield Used(sum(times), begin)


def _took(event: Event) -> float:
    """Return the seconds that a command took: what measures it, or its epochs together."""
    epochs = sum(float(m["s"] or m["keras"]) for m in _OF_EPOCH.finditer(event.output))
    said = [float(m["s"]) * _UNITS[m["unit"][0].lower()] for m in _FINISHED.finditer(event.output)]
    return max([*seconds_by_tools(event), *said, epochs], default=0.0)


def _dates(event: Event) -> Iterator[float]:
    for one in _DATE.finditer(event.output) if _DATED.search(event.text) else ():
        yield from _at(one)


def _at(found: re.Match[str]) -> Iterator[float]:
    """Yield the moment that `date` printed, as of UTC."""
    try:
        at = datetime.strptime(f"{found['day']} {found['year']} +0000", "%b %d %H:%M:%S %Y %z")
    except ValueError:
        return
    yield at.timestamp()


def shown_after(attempt: Attempt, started: datetime) -> Used | None:
    """Return the seconds from the start to the last moment that the clock or the submission shows.

    Moments count that tell their zone: by `date`, and by `stat` or `ls` of the submission.
    """
    begin = started.timestamp()
    found = [
        Used(at - begin, event)
        for raw in events(attempt.logs)
        if raw.kind is EventKind.COMMAND and _SHOWS_TIME.search(raw.text)
        for event in [whole(raw)]
        for at in _moments(event)
    ]
    within = [used for used in found if 0 < used.value < MAX_DAYS * 86_400]
    return max(within, key=_value, default=None)


def _moments(event: Event) -> Iterator[float]:
    for one in _DATE.finditer(event.output) if _DATED.search(event.text) else ():
        if one["zone"] in {"UTC", "GMT"}:
            yield from _at(one)
    of_it = "submission" in event.text and re.search(r"\b(?:stat|ls)\b", event.text)
    for line in event.output.split("\n"):
        stamp = _FILE_TIME.search(line)
        is_date = stamp and _DATED.search(event.text) and line.strip() == stamp[0].strip()
        if stamp and (
            is_date or (of_it and (_OF_SUBMISSION.search(line) or _ONE.search(event.text)))
        ):
            zone = stamp["zone"].replace("Z", "+00:00")
            zone = zone if ":" in zone else f"{zone[:3]}:{zone[3:]}"
            text = f"{stamp['at'].replace(' ', 'T')}{zone}"
            try:
                yield datetime.fromisoformat(text).timestamp()
            except ValueError:
                continue


def _value(used: Used) -> float:
    return used.value
