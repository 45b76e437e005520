"""Which names of some Python may hold a thing that a part of it made; nothing is run.

`scopes.Names` asks what a value surely depends on. Here a name keeps what any statement gave it,
so that what depends on nothing surely does not.
"""

from __future__ import annotations

import ast
import builtins
from functools import cached_property
from typing import TYPE_CHECKING

from detectors.folding import dotted
from detectors.training.scopes import binding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from detectors.training.scopes import Scope, Tree

MAX_ROUNDS = 8  # of following names through names
_ADDS = frozenset({"append", "extend", "update", "insert", "add", "setdefault", "appendleft"})
_CARRIES = (  # nodes that `Flow` looks at: no other hands a value on
    *(ast.Assign, ast.AnnAssign, ast.AugAssign, ast.NamedExpr, ast.For, ast.AsyncFor, ast.While),
    *(ast.comprehension, ast.withitem, ast.Call, ast.Return, ast.Yield, ast.Expr, ast.If),
)
_GIVES_ITEMS = frozenset({"__getitem__", "__iter__", "__next__"})


def imported(tree: Tree) -> dict[str, str]:
    """Return the names that imports bind, with the module or what it was taken from."""
    found: dict[str, str] = {}
    for _, node in tree.nodes:
        if isinstance(node, ast.Import):
            found |= {a.asname or a.name.partition(".")[0]: a.name for a in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {a.asname or a.name: f"{node.module or '.'}.{a.name}" for a in node.names}
    return found


def bound(tree: Tree) -> frozenset[str]:
    """Return every name that something in the code binds, and Python's own."""
    found = {*vars(builtins), "__file__", "__name__", *imported(tree)}
    for _, node in tree.nodes:
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found.add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            found.add(node.name)
    return frozenset(found)


class Flow:
    """Names, attributes and own functions that may hold something.

    Parameters
    ----------
    is_source : callable
        Says of a node whether it is such a thing by itself.
    is_wide : bool
        Also what is set below a condition on it, or changed by a method that is given it.
    by_parts : bool
        A whole holds it where a part of it, a column or an element, was set to it.
    by_value : bool
        How many rows something has, its length or shape, does not hold it.
    apart : frozenset of str
        Columns that never hold it: those that name the rows.
    """

    def __init__(
        self,
        tree: Tree,
        is_source: Callable[[ast.AST], bool],
        *,
        is_wide: bool = False,
        by_parts: bool = True,
        by_value: bool = False,
        apart: frozenset[str] = frozenset(),
    ) -> None:
        self.tree, self.is_wide, self.by_parts = tree, is_wide, by_parts
        self.by_value, self.apart = by_value, apart
        self._sources = frozenset(id(node) for _, node in tree.nodes if is_source(node))
        self.known: set[tuple[Scope, str]] = set()
        self.attributes: set[str] = set()
        self.makers: set[str] = set()
        self._modules = frozenset(imported(tree))
        self._set_to: dict[str, list[ast.expr]] = {}
        for _, node in tree.nodes if by_value else ():
            value, targets = binding(node)
            for target in targets if value is not None else ():
                if isinstance(target, ast.Name) and value is not None:
                    self._set_to.setdefault(target.id, []).append(value)
        self._global = {
            (scope, name)
            for scope, node in tree.nodes
            if isinstance(node, ast.Global)
            for name in node.names
        }
        if not self._sources:  # from nothing nothing comes
            return
        carrying = [(scope, node) for scope, node in tree.nodes if isinstance(node, _CARRIES)]
        for _round in range(MAX_ROUNDS):
            before = self._size()
            for scope, node in carrying:
                self._visit(scope, node)
            if self._size() == before:
                break

    @cached_property
    def _own(self) -> set[tuple[Scope, str]]:
        """Names that functions and the module set or are given; few ask for them."""
        sets = {
            (scope, node.id)
            for scope, node in self.tree.nodes
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        return sets | {
            (scope, a.arg)
            for made in self.tree.functions.values()
            for scope, given in made
            for a in ast.walk(given)
            if isinstance(a, ast.arg)
        }

    def is_source(self, node: ast.AST) -> bool:
        """Say whether a node is such a thing by itself."""
        return id(node) in self._sources

    def _size(self) -> int:
        return len(self.known) + len(self.attributes) + len(self.makers)

    def depends(self, scope: Scope, node: ast.AST | None) -> bool:
        """Say whether an expression may hold it."""
        if node is None:
            return False
        if id(node) in self._sources or self._is_known(scope, node):
            return True
        if self.by_value and (self._is_own_call(node) or self._is_apart(node)):
            return False  # what it returns was followed: it is none of the makers
        inner = _values_of(node) if self.by_value else ast.iter_child_nodes(node)
        return any(self.depends(scope, child) for child in inner)

    def _is_own_call(self, node: ast.AST) -> bool:
        """Say whether a node calls a function of the code, which makes no object of a class."""
        if not isinstance(node, ast.Call):
            return False
        if isinstance(node.func, ast.Attribute):
            made = self.tree.functions.get(node.func.attr, [])
            is_method = bool(made) and all(scope[:-1] in self.tree.classes for scope, _ in made)
            return is_method and self._is_own_object(node.func.value)
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        made = self.tree.functions.get(name, [])
        return bool(made) and all(scope[-1] == name for scope, _ in made)

    def _is_apart(self, node: ast.AST) -> bool:
        """Say whether a node is a column, or columns, that name the rows, or times zero."""
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            return any(
                isinstance(s, ast.Constant) and s.value == 0 for s in (node.left, node.right)
            )
        if isinstance(node, ast.Attribute):
            return node.attr in self.apart and isinstance(node.value, ast.Name)
        part = node.slice if isinstance(node, ast.Subscript) else None
        names = part.elts if isinstance(part, ast.List) else [part]
        return bool(names) and all(
            isinstance(n, ast.Constant) and n.value in self.apart for n in names
        )

    def _is_own_object(self, node: ast.expr, depth: int = 0) -> bool:
        """Say whether an expression makes an object of a class of the code, or names one."""
        if isinstance(node, ast.Name):
            given = self._set_to.get(node.id, [])
            return bool(given) and depth < MAX_ROUNDS and all(
                self._is_own_object(v, depth + 1) for v in given
            )  # fmt: skip
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):  # C().fit(x)
            is_own = node.func.attr in self.tree.functions
            return is_own and self._is_own_object(node.func.value, depth)
        return isinstance(node, ast.Call) and self._makes(node)

    def _makes(self, node: ast.Call) -> bool:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        return any(scope[-1] == name for scope in self.tree.classes)

    def _is_known(self, scope: Scope, node: ast.AST) -> bool:
        if isinstance(node, ast.Name):
            is_held = any((scope[:n], node.id) in self.known for n in range(len(scope), -1, -1))
            return is_held or (self.by_value and node.id in self.makers)  # handed on as a function
        if isinstance(node, ast.Attribute):
            return node.attr in self.attributes
        is_maker = isinstance(node, ast.Call) and last_name(node) in self.makers
        return is_maker and not (self.by_value and self._is_other_method(node))

    def _is_other_method(self, node: ast.AST) -> bool:
        """Say whether a call is of a method that only has the name of a function of the code."""
        func = node.func if isinstance(node, ast.Call) else None
        if not isinstance(func, ast.Attribute):
            return False
        made = self.tree.functions.get(func.attr, [])
        of_module = isinstance(func.value, ast.Name) and func.value.id in self._modules
        return (
            bool(made) and not of_module and not any(s[:-1] in self.tree.classes for s, _ in made)
        )

    def _visit(self, scope: Scope, node: ast.AST) -> None:
        value, targets = binding(node)
        if targets and value is not None:
            given = self.depends(scope, value)
            if given and isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
                self._bind_loop(scope, targets[0], value)
            elif given:
                for target in targets:
                    self._bind_parts(scope, target, value)
        elif isinstance(node, ast.Return | ast.Yield):
            if scope and self.depends(scope, node.value):
                self.makers.add(scope[-1])
                if (
                    scope[-1] in _GIVES_ITEMS and scope[:-1]
                ):  # what goes over an object of it has it
                    self.makers.add(scope[-2])
        elif isinstance(node, ast.Call):
            self._hand_over(scope, node)
            self._change(scope, node)
        if self.is_wide:
            self._below(scope, node)

    def _bind_loop(self, scope: Scope, target: ast.expr, value: ast.expr) -> None:
        """Bind the targets of a loop; of pairs only those whose part holds it."""
        for one, part in _turns(target, value):
            if self.depends(scope, part):
                self._bind(scope, one)

    def _bind_parts(self, scope: Scope, target: ast.expr, value: ast.AST) -> None:
        """Bind a target; of ``a, b = x, y`` only those whose own value holds it."""
        parts = value.elts if isinstance(value, ast.Tuple | ast.List) else []
        names = target.elts if isinstance(target, ast.Tuple | ast.List) else []
        is_starred = any(isinstance(n, ast.Starred) for n in (*names, *parts))
        if not names or len(names) != len(parts) or is_starred:
            self._bind(scope, target)
            return
        for one, part in zip(names, parts, strict=True):
            if self.depends(scope, part):
                self._bind(scope, one)

    def _bind(self, scope: Scope, target: ast.expr) -> None:
        if isinstance(target, ast.Name):
            if target.id in self._modules:
                return
            self.known.add(((), target.id) if (scope, target.id) in self._global else
                           (scope, target.id))  # fmt: skip
            if scope in self.tree.classes:
                self.attributes.add(target.id)
        elif isinstance(target, ast.Attribute):
            if isinstance(target.value, ast.Name) and target.value.id == "self":
                self.attributes.add(target.attr)
            else:
                self._bind(scope, target.value)
        elif isinstance(target, ast.Tuple | ast.List):
            for one in target.elts:
                self._bind(scope, one)
        elif isinstance(target, ast.Starred) or (
            isinstance(target, ast.Subscript) and self.by_parts
        ):
            self._bind(scope, target.value)
            self._bind_outside(scope, target.value)

    def _bind_outside(self, scope: Scope, whole: ast.expr) -> None:
        """Bind a module's name of which a function sets a part."""
        if isinstance(whole, ast.Name) and scope and whole.id not in self._modules:
            inner = {(scope[:n], whole.id) for n in range(1, len(scope) + 1)}
            if not inner & self._own:
                self.known.add(((), whole.id))

    def _hand_over(self, scope: Scope, node: ast.Call) -> None:
        """Bind the parameters of the attempt's own functions to what they are given."""
        for inner, arguments in self.tree.functions.get(last_name(node), ()):
            names = [a.arg for a in (*arguments.posonlyargs, *arguments.args)]
            if names[:1] in (["self"], ["cls"]):
                names = names[1:]
            given = [*zip(names, node.args, strict=False)]
            given += [(k.arg, k.value) for k in node.keywords if k.arg]
            for name, value in given:
                if self.depends(scope, value):
                    self.known.add((inner, name))

    def _change(self, scope: Scope, node: ast.Call) -> None:
        """Bind what a method is called on, where it takes in what it is given."""
        if last_name(node) in self.tree.functions:
            return  # what an own method does with it is followed
        takes_in = self.is_wide or (self.by_parts and last_name(node) in _ADDS)
        if not isinstance(node.func, ast.Attribute) or not takes_in:
            return
        if any(self.depends(scope, a) for a in (*node.args, *(k.value for k in node.keywords))):
            self._bind(scope, node.func.value)

    def _fill(self, scope: Scope, node: ast.expr) -> None:
        """Bind the names that a call may fill whose result is not kept: ``copyto(q, p)``."""
        if not isinstance(node, ast.Call) or last_name(node) in {"print", *self.tree.functions}:
            return
        if any(self.depends(scope, a) for a in (*node.args, *(k.value for k in node.keywords))):
            for given in node.args[:2]:
                if isinstance(given, ast.Name):
                    self._bind(scope, given)

    def _below(self, scope: Scope, node: ast.AST) -> None:
        """Bind what is set below a condition or a loop on it, or where it says so."""
        if isinstance(node, ast.Expr) and self.by_value:
            self._fill(scope, node.value)
        if isinstance(node, ast.Assign | ast.AugAssign):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Subscript) and self.depends(scope, target.slice):
                    self._bind(scope, target.value)
            return
        if isinstance(node, ast.If | ast.While):
            rules: list[ast.expr] = [node.test]
        elif isinstance(node, ast.For | ast.AsyncFor):
            used = _names_in(node.body)
            turns = [*_turns(node.target, node.iter)] if self.by_value else []
            rules = [part for one, part in turns if used & _names_in([one])]
            rules = rules if self.by_value else [node.iter]
        else:
            return
        if any(self.depends(scope, rule) for rule in rules):
            for target in _set_below([*node.body, *node.orelse]):
                self._bind(scope, target)


