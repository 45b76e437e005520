"""What calls do with rows: own functions are entered, those of known libraries told by name."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from detectors.leakage import code_frames, code_learning
from detectors.leakage import code_words as words
from detectors.leakage.code_seen import Seen, function_of, general
from detectors.leakage.code_story import Choice
from detectors.leakage.code_values import (
    MAX_NAMES,
    NOTHING,
    Index,
    Instance,
    Own,
    Part,
    Scored,
    Value,
    marked,
    settled,
    sided,
    union,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from detectors.leakage.code_flow import Reader

_READS = re.compile(
    r"^(?:read_\w+|scan_\w+|load_\w+|fetch_\w+|loadtxt|genfromtxt|load|imread|"
    r"make_(?:classification|regression|blobs|moons|circles|friedman\d|multilabel\w*))$"
)
_SILENT = frozenset({
    "nunique", "describe", "count", "len", "print", "range", "str", "int", "isinstance", "type",
    "open", "exit", "display", "id", "head", "info", "plot", "hist", "show", "savefig", "to_csv",
    "hasattr", "getattr", "heatmap",
})  # fmt: skip
_PASSES_ON = frozenset({"list", "tuple", "sorted", "reversed", "tqdm", "iter", "trange"})


def called(reader: Reader, node: ast.Call) -> Value:
    """Return what a call may give, and note what it does."""
    base, name, own = _callee(reader, node)
    args: list[Value] = []
    for argument in node.args:
        value = reader.value(argument.value if isinstance(argument, ast.Starred) else argument)
        spreads = isinstance(argument, ast.Starred) and value.items is not None
        args += value.items if spreads and value.items is not None else [value]
    named = {k.arg or "**": reader.value(k.value) for k in node.keywords}
    seen = Seen(node, name, reader.place(node), base, args, named)
    if own is not None:
        return _own(reader, own, seen)
    return _of_library(reader, seen)


def _callee(reader: Reader, node: ast.Call) -> tuple[Value, str, Own | None]:
    """Return what a call is called on, its name, and the own function that it is."""
    func = node.func
    if isinstance(func, ast.Attribute):
        is_self = isinstance(func.value, ast.Name) and func.value.id in {"self", "cls"}
        base = NOTHING if is_self else reader.value(func.value)
        own = _method(reader, base, func.attr, is_self=is_self)
        if is_self and own is None and func.attr in reader.attributes:
            held = reader.attributes[func.attr]
            return held, "__call__", function_of(held)
        return base, func.attr, own
    value = reader.named(func.id) if isinstance(func, ast.Name) else reader.value(func)
    own = function_of(value)
    if own is None and isinstance(func, ast.Name):
        name = value.dotted.rpartition(".")[2] or func.id
        is_known = bool(value.rows) and not value.rows[0].root.startswith("name ")
        if value.things or is_known:
            return value, "__call__", None
        return NOTHING, name, None
    return value, "__call__", own


def _method(reader: Reader, base: Value, name: str, *, is_self: bool) -> Own | None:
    for thing in base.all_of(Instance):
        found: Own | None = thing.of.methods.get(name)
        return found
    if is_self:
        return reader.methods.get(name)
    if base.dotted in reader.modules:  # a module of the program's own
        names = reader.load(base.dotted)
        return function_of(names[name]) if name in names else None
    return None


def _own(reader: Reader, own: Own, seen: Seen) -> Value:
    if isinstance(own.node, ast.ClassDef):
        return reader.make(own, seen.args, seen.named)
    name = getattr(own.node, "name", "")
    if name in {"forward", "__call__", "call"}:
        code_learning.note_forward(reader, seen)
    found = reader.enter(own, seen.args, seen.named, origins=seen.node.args, me=seen.base)
    if name in {"forward", "__call__", "call"}:
        return union([found, *(a.as_rows for a in seen.args)])
    if _counts(name) and not found.rows and not found.all_of(Scored):
        scored = frozenset({Scored(frozenset(p for a in seen.args for p in a.rows))})
        found = replace(found, things=found.things | scored)
    return found


def _counts(name: str) -> bool:
    return words.SCORES.search(name) is not None


def _of_library(reader: Reader, seen: Seen) -> Value:
    """Return what a call of a library gives."""
    for handle in (
        _BY_NAME.get(seen.name),
        code_frames.BY_NAME.get(seen.name),
        code_learning.handler(seen.name),
    ):
        found = handle(reader, seen) if handle is not None else None
        if found is not None:
            return found
    if seen.name in _SILENT and not seen.base.things:
        return NOTHING
    if _READS.match(seen.name) and not any(a.rows for a in (seen.base, *seen.all)):
        return Value(rows=(Part(_source(seen)),))
    return general(reader, seen)


def _source(seen: Seen) -> str:
    """Name what a call reads: the last text that it is given, or else its place."""
    texts = [n.value for a in seen.node.args for n in ast.walk(a)
             if isinstance(n, ast.Constant) and isinstance(n.value, str)]  # fmt: skip
    texts += [name for a in seen.args for name in a.names]
    return f"file {texts[-1]}" if texts else f"{seen.name} {seen.place}"


# ------------------------------------------------------------ Python's own


def _enumerated(reader: Reader, seen: Seen) -> Value:
    return Value(items=tuple(
        Value(items=(NOTHING, one)) for one in reader.elements(seen.given(0))
    ))  # fmt: skip


def _zipped(reader: Reader, seen: Seen) -> Value:
    columns = [reader.elements(a) for a in seen.args]
    if not columns:
        return NOTHING
    n = max(map(len, columns))
    pairs = zip(*(c if len(c) == n else c[:1] * n for c in columns), strict=True)
    return Value(items=tuple(Value(items=tuple(pair)) for pair in pairs))


def _picked(_reader: Reader, seen: Seen) -> Value | None:
    """Take rows by their numbers."""
    source = seen.base if seen.base.rows else seen.given(0)
    for value in seen.all:
        for thing in value.all_of(Index):
            return sided(source.as_rows, thing.side)
    return None


def _passed_on(_reader: Reader, seen: Seen) -> Value | None:
    return seen.given(0) if seen.is_of_library and seen.args else None


def _next(reader: Reader, seen: Seen) -> Value:
    return reader.elements(seen.given(0))[0]


def _added(reader: Reader, seen: Seen) -> Value | None:
    """Take something into a list; where a rule on columns decides, that rule goes with it."""
    if not isinstance(seen.node.func, ast.Attribute) or (seen.base.rows and seen.name == "append"):
        return None
    both = union([seen.base, *seen.all])
    rules = [m for rule in reader.rules for m in rule]
    names = (*seen.base.names, *(n for a in seen.all for n in a.names))[:MAX_NAMES]
    both = settled(marked(both, rules))
    reader.change(seen.node.func.value, replace(both, names=names, is_list=True))
    return NOTHING


def note_choice(reader: Reader, node: ast.AST, value: Value) -> None:
    """Note that a best result is kept, where what is compared is a score on rows."""
    for thing in value.all_of(Scored):
        rows = thing.rows
        if rows:
            reader.story.choices[Choice(reader.place(node), rows)] = None


_BY_NAME: dict[str, Callable[[Reader, Seen], Value | None]] = {
    **dict.fromkeys(_PASSES_ON, _passed_on),
    **dict.fromkeys(("append", "add", "extend", "insert", "update"), _added),
    **dict.fromkeys(("subset", "Subset", "take", "select", "gather", "slice"), _picked),
    "enumerate": _enumerated,
    "zip": _zipped,
    "next": _next,
}
