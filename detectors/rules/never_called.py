"""Functions that are written and that nothing calls: leftovers that ask nobody."""

from __future__ import annotations

import ast
import re
from collections import Counter
from typing import TYPE_CHECKING

from detectors.parsing import parse_leniently

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from detectors.units import CodeUnit

_WORD = re.compile(r"[^\W\d]\w*")
_BY_NAME = re.compile(  # a function may be called there that is not named
    r"\b(?:globals|locals|vars|getattr|import_module|__import__|Fire)\(|(?<![.\w])(?:eval|exec)\(|"
    r"sys\.modules|import \*|\binspect\.|CommandLine|entry_points"
)
_FRAMES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
_CALLED_BY_OTHERS = re.compile(r"^(?:__|test_|main$|run$|handler$|lambda_handler$)")


def never_called(units: Sequence[CodeUnit]) -> set[str]:
    r"""Return the functions of scripts whose names stand nowhere but where they are defined.

    Those with decorators, of modules that only define, and all of code that calls by name may be
    called by others, and are none.

    Examples
    --------
    >>> from detectors.units import CodeUnit
    >>> text = "def get():\n    fetch()\n\n\ndef use():\n    pass\n\n\nuse()\n"
    >>> never_called([CodeUnit("a.py", 1, "python", text, "a")])
    {'get'}
    """
    python = [u.text for u in units if u.language == "python"]
    if not any("def " in text for text in python) or any(_BY_NAME.search(u.text) for u in units):
        return set()
    named = Counter(word for u in units for word in _WORD.findall(u.text))
    bodies = [parse_leniently(text).body for text in python if "def " in text]
    return {
        node.name
        for body in bodies
        if any(_does(node) for node in body)
        for node in body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if named[node.name] == 1 and not node.decorator_list
        if not _CALLED_BY_OTHERS.match(node.name)
    }


def still_uncalled(names: Iterable[str], text: str) -> set[str]:
    """Return those of the functions that a text of a log does not name, but where it defines them.

    Examples
    --------
    >>> still_uncalled({"get", "put"}, "def get(): ...  # python -c 'import a; a.put()'")
    {'get'}
    """
    return {n for n in names if n not in text or not re.search(rf"(?<!def )\b{n}\b", text)}


def _does(node: ast.stmt) -> bool:
    """Say whether a statement of a module does more than define."""
    if isinstance(node, _FRAMES) or (isinstance(node, ast.Expr) and _is_constant(node.value)):
        return False
    return any(isinstance(n, ast.Call) for n in ast.walk(node))


def _is_constant(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant)
