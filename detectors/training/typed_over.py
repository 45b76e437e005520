"""Typed values that a program puts in the place of a model's, row by row, by the rows' ids."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from detectors.training.flows import last_name
from detectors.training.typed_rows import asked_by_key

if TYPE_CHECKING:
    from detectors.training.programs import Program

_JOINS = frozenset({"merge", "update", "combine_first"})
_WRAPS = frozenset({"Series", "DataFrame", "dict", "OrderedDict", "from_dict"})


def typed_over(program: Program) -> ast.AST | None:
    """Return the typed table by which rows that are handed in are set; None for none.

    Rows of train are no matter: their labels may be mended.
    """
    tree = program.code.tree
    named = {
        target.id: node.value
        for _, node in tree.nodes
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    asked = asked_by_key(tree, program.keys)
    loops = _typed_loops(program, named)
    handed_in = {
        n.id
        for s in program.sinks
        for v in s.values
        for n in ast.walk(v)
        if isinstance(n, ast.Name)
    }
    for _, node in tree.nodes:
        joined = _joined(program, node, named) if isinstance(node, ast.Call) else None
        if joined is not None:
            return joined
        target = node.targets[0] if isinstance(node, ast.Assign) else None
        if not isinstance(target, ast.Subscript) or not isinstance(node, ast.Assign):
            continue
        if _is_of_train(program, _frame(target), named):
            continue
        found = _picked(program, target.slice, node.value, named, loops) or _asked(
            program, node.value, named, asked
        )
        if found is None and _frame(target) in handed_in and _is_column(target):
            found = _in_order(program, node.value, named)
        if found is not None:
            return found
    return None


def _is_column(target: ast.expr) -> bool:
    """Say whether a target is one column of a frame or a part of it, and no row of several."""
    while isinstance(target, ast.Attribute | ast.Subscript):
        part = target.slice if isinstance(target, ast.Subscript) else None
        last = part.elts[-1] if isinstance(part, ast.Tuple) and part.elts else None
        name = getattr(part, "value", None)
        if isinstance(last, ast.Constant) or isinstance(name, str):
            return True
        target = target.value
    return False


def _in_order(program: Program, value: ast.expr, named: dict[str, ast.expr]) -> ast.AST | None:
    """Return the typed list that is set as it stands, or with others after it."""
    while isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add):
        right = value.right
        if isinstance(right, ast.List) and program.table(right) is not None:
            return right
        value = value.left
    at = named.get(value.id, value) if isinstance(value, ast.Name) else value
    return at if isinstance(at, ast.List) and program.table(at) is not None else None


def _picked(
    program: Program,
    part: ast.expr,
    value: ast.expr,
    named: dict[str, ast.expr],
    loops: dict[str, ast.AST],
) -> ast.AST | None:
    """Return the typed table by whose keys, or in whose order, rows are picked for a value."""
    is_of_loop = isinstance(value, ast.Name | ast.Subscript)
    for one in ast.walk(part):
        if isinstance(one, ast.Name):
            found = (loops.get(one.id) if is_of_loop else None) or _keyed(program, one, named)
            if found is not None:
                return found
    return None


def _asked(
    program: Program, value: ast.expr, named: dict[str, ast.expr], asked: frozenset[int]
) -> ast.AST | None:
    """Return the typed table that is asked for the values of rows by their ids."""
    for one in ast.walk(value):
        keyed = _keyed(program, one, named)
        if keyed is not None and id(keyed) in asked:
            return keyed
        got = _got(program, one, named) if isinstance(one, ast.Call) else None
        if got is not None:
            return got
    return None


def _keyed(program: Program, node: ast.AST, named: dict[str, ast.expr]) -> ast.AST | None:
    """Return the typed table with keys that a node is, or that its name's value is made of."""
    at: ast.AST = named.get(node.id, node) if isinstance(node, ast.Name) else node
    if isinstance(at, ast.Call) and last_name(at) in _WRAPS and at.args:
        at = at.args[0]
    table = program.table(at)
    return at if table is not None and table.pairs else None


def _got(program: Program, call: ast.Call, named: dict[str, ast.expr]) -> ast.AST | None:
    """Return the typed table that is asked for a row's id: ``typed.get(row["id"])``."""
    on = getattr(call.func, "value", None)
    if last_name(call) != "get" or on is None or not call.args:
        return None
    return _keyed(program, on, named) if _names_key(call.args[0], program.keys) else None


def _names_key(node: ast.expr, keys: frozenset[str]) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr in keys
    return isinstance(node, ast.Subscript) and getattr(node.slice, "value", None) in keys


def _joined(program: Program, call: ast.Call, named: dict[str, ast.expr]) -> ast.AST | None:
    """Return the typed rows that are joined by ids to a frame, not one of train rows."""
    on = getattr(call.func, "value", None)
    name = last_name(call)
    if name not in _JOINS or not isinstance(on, ast.Name) or not call.args:
        return None
    by = {getattr(k.value, "value", None) for k in call.keywords if k.arg in {"on", "left_on"}}
    is_by_id = bool(by & program.keys) or name != "merge"
    if not is_by_id or _is_of_train(program, on.id, named):
        return None
    return _keyed(program, call.args[0], named)


def _frame(target: ast.Subscript) -> str:
    """Return the name of the frame of which a part is set."""
    of = target.value
    while isinstance(of, ast.Attribute | ast.Subscript):
        of = of.value
    return of.id if isinstance(of, ast.Name) else ""


def _is_of_train(program: Program, frame: str, named: dict[str, ast.expr]) -> bool:
    """Say whether a frame is read from train rows, or from where is not seen."""
    value = named.get(frame)
    if value is None:
        return True
    return any(program.reads(n) in {"train", "other"} for n in ast.walk(value))


def _typed_loops(program: Program, named: dict[str, ast.expr]) -> dict[str, ast.AST]:
    """Return the names that loops over typed pairs set, with what they go over."""
    found: dict[str, ast.AST] = {}
    for _, node in program.code.tree.nodes:
        if not isinstance(node, ast.For) or not isinstance(node.target, ast.Tuple):
            continue
        for one in ast.walk(node.iter):
            at = named.get(one.id, one) if isinstance(one, ast.Name) else one
            table = program.table(at)
            if table is not None and (table.pairs or _called(node.iter) in {"zip", "enumerate"}):
                found |= {n.id: at for n in node.target.elts if isinstance(n, ast.Name)}
    return found


def _called(node: ast.expr) -> str:
    """Return the last name of a call; empty for other nodes."""
    return last_name(node) if isinstance(node, ast.Call) else ""
