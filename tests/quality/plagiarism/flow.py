"""Disguises of control flow: loops, conditions and comprehensions written another way."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tests.quality.plagiarism.code import FUNCTIONS, names_in, parse, rewritten_with
from tests.quality.plagiarism.naming import fresh_names

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random


def control_flow(text: str, rng: Random) -> str:
    """Write `for` as `while` and back, turn conditions round, loop where a list was comprehended.

    Statements that hold none of these keep their text.
    """
    names = fresh_names(rng, names_in(parse(text)))
    return rewritten_with(text, _Flow(names))


class _Flow(ast.NodeTransformer):
    def __init__(self, names: Iterator[str]) -> None:
        self.names = names

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """Leave what a class body binds alone; go into its functions."""
        inner = (*FUNCTIONS, ast.ClassDef)
        node.body = [self.visit(s) if isinstance(s, inner) else s for s in node.body]
        return node

    def generic_visit(self, node: ast.AST) -> ast.AST:
        for field in ("body", "orelse", "finalbody"):
            body = getattr(node, field, None)
            if isinstance(body, list):
                setattr(node, field, _gathered(body))
        return super().generic_visit(node)

    def visit_For(self, node: ast.For) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        if node.orelse or _has(node.body, ast.Continue) or not isinstance(node.target, ast.Name):
            return node
        counted = _counted(node)
        return self._counting(node, *counted) if counted else self._pulling(node)

    def _counting(self, node: ast.For, start: ast.expr, stop: ast.expr) -> list[ast.stmt]:
        """Write ``for i in range(a, b)`` as a loop over a counter of its own."""
        counter, end = next(self.names), next(self.names)
        assert isinstance(node.target, ast.Name)
        loop = ast.While(
            test=_expression(f"{counter} < {end}"),
            body=[
                _statement(f"{node.target.id} = {counter}"),
                *node.body,
                _statement(f"{counter} += 1"),
            ],
            orelse=[],
        )
        both = ast.Tuple(
            elts=[ast.Name(counter, ast.Store()), ast.Name(end, ast.Store())], ctx=ast.Store()
        )
        values = ast.Tuple(elts=[start, stop], ctx=ast.Load())
        return [_assign(both, values), loop]

    def _pulling(self, node: ast.For) -> list[ast.stmt]:
        """Write a loop over anything as ``while True`` with ``next``."""
        source, none, item = next(self.names), next(self.names), next(self.names)
        assert isinstance(node.target, ast.Name)
        # The last value stays bound behind a `for`: the loop pulls into a name of its own.
        pull = _statement(f"{item} = next({source}, {none})")
        stop = _statement(f"if {item} is {none}:\n    break")
        keep = _statement(f"{node.target.id} = {item}")
        loop = ast.While(test=ast.Constant(True), body=[pull, stop, keep, *node.body], orelse=[])
        call = ast.Call(ast.Name("iter", ast.Load()), [node.iter], [])
        first = _assign(ast.Name(source, ast.Store()), call)
        return [first, _statement(f"{none} = object()"), loop]

    def visit_While(self, node: ast.While) -> ast.AST:
        self.generic_visit(node)
        refused = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)
        if node.orelse or any(isinstance(n, refused) for n in ast.walk(node.test)):
            return node
        test = ast.Call(ast.Name("bool", ast.Load()), [node.test], [])
        always = isinstance(node.test, ast.Constant) and bool(node.test.value)
        call = (
            _expression("iter(int, 1)")
            if always
            else ast.Call(
                ast.Name("iter", ast.Load()),
                [ast.Lambda(args=_no_arguments(), body=test), ast.Constant(False)],
                [],
            )
        )
        return ast.For(
            target=ast.Name(next(self.names), ast.Store()), iter=call, body=node.body, orelse=[]
        )

    def visit_If(self, node: ast.If) -> ast.AST:
        self.generic_visit(node)
        if not node.orelse:
            return node
        node.test = _turned(node.test)
        node.body, node.orelse = node.orelse, node.body
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        return ast.IfExp(test=_turned(node.test), body=node.orelse, orelse=node.body)

    def visit_Assign(self, node: ast.Assign) -> ast.AST | list[ast.stmt]:
        value, target = node.value, node.targets[0]
        if (
            len(node.targets) > 1
            or not isinstance(target, ast.Name)
            or not isinstance(value, ast.ListComp)
            or len(value.generators) > 1
            or any(isinstance(n, ast.Lambda) for n in ast.walk(value))
            or target.id in names_in(value)
        ):
            return self.generic_visit(node)
        return self._spread(target.id, value)

    def _spread(self, name: str, value: ast.ListComp) -> list[ast.stmt]:
        """Write ``name = [e for x in s if c]`` as a loop that appends, over new names."""
        one = value.generators[0]
        bound = {n.id for n in ast.walk(one.target) if isinstance(n, ast.Name)}
        other = _Other({b: next(self.names) for b in bound})
        body: list[ast.stmt] = [
            ast.Expr(
                ast.Call(
                    ast.Attribute(ast.Name(name, ast.Load()), "append", ast.Load()),
                    [other.visit(value.elt)],
                    [],
                )
            )
        ]
        for test in one.ifs:
            body = [ast.If(test=other.visit(test), body=body, orelse=[])]
        loop = ast.For(target=other.visit(one.target), iter=one.iter, body=body, orelse=[])
        return [_assign(ast.Name(name, ast.Store()), ast.List([], ast.Load())), loop]


class _Other(ast.NodeTransformer):
    def __init__(self, new: dict[str, str]) -> None:
        self.new = new

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self.new.get(node.id, node.id), node.ctx)


def _gathered(body: list[ast.stmt]) -> list[ast.stmt]:
    """Write ``x = []`` and a loop that only appends to it as one comprehension."""
    found: list[ast.stmt] = []
    for number, statement in enumerate(body):
        later = {name for s in body[number + 1 :] for name in names_in(s)}
        made = _comprehension(found[-1], statement, later) if found else None
        if made is None:
            found.append(statement)
        else:
            found[-1] = made
    return found


def _comprehension(empty: ast.stmt, loop: ast.stmt, later: set[str]) -> ast.stmt | None:
    match empty, loop:
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=ast.List(elts=[])),
            ast.For(target=ast.Name(id=variable), orelse=[], body=[ast.Expr(value=call)]),
        ):
            match call:
                case ast.Call(
                    func=ast.Attribute(value=ast.Name(id=owner), attr="append"),
                    args=[element],
                    keywords=[],
                ) if (
                    owner == name
                    and name not in names_in(loop.iter) | names_in(element)
                    and variable not in later  # a loop leaves it bound, a comprehension does not
                ):
                    each = ast.comprehension(loop.target, loop.iter, [], 0)
                    return _assign(ast.Name(name, ast.Store()), ast.ListComp(element, [each]))
                case _:
                    return None
        case _:
            return None


def _counted(node: ast.For) -> tuple[ast.expr, ast.expr] | None:
    match node.iter:
        case ast.Call(func=ast.Name(id="range"), args=[stop], keywords=[]):
            return ast.Constant(0), stop
        case ast.Call(func=ast.Name(id="range"), args=[start, stop], keywords=[]):
            return start, stop
        case _:
            return None


def _has(body: list[ast.stmt], kind: type[ast.stmt]) -> bool:
    return any(isinstance(n, kind) for s in body for n in ast.walk(s))


_OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}


def _turned(test: ast.expr) -> ast.expr:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return test.operand
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        opposite = _OPPOSITE.get(type(test.ops[0]))
        if opposite:
            return ast.Compare(test.left, [opposite()], test.comparators)
    return ast.UnaryOp(ast.Not(), test)


def _assign(target: ast.expr, value: ast.expr) -> ast.stmt:
    return ast.fix_missing_locations(ast.Assign(targets=[target], value=value, lineno=1))


def _statement(text: str) -> ast.stmt:
    return ast.parse(text).body[0]


def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _no_arguments() -> ast.arguments:
    return ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
