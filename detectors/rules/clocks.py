"""How long an attempt worked by what its commands printed, where no record tells it."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING

from detectors.rules.durations import seconds_by_tools, seconds_said
from detectors.rules.usage import READS_FILES, Used
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
    r"^\w{3} (?P<day>\w{3} +\d+ \d\d:\d\d:\d\d) (?:UTC|GMT|CES?T|[A-Z]{3,4}) (?P<year>20\d\d)$",
    re.MULTILINE,
)
_DATED = re.compile(r"(?:^|[;&|]\s*)date\b")
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
        try:
            at = datetime.strptime(f"{one['day']} {one['year']} +0000", "%b %d %H:%M:%S %Y %z")
        except ValueError:
            continue
        yield at.timestamp()


def _value(used: Used) -> float:
    return used.value
