"""Functions of an attempt's own that decode what they are given, in one expression."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from detectors.bounds import Env, Unfoldable

if TYPE_CHECKING:
    from collections.abc import Callable

_DECODERS = frozenset(
    {"fromhex", "unhexlify", "a2b_hex", "b64decode", "urlsafe_b64decode", "b32decode", "b85decode",
     "a85decode", "decompress", "decode", "chr"}
)  # fmt: skip


class Decoder:
    """A function of one expression: called with values, it gives the value of the expression."""

    def __init__(self, given: ast.arguments, body: ast.expr, env: Env) -> None:
        self._given, self._body, self._env = given, body, env

    def __call__(self, *values: object) -> Any:  # noqa: ANN401 - any literal
        """Return what the expression gives for these values.

        Raises
        ------
        Unfoldable
            When it is not known, or too many or too few values are given.
        """
        from detectors.folding import fold

        # Without the others of its kind: none calls itself.
        inner = self._env.copy()
        inner.budget[0] -= len(inner)
        for name in [n for n, value in inner.items() if isinstance(value, Decoder)]:
            del inner[name]
        names = [a.arg for a in self._given.args]
        defaults = [fold(d, inner) for d in self._given.defaults]
        inner.update(zip(names[len(names) - len(defaults) :], defaults, strict=True))
        if not len(names) - len(defaults) <= len(values) <= len(names):
            raise Unfoldable
        inner.update(zip(names, values, strict=False))
        return fold(self._body, inner)


def decoder(
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, env: Env
) -> Callable[..., Any] | None:
    """Return what decodes as a function does, where it is one expression that decodes.

    Examples
    --------
    >>> node = ast.parse("lambda s: bytes.fromhex(s).decode()", mode="eval").body
    >>> decoder(node, Env())("2f746d70")
    '/tmp'
    >>> decoder(ast.parse("lambda s: s.strip()", mode="eval").body, Env()) is None
    True
    """
    if isinstance(node, ast.Lambda):
        body: ast.expr | None = node.body
    else:
        last = node.body[-1]
        is_one = len(node.body) == 1 or (len(node.body) == 2 and isinstance(node.body[0], ast.Expr))  # noqa: PLR2004
        body = last.value if is_one and isinstance(last, ast.Return) else None
    if body is None or not node.args.args or not any(_decodes(n) for n in ast.walk(body)):
        return None
    return Decoder(node.args, body, env)


def fold_lambda(node: ast.Lambda, env: Env) -> Callable[..., Any]:
    """Evaluate a function without a name, as `decoder` does.

    Raises
    ------
    Unfoldable
        When it decodes nothing.
    """
    found = decoder(node, env)
    if found is None:
        raise Unfoldable
    return found


def _decodes(node: ast.AST) -> bool:
    if isinstance(node, ast.Slice):  # backwards
        return isinstance(node.step, ast.UnaryOp)
    name = getattr(node, "attr", getattr(node, "id", ""))
    return name in _DECODERS
