"""Values that a program hands in and learnt from nothing: drawn, listed, packed or by a rule."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from detectors.training.flows import Flow, last_name
from detectors.training.ordered import MARK
from detectors.training.writes import name_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from detectors.training.programs import Program
    from detectors.training.scopes import Scope

MAX_DEPTH = 4  # of following a name to what it was set to
MIN_PACKED = 16  # characters of a text that holds values
MIN_BYTES = 8
MIN_INTEGER = 1 << 48  # from which a number may hold one bit for each row
MIN_VARIETY = 6  # different characters of such a text
_DRAWS = re.compile(
    r"(?:^|\.)(?:choices?|randint|integers|rand|randn|random|random_sample|uniform|normal|gauss|"
    r"binomial|beta|dirichlet|standard_normal|randrange|betavariate|normalvariate|triangular|"
    r"randbelow|bernoulli|multinomial|poisson|exponential|gamma|lognormal|permutation)$"
)
_ROUNDS = re.compile(r"^(?:np|numpy)\.(?:clip|round|around|abs|rint|array|asarray)$")
_DECIDES = re.compile(r"(?:^|\.)(?:where|select|apply|map|contains|startswith|get|lower|clip)$")
_COMPUTES = re.compile(
    r"^(?:search|match|findall|fullmatch|isin|is_in|between|any|all|hash|md5|sha\d+|blake2\w|crc32|adler32|sin|cos|tanh?|exp|log\w*|sqrt|sigmoid|expit|hypot|"
    r"count|rank|interp|cut|qcut|digitize)$"
)
_DECODES = re.compile(
    r"^(?:\w*decode\w*|fromhex|\w*unhexlify|a2b_\w+|decompress|loads|frombuffer|fromstring|unpackbits|unpack)$"
)
_ROW_NUMBERS = frozenset({"arange", "range", "enumerate", "linspace", "cumcount", "reset_index"})
_PACKED_TEXT = re.compile(r"[0-9a-fA-F]+|(?=[^\W_]*[a-z])(?=[^\W_]*[A-Z])[0-9A-Za-z+=]+")
_BY_ROWS = {"test", "sample"}
_SAME = re.compile(
    r"^(?:full|ones|zeros|empty)(?:_like)?$|^(?:repeat|len|float|int|round|str|array|asarray|astype|join|format|strip|"
    r"DataFrame|Series|read_csv)$"
)
_OF_FRAMES = frozenset({"shape", "size", "index", "columns", "ndim", "dtypes", "loc", "iloc", "at"})
_FILLS = re.compile(r"^(?:full|ones|zeros|repeat|fillna)(?:_like)?$")


def is_draw(node: ast.AST) -> bool:
    """Say whether a node draws something at random."""
    return isinstance(node, ast.Call) and bool(_DRAWS.search(name_of(node)))


def drawn_alone(program: Program) -> ast.AST | None:
    """Return draws that are handed in as they are, whatever of the train rows shapes them."""
    if program.is_modelled:
        return None
    tests = program.flow(lambda n: program.reads(n) in _BY_ROWS)
    for scope, given in target_values(program):
        for value in (given, *_set_to(program, given)):
            if _is_drawn(value) or _is_drawn_again(value) or _is_noise(tests, scope, value):
                return value
    return None


def _is_noise(tests: Flow, scope: Scope, value: ast.expr) -> bool:
    """Say whether a value is a draw added to something that is one for all rows."""
    if not isinstance(value, ast.BinOp):
        return False
    drawn, other = value.left, value.right
    if not _is_drawn(drawn):
        drawn, other = other, drawn
    sides = [n for n in ast.walk(drawn) if _is_drawn(n)] if isinstance(drawn, ast.BinOp) else []
    return (_is_drawn(drawn) or bool(sides)) and not tests.depends(scope, other)


def _is_drawn(node: ast.AST) -> bool:
    """Say whether an expression is a draw, rounded or not, alone or one for each row."""
    while isinstance(node, ast.Attribute) and node.attr in {"values", "T", "array"}:
        node = node.value
    while isinstance(node, ast.Call) and not _DRAWS.search(name_of(node)):
        if node.args and _ROUNDS.search(name_of(node)):
            node = node.args[0]
        elif isinstance(node.func, ast.Attribute):
            node = node.func.value
        else:
            return False
    if isinstance(node, ast.ListComp | ast.GeneratorExp):
        return _is_drawn(node.elt)
    return isinstance(node, ast.Call)


def _is_drawn_again(node: ast.AST) -> bool:
    """Say whether labels of train rows are dealt out at random: ``train.y.sample(len(test))``."""
    while isinstance(node, ast.Attribute | ast.Subscript) or (
        isinstance(node, ast.Call) and last_name(node) in {"to_numpy", "reset_index", "tolist"}
    ):
        node = node.func if isinstance(node, ast.Call) else node.value
    return isinstance(node, ast.Call) and last_name(node) in {"sample", "resample", "permutation"}


def jittered(program: Program) -> ast.AST | None:
    """Return what spreads one value over the rows by their numbers, their ids or by draws."""
    if program.is_modelled:
        return None
    tests = program.flow(lambda n: program.reads(n) in _BY_ROWS)
    for scope, given in target_values(program):
        if tests.depends(scope, given):
            continue
        for value in (given, *_set_to(program, given)):
            for node in ast.walk(value):
                if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Add | ast.Sub):
                    continue
                sides = [_spreads(program, side) for side in (node.left, node.right)]
                if sides.count(True) == 1:
                    return node
    return None


def _spreads(program: Program, side: ast.expr) -> bool:
    """Say whether an expression differs by a row's number or id, or by a draw."""
    for node in (n for value in (side, *_set_to(program, side)) for n in ast.walk(value)):
        if isinstance(node, ast.Call) and (last_name(node) in _ROW_NUMBERS or is_draw(node)):
            return True
        if isinstance(node, ast.Name) and f"{MARK}c" in node.id:  # what a comprehension goes over
            return True
        part = node.slice if isinstance(node, ast.Subscript) else None
        if isinstance(part, ast.Constant) and part.value in program.keys:
            return True
    return False


