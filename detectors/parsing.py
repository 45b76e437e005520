"""Parsing an agent's Python: whole, or as much of it as parses."""

from __future__ import annotations

import ast
import re
import warnings
from functools import lru_cache
from typing import NamedTuple

MAX_WHOLE = 1_000_000  # characters that are parsed as a whole; a tree takes 1000 times as much
MAX_LINE = 4096  # characters of a line that is parsed on its own
MAX_LINES = 20_000  # lines that are parsed on their own
MAX_TREE = 16_000  # characters of a source whose tree is kept for the next who asks
MAX_TREES = 12
_LINE_END = re.compile(r"\r\n|\r|\n")


def lines_of(text: str) -> list[str]:
    r"""Split a text into the lines that Python and editors count: not at a form feed.

    Examples
    --------
    >>> lines_of("a\r\nb\x0cc\n")
    ['a', 'b\x0cc']
    """
    lines = _LINE_END.split(text)
    return lines if lines[-1] else lines[:-1]


def is_too_much(source: str) -> bool:
    """Say whether only a part of it is looked at: too long to parse whole, and cut line by line."""
    return len(source) > MAX_WHOLE


def parse(source: str) -> ast.Module | None:
    """Parse Python; None when it does not parse. Warnings about its style are not ours to print."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):  # NUL bytes, deep nesting
            return None


class Parsed(NamedTuple):
    """The statements of a source, and whether it parsed as a whole."""

    body: list[ast.stmt]
    is_whole: bool


def parse_leniently(source: str, path: str = "") -> Parsed:
    """Parse what can be parsed: the whole, else every line that parses on its own.

    Parameters
    ----------
    path : str
        Where an attempt has it. The trees of the last few are kept, because every detector asks
        for the same ones; nobody changes a tree. Two files of one content have a tree each, so
        that nodes tell where they stand.
    """
    if path and len(source) <= MAX_TREE:
        return _kept(source, path)
    return _parsed(source)


@lru_cache(maxsize=MAX_TREES)
def _kept(source: str, _path: str) -> Parsed:
    return _parsed(source)


def _parsed(source: str) -> Parsed:
    tree = None if is_too_much(source) else parse(source)
    if tree is not None:
        return Parsed(tree.body, is_whole=True)
    statements = []
    for number, line in enumerate(lines_of(source)[:MAX_LINES]):
        alone = parse(line.strip()[:MAX_LINE])
        statements += [ast.increment_lineno(s, number) for s in (alone.body if alone else [])]
    return Parsed(statements, is_whole=False)
