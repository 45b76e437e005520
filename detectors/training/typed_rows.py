"""Rows that stand typed beside their labels, and typed tables that are asked by the rows' ids."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from detectors.training.flows import last_name
from detectors.training.label_parts import is_number, is_of_rows
from detectors.training.typed import of_node

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.training.programs import Program
    from detectors.training.scopes import Tree
    from detectors.training.typed import Typed

MIN_ROWS = 4
MIN_BITS = 16  # of a number that may hold one label each
MIN_ID = 6  # characters of a key that may be a row's id
_BY_KEY = frozenset({"map", "isin", "replace"})
_WRAPS = frozenset({"array", "asarray", "Series", "Categorical", "list", "tuple", "tensor"})


class Found(NamedTuple):
    """The nodes of typed labels, and those among them that have keys or are set as targets."""

    sources: frozenset[int]
    keyed: frozenset[int]


@dataclass(frozen=True)
class TypedLabels:
    """Finds what stands typed and may be labels of rows.

    Parameters
    ----------
    keys, targets : frozenset of str
        Columns by which rows are told apart, and those that are predicted.
    files : frozenset of str
        Names of files whose rows were typed.
    """

    program: Program
    keys: frozenset[str]
    targets: frozenset[str]
    files: frozenset[str]

    def found(self, least: int, set_for_ids: frozenset[int], assigned: set[int]) -> Found:
        """Return tables of keys and values, or of numbers, and frames: not names of columns.

        Parameters
        ----------
        least : int
            Elements from which a table counts, unless it is asked by ids or has keys like them.
        set_for_ids : frozenset of int
            Values that are set for ids that stand typed.
        assigned : set of int
            The ids of the values that are set as targets.
        """
        tree = self.program.code.tree
        by_key = asked_by_key(tree, self.keys)
        tables = [(n, table) for _, n in tree.nodes if (table := self.program.table(n))]
        by_name = [n for _, n in tree.nodes if id(n) in by_key]
        asked = {id(n) for n in by_name if _is_asked(n)}
        read = {
            id(node)
            for _, node in tree.calls()
            if self.program.is_reading(node)
            and self.files & {t.rpartition("/")[2] for t in self.program.texts(node)}
        }
        frames = typed_frames(tree, self.keys, self.targets)
        always = frozenset(read) | set_for_ids | frames | set_whole(tree, assigned) | masks(tree)
        short = {id(n) for n, t in tables if _may_be_labels(t, least)} | asked
        keyed = {id(n) for n, t in tables if t.pairs} | asked
        return Found(always | short, always | keyed)


def _is_asked(node: ast.AST) -> bool:
    """Say whether a literal has values by key, or lists ids."""
    if isinstance(node, ast.Dict):
        table = of_node(node)
        return table is not None and len(table.pairs) >= MIN_ROWS
    parts = node.elts if isinstance(node, ast.List | ast.Set | ast.Tuple) else []
    return len(parts) >= MIN_ROWS and all(
        isinstance(p, ast.Constant) and any(map(str.isdigit, str(p.value))) for p in parts
    )


def _may_be_labels(table: Typed, least: int) -> bool:
    """Say whether a typed table may be of rows; a short one is by the looks of its keys."""
    if len(table.values) < least:
        keys = list(table.pairs)
        return bool(keys) and all(len(k) >= MIN_ID and any(map(str.isdigit, k)) for k in keys)
    return is_of_rows(table) if table.pairs else all(map(is_number, table.values))


def typed_frames(tree: Tree, keys: frozenset[str], targets: frozenset[str]) -> frozenset[int]:
    """Return literals that hold rows with a column of ids and one of targets.

    Parameters
    ----------
    keys, targets : frozenset of str
        Names of the columns.
    """
    found = {
        id(node)
        for _, node in tree.nodes
        if _is_columns(node, keys, targets)
        or _is_records(node, keys, targets)
        or _is_text(node, keys, targets)
    }
    return frozenset(found | set(_with_names(tree, keys, targets)))


def _is_columns(node: ast.AST, keys: frozenset[str], targets: frozenset[str]) -> bool:
    """Say whether a node is ``{"id": ["a", "b", …], "target": [0, 1, …]}``."""
    if not isinstance(node, ast.Dict):
        return False
    long = {
        getattr(key, "value", None)
        for key, value in zip(node.keys, node.values, strict=True)
        if isinstance(value, ast.List | ast.Tuple) and len(value.elts) >= MIN_ROWS
        if all(isinstance(one, ast.Constant) for one in value.elts)
    }
    return bool(long & keys) and bool(long & targets)


def _is_records(node: ast.AST, keys: frozenset[str], targets: frozenset[str]) -> bool:
    """Say whether a node is ``[{"id": "a", "target": 0}, …]``."""
    if not isinstance(node, ast.List | ast.Tuple) or len(node.elts) < MIN_ROWS:
        return False
    for one in node.elts:
        named = {
            getattr(key, "value", None)
            for key, value in zip(getattr(one, "keys", ()), getattr(one, "values", ()), strict=True)
            if isinstance(value, ast.Constant)
        }
        if not named & keys or not named & targets:
            return False
    return True


def _is_text(node: ast.AST, keys: frozenset[str], targets: frozenset[str]) -> bool:
    """Say whether a node is a text of rows under a header."""
    text = node.value if isinstance(node, ast.Constant) else None
    if not isinstance(text, str) or text.count("\n") < MIN_ROWS:
        return False
    first, *rows = text.strip().splitlines()
    mark = next((m for m in ",\t;|" if m in first), ",")
    named = {word.strip().strip('"') for word in first.split(mark)}
    is_even = all(row.count(mark) >= 1 for row in rows[:MIN_ROWS])
    return bool(named & keys) and bool(named & targets) and is_even


def _with_names(tree: Tree, keys: frozenset[str], targets: frozenset[str]) -> Iterator[int]:
    """Yield frames of typed rows that are given their columns' names beside them."""
    typed = {
        target.id
        for _, node in tree.nodes
        if isinstance(node, ast.Assign) and _is_rows(node.value)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for _, node in tree.calls():
        named = next(
            (k.value for k in node.keywords if k.arg in {"columns", "names", "schema"}), None
        )
        words = {getattr(e, "value", None) for e in getattr(named, "elts", ())}
        first = node.args[0] if node.args else None
        is_typed = _is_rows(first) or (isinstance(first, ast.Name) and first.id in typed)
        if is_typed and words & keys and words & targets:
            yield id(node)


def _is_rows(node: ast.AST | None) -> bool:
    """Say whether a node is a list of rows of constants."""
    if not isinstance(node, ast.List | ast.Tuple) or len(node.elts) < MIN_ROWS:
        return False
    return all(
        isinstance(row, ast.List | ast.Tuple)
        and len(row.elts) > 1
        and all(isinstance(cell, ast.Constant) for cell in row.elts)
        for row in node.elts
    )


def asked_by_key(tree: Tree, keys: frozenset[str]) -> frozenset[int]:
    """Return the dictionaries, and names of some, that are asked by the column of ids.

    ``rows["id"].map(typed)``, ``rows[rows.id.isin(typed)]``, ``typed[i] for i in rows["id"]``, and
    a loop over ``typed.items()`` that compares ids, do so.
    """
    direct, asked = _in_calls(tree, keys)
    asked |= _in_loops(tree, keys)
    named = {
        id(node.value)
        for _, node in tree.nodes
        if isinstance(node, ast.Assign)
        if any(isinstance(t, ast.Name) and t.id in asked for t in node.targets)
    }
    return frozenset(direct | named)


def _in_calls(tree: Tree, keys: frozenset[str]) -> tuple[set[int], set[str]]:
    """Return what a column of ids is mapped by or looked for in: literals, and names."""
    asked: set[str] = set()
    direct: set[int] = set()
    for _, node in tree.calls():
        is_asking = last_name(node) in _BY_KEY and bool(node.args)
        if is_asking and _is_key(getattr(node.func, "value", None), keys):
            direct.add(id(node.args[0]))
            asked |= _names_in(node.args[0])
    return direct, asked


def _in_loops(tree: Tree, keys: frozenset[str]) -> set[str]:
    """Return the names that a loop over ids asks, or whose items a loop compares with ids."""
    loops = [n for _, n in tree.nodes if isinstance(n, ast.For | ast.comprehension)]
    turns = {key: name for loop in loops for key, name in _turns(loop).items()}
    ids = {name for one in loops if _has_key(one.iter, keys) for name in _names_in(one.target)}
    asked: set[str] = set()
    for _, node in tree.nodes:
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            if any(_is_key(side, keys) for side in sides):
                asked |= {turns[n] for side in sides for n in _names_in(side) if n in turns}
        elif isinstance(node, ast.Subscript) and _names_in(node.slice) & ids:
            asked |= _names_in(node.value)
        elif isinstance(node, ast.Call) and last_name(node) == "get" and node.args:
            asked |= _names_in(node.func) if _names_in(node.args[0]) & ids else set()
    return asked


def _turns(node: ast.For | ast.comprehension) -> dict[str, str]:
    """Return the name of each turn's key, with the dictionary that a loop goes over."""
    called = node.iter if isinstance(node.iter, ast.Call) else None
    on = getattr(getattr(called, "func", None), "value", None)
    if called is None or last_name(called) != "items" or not isinstance(on, ast.Name):
        return {}
    first = node.target.elts[0] if isinstance(node.target, ast.Tuple) else None
    return {first.id: on.id} if isinstance(first, ast.Name) else {}


def _is_key(node: ast.AST | None, keys: frozenset[str]) -> bool:
    """Say whether an expression is a frame's column of ids, as other types too, or its index."""
    while isinstance(node, ast.Call) and last_name(node) in {"astype", "to_numpy", "tolist"}:
        node = getattr(node.func, "value", None)
    if isinstance(node, ast.Attribute):
        return node.attr in keys or node.attr == "index"
    return isinstance(node, ast.Subscript) and getattr(node.slice, "value", None) in keys


def _has_key(node: ast.AST, keys: frozenset[str]) -> bool:
    return any(_is_key(inner, keys) for inner in ast.walk(node))


def _names_in(node: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


def set_whole(tree: Tree, assigned: set[int]) -> frozenset[int]:
    """Return lists of constants that are set as a target as they stand, or by their name.

    Parameters
    ----------
    assigned : set of int
        The ids of the values that are set as targets.
    """
    lists: dict[str, int] = {}
    often: set[str] = set()
    for _, node in tree.nodes:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            often |= {name} & lists.keys()
            if _is_list(node.value):
                lists[name] = id(node.value)
    found = set()
    for _, node in tree.nodes:
        value = _unwrapped(node) if id(node) in assigned else None
        if value is not None and _is_list(value):
            found.add(id(value))
        elif isinstance(value, ast.Name) and value.id in lists and value.id not in often:
            found.add(lists[value.id])
    return frozenset(found)


def masks(tree: Tree) -> frozenset[int]:
    """Return long numbers whose bits are taken one by one, as ``(MASK >> k) & 1`` does."""
    taken = {
        name
        for _, node in tree.nodes
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd)
        if getattr(node.right, "value", None) == 1 and isinstance(node.left, ast.BinOp)
        if isinstance(node.left.op, ast.RShift)
        for name in _names_in(node.left.left)
    }
    return frozenset(
        id(node.value)
        for _, node in tree.nodes
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        if isinstance(node.value.value, int) and node.value.value.bit_length() >= MIN_BITS
        if any(isinstance(t, ast.Name) and t.id in taken for t in node.targets)
    )


def _unwrapped(node: ast.AST) -> ast.AST:
    """Return what an array or a series is made of."""
    while isinstance(node, ast.Call) and last_name(node) in _WRAPS and node.args:
        node = node.args[0]
    return node


def _is_list(node: ast.AST) -> bool:
    """Say whether a node is a list of constants that are not all the same."""
    parts = node.elts if isinstance(node, ast.List | ast.Tuple) else []
    values = [p.value for p in parts if isinstance(p, ast.Constant)]
    return len(values) == len(parts) >= MIN_ROWS and len(set(map(str, values))) > 1