def by_rule(program: Program) -> ast.AST | None:
    """Return what decides by test rows, or by their number, in a program that learns nothing."""
    tree, tests = program.code.tree, _tests(program)
    for scope, node in tree.nodes:
        asks: Sequence[ast.AST] = ()
        if isinstance(node, ast.If | ast.IfExp):
            asks = (node.test,)
        elif isinstance(node, ast.Call) and _DECIDES.search(name_of(node)):
            asks = (node,)
        elif isinstance(node, ast.Assign) and _sets(program, node.targets[0]):
            asks = [n for n in ast.walk(node.value) if isinstance(n, ast.BinOp | ast.Compare)]
        if any(tests.depends(scope, ask) for ask in asks):
            return node
    scopes = {id(node): scope for scope, node in tree.nodes}
    rows = [(s.scope, v) for s in program.sinks if s.target == "" for v in s.values]
    for scope, given in [*target_values(program)] or rows:
        chain = [given, *_set_to(program, given)]
        inner = [n for value in chain for n in ast.walk(value)]
        varies = any(_is_of_row(tests, scopes.get(id(n), scope), n) for n in inner)
        found = (n for n in inner if isinstance(n, ast.BinOp | ast.Compare) or _is_computed(n))
        made = next((n for n in found if tests.depends(scopes.get(id(n), scope), n)), None)
        if varies and made is not None:
            return made
        numbers = (v for v in inner if isinstance(v, ast.Call) and last_name(v) in _ROW_NUMBERS)
        if any(tests.depends(scope, v) for v in (given, *inner)) and not _is_filled(inner):
            numbered = next(numbers, None)
            if numbered is not None or _is_copied(program, given):
                return numbered or given
    return None


def _is_computed(node: ast.AST) -> bool:
    """Say whether a node calls what makes a number of a row's words: a digest, a function."""
    return isinstance(node, ast.Call) and bool(_COMPUTES.match(last_name(node)))


def _is_filled(nodes: Sequence[ast.AST]) -> bool:
    """Say whether one of some nodes makes a column of one value."""
    return any(isinstance(n, ast.Call) and bool(_FILLS.match(last_name(n))) for n in nodes)


def _is_copied(program: Program, given: ast.expr) -> bool:
    """Say whether a value is a column of test rows as it stands, and none that is predicted."""
    while isinstance(given, ast.Call | ast.Attribute):
        inner = given.func if isinstance(given, ast.Call) else given.value
        if not isinstance(inner, ast.Attribute | ast.Subscript | ast.Call):
            return False
        given = inner
    is_column = isinstance(given, ast.Subscript) and isinstance(given.slice, ast.Constant)
    return is_column and given.slice.value not in program.columns  # type: ignore[attr-defined]


