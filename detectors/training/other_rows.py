"""Rows of other data sets: which calls read them, and where they are cut down to the test rows."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from detectors.bounds import UNKNOWN
from detectors.training.flows import last_name
from detectors.training.label_parts import columns_of
from detectors.training.scopes import binding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from detectors.training.flows import Flow
    from detectors.training.programs import Program
    from detectors.training.scopes import Scope, Tree

MAX_STEPS = 12  # from a name back to what it was set to
_OWN = re.compile(
    r"subm|pseudo|oof|teacher|soft|pred|ensemble|blend|prob|logit|sample|stack|cache[d]?_feat|feat",
    re.IGNORECASE,
)
_TRAIN = re.compile(r"train", re.IGNORECASE)
# Below the task's own data, or in a folder whose name is not known.
_PUBLIC = re.compile(
    rf"\btest/|(?:^|[ /])inputs?/|^/home/data|^(?:\./)?data/|^[{UNKNOWN}$]|^[^/]*$"
)
_BESIDE = re.compile(r"(?:^|/)inputs?/|^/home/(?:\w+/)?data/|^(?:\.{0,2}/)*data/", re.IGNORECASE)
_LISTS = re.compile(r"(?:^|\.)(?:i?glob|rglob|iterdir|walk|scandir|listdir)$")
_TABLES = re.compile(
    r"(?:^|\.)(?:read_\w+|open|load_dataset|fetch_openml|loadtxt|genfromtxt|get_rdataset)$"
)
_BY_NAME = re.compile(r"^(?:fetch_openml|get_rdataset)$")
_PARSES = frozenset({"parse", "iterparse", "load_json", "parse_file"})
_KEEPS = frozenset(
    {"copy", "drop", "rename", "reset_index", "dropna", "sample", "assign", "head", "astype",
     "drop_duplicates", "filter", "set_index", "sort_values", "reindex", "to_pandas", "fillna"}
)  # fmt: skip
_MEETS = frozenset({"isin", "in1d", "is_in", "intersection", "intersect1d"})
_JOINS = frozenset({"merge", "join"})
_INNER = frozenset({"inner", "right", "semi"})


def elsewhere(program: Program) -> set[int]:
    """Return the calls that read tables or list files which are none of the task's own."""
    found = set()
    for _, node in program.code.tree.calls():
        texts = " ".join(program.texts(node))
        name = last_name(node)
        is_listing = _LISTS.search(name) is not None and re.search(r"[\w*]/[\w*]", texts)
        is_table = _TABLES.search(name) is not None and (
            program.reads(node) == "other" or "load_dataset" in name or "openml" in name
        )
        of_names = _BY_NAME.search(name) is not None  # of a library, not of a file
        is_own = any(p.search(texts) for p in (_OWN, _TRAIN, *(() if of_names else (_PUBLIC,))))
        if (is_listing or is_table) and texts and not is_own:
            found.add(id(node))
    return found


def beside(program: Program) -> set[int]:
    """Return the calls that read further tables out of the folder of the task's data.

    Where no table is called train, a further one may be it.
    """
    found: set[int] = set()
    if not any(program.reads(node) == "train" for _, node in program.code.tree.calls()):
        return found
    for _, node in program.code.tree.calls():
        texts = [t for t in program.texts(node) if "/" in t]
        is_table = _TABLES.search(last_name(node)) is not None and program.reads(node) == "other"
        is_table |= last_name(node) in _PARSES
        if is_table and texts and all(map(_BESIDE.search, texts)):
            names = " ".join(t.rpartition("/")[2] for t in texts)
            if not _OWN.search(names) and not _TRAIN.search(names) and UNKNOWN not in names:
                found.add(id(node))
    return found


def is_asked_for(tree: Tree, flow: Flow, of_task: Iterable[Flow], names: frozenset[str]) -> bool:
    """Say whether a column or key of one of some names is asked of what depends on something.

    Parameters
    ----------
    of_task : iterable of Flow
        Of the task's own tables: what depends on them counts for nothing.
    """
    asked: list[tuple[Scope, ast.AST]] = []
    for scope, node in tree.nodes:
        if isinstance(node, ast.Subscript) and names & columns_of(node):
            asked.append((scope, node.value))
        elif isinstance(node, ast.Call) and last_name(node) == "get" and node.args:
            is_named = getattr(node.args[0], "value", None) in names
            asked += [(scope, getattr(node.func, "value", node))] if is_named else []
    return any(
        flow.depends(scope, on) and not any(one.depends(scope, on) for one in of_task)
        for scope, on in asked
    )


