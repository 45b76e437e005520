"""Models that were taught nothing but what stands typed in the code."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from detectors.training.flows import Flow, last_name

if TYPE_CHECKING:
    import ast

    from detectors.training.programs import Program

# Libraries whose models know nothing before they are fitted.
_TEACHABLE = frozenset(
    {"sklearn", "scipy", "lightgbm", "xgboost", "catboost", "statsmodels", "imblearn", "torch",
     "tensorflow", "keras", "pygam", "ngboost", "interpret", "patsy", "numba"}
)  # fmt: skip
_KNOWS = re.compile(
    r"(?:^|[._])(?:datasets?|hub|applications|from_pretrained|pretrained|load\w*|fetch_\w+|models|"
    r"restore|import_module)(?:$|\.)"
)


def taught_by_typed(program: Program) -> ast.AST | None:
    """Return the typed table from which all that is handed in was learnt; None for other cases.

    Nothing that is handed in may come from train rows, from another file, or from a library whose
    models know something by themselves.
    """
    tree = program.code.tree
    if any(_KNOWS.search(source) for source in program.foreign.values()):
        return None
    if any(_KNOWS.search(last_name(n)) for _, n in tree.calls() if last_name(n) != "loads"):
        return None

    def brings(node: ast.AST) -> bool:
        """Say whether a node brings in what is not typed and may teach something."""
        if program.reads(node) in {"train", "other"} or program.runs(node):
            return True
        source = program.foreign.get(getattr(node, "id", ""), "")
        return program.is_foreign(node) and source.partition(".")[0] not in _TEACHABLE

    if program.depends(program.flow(brings)) is not None:
        return None
    flow = Flow(tree, lambda n: program.table(n) is not None, is_wide=True)
    is_taught = any(
        flow.depends(scope, node.func)
        for scope, node in tree.calls()
        if last_name(node) in {"backward", "minimize"}
    )
    if program.depends(flow) is None and not is_taught:
        return None
    return next((n for _, n in tree.nodes if program.table(n) is not None), None)
