"""Every contact with a network in an attempt's code and logs, and what became of it."""

from __future__ import annotations

import re
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

from competitions.errors import EvidenceUnavailableError, MleAuditError
from detectors.kept import Kept
from detectors.other_tokens import suffix_of
from detectors.rules.given_addresses import Lists, listed_in_files
from detectors.rules.hosts import (
    SOLUTION_WORDS,
    Contact,
    Purpose,
    addresses,
    purpose_of,
)
from detectors.rules.llm_tools import STARTS_AGENT
from detectors.rules.local_models import without_local
from detectors.rules.never_called import never_called
from detectors.rules.not_run import lines_not_run
from detectors.rules.other_clients import other_contacts
from detectors.rules.python_clients import python_contacts
from detectors.rules.shell_clients import shell_contacts
from detectors.rules.told_contacts import (
    BEGAN,
    given_to_scripts,
    lines_not_taken,
    models_told,
    set_in_files,
    told_in,
)
from detectors.rules.usage import READS_FILES
from detectors.rules.weather import FAILED, GOT, Weather, idle_lines
from detectors.trajectories.commands import looks_like_command, whole
from detectors.trajectories.events import EventKind, events
from detectors.trajectories.excerpts import Excerpts
from detectors.trajectories.scripts import Runs, script_units
from detectors.units import CodeUnit, code_units, python_of_cell
from reports.schema import CodeLines, LogLines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from detectors.attempt import Attempt
    from detectors.rules.named_calls import Aliases
    from detectors.trajectories.events import Event

MAX_EXCERPT = 600  # characters of one excerpt
MAX_SHOWN_LINES = 10
MAX_LINE = 4096
MAX_RUNS = 5_000  # commands of a log that ran scripts, which are kept
MAX_REFUSAL = 200  # characters within which a tool says that it is off
MAX_KEPT = 50_000  # contacts of all attempts in memory that are kept for the next who asks


class Fate(IntEnum):
    """What became of a contact, the worst first."""

    GOT = 0  # the log shows that something came back
    LOGGED = 1  # the log shows that it was tried
    WRITTEN = 2  # it stands in code; no log tells whether it ran
    FAILED = 3  # the log shows that it failed, or that nothing could be reached


class Sighting(NamedTuple):
    """A contact with its place and its fate."""

    contact: Contact
    fate: Fate
    path: str
    first_line: int
    last_line: int
    excerpt: str
    in_log: bool
    output: str | None = None

    def evidence(self) -> LogLines | CodeLines:
        """Return the lines that show it."""
        told = f" {self.contact.target}" if self.contact.target else ""
        shows = (
            f"{self.contact.client} asks for {self.contact.purpose.value}{told}{_TELLS[self.fate]}"
        )
        places = {
            "path": self.path,
            "first_line": self.first_line,
            "last_line": max(self.first_line, self.last_line),
            "excerpt": cut(self.excerpt),
            "shows": cut(shows),
        }
        if self.in_log:
            return LogLines(**places, output=cut(self.output) if self.output else None)
        return CodeLines(**places)


_TELLS = {
    Fate.GOT: "; something came back",
    Fate.LOGGED: "",
    Fate.WRITTEN: "",
    Fate.FAILED: "; the log shows that the network failed",
}


class Contacts(NamedTuple):
    """All contacts of an attempt.

    Parameters
    ----------
    network : bool or None
        Whether the record says that the sandbox had a network; None where there is no record.
    has_model : bool
        The record says that a hosted model could be reached, and perhaps nothing else.
    unfinished : str or None
        A file that is too large to be followed to its end.
    """

    seen: tuple[Sighting, ...]
    network: bool | None
    has_model: bool
    unfinished: str | None

    def gap(self) -> EvidenceUnavailableError | None:
        """Return why code was not seen to its end, or None."""
        if self.unfinished is None:
            return None
        told = f"{self.unfinished} is too large or too repetitive to be followed to its end."
        return EvidenceUnavailableError("code", told)


def cut(text: str) -> str:
    """Cut what is too long to show, and say so."""
    whole = text.encode("utf-8", "replace").decode("utf-8").replace("\ufffc", "…")
    return whole if len(whole) <= MAX_EXCERPT else f"{whole[:MAX_EXCERPT]} …"


