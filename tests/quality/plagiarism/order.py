"""Disguises that move whole statements and cells, or put others between them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from tests.quality.plagiarism.code import (
    MARK,
    SCOPES,
    Chunk,
    Code,
    Edit,
    bodies,
    cells,
    chunks,
    joined,
    n_lines,
    names_in,
    one_a_line,
    replaced,
)
from tests.quality.plagiarism.naming import fresh_names

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

_STATEFUL = {"plt", "sns", "random", "np", "torch", "tf", "K", "gc", "ax", "fig"}
_PURE_METHODS = {
    *("head", "mean", "sum", "std", "groupby", "merge", "copy", "map", "apply", "astype", "max"),
    *("min", "value_counts", "isnull", "dropna", "predict", "transform", "split", "strip", "lower"),
    *("format", "keys", "values", "items", "join", "replace", "unique", "count", "reshape", "log"),
    *("log1p", "exp", "array", "zeros", "ones", "concatenate", "where", "sqrt", "abs", "get"),
}
_PURE_CALLS = {
    *("len", "range", "str", "int", "float", "list", "dict", "set", "sorted", "zip", "sum", "max"),
    *("min", "abs", "round", "enumerate", "tuple", "bool", "type", "isinstance", "map", "filter"),
}
_FILES = ("to_", "read", "save", "load", "dump", "open", "write")
_BARRIERS = (
    *(ast.Return, ast.Raise, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom, ast.Await),
    *(ast.Global, ast.Nonlocal, ast.Assert, ast.Delete),
)
_WORLD = "*"
_PER_BLOCK = 4
_PASSES = 3
DEAD_SHARE = 0.35


class Effects(NamedTuple):
    """Names that a statement looks at, and those it binds or may change."""

    reads: frozenset[str]
    writes: frozenset[str]


def effects(node: ast.stmt, imported: frozenset[str] = frozenset()) -> Effects:
    """Tell what a statement may depend on and change; in doubt it changes the whole world.

    Parameters
    ----------
    imported : frozenset of str
        Names bound by imports; what they do is held to change nothing but their arguments.
    """
    reads: set[str] = set()
    writes: set[str] = set()
    for n in ast.walk(node):
        if isinstance(n, ast.Name):
            (reads if isinstance(n.ctx, ast.Load) else writes).add(n.id)
        elif isinstance(n, ast.Attribute | ast.Subscript) and not isinstance(n.ctx, ast.Load):
            writes.add(root(n))
        elif isinstance(n, ast.Call):
            writes |= _changed_by(n, imported)
        elif isinstance(n, ast.alias):
            writes.add((n.asname or n.name).partition(".")[0])
        elif isinstance(n, SCOPES):
            writes.add(n.name)
        elif isinstance(n, _BARRIERS):
            writes.add(_WORLD)
    return Effects(frozenset(reads), frozenset(writes - {""}))


def _changed_by(call: ast.Call, imported: frozenset[str]) -> set[str]:
    function = call.func
    arguments = set(map(root, call.args))
    if isinstance(function, ast.Name):
        known = arguments if function.id in imported else {_WORLD}
        return set() if function.id in _PURE_CALLS else known
    if not isinstance(function, ast.Attribute):
        return {_WORLD}
    base = root(function)
    if function.attr.startswith(_FILES):
        return {base, "file system"}
    if function.attr in _PURE_METHODS and not any(k.arg == "inplace" for k in call.keywords):
        return set()
    if base in _STATEFUL:
        return {_WORLD}
    return arguments if base in imported else {base, *arguments}


def root(node: ast.expr) -> str:
    """Return the name an attribute or item belongs to; the whole world when there is none."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Starred):
        node = node.value
    if isinstance(node, ast.Constant):
        return ""
    return node.id if isinstance(node, ast.Name) else _WORLD


def _alias_groups(tree: ast.AST) -> dict[str, str]:
    """Map each name to one that stands for all that may be the same object."""
    leader: dict[str, str] = {}

    def find(name: str) -> str:
        while leader.get(name, name) != name:
            name = leader[name]
        return name

    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.For):
            value = node.value if isinstance(node, ast.Assign) else node.iter
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            sources = [n.id for n in ast.walk(value) if isinstance(n, ast.Name)]
            if isinstance(value, ast.Constant | ast.BinOp | ast.Compare | ast.JoinedStr):
                continue
            for target in targets:
                bound = [n.id for n in ast.walk(target) if isinstance(n, ast.Name)]
                for name in (*bound, *sources):
                    leader[find(name)] = find(bound[0]) if bound else find(name)
    return {name: find(name) for name in leader}


def commute(a: Effects, b: Effects) -> bool:
    """Tell whether two statements may change places."""
    if _WORLD in a.writes | b.writes:
        return False
    return not (a.writes & (b.reads | b.writes) or b.writes & a.reads)


def statements_reordered(text: str, rng: Random) -> str:
    """Let neighbouring statements that do not depend on each other change places, many times."""
    code = Code(one_a_line(text))
    inner = [body for body in bodies(code.tree) if body is not code.tree.body]
    code = Code(code.edited(_reordered(code, inner, rng)))
    return code.edited(_reordered(code, [code.tree.body], rng))


