"""Names of the columns that a program writes, for tasks whose columns are not known."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from detectors.training.flows import last_name
from detectors.training.handed_in import Form

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.training.programs import Program

MAX_DEPTH = 4  # of following a frame's name to what it was set to
_TWO = 2


def written_columns(program: Program) -> Form:
    """Return the columns of what a program hands in: the first names the rows; empty if not seen.

    They are those that it picks, makes the frame of or sets in it: ``f[["id", "y"]].to_csv(p)``,
    ``DataFrame({"id": i, "y": y}).to_csv(p)``, ``f["y"] = y``.
    """
    for sink in program.sinks:
        for value in sink.values:
            names = list(dict.fromkeys(_columns(program, value)))
            named = [n for n in names if n in program.keys] or names[: len(names) >= _TWO]
            if names:
                return Form(frozenset(named), frozenset(names) - frozenset(named))
    return Form(frozenset(), frozenset())


def _columns(program: Program, value: ast.AST, depth: int = 0) -> Iterator[str]:
    """Yield the names of a frame's columns, as far as they stand there."""
    picked = value.slice if isinstance(value, ast.Subscript) else None
    if isinstance(picked, ast.List):
        yield from _texts(picked.elts)
        return
    if isinstance(value, ast.Call):
        yield from _of_call(program, value, depth)
    elif isinstance(value, ast.Name) and depth < MAX_DEPTH:
        for _, node in program.code.tree.nodes:
            target = node.targets[0] if isinstance(node, ast.Assign) else None
            if isinstance(target, ast.Name) and target.id == value.id:
                yield from _columns(program, node.value, depth + 1)  # type: ignore[attr-defined]
            elif isinstance(target, ast.Subscript) and _name(target.value) == value.id:
                yield from _texts([target.slice])


def _of_call(program: Program, call: ast.Call, depth: int) -> Iterator[str]:
    name = last_name(call)
    if name in {"DataFrame", "dict"}:
        given = [*call.args, *(k.value for k in call.keywords if k.arg == "data")]
        yield from (t for g in given if isinstance(g, ast.Dict) for t in _texts(g.keys))
        yield from (
            t for g in given if isinstance(g, ast.Call) for t in _columns(program, g, depth)
        )
        yield from (t for k in call.keywords if k.arg == "columns" for t in _texts(_parts(k.value)))
    elif isinstance(call.func, ast.Attribute):
        yield from _columns(program, call.func.value, depth)
    if name in {"assign", "with_columns", "dict"}:
        yield from (k.arg for k in call.keywords if k.arg)
        spread = [k.value for k in call.keywords if k.arg is None]
        yield from (t for g in spread if isinstance(g, ast.Dict) for t in _texts(g.keys))


def _parts(node: ast.expr) -> list[ast.expr]:
    return node.elts if isinstance(node, ast.List | ast.Tuple) else []


def _texts(nodes: list[ast.expr] | list[ast.expr | None]) -> Iterator[str]:
    """Yield the texts among some nodes."""
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""
