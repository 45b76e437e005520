"""Parsing an agent's Python: whole, or as much of it as parses."""

from __future__ import annotations

import ast
import warnings

MAX_LINE = 4096  # characters of a line that is parsed on its own


def parse(source: str) -> ast.Module | None:
    """Parse Python; None when it does not parse. Warnings about its style are not ours to print."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def parse_leniently(source: str) -> list[ast.stmt]:
    """Parse what can be parsed: the whole, else every line that parses on its own."""
    tree = parse(source)
    if tree is not None:
        return tree.body
    statements = []
    for number, line in enumerate(source.splitlines()):
        alone = parse(line.strip()[:MAX_LINE])
        statements += [ast.increment_lineno(s, number) for s in (alone.body if alone else [])]
    return statements
