"""Limits of time, memory, tokens and money that an attempt was told in its prompt."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from detectors.rules.prompts import said
from detectors.rules.told_elsewhere import (
    SENTENCE,
    deadline_in,
    files_of_limits,
    limits_as_set,
    limits_set,
)
from detectors.trajectories.events import events

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from detectors.attempt import Attempt

MAX_TEXT = 40_000  # characters of one prompt
MAX_EVENTS = 2_000  # of a log, among which its prompts are
_WORDS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6,
          "eight": 8, "ten": 10, "twelve": 12}  # fmt: skip
_N = rf"(?P<n>\d+(?:\.\d+)?|{'|'.join(_WORDS)})"
_TIME = re.compile(
    rf"\b{_N}[\s-]?(?P<unit>h(?:ours?|rs?)?|min(?:ute)?s?|days?|s(?:ec(?:ond)?s?)?)\b",
    re.IGNORECASE,
)
_ALONE = re.compile(
    rf"^\W*(?:wall[- ]?)?(?:time|runtime)\W{{1,3}}{_N}[\s-]?"
    r"(?P<unit>h(?:ours?|rs?)?|min(?:ute)?s?|days?)\W*$",
    re.IGNORECASE,
)
_SIZE = re.compile(r"\b(?P<n>\d+(?:\.\d+)?) ?(?P<unit>[GT])i?B\b", re.IGNORECASE)
_TOKENS = re.compile(r"\b(?P<n>\d[\d,]*(?:\.\d+)?) ?(?P<unit>[kKmM]|million|thousand)? tokens\b")
_TOKENS_BEHIND = re.compile(
    r"\btokens? (?:budget|limit|cap|allowance)(?: is| of)?\W{1,3}(?P<n>\d[\d,]*(?:\.\d+)?) ?"
    r"(?P<unit>[kKmM]|million|thousand)?\b",
    re.IGNORECASE,
)
_CLOCK = re.compile(
    r"\btime (?:limit|budget)\W{1,3}(?P<h>\d{1,3}):(?P<m>[0-5]\d):(?P<s>[0-5]\d)\b", re.IGNORECASE
)
_MONEY = re.compile(r"(?:\$|USD ?)(?P<n>\d+(?:\.\d+)?)|(?P<m>\d+(?:\.\d+)?) ?(?:USD|dollars)\b")
_LIMITS = re.compile(
    r"\b(?:limit(?:s|ed)?|budget|at most|no more than|maximum|max\.?|must not exceed|not exceed|"
    r"deadline|within|allowed|up to|you have|may (?:use|take|spend|run)|in all|höchstens|cap|"
    r"must (?:all )?(?:be )?(?:done|ready|over|finish(?:ed)?|complete[d]?) (?:in|after|by)|"
    r"wall[- ]?(?:clock|time)|stop after|(?:longer|more) than|stay (?:below|under)|"
    r"below|under|exceed)\b",
    re.IGNORECASE,
)
_OF_ALL = re.compile(
    r"\b(?:total (?:time|run ?time|compute)|overall|in all|altogether|everything|"
    r"wall[- ]?(?:clock|time)|"
    r"(?:time|compute|runtime) (?:limit|budget|is limited)|deadline|you have|must (?:all )?(?:be )?"
    r"(?:finish|complete|end|done|over|ready)\w*|(?:everything|all(?: of it| work)?|"
    r"the (?:whole )?(?:attempt|task|session|work)) (?:must|may|has to|should)|"
    r"(?:total|hard|overall) (?:limit|budget|cap)|"
    r"max(?:imum|\.)? (?:run ?time|time|duration)|insgesamt)\b|"
    r"^\W*(?:limits?|budgets?|(?:finish|complete|stop)\b)",
    re.IGNORECASE,
)
_OF_DATA = re.compile(
    r"\b(?:trips?|rides?|sessions?|videos?|audio|recordings?|recorded|patients?|windows?|intervals?|"
    r"sampled|collected|rows?|measure\w*|sensors?|flights?|events?|users?|typical\w*|usually|"
    r"expected|estimat\w*|predict\w*|notebooks?|kernels?|inference|left|remain\w*|phase|stage|"
    r"turn|for (?:this|the (?:first|next|final)) (?:part|step|round|task of)|used so "
    r"far|elapsed|ago|already|reset)\b",
    re.IGNORECASE,
)
_OF_STEP = re.compile(
    r"\b(?:each|every|per|single|any(?: one)?|individual|one)\s+(?:\w+ ){0,2}?(?:step|execution|"
    r"command|run|cell|node|script|call|code|program|training|action|tool)\b|\b(?:step|execution|"
    r"command|cell) (?:time ?out|limit)\b",
    re.IGNORECASE,
)
_OF_MEMORY = re.compile(r"\b(?:memory|ram|rss|resident|speicher)\b", re.IGNORECASE)
_OF_DEVICE = re.compile(r"\b(?:gpu|vram|disk|storage|upload|file|download)\b", re.IGNORECASE)
_OF_COST = re.compile(r"\b(?:cost|budget|spend|api|llm)\b", re.IGNORECASE)
_ONE_ANSWER = re.compile(r"\b(?:context|window|per|each|every|response|answer|sequence)\b", re.I)
_SPEAKER = re.compile(  # who is no user that data are of
    r"^[^\w\n]{0,6}(?:\d[\dT:.,Z+ -]{8,40}\W{0,3})?(?:INFO\W+)?(?:system|user|human|prompt|"
    r"instructions?)\b[^:>\n]{0,20}[:>\]]",
    re.IGNORECASE,
)
_SECONDS = {"h": 3600.0, "m": 60.0, "d": 86_400.0, "s": 1.0}
_MANY = {"k": 1e3, "thousand": 1e3, "m": 1e6, "million": 1e6}


class ToldLimits(NamedTuple):
    """What prompts allow; None where they tell nothing. Of several figures the largest counts."""

    wall_clock_s: float | None = None
    step_s: float | None = None
    memory_bytes: float | None = None
    tokens: float | None = None
    cost_usd: float | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing is limited."""
        return all(value is None for value in self)


