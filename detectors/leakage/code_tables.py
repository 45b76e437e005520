"""Columns and rows of tables: what is taken out of one, and what is put into it."""

from __future__ import annotations

import ast
import builtins
from dataclasses import replace
from typing import TYPE_CHECKING

from detectors.leakage.code_values import (
    NOTHING,
    ByRow,
    Groups,
    Index,
    Instance,
    Kind,
    Mark,
    Model,
    RowNames,
    Side,
    Tool,
    Value,
    cut,
    gathered,
    marked,
    settled,
    sided,
    union,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from detectors.leakage.code_flow import Reader

BUILTIN_NAMES = frozenset({*vars(builtins), "__file__", "__name__", "display", "get_ipython"})
_SAME = frozenset({
    "values", "T", "str", "dt", "cat", "iloc", "loc", "at", "iat", "ix", "data", "array", "A",
    "dataset", "batch", "x", "y", "sparse", "plot", "images", "frame",
})  # fmt: skip
_SHAPES = frozenset({
    "shape", "size", "ndim", "dtype", "dtypes", "name", "columns", "feature_names", "DESCR",
    "nbytes",    "target_names", "schema", "width", "height", "info", "empty",
})  # fmt: skip
_LEARNT = frozenset({
    "feature_importances_", "coef_", "support_", "ranking_", "scores_", "pvalues_", "mean_", "var_",
    "scale_", "components_", "labels_", "cluster_centers_", "statistics_", "data_min_", "data_max_",
    "explained_variance_ratio_",
})  # fmt: skip
_NULLS = {"isnull": "0", "isna": "0", "notnull": "1", "notna": "1", "is_null": "0",
          "is_not_null": "1"}  # fmt: skip


def attribute_of(reader: Reader, base: Value, name: str) -> Value:
    """Return what an attribute of a value is: a column, the same rows, or something learnt."""
    if base.dotted and not base.rows:
        return Value(dotted=f"{base.dotted}.{name}")
    if name in _LEARNT or name.endswith("best_estimator_"):
        return _learnt(base, name)
    if base.all_of(Instance) and name in reader.attributes:
        return reader.attributes[name]
    if base.things and not base.rows:
        return replace(base, items=None)
    return _of_table(base, name)


def _of_table(base: Value, name: str) -> Value:
    if name in _SHAPES:
        return NOTHING
    if name == "index":
        return replace(base, things=frozenset({RowNames(base.rows)}), items=None, column="")
    if name in {"str", "dt"}:
        return replace(base, things=frozenset({ByRow()}), items=None, names=(), origin="")
    if name in _SAME:
        return replace(base, items=None, names=(), origin="")
    return columns_of(base, (name,), is_list=False)


def _learnt(base: Value, name: str) -> Value:
    if name.endswith("best_estimator_"):
        return base
    marks = {m for tool in base.all_of(Tool) for m in tool.learnt}
    for model in base.all_of(Model):
        if model.rows and name not in {"labels_", "cluster_centers_"}:
            marks.add(Mark(Kind.SELECTION, model.rows, f"{model.name}.{name}", model.place))
    return marked(NOTHING, marks)


def columns_of(base: Value, names: Iterable[str], *, is_list: bool) -> Value:
    """Return some columns of a table, with what was put into those alone."""
    wanted = frozenset(names)
    marks = frozenset(
        (column if is_list else "", mark)
        for column, mark in base.marks
        if not column or column in wanted
    )
    column = next(iter(wanted)) if len(wanted) == 1 else ""
    if column:  # of a table of correlations, those with that column
        marks = frozenset((c, _with_column(m, column)) for c, m in marks)
    things = frozenset(t for t in base.things if isinstance(t, Groups | ByRow))
    return Value(base.rows, marks, things, column=column)


def _with_column(mark: Mark, column: str) -> Mark:
    is_open = mark.kind is Kind.CORRELATION and not mark.column
    return mark._replace(column=column) if is_open else mark


def without_columns(base: Value, names: Iterable[str]) -> Value:
    """Return a table without some columns."""
    dropped = frozenset(names)
    return replace(base, marks=frozenset(m for m in base.marks if m[0] not in dropped), origin="")


def with_column(base: Value, names: tuple[str, ...], value: Value) -> Value:
    """Return a table with columns set to a value."""
    old = frozenset(m for m in base.marks if m[0] not in names) if names else base.marks
    new = frozenset((name, mark) for name in names or ("",) for _, mark in value.marks)
    things = base.things | frozenset(value.all_of(Tool)) | frozenset(value.all_of(Model))
    return replace(
        base, rows=base.rows or value.rows, marks=old | new, items=None, things=things, origin=""
    )


def with_part(reader: Reader, target: ast.Subscript, value: Value) -> Value:
    """Return a table after a part of it was set."""
    base, key = reader.value(target.value), target.slice
    if isinstance(key, ast.Tuple) and len(key.elts) == 2:  # noqa: PLR2004 - rows and columns
        names = reader.value(key.elts[1]).names
        if not names:
            return replace(base, marks=base.marks | value.marks, rows=base.rows or value.rows)
        new = frozenset((name, mark) for name in names for _, mark in value.marks)
        return replace(base, marks=base.marks | new, items=None)
    names = reader.value(key).names
    value = settled(value)
    if reader.value(key).all_of(Index):  # what each fold says of its rows
        value = gathered(value)
    if not base.rows and base.items is None and not names and value.things and not value.rows:
        return union((base, value))
    return with_column(base, names, value)


def part_of(reader: Reader, base: Value, key: ast.expr) -> Value:
    """Return what stands in brackets behind a value: rows, columns or both."""
    if isinstance(key, ast.Constant) and isinstance(key.value, int) and base.items is not None:
        if -len(base.items) <= key.value < len(base.items):
            return base.items[key.value]
        return union(base.items)
    if isinstance(key, ast.Tuple) and len(key.elts) == 2:  # noqa: PLR2004 - rows and columns
        rows = _rows_of(reader, base, key.elts[0])
        chosen = reader.value(key.elts[1])
        return _chosen(rows, chosen) if not isinstance(key.elts[1], ast.Slice) else rows
    if isinstance(key, ast.Slice):
        return _rows_of(reader, base, key)
    index = reader.value(key)
    is_rows = (index.rows and not index.all_of(ByRow)) or index.all_of(Index)
    if index.names or not is_rows:
        return _chosen(base, index)
    return _rows_of(reader, base, key)


def choosing(value: Value) -> frozenset[Mark]:
    """Return what in a value chooses columns by the target."""
    wanted = {Kind.SELECTION, Kind.CORRELATION}
    return frozenset(m for _, m in value.marks if m.kind in wanted)


def _chosen(base: Value, index: Value) -> Value:
    """Return the columns that a value names; a choice that was worked out goes with them."""
    if index.names:
        picked = columns_of(base, index.names, is_list=index.is_list)
        if not base.rows:
            picked = replace(base, marks=picked.marks, items=None, column=picked.column)
        return marked(picked, choosing(index))
    found = replace(base, items=None, names=(), origin="")
    return found if index.rows else marked(found, choosing(index))


def _rows_of(reader: Reader, base: Value, key: ast.expr) -> Value:
    """Return the rows of a value that numbers, bounds or a condition choose."""
    if isinstance(key, ast.Slice):
        return _between(reader, base, key)
    index = reader.value(key)
    for thing in index.all_of(Index):
        return sided(base, thing.side)
    for names in index.all_of(RowNames):
        return replace(base, rows=names.rows, items=None, origin="") if names.rows else base
    if not base.rows or not index.rows:
        return replace(base, items=None, origin="")
    return sided(base, _condition(key))


def _between(reader: Reader, base: Value, key: ast.Slice) -> Value:
    for bound in (key.lower, key.upper):
        if bound is not None:
            reader.value(bound)
    if base.names and base.is_list and not base.rows:
        return replace(base, items=None)
    if key.lower is None and key.upper is not None:
        return cut(base, _bound(key.upper), "0")
    if key.lower is not None and key.upper is None:
        return cut(base, _bound(key.lower), "1")
    if key.lower is not None and key.upper is not None:
        return cut(base, f"{_bound(key.lower)} {_bound(key.upper)}", "between")
    return replace(base, items=None, origin="")


def _bound(node: ast.expr) -> str:
    while isinstance(node, ast.UnaryOp):
        node = node.operand
    return ast.unparse(node)


def _condition(node: ast.expr) -> Side:
    """Return which side of a condition its rows are on; ``a == 1`` and ``a == 2`` are two."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert):
        inner = _condition(node.operand)
        return Side(inner.split, f"not {inner.side}")
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq | ast.NotEq):
        is_not = "not " if isinstance(node.ops[0], ast.NotEq) else ""
        other = ast.unparse(node.comparators[0])
        return Side(f"mask {ast.unparse(node.left)}", f"{is_not}{other}")
    func = node.func if isinstance(node, ast.Call) else None
    if isinstance(func, ast.Attribute) and func.attr in _NULLS:
        return Side(f"mask null {ast.unparse(func.value)}", _NULLS[func.attr])
    return Side(f"mask {ast.unparse(node)}", "1")
