"""The same statements in other words: chains cut up, named arguments reordered, sides turned."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tests.quality.plagiarism.code import FUNCTIONS, names_in, parse, rewritten_with
from tests.quality.plagiarism.naming import fresh_names

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

_TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt,
    ast.Gt: ast.Lt,
    ast.LtE: ast.GtE,
    ast.GtE: ast.LtE,
    ast.Eq: ast.Eq,
}
_SHARE = 0.7  # of the places where it can be done


def rephrased(text: str, rng: Random) -> str:
    """Cut chains of calls into steps, reorder named arguments, turn comparisons, write out tuples.

    Statements that hold none of these keep their text.
    """
    return rewritten_with(text, _Rephrase(rng, fresh_names(rng, names_in(parse(text)))))


class _Rephrase(ast.NodeTransformer):
    def __init__(self, rng: Random, names: Iterator[str]) -> None:
        self.rng = rng
        self.names = names

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """Leave what a class body binds alone; go into its functions."""
        node.body = [self.visit(s) if isinstance(s, FUNCTIONS) else s for s in node.body]
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.Call(func=ast.Name(id="dict"), args=[], keywords=[_, *_]) if all(
                k.arg for k in node.keywords
            ):
                keys: list[ast.expr | None] = [ast.Constant(k.arg) for k in node.keywords]
                return ast.Dict(keys, [k.value for k in node.keywords])
            case _:
                if all(k.arg and _is_still(k.value) for k in node.keywords):
                    self.rng.shuffle(node.keywords)
                return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        turned = _TURNED.get(type(node.ops[0]))
        if len(node.ops) > 1 or turned is None or not self._wanted():
            return node
        if not (_is_still(node.left) and _is_still(node.comparators[0])):
            return node
        return ast.Compare(node.comparators[0], [turned()], [node.left])

    def visit_Assign(self, node: ast.Assign) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)) if len(
                targets
            ) == len(values) and _independent(targets, values):
                return [_assign(t, v) for t, v in zip(targets, values, strict=True)]
            case _:
                return self._in_steps(node)

    def visit_Return(self, node: ast.Return) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        return self._in_steps(node)

    def visit_Expr(self, node: ast.Expr) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        return self._in_steps(node)

    def _in_steps(self, node: ast.Assign | ast.Return | ast.Expr) -> list[ast.stmt]:
        """Bind what is evaluated first to names of its own, the innermost first."""
        steps: list[ast.stmt] = []
        call = node.value
        while isinstance(call, ast.Call) and self._wanted():
            inner = _first(call)
            if inner is None:
                break
            name = next(self.names)
            steps.insert(0, _assign(ast.Name(name, ast.Store()), inner))
            _put(call, ast.Name(name, ast.Load()))
            call = inner
        return [*steps, node]

    def _wanted(self) -> bool:
        return self.rng.random() < _SHARE


def _first(call: ast.Call) -> ast.Call | None:
    """Return the call that runs before everything else of a call."""
    match call:
        case ast.Call(func=ast.Attribute(value=ast.Call() as inner)):
            return inner
        case ast.Call(func=ast.Name(), args=[ast.Call() as inner, *_]):
            return inner
        case ast.Call(func=ast.Attribute(value=ast.Name()), args=[ast.Call() as inner, *_]):
            return inner
        case _:
            return None


def _put(call: ast.Call, name: ast.Name) -> None:
    if isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Call):
        call.func.value = name
    else:
        call.args[0] = name


def _is_still(node: ast.expr) -> bool:
    """Tell whether an expression runs nothing that could be seen from outside."""
    busy = (ast.Call, ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr, ast.Starred)
    return not any(isinstance(n, busy) for n in ast.walk(node))


def _independent(targets: list[ast.expr], values: list[ast.expr]) -> bool:
    if not all(isinstance(t, ast.Name) for t in targets):
        return False
    bound = {t.id for t in targets if isinstance(t, ast.Name)}
    return not any(bound & names_in(v) for v in values) and not any(
        isinstance(v, ast.Starred) for v in values
    )


def _assign(target: ast.expr, value: ast.expr) -> ast.stmt:
    return ast.fix_missing_locations(ast.Assign(targets=[target], value=value, lineno=1))
