"""Other names for what a text binds itself."""

from __future__ import annotations

import ast
import builtins
import keyword
from typing import TYPE_CHECKING

from tests.quality.plagiarism.code import FUNCTIONS, SCOPES, Code, Edit, names_in

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

_FIRST = (
    *("base", "raw", "clean", "final", "main", "new", "tmp", "full", "local", "extra", "inner"),
    *("left", "best", "mean", "total", "known", "sorted", "split", "scaled", "merged", "my"),
)
_SECOND = (
    *("frame", "table", "rows", "values", "cols", "part", "set", "block", "items", "score"),
    *("feats", "target", "model", "result", "batch", "vec", "list", "group", "series", "map"),
)


def fresh_names(rng: Random, taken: set[str]) -> Iterator[str]:
    """Yield plausible names that are not taken, without end."""
    taken = taken | set(keyword.kwlist) | set(dir(builtins))
    number = 0
    while True:
        first, second = rng.choice(_FIRST), rng.choice(_SECOND)
        name = rng.choice((f"{first}_{second}", f"{second}_{first}", f"{first}{second.title()}"))
        if name in taken:
            number += 1
            name = f"{name}{number}"
        if name not in taken:
            taken.add(name)
            yield name


def _bound(tree: ast.Module) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, SCOPES):
            found.add(node.name)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.alias) and node.asname:
            found.add(node.asname)
    return found


def _kept(tree: ast.Module) -> set[str]:
    """Names whose every place cannot be seen: keywords, class bodies, f-strings, `global`."""
    kept = {"self", "cls", "_"}
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg:
            kept.add(node.arg)
        elif isinstance(node, ast.Global | ast.Nonlocal):
            kept.update(node.names)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            kept.add(node.name)
        elif isinstance(node, ast.JoinedStr):
            kept.update(n.id for n in ast.walk(node) if isinstance(n, ast.Name))
        elif isinstance(node, ast.MatchAs | ast.MatchStar) and node.name:
            kept.add(node.name)
        elif isinstance(node, ast.ClassDef):
            inside = [s.name for s in node.body if isinstance(s, SCOPES)]
            stores = (n for s in node.body for n in ast.walk(s) if isinstance(n, ast.Name))
            kept.update(inside, (n.id for n in stores if isinstance(n.ctx, ast.Store)))
            kept.update(a.arg for s in node.body for a in ast.walk(s) if isinstance(a, ast.arg))
        elif isinstance(node, ast.ImportFrom | ast.Import):
            kept.update(a.name.partition(".")[0] for a in node.names if not a.asname)
    return kept


def renamed(text: str, rng: Random, share: float = 1.0) -> str:
    """Give the variables, functions, parameters and aliases of a text other names.

    The layout and the comments stay. Names of parameters that a call mentions, of class members
    and in f-strings stay, so that the text does what it did.

    Parameters
    ----------
    share : float in (0, 1]
        Of the names that can be changed, how many are.
    """
    code = Code(text)
    candidates = sorted(_bound(code.tree) - _kept(code.tree))
    chosen = [n for n in candidates if share >= 1 or rng.random() < share]
    source = fresh_names(rng, names_in(code.tree))
    return code.edited(_edits(code, {name: next(source) for name in chosen}))


def _edits(code: Code, new: dict[str, str]) -> Iterator[Edit]:
    for node in ast.walk(code.tree):
        if isinstance(node, ast.Name) and node.id in new:
            yield Edit(code.start(node), code.end(node), new[node.id])
        elif isinstance(node, ast.arg) and node.arg in new:
            at = code.start(node)
            yield Edit(at, at + len(node.arg.encode()), new[node.arg])
        elif isinstance(node, ast.alias) and node.asname in new:
            at = code.end(node)
            yield Edit(at - len(node.asname.encode()), at, new[node.asname])
        elif isinstance(node, SCOPES) and node.name in new:
            word = b"def" if isinstance(node, FUNCTIONS) else b"class"
            line = (
                code.start(node) if not node.decorator_list else code.end(node.decorator_list[-1])
            )
            at = code.data.index(node.name.encode(), code.data.index(word, line) + len(word))
            yield Edit(at, at + len(node.name.encode()), new[node.name])
