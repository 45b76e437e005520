"""Where an attempt's code and logs ask a server of submissions to learn from its answers."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from detectors.parsing import lines_of, parse_leniently
from detectors.rules.grading_calls import GradingCall
from detectors.rules.learning_words import takes_score
from detectors.rules.probing_code import probing_in_units
from detectors.rules.probing_elsewhere import probing_in_other
from detectors.rules.probing_logs import probes_in_logs, scripts_that_ask
from detectors.rules.probing_loops import asks_in_shell, probing_in_shell_unit
from detectors.rules.scoring_servers import names_scorer, own_ports, ports_served
from detectors.rules.server_logs import served
from detectors.trajectories.events import EventKind, events
from detectors.trajectories.scripts import script_units
from detectors.units import code_units

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from detectors.attempt import Attempt
    from detectors.rules.server_logs import Served
    from detectors.rules.single_questions import Probe
    from detectors.units import CodeUnit

MAX_TOLD = 1_000_000  # characters of one file in which a server is looked for


class Probes(NamedTuple):
    """What an attempt holds of asking to learn.

    Parameters
    ----------
    in_code : tuple of GradingCall
        Places below ``code/``; whether they ran is not told by them.
    in_logs : tuple of Probe
        What was done, as the logs have it.
    served : Served or None
        What the server's own log says, where it says that it was asked often.
    """

    in_code: tuple[GradingCall, ...]
    in_logs: tuple[Probe, ...]
    served: Served | None


def ports_of(attempt: Attempt) -> frozenset[str]:
    """Return the ports of servers that the attempt itself runs, by code, scripts and commands."""
    ports = own_ports(f.text for f in attempt.code)
    for event in events(log for log in attempt.logs if not log.is_large):
        ports |= own_ports(unit.text for unit in script_units(event))
        if event.kind is EventKind.COMMAND:
            ports |= ports_served(event.text)
    return ports


def probes_of(attempt: Attempt, ports: frozenset[str]) -> Probes:
    """Look at code and logs.

    Parameters
    ----------
    ports : frozenset of str
        Those of servers that the attempt itself runs, which are none of the judges.
    """
    told = any(
        names_scorer(f.text[:MAX_TOLD])
        for f in (*attempt.code, *attempt.settings, *attempt.logs)
        if not f.is_large
    )
    units = list(code_units(attempt.code))
    scripts = scripts_that_ask(units, ports, is_told=told)
    cells = {u.path for u in units if u.language == "python" and "#cell" in u.path}
    in_code = [*probing_in_units(units, ports, is_told=told)]
    for unit in units:
        if unit.language == "shell" and unit.path in cells:
            in_code += _in_cell(unit, units, ports)
        elif unit.language == "shell":
            in_code += probing_in_shell_unit(unit, ports, scripts)
        elif unit.language == "other":
            in_code += probing_in_other(unit, ports)
    in_logs = probes_in_logs(attempt.logs, ports, scripts, is_told=told)
    return Probes(tuple(in_code), tuple(in_logs), served(attempt.logs, own=bool(ports)))


def _in_cell(
    line: CodeUnit, units: Sequence[CodeUnit], ports: frozenset[str]
) -> Iterator[GradingCall]:
    """Yield a shell line of a notebook's cell that asks within a loop which takes scores."""
    if asks_in_shell(line.text, ports) is None:
        return
    for unit in units:
        if unit.path != line.path or unit.language != "python":
            continue
        for node in (n for s in parse_leniently(unit.text, unit.path).body for n in ast.walk(s)):
            last = getattr(node, "end_lineno", 0) or 0
            if isinstance(node, ast.For | ast.While) and node.lineno < line.first_line <= last:
                after = "\n".join(lines_of(unit.text)[line.first_line : last])
                if takes_score(f"{line.text}\n{after}"):
                    shows = "asks again and again what its files score"
                    at = line.first_line
                    yield GradingCall(line.path, at, at, line.text, shows, again=True)
                    return
