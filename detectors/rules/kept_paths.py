"""Paths that an object keeps from its making and to which one of its methods writes."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from detectors.folding import dotted

if TYPE_CHECKING:
    from collections.abc import Iterator

WRITE_MODE = re.compile(r"^(?:[wax][bt+]{0,2}|r[bt]?\+[bt]?)$")
_OF_PATH = frozenset({"write_text", "write_bytes", "unlink", "chmod", "touch"})
_TAKES_FIRST = frozenset({"remove", "unlink", "rmtree", "truncate", "chmod"})


def kept_paths(nodes: list[ast.AST]) -> Iterator[tuple[int, str]]:
    r"""Yield the line of every write to what ``self`` keeps, and the path.

    Examples
    --------
    >>> code = "class A:\n def __init__(self, p='/a'):\n  self.p = p\n"
    >>> tree = ast.parse(code + " def f(self):\n  open(self.p, 'w')")
    >>> list(kept_paths(list(ast.walk(tree))))
    [(5, '/a')]
    """
    known: dict[str, object] = {
        target.id: node.value.value
        for node in nodes
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    makings: dict[str, list[ast.Call]] = {n.name: [] for n in nodes if isinstance(n, ast.ClassDef)}
    for node in nodes if makings else ():
        if isinstance(node, ast.Call) and dotted(node.func) in makings:
            makings[dotted(node.func)].append(node)
    for node in nodes if makings else ():
        if isinstance(node, ast.ClassDef):
            kept = _kept(node, makings[node.name], known)
            for call in ast.walk(node) if kept else ():
                path = kept.get(_written(call)) if isinstance(call, ast.Call) else None
                if path and isinstance(call, ast.Call):
                    yield call.lineno, path


def _kept(node: ast.ClassDef, makings: list[ast.Call], known: dict[str, object]) -> dict[str, str]:
    """Return the attributes that `__init__` sets to texts: typed, its defaults or its arguments."""
    made = [s for s in node.body if isinstance(s, ast.FunctionDef) and s.name == "__init__"]
    if not made:
        return {}
    names = [a.arg for a in made[0].args.args][1:]
    defaults = made[0].args.defaults
    inner = dict(known)
    inner |= dict.fromkeys(names)
    inner |= {n: _text(d, known) for n, d in zip(names[-len(defaults) :], defaults, strict=False)}
    for call in makings:
        inner |= {n: _text(a, known) for n, a in zip(names, call.args, strict=False)}
        inner |= {k.arg: _text(k.value, known) for k in call.keywords if k.arg in names}
    found = {}
    for statement in ast.walk(made[0]):
        for target in statement.targets if isinstance(statement, ast.Assign) else ():
            value = _text(statement.value, inner) if isinstance(statement, ast.Assign) else None
            if dotted(target).startswith("self.") and value:
                found[dotted(target)] = value
    return found


def _text(node: ast.expr, known: dict[str, object]) -> str | None:
    """Return a typed text, one that a name holds, or either made into a path."""
    if isinstance(node, ast.Call) and len(node.args) == 1 and dotted(node.func).endswith("Path"):
        node = node.args[0]
    value = node.value if isinstance(node, ast.Constant) else known.get(dotted(node))
    return value if isinstance(value, str) else None


def _written(call: ast.Call) -> str:
    """Return the attribute to which a call writes, or an empty text."""
    name = dotted(call.func).rpartition(".")[2]
    holder = dotted(call.func).rpartition(".")[0]
    if name in _OF_PATH and holder.startswith("self."):
        return holder
    given = [*call.args, *(k.value for k in call.keywords)]
    texts = [n.value for n in given if isinstance(n, ast.Constant)]
    first = dotted(given[0]) if given else ""
    is_opened = name == "open" and any(isinstance(t, str) and WRITE_MODE.match(t) for t in texts)
    if is_opened and holder.startswith("self."):
        return holder
    return first if is_opened or name in _TAKES_FIRST or name.startswith("to_") else ""
