"""Times that a clock measured, as tools and scaffolds print them; estimates are none."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from detectors.rules.usage import Used, lines_of_files, own_lines
from detectors.trajectories.commands import whole
from detectors.trajectories.events import Event, EventKind, events, recognised

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.text_file import TextFile

MAX_SAID = 2_000  # characters of a line that are looked at for words
MAX_OUTPUT = 20_000
_CLOCK = r"(?:(?P<d>\d{1,2})(?: days?,? |-))?(?P<h>\d{1,3}):(?P<m>[0-5]\d):(?P<s>[0-5]\d)(?:\.\d+)?"
_WORDS = (
    r"(?:(?P<wd>\d{1,2})\s?d(?:ays?)?,?\s?)?(?:(?P<wh>\d{1,3}(?:\.\d+)?)\s?h(?:ours?|rs?)?(?![a-z]),?\s?)?"
    r"(?:(?P<wm>\d{1,4}(?:\.\d+)?)\s?m(?:in(?:utes?|s)?)?\b,?\s?)?"
    r"(?:(?P<ws>\d[\d,]{0,9}(?:\.\d+)?)\s?s(?:ec(?:onds?|s)?)?\b)?"
)
_BY_TOOLS = (
    re.compile(rf"Elapsed \(wall clock\) time \(h:mm:ss or m:ss\): {_CLOCK}"),
    re.compile(r"^real\s+(?P<wm>\d+)m(?P<ws>[\d.]+)s", re.MULTILINE),
    re.compile(rf"^Wall time: (?=\d){_WORDS}", re.MULTILINE),
    re.compile(rf"\|\s*\d+/\d+ \[{_CLOCK}<"),
)
_BY_QUEUE = re.compile(rf"^\s*{_CLOCK}\s*$", re.MULTILINE)
_SAID = re.compile(
    r"\b(?:elapsed|wall[- ]?clock|wall[- ]?time|(?:run|total|training|running) ?time|time (?:used|"
    r"spent|taken)|run(?:ning)? for|finished (?:in|after)|ran for|laufzeit)\b"
    rf"[^\d\n]{{0,24}}?(?:{_CLOCK}|(?=\d){_WORDS})",
    re.IGNORECASE,
)
_BEHIND = re.compile(  # how long it was, and then that it was used; or beside what is allowed
    rf"(?<![\d.:])(?:{_CLOCK}|(?=\d){_WORDS})\s*\]?\s*(?:of [\dhms :.]{{1,12}}\s*)?(?:hours )?"
    r"(?:elapsed|used|passed|since (?:the )?start)\b",
    re.IGNORECASE,
)
_USED_OF = re.compile(
    rf"(?:\bused\b|\bexecution time)\W{{0,3}}(?:{_CLOCK}|(?=\d){_WORDS}) ?(?:of|/|out of|over|"
    r"in all)\b",
    re.IGNORECASE,
)
_SINCE = re.compile(rf"^\W{{0,2}}T\+{_CLOCK}\b")
_NO_CLOCK = re.compile(
    r"\b(?:eta|estimat\w*|remaining|left|would|could|expected|predict\w*|limit(?:ed)?[: ]|"
    r"allowed to|cpu|user|mean|average|median|max(?:imum)?|min(?:imum)?|per|trip|ride|travel|each|"
    r"budget:|node|"
    r"you have|must|should|video|audio|song|race|flight)\b",
    re.IGNORECASE,
)
_HINT = re.compile(
    r"elapsed|used|passed|since|time|clock|laufzeit|ran for|run(?:ning)? for|finished|^\W{0,2}T\+",
    re.IGNORECASE,
)
_PASSED = (  # strictly: what a program prints may be of its data
    re.compile(
        rf"^\W{{0,3}}(?:total )?(?:elapsed|wall(?:[- ]?clock)?(?: ?time)?)\W{{1,3}}"
        rf"(?:{_CLOCK}|(?=\d){_WORDS})",
        re.IGNORECASE,
    ),
    re.compile(rf"^\W{{0,3}}(?:{_CLOCK}|(?=\d){_WORDS})\s?elapsed\b", re.IGNORECASE),
    re.compile(
        rf"(?:^|[:;,]\s)(?:{_CLOCK}|(?=\d){_WORDS})\s?(?:since (?:the )?start|so far)\b",
        re.IGNORECASE,
    ),
)
_SAYS = (_SAID, _BEHIND, _USED_OF, _SINCE)
_IN_JSON = re.compile(
    r"\"(?:total_(?:time|elapsed|runtime|duration)|elapsed(?:_time)?|wall(?:_?clock)?(?:_time)?|"
    r"run_?time)(?P<unit>_s|_sec|_secs|_seconds|_h|_hours|_min|_minutes)?\"\s*:\s*"
    r"(?P<n>\d+(?:\.\d+)?)\b",
    re.IGNORECASE,
)
_SPELT = re.compile(
    r"^(?=\d|an? )(?:(?P<wd>\d+) days?,? ?(?:and )?)?(?:(?P<wh>\d+|an?) hours?,? ?(?:and )?)?"
    r"(?:(?P<wm>\d+|a) min(?:ute)?s?,? ?(?:and )?)?(?:(?P<ws>\d+(?:\.\d+)?|a) ?s(?:ec(?:ond)?s?)?)?"
)
_STEP_TOLD = re.compile(  # as AIDE tells it
    r"[Ee]xecution time:? (?P<took>[^()\n]{2,60}?)\s*\(time limit is (?P<may>[^()\n]{2,40})\)"
)
_STEP_TIME = re.compile(r"\"exec(?:ution)?_time(?:_s)?\"\s*:\s*(?P<n>\d+(?:\.\d+)?)\b")
_TIMES = {"_h": 3600.0, "_hours": 3600.0, "_min": 60.0, "_minutes": 60.0}


def measured(log: TextFile) -> Iterator[Used]:
    """Yield times that a log tells were measured from a beginning to an end, in seconds."""
    is_plain = recognised(log) == "plain-text"
    yield from _by_tools(log, lines_of_files(log) if is_plain else frozenset())
    for event in own_lines(log):
        for one in _IN_JSON.finditer(event.text):
            value = float(one["n"]) * _TIMES.get((one["unit"] or "").lower(), 1.0)
            yield Used(value, _shown(event, event.text, one))
        if not _HINT.search(event.text[:MAX_SAID]):
            continue
        said = (m for form in _SAYS for m in form.finditer(event.text[:MAX_SAID]))
        for one in said if is_plain else ():
            if not _NO_CLOCK.search(event.text[: one.end()]):  # a limit may stand behind
                yield Used(_seconds(one), _shown(event, event.text, one))


def seconds_by_tools(event: Event) -> list[float]:
    """Return the seconds that tools measured of a command."""
    return [_seconds(one) for form in _BY_TOOLS for one in form.finditer(event.output)]


def seconds_said(event: Event) -> Iterator[Used]:
    """Yield times that a command's output says have passed since the beginning."""
    for line in event.output[:MAX_OUTPUT].split("\n"):
        for form in _PASSED:
            for one in form.finditer(line):
                if not _NO_CLOCK.search(line[: one.end()]):
                    yield Used(_seconds(one), _shown(event, line, one))


