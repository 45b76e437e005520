"""Every place in an attempt's code and logs that reaches for something hidden."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from competitions.errors import EvidenceUnavailableError
from detectors.bounds import UNKNOWN
from detectors.call import NOT_WHOLE, TOO_MUCH
from detectors.calls import calls
from detectors.other_tokens import suffix_of
from detectors.parsing import lines_of
from detectors.rules.climbs import climbed_places
from detectors.rules.hidden_places import Place, Reach, hidden_place
from detectors.rules.other_places import other_places
from detectors.rules.places import (
    REFUSES,
    call_places,
    decoded_places,
    python_places,
    quoted_place,
    shell_places,
    written_paths,
)
from detectors.shell import MAX_LINE
from detectors.trajectories.events import EventKind, events
from detectors.trajectories.excerpts import Excerpts
from detectors.trajectories.plain_text import complaining_lines
from detectors.trajectories.scripts import Runs, script_units, settings_files
from detectors.units import CodeUnit, code_units, notebook_outputs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from detectors.attempt import Attempt
    from detectors.text_file import TextFile
    from detectors.trajectories.events import Event

_REFUSED = re.compile(
    r"No such file|Permission denied|not permitted|cannot (?:access|open|stat|find)|not found|"
    r"FileNotFoundError|PermissionError|ModuleNotFoundError|NotADirectory|does not exist|"
    r"Read-only|refused|unreachable|OSError|\bdenied\b|exit(?:ed)?(?: status| code)?[ :=]+[1-9]|"
    r"\[\]$|^False$|^None$|nothing|0 (?:files|results|matches)",
    re.IGNORECASE | re.MULTILINE,
)
_WALKER = re.compile(r"^\s*(?:find|fd|du|grep|rg|tree|ls: reading directory|tar|rsync):")
_SETTING = re.compile(r"^\s*(?:-\s+|export\s+)?(?:[\"']?[\w.-]+[\"']?\s*[:=]\s*)?")
_INNER = re.compile(r"[\"']?\w+[\"']?\s*:\s*[\"']?([^\s\"',{}]*/[^\s\"',{}]*)[\"']?\s*[,}]")
_KEY = re.compile(r"^\s*[\"']?([A-Za-z][\w. -]*?)[\"']?\s*[:=]")
_QUOTED_PATH = re.compile(r"""['"`‘’]?((?:\.\./|~|/)[\w./*\-$]+)['"`‘’:,)]?""")


MAX_SCRIPTS = 500  # that tools wrote and that are followed
MAX_SHOWN_LINES = 10
MAX_SHOWN = 200  # characters of a line


class Reached(NamedTuple):
    """One place that reaches for something hidden."""

    reach: Reach
    path: str  # file within the attempt
    first_line: int
    last_line: int
    excerpt: str
    shows: str
    place: str
    in_log: bool
    got_content: bool = False
    output: str | None = None  # what came back, which may be the answers
    ran: bool = True  # in a log: it was done, and not only written into a script

    @property
    def was_done(self) -> bool:
        """Say whether a log shows that it was done."""
        return self.in_log and self.ran


def reached_in_code(attempt: Attempt) -> Iterator[Reached]:
    """Yield what scripts, notebooks and shell files of the attempt reach for.

    Raises
    ------
    EvidenceUnavailableError
        After the rest, when a file was too large to be followed to its end.
    """
    units = list(code_units((*attempt.code, *attempt.settings)))
    excerpt = _excerpts(units)
    for unit in units:
        for line, place in _unit_places(unit):
            number = unit.first_line + line - 1
            yield _in_code(unit, number, number, place, excerpt)
    for file in attempt.code:
        yield from _notebook_outputs(file)
    found = list(calls(units))
    written = written_paths(call for _, call in found)
    for unit, call in found:
        # Python 2, or not finished: at least the paths it quotes are read.
        for line, place in other_places(unit.text, "R") if call.name == NOT_WHOLE else ():
            number = unit.first_line + line - 1
            yield _in_code(unit, number, number, place, excerpt)
        for place in dict.fromkeys(call_places(call, written)):
            yield _in_code(unit, call.first_line, call.last_line, place, excerpt)
    unfinished = [unit.path for unit, call in found if call.name == TOO_MUCH]
    if unfinished:
        raise EvidenceUnavailableError(
            "code", f"{unfinished[0]} is too large or too repetitive to be followed to its end."
        )


