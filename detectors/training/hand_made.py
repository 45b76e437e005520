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
from detectors.training.typed import of_rows, of_text
from detectors.training.unlearnt import sets_one_value
from detectors.training.written_rows import steps
from detectors.trajectories.events import EventKind, events, recognised
from detectors.units import CodeUnit, code_units, notebook_cells

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.attempt import Attempt
    from detectors.training.typed import Typed
    from detectors.training.written_rows import Step

# Formats that hold many solutions of which one is handed in, in an order that says nothing.
_SEARCHES = frozenset({"aide", "aira-dojo", "mlevolve", "ai-scientist", "rd-agent"})
_LEAST_MATCHED = 4  # values of a table that is held against the submission itself
MIN_COMMAND = 30  # characters of a command that may hold a table of numbers
MAX_PROGRAMS = 300  # of a log that are followed
_BRACKETS = re.compile(r"[(\[{]([^()\[\]{}]{8,200000})[)\]}]")
_WRITES_CELL = re.compile(r"%%(?:writefile|file)\b.*\.csv")
_DATA_BASES = frozenset({"duckdb", "sqlite3", "chdb"})
_IMPORTED = re.compile(r"^\s*(?:from|import)\s+([\w.]+)", re.MULTILINE)
_FAILED = re.compile(
    r"^\s*(?:Killed|Terminated|Aborted|Segmentation fault|Timeout|Command timed out|"
    r"(?:[\w.]*Error|[\w.]*Exception|KeyboardInterrupt)\b[^\n]*)[^\n]*\s*(?:\n|$)",
    re.MULTILINE,
)
MAX_PRINTED = 200_000  # characters of what a run printed
_KINDS = "subm", "to_csv", "pred", "write"


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
    stays : bool
        A program of the attempt failed after it, and nothing else that may write ran to its end.
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
    whole = program(
        units, least=least, columns=columns, keys=form_of(attempt).keys,
        printed=_printed(attempt),
    )  # fmt: skip
    if whole is None:
        is_other = all(unit.language in {"shell", "config", "other"} for unit in units)
        found = (_shell_made(units) or _made_elsewhere(units)) if is_other else None
        return found or HandMade(Origin.LEARNT, (), in_log=False)
    made = whole.made()
    if made is None or made.origin is Origin.LEARNT:
        asked = _made_by_queries(whole)
        if asked is not None:
            return asked
    return _hand_made(whole, made) if made else None


def _printed(attempt: Attempt) -> str:
    """Return what the last script that a log shows running printed, or what the runner captured."""
    for step in reversed([*steps(attempt.logs)]):
        if step.script and step.event.output.strip():
            return step.event.output
    return next((log.text[:MAX_PRINTED] for log in attempt.logs if log.name == "run.log"), "")


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


def _shell_made(units: list[CodeUnit]) -> HandMade | None:
    """Say what scripts of the shell alone make of test rows."""
    for unit in reversed(units):
        made = shell_made(unit.text) if unit.language == "shell" else None
        if made is not None:
            line = unit.first_line + made.line - 1
            place = Shown(unit.path, line, line, made.text[:MAX_EXCERPT], "makes the values")
            return HandMade(made.origin, (place,), in_log=False, is_modelled=False)
    return None


def _hand_made(source: Program, made: Made, step: Step | None = None) -> HandMade:
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
            yield _of_rows(step)
        elif step.code:
            yield from _tables(_unit(step), columns, in_log=True)


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
    for step in steps([script]):
        if step.code:
            inner = CodeUnit(unit.path, step.event.first_line + 1, "python", step.code, "shell")
            yield from _tables(inner, frozenset(), in_log=False)
        elif step.typed is not None:
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


def _of_rows(step: Step) -> HandMade:
    event = step.event
    shows = f"writes rows to {step.target}"
    last = max(event.first_line, event.last_line)
    place = Shown(event.where, event.first_line, last, event.text[:MAX_EXCERPT], shows)
    return HandMade(Origin.TYPED, (place,), in_log=True, table=step.typed)


def _unit(step: Step) -> CodeUnit:
    return CodeUnit(step.event.where, step.event.first_line, "python", step.code, "log")


