"""Limits that no prompt tells: a scaffold's settings, its files that the agent reads, deadlines."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from detectors.rules.usage import own_lines
from detectors.trajectories.commands import whole
from detectors.trajectories.events import EventKind, events, recognised

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.attempt import Attempt
    from detectors.text_file import TextFile
    from detectors.trajectories.events import Event

MAX_LINES = 400  # of a log, among which a scaffold's settings are
MAX_LINES_OF_DOCUMENT = 20_000
MAX_LINE = 4_000
NEAR = 40  # characters around a limit that tell of what it is
MAX_DAYS = 60  # in which a deadline of an attempt lies
_N = r"(?P<n>\d[\d,_]*(?:\.\d+)?(?:[eE]\d+)?)"
_KEY = r"(?<![\w-])[\"']?(?:\w+\.){0,3}"
_SET = r"[\"']?\s*[:=]\s*[\"']?"
_HINT = re.compile(r"limit|budget|max|_cap|allowed|quota", re.IGNORECASE)
_COST = re.compile(
    rf"{_KEY}(?:(?:max|maximum|allowed)_(?:total_|api_|llm_)?(?:cost|spend|budget)_?(?:usd|dollars)|"
    r"(?:(?:per_|total_)?instance_|total_|api_|llm_|agent_)?cost_(?:limit|budget|cap)(?:_usd)?|"
    rf"(?:usd_(?:limit|budget|cap)|budget_usd|max_(?:total_)?cost)){_SET}\$?{_N}",
    re.IGNORECASE,
)
_TOKENS = re.compile(
    rf"{_KEY}(?:max_total_(?:llm_)?tokens|max_tokens_(?:total|overall)|"
    r"(?:total_)?tokens?_(?:budget|cap|allowed|quota)|"
    rf"total_tokens?_limit|tokens?_limit_total|budget_tokens){_SET}{_N}\s?(?P<unit>[kKmM])?\b",
    re.IGNORECASE,
)
_TIME = re.compile(
    rf"{_KEY}(?:(?:total_|agent_|run_|overall_)?time_limit(?:_(?P<unit>s|secs?|seconds|h|hours|"
    r"min|minutes))?|(?:max_(?:wall_?(?:clock|time)|run_?time)|"
    r"wall_clock)(?:_(?P<unit2>s|secs?|seconds|h|hours|"
    r"min|minutes))?|(?:wall_?(?:clock|time)|time)_budget(?:_(?P<unit3>s|secs?|seconds|h|hours|"
    rf"min|minutes))?){_SET}{_N}\s?(?P<behind>h|hours?|min|minutes|s|sec|seconds)?\b",
    re.IGNORECASE,
)
_OF_RUN = re.compile(
    r"\b(?:run|attempt|agent|scaffold|harness|runner|session|container|sandbox)\b|"
    r"\bmodel[=: \"']{1,4}(?:[\w-]+/)?(?:gpt|o\d|claude|gemini|deepseek|qwen|llama)",
    re.IGNORECASE,
)
_OF_PROGRAM = re.compile(
    r"\b(?:study|optuna|n?_?trials?|training|fitting|auto\w+|flaml|h2o|n_jobs|folds?|solver|search|"
    r"tun(?:e|ing|er)|presets?)\b",
    re.IGNORECASE,
)
_PLAIN = re.compile(  # as a runner says when it starts
    r"\b(?:start\w*|begin\w*|launch\w*)\b[^\n]{0,60}?\b(?:limit|budget|allowed)\b\W{1,3}"
    r"(?P<n>\d+(?:\.\d+)?)\s?(?P<unit>h|hours?|min|minutes|s|sec|seconds)\b",
    re.IGNORECASE,
)
_OF_PART = re.compile(
    r"\b(?:per|each|step|node|exec\w*|cell|command|call|request|fold|trial|fit|job)(?:_|\b)",
    re.IGNORECASE,
)
_ENDED_BY = re.compile(r"\"exit_status\"\s*:\s*\"[^\"]*(?:[Ll]imit|exit_cost)")
_FILE = re.compile(
    r"(?:^|[\s/'\"=])(?!description)[\w.-]*(?:deadline|limits?|budget|constraints|quota|"
    r"instructions|rules|allowance)[\w-]*(?:\.(?:txt|md|json|ya?ml|toml|env|cfg|ini))?(?=[\s'\";|&)]|$)",
    re.IGNORECASE,
)
_ENVIRONMENT = re.compile(
    r"^(?:(?:echo\s+[\"']?\$\{?|printenv\s+)(?P<name>\w*(?:LIMIT|BUDGET|DEADLINE)\w*)\}?[\"']?|"
    r"(?:env|printenv)(?:\s*\|\s*grep\b[^|;&]*)?)$"
)
_SETTINGS = re.compile(r"(?:^|[/_.-])(?:config|settings)\.(?:ya?ml|json)$")
MAX_SETTINGS = 100_000  # characters of a scaffold's settings
_TIME_OF = re.compile(
    r"^(?:total_)?time_limit(?:_(?P<unit>s|secs?|seconds|h|hours|m|min|minutes))?$"
)
_STEPS_OF = frozenset({"steps", "max_steps", "num_steps", "step_limit", "max_turns"})
_SHOWS = re.compile(r"^\s*(?:cat|head|tail|less|more|bat)\b(?![^\n]*\.[ct]sv\b)")
_ENDS = re.compile(
    r"\b(?:deadline|due|no later than|not later than|latest|must (?:all )?(?:end|be (?:done|over|"
    r"in|finished|complete)|finish|stop|complete)|(?:ends?|stops?|closes?|finish|over) (?:at|by)|"
    r"until|by|before|after)\b",
    re.IGNORECASE,
)
_WORK = re.compile(
    r"\b(?:work|run(?:s|ning)?|attempt|session|everything|nothing|all|submi\w+|you|must|may|"
    r"deadline|budget|computation|training|finish|done)\b",
    re.IGNORECASE,
)
_OF_CONTEST = re.compile(
    r"\b(?:timeline|entry|merger|competitors?|participants|corresponding day|organi[sz]ers?|kaggle|"
    r"prizes?|leader-?board|all deadlines|time ?zone)\b|\d ?[ap]\.?m\b",
    re.IGNORECASE,
)
_MOMENT = re.compile(
    r"\b(?P<day>20\d\d-\d\d-\d\d)[T ](?P<at>\d\d:\d\d(?::\d\d)?)(?:\.\d+)?\s?(?P<zone>Z\b|UTC\b|"
    r"GMT\b|[+-]\d\d:?\d\d\b)"
)
_CLOCK = re.compile(r"(?<![\d:-])(?P<h>[01]?\d|2[0-3]):(?P<m>[0-5]\d)(?::\d\d)? ?(?:Z|UTC|GMT)\b")
SENTENCE = re.compile(r"(?<=[.;!?])\s+|\n+")
_SECONDS = {"h": 3600.0, "m": 60.0, "s": 1.0}
_MANY = {"": 1.0, "k": 1e3, "m": 1e6}


def limits_set(attempt: Attempt) -> Iterator[tuple[str, float]]:
    """Yield the limits in scaffolds' settings and headers, each by the name of its field.

    Where a scaffold itself ended the attempt at a limit, its settings tell none.
    """
    for log in attempt.logs:
        if recognised(log) == "inspect-eval":
            continue
        found: list[tuple[str, float]] = []
        is_plain = recognised(log) == "plain-text"
        for number, event in enumerate(own_lines(log)):
            if number > (MAX_LINES if is_plain else MAX_LINES_OF_DOCUMENT):
                break
            if _HINT.search(event.text[:MAX_LINE]):
                found += _in_line(event.text[:MAX_LINE])
            if "exit_status" in event.text and _ENDED_BY.search(event.text):
                found = []
                break
        yield from found
        if _SETTINGS.search(log.name) and len(log.text) < MAX_SETTINGS and "&" not in log.text:
            yield from (("wall_clock_s", value) for value in _limits_beside_steps(log.text))


def _limits_beside_steps(text: str) -> Iterator[float]:
    """Yield the seconds that settings allow an agent, which stand beside how many steps it may."""
    import yaml

    try:
        todo: list[object] = [yaml.safe_load(text)]  # JSON is read, too
    except (yaml.YAMLError, RecursionError, ValueError):
        return
    while todo:
        part = todo.pop()
        if not isinstance(part, dict):
            continue
        todo += part.values()
        for name, value in part.items() if _STEPS_OF & set(map(str, part)) else ():
            told = _TIME_OF.match(str(name))
            if told and isinstance(value, int | float) and value > 0:
                yield float(value) * _SECONDS[(told["unit"] or "s")[0]]


def limits_as_set(text: str) -> Iterator[tuple[str, float]]:
    """Yield the limits that a text of names and values sets, which is told to be of the attempt.

    Examples
    --------
    >>> list(limits_as_set('{"time_limit_s": 7200}')), list(limits_as_set("TIME_LIMIT_SECS=60"))
    ([('wall_clock_s', 7200.0)], [('wall_clock_s', 60.0)])
    """
    for one in _TIME.finditer(text):
        is_named = one[0].isupper() or one[0].startswith(("'", '"')) or "_s" in one[0]
        line = text[text.rfind("\n", 0, one.start()) + 1 : one.start()]
        near = f"{line[-NEAR:]}{text[one.start() : one.end() + NEAR]}".partition("\n")[0]
        is_part = _OF_PART.search(near) or _OF_PROGRAM.search(near) or "(" in line
        if is_named and not is_part:
            yield "wall_clock_s", _seconds(one)


def _seconds(found: re.Match[str]) -> float:
    unit = next((u for u in found.group("unit", "unit2", "unit3", "behind") if u), "s")
    return _number(found["n"]) * _SECONDS[unit[0].lower()]


def _in_line(line: str) -> Iterator[tuple[str, float]]:
    for form, name in ((_COST, "cost_usd"), (_TOKENS, "tokens")):
        for one in form.finditer(line):
            value = _number(one["n"]) * _MANY[(one.groupdict().get("unit") or "").lower()]
            if value > 0 and not _OF_PART.search(one[0].replace("instance_", "")):
                yield name, value
    for one in _TIME.finditer(line):
        around = line[: one.start()] + line[one.end() :]
        is_run = one[0].startswith("agent.") or _OF_RUN.search(around)
        if is_run and not (_OF_PART.search(one[0]) or _OF_PROGRAM.search(around)):
            yield "wall_clock_s", _seconds(one)
    started = _PLAIN.search(line)
    if started and _OF_RUN.search(line) and not (_OF_PART.search(line) or _OF_PROGRAM.search(line)):
        yield "wall_clock_s", float(started["n"]) * _SECONDS[started["unit"][0].lower()]


def files_of_limits(log: TextFile) -> Iterator[Event]:
    """Yield what commands show of files that by their names tell the attempt's limits."""
    for raw in events([log]):
        if raw.kind is EventKind.READ and _FILE.search(f" {raw.target}"):
            yield raw._replace(text=raw.output)
        elif raw.kind is EventKind.COMMAND and (asked := _ENVIRONMENT.match(raw.text.strip())):
            output = whole(raw).output
            yield raw._replace(
                text=f"{asked['name']}={output.strip()}" if asked["name"] else output
            )
        elif raw.kind is EventKind.COMMAND and _SHOWS.match(raw.text):
            event = whole(raw)
            if "\n" not in event.text.strip() and _FILE.search(event.text):
                yield event._replace(text=event.output)


