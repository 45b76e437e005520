"""Names of straight code told apart by what they were set to last, so that flows keep the order."""

from __future__ import annotations

import ast
import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from detectors.folding import dotted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

MARK = "\u00b7"  # between a name and the number of a value that is replaced later; no name has it
_SHOWS = re.compile(
    r"(?:^|\.)(?:print|display|info|debug|warning|log|write\w*|plot|hist|scatter|dump|save\w*|fit|"
    r"to_csv|append|extend|add|head|describe)$"
)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_TWO = 2
_MAKES = frozenset({"DataFrame", "assign", "with_columns"})


def set_apart(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    r"""Rename in place what a block sets and replaces later, and drop columns that are replaced.

    A name that is set again and again in a row of statements is ``p·1``, ``p·2`` and at last ``p``.
    What is set below conditions and loops, or used by a function, stays one name. The blocks of
    functions are treated alike.

    Examples
    --------
    >>> body = ast.parse("p = f()\nprint(p)\np = g()\nsave(p)").body
    >>> [ast.unparse(s) for s in set_apart(body)]
    ['p·1 = f()', 'print(p·1)', 'p = g()', 'save(p)']
    """
    body = _written_last(body)
    kept = [_without_column(body, at) for at in range(len(body))]
    _rename(kept, outer=_left_alone(kept))
    for statement in kept:
        for node in ast.walk(statement):
            if isinstance(node, _FUNCTIONS):
                _rename(node.body, outer=_left_alone(node.body))
    return kept


def _rename(body: Sequence[ast.stmt], outer: set[str]) -> None:
    last = Counter(name for statement in body for name in _sets(statement) if name not in outer)
    seen: Counter[str] = Counter()
    for statement in body:
        if isinstance(statement, (*_FUNCTIONS, ast.ClassDef)):
            continue
        names = {n for n in _sets(statement) if n in last}
        for node in _outside_targets(statement) if names else ast.walk(statement):
            if isinstance(node, ast.Name) and node.id in last:
                node.id = _called(node.id, seen[node.id], last[node.id])
        if names:
            seen.update(names)
            for target in _after_setting(statement):
                for node in ast.walk(target):
                    if isinstance(node, ast.Name) and node.id in last:
                        node.id = _called(node.id, seen[node.id], last[node.id])


def _called(name: str, number: int, last: int) -> str:
    """Name a value: the last one keeps the name, and so does what is used before any is set."""
    return name if number in {0, last} else f"{name}{MARK}{number}"


def _sets(statement: ast.stmt) -> frozenset[str]:
    """Return the names that a statement sets as a whole, whatever they were."""
    names: set[str] = set()
    for target in _targets(statement):
        parts = target.elts if isinstance(target, ast.Tuple | ast.List) else [target]
        if not all(isinstance(part, ast.Name) for part in parts):
            return frozenset()
        names |= {part.id for part in parts if isinstance(part, ast.Name)}
    return frozenset(names)


def _targets(statement: ast.stmt) -> list[ast.expr]:
    if isinstance(statement, ast.Assign):
        return statement.targets
    if isinstance(statement, ast.For | ast.AsyncFor):
        return [statement.target]
    is_set = isinstance(statement, ast.AnnAssign) and statement.value is not None
    return [statement.target] if is_set and isinstance(statement, ast.AnnAssign) else []


def _outside_targets(statement: ast.stmt) -> Iterator[ast.AST]:
    value = getattr(statement, "iter", None) or getattr(statement, "value", None)
    if isinstance(value, ast.expr):
        yield from ast.walk(value)


def _after_setting(statement: ast.stmt) -> list[ast.AST]:
    """Return what of a statement has the names as it sets them: its targets, a loop's body."""
    if isinstance(statement, ast.For | ast.AsyncFor):
        return [statement.target, *statement.body, *statement.orelse]
    return [*_targets(statement)]


def _left_alone(body: Sequence[ast.stmt]) -> set[str]:
    return _used_by_functions(body) | _bound_otherwise(body) | _changed_by_calls(body)


def _changed_by_calls(body: Iterable[ast.stmt]) -> set[str]:
    """Return the names that are handed to calls whose result is not kept: they may change them."""
    return {
        given.id
        for statement in body
        for node in ast.walk(statement)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
        if not _SHOWS.search(dotted(node.value.func))
        for given in (*node.value.args, *(k.value for k in node.value.keywords))
        if isinstance(given, ast.Name)
    }


def _used_by_functions(body: Iterable[ast.stmt]) -> set[str]:
    """Return the names that functions and classes of a block use, or set as global ones."""
    return {
        name
        for statement in body
        for node in ast.walk(statement)
        if isinstance(node, (*_FUNCTIONS, ast.ClassDef, ast.Global, ast.Nonlocal))
        for inner in ast.walk(node)
        for name in (
            [inner.id]
            if isinstance(inner, ast.Name)
            else inner.names
            if isinstance(inner, ast.Global | ast.Nonlocal)
            else []
        )
    }


def _bound_otherwise(body: Iterable[ast.stmt]) -> set[str]:
    """Return the names that imports and definitions bind."""
    found: set[str] = set()
    for statement in body:
        for node in ast.walk(statement):
            if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
                found.add(node.name)
            elif isinstance(node, ast.Import | ast.ImportFrom):
                found |= {a.asname or a.name.partition(".")[0] for a in node.names}
    return found


def _written_last(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """Leave out what writes a file that the same words write again further down."""
    dumped = [ast.dump(s) if _is_writing(s) else "" for s in body]
    last = {words: at for at, words in enumerate(dumped) if words}
    return [
        ast.copy_location(ast.Pass(), s) if words and last[words] != at else s
        for at, (s, words) in enumerate(zip(body, dumped, strict=True))
    ]


def _is_writing(statement: ast.stmt) -> bool:
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(call, ast.Call) and getattr(call.func, "attr", "") in {"to_csv", "write_csv"}


def _without_column(body: Sequence[ast.stmt], at: int) -> ast.stmt:
    """Return a statement, or its value alone where the column that it sets is replaced unread."""
    column = _column(body[at])
    if column is None or not isinstance(body[at], ast.Assign):
        for made in _columns_made(body[at]):
            if _is_replaced(body[at + 1 :], made.column):
                made.leave_out()
        return body[at]
    if _is_replaced(body[at + 1 :], column):
        value = body[at].value  # type: ignore[attr-defined]
        return ast.copy_location(ast.Expr(value), body[at])
    return body[at]


def _is_replaced(body: Sequence[ast.stmt], column: tuple[str, object]) -> bool:
    """Say whether a block sets a frame's column before it reads it."""
    for after in body:
        uses = [n for n in ast.walk(after) if isinstance(n, ast.Name) and n.id == column[0]]
        if not uses:
            continue
        if len(uses) == _TWO and _assigns(after, column):
            return True
        n_harmless = _harmless(after, column)
        if _column(after) == column and len(uses) - n_harmless == 1:
            return True
        is_other = _column(after) not in {None, column}
        if not _only_shows(after) and len(uses) - is_other > n_harmless:
            return False
    return False


def _assigns(statement: ast.stmt, column: tuple[str, object]) -> bool:
    """Say whether a statement is ``f = f.assign(a=x)``, of a frame and its column."""
    made = {one.column for one in _columns_made(statement)}
    call = statement.value if isinstance(statement, ast.Assign) else None
    of = getattr(getattr(call, "func", None), "value", None)
    return column in made and isinstance(of, ast.Name) and of.id == column[0]


class _Made(NamedTuple):
    """A column that a frame is made with: an item of a dictionary, or a word of a call."""

    column: tuple[str, object]
    node: ast.Dict | ast.Call
    at: int

    def leave_out(self) -> None:
        """Make the frame without it; what stands after it keeps its place."""
        nothing = ast.copy_location(ast.Constant(None), self.node)
        if isinstance(self.node, ast.Dict):
            self.node.values[self.at] = nothing
        else:
            self.node.keywords[self.at].value = nothing


def _columns_made(statement: ast.stmt) -> Iterator[_Made]:
    """Yield the columns of ``f = DataFrame({"a": x})`` and ``f = g.assign(a=x)``."""
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    call = statement.value if isinstance(statement, ast.Assign) else None
    if not isinstance(target, ast.Name) or not isinstance(call, ast.Call):
        return
    name = getattr(call.func, "attr", "") or getattr(call.func, "id", "")
    if name not in _MAKES:
        return
    spread = [k.value for k in call.keywords if k.arg in {None, "data"}]
    for given in (n for n in [*call.args[:1], *spread] if isinstance(n, ast.Dict)):
        for at, key in enumerate(given.keys):
            if isinstance(key, ast.Constant):
                yield _Made((target.id, key.value), given, at)
    for at, word in enumerate(call.keywords if name != "DataFrame" else []):
        if word.arg is not None:
            yield _Made((target.id, word.arg), call, at)


def _column(statement: ast.stmt) -> tuple[str, object] | None:
    """Return the frame and the column that a statement sets whole: ``f["a"] = x``, ``f.a = x``."""
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
        return (target.value.id, target.attr) if target.value.id != "self" else None
    if not isinstance(target, ast.Subscript):
        return None
    frame, column = target.value, target.slice
    if isinstance(frame, ast.Attribute) and frame.attr == "loc" and isinstance(column, ast.Tuple):
        rows, *names = column.elts
        is_all = isinstance(rows, ast.Slice) and not (rows.lower or rows.upper or rows.step)
        if is_all and len(names) == 1:
            frame, column = frame.value, names[0]
    is_named = isinstance(column, ast.Constant) and isinstance(frame, ast.Name)
    return (frame.id, column.value) if is_named else None  # type: ignore[attr-defined]


def _harmless(statement: ast.stmt, column: tuple[str, object]) -> int:
    """Count the uses of a frame that do not look at a column: its length, another column."""
    found = 0
    for node in ast.walk(statement.value if isinstance(statement, ast.Assign) else statement):
        inner: ast.expr | None = None
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "len" and node.args:
            inner = node.args[0]
        elif isinstance(node, ast.Attribute) and node.attr in {"shape", "index"}:
            inner = node.value
        elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            inner = node.value if node.slice.value != column[1] else None
        found += isinstance(inner, ast.Name) and inner.id == column[0]
    return found


def _only_shows(statement: ast.stmt) -> bool:
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(call, ast.Call) and getattr(call.func, "id", "") in {"print", "display"}
