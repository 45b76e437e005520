"""Every call of Python code by the name it was imported under, with its keywords and strings."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from detectors.call import NOT_WHOLE, TOO_MUCH
from detectors.calls import calls
from detectors.folding import dotted
from detectors.parsing import lines_of, parse_leniently
from detectors.units import CodeUnit
from reports.decoded import readings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

MAX_CHAIN = 16  # methods of methods
Aliases = dict[str, str]
_Folded = dict[int, list[tuple[str, tuple[str, ...]]]]  # of one unit, by line
MAX_LINE = 20_000
MIN_CODE = 12  # characters
_RUNS_TEXT = re.compile(r"\b(?:exec|eval|compile)\s*\(")


class NamedCall(NamedTuple):
    """A call with what is known of it; lines count in the file.

    Parameters
    ----------
    name : str
        Dotted, as imported: ``requests.get`` also of ``r.get`` after ``import requests as r``; of a
        method, behind the call that made its object: ``openai.OpenAI.chat.completions.create``.
    strings : tuple of str
        What reaches it and folds to text, the receiver first.
    numbers : tuple of int
        Whole numbers written out among its arguments without a name.
    """

    unit: CodeUnit
    name: str
    first_line: int
    last_line: int
    keywords: dict[str, ast.expr]
    strings: tuple[str, ...]
    numbers: tuple[int, ...] = ()


def _imported(body: Iterable[ast.stmt], names: Aliases) -> None:
    """Add what names stand for: ``{"pd": "pandas", "load": "joblib.load"}``."""
    for statement in body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    names[alias.asname or alias.name.partition(".")[0]] = (
                        alias.name if alias.asname else alias.name.partition(".")[0]
                    )
            elif isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    names[alias.asname or alias.name] = f"{node.module or ''}.{alias.name}"
            else:
                for target, value in _bound(node):
                    _assigned(target, value, names)


def _bound(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield what a statement binds to what, in each of the ways that Python has for it."""
    if isinstance(node, ast.Assign):
        for target in node.targets:
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                yield from zip(target.elts, node.value.elts, strict=False)
            else:
                yield target, node.value
    elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and node.value is not None:
        yield node.target, node.value
    elif isinstance(node, ast.With | ast.AsyncWith):
        yield from ((i.optional_vars, i.context_expr) for i in node.items if i.optional_vars)


def _assigned(target: ast.expr, value: ast.expr, names: Aliases) -> None:
    """Let a name stand for the call that made it: ``client = OpenAI()`` is ``openai.OpenAI``."""
    if not isinstance(value, ast.Call | ast.Attribute):
        return
    made = _resolved(_made_by(value, names), names)
    made = ".".join(made.split(".", MAX_CHAIN)[:MAX_CHAIN])  # a name may be made of itself, often
    if "." in made and dotted(target):
        names[dotted(target)] = made


def _made_by(value: ast.Call | ast.Attribute, names: Aliases) -> str:
    """Name what makes a value; of a partial call, of a loaded module and of a part what it is."""
    if isinstance(value, ast.Attribute):
        return dotted(value)
    called = value.func
    if isinstance(called, ast.Call):  # getattr(openai, "OpenAI")()
        return _made_by(called, names)
    name = _resolved(dotted(called), names)
    first = value.args[0] if value.args else None
    second = value.args[1] if len(value.args) > 1 else None
    if name in {"functools.partial", "partial"} and first is not None:
        return dotted(first)
    if name in {"importlib.import_module", "__import__"} and isinstance(first, ast.Constant):
        return str(first.value)
    if name == "getattr" and first is not None and isinstance(second, ast.Constant):
        return f"{dotted(first)}.{second.value!s}"
    return dotted(called) or _chained(called, names)


def _resolved(name: str, names: Aliases) -> str:
    for head in (name, *_heads(name)):
        if head in names:
            return f"{names[head]}{name[len(head) :]}"
    return name


def _heads(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[:n]) for n in range(len(parts) - 1, 0, -1)]