_KEPT: Kept[Contacts] = Kept(MAX_KEPT)


def contacts_of(attempt: Attempt, *, with_files: bool = False) -> Contacts:
    """Look at code and logs.

    Code is judged by what the logs say of the network as a whole: where it only failed, so did the
    code; where files were downloaded, libraries had to fetch what they otherwise may have here.

    Parameters
    ----------
    with_files : bool
        Tell what is loaded from packages and read from files, too, as `Purpose.FILES`.

    Notes
    -----
    An attempt is looked at once, however many detectors ask.
    """
    found = _KEPT.get(attempt)
    if found is None:
        found = _all_contacts(attempt)
        _KEPT.put(attempt, found, size=len(found.seen) + 1)
    if with_files:
        return found
    kept = tuple(s for s in found.seen if s.contact.purpose is not Purpose.FILES)
    return found._replace(seen=kept)


def _all_contacts(attempt: Attempt) -> Contacts:
    try:
        competition = attempt.competition_id
    except MleAuditError:
        competition = ""
    units = list(code_units(attempt.code))
    weather = Weather(never_called(units))
    logged = list(_in_logs(attempt, _Asked(competition, with_files=True), weather))
    for unit in units:
        weather.look_for_pointers(unit.text, is_run=unit.language == "shell")
    logged = [_settled(s, weather) if s.contact.is_implicit else s for s in logged]
    unfinished: list[str] = []
    idle = idle_lines(units, weather)
    written = [
        _settled(s, weather)
        for s in _in_code(units, _Asked(competition, with_files=True), unfinished)
        if (s.path, s.first_line) not in idle
    ]
    written += (
        _settled(Sighting(contact, Fate.WRITTEN, path, line, line, text, in_log=False), weather)
        for path, line, text, contact in (
            *set_in_files(attempt.settings, units, competition),
            *given_to_scripts(weather.runs, units, competition),
            *listed_in_files(attempt.tables, units, competition),
        )
    )
    record = attempt.readable_record
    seen = _different([*logged, *written])
    texts = (*(u.text for u in units), *(f.text for f in attempt.settings), *weather.runs)
    here = without_local((s.contact for s in seen), texts)
    return Contacts(
        tuple(s for s in seen if s.contact not in here),
        record.sandbox.network if record else None,
        bool(record and (record.sandbox.network or record.sandbox.model_endpoint)),
        next(iter(unfinished), None),
    )


def _different(seen: Iterable[Sighting]) -> list[Sighting]:
    """Keep of equal contacts the one of the worst fate; what the log has stands before code."""
    kept: dict[tuple[Contact, bool], Sighting] = {}
    for one in sorted(seen, key=lambda s: s.fate):
        kept.setdefault((one.contact, one.in_log), one)
    return list(kept.values())


class _Asked(NamedTuple):
    """What is looked for."""

    competition: str
    with_files: bool


def _settled(seen: Sighting, weather: Weather) -> Sighting:
    if weather.failed and not weather.got:
        return seen._replace(fate=Fate.FAILED)
    if weather.failed and seen.contact.client == BEGAN:
        return seen._replace(fate=Fate.FAILED)
    is_meant = weather.got or (weather.pointed and seen.contact.purpose is Purpose.WEIGHTS)
    if is_meant and not weather.failed and seen.contact.is_implicit:
        return seen._replace(contact=seen.contact._replace(is_implicit=False))
    return seen


