"""Finds a constant that a program puts in the place of what it made, right before handing it in."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from detectors.training.flows import last_name

if TYPE_CHECKING:
    from detectors.training.scopes import Tree

_FILLS = re.compile(r"^(?:ones|zeros|full|ones_like|zeros_like|full_like)$")
_BLOCKS = (ast.If, ast.For, ast.While, ast.Try, ast.With, ast.Match)


def overwritten(tree: Tree, columns: frozenset[str]) -> ast.Assign | None:
    """Return the statement that sets a predicted column's values to one constant, at last.

    Only plain programs count: a name is set at the top level of a module, and the next place that
    names it puts it into a frame under a predicted column. What is set below a condition, added to,
    or handed to anything in between, is none.

    Parameters
    ----------
    columns : frozenset of str
        Names of predicted columns.
    """
    at_top = [node for scope, node in tree.nodes if not scope]
    inside = {
        id(inner)
        for node in at_top
        if isinstance(node, _BLOCKS)
        for inner in ast.walk(node)
        if inner is not node
    }
    handed = _handed_in(at_top, columns)
    named = [node for _, node in tree.nodes if isinstance(node, ast.Name)]
    for node in at_top:
        target = node.targets[0] if isinstance(node, ast.Assign) else None
        if not isinstance(node, ast.Assign) or not isinstance(target, ast.Name):
            continue
        if id(node) in inside or not _is_constant(node.value):
            continue
        places = [name for name in named if name.id == target.id]
        after = places[next(i for i, name in enumerate(places) if name is target) + 1 :]
        if len(after) == 1 and id(after[0]) in handed and id(after[0]) not in inside:
            return node
    return None


def _handed_in(nodes: list[ast.AST], columns: frozenset[str]) -> set[int]:
    """Return the ids of names that are put into a frame, as they are, under a predicted column."""
    found: set[int] = set()
    for node in nodes:
        if isinstance(node, ast.Dict):
            found |= {
                id(value)
                for key, value in zip(node.keys, node.values, strict=True)
                if isinstance(key, ast.Constant) and key.value in columns
            }
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
            column = node.targets[0].slice
            if isinstance(column, ast.Constant) and column.value in columns:
                found.add(id(node.value))
    return found


def _is_constant(value: ast.expr) -> bool:
    """Say whether a value is one constant for every row."""
    if isinstance(value, ast.Call):
        fill = value.args[1] if last_name(value).startswith("full") and value.args[1:] else None
        is_filled = not last_name(value).startswith("full") or isinstance(fill, ast.Constant)
        return bool(_FILLS.match(last_name(value))) and is_filled
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mult):
        one = value.left
        return (
            isinstance(one, ast.List)
            and len(one.elts) == 1
            and isinstance(one.elts[0], ast.Constant)
        )
    return False
