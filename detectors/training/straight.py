"""Blocks of code made straight: what surely runs, in order, with nothing below it that does not.

What a program printed tells which branch of it ran. Trees are changed in place, so that they must
be nobody else's.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from detectors.training.branches import Printed, handled
from detectors.training.ordered import MARK
from detectors.training.switches import Switches

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_INNER = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_SUPPRESSES = re.compile(r"suppress|raises|ignore|catch", re.IGNORECASE)
_MAIN = "__name__"
_TWO = 2


def straightened(
    body: Sequence[ast.stmt], printed: str = "", *, is_main: bool = True, command: str = ""
) -> list[ast.stmt]:
    r"""Return a module's statements with its blocks opened where they surely run.

    Blocks of `with`, and of conditions on names that are set once to True or False, stand in their
    place; so does the branch that the program printed something of. A whole that is replaced by
    parts, ``p[:] = x`` or in a loop over all of it, is set as a name is.

    Parameters
    ----------
    printed : str
        What a run of the program printed; empty where that is not known.
    is_main : bool
        The module is the program and not one that others import.
    command : str
        What ran it; empty where that is not known.

    Examples
    --------
    >>> code = "with f():\n    p = g()\np[:] = h()\nif m:\n    p = 1\nelse:\n    say('no m')"
    >>> body = straightened(ast.parse(code).body)
    >>> [ast.unparse(s) for s in body[:3]]
    ['with f():\n    pass', 'p = g()', 'p = h()']
    """
    straight = _Straight(body, printed, command)
    straight.constants[_MAIN] = is_main
    whole = straight.block(body, is_loop=False)
    for number, node in enumerate(n for s in whole for n in ast.walk(s) if isinstance(n, _INNER)):
        _own_names(node, number)
    return whole


class _Straight:
    """One module: which names are constant, which functions run once, what was printed."""

    def __init__(self, body: Sequence[ast.stmt], printed: str, command: str) -> None:
        self.printed = Printed(body, printed)
        self.switches = Switches(body, command)
        self.constants = _constants(body)
        self.often = _called_often(body)

    def block(self, body: Sequence[ast.stmt], *, is_loop: bool) -> list[ast.stmt]:
        """Return a block's statements, opened."""
        made: list[ast.stmt] = []
        for at, statement in enumerate(body):
            made += self._opened(statement, body[at + 1 :], is_loop=is_loop)
            if _ends(made[-1:]):
                break
        return made

    def _opened(
        self, statement: ast.stmt, after: Sequence[ast.stmt], *, is_loop: bool
    ) -> list[ast.stmt]:
        if isinstance(statement, ast.With | ast.AsyncWith):
            inner = self.block(statement.body, is_loop=is_loop)
            if any(_SUPPRESSES.search(ast.unparse(i.context_expr)) for i in statement.items):
                statement.body = inner
                return [statement]
            statement.body = [ast.copy_location(ast.Pass(), statement)]
            return [statement, *inner]
        if isinstance(statement, ast.If):
            return self._of_if(statement, after, is_loop=is_loop)
        if isinstance(statement, ast.Try):
            return self._of_try(statement, after, is_loop=is_loop)
        if isinstance(statement, _LOOPS):
            first = _replaced(statement)
            statement.body = self.block(statement.body, is_loop=True)
            return [*first, statement]
        if isinstance(statement, _FUNCTIONS):
            statement.body = self.block(statement.body, is_loop=statement.name in self.often)
        elif isinstance(statement, ast.ClassDef):
            statement.body = self.block(statement.body, is_loop=False)
        return [_set_whole(statement)]

    def _of_if(
        self, statement: ast.If, after: Sequence[ast.stmt], *, is_loop: bool
    ) -> list[ast.stmt]:
        known = _truth(statement.test, self.constants)
        known = self.switches.truth(statement.test) if known is None else known
        if known is None and not is_loop:
            known = self.printed.chosen(statement.body, statement.orelse, after)
        if known is not None:
            return self.block(statement.body if known else statement.orelse, is_loop=is_loop)
        statement.body = self.block(statement.body, is_loop=is_loop)
        statement.orelse = self.block(statement.orelse, is_loop=is_loop)
        return [statement]

    def _of_try(
        self, statement: ast.Try, after: Sequence[ast.stmt], *, is_loop: bool
    ) -> list[ast.stmt]:
        handler = None if is_loop else self.printed.handler(statement, after)
        if handler is not None:
            kept = handled(statement, handler)
            return self.block([*kept, *handler.body, *statement.finalbody], is_loop=is_loop)
        statement.body = self.block(statement.body, is_loop=is_loop)
        for part in statement.handlers:
            part.body = self.block(part.body, is_loop=is_loop)
        statement.orelse = self.block(statement.orelse, is_loop=is_loop)
        return [statement]