def limits_told(attempt: Attempt) -> ToldLimits:
    """Read the limits in the prompts of an attempt's logs.

    Where they tell none of a kind, those count that the scaffold's settings tell, or files of
    limits that the agent reads.
    """
    record = attempt.readable_record
    started = record.started_at if record else None
    found: dict[str, float] = {}
    others: dict[str, float] = dict[str, float]()
    for name, value in limits_set(attempt):
        others[name] = max(others.get(name, 0.0), value)
    for log in attempt.logs:
        for number, one in enumerate(said(events([log]))):
            if number > MAX_EVENTS:
                break
            if one.told:
                _take(found, one.event.text[:MAX_TEXT], started)
        for event in files_of_limits(log):
            _take(others, event.text[:MAX_TEXT], started)
    return ToldLimits(**{**others, **found})


def _take(found: dict[str, float], text: str, started: datetime | None) -> None:
    """Keep the largest of each limit that a text tells."""
    text = _SPEAKER.sub("", text)
    for name, value in limits_in(text):
        found[name] = max(found.get(name, 0.0), value)
    for name, value in limits_as_set(text):
        found[name] = max(found.get(name, 0.0), value)
    ends = deadline_in(text, started) if started else None
    if ends and started:
        seconds = (ends - started).total_seconds()
        found["wall_clock_s"] = max(found.get("wall_clock_s", 0.0), seconds)


def limits_in(text: str) -> Iterator[tuple[str, float]]:
    """Yield the limits that sentences set, each by the name of its field.

    Examples
    --------
    >>> list(limits_in("You have 6 hours in all. Cost limit: $3.00."))
    [('wall_clock_s', 21600.0), ('cost_usd', 3.0)]
    >>> list(limits_in("The data cover 6 hours."))
    []
    """
    for sentence in SENTENCE.split(text):
        alone = _ALONE.match(sentence)
        if alone:
            yield "wall_clock_s", _number(alone["n"]) * _SECONDS[alone["unit"][0].lower()]
        if _LIMITS.search(sentence) and not _OF_DATA.search(sentence):
            yield from _times_in(sentence)
            yield from _sizes_in(sentence)


def _times_in(sentence: str) -> Iterator[tuple[str, float]]:
    of_step = _OF_STEP.search(sentence)
    for clock in _CLOCK.finditer(sentence) if not of_step else ():
        yield "wall_clock_s", int(clock["h"]) * 3600.0 + int(clock["m"]) * 60 + int(clock["s"])
    if of_step or _OF_ALL.search(sentence):
        for time in _TIME.finditer(sentence):
            seconds = _number(time["n"]) * _SECONDS[time["unit"][0].lower()]
            yield ("step_s" if of_step else "wall_clock_s"), seconds


def _sizes_in(sentence: str) -> Iterator[tuple[str, float]]:
    if _OF_MEMORY.search(sentence) and not _OF_DEVICE.search(sentence):
        for size in _SIZE.finditer(sentence):
            yield "memory_bytes", _number(size["n"]) * (1e12 if size["unit"] in "tT" else 1e9)
    if not _ONE_ANSWER.search(sentence):
        for told in (*_TOKENS.finditer(sentence), *_TOKENS_BEHIND.finditer(sentence)):
            yield "tokens", _number(told["n"]) * _MANY.get((told["unit"] or "").lower(), 1.0)
    if _OF_COST.search(sentence):
        for money in _MONEY.finditer(sentence):
            yield "cost_usd", _number(money["n"] or money["m"])


def _number(text: str) -> float:
    word = _WORDS.get(text.lower())
    return float(word) if word is not None else float(text.replace(",", ""))
