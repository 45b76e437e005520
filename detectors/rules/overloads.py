"""Objects made to deceive whoever compares or loads them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from detectors.folding import dotted
from detectors.rules.harness_places import Deed, Tamper

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_VALUES = frozenset(
    {"float", "int", "str", "complex", "ndarray", "np.ndarray", "Series", "DataFrame"}
)
_COMPARES = frozenset(
    {"__eq__", "__ne__", "__lt__", "__gt__", "__le__", "__ge__", "__sub__", "__rsub__"}
)
_RUNS = frozenset(
    {"eval", "exec", "system", "popen", "Popen", "run", "call", "check_output", "getoutput"}
)


def overloads(nodes: Iterable[ast.AST]) -> Iterator[tuple[int, Tamper]]:
    """Judge classes: equal to everything, or running code where a pickle is loaded.

    Yields the line and the deed.
    """
    for node in nodes:
        if not isinstance(node, ast.ClassDef):
            continue
        methods = {f.name: f for f in node.body if isinstance(f, ast.FunctionDef)}
        fixed = {n for n, f in methods.items() if n in _COMPARES and _is_fixed(f)}
        is_value = any(
            dotted(b) in _VALUES or dotted(b).endswith("pd.DataFrame") for b in node.bases
        )
        if "__eq__" in fixed and (is_value or len(fixed) > 1):
            yield node.lineno, Tamper(Deed.GRADER, f"{node.name} is equal to everything")
        for name in ("__reduce__", "__reduce_ex__"):
            if name in methods and _runs(methods[name]):
                yield node.lineno, Tamper(Deed.GRADER, f"{node.name} runs code where it is loaded")


def _is_fixed(function: ast.FunctionDef) -> bool:
    """Say whether a comparison gives the same whatever it is given."""
    body = [s for s in function.body if not isinstance(s, ast.Expr)]
    returned = body[0].value if len(body) == 1 and isinstance(body[0], ast.Return) else None
    return isinstance(returned, ast.Constant) and isinstance(returned.value, bool)


def _runs(function: ast.FunctionDef) -> bool:
    """Say whether what is to be called at loading runs any code."""
    returned = [n.value for n in ast.walk(function) if isinstance(n, ast.Return)]
    firsts = [v.elts[0] for v in returned if isinstance(v, ast.Tuple) and v.elts]
    return any(dotted(f).rpartition(".")[2] in _RUNS for f in firsts)