def _config_places(text: str) -> Iterator[tuple[int, Place]]:
    """Judge the values of a settings file, quoted or bare; a comment is no value.

    What stands under a name that forbids it is none either.
    """
    key = ""
    for number, line in enumerate(lines_of(text), start=1):
        named = _KEY.match(line[:MAX_LINE])
        key = named[1] if named else key
        if REFUSES.search(key):
            continue
        value = _SETTING.sub("", line[:MAX_LINE]).partition(" #")[0].strip().strip("\"',[]{}")
        inner = _INNER.findall(line[:MAX_LINE]) if "{" in line else ()
        whole = () if " " in value or value.startswith("#") else (value,)
        found = map(hidden_place, (*whole, *inner))
        place = next((p for p in found if p and p.reach is Reach.ANSWERS), None)
        if place:
            yield number, place


def _unit_places(unit: CodeUnit) -> Iterator[tuple[int, Place]]:
    """Judge a unit by its language; the calls of Python are judged elsewhere."""
    if unit.language == "python":
        yield from climbed_places(unit.text)
    elif unit.language == "shell":
        yield from shell_places(unit.text)
    elif unit.language == "config":
        yield from _config_places(unit.text)
    elif unit.language == "other":
        yield from other_places(unit.text, suffix_of(unit.path))
    if unit.language in {"shell", "other"}:
        yield from decoded_places(unit.text)


def _notebook_outputs(file: TextFile) -> Iterator[Reached]:
    """Read what a notebook kept of its cells' output: a listed hidden path came back."""
    if not file.name.endswith(".ipynb"):
        return
    for cell, text in notebook_outputs(file.text):
        for number, line in enumerate(lines_of(text), start=1):
            place = quoted_place(line[:MAX_LINE]) or hidden_place(line.strip()[:MAX_LINE])
            if place and place.reach is Reach.ANSWERS:
                shows = f"the cell's output {_shown(place)}"
                path = f"{file.name}#cell-{cell}-output"
                yield Reached(
                    place.reach,
                    path,
                    number,
                    number,
                    line,
                    shows,
                    place.path,
                    in_log=True,
                    got_content=True,
                )


def _excerpts(units: Iterable[CodeUnit]) -> dict[str, list[str]]:
    lines: dict[str, list[str]] = {}
    for unit in units:
        lines.setdefault(unit.path, [""] * (unit.first_line - 1) + lines_of(unit.text))
    return lines


def _in_code(
    unit: CodeUnit, first: int, last: int, place: Place, excerpt: dict[str, list[str]]
) -> Reached:
    text = "\n".join(excerpt[unit.path][first - 1 : last]) or unit.text
    return Reached(
        place.reach,
        unit.path,
        first,
        max(first, last),
        text,
        _shown(place),
        place.path,
        in_log=False,
    )


_SHOWS = {
    Reach.SEARCH: "searches with",
    Reach.ENVIRONMENT: "asks the environment with",
    Reach.LOOK_AROUND: "looks around with",
    Reach.BUNDLED: "loads",
}


def _shown(place: Place) -> str:
    return f"{_SHOWS.get(place.reach, 'names')} {place.path.replace(UNKNOWN, '…')}"


def reached_in_logs(attempt: Attempt) -> Iterator[Reached]:
    """Yield what logged commands, logged code and error messages reach for.

    A message that names the same path as a command of the same log adds nothing and is left out.
    """
    excerpts = Excerpts(attempt.logs)
    done: set[tuple[str, Place]] = set()
    complaints: list[tuple[Event, Place]] = []
    runs = Runs()
    scripts: list[tuple[int, Event]] = []
    settings: list[Reached] = []
    for event in events(attempt.logs):
        number = runs.see(event)
        settings += _set_by(event) if len(settings) < MAX_SCRIPTS else ()
        if len(scripts) < MAX_SCRIPTS and script_units(event):
            scripts.append((number, event))
        for place in dict.fromkeys(_event_places(event)):
            if event.kind is EventKind.OUTPUT:
                complaints.append((event, place))
            else:
                done.add((event.path, place))
                yield _in_log(event, place, excerpts)
    for event, place in complaints:
        if (event.path, place) not in done:
            yield _in_log(event, place, excerpts)
    yield from settings
    for number, event, script, place in dict.fromkeys(_script_places(scripts)):
        if event.kind is EventKind.WRITE or (event.path, place) not in done:
            yield _in_script(event, place, ran=runs.ran(event, number, script))


