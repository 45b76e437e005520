"""Values of a submission that no model made, in an attempt's code and in its logs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from detectors.text_file import TextFile
from detectors.training.handed_in import form_of
from detectors.training.other_made import other_made
from detectors.training.parsed import MAX_EXCERPT, Shown
from detectors.training.programs import Made, Origin, Program, program
from detectors.training.shell_made import numbers_in, rows_in_brackets, shell_made
from detectors.training.switches import started
from detectors.training.typed import of_rows, of_text
from detectors.training.typed_files import typed_files
from detectors.training.unlearnt import sets_one_value
from detectors.training.written_rows import steps
from detectors.trajectories.events import EventKind, events
from detectors.units import CodeUnit, code_units, notebook_cells

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.attempt import Attempt
    from detectors.training.typed import Typed
    from detectors.training.written_rows import Step

_LEAST_MATCHED = 4  # values of a table that is held against the submission itself
MIN_COMMAND = 30  # characters of a command that may hold a table of numbers
_BRACKETS = re.compile(r"[(\[{]([^()\[\]{}]{8,200000})[)\]}]")
_WRITES_CELL = re.compile(r"%%(?:writefile|file)\b.*\.csv")
_DATA_BASES = frozenset({"duckdb", "sqlite3", "chdb"})
MAX_PRINTED = 200_000  # characters of what a run printed


class HandMade(NamedTuple):
    """How values were made and where that stands.

    Parameters
    ----------
    table : Typed or None
        The table, where they were typed.
    falls_back : bool
        The code hands in the sample submission or a constant where something else failed.
    is_modelled : bool
        What is handed in may come of a model, and not of the train rows alone.
    has_shares : bool
        What is handed in are a model's probabilities or measures, which nothing turns into labels.
    emptied : Shown or None
        What makes a model's values one for all rows, whatever they are.
    is_one : bool
        What is handed in is a constant, as it is written.
    is_stand_in : bool
        The program loads libraries of models.
    stays : bool
        The log shows nothing after it that may have written the submission anew.
    """

    origin: Origin
    places: tuple[Shown, ...]
    in_log: bool
    table: Typed | None = None
    falls_back: bool = False
    is_modelled: bool = True
    has_shares: bool = False
    emptied: Shown | None = None
    is_one: bool = False
    is_stand_in: bool = False
    stays: bool = False

    @property
    def path(self) -> str:
        """The file where it stands."""
        return self.places[0].path if self.places else ""


def of_code(attempt: Attempt, least: int, columns: frozenset[str]) -> HandMade | None:
    """Say how the Python below ``code/`` makes what it hands in; None where it writes nothing.

    Files are read together; what cannot be followed whole counts as learnt.
    """
    units = list(code_units(attempt.code))
    if not units:
        return None
    if not any(unit.language == "python" for unit in units):
        units += [inner for unit in units if unit.language == "shell" for inner in _within(unit)]
    typed = typed_files(attempt, units, least)
    whole = program(
        units, least=least, columns=columns, keys=form_of(attempt).keys, typed_files=typed,
        printed=_printed(attempt), command=_command(attempt),
    )  # fmt: skip
    if whole is None:
        is_other = all(unit.language in {"shell", "config", "other"} for unit in units)
        found = (_shell_made(units, typed) or _made_elsewhere(units)) if is_other else None
        return found or HandMade(Origin.LEARNT, (), in_log=False)
    made = whole.made()
    if made is None or made.origin is Origin.LEARNT:
        asked = _made_by_queries(whole)
        if asked is not None:
            return asked
    return made_here(whole, made) if made else None


def _printed(attempt: Attempt) -> str:
    """Return what the last script that a log shows running printed, or what the runner captured."""
    for step in reversed([*steps(attempt.logs)]):
        if step.script and step.event.output.strip():
            return step.event.output
    return next((log.text[:MAX_PRINTED] for log in attempt.logs if log.name == "run.log"), "")


def _command(attempt: Attempt) -> str:
    """Return the command that a log shows ran the last script."""
    ran = (s for s in reversed([*steps(attempt.logs)]) if s.script)
    return next((started(s.event.text, s.script) for s in ran), "")


def _within(unit: CodeUnit) -> Iterator[CodeUnit]:
    """Yield the Python that a script of the shell holds in here-documents and after ``-c``."""
    for step in steps([TextFile("history", unit.text)]):  # every line is a command
        if step.code:
            line = unit.first_line + step.event.first_line
            yield CodeUnit(unit.path, line, "python", step.code, "shell")


def _made_by_queries(whole: Program) -> HandMade | None:
    """Say how the SQL that Python runs makes what it hands in, where it imports nothing else."""
    if not set(whole.foreign.values()) <= _DATA_BASES:
        return None
    queries = list(whole.queries())
    made = other_made("\n".join(f"{q};" for _, q in queries)) if queries else None
    if made is None:
        return None
    place = whole.shown(queries[-1][0], _SHOWS[made.origin])
    return HandMade(made.origin, (place,), in_log=False, is_modelled=False)


def _shell_made(units: list[CodeUnit], typed: frozenset[str]) -> HandMade | None:
    """Say what scripts of the shell alone make of test rows."""
    for unit in reversed(units):
        made = shell_made(unit.text, typed) if unit.language == "shell" else None
        if made is not None:
            line = unit.first_line + made.line - 1
            place = Shown(unit.path, line, line, made.text[:MAX_EXCERPT], "makes the values")
            return HandMade(made.origin, (place,), in_log=False, is_modelled=False)
    return None


def made_here(source: Program, made: Made, step: Step | None = None) -> HandMade:
    """Return how a program makes its values, with the places; `step` ran it."""
    places = [source.shown(made.sink, "writes the submission")]
    if made.source is not None:
        places.insert(0, source.shown(made.source, _SHOWS.get(made.origin, "makes the values")))
    table = source.table(made.source) if made.source is not None else None
    in_log = step is not None and not step.script
    return HandMade(
        made.origin, tuple(places), in_log, table, source.falls_back, source.is_modelled,
        source.hands_in_shares,
        source.shown(*source.emptied) if source.emptied is not None else None,
        made.origin is Origin.CONSTANT and sets_one_value(source),
        is_stand_in=bool(source.foreign),
    )  # fmt: skip


_SHOWS = {
    Origin.TYPED: "a table of values, typed",
    Origin.DRAWN: "draws the values",
    Origin.UNTRAINED: "builds a network that nothing trains",
    Origin.RULE: "decides by a rule on test rows",
    Origin.TOLD: "reads the task's text",
}


def typed_tables(attempt: Attempt, columns: frozenset[str]) -> Iterator[HandMade]:
    """Yield every typed table of code and logs, to be held against the submission."""
    for unit in code_units(attempt.code):
        yield from _tables(unit, columns, in_log=False)
        if unit.language == "shell":
            yield from _of_shell(unit)
        elif unit.language == "other":
            yield from _of_other(unit)
    for file in attempt.code:
        yield from _of_cells(file)
    yield from _in_commands(attempt)
    for step in steps(attempt.logs):
        if step.typed is not None:
            yield rows_written(step)
        elif step.code:
            yield from _tables(unit_of(step), columns, in_log=True)


def _in_commands(attempt: Attempt) -> Iterator[HandMade]:
    """Read numbers that stand in the commands of a log."""
    for event in events(attempt.logs):
        if event.kind is EventKind.COMMAND and len(event.text) > MIN_COMMAND:
            found = numbers_in(event.text)
            yield from _found(found, event.where, event.first_line, in_log=True)


def _made_elsewhere(units: list[CodeUnit]) -> HandMade | None:
    """Say how programs of other languages make what they hand in, if of test rows alone."""
    others = [unit for unit in units if unit.language == "other"]
    made = other_made("\n".join(unit.text for unit in others)) if others else None
    if made is None:
        return None
    for unit in others:
        line = next((n for n, x in enumerate(unit.text.split("\n")) if made.text in x), None)
        if line is not None:
            at = unit.first_line + line
            place = Shown(unit.path, at, at, made.text[:MAX_EXCERPT], _SHOWS[made.origin])
            return HandMade(made.origin, (place,), in_log=False, is_modelled=False)
    return None


def _found(
    tables: Iterator[tuple[int, str, Typed]], path: str, first: int, *, in_log: bool = False
) -> Iterator[HandMade]:
    """Yield tables that stand in a text, at the lines where they begin."""
    for line, text, table in tables:
        at = first + line - 1
        last = at + text.count("\n")
        place = Shown(path, at, last, text[:MAX_EXCERPT], _SHOWS[Origin.TYPED])
        yield HandMade(Origin.TYPED, (place,), in_log=in_log, table=table)


def _tables(unit: CodeUnit, columns: frozenset[str], *, in_log: bool) -> Iterator[HandMade]:
    one = program([unit], least=_LEAST_MATCHED, columns=columns)
    for node, table in one.tables() if one else ():
        place = one.shown(node, _SHOWS[Origin.TYPED]) if one else None
        yield HandMade(Origin.TYPED, (place,) if place else (), in_log, table)


def _of_shell(unit: CodeUnit) -> Iterator[HandMade]:
    yield from _found(numbers_in(unit.text), unit.path, unit.first_line)
    script = TextFile("history", unit.text)  # every line is a command
    for inner in _within(unit):
        yield from _tables(inner, frozenset(), in_log=False)
    for step in steps([script]):
        if step.typed is not None:
            first = unit.first_line + step.event.first_line - 1
            text = step.event.text
            last = first + text.count("\n")
            shows = "writes rows that stand in the script"
            place = Shown(unit.path, first, last, text[:MAX_EXCERPT], shows)
            yield HandMade(Origin.TYPED, (place,), in_log=False, table=step.typed)


def _of_other(unit: CodeUnit) -> Iterator[HandMade]:
    """Read the literals of another language: what stands in brackets with commas between."""
    for rows in (numbers_in, rows_in_brackets):
        yield from _found(rows(unit.text), unit.path, unit.first_line)
    for found in _BRACKETS.finditer(unit.text):
        cells = [[c] for c in found.group(1).split(",") if c.strip()]
        table = of_rows(cells)
        if len(table.values) >= _LEAST_MATCHED and table.n_different > 1:
            first = unit.text.count("\n", 0, found.start()) + unit.first_line
            last = first + found.group().count("\n")
            excerpt = found.group()[:MAX_EXCERPT]
            place = Shown(unit.path, first, last, excerpt, _SHOWS[Origin.TYPED])
            yield HandMade(Origin.TYPED, (place,), in_log=False, table=table)


def _of_cells(file: TextFile) -> Iterator[HandMade]:
    """Read notebook cells that are written to a file as they stand."""
    if not file.name.endswith(".ipynb"):
        return
    for number, source in notebook_cells(file.text):
        first, _, rest = source.partition("\n")
        table = of_text(rest) if _WRITES_CELL.match(first) else None
        if table is not None and table.n_different > 1:
            last = source.count("\n") + 1
            shows = "writes rows that stand in the cell"
            path = f"{file.name}#cell-{number}"
            place = Shown(path, 1, last, source[:MAX_EXCERPT], shows)
            yield HandMade(Origin.TYPED, (place,), in_log=False, table=table)


def rows_written(step: Step) -> HandMade:
    """Return the rows that a step of a log wrote to a file."""
    event = step.event
    shows = f"writes rows to {step.target}"
    last = max(event.first_line, event.last_line)
    place = Shown(event.where, event.first_line, last, event.text[:MAX_EXCERPT], shows)
    return HandMade(Origin.TYPED, (place,), in_log=True, table=step.typed)


def unit_of(step: Step) -> CodeUnit:
    """Return the code of a log's step as a unit."""
    return CodeUnit(step.event.where, step.event.first_line, "python", step.code, "log")
