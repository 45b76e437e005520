"""Functions that are called for others: by pools, threads and maps."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from detectors.folding import dotted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MAX_HANDED = 64  # calls that one call makes
_MAPS = frozenset(
    {"map", "imap", "imap_unordered", "map_async", "starmap", "thread_map", "process_map",
     "parallel"}
)  # fmt: skip
_SUBMITS = {"submit": 0, "apply_async": 0, "apply": 0, "to_thread": 0, "run_in_executor": 1}
_STARTS = frozenset({"Thread", "Process"})


def handed_on(node: ast.Call, fold: Callable[[ast.expr], Any]) -> Iterator[ast.Call]:
    """Yield the calls of functions that a call is handed: ``pool.map(get, urls)``.

    Parameters
    ----------
    fold : callable
        Returns the value of an expression, or None.
    """
    for function, arguments, keywords in _handed(node, fold):
        if dotted(function):
            made = ast.Call(func=function, args=arguments, keywords=keywords)
            yield ast.copy_location(made, node)


_Handed = tuple[ast.expr, list[ast.expr], list[ast.keyword]]


def _handed(node: ast.Call, fold: Callable[[ast.expr], Any]) -> Iterator[_Handed]:
    called = node.func
    name = called.attr if isinstance(called, ast.Attribute) else dotted(called)
    if isinstance(called, ast.Call) and dotted(called.func).endswith("delayed") and called.args:
        yield called.args[0], node.args, node.keywords
    elif name in _MAPS and len(node.args) > 1:
        values = fold(node.args[1])
        for value in values[:MAX_HANDED] if isinstance(values, list) else ():
            spread = value if name == "starmap" and isinstance(value, list) else [value]
            yield node.args[0], [_as_node(v, node) for v in spread], []
    elif name in _SUBMITS and len(node.args) > _SUBMITS[name]:
        function, *arguments = node.args[_SUBMITS[name] :]
        if (
            name.startswith("apply")
            and arguments
            and isinstance(arguments[0], ast.Tuple | ast.List)
        ):
            arguments = arguments[0].elts
        yield function, arguments, node.keywords
    elif name in _STARTS:
        named = {k.arg: k.value for k in node.keywords if k.arg}
        with_ = named.get("args")
        if "target" in named:
            arguments = with_.elts if isinstance(with_, ast.Tuple | ast.List) else []
            yield named["target"], arguments, []


def _as_node(value: Any, at: ast.Call) -> ast.expr:  # noqa: ANN401
    """Return an expression that has a folded value."""
    made: ast.expr
    if isinstance(value, list):
        made = ast.List(elts=[_as_node(v, at) for v in value], ctx=ast.Load())
    elif isinstance(value, dict):
        keys: list[ast.expr | None] = [_as_node(k, at) for k in value]
        made = ast.Dict(keys=keys, values=[_as_node(v, at) for v in value.values()])
    else:
        made = ast.Constant(value if isinstance(value, str | bytes | int) else None)
    return ast.copy_location(made, at)
