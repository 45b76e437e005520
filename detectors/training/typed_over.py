"""Typed values that a program puts in the place of a model's, row by row, by the rows' ids."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from detectors.training.flows import last_name
from detectors.training.typed_rows import asked_by_key

if TYPE_CHECKING:
    from detectors.training.programs import Program

_PLACES = frozenset({"loc", "iloc", "at", "iat"})


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
    for _, node in tree.nodes:
        target = node.targets[0] if isinstance(node, ast.Assign) else None
        if not isinstance(target, ast.Subscript) or not isinstance(node, ast.Assign):
            continue
        if _is_of_train(program, _frame(target), named):
            continue
        inner = [n for part in (target.slice, node.value) for n in ast.walk(part)]
        for one in inner:
            at = named.get(one.id, one) if isinstance(one, ast.Name) else one
            table = program.table(at)
            if table is not None and table.pairs and id(at) in asked:
                return at
            if isinstance(one, ast.Name) and one.id in loops and one in ast.walk(target.slice):
                return loops[one.id]
    return None


def _frame(target: ast.Subscript) -> str:
    """Return the name of the frame of which a part is set."""
    of = target.value
    if isinstance(of, ast.Attribute) and of.attr in _PLACES:
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
            if table is not None and (table.pairs or _called(node.iter) == "zip"):
                found |= {n.id: at for n in node.target.elts if isinstance(n, ast.Name)}
    return found


def _called(node: ast.expr) -> str:
    """Return the last name of a call; empty for other nodes."""
    return last_name(node) if isinstance(node, ast.Call) else ""
