"""What the log of an attempt shows was written last to its submission."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from detectors.training.figures import values_of
from detectors.training.hand_made import HandMade, made_here, rows_written, unit_of
from detectors.training.handed_in import form_of
from detectors.training.parsed import MAX_EXCERPT, Shown
from detectors.training.programs import Origin, program
from detectors.training.sayings import spoken
from detectors.training.shell_made import shell_made
from detectors.training.switches import started
from detectors.training.typed_files import typed_files
from detectors.training.written_rows import steps
from detectors.trajectories.events import EventKind, recognised
from detectors.units import code_units

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.attempt import Attempt
    from detectors.training.typed import Typed
    from detectors.training.written_rows import Step
    from detectors.units import CodeUnit

# Formats that hold many solutions of which one is handed in, in an order that says nothing.
_SEARCHES = frozenset({"aide", "aira-dojo", "mlevolve", "ai-scientist", "rd-agent"})
MAX_PROGRAMS = 300  # of a log that are followed
_IMPORTED = re.compile(r"^\s*(?:from|import)\s+([\w.]+)", re.MULTILINE)
_FAILED = re.compile(
    r"^\s*(?:Killed|Terminated|Aborted|Segmentation fault|Timeout|Command timed out|"
    r"(?:[\w.]*Error|[\w.]*Exception|KeyboardInterrupt)\b[^\n]*)[^\n]*\s*(?:\n|$)",
    re.MULTILINE,
)
_KINDS = "subm", "to_csv", "pred", "write"


def last_of_log(attempt: Attempt, least: int, columns: frozenset[str]) -> HandMade | None:
    """Say how the log shows what it wrote last to the submission; None where it shows nothing.

    A script that ran and whose text is neither in the log nor below ``code/`` counts as learnt, as
    does any learnt program in a log of a search, whose order says nothing.
    """
    reader = _LogReader(attempt, least, columns)
    is_search = any(recognised(log) in _SEARCHES for log in attempt.logs)
    last: HandMade | None = None
    at: Step | None = None
    ran: set[str] = set()
    for step, is_failed in _done(attempt):
        ran.add(step.code.strip())
        found = None if is_failed and (step.script or step.code) else reader.of_step(step)
        if found is None:
            stays = is_failed and bool(step.script) and step.script in reader.scripts
            if last is not None and stays:
                last = last._replace(stays=True)
            continue
        if is_search and last is not None and last.origin is Origin.LEARNT:
            continue
        last, at = found, step
    if last is None or at is None or last.stays:
        return last
    own = {unit.text.strip() for unit in code_units(attempt.code)}
    is_kept = is_search and bool(own & ran) and at.code.strip() not in own
    return last._replace(stays=not is_kept and not _learns_after(attempt, at))


def _done(attempt: Attempt) -> Iterator[tuple[Step, bool]]:
    """Yield the steps of a log, and whether they failed; of ``a || b`` the one that had its way."""
    for _, group in groupby(steps(attempt.logs), key=lambda step: step.event):
        found = [*group]
        is_failed = bool(_FAILED.search(found[0].event.output))
        if "||" in found[0].event.text and len(found) > 1:
            yield (found[-1], False) if is_failed else (found[0], False)
            continue
        yield from ((step, is_failed) for step in found)


def _learns_after(attempt: Attempt, step: Step) -> bool:
    """Say whether a log tells figures of a training behind a step."""
    where, line = step.event.where, max(step.event.first_line, step.event.last_line)
    after = (s for s in spoken(attempt.logs) if s.path == where and s.line > line)
    return any(True for said in after if not said.is_own for _ in values_of(said.text))


class _LogReader:
    """Reads the steps of a log in order, remembering scripts and tables that it wrote."""

    def __init__(self, attempt: Attempt, least: int, columns: frozenset[str]) -> None:
        self.least, self.columns, self.keys = least, columns, form_of(attempt).keys
        self.scripts: dict[str, list[CodeUnit]] = {}
        for unit in code_units(attempt.code):
            if unit.language == "python":
                name = unit.path.partition("#")[0].rpartition("/")[2]
                self.scripts.setdefault(name, []).append(unit)
        for name in [*self.scripts]:  # a notebook may run as the script that it was made
            stem, _, kind = name.rpartition(".")
            other = f"{stem}.{'py' if kind == 'ipynb' else 'ipynb'}"
            self.scripts.setdefault(other, self.scripts[name])
        self.files: dict[str, HandMade] = {}
        self.left = MAX_PROGRAMS
        self.typed_files = typed_files(attempt, list(code_units(attempt.code)), least)

    def of_step(self, step: Step) -> HandMade | None:
        """Say what a step wrote to the submission; None where it wrote nothing there."""
        name = step.target.rpartition("/")[2]
        is_table = step.typed is not None and len(step.typed.values) >= self.least
        is_asked = _writes_submission(step) and not is_table
        typed = self.typed_files | self.files.keys()
        made = shell_made(step.event.text, typed) if is_asked else None
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
            self.scripts[name] = [unit_of(step)._replace(module=name.removesuffix(".py"))]
            return None
        if step.script and step.script not in self.scripts:
            return HandMade(Origin.LEARNT, (), in_log=True)
        ran = [unit_of(step)] if step.code else self.scripts.get(step.script, [])
        return self._of_units(ran, step)

    def _of_table(self, step: Step, name: str) -> HandMade | None:
        if step.typed is None or len(step.typed.values) < self.least:
            return None
        if step.typed.n_different < len("ab"):
            return HandMade(Origin.CONSTANT, (), in_log=True)
        if _names_settings(step.typed):
            return None
        self.files[name] = rows_written(step)
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
                typed_files=self.typed_files | self.files.keys(),
                printed=step.event.output,
                command=started(step.event.text, step.script) if step.script else "",
            )
            if self.left > 0
            else None
        )
        if source is None:
            return HandMade(Origin.LEARNT, (), in_log=True)
        made = source.made()
        return made_here(source, made, step) if made else None


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


def _names_settings(table: Typed) -> bool:
    """Say whether most keys of a table are words, as those of settings are, and no ids of rows."""
    with_digits = sum(any(map(str.isdigit, key)) for key in table.pairs)
    return with_digits * 2 < len(table.pairs)


def _writes_submission(step: Step) -> bool:
    """Say whether a command of the shell writes the submission."""
    return step.event.kind is EventKind.COMMAND and not step.code and _is_submission(step.target)


def _is_submission(target: str) -> bool:
    return "subm" in target.lower() or "pred" in target.lower()
