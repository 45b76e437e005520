"""Python text with positions: what is changed is spliced in, everything else stays as it was.

A notebook is one text whose cells begin with a line ``# %%``; a script has no such line.
"""

from __future__ import annotations

import ast
import copy
import textwrap
import warnings
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

MARK = "# %%"
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
SCOPES = (*FUNCTIONS, ast.ClassDef)


class Edit(NamedTuple):
    """Bytes ``start:end`` of a text's UTF-8 form become `new`."""

    start: int
    end: int
    new: str


@lru_cache(maxsize=16)
def parse(text: str) -> ast.Module:
    """Parse, without the warnings that old escapes give; the tree is shared, nobody changes it.

    Raises
    ------
    SyntaxError
        It is no Python 3; texts with NUL bytes and too deep ones as well.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text)
        except (ValueError, RecursionError, MemoryError) as error:
            raise SyntaxError(str(error)) from error


def parses(text: str) -> bool:
    """Tell whether a text is Python 3 of the running interpreter."""
    try:
        parse(text)
    except SyntaxError:
        return False
    return True


class Code:
    """A parsed text and where its nodes stand.

    Raises
    ------
    SyntaxError
        It does not parse.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.tree = parse(text)
        self.data = text.encode()
        self._lines = self.data.splitlines(keepends=True)
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))

    def start(self, node: ast.expr | ast.stmt | ast.arg | ast.alias) -> int:
        """Return the offset of the first byte, decorators included."""
        line = first_line(node) if isinstance(node, ast.stmt) else node.lineno
        return self._starts[line - 1] + node.col_offset

    def end(self, node: ast.expr | ast.stmt | ast.arg | ast.alias) -> int:
        """Return the offset behind the last byte."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._starts[node.end_lineno - 1] + node.end_col_offset

    def segment(self, node: ast.expr | ast.stmt) -> str:
        """Return the text of a node."""
        return self.data[self.start(node) : self.end(node)].decode()

    def stands_alone(self, node: ast.stmt) -> bool:
        """Tell whether a statement shares no line with another one."""
        before = self.data[self._starts[first_line(node) - 1] : self.start(node)]
        assert node.end_lineno is not None
        after = self.data[self.end(node) : self._starts[node.end_lineno]].strip()
        return not before.strip() and (not after or after.startswith(b"#"))

    def indent(self, node: ast.stmt) -> str:
        """Return the white space before a statement."""
        return self.data[self._starts[first_line(node) - 1] : self.start(node)].decode()

    def edited(self, edits: Iterable[Edit]) -> str:
        """Return the text with edits made; of overlapping ones the outermost stays."""
        parts, at = [], 0
        for one in sorted(edits, key=lambda e: (e.start, -e.end)):
            if one.start < at:
                continue
            parts += [self.data[at : one.start], one.new.encode()]
            at = one.end
        return b"".join([*parts, self.data[at:]]).decode()


def first_line(node: ast.stmt) -> int:
    """Return the line a statement begins on, decorators included."""
    if isinstance(node, SCOPES) and node.decorator_list:
        return node.decorator_list[0].lineno
    return node.lineno


def rendered(statements: Sequence[ast.stmt], indent: str) -> str:
    """Write statements at an indent, without the indent of the first line."""
    text = "\n".join(ast.unparse(ast.fix_missing_locations(s)) for s in statements)
    return textwrap.indent(text, indent, lambda line: bool(line.strip()))[len(indent) :]


def rewritten_with(text: str, transformer: ast.NodeTransformer) -> str:
    """Run a transformer over each top-level statement; those it leaves alone keep their text."""
    code = Code(text)
    edits = []
    for statement in code.tree.body:
        if not code.stands_alone(statement):
            continue
        before = ast.dump(statement)
        after = transformer.visit(copy.deepcopy(statement))
        new = after if isinstance(after, list) else [after] if after is not None else []
        if not (len(new) == 1 and ast.dump(new[0]) == before):
            shown = rendered(new, "") if new else "pass"
            edits.append(Edit(code.start(statement), code.end(statement), shown))
    return code.edited(edits)


def bodies(tree: ast.Module) -> Iterator[list[ast.stmt]]:
    """Walk through every list of statements."""
    for node in ast.walk(tree):
        for field in ("body", "orelse", "finalbody"):
            found = getattr(node, field, None)
            if isinstance(found, list) and found and isinstance(found[0], ast.stmt):
                yield found


def one_a_line(text: str) -> str:
    """Give each of several statements that share a line one of its own."""
    code = Code(text)
    edits = []
    for body in bodies(code.tree):
        groups: list[list[ast.stmt]] = []
        for statement in body:
            if groups and groups[-1][-1].end_lineno == first_line(statement):
                groups[-1].append(statement)
            else:
                groups.append([statement])
        for group in groups:
            indent = code.indent(group[0])
            if len(group) > 1 and not indent.strip():
                edits.append(
                    Edit(code.start(group[0]), code.end(group[-1]), rendered(group, indent))
                )
    return code.edited(edits)


class Chunk(NamedTuple):
    """A statement with the comments and empty lines above it, whole lines."""

    text: str
    node: ast.stmt


def chunks(code: Code, body: Sequence[ast.stmt]) -> list[Chunk] | None:
    """Cut a list of statements into whole lines; None where two share one."""
    if not body or not all(code.stands_alone(s) for s in body):
        return None
    lines = code.text.splitlines(keepends=True)
    if len(lines) != len(code._lines):  # a form feed ends a line here and not there
        return None
    found, at = [], 0 if body[0] in code.tree.body else first_line(body[0]) - 1
    for statement in body:
        assert statement.end_lineno is not None
        text = "".join(lines[at : statement.end_lineno])
        found.append(Chunk(text if text.endswith("\n") else f"{text}\n", statement))
        at = statement.end_lineno
    return found


def replaced(code: Code, body: Sequence[ast.stmt], new: str) -> Edit:
    """Return the edit that puts other whole lines in the place of a list's chunks."""
    first, last = body[0], body[-1]
    assert last.end_lineno is not None
    start = 0 if first in code.tree.body else code._starts[first_line(first) - 1]
    return Edit(start, code._starts[last.end_lineno], new)


def cells(text: str) -> list[str]:
    """Cut a text at its marks; a text without any is one cell."""
    found: list[list[str]] = [[]]
    for line in text.splitlines():
        if line == MARK:
            found.append([])
        else:
            found[-1].append(line)
    return [c for c in ("\n".join(f).strip("\n") for f in found) if c.strip()]


def joined(parts: Iterable[str]) -> str:
    """Write cells as one text."""
    return "".join(f"{MARK}\n{part}\n" for part in parts)


def each_cell(text: str, change: Callable[[str], str]) -> str:
    """Change cell by cell where there are cells, otherwise the whole."""
    if MARK not in text.splitlines():
        return change(text)
    return joined(change(cell) for cell in cells(text))


def names_in(tree: ast.AST) -> set[str]:
    """Return every name that occurs: variables, functions, parameters, aliases, attributes."""
    found: set[str] = set()
    for node in ast.walk(tree):
        for field in ("id", "name", "arg", "attr", "asname"):
            value = getattr(node, field, None)
            if isinstance(value, str):
                found.add(value)
    return found


def n_lines(text: str) -> int:
    """Count lines that are neither empty nor a mark."""
    return sum(1 for line in text.splitlines() if line.strip() and line != MARK)