def last_of_log(attempt: Attempt, least: int, columns: frozenset[str]) -> HandMade | None:
    """Say how the log shows what it wrote last to the submission; None where it shows nothing.

    A script that ran and whose text is neither in the log nor below ``code/`` counts as learnt, as
    does any learnt program in a log of a search, whose order says nothing.
    """
    reader = _LogReader(attempt, least, columns)
    is_search = any(recognised(log) in _SEARCHES for log in attempt.logs)
    last: HandMade | None = None
    for step in steps(attempt.logs):
        is_failed = bool(_FAILED.search(step.event.output))
        found = None if is_failed and (step.script or step.code) else reader.of_step(step)
        if found is None:
            stays = is_failed and bool(step.script) and step.script in reader.scripts
            if last is not None and stays:
                last = last._replace(stays=True)
            continue
        if is_search and last is not None and last.origin is Origin.LEARNT:
            continue
        last = found
    return last


class _LogReader:
    """Reads the steps of a log in order, remembering scripts and tables that it wrote."""

    def __init__(self, attempt: Attempt, least: int, columns: frozenset[str]) -> None:
        self.least, self.columns, self.keys = least, columns, form_of(attempt).keys
        self.scripts: dict[str, list[CodeUnit]] = {}
        for unit in code_units(attempt.code):
            if unit.language == "python":
                name = unit.path.partition("#")[0].rpartition("/")[2]
                self.scripts.setdefault(name, []).append(unit)
        self.files: dict[str, HandMade] = {}
        self.left = MAX_PROGRAMS

    def of_step(self, step: Step) -> HandMade | None:
        """Say what a step wrote to the submission; None where it wrote nothing there."""
        name = step.target.rpartition("/")[2]
        made = shell_made(step.event.text) if _writes_submission(step) else None
        if made is not None:
            event = step.event
            place = Shown(
                event.where, event.first_line, max(event.first_line, event.last_line),
                event.text[:MAX_EXCERPT], "makes the values",
            )  # fmt: skip
            return HandMade(made.origin, (place,), in_log=True, is_modelled=False)
        if step.typed is not None:
            return self._of_table(step, name)
        if step.source:
            known = self.files.get(step.source.rpartition("/")[2])
            return known if known and _is_submission(step.target) else None
        if step.code and name.endswith(".py"):
            self.scripts[name] = [_unit(step)._replace(module=name.removesuffix(".py"))]
            return None
        if step.script and step.script not in self.scripts:
            return HandMade(Origin.LEARNT, (), in_log=True)
        ran = [_unit(step)] if step.code else self.scripts.get(step.script, [])
        return self._of_units(ran, step)

    def _of_table(self, step: Step, name: str) -> HandMade | None:
        if step.typed is None or len(step.typed.values) < self.least:
            return None
        if step.typed.n_different < len("ab"):
            return HandMade(Origin.CONSTANT, (), in_log=True)
        self.files[name] = _of_rows(step)
        return self.files[name] if _is_submission(step.target) else None

    def _of_units(self, units: list[CodeUnit], step: Step) -> HandMade | None:
        text = "".join(u.text for u in units).lower()
        if not any(word in text for word in _KINDS):
            return None
        self.left -= 1
        units = _with_modules(units, self.scripts)
        source = (
            program(
                units,
                least=self.least,
                columns=self.columns,
                keys=self.keys,
                printed=step.event.output,
            )
            if self.left > 0
            else None
        )
        if source is None:
            return HandMade(Origin.LEARNT, (), in_log=True)
        made = source.made()
        return _hand_made(source, made, step) if made else None


def _with_modules(units: list[CodeUnit], scripts: dict[str, list[CodeUnit]]) -> list[CodeUnit]:
    """Add the attempt's own modules that some units import, and those that these import."""
    found = [*units]
    seen = {unit.module for unit in units}
    for unit in found:
        for name in _IMPORTED.findall(unit.text):
            module = name.rpartition(".")[2]
            if module not in seen:
                seen.add(module)
                found += scripts.get(f"{module}.py", [])
    return found


def _writes_submission(step: Step) -> bool:
    """Say whether a command of the shell writes the submission."""
    return step.event.kind is EventKind.COMMAND and not step.code and _is_submission(step.target)


def _is_submission(target: str) -> bool:
    return "subm" in target.lower() or "pred" in target.lower()
