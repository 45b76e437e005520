"""Which branch of a program ran, told by what it printed."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MIN_TOLD = 10  # characters of a text by which a printed line is known
_PRINTS = re.compile(r"^(?:print|info|warning|warn|error|exception|debug|critical|log|echo|secho)$")
_TRACES = frozenset({"print_exc", "print_exception", "format_exc", "exception"})
_TRACE = "Traceback (most recent call last)"
_MAYBE = (ast.If, ast.Try, ast.For, ast.AsyncFor, ast.While)
_INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_WRITES = frozenset({"to_csv", "write_csv", "savetxt", "write", "writerow", "copy", "copyfile"})


class Printed:
    """What a run of a program printed, and which of its texts that has.

    Parameters
    ----------
    body : sequence of stmt
        The whole program.
    text : str
        What a run of it printed; of several runs nothing is known.
    """

    def __init__(self, body: Sequence[ast.stmt], text: str) -> None:
        always = [t for s in body if not isinstance(s, _MAYBE) for t in _texts([s])]
        is_once = all(text.count(t) <= 1 for t in always if t in text)
        self.text = text if is_once else ""

    def _told(self, body: Sequence[ast.stmt]) -> bool:
        return any(text in self.text for text in _texts(body))

    def _is_missing(self, body: Sequence[ast.stmt], after: Sequence[ast.stmt]) -> bool:
        """Say whether what a branch prints is not there, though what comes later is."""
        said = list(_texts(body, is_sure=True))
        return bool(said) and not self._told(body) and self._told(after)

    def chosen(
        self, body: Sequence[ast.stmt], other: Sequence[ast.stmt], after: Sequence[ast.stmt]
    ) -> bool | None:
        """Say whether the first of two branches ran; None where nothing tells."""
        if not self.text:
            return None
        first, second = self._told(body), self._told(other)
        if first != second:
            return first
        if first:
            return None
        if self._is_missing(body, after):
            return False
        return True if other and self._is_missing(other, after) else None

    def handler(self, tried: ast.Try, after: Sequence[ast.stmt]) -> ast.ExceptHandler | None:
        """Return the handler that ran; None where nothing tells."""
        if not self.text or self._told(tried.orelse):
            return None
        for one in tried.handlers:
            traces = any(_last(n) in _TRACES for s in one.body for n in ast.walk(s))
            if self._told(one.body) or (traces and _TRACE in self.text):
                return one
        ends = [*tried.body[-1:], *tried.orelse]
        is_silent = len(tried.handlers) == 1 and not any(_texts(tried.handlers[0].body))
        missing = is_silent and self._is_missing(ends, [*tried.finalbody, *after])
        return tried.handlers[0] if missing else None


def handled(tried: ast.Try, handler: ast.ExceptHandler) -> list[ast.stmt]:
    """Return what of a block that failed may have taken effect beside its handler.

    What the handler sets, returns or writes itself was not set, returned or written before.
    """
    names = {n.id for s in handler.body for n in ast.walk(s) if _is_set(n)}  # type: ignore[attr-defined]
    ends = any(isinstance(s, ast.Return | ast.Raise) for s in handler.body)
    writes = any(_last(n) in _WRITES for s in handler.body for n in ast.walk(s))
    kept = []
    for statement in tried.body:
        sets = {n.id for n in ast.walk(statement) if _is_set(n)}  # type: ignore[attr-defined]
        is_writing = any(_last(n) in _WRITES for n in ast.walk(statement))
        is_lost = (sets and sets <= names) or (isinstance(statement, ast.Return) and ends)
        if not is_lost and not (writes and is_writing):
            kept.append(statement)
    return kept


def _is_set(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def _last(node: ast.AST) -> str:
    if not isinstance(node, ast.Call):
        return ""
    return getattr(node.func, "attr", "") or getattr(node.func, "id", "")


def _texts(body: Sequence[ast.stmt], *, is_sure: bool = False) -> Iterator[str]:
    """Yield the texts that a block prints; surely, those that no block within it may leave out."""
    for statement in body:
        if isinstance(statement, _INNER):
            continue
        if is_sure and not isinstance(statement, ast.Expr):
            continue
        for node in ast.walk(statement):
            if _PRINTS.match(_last(node)):
                yield from _parts(node)


def _parts(call: ast.AST) -> Iterator[str]:
    for node in ast.walk(call):
        text = node.value if isinstance(node, ast.Constant) else None
        if isinstance(text, str):
            parts = re.split(r"%[-+.\d]*[a-z]|\{[^{}]*\}|\n", text)
            yield from (p.strip() for p in parts if len(p.strip()) >= MIN_TOLD)
