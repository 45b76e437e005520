"""Values that somebody typed: tables in code, in shell commands and in what a tool wrote."""

from __future__ import annotations

import ast
import base64
import binascii
import csv
import json
import re
import struct
import zlib
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from detectors.training.scopes import Tree

MAX_CELL = 200  # characters
MAX_ROWS = 200_000
MAX_UNPACKED = 4 << 20
MAX_DEPTH = 50  # of lists that are added up
MIN_PACKED = 64  # characters of text that may hold a packed table
MIN_DIGITS = 16  # of a text of digits that may be one value each
_PACKED = re.compile(r"^[A-Za-z0-9+/=_\-\s]+$")
MAX_ENCODED = 40  # literals of one text
_ENCODED = re.compile(r"(?<![\w+/=-])[A-Za-z0-9+/_-]{24,}={0,2}(?![\w+/-])")
_ADDS = frozenset({"append", "write", "writerow", "add"})
_KEYED = re.compile(r"[\"']?([\w./-]+)[\"']?(?::\s*|\s*=\s*|\s*->\s*|\s+)[\"']?([\w.+-]+)[\"']?$")
_TWO = 2
_DIGITS = 6  # after which typed numbers and those of a file may differ


class Typed(NamedTuple):
    """A typed table.

    Parameters
    ----------
    pairs : dict of str to tuple of str
        Values by key; empty where the values have no keys.
    values : tuple of str
        The values in order, those of the pairs too.
    """

    pairs: dict[str, tuple[str, ...]]
    values: tuple[str, ...]

    @property
    def n_different(self) -> int:
        """How many different values there are."""
        return len(set(self.values))


def normal(value: object) -> str:
    """Write a value so that 1, 1.0 and "1" are one.

    Examples
    --------
    >>> normal("0.50"), normal(True), normal(" cat")
    ('0.5', 'true', 'cat')
    """
    text = str(value).strip().strip("\"'")[:MAX_CELL]
    try:
        number = round(float(text), _DIGITS)
    except (ValueError, OverflowError):
        return text.lower() if text in {"True", "False"} else text
    return repr(number)


def of_rows(rows: Iterable[Sequence[object]]) -> Typed:
    """Read rows of a key and values; rows of one cell are values without a key."""
    pairs, values = {}, []
    for row in rows:
        cells = [normal(c) for c in row]
        if len(cells) >= _TWO:
            pairs[cells[0]] = tuple(cells[1:])
            values.append(cells[1])
        elif cells:
            values.append(cells[0])
    return Typed(pairs, tuple(values))


