"""What methods of tables do with rows and columns: leave out, draw, group, reduce, bin."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from detectors.leakage import code_learning, code_tables
from detectors.leakage import code_words as words
from detectors.leakage.code_seen import function_of, general
from detectors.leakage.code_story import Split
from detectors.leakage.code_values import (
    ByRow,
    Groups,
    Kind,
    Mark,
    Part,
    Pending,
    Prediction,
    RowNames,
    Side,
    Value,
    marked,
    sided,
    union,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from detectors.leakage.code_flow import Reader
    from detectors.leakage.code_seen import Seen

_WINDOWS = frozenset({"rolling", "expanding", "ewm"})  # of rows before each row
_LEAVES_GROUPS = frozenset({
    "rolling", "expanding", "shift", "diff", "cumsum", "cumcount", "pct_change", "ewm", "ffill",
    "bfill", "fillna", "rank", "head", "tail", "ngroup",
})  # fmt: skip


def _dropped(reader: Reader, seen: Seen) -> Value | None:
    """Leave out columns, or the rows that another table has."""
    given = seen.given(0, "columns", "labels", "index")
    names = next((t for t in given.all_of(RowNames)), None)
    if names is not None and seen.base.rows:
        rows = tuple(_other_side(p) for p in names.rows)
        return replace(seen.base, rows=rows or seen.base.rows, items=None, origin="")
    if not seen.base.rows:
        return None
    found = code_tables.without_columns(general(reader, seen), given.names)
    if seen.setting("inplace") is True and isinstance(seen.node.func, ast.Attribute):
        reader.change(seen.node.func.value, found)
    return replace(found, names=(), is_list=False)


def _other_side(part: Part) -> Part:
    if part.path and part.path[-1].side == "0":
        return Part(part.root, (*part.path[:-1], Side(part.path[-1].split, "1")))
    return part


def _one_each(reader: Reader, seen: Seen) -> Value | None:
    """Keep one row of each value of a column."""
    reader.story.one_each |= set(seen.given(0, "subset").names)
    return None


def _popped(reader: Reader, seen: Seen) -> Value | None:
    names = seen.given(0).names
    if not seen.base.rows or not names or not isinstance(seen.node.func, ast.Attribute):
        return None
    reader.change(seen.node.func.value, code_tables.without_columns(seen.base, names))
    return code_tables.columns_of(seen.base, names, is_list=False)


def _sampled(reader: Reader, seen: Seen) -> Value | None:
    """Draw rows: some of them, all of them shuffled, or some of them again."""
    if not seen.base.rows:
        return None
    if seen.setting("replace") is True:
        return marked(replace(seen.base, origin=""), [_mark(seen, Kind.RESAMPLING, seen.base)])
    if seen.setting("frac") == 1:
        return replace(seen.base, origin="")
    key = f"sample {seen.place}"
    reader.story.splits[key] = Split("sample", key, seen.place, seen.base.rows, is_random=True)
    return sided(seen.base, Side(key, "0"))


def _resampled(_reader: Reader, seen: Seen) -> Value | None:
    """Draw with replacement, as sklearn.utils.resample does."""
    if not seen.is_of_library or not seen.given(0).rows:
        return None
    if seen.setting("replace") is False:
        return union(seen.args)
    made = [marked(a.as_rows, [_mark(seen, Kind.RESAMPLING, a)]) for a in seen.args]
    return made[0] if len(made) == 1 else Value(items=tuple(made))


def _mark(seen: Seen, kind: Kind, source: Value, name: str = "") -> Mark:
    return Mark(kind, frozenset(source.rows), name or seen.name, seen.place, source.column)


def _applied(reader: Reader, seen: Seen) -> Value | None:
    """Hand rows, columns or groups to an own function."""
    own = function_of(seen.given(0, "func"))
    if own is None or not seen.base.rows:
        return _reduced(reader, seen) if seen.name in words.GROUP_REDUCES else None
    given = replace(seen.base, items=None, origin="")
    is_single = seen.name in {"map", "applymap", "map_elements"} or bool(seen.base.column)
    if not seen.base.all_of(Groups) and seen.name != "pipe" and (is_single or _is_by_row(seen)):
        given = replace(given, things=frozenset({ByRow()}))
    found = reader.enter(own, [given, *seen.args[1:]], {})
    return union([found, seen.base]).as_rows


def _grouped(_reader: Reader, seen: Seen) -> Value | None:
    if not seen.base.rows:
        return None
    return replace(seen.base, things=frozenset({Groups()}), items=None, column="", origin="")


def _reduced(reader: Reader, seen: Seen) -> Value | None:
    """Work a statistic out of rows: of a column, of groups, or of each row alone."""
    source = seen.base if seen.base.rows or seen.base.things else seen.given(0, "a", "x")
    if isinstance(seen.node.func, ast.Name) and seen.name in {"sum", "min", "max"}:
        return source.as_rows  # Python's own, of the elements of one thing
    if source.all_of(Prediction):
        return code_learning.counted(reader, seen, source)
    if source.all_of(Pending):
        mark = Mark(Kind.STATISTIC, frozenset(), seen.name, seen.place, source.column)
        return marked(replace(source, names=()), [mark])
    if not source.rows:
        return None
    groups = bool(source.all_of(Groups))
    if source.all_of(ByRow) or (not groups and _is_by_row(seen)):
        return source.as_rows
    is_known = groups or seen.name in words.REDUCES
    is_of_two = bool(seen.args) and bool(seen.base.rows) and seen.name in {"min", "max"}
    return _statistic(seen, source, groups=groups) if is_known and not is_of_two else None


def _statistic(seen: Seen, source: Value, *, groups: bool) -> Value:
    column = source.column or _named_column(seen)
    kind = Kind.GROUPED if groups else Kind.STATISTIC
    mark = Mark(kind, frozenset(source.rows), seen.name, seen.place, column)
    rows = source.rows if groups and seen.name == "transform" else ()
    return marked(Value(rows=rows, marks=source.marks), [mark])


def _is_by_row(seen: Seen) -> bool:
    is_numpy = not seen.base.rows
    axis = seen.setting("axis")
    position = 1 if is_numpy else 0
    first = seen.node.args[position] if len(seen.node.args) > position else None
    if isinstance(first, ast.Constant) and axis is None:
        axis = first.value
    return axis in {1, "columns", -1}


def _named_column(seen: Seen) -> str:
    """Return the one column that the arguments of a call name: ``agg({"price": "mean"})``."""
    keys = [k.value for a in seen.node.args if isinstance(a, ast.Dict) for k in a.keys
            if isinstance(k, ast.Constant) and isinstance(k.value, str)]  # fmt: skip
    pairs = [k.value.elts[0] for k in seen.node.keywords
             if isinstance(k.value, ast.Tuple) and k.value.elts]  # fmt: skip
    keys += [p.value for p in pairs if isinstance(p, ast.Constant) and isinstance(p.value, str)]
    keys += [m.column for a in seen.args for _, m in a.marks if m.column]
    return keys[0] if len(set(keys)) == 1 else ""


def _correlated(_reader: Reader, seen: Seen) -> Value | None:
    source = seen.base
    if not source.rows:
        return None
    other = seen.given(0)
    mark = _mark(seen, Kind.CORRELATION, source)._replace(column=other.column if other.rows else "")
    return Value(marks=frozenset({("", mark)}))


def _leaves_groups(_reader: Reader, seen: Seen) -> Value | None:
    if seen.base.rows and seen.name in _WINDOWS:
        return replace(seen.base, things=frozenset({ByRow()}), items=None)
    return seen.base.as_rows if seen.base.all_of(Groups) else None


def _unique(_reader: Reader, seen: Seen) -> Value | None:
    source = seen.base if seen.base.rows else seen.given(0)
    return Value(column=source.column, marks=source.marks) if source.rows else None


def _binned(_reader: Reader, seen: Seen) -> Value | None:
    """Cut into bins; of equal width or size where only their number is given."""
    source = seen.given(0, "x")
    if not source.rows:
        return None
    bins = seen.node.args[1] if len(seen.node.args) > 1 else None
    bins = next((k.value for k in seen.node.keywords if k.arg == "bins"), bins)
    is_number = isinstance(bins, ast.Constant) or seen.name == "qcut"
    found = source.as_rows
    return marked(found, [_mark(seen, Kind.STATISTIC, source)]) if is_number else found


def _scaled(_reader: Reader, seen: Seen) -> Value | None:
    source = seen.given(0, "X")
    if not source.rows or not seen.is_of_library or _is_by_row(seen):
        return None
    return marked(source.as_rows, [_mark(seen, Kind.STATISTIC, source)])


def _column(_reader: Reader, seen: Seen) -> Value | None:
    """Name a column as polars does; rows come with the table that it is put into."""
    names = seen.given(0).names
    if not names or seen.base.rows:
        return None
    return Value(things=frozenset({Pending()}), column=names[0])


def _over(_reader: Reader, seen: Seen) -> Value | None:
    if not seen.base.all_of(Pending):
        return None
    marks = frozenset((c, m._replace(kind=Kind.GROUPED)) for c, m in seen.base.marks)
    return replace(seen.base, marks=marks)


def _aliased(_reader: Reader, seen: Seen) -> Value | None:
    names = seen.given(0).names
    if not names or not seen.base.all_of(Pending):
        return None
    return replace(seen.base, marks=frozenset((names[0], m) for _, m in seen.base.marks))


BY_NAME: dict[str, Callable[[Reader, Seen], Value | None]] = {
    **dict.fromkeys(words.GROUP_REDUCES, _reduced),
    **dict.fromkeys(words.STATISTIC_FUNCTIONS - {"qcut"}, _scaled),
    **dict.fromkeys(_LEAVES_GROUPS, _leaves_groups),
    **dict.fromkeys(("groupby", "group_by"), _grouped),
    **dict.fromkeys(("corr", "corrwith"), _correlated),
    **dict.fromkeys(("cut", "qcut"), _binned),
    **dict.fromkeys(
        ("apply", "map", "applymap", "pipe", "transform", "agg", "map_elements"), _applied
    ),
    "scale": _scaled,
    "drop": _dropped,
    **dict.fromkeys(("drop_duplicates", "unique_by"), _one_each),
    "pop": _popped,
    "sample": _sampled,
    "resample": _resampled,
    "unique": _unique,
    "col": _column,
    "over": _over,
    "alias": _aliased,
}
