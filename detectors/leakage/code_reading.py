"""The Python of an attempt as programs, what each does with rows, and the lines that show it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from competitions.errors import EvidenceUnavailableError
from detectors.attempt import Attempt
from detectors.kept import Kept
from detectors.leakage.code_flow import Reader
from detectors.parsing import lines_of, parse_leniently
from detectors.units import code_units
from reports.schema import CodeLines

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from detectors.base import Subject
    from detectors.leakage.code_story import Story
    from detectors.leakage.code_values import Place
    from detectors.units import CodeUnit

    _Bodies = dict[str, list[tuple[int, Sequence[ast.stmt]]]]

PYTHON = (".py", ".ipynb")
MAX_STEPS = 1_000_000  # expressions looked at of all programs of an attempt
MAX_EXCERPT = 600  # characters
MAX_KEPT = 4000  # programs whose stories are kept for the other detectors


class Program(NamedTuple):
    """Code that runs together, and what it does with rows."""

    units: tuple[CodeUnit, ...]
    story: Story

    def lines(self, place: Place, shows: str) -> CodeLines:
        """Return the lines of a place as evidence."""
        unit = self.units[place.unit]
        offset = unit.first_line - 1
        text = "\n".join(lines_of(unit.text)[place.first - 1 : place.last])
        return CodeLines(
            path=unit.path,
            first_line=place.first + offset,
            last_line=place.last + offset,
            excerpt=text.encode("utf-8", "replace").decode("utf-8")[:MAX_EXCERPT],
            shows=shows,
        )


_READ: Kept[tuple[Program, ...]] = Kept(MAX_KEPT)


def applies_to_code(subject: Subject) -> str | None:
    """Say why a question about training code makes no sense here, None where it does."""
    if not isinstance(subject, Attempt):
        return "it looks at attempts only"
    if "code" not in subject.expected:
        return "no code was given"
    if subject.code and not any(f.name.endswith(PYTHON) for f in subject.code):
        return "none of its code is Python"
    return None


def programs_of(subject: Subject) -> tuple[Program, ...]:
    """Return the programs of an attempt's code, read once for all detectors.

    Raises
    ------
    EvidenceUnavailableError
        When nothing of its Python can be parsed: no statement, no line, no cell.
    """
    if not isinstance(subject, Attempt):
        raise TypeError(subject)
    found = _READ.get(subject)
    if found is None:
        units = tuple(code_units(subject.code))
        _require_statements(subject, units)
        found = tuple(programs(units))
        _READ.put(subject, found, max(1, len(found)))
    return found


def _require_statements(attempt: Attempt, units: Sequence[CodeUnit]) -> None:
    written = [f for f in attempt.code if f.name.endswith(PYTHON) and f.text.strip()]
    parsed = (parse_leniently(u.text, u.path) for u in units if u.language == "python")
    if written and not any(p.body or p.is_whole for p in parsed):
        others = f" and {len(written) - 1} more" if len(written) > 1 else ""
        told = f"{written[0].name}{others}: nothing of it can be parsed as Python"
        raise EvidenceUnavailableError("code", told)


def gap_of(found: Iterable[Program]) -> EvidenceUnavailableError | None:
    """Return why some programs were not read to their end, None where all were."""
    for program in found:
        if not program.story.is_whole:
            told = f"{program.units[0].path} is too long or too nested to be followed to its end."
            return EvidenceUnavailableError("code", told)
    return None


def programs(units: Iterable[CodeUnit]) -> list[Program]:
    """Read Python: what imports one another is one program, every other file is its own."""
    python = [u for u in units if u.language == "python"]
    files: dict[str, set[str]] = {}
    for unit in python:
        files.setdefault(unit.module, set()).add(unit.path.partition("#")[0])
    modules: dict[str, list[int]] = {}
    for number, unit in enumerate(python):
        path = unit.path.partition("#")[0]
        is_alone = len(files[unit.module]) == 1
        modules.setdefault(unit.module if is_alone else path, []).append(number)
    trees = [parse_leniently(unit.text, unit.path).body for unit in python]
    bodies: _Bodies = {name: [(n, trees[n]) for n in numbers] for name, numbers in modules.items()}
    brought = {name: _imported(bodies[name]) & bodies.keys() - {name} for name in bodies}
    inner = set().union(*brought.values())
    mains = [name for name in bodies if name not in inner] or list(bodies)
    found, left = [], MAX_STEPS
    for name in mains:
        reader = Reader(dict(bodies), left)
        found.append(Program(tuple(python), _story(reader, name)))
        left = max(0, left - reader.spent)
    return found


def _imported(bodies: list[tuple[int, Sequence[ast.stmt]]]) -> set[str]:
    """Return the last names of what a module imports, at its top or in its functions."""
    found = set()
    for node in (n for _, body in bodies for statement in body for n in ast.walk(statement)):
        if isinstance(node, ast.Import):
            found |= {a.name.rpartition(".")[2] for a in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {(node.module or "").rpartition(".")[2], *(a.name for a in node.names)}
    return found


def _story(reader: Reader, main: str) -> Story:
    try:
        return reader.read([main])
    except RecursionError:
        reader.story.is_whole = False
        return reader.story
