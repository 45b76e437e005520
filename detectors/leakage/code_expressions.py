"""Expressions of Python, as `code_flow` follows them: each function says what one may be."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from detectors.leakage import code_calls, code_tables
from detectors.leakage.code_values import (
    MAX_NAMES,
    NOTHING,
    Own,
    Value,
    join,
    listed,
    marked,
    settled,
    spread,
    union,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from detectors.leakage.code_flow import Reader


def _constant(_reader: Reader, node: ast.Constant) -> Value:
    return Value(names=(node.value,)) if isinstance(node.value, str) else NOTHING


def _name(reader: Reader, node: ast.Name) -> Value:
    value = reader.named(node.id)
    return replace(value, origin=node.id) if value.rows or value.items else value


def _attribute(reader: Reader, node: ast.Attribute) -> Value:
    base = reader.value(node.value)
    if isinstance(node.value, ast.Name) and node.value.id in {"self", "cls", "args", "cfg"}:
        return reader.attributes.get(node.attr, NOTHING)
    return code_tables.attribute_of(reader, base, node.attr)


def _subscript(reader: Reader, node: ast.Subscript) -> Value:
    return code_tables.part_of(reader, reader.value(node.value), node.slice)


def _sequence(reader: Reader, node: ast.List | ast.Tuple | ast.Set) -> Value:
    items = [reader.value(n) for n in node.elts[:200]]
    names = tuple(n for i in items for n in i.names)
    is_names = bool(items) and all(i.names and not i.rows for i in items)
    whole = union(items)
    return replace(
        whole, items=listed(items), names=names[:MAX_NAMES] if is_names else (), is_list=is_names
    )


def _mapping(reader: Reader, node: ast.Dict) -> Value:
    return union(reader.value(v) for v in node.values)


def _comprehension(reader: Reader, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> Value:
    return _comprehended(reader, node, (node.elt,))


def _comprehension_of_pairs(reader: Reader, node: ast.DictComp) -> Value:
    return _comprehended(reader, node, (node.value,))


def _comprehended(reader: Reader, node: Any, parts: Iterable[ast.expr]) -> Value:  # noqa: ANN401
    saved = dict(reader.frame.names)
    tests = []
    for generator in node.generators:
        reader.bind(generator.target, reader.elements(reader.value(generator.iter))[0])
        tests += [reader.value(test) for test in generator.ifs]
    values = [reader.value(part) for part in parts]
    reader.restore(saved)
    chosen = [Value(marks=t.marks) for t in tests if t.marks and not t.rows]  # a rule on columns
    found = settled(union([*values, *chosen]))
    return replace(found, is_list=bool(found.names), origin="")


def _conditional(reader: Reader, node: ast.IfExp) -> Value:
    test = reader.value(node.test)
    either = join(reader.value(node.body), reader.value(node.orelse))
    return marked(either, spread(test)) if test.rows else either  # each row held against a figure


def _give_out(reader: Reader, node: ast.Yield | ast.YieldFrom) -> Value:
    value = reader.value(node.value)
    reader.frame.returned = join(reader.frame.returned, value)
    return NOTHING


def _compare(reader: Reader, node: ast.Compare) -> Value:
    return union(reader.value(n) for n in (node.left, *node.comparators))


def _operate(reader: Reader, node: ast.BinOp) -> Value:
    left, right = reader.value(node.left), reader.value(node.right)
    both = union((left, right))
    if left.is_list and right.is_list:
        names = (*left.names, *right.names)[:MAX_NAMES]
        return replace(both, names=names, is_list=True)
    items = None
    if left.items is not None and right.items is not None and isinstance(node.op, ast.Add):
        items = listed((*left.items, *right.items))
    return replace(both, items=items)


def _written(reader: Reader, node: ast.JoinedStr) -> Value:
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            reader.value(part.value)
    return NOTHING


def _named_expression(reader: Reader, node: ast.NamedExpr) -> Value:
    value = reader.value(node.value)
    reader.bind(node.target, value)
    return value


def _lambda(reader: Reader, node: ast.Lambda) -> Value:
    return Value(things=frozenset({Own(node, reader.unit, reader.scope)}))


def _call(reader: Reader, node: ast.Call) -> Value:
    return code_calls.called(reader, node)


EXPRESSIONS: dict[type, Any] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Subscript: _subscript,
    ast.List: _sequence,
    ast.Tuple: _sequence,
    ast.Set: _sequence,
    ast.Dict: _mapping,
    ast.ListComp: _comprehension,
    ast.SetComp: _comprehension,
    ast.GeneratorExp: _comprehension,
    ast.DictComp: _comprehension_of_pairs,
    ast.IfExp: _conditional,
    ast.Compare: _compare,
    ast.BinOp: _operate,
    ast.JoinedStr: _written,
    ast.NamedExpr: _named_expression,
    ast.Lambda: _lambda,
    ast.Call: _call,
    ast.Yield: _give_out,
    ast.YieldFrom: _give_out,
}