def _is_of_row(tests: Flow, scope: Scope, node: ast.AST) -> bool:
    """Say whether a node differs from row to row: a row's number, or a column of test rows."""
    if isinstance(node, ast.Call):
        return last_name(node) in _ROW_NUMBERS
    if isinstance(node, ast.Subscript):
        part, of = node.slice, getattr(node.value, "attr", "")
        is_column = isinstance(part, ast.Constant) and isinstance(part.value, str)
        is_column = is_column or of in {"loc", "iloc"} or isinstance(part, ast.Tuple)
    else:
        is_column = (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.attr not in _OF_FRAMES
        )
    return is_column and tests.depends(scope, node)


def typed_otherwise(program: Program) -> ast.AST | None:
    """Return what holds typed values without being a table: lists of ids, or a packed text.

    Rows are told apart by whether their id is in a typed list; a packed text is one of digits that
    stand for bytes, a literal of bytes, or a number of very many digits; a few typed values are
    dealt out over and over.
    """
    tree = program.code.tree
    listed = {id(n): n for n in _lists_of_ids(program)}
    packed = {id(n): n for _, n in tree.nodes if _is_packed(program, n)}
    packed |= {id(n): n for n in decoded(program)}
    dealt = {id(n): n for _, n in tree.nodes if _is_dealt(n)}
    for found, is_wide in ((listed, True), (packed, False), (dealt, False)):
        flow = Flow(tree, lambda n, ids=found: id(n) in ids, is_wide=is_wide)  # type: ignore[misc]
        if found and program.depends(flow) is not None:
            return next(iter(found.values()))
    return None


def decoded(program: Program) -> Iterator[ast.Constant]:
    """Yield long literals without blanks that the program decodes or unpacks."""
    tree = program.code.tree
    calls = [(s, n) for s, n in tree.calls() if _DECODES.match(last_name(n))]
    for _, node in tree.nodes if calls else ():
        text = node.value if isinstance(node, ast.Constant) else None
        if not isinstance(text, str | bytes) or len(text) < MIN_PACKED or len(text.split()) > 1:
            continue
        flow = Flow(tree, lambda n, at=node: n is at)  # type: ignore[misc]
        if any(flow.depends(s, part) for s, n in calls for part in (n.func, *n.args)):
            yield node  # type: ignore[misc]


def _lists_of_ids(program: Program) -> Iterator[ast.AST]:
    """Yield typed lists of ids that rows are looked up in."""
    named = {
        node.targets[0].id: node.value
        for _, node in program.code.tree.nodes
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }
    for _, node in program.code.tree.nodes:
        asked: list[ast.expr] = []
        if isinstance(node, ast.Call) and last_name(node) in {"isin", "is_in"}:
            asked = node.args[:1]
        elif isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In):
            asked = node.comparators[:1]
        for one in asked:
            value = named.get(one.id, one) if isinstance(one, ast.Name) else one
            if isinstance(value, ast.Call) and value.args:  # set([...])
                value = value.args[0]
            table = program.table(value)
            if table is not None and _are_ids(table.values):
                yield one


def _are_ids(values: Sequence[str]) -> bool:
    """Say whether typed values may name rows: most have a digit, and none is there twice."""
    digits = sum(any(c.isdigit() for c in v) for v in values)
    return digits * 10 >= len(values) * 9 and len(set(values)) == len(values)


def _is_dealt(node: ast.AST) -> bool:
    """Say whether a node repeats a few typed values that differ, one for each row."""
    if isinstance(node, ast.Call) and last_name(node) in {"cycle", "tile", "resize"} and node.args:
        given, times = node.args[0], node.args[1:2]
        if times and not isinstance(times[0], ast.Call | ast.Name | ast.Constant):
            return False  # the same row of values again
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        given = node.left
        if not any(isinstance(n, ast.Call | ast.Name) for n in ast.walk(node.right)):
            return False
    else:
        return False
    values = [e.value for e in getattr(given, "elts", []) if isinstance(e, ast.Constant)]
    return isinstance(given, ast.List | ast.Tuple) and len({*map(repr, values)}) > 1


