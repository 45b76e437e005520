"""Following rows through Python without running it: assignments, loops, functions, cells in order.

A branch is taken both ways, a loop twice, a function is entered with what it is given. What calls
of libraries do with rows is told by `code_calls`.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from detectors.leakage import code_expressions, code_splitting, code_statements, code_tables
from detectors.leakage.code_story import Story
from detectors.leakage.code_values import (
    MAX_UNROLLED,
    NOTHING,
    ByRow,
    Folds,
    Index,
    Instance,
    Mark,
    Model,
    Own,
    Part,
    Place,
    Side,
    Splitter,
    Value,
    join,
    union,
    unmixed,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MAX_STEPS = 60_000  # expressions looked at
MAX_DEPTH = 7  # functions within functions
MAX_ENTRIES = 10  # times that one function is entered


class Spent(Exception):  # noqa: N818 - no error: the end of what is looked at
    """The code is too long to be followed to its end."""


@dataclass
class Frame:
    """Names of a module or of one call of a function."""

    names: dict[str, Value]
    outer: tuple[dict[str, Value], ...] = ()
    returned: Value = NOTHING
    changed: set[str] = field(default_factory=set)  # in place, while still what was given


class Reader:
    """Reads one program and keeps what it does with rows.

    Parameters
    ----------
    modules : dict of str to list of (int, sequence of statements)
        Bodies of each module with the number of the unit that they come from.
    most : int
        Expressions that are looked at.
    """

    def __init__(
        self, modules: dict[str, list[tuple[int, Sequence[ast.stmt]]]], most: int = MAX_STEPS
    ) -> None:
        self.modules = modules
        self.story = Story()
        self.most = self.steps = min(most, MAX_STEPS)
        self.unit = 0
        self.depth = 0
        self.loaded: dict[str, dict[str, Value]] = {}
        self.attributes: dict[str, Value] = {}
        self.unknown: dict[str, Model] = {}
        self.entered: dict[int, int] = {}
        self.owns: list[Own] = []
        self.methods: dict[str, Own] = {}
        self.rules: list[frozenset[Mark]] = []  # choices of columns that decide what is done here
        self.frame = Frame({})
        self.loops = 0

    def read(self, main: Iterable[str]) -> Story:
        """Follow some modules, and the functions that nothing called."""
        try:
            for name in main:
                self.load(name)
            for own in list(self.owns):
                if id(own.node) not in self.entered:
                    self.unit = own.unit
                    self.enter(own, [], {}, as_if_called=True)
        except Spent:
            self.story.is_whole = False
        return self.story

    def load(self, name: str) -> dict[str, Value]:
        """Follow a module once; return its names."""
        if name not in self.loaded:
            names = self.loaded[name] = {}
            outer, unit = self.frame, self.unit
            self.frame = Frame(names)
            for number, body in self.modules[name]:
                self.unit = number
                self.block(body)
            self.frame, self.unit = outer, unit
        return self.loaded[name]

    def place(self, node: ast.AST) -> Place:
        """Return where a node stands."""
        first: int = node.lineno  # type: ignore[attr-defined]
        return Place(self.unit, first, max(first, getattr(node, "end_lineno", None) or first))

    @property
    def scope(self) -> tuple[dict[str, Value], ...]:
        """The names that can be seen, the nearest first."""
        return (self.frame.names, *self.frame.outer)

    @property
    def spent(self) -> int:
        """How many expressions were looked at."""
        return self.most - self.steps

    def spend(self) -> None:
        """Count a step; raise `Spent` when there are none left."""
        self.steps -= 1
        if self.steps < 0:
            raise Spent

    # ------------------------------------------------------------ statements

    def block(self, body: Sequence[ast.stmt]) -> None:
        """Follow statements, up to one that leaves."""
        for statement in body:
            self.spend()
            handle = code_statements.STATEMENTS.get(type(statement))
            if handle is not None:
                handle(self, statement)
            if isinstance(statement, code_statements.ENDS):
                return

    def elements(self, given: Value) -> list[Value]:
        """Return what a loop over a value goes through."""
        for thing in given.things:
            if isinstance(thing, Splitter):
                return [self.fold_of(code_splitting.note_split(self, thing, NOTHING))]
            if isinstance(thing, Folds):
                return [self.fold_of(thing.split)]
        if given.items is not None:
            return list(given.items[:MAX_UNROLLED]) or [NOTHING]
        if given.is_list:
            return [replace(given, is_list=False)]
        is_table = given.rows and not given.things
        by_row = frozenset({ByRow()}) if is_table else given.things
        return [replace(given, origin="", things=by_row)]

    @staticmethod
    def fold_of(split: str) -> Value:
        """Return the row numbers of both sides of a fold."""
        pair = (Value(things=frozenset({Index(Side(split, s))})) for s in "01")
        return Value(items=tuple(pair))

    def restore(self, names: dict[str, Value]) -> None:
        """Let names hold what they held before."""
        self.frame.names.clear()
        self.frame.names.update(names)

    def merge(self, other: dict[str, Value]) -> None:
        """Let names hold what they do or what they did on another way."""
        names = self.frame.names
        for name, value in other.items():
            mine = names.get(name)
            if mine is not value:
                names[name] = value if mine is None else join(mine, value)

    # ------------------------------------------------------------ names

    def bind(self, target: ast.expr, value: Value) -> None:
        """Give a target a value."""
        if isinstance(target, ast.Name):
            self.frame.names[target.id] = value
            self.frame.changed.discard(target.id)
        elif isinstance(target, ast.Tuple | ast.List):
            self._bind_parts(target.elts, value)
        elif isinstance(target, ast.Starred):
            self.bind(target.value, value)
        elif isinstance(target, ast.Attribute):
            self._bind_attribute(target, value)
        elif isinstance(target, ast.Subscript):
            self.change(target.value, code_tables.with_part(self, target, value))

    def _bind_parts(self, targets: Sequence[ast.expr], value: Value) -> None:
        items = value.items
        if items is not None and len(items) == len(targets):
            for one, item in zip(targets, items, strict=True):
                self.bind(one, item)
            return
        whole = self.elements(value)[0] if value.things or value.items is not None else value
        if whole.items is not None and len(whole.items) == len(targets):
            self._bind_parts(targets, whole)
            return
        value = unmixed(value)
        for one in targets:
            self.bind(one, replace(value, items=None, origin=""))

    def _bind_attribute(self, target: ast.Attribute, value: Value) -> None:
        if isinstance(target.value, ast.Name) and target.value.id in {"self", "cls", "args", "cfg"}:
            self.attributes[target.attr] = value
            return
        base = self.value(target.value)
        if base.rows and target.attr not in {"columns", "index", "name"}:
            self.change(target.value, code_tables.with_column(base, (target.attr,), value))
        elif not base.rows:
            self.attributes[target.attr] = value

    def change(self, node: ast.expr, value: Value) -> None:
        """Give what an expression names a new value in place."""
        while isinstance(node, ast.Subscript) or (
            isinstance(node, ast.Attribute) and node.attr in {"loc", "iloc", "at", "iat", "values"}
        ):
            node = node.value
        if isinstance(node, ast.Name):
            self.frame.names[node.id] = value
            self.frame.changed.add(node.id)
        elif isinstance(node, ast.Attribute):
            self._bind_attribute(node, value)

    def named(self, name: str) -> Value:
        """Return what a name holds; an unknown one may be rows that are made elsewhere."""
        for names in self.scope:
            if name in names:
                return names[name]
        if name in code_tables.BUILTIN_NAMES:
            return Value(dotted=name)
        return NOTHING if name in {"self", "cls"} else Value(rows=(Part(f"name {name}"),))

    def value(self, node: ast.expr | None) -> Value:
        """Return what an expression may be."""
        if node is None:
            return NOTHING
        self.spend()
        handle = code_expressions.EXPRESSIONS.get(type(node))
        if handle is not None:
            found: Value = handle(self, node)
            return found
        return union(self.value(n) for n in ast.iter_child_nodes(node) if isinstance(n, ast.expr))

    # ------------------------------------------------------------ own functions

    def enter(
        self,
        own: Own,
        given: Sequence[Value],
        named: dict[str, Value],
        *,
        origins: Sequence[ast.expr] = (),
        me: Value = NOTHING,
        as_if_called: bool = False,
    ) -> Value:
        """Follow an own function with what it is given; return what it returns."""
        node = own.node
        times = self.entered.get(id(node), 0)
        if isinstance(node, ast.ClassDef) or self.depth >= MAX_DEPTH or times >= MAX_ENTRIES:
            return unmixed(union([*given, *named.values()]))
        self.entered[id(node)] = times + 1
        names = [a.arg for a in (*node.args.posonlyargs, *node.args.args)]
        first = names[:1] if names[:1] in (["self"], ["cls"]) else []
        names = names[len(first) :]
        bound = self._bound(node.args, names, given, named, as_if_called=as_if_called)
        outer, unit = self.frame, self.unit
        self.frame = Frame({**dict.fromkeys(first, me), **bound}, own.scope)
        self.unit, self.depth = own.unit, self.depth + 1
        if isinstance(node, ast.Lambda):
            self.frame.returned = self.value(node.body)
        else:
            self.block(node.body)
        inner, self.frame = self.frame, outer
        self.unit, self.depth = unit, self.depth - 1
        for name, origin in zip(names, origins, strict=False):
            if name in inner.changed & set(inner.names) and isinstance(origin, ast.Name):
                self.change(origin, inner.names[name])
        return inner.returned

    def _bound(
        self,
        arguments: ast.arguments,
        names: Sequence[str],
        given: Sequence[Value],
        named: dict[str, Value],
        *,
        as_if_called: bool,
    ) -> dict[str, Value]:
        """Return what the parameters of an own function hold."""
        bound: dict[str, Value] = {}
        if as_if_called:
            bound = {n: Value(rows=(Part(f"name {n}"),)) for n in names if not _is_setting(n)}
        self._defaults(arguments, bound)
        bound |= dict(zip(names, given, strict=False))
        known = {*names, *(a.arg for a in arguments.kwonlyargs)}
        bound |= {k: v for k, v in named.items() if k in known or arguments.kwarg}
        if arguments.vararg:
            bound[arguments.vararg.arg] = union(given[len(names) :])
        return dict.fromkeys(known, NOTHING) | bound

    def _defaults(self, arguments: ast.arguments, bound: dict[str, Value]) -> None:
        all_ = [*arguments.posonlyargs, *arguments.args]
        n = len(arguments.defaults)
        for argument, default in zip(all_[len(all_) - n :], arguments.defaults, strict=True):
            bound[argument.arg] = self.value(default)
        for argument, default_or_none in zip(
            arguments.kwonlyargs, arguments.kw_defaults, strict=True
        ):
            bound[argument.arg] = self.value(default_or_none)

    def make(self, own: Own, given: Sequence[Value], named: dict[str, Value]) -> Value:
        """Make an object of an own class."""
        data = union([*given, *named.values()]).as_rows
        made = replace(data, things=frozenset({Instance(own)}))
        if "__init__" in own.methods:
            self.enter(own.methods["__init__"], given, named, me=made)
        if not own.methods and given:  # a plain holder of data
            return union(given)
        return made


def _is_setting(name: str) -> bool:
    """Say whether a parameter is named as a setting and not as rows."""
    return name.lower().startswith(
        ("n_", "num", "max", "min", "seed", "random", "lr", "epoch")
    ) or (
        name in {"model", "clf", "estimator", "params", "device", "path", "args", "cfg", "verbose"}
    )
