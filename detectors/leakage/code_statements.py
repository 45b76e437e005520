"""Statements of Python, as `code_flow` follows them: each function takes one and changes names."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from detectors.leakage import code_calls, code_tables
from detectors.leakage.code_values import (
    MAX_NAMES,
    MAX_UNROLLED,
    Own,
    Value,
    join,
    union,
)

if TYPE_CHECKING:
    from detectors.leakage.code_flow import Reader


ENDS = (ast.Return, ast.Raise, ast.Continue, ast.Break)


def _assign(reader: Reader, node: ast.Assign) -> None:
    value = reader.value(node.value)
    for target in node.targets:
        reader.bind(target, value)


def _assign_annotated(reader: Reader, node: ast.AnnAssign) -> None:
    if node.value is not None:
        reader.bind(node.target, reader.value(node.value))


def _augment(reader: Reader, node: ast.AugAssign) -> None:
    old, new = reader.value(node.target), reader.value(node.value)
    both = union((old, new))
    if old.is_list and new.is_list:
        both = replace(both, names=(*old.names, *new.names)[:MAX_NAMES], is_list=True)
    reader.bind(node.target, both)


def _function(reader: Reader, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    own = Own(node, reader.unit, reader.scope)
    reader.owns.append(own)
    reader.frame.names[node.name] = Value(things=frozenset({own}))


def _klass(reader: Reader, node: ast.ClassDef) -> None:
    own = Own(node, reader.unit, reader.scope)
    for inner in node.body:
        if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef):
            own.methods[inner.name] = Own(inner, reader.unit, reader.scope)
            reader.owns.append(own.methods[inner.name])
            reader.methods.setdefault(inner.name, own.methods[inner.name])
        elif isinstance(inner, ast.Assign) and isinstance(inner.targets[0], ast.Name):
            reader.attributes[inner.targets[0].id] = reader.value(inner.value)
    reader.frame.names[node.name] = Value(things=frozenset({own}))


def _give_back(reader: Reader, node: ast.Return) -> None:
    if node.value is not None:
        value = reader.value(node.value)
        reader.frame.returned = join(reader.frame.returned, value)


def _expression(reader: Reader, node: ast.Expr) -> None:
    reader.value(node.value)


def _branch(reader: Reader, node: ast.If) -> None:
    test = reader.value(node.test)
    _keep_best(reader, node)
    before = dict(reader.frame.names)
    reader.rules.append(frozenset() if test.rows else code_tables.choosing(test))
    reader.block(node.body)
    reader.rules.pop()
    after = dict(reader.frame.names)
    ended = bool(node.body) and isinstance(node.body[-1], ENDS)
    reader.restore(before)
    reader.block(node.orelse)
    if not ended:
        reader.merge(after)


def _keep_best(reader: Reader, node: ast.If) -> None:
    """Note a choice: ``if score > best: best = score``, inside a loop."""
    if reader.loops and isinstance(node.test, ast.Compare):
        code_calls.note_choice(reader, node, reader.value(node.test.left))
        for one in node.test.comparators:
            code_calls.note_choice(reader, node, reader.value(one))


def _loop(reader: Reader, node: ast.For | ast.AsyncFor) -> None:
    given = reader.value(node.iter)
    reader.loops += 1
    elements = reader.elements(given)
    if given.items is not None and 0 < len(elements) <= MAX_UNROLLED:
        for element in elements:
            reader.bind(node.target, _current(reader, element))
            reader.block(node.body)
            _hand_back(reader, node.target, element)
    else:
        for _ in range(2):
            reader.bind(node.target, elements[0])
            before = dict(reader.frame.names)
            reader.block(node.body)
            reader.merge(before)
    reader.loops -= 1
    reader.block(node.orelse)


def _current(reader: Reader, element: Value) -> Value:
    """Return what a listed name holds now: it may have been changed in place since."""
    now = reader.frame.names.get(element.origin)
    return replace(now, origin=element.origin) if now is not None and now.rows else element


def _hand_back(reader: Reader, target: ast.expr, element: Value) -> None:
    """Give a listed name what a loop over the list did to it in place."""
    names = reader.frame.names
    is_changed = isinstance(target, ast.Name) and target.id in reader.frame.changed
    if isinstance(target, ast.Name) and is_changed and element.origin in names:
        names[element.origin] = names[target.id]


def _repeat(reader: Reader, node: ast.While) -> None:
    reader.value(node.test)
    reader.loops += 1
    for _ in range(2):
        before = dict(reader.frame.names)
        reader.block(node.body)
        reader.merge(before)
    reader.loops -= 1


def _attempt(reader: Reader, node: ast.Try) -> None:
    reader.block(node.body)
    for handler in node.handlers:
        before = dict(reader.frame.names)
        reader.block(handler.body)
        reader.merge(before)
    reader.block(node.orelse)
    reader.block(node.finalbody)


def _within(reader: Reader, node: ast.With | ast.AsyncWith) -> None:
    for item in node.items:
        value = reader.value(item.context_expr)
        if item.optional_vars is not None:
            reader.bind(item.optional_vars, value)
    reader.block(node.body)


def _match(reader: Reader, node: ast.Match) -> None:
    reader.value(node.subject)
    for case in node.cases:
        before = dict(reader.frame.names)
        reader.block(case.body)
        reader.merge(before)


def _bring_in(reader: Reader, node: ast.Import) -> None:
    for alias in node.names:
        name = alias.asname or alias.name.partition(".")[0]
        dotted = alias.name if alias.asname else name
        reader.frame.names[name] = Value(dotted=dotted)


def _bring_from(reader: Reader, node: ast.ImportFrom) -> None:
    module = node.module or ""
    own = module.rpartition(".")[2]
    if own in reader.modules and own not in reader.loaded:
        reader.load(own)
    for alias in node.names:
        if alias.name == "*":
            reader.frame.names.update(reader.loaded.get(own, {}))
            continue
        known = reader.loaded.get(own, {}).get(alias.name)
        value = known or Value(dotted=f"{module}.{alias.name}")
        reader.frame.names[alias.asname or alias.name] = value


def _delete(reader: Reader, node: ast.Delete) -> None:
    for target in node.targets:
        if isinstance(target, ast.Name):
            reader.frame.names.pop(target.id, None)


STATEMENTS: dict[type, Any] = {
    ast.Assign: _assign,
    ast.AnnAssign: _assign_annotated,
    ast.AugAssign: _augment,
    ast.FunctionDef: _function,
    ast.AsyncFunctionDef: _function,
    ast.ClassDef: _klass,
    ast.Return: _give_back,
    ast.Expr: _expression,
    ast.If: _branch,
    ast.For: _loop,
    ast.AsyncFor: _loop,
    ast.While: _repeat,
    ast.Try: _attempt,
    ast.With: _within,
    ast.AsyncWith: _within,
    ast.Match: _match,
    ast.Import: _bring_in,
    ast.ImportFrom: _bring_from,
    ast.Delete: _delete,
}
