"""Files that Python writes with rows of answers in them, the submission among them."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from detectors.rules.answer_names import RESULT
from detectors.rules.other_training import is_submitted
from detectors.training.flows import Flow, last_name
from detectors.training.handing_in import sinks_of
from detectors.training.stored import stored_reads
from detectors.training.writes import is_for_writing, written

if TYPE_CHECKING:
    from detectors.training.programs import Program
    from detectors.training.scopes import Scope

_WRITES = re.compile(
    r"^(?:to_(?:csv|parquet|feather|pickle|json|excel|hdf|sql)|write_(?:csv|parquet|json|ipc)|"
    r"save\w*|dump|savetxt)$"
)
_OPENS = re.compile(r"^(?:open|TFRecordWriter|ShardWriter|TarWriter)$")
_TAKES = re.compile(
    r"^(?:train\w*|fit\w*|\w*Dataset|DMatrix|Pool|from_files?|from_csv|load\w*|run)$"
)
_HANDS = re.compile(r"^(?:write\w*|print|dump|put|append|add|save\w*)$")
_IS_FILE = re.compile(r"^[^\s'\"]*\.[A-Za-z]\w{1,8}(?:\.\w{2,3})?$")
_OWN_FILES = re.compile(
    r"^(?:\./)?(?:(?:out\w*|subs?\w*|preds?|results?|models?|work\w*)/[\w/]*)?(?:solutions?|answers?)[_-][\w.-]+$|"
    r"^(?:\./)?(?:out\w*|subs?\w*|preds?|results?|models?|work\w*)/[\w/]*(?:solutions?|answers?)\.\w+$",
    re.IGNORECASE,
)
_COPIED_TO = re.compile(r"\bto\s+'([^'\n]+)'", re.IGNORECASE)
_JUDGES = re.compile(  # of rows these keep a figure, an order, or what a model made of them
    r"score|metric|rmse|rmsle|mae\b|mse\b|auc|accuracy|logloss|log_loss|error|kappa|loss|grade|"
    r"evaluat|corr|^(?:arg(?:max|min|sort)|isin|fit\w*|\w*fit|predict\w*|transform|minimize\w*|"
    r"optimize|f1\w*|r2\w*|nunique|unique|value_counts|describe|info|compare|equals|allclose|search)$",
    re.IGNORECASE,
)
_SUMS_UP = frozenset(
    {"mean", "sum", "std", "var", "median", "max", "min", "any", "all", "count", "average",
     "quantile", "percentile", "head_count", "norm"}
)  # fmt: skip
_OF_FRAME = frozenset({"columns", "index", "dtypes", "dtype"})


class _Rows(Flow):
    """Follows values row by row: not figures that sum them up, nor what was judged by them."""

    def _visit(self, scope: Scope, node: ast.AST) -> None:
        super()._visit(scope, node)
        if isinstance(node, ast.Expr) and _fills(node.value):
            self._fill(scope, node.value)

    def depends(self, scope: Scope, node: ast.AST | None) -> bool:
        """See `Flow.depends`."""
        if node is not None and not self.is_source(node) and _is_summary(node):
            return False
        return super().depends(scope, node)


def _fills(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and last_name(node) in {"copyto", "put", "place", "putmask"}


def _is_summary(node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr in _OF_FRAME
    if not isinstance(node, ast.Call):
        return False
    name = last_name(node)
    if _JUDGES.search(name):
        return True
    # A mean of several columns, or by groups, is of the rows still.
    by_rows = any(k.arg in {"axis", "dim"} for k in node.keywords) or any(
        isinstance(a, ast.List | ast.Tuple) for a in node.args
    )
    return name in _SUMS_UP and not by_rows and "groupby" not in ast.dump(node.func)


def handed_in_with(
    program: Program, sources: set[int], keys: frozenset[str]
) -> tuple[ast.Call, ast.Call] | None:
    """Return the call that reads answers, and the one that writes them into the submission.

    Parameters
    ----------
    sources : set of int
        Calls that read answers. An attempt may call several files of predictions solutions.
    keys : frozenset of str
        Columns that only name the rows.
    """
    reads = [
        node
        for _, node in program.code.tree.calls()
        if id(node) in sources and not any(map(_OWN_FILES.match, program.texts(node)))
    ]
    given = set(map(id, reads))
    given |= stored_reads(program, given) if given else set()
    rows = _Rows(program.code.tree, lambda n: id(n) in given, by_value=True, apart=keys)
    for node in reads:
        if any(map(is_submitted, _COPIED_TO.findall(" ".join(program.texts(node))))):
            return node, node
    for sink in sinks_of(program) if reads else ():
        is_named = bool(sink.target) or written(sink.node) is None
        is_copy = id(sink.node) in given
        if is_copy or (is_named and any(rows.depends(sink.scope, v) for v in sink.values)):
            return reads[0], sink.node
    return None


def written_with(program: Program, sources: set[int]) -> frozenset[str]:
    """Return the names of files that a program writes with rows out of some sources.

    Predictions and scores are left out: what was only compared with answers holds none.
    """
    flow = Flow(program.code.tree, lambda n: id(n) in sources)
    names = set()
    for scope, node in program.code.tree.calls():
        if not _WRITES.match(last_name(node)):
            continue
        values = [*node.args, *(k.value for k in node.keywords)]
        values += [node.func.value] if isinstance(node.func, ast.Attribute) else []
        inner = (n.value for v in values for n in ast.walk(v) if isinstance(n, ast.Constant))
        texts = [*program.texts(node), *(t for t in inner if isinstance(t, str))]
        if any(flow.depends(scope, v) for v in values):
            paths = {t.rpartition("/")[2] for t in texts if _IS_FILE.search(t)}
            names |= {name for name in paths if not RESULT.search(name)}
    return frozenset(names | _by_handles(program, flow))


def takes_files(call: ast.Call) -> bool:
    """Say whether a call learns from files that it is named, or makes a data set of them."""
    return _TAKES.search(last_name(call)) is not None


def _by_handles(program: Program, flow: Flow) -> set[str]:
    """Return the names of files that are opened for writing and then given rows one by one."""
    tree = program.code.tree
    names = set()
    for _, opened in tree.calls():
        if not _OPENS.search(last_name(opened)) or not (
            is_for_writing(opened) or last_name(opened).endswith("Writer")
        ):
            continue
        paths = {t.rpartition("/")[2] for t in program.texts(opened) if _IS_FILE.search(t)}
        paths = {name for name in paths if not RESULT.search(name)}
        handle = Flow(tree, lambda n, one=opened: n is one) if paths else None  # type: ignore[misc]
        if handle is not None and any(
            _HANDS.match(last_name(node))
            and any(flow.depends(scope, a) for a in node.args)
            and any(handle.depends(scope, v) for v in (node.func, *node.args, *_values(node)))
            for scope, node in tree.calls()
        ):
            names |= paths
    return names


def _values(node: ast.Call) -> list[ast.expr]:
    return [k.value for k in node.keywords]