def steps_over(log: TextFile, limit_s: float | None) -> Iterator[tuple[Used, float]]:
    """Yield steps that took longer than they may, each with its limit in seconds.

    Parameters
    ----------
    limit_s : float or None
        What the prompt allows a step; else only what stands beside a step's own time counts.
    """
    for event in events([log]):
        for text in (event.text, event.output):
            for one in _STEP_TOLD.finditer(text) if "limit is" in text else ():
                parts = [_seconds(m) for m in map(_SPELT.match, (one["took"], one["may"])) if m]
                if len(parts) == len(("took", "may")) and all(parts):
                    yield Used(parts[0], _shown(event, text, one)), parts[1]
    if limit_s is None:
        return
    for used in _by_tools(log, lines_of_files(log)):
        yield used, limit_s
    for event in own_lines(log):
        for one in _STEP_TIME.finditer(event.text):
            yield Used(float(one["n"]), _shown(event, event.text, one)), limit_s


def _by_tools(log: TextFile, shown: frozenset[int]) -> Iterator[Used]:
    """Yield what programs print that measure time; lines of files that commands show are none."""
    for raw in events([log]):
        event = whole(raw)
        text = event.output if event.kind in {EventKind.COMMAND, EventKind.CODE} else ""
        if event.kind in {EventKind.OUTPUT, EventKind.TEXT} and event.first_line not in shown:
            text = event.text
        is_queue = "sacct" in event.text or "squeue" in event.text
        for form in (*_BY_TOOLS, _BY_QUEUE) if is_queue else _BY_TOOLS:
            for one in form.finditer(text):
                yield Used(_seconds(one), _shown(event, text, one))


def _shown(event: Event, text: str, one: re.Match[str]) -> Event:
    return event._replace(text=text[max(0, one.start() - 60) : one.end() + 60], output="")


def _seconds(found: re.Match[str]) -> float:
    parts = found.groupdict()
    scale = {"d": 86_400, "h": 3600, "m": 60, "s": 1}
    scale |= {f"w{name}": size for name, size in scale.items()}
    return sum(_figure(parts.get(name)) * size for name, size in scale.items())


def _figure(text: str | None) -> float:
    return 1.0 if text in {"a", "an"} else float((text or "0").replace(",", ""))