def of_text(text: str) -> Typed | None:
    """Read a text as rows of cells with a comma, tab, bar or semicolon between; None if it is none.

    A first row of words over numbers is a header and left out.
    """
    lines = [x.strip() for x in text.strip().splitlines() if x.strip()][:MAX_ROWS]
    first = lines[len(lines) // 2] if lines else ""
    mark = max(",\t|;", key=first.count)
    width = first.count(mark)
    if not width or len(lines) < _TWO:
        return _of_words(lines) or _of_lines(lines)
    even = [x for x in lines if x.count(mark) == width]
    if len(even) * 10 < len(lines) * 9:
        return None
    try:
        rows = list(csv.reader(even, delimiter=mark))
    except csv.Error:
        return None
    if mark == "|":
        rows = [[c for c in row if c.strip()] for row in rows if "---" not in "".join(row)]
    return of_rows(row for row in rows[1:] if len(row) >= _TWO) if len(rows) > 1 else None


def of_content(text: str) -> Typed | None:
    """Read what a file holds: an object or a list of JSON, or rows; see `of_text`."""
    is_json = text.lstrip()[:1] in {"{", "["}
    return (_of_json(text) if is_json else None) or of_text(text)


def of_node(node: ast.AST) -> Typed | None:
    """Read a literal of Python as a typed table; None where it is none."""
    if isinstance(node, ast.Dict | ast.List | ast.Tuple | ast.Set):
        rows = _rows(node)
        is_even = all(rows) and len({len(row) for row in rows}) == 1
        return of_rows(rows) if is_even else None
    if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
        return _of_constant(node.value)
    if isinstance(node, ast.BinOp):
        runs = _runs(node)
        return of_rows([[value] for value in runs]) if runs else None
    return _of_split(node)


def _rows(node: ast.Dict | ast.List | ast.Tuple | ast.Set) -> list[list[object]]:
    """Return the rows of a literal; one that is no constant is empty."""
    if not isinstance(node, ast.Dict):
        return [_split(_cells(e)) for e in node.elts]
    rows = []
    for key, value in zip(node.keys, node.values, strict=True):
        named, cells = _constant(key), _cells(value)
        rows.append([named, *cells] if named is not None and cells else [])
    return rows


def _of_split(node: ast.AST) -> Typed | None:
    """Read ``"cat dog cat".split()``."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    text = node.func.value
    if node.func.attr != "split" or not isinstance(text, ast.Constant):
        return None
    mark = _constant(node.args[0]) if node.args else None
    words = str(text.value).split(str(mark) if mark else None)
    return of_rows([[word] for word in words])


def _runs(node: ast.AST, depth: int = 0) -> list[object]:
    """Write out lists that are added and repeated: ``[0] * 3 + [1]``; empty where it is none."""
    if isinstance(node, ast.List):
        cells = [_constant(e) for e in node.elts]
        return [] if None in cells else list(cells)
    if not isinstance(node, ast.BinOp) or depth > MAX_DEPTH:
        return []
    left = _runs(node.left, depth + 1)
    if isinstance(node.op, ast.Mult):
        times = _constant(node.right)
        is_few = isinstance(times, int) and 0 < times * max(1, len(left)) <= MAX_ROWS
        return left * times if is_few and isinstance(times, int) else []
    right = _runs(node.right, depth + 1) if isinstance(node.op, ast.Add) else []
    return left + right if left and right and len(left) + len(right) <= MAX_ROWS else []


def _of_json(text: str) -> Typed | None:
    """Read an object of values by key, or a list of values or of rows."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return None
    rows = list(content.items()) if isinstance(content, dict) else content
    if not isinstance(rows, list):
        return None
    cells = [list(r.values()) if isinstance(r, dict) else r for r in rows[:MAX_ROWS]]
    wide = [list(c) if isinstance(c, list | tuple) else [c] for c in cells]
    return of_rows(wide) if wide and len({len(c) for c in wide}) == 1 else None


def _of_constant(value: str | bytes) -> Typed | None:
    text = value.decode("utf-8", "replace") if isinstance(value, bytes) else value
    if text.lstrip()[:1] in {"{", "["}:
        return _of_json(text)
    if "\n" in text.strip():
        return of_text(text) or _of_words(text.split())
    if len(text) >= MIN_PACKED and _PACKED.match(text):
        return _unpacked(text)
    if len(text) >= MIN_DIGITS and text.isdigit():
        return of_rows([[c] for c in text])
    words = [w for w in re.split(r"[,;\s]+", text) if w]
    return _of_words(words)


def _split(cells: list[object]) -> list[object]:
    """Split the one text of a row at its commas."""
    text = cells[0] if len(cells) == 1 else None
    return list(text.strip().split(",")) if isinstance(text, str) and "," in text else cells


def statements(tree: Tree) -> Iterator[tuple[list[ast.AST], Typed]]:
    """Yield tables that stand in many statements: rows appended or written, values set by key.

    Each comes with the nodes of its values.
    """
    rows: dict[tuple[str, str], list[tuple[ast.AST, list[object]]]] = {}
    for _, node in tree.nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            cells = _split(_cells(node.args[-1]))
            if node.func.attr in _ADDS and cells:
                at = node.func.attr, ast.dump(node.func.value)[:MAX_CELL]
                rows.setdefault(at, []).append((node.args[-1], cells))
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
            target, value = node.targets[0], _constant(node.value)
            key = target.slice.elts[0] if isinstance(target.slice, ast.Tuple) else target.slice
            named = _constant(key)
            if value is not None and named is not None:
                at = "=", ast.dump(target.value)[:MAX_CELL]
                rows.setdefault(at, []).append((node.value, [named, value]))
    for found in rows.values():
        width = len(found[len(found) // 2][1])
        even = [(node, cells) for node, cells in found if len(cells) == width]
        yield [node for node, _ in even], of_rows(cells for _, cells in even)


def _of_lines(lines: list[str]) -> Typed | None:
    """Read lines of a key and its value with a colon or blanks between; settings are none."""
    rows = [m for line in lines if (m := _KEYED.match(line))]
    named = sum(any(map(str.isdigit, m[1])) for m in rows)
    if len(rows) < _TWO or len(rows) * 10 < len(lines) * 9 or named * 10 < len(rows) * 9:
        return None
    return of_rows([m[1], m[2]] for m in rows)


def _of_words(words: list[str]) -> Typed | None:
    """Read numbers in a row, or ``key:value`` in a row; prose is none."""
    if len(words) >= _TWO and all(re.fullmatch(r"[\w.-]+[:=][\w.+-]+", w) for w in words):
        return of_rows([re.split(r"[:=]", w, maxsplit=1) for w in words])
    if len(words) >= _TWO and all(re.fullmatch(r"[-+]?[\d.]+(?:e[-+]?\d+)?", w) for w in words):
        return of_rows([[w] for w in words])
    return None


def _unpacked(text: str) -> Typed | None:
    """Read base64, compressed or not, and digits in a row."""
    try:
        content = base64.b64decode(text.encode(), validate=False)
    except (binascii.Error, ValueError):
        return None
    for unpack in (_inflated, lambda raw: raw):
        try:
            inner = unpack(content).decode("utf-8")
        except (zlib.error, UnicodeDecodeError, ValueError):
            continue
        found = of_text(inner) or _of_words(re.split(r"[,;\s\[\]]+", inner.strip("[] \n")))
        if found:
            return found
    if set(text) <= set("01"):
        return of_rows([[c] for c in text])
    return None


def unpacked_texts(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield what encoded literals of a text hold, in base64 or hexadecimal digits, packed or not.

    Yields
    ------
    tuple of int, int, str
        Where the literal begins and ends, and its text; bytes that are no text are numbers.
    """
    for found in islice(_ENCODED.finditer(text), MAX_ENCODED):
        for decode in (bytes.fromhex, base64.b64decode, base64.urlsafe_b64decode, base64.b85decode):
            try:
                content = decode(found[0])
            except (binascii.Error, ValueError):
                continue
            with suppress(zlib.error):
                content = _inflated(content)
            try:
                yield *found.span(), content.decode("utf-8")
            except UnicodeDecodeError:
                for numbers in _numbers_of(content[:MAX_UNPACKED]):
                    yield *found.span(), " ".join(map(str, numbers))


def _numbers_of(content: bytes) -> Iterator[Sequence[float]]:
    """Yield the bytes as numbers, and as the floats of four or eight bytes that they may be."""
    yield content
    for size, kind in ((4, "f"), (8, "d")):
        if len(content) % size == 0 and len(content) >= 8 * size:
            for order in "<>":
                found = struct.unpack(f"{order}{len(content) // size}{kind}", content)
                if all(x == 0 or 1e-9 < abs(x) < 1e9 for x in found):  # noqa: PLR2004 - as typed
                    yield [round(x, _DIGITS) for x in found]


def _inflated(content: bytes) -> bytes:
    return zlib.decompressobj(wbits=47).decompress(content, MAX_UNPACKED)


def _constant(node: ast.AST | None) -> object | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant):
        value = node.operand.value
        return -value if isinstance(value, int | float) else None
    if isinstance(node, ast.Constant) and isinstance(node.value, str | int | float | bool):
        return node.value
    return None


def _cells(node: ast.AST) -> list[object]:
    """Return a constant, or the constants of a row, as a list; empty where it is neither."""
    if isinstance(node, ast.List | ast.Tuple):
        parts = [_constant(e) for e in node.elts]
    elif isinstance(node, ast.Dict):
        parts = [_constant(v) for v in node.values]
    else:
        parts = [_constant(node)]
    return [p for p in parts if p is not None] if None not in parts else []


def shown_values(table: Typed | None) -> str:
    """Show the first values of a table."""
    if table is None:
        return "no table"
    first = [f"{k}: {v[0]}" for k, v in [*table.pairs.items()][:3]] or list(table.values[:3])
    return f"{', '.join(first)}, …"
