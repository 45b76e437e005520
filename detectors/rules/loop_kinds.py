"""What loops of Python are there for: a search, a few rounds, a retry, until a form is right."""

from __future__ import annotations

import ast
import re

from detectors.folding import dotted
from detectors.rules.learning_words import IS_FORM

_NO_USE = frozenset({"sleep", "print", "info", "warning", "debug", "pow", "min", "range"})
_FEW = 3  # questions in a row that are none of a search


def is_short(loop: ast.AST) -> bool:
    """Say whether a loop goes through fewer elements than a search does."""
    return isinstance(loop, ast.For | ast.AsyncFor) and is_few(loop.iter)


def is_few(node: ast.expr) -> bool:
    """Say whether what a loop goes through is known to be short."""
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        return len(node.elts) < _FEW
    if isinstance(node, ast.Call) and last_name(node.func) == "range" and len(node.args) == 1:
        bound = node.args[0]
        return (
            isinstance(bound, ast.Constant) and isinstance(bound.value, int) and bound.value < _FEW
        )
    return False


def is_retry(loop: ast.AST) -> bool:
    """Say whether a loop only repeats a question until there is an answer."""
    nodes = list(ast.walk(loop))
    tries = any(isinstance(n, ast.Try | ast.Break | ast.Return) for n in nodes)
    waits = any(isinstance(n, ast.Call) and last_name(n.func) == "sleep" for n in nodes)
    ends = any(isinstance(n, ast.Break | ast.Return) for n in nodes)
    text = ast.unparse(loop)[:6000]
    changes = re.search(
        r"to_csv|\.(?:loc|iloc|at|iat)\[|\.copy\(|\.assign\(|\.drop\(|fillna|predict|\.fit\(|"
        r"np\.where|\.clip\(|random|shuffle|\.write\(|\s[-+*]=\s(?!1\b)", text,
    )  # fmt: skip
    used = _uses_target(loop)
    return ends and (tries or waits) and not changes and not used


def _uses_target(loop: ast.AST) -> bool:
    """Say whether what a loop goes through is handed to a call that is no waiting or printing."""
    if not isinstance(loop, ast.For | ast.AsyncFor):
        return False
    names = _names(loop.target)
    return any(
        isinstance(n, ast.Call)
        and last_name(n.func) not in _NO_USE
        and names & {m.id for a in (*n.args, *(k.value for k in n.keywords)) for m in ast.walk(a)
                     if isinstance(m, ast.Name)}
        for s in loop.body for n in ast.walk(s)
    )  # fmt: skip


def until_valid(loop: ast.AST) -> bool:
    """Say whether a loop ends as soon as the form is right."""
    nodes = list(ast.walk(loop))
    ends = any(isinstance(n, ast.Break | ast.Return) for n in nodes)
    while_test = isinstance(loop, ast.While) and not isinstance(loop.test, ast.Constant)
    return (ends or while_test) and bool(IS_FORM.search(ast.unparse(loop)[:6000]))


def last_name(node: ast.AST) -> str:
    """Return the last part of what is called."""
    return dotted(node).rpartition(".")[2] or str(getattr(node, "attr", getattr(node, "id", "")))


def _names(node: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
