"""What logs show of a server of submissions being asked to learn from its answers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from detectors.other_tokens import INTERPRETERS, code_given
from detectors.rules.probing_code import asking_scripts, may_probe, probing_in_units
from detectors.rules.probing_elsewhere import probing_in_other
from detectors.rules.probing_intent import SPEAKS, refuses
from detectors.rules.probing_loops import asks_in_shell, probing_in_shell
from detectors.rules.single_questions import DONE, SAID, WORDS, Probe, python_of, single_questions
from detectors.shell import pipelines
from detectors.trajectories.commands import whole
from detectors.trajectories.events import EventKind, events
from detectors.trajectories.scripts import script_units
from detectors.units import CodeUnit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from detectors.text_file import TextFile
    from detectors.trajectories.events import Event

MAX_SESSION = 400_000  # characters of Python of one log that are followed together
_IMPORTS = re.compile(r"^(?:import|from)\s", re.MULTILINE)


def probes_in_logs(
    logs: Iterable[TextFile], ports: frozenset[str], scripts: Mapping[str, bool], *, is_told: bool
) -> list[Probe]:
    """Read the logs for loops, sessions and single questions that learn from a server's answers.

    Parameters
    ----------
    scripts : mapping of str to bool
        The attempt's scripts that ask, and whether they take a score out of the answer.
    """
    found: list[Probe] = []
    for log in logs:
        named = any(name in log.text for name in scripts) if not log.is_large else True
        if not named and not WORDS.search(log.text):
            continue
        done = _in_order([*events([log])])
        written = _written(done, ports, is_told=is_told)
        found += _in_loops(done, ports, {**scripts, **written})
        found += _in_session(done, ports, is_told=is_told)
        if not found:
            found += single_questions(done, ports, {**scripts, **written})
    return found


def _in_order(done: list[Event]) -> list[Event]:
    """Put what was said before what it led to: plain logs give a command behind its output."""
    return done if any(e.member for e in done) else sorted(done, key=lambda e: e.first_line)


def _is_refused(done: Sequence[Event], number: int) -> bool:
    """Say whether code only stands in a log, and what the agent says next is that it is not run."""
    output = whole(done[number]).output.strip()
    if output and not SPEAKS.match(output):
        return False
    for event in done[number + 1 :]:
        if event.kind in SAID and refuses(event.text):
            return True
        if event.kind in DONE:
            return False
    return False


def _written(done: Sequence[Event], ports: frozenset[str], *, is_told: bool) -> dict[str, bool]:
    """Return the scripts that a log's events write and that ask."""
    found: dict[str, bool] = {}
    for unit in (u for event in done for u in script_units(event)):
        found |= scripts_that_ask([unit], ports, is_told=is_told)
    return found


def scripts_that_ask(
    units: Sequence[CodeUnit], ports: frozenset[str], *, is_told: bool
) -> dict[str, bool]:
    """Return the Python and shell scripts that ask, and whether they take a score."""
    found = asking_scripts(units, ports, is_told=is_told)
    for unit in units:
        if unit.language == "shell" and "#" not in unit.path:
            takes = asks_in_shell(unit.text, ports)
            if takes is not None:
                found[unit.path.rpartition("/")[2]] = takes
    return found


def _in_loops(
    done: Sequence[Event], ports: frozenset[str], scripts: Mapping[str, bool]
) -> Iterator[Probe]:
    for event in done:
        if event.kind is not EventKind.COMMAND or not event.text:
            continue
        command = whole(event)
        shown = probing_in_shell(command.text, command.output, ports, scripts)
        if shown is not None:
            yield Probe(command, shown[1])
            continue
        for unit in _given(command):
            for place in probing_in_other(unit, ports):
                yield Probe(command, place.shows)


def _given(event: Event) -> Iterator[CodeUnit]:
    """Yield programs in other languages that a command is given, or writes."""
    yield from (u for u in script_units(event) if u.language == "other")
    if not WORDS.search(event.text):
        return
    for pipeline in pipelines(event.text):
        for words in pipeline.commands:
            name = words[0].rpartition("/")[2]
            if name in INTERPRETERS:
                code = code_given(words, pipeline.heredoc)
                yield CodeUnit(f"x.{INTERPRETERS[name]}", 1, "other", code, "x")


def _in_session(done: Sequence[Event], ports: frozenset[str], *, is_told: bool) -> Iterator[Probe]:
    units: list[CodeUnit] = []
    size = 0
    program = 0  # what imports something is taken for a program of its own
    for number, event in enumerate(done):
        for unit in python_of(event, number):
            size += len(unit.text)
            is_code = unit.module == "session"
            program += is_code and bool(_IMPORTS.search(unit.text))
            if size <= MAX_SESSION:
                module = f"session {program}" if is_code else unit.module
                units.append(unit._replace(module=module))
    if not any(may_probe(u.text, is_told=is_told) for u in units):
        return
    seen: set[int] = set()
    for place in probing_in_units(units, ports, is_told=is_told):
        number = int(place.path.partition("#")[0])
        if number not in seen and not _is_refused(done, number):
            seen.add(number)
            yield Probe(done[number], place.shows)
