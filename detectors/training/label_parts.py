"""Parts of expressions at which the search for labels looks: columns, rows put behind others."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from detectors.training.flows import Flow, last_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from detectors.training.programs import Program
    from detectors.training.scopes import Scope, Tree
    from detectors.training.typed import Typed

FITS = re.compile(
    r"^(?:fit|fit_generator|fit_model|partial_fit|train|train_(?!test)\w+|backward|minimize|lstsq|fine_tune|"
    r"fit_one_cycle|finetune|cross_val_\w+|cross_validate|fit_predict)$"
)
FITS_ANY = re.compile(  # also what is fitted by formulas, or row by row
    rf"{FITS.pattern}|^(?:learn_one|learn_many|solve|pinv|polyfit|curve_fit|least_squares|fmin\w*|"
    r"add_instance|train_\w+|\w+_fit)$"
)
_NO_MODEL = re.compile(r"Encoder|Binarizer|Scaler|Vectorizer|Imputer|PCA|Tokenizer")
MIN_IDS = 4  # that stand typed, from which they are of rows
_MAY_FIT = re.compile(  # of all names of calls that train
    r"fit|train|backward|minimize|lstsq|fine_?tune|cross_val|learn_|solve|pinv|least_sq|fmin"
)
_SESSION = re.compile(r"^(?:(?:df_)?(?:train|test)|(?:train|test)_?(?:df|data|set))$")
_APPENDS = frozenset({"concat", "concatenate", "append", "hstack", "cat", "vstack"})


def may_teach(text: str) -> bool:
    """Say whether Python may hold a call that trains: whether it has a word of one's name.

    Examples
    --------
    >>> may_teach("model.fit(x, y)"), may_teach("print(frame.head())")
    (True, False)
    """
    return not text.isascii() or _MAY_FIT.search(text) is not None  # Python reads ℱ as F


def is_transform(node: ast.Call) -> bool:
    """Say whether a call fits what only changes rows: a scaler, an encoder, a vectorizer."""
    value = node.func.value if isinstance(node.func, ast.Attribute) else node
    return bool(_NO_MODEL.search(ast.dump(value)[:400]))


def is_update(node: ast.Call) -> bool:
    """Say whether a call trains a pipeline of spaCy by examples."""
    named = {keyword.arg for keyword in node.keywords}
    return last_name(node) == "update" and bool(named & {"sgd", "losses", "drop"})


def is_given_labels(node: ast.Call) -> bool:
    """Say whether a model's own method is given labels as its second argument."""
    is_method = isinstance(node.func, ast.Attribute) and last_name(node) in {"fit", "partial_fit"}
    return is_method and len(node.args) > 1


def constants_in(node: ast.AST) -> str:
    """Return the literal texts in an expression, joined."""
    inner = (n.value for n in ast.walk(node) if isinstance(n, ast.Constant))
    return " ".join(text for text in inner if isinstance(text, str))


def named_in_test(tree: Tree, scope: Scope, node: ast.AST) -> Iterator[ast.expr]:
    """Yield the parts put behind others whose files are named from the train folder to the test."""
    parts = put_together(node)
    names = [
        n for _, n in tree.nodes if isinstance(n, ast.JoinedStr) and "../test" in constants_in(n)
    ]
    if parts and names:
        flow = Flow(tree, lambda n: n in names)
        yield from (part for part in parts if flow.depends(scope, part))


def named_values(node: ast.Call) -> list[tuple[str, ast.expr]]:
    """Return what a call is given by name, also by ``**{"name": value}``."""
    found = []
    for keyword in node.keywords:
        if keyword.arg:
            found.append((keyword.arg, keyword.value))
        elif isinstance(keyword.value, ast.Dict):
            pairs = zip(keyword.value.keys, keyword.value.values, strict=True)
            found += [(str(getattr(key, "value", "")), value) for key, value in pairs]
    return found


