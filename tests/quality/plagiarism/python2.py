"""Python 2 written as Python 3 and back, by rules; the standard library no longer can."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from typing import TYPE_CHECKING

from tests.quality.plagiarism.code import MARK, Code, Edit, cells, joined, parses

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    Token = tokenize.TokenInfo

_NAMES = {
    "xrange": "range",
    "unicode": "str",
    "basestring": "str",
    "raw_input": "input",
    "unichr": "chr",
    "long": "int",
    "iteritems": "items",
    "itervalues": "values",
    "iterkeys": "keys",
    "izip": "zip",
    "cPickle": "pickle",
    "urllib2": "urllib.request",
    "StringIO": "io",
    "ConfigParser": "configparser",
    "Queue": "queue",
}
_OLD_NAMES = {"range": "xrange", "str": "unicode", "input": "raw_input", "chr": "unichr"}
_OLD_METHODS = {"items": "iteritems"}
_ENDS = {tokenize.NEWLINE, tokenize.ENDMARKER, tokenize.COMMENT}
_STARTS = {tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.COMMENT}


def other_python(text: str, rng: Random) -> str:
    """Write Python 2 as Python 3, and Python 3 as Python 2."""
    return python2_of(text, rng) if parses(text) else python3_of(text, rng)


def python3_of(text: str, rng: Random) -> str:
    """Write a Python 2 text as Python 3; what is Python 3 already stays.

    Print statements, exceptions, renamed built-ins and modules, old numbers and operators.
    """
    if parses(text):
        return text
    if MARK in text.splitlines():
        return joined(_converted(cell) for cell in cells(text))
    return _converted(text)


def python2_of(text: str, rng: Random) -> str:
    """Write a Python 3 text as Python 2: what `python3_of` reads again.

    Print statements, exceptions behind a comma, ``xrange``, ``iteritems``, ``unicode``.
    """
    code = Code(text)
    formatted = {
        id(n) for j in ast.walk(code.tree) if isinstance(j, ast.JoinedStr) for n in ast.walk(j)
    }
    edits: list[Edit] = []
    for node in ast.walk(code.tree):
        if id(node) not in formatted:
            edits += _as_python2(code, node)
    return code.edited(edits)


def _as_python2(code: Code, node: ast.AST) -> Iterator[Edit]:
    """Yield edits that lie beside each other: those of a print are its word and its parentheses."""
    match node:
        case ast.Name(id=name) if name in _OLD_NAMES:
            yield Edit(code.start(node), code.end(node), _OLD_NAMES[name])
        case ast.Attribute(attr=name) if name in _OLD_METHODS:
            yield Edit(code.end(node) - len(name), code.end(node), _OLD_METHODS[name])
        case ast.Expr(value=ast.Call(func=ast.Name(id="print"), args=[first, *_], keywords=[])) if (
            code.stands_alone(node)
            and node.lineno == node.end_lineno
            and not isinstance(first, ast.Starred)
        ):
            end = code.end(node)
            opened = code.data.index(b"(", code.start(node))
            yield Edit(opened, opened + 1, " ")
            yield Edit(end - 1, end, "")
        case ast.ExceptHandler(name=str(name), type=ast.expr() as kind):
            at = code.end(kind)
            middle = code.data[at : code.start(node.body[0])].decode()
            if re.match(rf"\s+as\s+{name}\s*:", middle):
                yield Edit(at, at + middle.index(name), ", ")
        case _:
            pass


def _converted(text: str) -> str:
    text = text.expandtabs(8) if "\t" in text else text
    for pattern, new in (
        (r"\bexcept\s+([\w.]+|\([\w., ]+\))\s*,\s*(\w+)\s*:", r"except \1 as \2:"),
        (r"^(\s*)raise\s+([\w.]+)\s*,\s*(.+)$", r"\1raise \2(\3)"),
        (r"^(\s*)exec\s+([^(\n].*)$", r"\1exec(\2)"),
        (r"<>", "!="),
        (r"`([^`\n]+)`", r"repr(\1)"),
        (r"(?<![\w.])(\d+)[lL]\b", r"\1"),
        (r"(?<![\w.])0([0-7]{2,})\b(?!\.)", r"0o\1"),
        (r"\b[uU][rR](?=['\"])", "r"),
    ):
        text = re.sub(pattern, new, text, flags=re.MULTILINE)
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, IndentationError):
        return text
    return _spliced(text, sorted([*_prints(text, tokens), *_names(tokens)]))


def _spliced(text: str, edits: list[tuple[tuple[int, int], tuple[int, int], str]]) -> str:
    lines = text.splitlines(keepends=True)
    for (row, column), (last, end), new in reversed(edits):
        head, tail = lines[row - 1][:column], lines[last - 1][end:]
        lines[row - 1 : last] = [head + new + tail]
    return "".join(lines)


def _names(tokens: list[Token]) -> Iterator[tuple[tuple[int, int], tuple[int, int], str]]:
    for token in tokens:
        if token.type == tokenize.NAME and token.string in _NAMES:
            yield token.start, token.end, _NAMES[token.string]


def _prints(
    text: str, tokens: list[Token]
) -> Iterator[tuple[tuple[int, int], tuple[int, int], str]]:
    """Find where to open and close the parentheses of print statements."""
    for number, token in enumerate(tokens):
        before = tokens[number - 1] if number else None
        begins = before is None or before.type in _STARTS or before.string in {":", ";"}
        if not begins or token.type != tokenize.NAME or token.string != "print":
            continue
        stop = _stop(tokens, number + 1)
        inside = tokens[number + 1 : stop]
        if not inside:
            yield token.start, token.end, "print()"
            continue
        if inside[0].string == "(" and _closing(inside) == len(inside) - 1:
            continue
        yield from _one_print(token, inside)


def _one_print(
    token: Token, inside: list[Token]
) -> Iterator[tuple[tuple[int, int], tuple[int, int], str]]:
    extra, first = "", inside[0]
    if first.string == ">>":
        comma = next((n for n, t in enumerate(inside) if t.string == ","), len(inside))
        extra = f", file={''.join(t.string for t in inside[1:comma])}"
        if comma + 1 >= len(inside):
            yield token.start, inside[-1].end, f"print({extra[2:]})"
            return
        first = inside[comma + 1]
    last = inside[-1]
    yield token.start, first.start, "print("
    if last.string == ",":
        yield last.start, last.end, f", end=' '{extra})"
    else:
        yield last.end, last.end, f"{extra})"


def _stop(tokens: list[Token], at: int) -> int:
    depth = 0
    for n in range(at, len(tokens)):
        token = tokens[n]
        depth += (token.string in "([{" and token.type == tokenize.OP) - (
            token.string in ")]}" and token.type == tokenize.OP
        )
        if token.type in _ENDS or (depth == 0 and token.string == ";"):
            return n
    return len(tokens)


def _closing(inside: list[Token]) -> int:
    depth = 0
    for n, token in enumerate(inside):
        if token.type == tokenize.OP:
            depth += (token.string in "([{") - (token.string in ")]}")
        if depth == 0:
            return n
    return -1
