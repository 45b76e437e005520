"""Statements of Python that only print something, and what is made for them alone."""

from __future__ import annotations

import ast
import re
from collections import Counter
from typing import TYPE_CHECKING

from detectors.folding import dotted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MAX_ROUNDS = 4  # of leaving out what only something that was left out used
_SHOWS = re.compile(
    r"^(?:print|display|pprint|(?:log|logg\w+|\w*logger)\.(?:info|debug|warning|log)|sys\.std\w+\.write)$"
)
_CHANGES = re.compile(
    r"(?:^|\.)(?:\w*fit\w*|train\w*|backward|step|minimize|append|extend|update|insert|add|pop|"
    r"setdefault|remove|sort|fill\w*|write\w*|dump\w*|save\w*|to_\w+|load\w*|setattr|exec|eval|"
    r"drop|rename|reset_index|copyto|apply_gradients|partial_\w+|learn\w*|run|system|next)$"
)
_FILLS = re.compile(
    r"^(?:append|extend|update|insert|add|pop|setdefault|remove|sort|fill\w*|drop|to_\w+|"
    r"rename|reset_index)$"
)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def leave_out_shown(bodies: Sequence[list[ast.stmt]]) -> None:
    r"""Leave out of modules, in place, what prints, and the values that nothing but it uses.

    What may change something else on its way, as training does, stays.

    Examples
    --------
    >>> body = ast.parse("e = f(train)\nprint(e)\np = f(test)\nsave(p)").body
    >>> leave_out_shown([body])
    >>> [ast.unparse(s) for s in body]
    ['pass', 'pass', 'p = f(test)', 'save(p)']
    """
    changing = _changing(bodies)
    blocks = [block for body in bodies for block in _blocks(body)]
    for _ in range(MAX_ROUNDS):
        used = _used(bodies)
        n_left_out = 0
        for block in blocks:
            for at, statement in enumerate(block):
                changes = _calls(statement) & changing or _may_change(statement)
                if _is_idle(statement, used) and not changes:
                    block[at] = ast.copy_location(ast.Pass(), statement)
                    n_left_out += 1
        if not n_left_out:
            return


def _blocks(body: list[ast.stmt]) -> Iterator[list[ast.stmt]]:
    """Yield a block and the blocks of what stands in it."""
    yield body
    for node in (n for s in body for n in ast.walk(s)):
        for name in ("body", "orelse", "finalbody"):
            inner = getattr(node, name, None)
            if isinstance(inner, list) and inner:
                yield inner


def _used(bodies: Sequence[list[ast.stmt]]) -> Counter[str]:
    return Counter(
        node.id
        for body in bodies
        for statement in body
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Store)
    )


def _is_idle(statement: ast.stmt, used: Counter[str]) -> bool:
    """Say whether a statement prints, or sets names that nothing uses."""
    if isinstance(statement, ast.Assert):
        return True
    if isinstance(statement, ast.If):
        return all(isinstance(s, ast.Pass) for s in (*statement.body, *statement.orelse))
    if isinstance(statement, ast.Assign):
        names = [n for t in statement.targets for n in getattr(t, "elts", [t])]
        return all(isinstance(n, ast.Name) and not used[n.id] for n in names)
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(call, ast.Call) or any(k.arg == "file" for k in call.keywords):
        return False
    return bool(_SHOWS.match(dotted(call.func)))


def _calls(statement: ast.AST) -> set[str]:
    return {
        getattr(n.func, "attr", "") or getattr(n.func, "id", "")
        for n in ast.walk(statement)
        if isinstance(n, ast.Call)
    }


def _may_change(statement: ast.stmt) -> bool:
    """Say whether a call within a statement may change what it is called on or given."""
    return any(
        _CHANGES.search(dotted(n.func) or getattr(n.func, "attr", ""))
        for n in ast.walk(statement)
        if isinstance(n, ast.Call)
        if not _SHOWS.match(dotted(n.func))
    ) or any(isinstance(n, ast.NamedExpr | ast.Await | ast.Yield) for n in ast.walk(statement))


def _changing(bodies: Sequence[list[ast.stmt]]) -> set[str]:
    """Return the names of functions, methods and classes of the code that change something."""
    found: set[str] = set()
    inner: dict[str, set[str]] = {}
    for node in (n for body in bodies for s in body for n in ast.walk(s)):
        if not isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            continue
        inner.setdefault(node.name, set()).update(_calls(node))
        own = _own_names(node)
        if any(_sets_more(n, own) or _changes_other(n, own) for n in ast.walk(node)):
            found.add(node.name)
    for _ in range(MAX_ROUNDS):
        found |= {name for name, called in inner.items() if called & found}
    return found


def _own_names(node: ast.AST) -> set[str]:
    """Return the names that a function sets to something new."""
    return {
        target.id
        for n in ast.walk(node)
        if isinstance(n, ast.Assign)
        if not isinstance(n.value, ast.Name | ast.Attribute | ast.Subscript)
        for target in n.targets
        if isinstance(target, ast.Name)
    }


def _changes_other(node: ast.AST, own: set[str]) -> bool:
    """Say whether a node calls what may change more than a function's own lists and frames."""
    if not isinstance(node, ast.Call):
        return False
    name = getattr(node.func, "attr", "") or getattr(node.func, "id", "")
    on = getattr(getattr(node.func, "value", None), "id", "")
    return bool(_CHANGES.search(name)) and not (_FILLS.match(name) and on in own)


def _sets_more(node: ast.AST, own: set[str]) -> bool:
    """Say whether a statement sets more than a function's own names and their parts."""
    if isinstance(node, ast.Global | ast.Nonlocal | ast.Delete):
        return True
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    is_set = isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign)
    parts = [t for t in targets if isinstance(t, ast.Attribute | ast.Subscript)]
    return is_set and any(getattr(t.value, "id", "") not in own for t in parts)