def _is_packed(program: Program, node: ast.AST) -> bool:
    if not isinstance(node, ast.Constant) or program.is_no_value(node):
        return False
    value = node.value
    if isinstance(value, bool) or value is None:
        return False
    if isinstance(value, int):
        return value >= MIN_INTEGER
    if isinstance(value, bytes):
        return len(value) >= MIN_BYTES and len(set(value)) > 1
    if not isinstance(value, str) or len(value) < MIN_PACKED or len(set(value)) < MIN_VARIETY:
        return False
    has_digit = any(c.isdigit() for c in value)
    return has_digit and _PACKED_TEXT.fullmatch(value) is not None


def sets_one_value(program: Program) -> bool:
    """Say whether what is put under the predicted columns is a constant, as far as is seen."""
    parts = {
        node.targets[0].value.id
        for _, node in program.code.tree.nodes
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript)
        and isinstance(node.targets[0].value, ast.Name) and not _sets(program, node.targets[0])
    }  # fmt: skip
    given_values = [given for _, given in target_values(program)] or [
        value for sink in program.sinks if last_name(sink.node).startswith("write")
        for value in sink.values
    ]  # fmt: skip
    for given in given_values:
        for node in (n for value in (given, *_set_to(program, given)) for n in ast.walk(value)):
            is_made = isinstance(node, ast.Call) and not _SAME.match(last_name(node))
            is_list = isinstance(node, ast.ListComp | ast.GeneratorExp) or (
                isinstance(node, ast.List | ast.Dict) and not ast.unparse(node).strip("[]{}")
            )
            if is_made or is_list or (isinstance(node, ast.Name) and node.id in parts):
                return False
    return True


# ------------------------------------------------------------ what is set


def target_values(program: Program) -> Iterator[tuple[Scope, ast.expr]]:
    """Yield the expressions that are put under a predicted column."""
    for scope, node in program.code.tree.nodes:
        if isinstance(node, ast.Assign) and _sets(program, node.targets[0]):
            yield scope, node.value
        elif isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and key.value in program.columns:
                    yield scope, value
        elif isinstance(node, ast.Call) and last_name(node) in {"assign", "with_columns", "dict"}:
            yield from ((scope, k.value) for k in node.keywords if k.arg in program.columns)


def _sets(program: Program, target: ast.expr) -> bool:
    column = target.slice if isinstance(target, ast.Subscript) else None
    if isinstance(column, ast.Tuple) and column.elts:
        column = column.elts[-1]
    return isinstance(column, ast.Constant) and column.value in program.columns


def _set_to(program: Program, given: ast.expr) -> list[ast.expr]:
    """Return what the names of an expression were set to, where each was set once.

    Of the program's own functions it is what they return.
    """
    known: dict[str, list[tuple[Scope, ast.expr]]] = {}
    for scope, node in program.code.tree.nodes:
        if isinstance(node, ast.Return) and scope and node.value is not None:
            known.setdefault(scope[-1], []).append((scope[:-1], node.value))
        if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target, value in _parts(targets, node.value):
                if isinstance(target, ast.Name) and value is not None:
                    known.setdefault(target.id, []).append((scope, value))
    found: list[ast.expr] = []
    names = list(_names(given))
    for _ in range(MAX_DEPTH):
        values = [v for n in names if (v := _only(known.get(n, []))) is not None]
        new = [v for v in values if all(v is not f for f in found)]
        found += new
        names = [name for value in new for name in _names(value)]
    return found


def _parts(
    targets: Sequence[ast.expr], value: ast.expr | None
) -> Iterator[tuple[ast.expr, ast.expr | None]]:
    """Yield targets with what they are set to, ``a, b = x, y`` one by one."""
    for target in targets:
        names = target.elts if isinstance(target, ast.Tuple) else []
        parts = value.elts if isinstance(value, ast.Tuple) else []
        if names and len(names) == len(parts):
            yield from zip(names, parts, strict=True)
        else:
            yield target, value


def _only(given: list[tuple[Scope, ast.expr]]) -> ast.expr | None:
    """Return the one value that a name is set to, or the one of its module."""
    at_top = [value for scope, value in given if not scope]
    values = at_top or [value for _, value in given]
    return values[0] if len(values) == 1 else None


def _names(node: ast.expr) -> Iterator[str]:
    """Yield the names of an expression, and of its calls of methods."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name):
            yield inner.id
        elif isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute):
            yield inner.func.attr


def _tests(program: Program) -> Flow:
    return Flow(program.code.tree, lambda n: program.reads(n) in _BY_ROWS, is_wide=True)