def _own_names(node: ast.AST, number: int) -> None:
    """Give what a comprehension goes over names of its own: nothing else knows them."""
    generators: list[ast.comprehension] = node.generators  # type: ignore[attr-defined]
    targets = [g.target for g in generators]
    bound = {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)}
    outside = {id(n) for n in ast.walk(generators[0].iter)}
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name) and inner.id in bound and id(inner) not in outside:
            inner.id = f"{inner.id}{MARK}c{number}"


def _ends(last: Sequence[ast.stmt]) -> bool:
    """Say whether nothing of a block runs after a statement: it returns, raises or leaves."""
    statement = last[0] if last else None
    if isinstance(statement, ast.Return | ast.Raise):
        return True
    call = statement.value if isinstance(statement, ast.Expr) else None
    name = ast.unparse(call.func) if isinstance(call, ast.Call) else ""
    return name in {"exit", "quit", "sys.exit", "os._exit"}


# ------------------------------------------------------------ what is known of names


def _constants(body: Sequence[ast.stmt]) -> dict[str, bool]:
    """Return the names that a module sets once, to True or False, and nothing else binds."""
    times: dict[str, int] = {}
    found: dict[str, bool] = {}
    for node in (n for s in body for n in ast.walk(s)):
        name = ""
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            name = node.id
        elif isinstance(node, ast.arg):
            name = node.arg
        times[name] = times.get(name, 0) + 1
    for statement in body:
        value = statement.value if isinstance(statement, ast.Assign | ast.AnnAssign) else None
        if isinstance(value, ast.Constant) and isinstance(value.value, bool):
            targets = _targets(statement)
            found |= {t.id: value.value for t in targets if isinstance(t, ast.Name)}
    return {name: value for name, value in found.items() if times[name] == 1}


def _targets(statement: ast.stmt) -> list[ast.expr]:
    if isinstance(statement, ast.Assign):
        return statement.targets
    return [statement.target] if isinstance(statement, ast.AnnAssign) else []


def _truth(test: ast.expr, known: dict[str, bool]) -> bool | None:
    """Say whether a condition holds, where names of constants alone tell."""
    if isinstance(test, ast.Constant | ast.Name):
        value = known.get(test.id) if isinstance(test, ast.Name) else test.value
        return value if isinstance(value, bool) else None
    if isinstance(test, ast.Compare) and _MAIN in {n.id for n in ast.walk(test) if _is_name(n)}:  # type: ignore[attr-defined]
        is_it = any(isinstance(n, ast.Constant) and n.value == "__main__" for n in ast.walk(test))
        return known.get(_MAIN) if is_it and isinstance(test.ops[0], ast.Eq) else None
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = _truth(test.operand, known)
        return None if inner is None else not inner
    if isinstance(test, ast.BoolOp):
        parts = [_truth(value, known) for value in test.values]
        decides = isinstance(test.op, ast.Or)
        if decides in parts:
            return decides
        return None if None in parts else not decides
    return None


def _is_name(node: ast.AST) -> bool:
    return isinstance(node, ast.Name)


def _called_often(body: Sequence[ast.stmt]) -> frozenset[str]:
    """Return the names of functions that may run more than once: in loops, or handed about."""
    names = [n for s in body for n in ast.walk(s) if isinstance(n, ast.Name | ast.Attribute)]
    once = {id(n): n for s in body for n in _plain_calls(s)}
    found: set[str] = set()
    seen: set[str] = set()
    for node in names:
        name = node.id if isinstance(node, ast.Name) else node.attr
        if id(node) not in once or name in seen:
            found.add(name)
        seen.add(name)
    return frozenset(found)


def _plain_calls(node: ast.AST) -> Iterator[ast.expr]:
    """Yield what is called outside of loops and comprehensions."""
    if isinstance(node, (*_LOOPS, ast.ListComp, ast.GeneratorExp, ast.DictComp, ast.Lambda)):
        return
    if isinstance(node, ast.Call):
        yield node.func
    for child in ast.iter_child_nodes(node):
        yield from _plain_calls(child)


