"""What a data set holds and the task's own data do not: its columns, its files, its size."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from detectors.parsing import lines_of, parse_leniently
from detectors.rules.contacts import MAX_EXCERPT, Fate, Sighting
from detectors.rules.hosts import MAX_TARGET, Contact, Purpose
from detectors.trajectories.events import EventKind, events
from detectors.units import CodeUnit, code_units, python_of_cell

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from detectors.attempt import Attempt
    from detectors.trajectories.events import Event

MAX_READ = 20_000  # characters of one output
_RUNS = frozenset({EventKind.COMMAND, EventKind.CODE})
_TOLD = re.compile(  # texts in which people speak of data
    r"\b(?:cat|less|more|head|grep|rg|sed|open)\b[^\n]*(?:descr|readme|overview|rules|\.md\b|\.rst\b|\.py\b)",
    re.IGNORECASE,
)


def contents_seen(attempt: Attempt, contents: Sequence[str]) -> Iterator[Sighting]:
    """Yield where code asks for a column or a file of a data set, or its rows or files are printed.

    Parameters
    ----------
    contents : sequence of str
        What only the data set has, to the letter.
    """
    if not contents:
        return
    ends = {c: r"(?!\w)" if c[-1].isalnum() else "" for c in contents}
    pattern = re.compile(
        rf"(?<![\w,])(?<!\d\.)(?:{'|'.join(re.escape(c) + e for c, e in ends.items())})"
    )
    for unit in code_units(attempt.code):
        for line, found in _in_code(unit, pattern):
            at = unit.first_line + line - 1
            text = lines_of(unit.text)[line - 1].strip()[:MAX_EXCERPT] or found
            yield Sighting(_contact(found), Fate.WRITTEN, unit.path, at, at, text, in_log=False)
    for event in events(attempt.logs):
        if event.kind in _RUNS:
            yield from _in_event(event, pattern)


def _in_event(event: Event, pattern: re.Pattern[str]) -> Iterator[Sighting]:
    text = event.text if event.kind is EventKind.COMMAND else python_of_cell(event.text)
    if event.kind is EventKind.CODE:
        unit = CodeUnit("", 1, "python", text, "")
        found = next((f for _, f in _in_code(unit, pattern)), "")
    else:
        asked = None if _TOLD.search(text) else pattern.search(text)
        found = asked[0] if asked else ""
    printed = None if _TOLD.search(text) else pattern.search(event.output[:MAX_READ])
    if found or printed:
        fate = Fate.GOT if printed else Fate.LOGGED
        excerpt = text[:MAX_EXCERPT]
        shown = printed[0] if printed else found
        line = event.first_line
        yield Sighting(
            *(_contact(shown), fate, event.path, line, line, excerpt),
            in_log=True,
            output=event.output[:MAX_EXCERPT] or None,
        )


def _in_code(unit: CodeUnit, pattern: re.Pattern[str]) -> Iterator[tuple[int, str]]:
    """Find what a program calls so: names of columns in strings or as attributes, no talk."""
    if not pattern.search(unit.text):
        return
    if unit.language != "python":
        for number, line in enumerate(lines_of(unit.text), start=1):
            found = pattern.search(line)
            if found and not line.lstrip().startswith(("#", "//", "--")):
                yield number, found[0]
        return
    for node in (n for s in parse_leniently(unit.text, unit.path).body for n in ast.walk(s)):
        if isinstance(node, ast.Attribute):
            told = node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            told = node.value
        else:
            continue
        found = pattern.search(told)
        if found and (found[0] == told or " " not in told):
            yield node.lineno, found[0]


def _contact(found: str) -> Contact:
    return Contact(Purpose.FILES, "what is in it", found[:MAX_TARGET])