def put_together(node: ast.AST) -> list[ast.expr]:
    """Return the parts of rows or labels that are put behind one another."""
    if isinstance(node, ast.Call) and last_name(node) in _APPENDS:
        return [p for a in node.args for p in getattr(a, "elts", [a])]
    if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add):
        return [node.target, node.value] if _is_list(node.value) else []
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return [node.left, node.right] if _is_list(node.left) or _is_list(node.right) else []
    if isinstance(node, ast.Call) and last_name(node) == "extend" and node.args:
        return [node.func.value, node.args[0]] if isinstance(node.func, ast.Attribute) else []
    if isinstance(node, ast.Subscript) and getattr(node.value, "attr", "") == "r_":
        return list(getattr(node.slice, "elts", []))
    return []


def rows_of(node: ast.expr) -> ast.expr:
    """Return the frame of which some columns are taken that another frame has, else the same."""
    if isinstance(node, ast.Subscript) and getattr(node.slice, "attr", "") == "columns":
        return node.value
    return node


def rows_read(program: Program, node: ast.AST) -> str:
    """Return what rows a node reads, or what a session named before: ``train`` and ``test``."""
    if isinstance(node, ast.Name) and _SESSION.match(node.id) and program.is_foreign(node):
        return "test" if "test" in node.id else "train"
    return program.reads(node)


def _is_list(node: ast.expr) -> bool:
    """Say whether an expression is surely a list, so that adding puts it behind another."""
    is_made = isinstance(node, ast.Call) and last_name(node) in {"list", "tolist", "to_list"}
    return is_made or isinstance(node, ast.List | ast.ListComp)


def set_for_ids(tree: Tree, targets: frozenset[str]) -> frozenset[int]:
    """Return the values that are set as the target of rows whose ids stand typed beside them."""
    found = set()
    for _, node in tree.nodes:
        target = node.targets[0] if isinstance(node, ast.Assign) else None
        parts = getattr(getattr(target, "slice", None), "elts", [])
        if not isinstance(node, ast.Assign) or len(parts) < len(("rows", "column")):
            continue
        column = getattr(parts[-1], "value", None)
        typed = [
            text
            for inner in ast.walk(parts[0])
            if isinstance(inner, ast.List | ast.Tuple | ast.Set)
            for one in inner.elts
            if isinstance(text := getattr(one, "value", None), str)
        ]
        ids = [text for text in typed if any(c.isdigit() for c in text)]
        if column in targets and isinstance(node.value, ast.Constant) and len(ids) >= MIN_IDS:
            found.add(id(node.value))
    return frozenset(found)


class Columns:
    """What holds something, told apart by the columns of a frame."""

    def __init__(self, tree: Tree, is_source: Callable[[ast.AST], bool]) -> None:
        self.flow = Flow(tree, is_source, by_parts=False)
        self.columns = {
            column
            for scope, node in tree.nodes
            if isinstance(node, ast.Assign) and self.flow.depends(scope, node.value)
            for column in map(column_of, node.targets)
            if column is not None
        }

    def depends(self, scope: Scope, node: ast.expr) -> bool:
        """Say whether an expression may hold it."""
        columns = {column_of(inner) for inner in ast.walk(node)}
        return not self.columns.isdisjoint(columns) or self.flow.depends(scope, node)


def column_of(node: ast.AST) -> object:
    """Return the one column that a subscript names, None where it names none."""
    inner = node.slice if isinstance(node, ast.Subscript) else None
    return inner.value if isinstance(inner, ast.Constant) else None


def columns_of(node: ast.Subscript) -> set[object]:
    """Return all columns that a subscript names."""
    parts = getattr(node.slice, "elts", [node.slice])
    return {part.value for part in parts if isinstance(part, ast.Constant)}


def is_number(text: str) -> bool:
    """Say whether a typed text is a number, or true or false."""
    try:
        float(text)
    except ValueError:
        return text in {"true", "false"}
    return True


def is_of_rows(table: Typed) -> bool:
    """Say whether keys of a table may name rows: most have a digit, as no setting's name has."""
    return sum(any(c.isdigit() for c in key) for key in table.pairs) * 2 > len(table.pairs)
