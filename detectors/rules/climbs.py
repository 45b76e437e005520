"""Python that goes up from the data looking for labels, or asks a harness's settings for them."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from detectors.parsing import lines_of, parse_leniently
from detectors.rules.hidden_places import Place, Reach, is_answer_word, is_harness_config

if TYPE_CHECKING:
    from collections.abc import Iterator

_LISTS = frozenset({"glob", "rglob", "iterdir", "walk", "listdir", "scandir", "iglob"})
_LABEL = re.compile(r"label|truth|answer|solution|private|hidden|\bgold", re.IGNORECASE)
_UP = frozenset({"parent", "parents", "dirname", "pardir"})
_MAY_CLIMB = re.compile(r"\bparents?\b|\bdirname\b|\bpardir\b|\.\.")
_SETTINGS = re.compile(r"\.(?:ya?ml|json|toml|ini|cfg|conf|env)\b")


def climbed_places(source: str) -> Iterator[tuple[int, Place]]:
    r"""Yield each loop over the folders above that lists them and asks for labels, with its line.

    Examples
    --------
    >>> loop = "for up in here.parents:\n    for q in up.glob('*'):\n        print(q)"
    >>> list(climbed_places(loop)), len(list(climbed_places(loop + " if 'label' in q else 0")))
    ([], 1)
    """
    may_climb = _MAY_CLIMB.search(source) or _SETTINGS.search(source)
    if not may_climb or not _LABEL.search(source):
        return
    nodes = [n for s in parse_leniently(source).body for n in ast.walk(s)]
    for node in nodes:
        if isinstance(node, ast.For | ast.While) and _is_climb(node):
            line = lines_of(source)[node.lineno - 1]
            yield node.lineno, Place(Reach.SEARCH, line.strip())
    yield from _asked_settings(nodes)


def _is_climb(loop: ast.For | ast.While) -> bool:
    """Say whether a loop goes from folder to folder upwards, lists them and names labels."""
    inner = list(ast.walk(loop))
    calls = [n.func for n in inner if isinstance(n, ast.Call)]
    called = {f.attr for f in calls if isinstance(f, ast.Attribute)}
    words = [n.value for n in inner if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    goes_up = _is_up(loop.iter, "") if isinstance(loop, ast.For) else any(map(_steps_up, inner))
    return goes_up and bool(called & _LISTS) and any(map(_LABEL.search, words))


def _steps_up(node: ast.AST) -> bool:
    """Say whether a statement is ``p = p.parent``, in whatever way it is written."""
    if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
        return False
    return _is_up(node.value, node.targets[0].id)


def _is_up(value: ast.expr, name: str) -> bool:
    """Say whether a value is made of folders above; of those above `name`, when one is given."""
    inner = list(ast.walk(value))
    of_name = not name or any(isinstance(n, ast.Name) and n.id == name for n in inner)
    attributes = {n.attr for n in inner if isinstance(n, ast.Attribute)}
    names = {n.id for n in inner if isinstance(n, ast.Name)}
    up = bool(_UP & (attributes | names)) if name else "parents" in attributes
    return of_name and (up or any(isinstance(n, ast.Constant) and n.value == ".." for n in inner))


def _asked_settings(nodes: list[ast.AST]) -> Iterator[tuple[int, Place]]:
    """Yield a harness's settings file that is opened, when its entry about answers is asked for."""
    files = [n for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    asked = [
        key.value
        for n in nodes
        for key in _keys(n)
        if isinstance(key, ast.Constant) and isinstance(key.value, str)
    ]
    if any(map(is_answer_word, asked)):
        yield from (
            (n.lineno, Place(Reach.ENVIRONMENT, str(n.value)))
            for n in files
            if is_harness_config(str(n.value))
        )


def _keys(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.Subscript):
        return [node.slice]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.args[:2] if node.func.attr == "get" else []
    return []