class Matched:
    """Finds rows of another data set that were cut down to those of the test part.

    Parameters
    ----------
    flow, tests, trains : Flow
        Of the other data set, of the test and of the train rows.
    """

    def __init__(self, program: Program, flow: Flow, tests: Flow, trains: Flow) -> None:
        self.flow, self.tests, self.trains = flow, tests, trains
        self._values: dict[str, list[ast.expr]] = {}
        for _, node in program.code.tree.nodes:
            value, targets = binding(node)
            for target in targets if isinstance(node, ast.Assign | ast.AnnAssign) else ():
                if isinstance(target, ast.Name) and value is not None:
                    self._values.setdefault(target.id, []).append(value)
        self._met = {
            id(node) for scope, node in program.code.tree.nodes if self._is_met(scope, node)
        }

    def is_of_test(self, part: ast.expr) -> bool:
        """Say whether a frame is such rows, as they are or with fewer columns."""
        if not self._met:
            return False
        return any(id(node) in self._met for node in self._back(part))

    def _back(self, node: ast.expr) -> Iterator[ast.expr]:
        """Yield a frame and those that it was taken from, back to what made it."""
        todo, seen = [node], set[int]()
        while todo and len(seen) < MAX_STEPS:
            one = todo.pop()
            if id(one) in seen:
                continue
            seen.add(id(one))
            yield one
            if isinstance(one, ast.Subscript) or (
                isinstance(one, ast.Attribute) and one.attr in {"loc", "iloc"}
            ):
                todo.append(one.value)
            elif isinstance(one, ast.Call) and last_name(one) in _KEEPS:
                on = getattr(one.func, "value", None)
                todo += [on] if isinstance(on, ast.expr) else []
            elif isinstance(one, ast.Name):
                todo += self._values.get(one.id, [])

    def _is_met(self, scope: Scope, node: ast.AST) -> bool:
        if isinstance(node, ast.Subscript):
            return self._is_other(scope, node.value) and self._is_in(scope, node.slice)
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            return False
        on, name = node.func.value, last_name(node)
        if not self._is_other(scope, on) or not node.args:
            return False
        given = {k.arg: getattr(k.value, "value", None) for k in node.keywords}
        if name in _JOINS:
            is_inner = given.get("how", "inner" if name == "merge" else "left") in _INNER
            return is_inner and "indicator" not in given and self._is_test(scope, node.args[0])
        is_kept = name in {"filter", "query", "where"} and self._is_in(scope, node.args[0])
        return is_kept or (name == "reindex" and self._is_test(scope, node.args[0]))

    def _is_in(self, scope: Scope, rule: ast.expr) -> bool:
        """Say whether a condition keeps what is among the test rows, and not what is not."""
        inner = list(ast.walk(rule))
        if any(
            isinstance(n, ast.Invert | ast.Not | ast.USub | ast.NotIn | ast.NotEq) for n in inner
        ):
            return False
        if any(isinstance(n, ast.Compare) and _is_false(n) for n in inner):
            return False
        meets = (n for n in inner if isinstance(n, ast.Call) and last_name(n) in _MEETS)
        is_met = any(self._is_test(scope, a) for n in meets for a in n.args)
        return is_met or (isinstance(rule, ast.Subscript) and self._is_test(scope, rule))

    def _is_other(self, scope: Scope, node: ast.AST) -> bool:
        return self.flow.depends(scope, node) and not self._is_test(scope, node)

    def _is_test(self, scope: Scope, node: ast.AST) -> bool:
        return self.tests.depends(scope, node) and not self.trains.depends(scope, node)


def _is_false(node: ast.Compare) -> bool:
    return any(isinstance(c, ast.Constant) and c.value in (False, 0) for c in node.comparators)