def _values_of(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of an expression whose values it has, not only their number."""
    if isinstance(node, ast.Call) and last_name(node) in _OF_LENGTH:
        yield from (k.value for k in node.keywords)
        yield from node.args[1:]
    elif isinstance(node, ast.Attribute) and node.attr in {"shape", "size", "ndim"}:
        return
    elif isinstance(node, ast.keyword) and node.arg == "index":
        return  # the names of rows that a frame is made with; those of a frame may be its values
    elif isinstance(node, ast.ListComp | ast.GeneratorExp | ast.SetComp):
        used = _names_in([node.elt, *(test for g in node.generators for test in g.ifs)])
        yield node.elt
        for generator in node.generators:
            yield from generator.ifs
            turns = _turns(generator.target, generator.iter)
            yield from (part for one, part in turns if used & _names_in([one]))
    else:
        yield from ast.iter_child_nodes(node)


_OF_LENGTH = frozenset({"len", "zeros_like", "ones_like", "empty_like", "full_like"})


def _turns(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield the targets of a loop, each with that of which it takes a part."""
    name = dotted(value.func) if isinstance(value, ast.Call) else ""
    parts = value.args if isinstance(value, ast.Call) else []
    names = target.elts if isinstance(target, ast.Tuple) else []
    if name == "enumerate" and len(names) > 1 and parts:
        yield from _turns(names[1], parts[0])  # the number of a turn holds nothing
    elif name == "zip" and len(names) == len(parts) and names:
        for one, part in zip(names, parts, strict=True):
            yield one, part.value if isinstance(part, ast.Starred) else part
    else:
        yield target, value


def _names_in(nodes: Iterable[ast.AST]) -> set[str]:
    return {n.id for node in nodes for n in ast.walk(node) if isinstance(n, ast.Name)}


def last_name(node: ast.Call) -> str:
    """Return ``c`` of a call ``a.b.c()``, whatever it is called on."""
    return getattr(node.func, "attr", "") or getattr(node.func, "id", "")


def _set_below(body: list[ast.stmt]) -> Iterator[ast.expr]:
    for statement in body:
        for node in ast.walk(statement):
            yield from binding(node)[1]
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                yield node.func.value