# ------------------------------------------------------------ what is replaced as a whole


def _set_whole(statement: ast.stmt) -> ast.stmt:
    """Write ``p[:] = x`` and ``f.loc[:, 'c'] = x`` as what they do, and a named lambda as a def."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return statement
    target = statement.targets[0]
    if isinstance(target, ast.Name) and isinstance(statement.value, ast.Lambda):
        return _as_function(statement, target.id, statement.value)
    if not isinstance(target, ast.Subscript):
        return statement
    part = target.slice
    if isinstance(target.value, ast.Name) and _is_all(part):
        name = ast.Name(target.value.id, ast.Store())
        statement.targets = [ast.copy_location(name, target)]
        return statement
    is_two = isinstance(part, ast.Tuple) and len(part.elts) == _TWO and _is_all(part.elts[0])
    if is_two and isinstance(target.value, ast.Attribute) and _is_loc(target.value):
        target.value, target.slice = target.value.value, part.elts[1]  # type: ignore[attr-defined]
    return statement


def _as_function(statement: ast.Assign, name: str, value: ast.Lambda) -> ast.stmt:
    returned = ast.copy_location(ast.Return(value.body), value)
    made = ast.FunctionDef(name=name, args=value.args, body=[returned], decorator_list=[])
    return ast.copy_location(made, statement)


def _is_all(part: ast.expr) -> bool:
    """Say whether a slice takes everything: ``[:]`` or ``[...]``."""
    if isinstance(part, ast.Slice):
        return part.lower is None and part.upper is None and part.step is None
    return isinstance(part, ast.Constant) and part.value is ...


def _is_loc(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in {"loc", "iloc", "at", "iat"}


def _replaced(loop: ast.stmt) -> list[ast.stmt]:
    """Return statements that clear what a loop over all rows sets anew, row by row."""
    if not isinstance(loop, ast.For) or not isinstance(loop.iter, ast.Call | ast.Attribute):
        return []
    turns = loop.target.elts if isinstance(loop.target, ast.Tuple) else [loop.target]
    number = turns[0].id if isinstance(turns[0], ast.Name) else ""
    others = {t.id for t in turns[1:] if isinstance(t, ast.Name)}
    made: list[ast.stmt] = []
    for statement in loop.body:
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        whole = _part_of_row(target, number) if isinstance(target, ast.Subscript) else None
        if whole is None or target is None or not _counts_rows(loop.iter):
            continue
        name = next(n.id for n in ast.walk(whole) if isinstance(n, ast.Name))
        used = [n.id for s in loop.body for n in ast.walk(s) if isinstance(n, ast.Name)]
        in_iter = any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(loop.iter))
        if used.count(name) == 1 and not (in_iter and others & set(used)):
            cleared = ast.Assign([whole], ast.Constant(None))
            made.append(ast.fix_missing_locations(ast.copy_location(cleared, statement)))
    return made


def _part_of_row(target: ast.Subscript, number: str) -> ast.expr | None:
    """Return the name, or the column, whose row of a number a target is."""
    part, inner = target.slice, target.value
    if isinstance(inner, ast.Name) and isinstance(part, ast.Name) and part.id == number:
        return ast.Name(inner.id, ast.Store())
    is_row = isinstance(part, ast.Tuple) and isinstance(part.elts[0], ast.Name)
    if not is_row or not isinstance(part, ast.Tuple) or not _is_loc(inner):
        return None
    frame = inner.value if isinstance(inner, ast.Attribute) else None
    if not isinstance(frame, ast.Name) or part.elts[0].id != number:  # type: ignore[attr-defined]
        return None
    column = part.elts[1]
    if not isinstance(column, ast.Constant):
        return None
    loaded = ast.Name(frame.id, ast.Load())
    return ast.Subscript(loaded, ast.Constant(column.value), ast.Store())


def _counts_rows(node: ast.expr) -> bool:
    """Say whether a loop goes over all numbers of rows."""
    if isinstance(node, ast.Attribute):
        return node.attr == "index"
    name = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
    if name == "range" and isinstance(node, ast.Call):
        return len(node.args) == 1 and not isinstance(node.args[0], ast.Constant)
    return name == "enumerate"