def _reordered(code: Code, wanted: Sequence[list[ast.stmt]], rng: Random) -> Iterator[Edit]:
    group = _alias_groups(code.tree)
    imported = frozenset(
        (a.asname or a.name).partition(".")[0]
        for n in ast.walk(code.tree)
        if isinstance(n, ast.Import | ast.ImportFrom)
        for a in n.names
    )
    for body in wanted:
        found = chunks(code, body)
        if found is None or len(found) < 2:
            continue
        known = {id(c.node): _grouped(effects(c.node, imported), group) for c in found}
        order = _shuffled(found, known, rng)
        if order != found:
            yield replaced(code, body, "".join(c.text for c in order))


def _grouped(one: Effects, group: dict[str, str]) -> Effects:
    return Effects(
        frozenset(group.get(n, n) for n in one.reads),
        frozenset(group.get(n, n) for n in one.writes),
    )


def _shuffled(found: list[Chunk], known: dict[int, Effects], rng: Random) -> list[Chunk]:
    order = list(found)
    fixed = {id(c.node) for c in found if MARK in c.text or _is_text(c.node) or _is_future(c.node)}
    for _ in range(_PASSES * len(order)):
        i = rng.randrange(len(order) - 1)
        a, b = order[i].node, order[i + 1].node
        if not {id(a), id(b)} & fixed and commute(known[id(a)], known[id(b)]):
            order[i], order[i + 1] = order[i + 1], order[i]
    return order


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def blocks(text: str) -> list[str]:
    """Cut a text into its cells, or a script into runs of a few top-level statements."""
    if MARK in text.splitlines():
        return cells(text)
    code = Code(one_a_line(text))
    found = chunks(code, code.tree.body)
    if found is None:
        return [text]
    runs = [found[n : n + _PER_BLOCK] for n in range(0, len(found), _PER_BLOCK)]
    return ["".join(c.text for c in run).strip("\n") for run in runs]


def cells_shuffled(text: str, rng: Random) -> str:
    """Put the cells of a notebook, or the blocks of a script, in any order; imports first."""
    parts = blocks(text)
    first = [p for p in parts if _only_imports(p)]
    rest = [p for p in parts if not _only_imports(p)]
    rng.shuffle(rest)
    if MARK in text.splitlines():
        return joined([*first, *rest])
    return "\n\n".join([*first, *rest]) + "\n"


def _only_imports(part: str) -> bool:
    try:
        body = Code(part).tree.body
    except SyntaxError:
        return False
    return bool(body) and all(isinstance(s, ast.Import | ast.ImportFrom) for s in body)


_DEAD = (
    "{a} = {n}\n",
    "{a} = [{n}, {m}]\nif len({a}) > {n}:\n    print('{w}')\n",
    "def {a}({b}, {c}={n}):\n    {d} = [{b} * {c} for _ in range({m})]\n    return sum({d})\n",
    "{a} = {{'{w}': {n}, '{v}': {m}}}\nfor {b} in {a}:\n    if {a}[{b}] < 0:\n        break\n",
    "try:\n    {a} = int('{n}')\nexcept ValueError:\n    {a} = None\n",
    "for {a} in range({n}):\n    if {a} > {m} + {n}:\n        print('{w}', {a})\n",
    "{a} = '{w} {v}'.split()\n{b} = [{c}.upper() for {c} in {a}]\n",
    "if {n} < 0:\n    {a} = sorted(range({m}))\n    print({a})\n",
    "def {a}({b}):\n    if {b} is None:\n        return {n}\n    return str({b}).strip()\n",
    "class {a}(object):\n    {b} = {n}\n\n    def {c}(self, {d}):\n        return self.{b} + {d}\n",
    "{a} = lambda {b}: {b} * {n} + {m}\n",
    "while False:\n    {a} = {n}\n    print({a})\n",
    "{a} = {n} if {m} > 2 else {m}\nassert {a} >= 0\n",
    "{a} = set()\n{a}.add({n})\n{a}.add('{w}')\n{b} = len({a}) * {m}\n",
)
_WORDS = ("debug", "start", "ready", "fold", "cache", "extra", "later", "note", "step", "phase")


def _dead(rng: Random, names: Iterator[str]) -> str:
    return rng.choice(_DEAD).format(
        **{key: next(names) for key in "abcd"},
        n=rng.randint(2, 60),
        m=rng.randint(3, 20),
        w=rng.choice(_WORDS),
        v=rng.choice(_WORDS),
    )


def dead_code(text: str, rng: Random, share: float = DEAD_SHARE) -> str:
    """Put statements without any effect between the others until they are `share` of the lines."""
    code = Code(one_a_line(text))
    found = chunks(code, code.tree.body)
    if found is None:
        return text
    names = fresh_names(rng, names_in(code.tree))
    wanted, added = share / (1 - share) * n_lines(text), 0
    between: list[list[str]] = [[] for _ in found]
    first = next((n for n, c in enumerate(found) if not _is_future(c.node)), 0)
    while added < wanted:
        piece = _dead(rng, names)
        between[rng.randrange(first, len(found))].append(piece)
        added += n_lines(piece)
    return code.edited([replaced(code, code.tree.body, _laced(found, between))])


def _laced(found: Sequence[Chunk], between: Sequence[Sequence[str]]) -> str:
    return "".join(c.text + "".join(extra) for c, extra in zip(found, between, strict=True))
