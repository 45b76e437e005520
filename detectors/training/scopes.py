"""Which names of an attempt's Python depend on something, followed by scopes; nothing is run."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from detectors.folding import dotted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MAX_ROUNDS = 8  # of following names through names
MAX_NODES = 200_000  # of all code of one attempt

Scope = tuple[str, ...]  # names of the functions and classes around, outermost first


@dataclass
class Tree:
    """The nodes of some modules with their scopes, and what binds names.

    Parameters
    ----------
    nodes : list of (Scope, AST)
        In the order of the source.
    is_whole : bool
        False when there was more than is looked at.
    """

    nodes: list[tuple[Scope, ast.AST]] = field(default_factory=list)
    functions: dict[str, list[tuple[Scope, ast.arguments]]] = field(default_factory=dict)
    classes: set[Scope] = field(default_factory=set)
    is_whole: bool = True

    def add(self, body: list[ast.stmt]) -> None:
        """Add the statements of a module."""
        stack: list[tuple[Scope, ast.AST]] = [((), s) for s in reversed(body)]
        while stack:
            scope, node = stack.pop()
            if len(self.nodes) >= MAX_NODES:
                self.is_whole = False
                return
            self.nodes.append((scope, node))
            inner = scope
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                name = getattr(node, "name", "<lambda>")
                inner = (*scope, name)
                called = scope[-1] if name == "__init__" and scope else name
                self.functions.setdefault(called, []).append((inner, node.args))
            elif isinstance(node, ast.ClassDef):
                inner = (*scope, node.name)
                self.classes.add(inner)
            stack += [(inner, child) for child in reversed(list(ast.iter_child_nodes(node)))]

    def calls(self) -> Iterator[tuple[Scope, ast.Call]]:
        """Yield the calls in order."""
        return ((s, n) for s, n in self.nodes if isinstance(n, ast.Call))


@dataclass
class Names:
    """Names known to depend on something.

    Parameters
    ----------
    is_source : callable
        Says of a node, and the names so far, whether it is such a thing by itself.
    through_calls : bool
        Whether a call depends on what it is given; else only arithmetic carries it on.
    """

    tree: Tree
    is_source: Callable[[ast.AST], bool]
    through_calls: bool = True
    known: set[tuple[Scope, str]] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)
    settled: set[str] = field(default_factory=set)  # attributes that are given a constant somewhere
    makers: set[str] = field(default_factory=set)  # own functions that return such a thing

    def follow(self) -> Names:
        """Carry it through assignments, loops, parameters and returns until nothing changes."""
        self._settle()
        for _round in range(MAX_ROUNDS):
            before = len(self.known) + len(self.attributes) + len(self.makers)
            for scope, node in self.tree.nodes:
                self._visit(scope, node)
            if len(self.known) + len(self.attributes) + len(self.makers) == before:
                break
        return self

    def depends(self, scope: Scope, node: ast.AST | None) -> bool:
        """Say whether an expression depends on it."""
        if node is None or isinstance(node, ast.Compare | ast.Constant):
            return False
        if self.is_source(node) or self._is_known(scope, node):
            return True
        if isinstance(node, ast.Call) and not self.through_calls:
            return self._carries(scope, node)
        return any(self.depends(scope, child) for child in ast.iter_child_nodes(node))

    def _is_known(self, scope: Scope, node: ast.AST) -> bool:
        if isinstance(node, ast.Name):
            return any((scope[:n], node.id) in self.known for n in range(len(scope), -1, -1))
        if not isinstance(node, ast.Attribute):
            return False
        return node.attr in self.attributes and node.attr not in self.settled

    def _carries(self, scope: Scope, node: ast.Call) -> bool:
        """Say whether a call only rounds, clips or sums what it is given."""
        name = dotted(node.func).rpartition(".")[2]
        if name in self.makers:
            return True
        return name in _ARITHMETIC and any(self.depends(scope, a) for a in node.args)

    def _settle(self) -> None:
        self._constant: set[tuple[Scope, str]] = set()
        for scope, node in self.tree.nodes:
            if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(
                node.value, ast.Constant
            ):
                for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                    if isinstance(target, ast.Name):
                        self._constant.add((scope, target.id))
                        if scope in self.tree.classes:
                            self.settled.add(target.id)
                    elif isinstance(target, ast.Attribute):
                        self.settled.add(target.attr)

    def _visit(self, scope: Scope, node: ast.AST) -> None:
        value, targets = binding(node)
        if targets and value is not None:
            is_loop = isinstance(node, ast.For | ast.AsyncFor | ast.comprehension)
            if self._iterates(scope, value) if is_loop else self.depends(scope, value):
                for target in targets:
                    self._bind(scope, target)
        elif isinstance(node, ast.Return):
            if scope and self.depends(scope, node.value):
                self.makers.add(scope[-1])
        elif isinstance(node, ast.Call):
            self._hand_over(scope, node)

    def _iterates(self, scope: Scope, node: ast.expr) -> bool:
        if isinstance(node, ast.Call) and dotted(node.func) in {"enumerate", "zip", "sorted"}:
            return any(self.depends(scope, a) for a in node.args)
        return self.depends(scope, node)

    def _bind(self, scope: Scope, target: ast.expr) -> None:
        if isinstance(target, ast.Name):
            if (scope, target.id) not in self._constant:  # given two values: not known which
                self.known.add((scope, target.id))
                if scope in self.tree.classes:
                    self.attributes.add(target.id)
        elif isinstance(target, ast.Attribute):
            self.attributes.add(target.attr)
        elif isinstance(target, ast.Tuple | ast.List):
            for one in target.elts:
                self._bind(scope, one)
        elif isinstance(target, ast.Subscript | ast.Starred):
            self._bind(scope, target.value)

    def _hand_over(self, scope: Scope, node: ast.Call) -> None:
        """Bind the parameters of the attempt's own functions to what they are given."""
        for inner, arguments in self.tree.functions.get(dotted(node.func).rpartition(".")[2], ()):
            names = [a.arg for a in (*arguments.posonlyargs, *arguments.args)]
            if names[:1] in (["self"], ["cls"]):
                names = names[1:]
            given = [*zip(names, node.args, strict=False)]
            given += [(k.arg, k.value) for k in node.keywords if k.arg]
            for name, value in given:
                if self.depends(scope, value):
                    self.known.add((inner, name))


def binding(node: ast.AST) -> tuple[ast.expr | None, list[ast.expr]]:
    """Return what a statement gives to which targets; no targets where it gives nothing."""
    if isinstance(node, ast.Assign):
        return node.value, node.targets
    if isinstance(node, ast.AnnAssign | ast.AugAssign | ast.NamedExpr):
        return node.value, [node.target]
    if isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
        return node.iter, [node.target]
    if isinstance(node, ast.withitem):
        return node.context_expr, [node.optional_vars] if node.optional_vars else []
    appends = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    if appends and node.func.attr == "append" and node.args:  # type: ignore[attr-defined]
        return node.args[0], [node.func.value]  # type: ignore[attr-defined]
    return None, []


_ARITHMETIC = frozenset(
    {"round", "float", "abs", "max", "min", "sum", "clip", "mean", "str", "list", "sorted", "np"}
)
