"""A call with the values of its parts, and what a call gives of which nothing more is known."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from detectors.leakage import code_words as words
from detectors.leakage.code_values import (
    NOTHING,
    Groups,
    Instance,
    Kind,
    Own,
    RowNames,
    Value,
    gathered,
    union,
)

if TYPE_CHECKING:
    from detectors.leakage.code_flow import Reader
    from detectors.leakage.code_values import Place


class Seen(NamedTuple):
    """A call with the values of its parts."""

    node: ast.Call
    name: str
    place: Place
    base: Value
    args: list[Value]
    named: dict[str, Value]

    def given(self, position: int, *names: str) -> Value:
        """Return an argument by its position or one of its names."""
        for name in names:
            if name in self.named:
                return self.named[name]
        return self.args[position] if position < len(self.args) else NOTHING

    def setting(self, name: str) -> object:
        """Return a literal that is given by name, None where there is none."""
        found = next((k.value for k in self.node.keywords if k.arg == name), None)
        return found.value if isinstance(found, ast.Constant) else None

    @property
    def all(self) -> list[Value]:
        """All arguments."""
        return [*self.args, *self.named.values()]

    @property
    def is_of_library(self) -> bool:
        """Whether it is called on a module, or on nothing."""
        return not self.base.rows and not self.base.things


_TELLS_ROWS = frozenset({Kind.SELECTION, Kind.CORRELATION})


_GATHERS = frozenset({"concat", "concatenate", "vstack", "append", "stack"})
_LOOKS_UP = frozenset({"merge", "join", "merge_asof"})
_KEEPS_NAMES = frozenset({"list", "tuple", "sorted", "copy", "set", "tolist", "to_list", "Index"})


def function_of(value: Value) -> Own | None:
    """Return the own function that is called when a value is."""
    for thing in value.all_of(Instance):
        methods = thing.of.methods
        return methods.get("forward") or methods.get("__call__") or methods.get("call")
    return next((t for t in value.all_of(Own)), None)


def general(reader: Reader, seen: Seen) -> Value:
    """Return what holds the rows that go in; statistics only where a call is known to use them."""
    takes = seen.name in words.TAKES_STATISTICS
    chosen = seen.name == "drop"
    parts = []
    for value in seen.all:
        if value.rows or (takes and not chosen):
            parts.append(value)
        else:
            kept = frozenset(m for m in value.marks if chosen and m[1].kind in _TELLS_ROWS)
            parts.append(Value(things=value.things, marks=kept, names=value.names))
    found = union(parts if seen.base.dotted else [seen.base, *parts])
    if seen.name in _GATHERS:
        found = gathered(found)
    elif seen.name in _LOOKS_UP:  # the rows of the first, whatever is looked up
        first = next((v for v in (seen.base, *seen.args) if v.rows), found)
        found = replace(found, rows=first.rows)
    things = frozenset(t for t in found.things if not isinstance(t, Own | RowNames | Groups))
    if seen.name in _KEEPS_NAMES:
        source = seen.base if seen.base.names else seen.given(0)
        found = replace(found, names=source.names, is_list=True)
    if seen.base.rows and any(m.rows == frozenset() for _, m in found.marks):
        found = replace(found, marks=frozenset(
            (c, m if m.rows else m._replace(rows=frozenset(seen.base.rows)))
            for c, m in found.marks
        ))  # fmt: skip
    found = replace(found, things=things)
    if seen.setting("inplace") is True and isinstance(seen.node.func, ast.Attribute):
        reader.change(seen.node.func.value, found)
    return found
