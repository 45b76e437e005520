"""What functions give back and what objects hold, as far as it is literal.

A name's value is kept under the name, what a function gives back under ``name()``, and what an
object of a class holds under ``name.*``, together with ``name.attribute`` for each.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from detectors.bounds import Env, Unfoldable
from detectors.call import Call
from detectors.folding import dotted, fold

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

MAX_STATEMENTS = 40  # of a function that is looked at
HELD = ".*"


def returned(function: ast.FunctionDef | ast.AsyncFunctionDef, env: Env) -> Any:  # noqa: ANN401
    r"""Fold what a function gives back, without what it is called with; None when not known.

    Examples
    --------
    >>> code = "def where(name, root='/a'):\\n    part = root + '/b'\\n    return part + '/c'"
    >>> returned(ast.parse(code).body[0], Env())
    '/a/b/c'
    """
    statements = [
        s for _, s in zip(range(MAX_STATEMENTS), _statements(function.body), strict=False)
    ]
    if not any(isinstance(s, ast.Return) and s.value is not None for s in statements):
        return None
    inner = env.copy()
    for name, default in defaults(function.args):
        _set(inner, name, default)
    for statement in statements:
        if isinstance(statement, ast.Return):
            value = _folded(statement.value, inner)
            if value is not None:
                return value
        elif isinstance(statement, ast.Assign | ast.AnnAssign):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            for target in targets:
                _set(inner, dotted(target), statement.value)
    return None


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a function in order, those within blocks too."""
    for statement in body:
        yield statement
        if isinstance(statement, ast.If | ast.With | ast.Try | ast.For):
            yield from _statements(statement.body)
            yield from _statements(getattr(statement, "orelse", []))


def defaults(given: ast.arguments) -> Iterator[tuple[str, ast.expr | None]]:
    """Yield every parameter with its default, or None."""
    positional = [*given.posonlyargs, *given.args]
    without = len(positional) - len(given.defaults)
    values = [*[None] * without, *given.defaults]
    yield from zip((a.arg for a in positional), values, strict=False)
    yield from zip((a.arg for a in given.kwonlyargs), given.kw_defaults, strict=False)


def _folded(value: ast.expr | None, env: Env) -> Any:  # noqa: ANN401
    try:
        return None if value is None else fold(value, env)
    except (Unfoldable, RecursionError):
        return None


def _set(env: Env, name: str, value: ast.expr | None) -> None:
    found = _folded(value, env)
    if found is None:
        env.pop(name, None)
    elif name:
        env[name] = found


def held(env: Mapping[str, Any], value: ast.expr) -> dict[str, Any]:
    """Return what an object holds: one that a class of the attempt makes, or one with a name."""
    if isinstance(value, ast.Call):
        attributes = env.get(f"{dotted(value.func)}{HELD}")
        return dict(attributes) if isinstance(attributes, dict) else {}
    attributes = env.get(f"{dotted(value)}{HELD}") if isinstance(value, ast.Name) else None
    return dict(attributes) if isinstance(attributes, dict) else {}


def named(name: str, attributes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the names under which an object's attributes are kept.

    Examples
    --------
    >>> named("cfg", {"seed": 1})
    {'cfg.*': {'seed': 1}, 'cfg.seed': 1}
    """
    if not attributes or not name:
        return {}
    return {f"{name}{HELD}": dict(attributes)} | {f"{name}.{k}": v for k, v in attributes.items()}


def given(
    function: ast.FunctionDef | ast.AsyncFunctionDef,
    node: ast.Call,
    env: Mapping[str, Any],
    value_of: Callable[[ast.expr], Any],
) -> Env:
    """Return what a call's arguments are known to hold, by the names of the parameters."""
    names = [a.arg for a in [*function.args.posonlyargs, *function.args.args]]
    if names[:1] in (["self"], ["cls"]):
        names = names[1:]
    values = dict(zip(names, node.args, strict=False))
    values |= {k.arg: k.value for k in node.keywords if k.arg}
    known = Env()
    for name, value in values.items():
        known.update(named(name, held(env, value)))
        folded = value_of(value)
        if folded is not None:
            known[name] = folded
    return known


def is_variable(target: ast.expr) -> bool:
    """Say whether what is assigned to is a variable of the environment."""
    name = dotted(target.value) if isinstance(target, ast.Subscript) else ""
    return name in {"os.environ", "environ"}


def set_to(node: ast.stmt, values: Iterable[str]) -> Call:
    """Return the call that setting a variable of the environment is."""
    end = node.end_lineno or node.lineno
    return Call("os.environ.__setitem__", tuple(values), node.lineno, end)


def brought(name: str, alias: str, module: Mapping[str, Any]) -> dict[str, Any]:
    """Return what ``from module import name as alias`` brings: what it is, gives back and holds."""
    kept = {a: module[n] for n, a in ((name, alias), (f"{name}()", f"{alias}()")) if n in module}
    attributes = module.get(f"{name}{HELD}")
    return kept | (named(alias, attributes) if isinstance(attributes, dict) else {})
