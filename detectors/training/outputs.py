"""Whether a program hands in shares and measures or labels, and where it makes all of them zero."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from detectors.training.flows import Flow, last_name
from detectors.training.writes import name_of

if TYPE_CHECKING:
    from detectors.training.programs import Program
    from detectors.training.scopes import Tree

_SHARES = re.compile(r"^(?:predict_proba|softmax|sigmoid|expit|log_softmax|decision_function)$")
_PREDICTS = frozenset({"predict"})
_MEASURES = re.compile(
    r"(?:Regressor|Regression|Ridge|Lasso|ElasticNet|SVR)\w*$|^(?:lgb|lightgbm|xgb|xgboost)\.train$"
)
_NO_MEASURE = re.compile(r"Logistic|RidgeClassifier")
_DECIDES = re.compile(
    r"^(?:argmax|argmin|idxmax|round|rint|around|where|digitize|cut|qcut|select|heaviside|"
    r"predict_classes|inverse_transform|topk|mode|searchsorted|gt|ge|lt|le|binarize)$"
)
_MULTICLASS_TRAIN = re.compile(r"multi:softmax|hinge", re.IGNORECASE)
_BLOCKS = (ast.If, ast.For, ast.While, ast.Try, ast.With, ast.Match, ast.FunctionDef, ast.ClassDef)
_WHOLE = frozenset({"int", "int8", "int16", "int32", "int64", "uint8", "long", "i4", "i8"})


def hands_in_shares(program: Program) -> bool:
    """Say whether what is handed in are probabilities or measures that nothing turns into labels.

    To cut probabilities off to whole numbers makes no labels of them: it makes them all zero.
    """
    tree = program.code.tree
    dead, is_measure = _dead(tree), _predicts_measures(tree)

    def is_share(node: ast.AST) -> bool:
        last = last_name(node) if isinstance(node, ast.Call) and id(node) not in dead else ""
        return bool(_SHARES.match(last)) or (is_measure and last in _PREDICTS)

    def is_label(node: ast.AST) -> bool:
        is_class = isinstance(node, ast.Call) and last_name(node) in _PREDICTS and not is_measure
        return is_class or _is_decision(node)

    if program.depends(Flow(tree, is_share)) is None:
        return False
    return program.depends(Flow(tree, is_label)) is None


def _predicts_measures(tree: Tree) -> bool:
    """Say whether every model that the code names predicts numbers, and none classes."""
    built = [name_of(n) for _, n in tree.calls()]
    measures = [n for n in built if _MEASURES.search(n) and not _NO_MEASURE.search(n)]
    others = [n for n in built if n.endswith(("Classifier", "NB", "SVC")) or _NO_MEASURE.search(n)]
    texts = (n.value for _, n in tree.nodes if isinstance(n, ast.Constant))
    decides = any(isinstance(t, str) and _MULTICLASS_TRAIN.search(t) for t in texts)
    return bool(measures) and not others and not decides


def _dead(tree: Tree) -> set[int]:
    """Return the nodes of values that a module sets and replaces before it looks at them."""
    last: dict[str, ast.Assign] = {}
    found: set[int] = set()
    inside = {
        id(inner)
        for scope, node in tree.nodes
        if not scope and isinstance(node, _BLOCKS)
        for inner in ast.walk(node)
    }
    pending: dict[int, str] = {}  # targets of an assignment take effect after its value was read
    for scope, node in tree.nodes:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            target = node.targets[0]
            reads_it = any(
                isinstance(n, ast.Name) and n.id == target.id for n in ast.walk(node.value)
            )
            is_plain = not scope and id(node) not in inside and not reads_it
            if is_plain and target.id in last:
                found |= {id(n) for n in ast.walk(last[target.id].value)}
            last.pop(target.id, None)
            if is_plain:
                last[target.id] = node
                pending[id(target)] = target.id
        elif isinstance(node, ast.Name) and id(node) not in pending:
            last.pop(node.id, None)
    return found


def _is_decision(node: ast.AST) -> bool:
    """Say whether a node may turn a share into a label."""
    if isinstance(node, ast.Compare):
        return any(isinstance(op, ast.Lt | ast.LtE | ast.Gt | ast.GtE) for op in node.ops)
    return isinstance(node, ast.Call) and bool(_DECIDES.match(last_name(node)))


def cut_to_whole(program: Program) -> ast.AST | None:
    """Return a cast of probabilities to whole numbers, which makes nearly all of them zero."""
    tree = program.code.tree
    shares = Flow(tree, lambda n: isinstance(n, ast.Call) and bool(_SHARES.match(last_name(n))))
    decisions = Flow(tree, _is_decision)
    for scope, node in tree.calls():
        if last_name(node) != "astype" or not isinstance(node.func, ast.Attribute):
            continue
        kind = node.args[0] if node.args else None
        word = getattr(kind, "id", "") or getattr(kind, "attr", "") or getattr(kind, "value", "")
        value = node.func.value
        scaled = any(
            isinstance(n, ast.BinOp) and isinstance(n.op, ast.Mult) for n in ast.walk(value)
        )
        is_cut = word in _WHOLE and not scaled and shares.depends(scope, value)
        if is_cut and not decisions.depends(scope, value):
            return node
    return None


def never_passed(program: Program) -> ast.AST | None:
    """Return a comparison of probabilities with a number that none of them reaches."""
    tree = program.code.tree
    shares = Flow(tree, lambda n: isinstance(n, ast.Call) and bool(_SHARES.match(last_name(n))))
    numbers = _numbers(tree)
    for scope, node in tree.nodes:
        is_one = isinstance(node, ast.Compare) and len(node.ops) == 1
        if not isinstance(node, ast.Compare) or not is_one or not _is_decision(node):
            continue
        for share, limit in (
            (node.left, node.comparators[0]),
            (node.comparators[0], node.left),
        ):
            value = numbers.get(limit.id) if isinstance(limit, ast.Name) else _number(limit)
            is_scaled = any(isinstance(n, ast.BinOp) for n in ast.walk(share))
            out = value is not None and not 0 <= value <= 1
            is_plain = not is_scaled and isinstance(share, ast.Name | ast.Subscript | ast.Call)
            if out and is_plain and shares.depends(scope, share):
                return node
    return None


def argmax_of_one(program: Program) -> ast.AST | None:
    """Return an argmax over a single column, which is the first one for every row."""
    tree = program.code.tree
    columns = Flow(tree, _is_single_column, by_parts=False)
    for scope, node in tree.calls():
        if last_name(node) in {"argmax", "idxmax", "argmin", "idxmin"}:
            given = [node.func.value] if isinstance(node.func, ast.Attribute) else []
            found = [*given, *node.args[:1]]
            if any(columns.depends(scope, g) for g in found):
                return node
    return None


def _is_single_column(node: ast.AST) -> bool:
    """Say whether a node makes one column: ``reshape(-1, 1)``, ``p[:, None]``, ``p[:, [1]]``."""
    if isinstance(node, ast.Call) and last_name(node) in {"reshape", "view"} and node.args:
        last = node.args[-1]
        shape = last.elts if isinstance(last, ast.Tuple | ast.List) else node.args
        return len(shape) > 1 and isinstance(shape[-1], ast.Constant) and shape[-1].value == 1
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple):
        last = node.slice.elts[-1]
        is_new = isinstance(last, ast.Constant) and last.value is None
        return is_new or (isinstance(last, ast.List) and len(last.elts) == 1)
    return False


def _number(node: ast.expr) -> float | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _number(node.operand)
        return None if inner is None else -inner
    is_it = isinstance(node, ast.Constant) and isinstance(node.value, int | float)
    return float(node.value) if is_it and not isinstance(node.value, bool) else None  # type: ignore[attr-defined]


def _numbers(tree: Tree) -> dict[str, float]:
    """Return the numbers that names are set to, where each is set once."""
    found: dict[str, list[float | None]] = {}
    for _, node in tree.nodes:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found.setdefault(node.targets[0].id, []).append(_number(node.value))
    return {n: v[0] for n, v in found.items() if len(v) == 1 and v[0] is not None}


def times_zero(program: Program) -> ast.AST | None:
    """Return a sum of predictions whose weights are all typed as zero."""
    tree = program.code.tree
    zeros, tables = _zeros(tree)
    for _, node in tree.nodes:
        value = node.value if isinstance(node, ast.Assign) else None
        if isinstance(value, ast.BinOp) and _is_zero(value, zeros, tables):
            return node
    return None


def _zeros(tree: Tree) -> tuple[set[str], dict[str, dict[object, bool]]]:
    """Return names that are set to zero once, and tables of weights: which of them are zero."""
    times: dict[str, int] = {}
    zeros: set[str] = set()
    tables: dict[str, dict[object, bool]] = {}
    for _, node in tree.nodes:
        target = node.targets[0] if isinstance(node, ast.Assign) else None
        if not isinstance(node, ast.Assign) or not isinstance(target, ast.Name):
            continue
        times[target.id] = times.get(target.id, 0) + 1
        if _is_number(node.value, 0):
            zeros.add(target.id)
        keys: list[object] = []
        values: list[ast.expr] = []
        if isinstance(node.value, ast.Dict):
            keys = [getattr(k, "value", None) for k in node.value.keys]
            values = node.value.values
        elif isinstance(node.value, ast.List | ast.Tuple):
            keys, values = list(range(len(node.value.elts))), node.value.elts
        if values:
            tables[target.id] = {k: _is_number(v, 0) for k, v in zip(keys, values, strict=True)}
    once = {name for name, n in times.items() if n == 1}
    return zeros & once, {name: table for name, table in tables.items() if name in once}


def _is_number(node: ast.expr, number: float) -> bool:
    is_it = isinstance(node, ast.Constant) and isinstance(node.value, int | float)
    return is_it and not isinstance(node.value, bool) and node.value == number  # type: ignore[attr-defined]


def _is_zero(node: ast.expr, zeros: set[str], tables: dict[str, dict[object, bool]]) -> bool:
    """Say whether an expression is zero whatever its predictions are."""
    if _is_number(node, 0) or (isinstance(node, ast.Name) and node.id in zeros):
        return True
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
        key = node.slice.value if isinstance(node.slice, ast.Constant) else None
        return tables.get(node.value.id, {}).get(key, False)
    if not isinstance(node, ast.BinOp):
        return False
    left, right = (_is_zero(side, zeros, tables) for side in (node.left, node.right))
    if isinstance(node.op, ast.Mult):
        return left or right
    return (
        (left and right) if isinstance(node.op, ast.Add) else left and isinstance(node.op, ast.Div)
    )