def named_calls(units: Sequence[CodeUnit], known: Aliases | None = None) -> Iterator[NamedCall]:
    """Yield every call with all strings that reach it; a loop's calls once for each turn.

    A unit that is not followed to its end has a call of the name `TOO_MUCH`.

    Parameters
    ----------
    units : sequence of CodeUnit
        Those of other languages are left out.
    known : dict or None
        Names imported before, of a log whose steps share one interpreter; it is added to.
    """
    folded: dict[CodeUnit, _Folded] = defaultdict(lambda: defaultdict(list))
    for unit, call in calls(units):
        if call.name == TOO_MUCH:
            yield NamedCall(unit, TOO_MUCH, 1, 1, {}, ())
        elif call.name not in {"import", NOT_WHOLE}:
            folded[unit][call.first_line].append((call.name, call.strings))
    modules: dict[str, Aliases] = defaultdict(dict)
    python = [(u, parse_leniently(u.text, u.path).body) for u in units if u.language == "python"]
    for unit, body in python:
        names = modules[unit.module] if known is None else known
        _imported(body, names)
    for unit, body in python:
        names = modules[unit.module] if known is None else known
        for node in _called(body):
            written = dotted(node.func) or "?." + getattr(node.func, "attr", "")
            first = node.lineno + unit.first_line - 1
            last = (node.end_lineno or node.lineno) + unit.first_line - 1
            keywords = {k.arg: k.value for k in node.keywords if k.arg}
            here = folded[unit].get(first, [])
            reached = [s for name, s in here if name == written] or [()]
            folded[unit][first] = [one for one in here if one[0] != written]
            for strings in reached:
                name = _chained(node.func, names) or _resolved(written, names)
                yield NamedCall(unit, name, first, last, keywords, strings, _numbers(node))
        yield from _left(unit, folded[unit], names)


def _chained(called: ast.expr, names: Aliases) -> str:
    """Name a method of what an imported call made: ``wandb.Api().artifact``; else nothing."""
    parts: list[str] = []
    while not dotted(called) and len(parts) < MAX_CHAIN:
        if isinstance(called, ast.Attribute):
            parts.append(called.attr)
            called = called.value
        elif isinstance(called, ast.Call):
            called = called.func
        else:
            return ""
    name = dotted(called)
    is_imported = bool(parts) and any(head in names for head in (name, *_heads(name)))
    return ".".join([_resolved(name, names), *reversed(parts)]) if is_imported else ""


def unpacked(units: Iterable[CodeUnit]) -> Iterator[CodeUnit]:
    """Yield the code that stands encoded in Python units which run such, at the lines it has there.

    Examples
    --------
    >>> from detectors.units import CodeUnit
    >>> text = "exec(b64decode('aW1wb3J0IG9wZW5haTsgb3BlbmFpLk9wZW5BSSgp'))"
    >>> [u.text for u in unpacked([CodeUnit("a.py", 1, "python", text, "a")])]
    ['import openai; openai.OpenAI()']
    """
    for unit in units:
        if unit.language != "python" or not _RUNS_TEXT.search(unit.text):
            continue
        for number, line in enumerate(lines_of(unit.text), start=unit.first_line):
            for reading in readings(line[:MAX_LINE]):
                if "import " in reading.plain and len(reading.plain) >= MIN_CODE:
                    module = f"{unit.module}#{number}"
                    yield CodeUnit(unit.path, number, "python", reading.plain, module)


def _numbers(node: ast.Call) -> tuple[int, ...]:
    values = (a.value for a in node.args if isinstance(a, ast.Constant))
    return tuple(v for v in values if type(v) is int)


def _left(unit: CodeUnit, folded: _Folded, names: Aliases) -> Iterator[NamedCall]:
    """Yield calls that stand in no line of the unit as they are: of what `exec` is given."""
    for line, rest in folded.items():
        for name, strings in rest:
            yield NamedCall(unit, _resolved(name, names), line, line, {}, strings)


def _called(body: Iterable[ast.stmt]) -> Iterator[ast.Call]:
    for statement in body:
        yield from (node for node in ast.walk(statement) if isinstance(node, ast.Call))