def _set_by(event: Event) -> Iterator[Reached]:
    """Judge the settings that a tool or a command writes."""
    for file in settings_files(event):
        yield from (_in_script(event, p, ran=False) for _, p in _config_places(file.text))


def _script_places(scripts: list[tuple[int, Event]]) -> Iterator[tuple[int, Event, str, Place]]:
    """Judge what scripts that a tool wrote reach for, all together: one may make another's file."""
    names: list[str] = []
    units: list[CodeUnit] = []
    owners: list[tuple[int, Event]] = []
    for script in scripts:
        for unit in script_units(script[1]):
            units.append(unit._replace(path=str(len(units))))
            names.append(unit.path)
            owners.append(script)
    found = list(calls(units))
    written = written_paths(call for _, call in found)
    for unit, call in found:
        at = int(unit.path)
        yield from ((*owners[at], names[at], p) for p in call_places(call, written))
    for at, unit in enumerate(units):
        places = _unit_places(unit._replace(path=names[at]))
        yield from ((*owners[at], names[at], p) for _, p in places)


def _in_script(event: Event, place: Place, *, ran: bool) -> Reached:
    """Describe a place in a script that a tool wrote, with the line that has its name."""
    lines = event.text.split("\n")
    name = place.path.rstrip("/").rpartition("/")[2]
    excerpt = next((x for x in lines if name and name in x), lines[0])
    return Reached(
        place.reach,
        event.path,
        event.first_line,
        event.first_line,
        _joined([excerpt]),
        _shown(place),
        place.path,
        in_log=True,
        ran=ran,
    )


def _event_places(event: Event) -> list[Place]:
    if event.kind is EventKind.COMMAND:
        places = [p for _, p in (*shell_places(event.text), *decoded_places(event.text))]
        return places or (list(python_places(event.text)) if "(" in event.text else [])
    if event.kind is EventKind.CODE:
        return list(python_places(event.text))
    if event.kind is EventKind.READ:
        place = hidden_place(event.target)
        return [place] if place else []
    if event.kind is not EventKind.OUTPUT:
        return []
    # Of a log with a form, an output is all that was printed and not only a complaint.
    said = complaining_lines(event.text) if event.by else [event.text]
    return [place for line in said for place in _complaint_places(line)]


def _in_log(event: Event, place: Place, excerpts: Excerpts) -> Reached:
    """Describe a place with the log's own lines: the event's, and the first of what came back."""
    is_action = event.kind is not EventKind.OUTPUT
    output = event.output.strip()
    got = is_action and bool(output) and not _REFUSED.search(output)
    tail = "something came back" if got else "nothing came back"
    last = min(max(event.output_end, event.last_line), event.first_line + MAX_SHOWN_LINES - 1)
    own = min(last, event.last_line)
    lines = excerpts.lines(event, event.first_line, last)
    n_own = own - event.first_line + 1
    answered = [x for x in lines[n_own:] if x.strip()]
    if is_action and all(_REFUSED.search(x) for x in answered):
        n_own = len(lines)  # a refusal gives nothing away
    excerpt, came_back = _joined(lines[:n_own]), _joined(lines[n_own:])
    if not is_action and event.by:
        excerpt = _joined([x for x in complaining_lines(event.text) if _complaint_places(x)])
    if got and not event.output_end:  # JSON keeps call and answer on one line
        excerpt, came_back = _joined(event.text.split("\n")), _joined(output.split("\n"))
    return Reached(
        place.reach,
        event.path,
        event.first_line,
        max(event.first_line, last),
        excerpt,
        _shown(place) + (f"; {tail}" if is_action and output else ""),
        place.path,
        in_log=True,
        got_content=got,
        output=came_back or None,
    )


def _joined(lines: list[str]) -> str:
    return "\n".join(x if len(x) <= MAX_SHOWN else f"{x[:MAX_SHOWN]} …" for x in lines)


def _complaint_places(line: str) -> list[Place]:
    """Read the paths an error message names; only the answers count, not every odd path."""
    if _WALKER.match(line):  # a search names every folder it may not enter
        return []
    places = [hidden_place(p) for p in _QUOTED_PATH.findall(line[:2000])]
    return [p for p in places if p and p.reach is Reach.ANSWERS]