def _in_code(units: list[CodeUnit], asked: _Asked, unfinished: list[str]) -> Iterator[Sighting]:
    lines: dict[str, list[str]] = {}
    for unit in units:
        lines.setdefault(unit.path, [""] * (unit.first_line - 1) + unit.text.split("\n"))
        if unit.language == "shell":
            for line, contact in shell_contacts(unit.text, *asked):
                number = unit.first_line + line - 1
                text = unit.text.split("\n")[line - 1]
                yield Sighting(contact, Fate.WRITTEN, unit.path, number, number, text, False)  # noqa: FBT003
        elif unit.language == "other":
            of_it = other_contacts(
                unit.text, asked.competition, suffix_of(unit.path), with_files=asked.with_files
            )
            for number, contact in of_it:
                line = unit.first_line + number - 1
                text = unit.text.split("\n")[number - 1]
                yield Sighting(contact, Fate.WRITTEN, unit.path, line, line, text, False)  # noqa: FBT003
    for found in python_contacts(
        units, asked.competition, unfinished=unfinished, with_files=asked.with_files
    ):
        first, last = found.first_line, found.last_line
        excerpt = "\n".join(lines[found.unit.path][first - 1 : last])
        yield Sighting(found.contact, Fate.WRITTEN, found.unit.path, first, last, excerpt, False)  # noqa: FBT003


def _in_logs(attempt: Attempt, asked: _Asked, weather: Weather) -> Iterator[Sighting]:
    excerpts = Excerpts(attempt.logs)
    known: dict[str, Aliases] = {}
    lists = Lists(attempt.tables, list(code_units(attempt.code)))
    for event in map(whole, events(attempt.logs)):
        lists.see(event)
        weather.look_for_calls(f"{event.text}\n{event.output}")
        if event.kind in {EventKind.COMMAND, EventKind.CODE}:
            weather.look_for_pointers(event.text, is_run=event.kind is EventKind.COMMAND)
        if event.kind is EventKind.COMMAND and len(weather.runs) < MAX_RUNS:
            weather.runs += [event.text[:MAX_LINE]] if _RUNS.search(event.text) else []
        weather.note(event.output or (event.text if event.kind in _SAYS else ""))
        names = known.setdefault(event.path, {})
        found = _event_contacts(event, asked, names)
        found += lists.asked_by(event, asked.competition)
        if not any(c.purpose is not Purpose.FILES for c in found):
            found += _told_by(event, asked.competition)
        for contact in dict.fromkeys(found):
            yield _sighting(event, contact, excerpts)
        written = event._replace(kind=EventKind.WRITE) if not _runs_itself(event) else event
        for contact in dict.fromkeys(_of_scripts(event, asked)):
            yield _sighting(written, contact, excerpts)


def _of_scripts(event: Event, asked: _Asked) -> Iterator[Contact]:
    """Judge the scripts that a command or a tool wrote, in whatever language."""
    for unit in script_units(event):
        if unit.language == "python" and event.kind is EventKind.COMMAND:
            yield from _of_python(unit.text, asked, {})
        elif unit.language == "shell":
            yield from (contact for _, contact in shell_contacts(unit.text, *asked))
        elif unit.language == "other":
            found = other_contacts(
                unit.text, asked.competition, suffix_of(unit.path), with_files=asked.with_files
            )
            yield from (contact for _, contact in found)


def _runs_itself(event: Event) -> bool:
    """Say whether a command runs the script that it writes."""
    runs = Runs()
    number = runs.see(event)
    return any(runs.ran(event, number, unit.path) for unit in script_units(event))


_RUNS = re.compile(r"\.(?:py|ipynb)\b")
_IS_OFF = re.compile(  # a tool that the scaffold has not turned on
    r"\b(?:web|internet|network|search\w*|brows\w+|tool)\b[\w -]{0,24}\b(?:disabled|unavailable|"
    r"denied|blocked|turned off|not (?:available|allowed|permitted|enabled|supported))"
)
_INSTALLS = re.compile(
    r"\b(?:pip3?|uv|conda|mamba|apt(?:-get)?|poetry|npm)\b.{0,60}\b(?:install|add|sync)\b"
)
_SAYS = frozenset({EventKind.OUTPUT, EventKind.TEXT})


def _event_contacts(event: Event, asked: _Asked, names: Aliases) -> list[Contact]:
    if event.kind is EventKind.COMMAND:
        found = [contact for _, contact in shell_contacts(event.text, *asked)]
        is_python = not found and "(" in event.text and not looks_like_command(event.text)
        return _of_python(event.text, asked, names) if is_python else found
    if event.kind is EventKind.CODE or (
        event.kind is EventKind.WRITE and event.target.endswith((".py", ".ipynb"))
    ):
        ran = event.kind is EventKind.CODE
        runs = ("",) if ran else ()
        return _of_python(event.text, asked, names, runs=runs, printed=event.output)
    if event.kind is EventKind.NETWORK:
        return _of_request(event, asked.competition)
    if event.kind is EventKind.READ and asked.with_files:
        return [Contact(Purpose.FILES, "reading", event.target[:300])]
    return []


