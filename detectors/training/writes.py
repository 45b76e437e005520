"""How Python writes a file: the calls, and what they write."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from detectors.folding import dotted
from detectors.training.flows import last_name

if TYPE_CHECKING:
    from detectors.training.flows import Flow
    from detectors.training.scopes import Scope

COPIES = re.compile(r"(?:^|\.)(?:copy|copyfile|copy2|move|rename|replace)$")


def name_of(node: ast.Call) -> str:
    """Return the dotted name of a call, ``?.c`` where it is called on no name."""
    return dotted(node.func) or f"?.{last_name(node)}"


def is_for_writing(node: ast.Call) -> bool:
    """Say whether an `open` is one for writing."""
    given = [*node.args, *(k.value for k in node.keywords if k.arg == "mode")]
    modes = [a.value for a in given if isinstance(a, ast.Constant)]
    return any(isinstance(m, str) and re.fullmatch(r"[wax][bt+]{0,2}", m) for m in modes)


def writes_to(handles: Flow, scope: Scope, node: ast.Call) -> bool:
    """Say whether a call writes to an open submission."""
    if last_name(node) in {"write", "writerow", "writerows", "writelines"}:
        return isinstance(node.func, ast.Attribute) and handles.depends(scope, node.func.value)
    targets = [k.value for k in node.keywords if k.arg == "file"]
    return last_name(node) == "print" and any(handles.depends(scope, t) for t in targets)


def written(node: ast.Call) -> tuple[ast.expr, ...] | None:
    """Return what a call writes to a file that it names itself; None where it writes none."""
    last = last_name(node)
    if last in {"to_csv", "write_csv"} and isinstance(node.func, ast.Attribute):
        return (node.func.value,)
    if last == "savetxt":
        return tuple(node.args[1:2])
    if last in {"write_text", "write_bytes"}:
        return tuple(node.args[:1])
    if COPIES.search(name_of(node)) and len(node.args) > 1 and dotted(node.func).count("."):
        return tuple(node.args[:1])
    return None