def deadline_in(text: str, started: datetime) -> datetime | None:
    """Return the latest moment by which work has to end, None where none is told.

    A date counts where it lies within 60 days behind the start; of a time of the day with its zone,
    the next one behind the start is meant. The dates of a contest on the web are none.

    Examples
    --------
    >>> start = datetime(2026, 3, 1, 10, tzinfo=UTC)
    >>> f"{deadline_in('The deadline is 16:00 UTC.', start):%d %H:%M}"
    '01 16:00'
    >>> deadline_in("Final submission deadline: 11:59 PM UTC.", start)
    """
    found: list[datetime] = []
    for sentence in SENTENCE.split(text):
        ends = _ENDS.search(sentence)
        if not ends or not _WORK.search(sentence) or _OF_CONTEST.search(sentence):
            continue
        found += _moments(sentence, started)
    return max(found, default=None)


def _moments(sentence: str, started: datetime) -> Iterator[datetime]:
    dated = list(_MOMENT.finditer(sentence))
    for one in dated:
        zone = "+00:00" if one["zone"][0] in "ZUG" else one["zone"]
        try:
            at = datetime.fromisoformat(f"{one['day']}T{one['at']}{zone}")
        except ValueError:
            continue
        if started < at < started + timedelta(days=MAX_DAYS):
            yield at
    for clock in _CLOCK.finditer(sentence) if not dated else ():
        start = started.astimezone(UTC)
        at = start.replace(hour=int(clock["h"]), minute=int(clock["m"]), second=0, microsecond=0)
        yield at if at > start else at + timedelta(days=1)


def _number(text: str) -> float:
    return float(text.replace(",", "").replace("_", ""))
