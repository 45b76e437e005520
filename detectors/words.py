"""The words of Python code: texts that stand in it, and those that folded values hold."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from detectors.bounds import MAX_STRING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

TESTS = frozenset({"startswith", "endswith", "match", "search"})


def compared(body: list[ast.stmt]) -> str:
    """Return the words that a file compares with: ``"answers" in path``, ``.startswith("x")``."""
    words: list[str] = []
    stack: list[tuple[ast.AST, bool]] = [(s, False) for s in reversed(body)]
    while stack:
        node, inside = stack.pop()
        called = node.func if isinstance(node, ast.Call) else None
        method = called.attr if isinstance(called, ast.Attribute) else ""
        inside = inside or isinstance(node, ast.Compare) or method in TESTS
        words += literals([node]) if inside else ()
        stack += [(child, inside) for child in reversed(list(ast.iter_child_nodes(node)))]
    return joined(words)


def as_load(target: ast.expr) -> ast.expr:
    """Return the expression that reads what an assignment writes."""
    return ast.Name(target.id, ast.Load()) if isinstance(target, ast.Name) else target


def arguments(node: ast.Call) -> list[ast.expr]:
    """List what a call is given, positions first, stars and names taken off."""
    positional = [a.value if isinstance(a, ast.Starred) else a for a in node.args]
    return [*positional, *(k.value for k in node.keywords)]


def literals(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the texts that stand among nodes as they are."""
    return (n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str))


def joined(words: Iterable[str]) -> str:
    """Join words up to the longest text that is kept, without building a longer one."""
    kept, size = [], 0
    for word in words:
        kept.append(word[:MAX_STRING])
        size += len(word) + 1
        if size > MAX_STRING:
            break
    return " ".join(kept)[:MAX_STRING]


def texts(values: Iterable[Any]) -> Iterator[str]:
    """Yield the texts of folded values, those within lists and dicts too."""
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, bytes):
            yield value.decode("utf-8", "replace")
        elif isinstance(value, list | tuple):
            yield from texts(value)
        elif isinstance(value, dict):
            yield from texts(value.values())