def _told_by(event: Event, competition: str) -> Iterator[Contact]:
    """Yield what output tells that was fetched: of a command, a program, or the attempt itself."""
    ran = event.kind in {EventKind.COMMAND, EventKind.CODE}
    is_own = event.path == "run.log" or (ran and not READS_FILES.search(event.text))
    text = event.output or (event.text if event.kind in _SAYS else "")
    installs = event.kind is EventKind.COMMAND and _INSTALLS.search(event.text)
    if text and not installs and not FAILED.search(text.lower()):
        yield from told_in(text, competition, is_own=is_own)
    is_alone = not event.output_end and not STARTS_AGENT.search(event.text)
    yield from models_told(text, is_alone=is_alone) if ran else ()


def _of_python(
    text: str, asked: _Asked, names: Aliases, runs: tuple[str, ...] = (), printed: str = ""
) -> list[Contact]:
    found: list[Contact] = []
    unit = CodeUnit("", 1, "python", text, "")
    if re.search(r"^\s*[!%]", text, re.MULTILINE):
        shell = "\n".join(x.strip()[1:] for x in text.split("\n") if x.lstrip().startswith("!"))
        unit = unit._replace(text=python_of_cell(text))
        found = [contact for _, contact in shell_contacts(shell, *asked)]
    python = python_contacts([unit], asked.competition, names, with_files=asked.with_files)
    seen = list(python)
    idle = lines_not_run(unit.text, runs=runs) if seen else frozenset()
    idle |= lines_not_taken(unit.text, printed) if seen and printed else frozenset()
    return [*found, *(one.contact for one in seen if one.first_line not in idle)]


def _of_request(event: Event, competition: str) -> list[Contact]:
    """Judge a tool's own request: an address, or the words of a search."""
    tool = event.text.partition(" ")[0] or "request"
    found = addresses(event.target)
    if found:
        purposes = [(purpose_of(a, competition), a) for a in found]
        return [Contact(p, tool, a[:300]) for p, a in purposes if p is not None]
    words = event.target
    if tool == "search" and "://" not in event.output and not SOLUTION_WORDS.search(words):
        return []  # of files or a memory, as far as its results tell
    about_it = competition and competition.replace("-", " ") in words.lower().replace("-", " ")
    is_solution = bool(about_it or SOLUTION_WORDS.search(words))
    return [Contact(Purpose.SOLUTIONS if is_solution else Purpose.PAGE, tool, words[:300])]


def _sighting(event: Event, contact: Contact, excerpts: Excerpts) -> Sighting:
    last = max(event.first_line, min(event.last_line, event.first_line + MAX_SHOWN_LINES - 1))
    lines = [x[:MAX_EXCERPT] for x in excerpts.lines(event, event.first_line, last)]
    excerpt = "\n".join(lines) if event.output_end or not event.output else event.text
    return Sighting(
        contact,
        _fate(event),
        event.where,
        event.first_line,
        last,
        excerpt or event.text,
        in_log=True,
        output=event.output.strip()[:MAX_EXCERPT] or None,
    )


def _fate(event: Event) -> Fate:
    """Judge by what came back; a whole script's output tells less than a command's."""
    if event.kind is EventKind.WRITE:
        return Fate.WRITTEN
    if event.kind in _SAYS:
        return Fate.GOT
    output = event.output.strip().lower()
    got = bool(GOT.search(output))
    is_off = event.kind is EventKind.NETWORK and _IS_OFF.search(output[:MAX_REFUSAL])
    if (FAILED.search(output) and not got) or is_off:
        return Fate.FAILED
    is_own = event.kind in {EventKind.NETWORK, EventKind.COMMAND}
    return Fate.GOT if got or (output and is_own) else Fate.LOGGED
