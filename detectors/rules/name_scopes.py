"""Which names of a module mean the same thing: by function, lambda, comprehension and loop."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Key = tuple[int, str]  # a scope and a name in it
Place = tuple[int, int, int]  # number of the unit, line and column

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class _Scope(NamedTuple):
    number: int
    names: frozenset[str]
    is_function: bool


class Scopes:
    r"""The scope of each name in the bodies of a module's units.

    What a loop goes through is a name of its own within the loop, unless the loop sets it again.

    Examples
    --------
    >>> body = ast.parse("r = ask()\nbest = max(a, key=lambda r: r.s)").body
    >>> scopes = Scopes([body])
    >>> len({scopes.key(n) for s in body for n in ast.walk(s) if getattr(n, "id", "") == "r"})
    2
    """

    def __init__(self, bodies: Sequence[list[ast.stmt]]) -> None:
        self._keys: dict[int, Key] = {}
        self._places: dict[int, tuple[Place, int]] = {}  # where, and in which function
        self.parameters: dict[str, list[Key]] = {}  # of functions, by name
        self.of_lambda: dict[int, list[Key]] = {}
        for number, body in enumerate(bodies):
            stack: list[tuple[ast.AST, tuple[_Scope, ...]]] = [(s, ()) for s in reversed(body)]
            while stack:
                node, around = stack.pop()
                stack += reversed([*self._visit(node, around, number)])

    def _visit(
        self, node: ast.AST, around: tuple[_Scope, ...], number: int
    ) -> Iterator[tuple[ast.AST, tuple[_Scope, ...]]]:
        if isinstance(node, ast.Name):
            self._keys[id(node)] = _find(node.id, around)
            inside = next((s.number for s in reversed(around) if s.is_function), 0)
            self._places[id(node)] = ((number, node.lineno, node.col_offset), inside)
        scope = _scope_of(node)
        inner = around if scope is None else (*around, scope)
        if isinstance(node, _FUNCTIONS):
            keys = [_find(a.arg, inner) for a in (*node.args.posonlyargs, *node.args.args)]
            if isinstance(node, ast.Lambda):
                self.of_lambda[id(node)] = keys
            else:
                own = [k for k in keys if k[1] not in {"self", "cls"}]
                self.parameters.setdefault(node.name, own)
        first = getattr(node, "iter", None)
        for child in ast.iter_child_nodes(node):
            yield (
                child,
                around if child is first and not isinstance(node, ast.comprehension) else inner,
            )

    def key(self, node: ast.AST) -> Key | None:
        """Return what a name means; None for what is no name."""
        return self._keys.get(id(node))

    def place(self, node: ast.AST) -> tuple[Place, int]:
        """Return where a name stands, and the number of the function around it, 0 for none."""
        return self._places.get(id(node), ((0, 0, 0), 0))


def _find(name: str, around: tuple[_Scope, ...]) -> Key:
    for scope in reversed(around):
        if name in scope.names:
            return scope.number, name
    return 0, name


def _scope_of(node: ast.AST) -> _Scope | None:
    """Return the scope that a node opens."""
    if isinstance(node, _COMPREHENSIONS):
        names = frozenset(n for g in node.generators for n in _stored(g.target))
        return _Scope(id(node), names, is_function=False)
    if isinstance(node, _FUNCTIONS):
        given = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
        inner = [] if isinstance(node, ast.Lambda) else node.body
        free = {n for s in inner for g in ast.walk(s)
                if isinstance(g, ast.Global | ast.Nonlocal) for n in g.names}  # fmt: skip
        local = {a.arg for a in given} | {n for s in inner for n in _stored(s)}
        return _Scope(id(node), frozenset(local - free), is_function=True)
    if isinstance(node, ast.For | ast.AsyncFor):
        again = {n for s in node.body for n in _stored(s)}
        return _Scope(id(node), frozenset(_stored(node.target)) - again, is_function=False)
    return None


def _stored(node: ast.AST) -> set[str]:
    """Return the names that a node sets, without those of functions within it."""
    found: set[str] = set()
    stack = [node]
    while stack:
        one = stack.pop()
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
            found.add(one.id)
        if not isinstance(one, (*_FUNCTIONS, *_COMPREHENSIONS)):
            stack += ast.iter_child_nodes(one)
    return found
