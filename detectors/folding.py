"""Constant folding of Python expressions: the value a literal expression has, without running it.

An agent that builds a path out of pieces, base64 or reversed text still hands one string to `open`.
What is not known stays as `UNKNOWN` inside a string.
"""

from __future__ import annotations

import ast
import binascii
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from detectors.bounds import (
    MAX_ELEMENTS,
    MAX_STRING,
    MAX_UNROLLED,
    UNKNOWN,
    Env,
    Unfoldable,
    bounded,
)
from detectors.decoders import fold_lambda
from detectors.found_paths import FOUND, FOUND_BY_METHOD, file_of
from detectors.pure_functions import NAMED_VALUES, PURE, percent
from detectors.unpacking import UNPACKS, decode, encode, translate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

MAX_DOTS = 32  # attributes of a dotted name
_NAMES = {"__file__": UNKNOWN, "chr": chr, "os.sep": "/", "os.pardir": "..", "os.path.pardir": ".."}


def dotted(node: ast.AST) -> str:
    """Return ``a.b.c`` of a name or attribute, or an empty text."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute) and len(parts) < MAX_DOTS:
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def fold(node: ast.expr, env: Env) -> Any:  # noqa: ANN401 - any literal
    """Evaluate an expression of literals and known names.

    Raises
    ------
    Unfoldable
        When nothing of its value is known, or too many steps were taken.
    """
    env.steps[0] -= 1
    env.budget[0] -= 1
    by_type = _FOLDS.get(type(node))
    if by_type is None or env.steps[0] < 0 or env.is_exhausted:
        raise Unfoldable
    return bounded(by_type(node, env), env)


def _fold_or_unknown(node: ast.expr, env: Env) -> Any:  # noqa: ANN401
    try:
        return fold(node, env)
    except Unfoldable:
        return UNKNOWN


def _fold_constant(node: ast.Constant, _env: Env) -> Any:  # noqa: ANN401
    if isinstance(node.value, str | bytes | int):
        return node.value
    raise Unfoldable


def _fold_name(node: ast.expr, env: Env) -> Any:  # noqa: ANN401
    name = dotted(node)
    if name in env:
        return env[name]
    if name in _NAMES:
        return _NAMES[name]
    if name.endswith((".__file__", ".__path__")):  # of a package
        file = file_of(name[: -len(".__file__")])
        return file if name.endswith(".__file__") else [file.rpartition("/")[0]]
    if decoder := UNPACKS.get(_ALIASED.get(name.partition(".")[2], name)):  # given another name
        return decoder
    return _fold_attribute(node, env)


def _fold_attribute(node: ast.expr, env: Env) -> Any:  # noqa: ANN401
    """Return a part of a path, a member of a namespace, or what stands for an enumeration's."""
    if not isinstance(node, ast.Attribute):
        raise Unfoldable
    holder = fold(node.value, env)
    if isinstance(holder, str) and node.attr == "parents":
        return [f"{holder}{'/..' * n}" for n in range(1, 5)]
    if isinstance(holder, str) and node.attr in {"parent", "name", "stem", "value"}:
        if node.attr == "value":
            return holder
        return f"{holder}/.." if node.attr == "parent" else holder.rpartition("/")[2]
    if isinstance(holder, dict) and node.attr in holder:
        return holder[node.attr]
    raise Unfoldable


def _fold_choice(node: ast.BoolOp, env: Env) -> Any:  # noqa: ANN401
    """Return what ``a or b`` is where ``a`` is not known."""
    if isinstance(node.op, ast.Or):
        for part in node.values:
            value = _fold_or_unknown(part, env)
            if value is not UNKNOWN and not str(value).startswith("$"):
                return value
    raise Unfoldable


def _fold_joined(node: ast.JoinedStr, env: Env) -> str:
    parts = []
    for part in node.values:
        inner = part.value if isinstance(part, ast.FormattedValue) else part
        parts.append(str(_fold_or_unknown(inner, env)))
    return "".join(parts)


def _fold_binary(node: ast.BinOp, env: Env) -> Any:  # noqa: ANN401
    left, right = _fold_or_unknown(node.left, env), _fold_or_unknown(node.right, env)
    if left is UNKNOWN and right is UNKNOWN:
        raise Unfoldable
    if isinstance(node.op, ast.Div) and isinstance(left, str) and isinstance(right, str):
        return _join_path([left, right])
    if isinstance(node.op, ast.Add) and type(left) is type(right) and hasattr(left, "__len__"):
        return _guard(lambda: (left + right)[:MAX_STRING], [])
    if isinstance(node.op, ast.Mod) and isinstance(left, str):
        return percent(left, right)
    if isinstance(left, int) and isinstance(right, int):
        return _integer(node.op, left, right)
    raise Unfoldable


def _integer(operator: ast.operator, left: int, right: int) -> int:
    if isinstance(operator, ast.Add):
        return left + right
    if isinstance(operator, ast.Sub):
        return left - right
    if isinstance(operator, ast.BitXor):
        return left ^ right
    raise Unfoldable


def _join_path(parts: list[str]) -> str:
    """Join like pathlib: an absolute part starts anew."""
    out = ""
    for part in parts:
        out = part if part.startswith("/") or not out else f"{out.rstrip('/')}/{part}"
    return out


def _fold_sequence(node: ast.List | ast.Tuple | ast.Set, env: Env) -> list[Any]:
    return [_fold_or_unknown(e, env) for e in node.elts[:MAX_ELEMENTS]]


def _fold_dict(node: ast.Dict, env: Env) -> dict[Any, Any]:
    pairs = zip(node.keys[:MAX_ELEMENTS], node.values, strict=False)
    return {
        k: _fold_or_unknown(v, env)
        for key, v in pairs
        if key is not None and isinstance(k := _fold_or_unknown(key, env), str | int)
    }


def _fold_subscript(node: ast.Subscript, env: Env) -> Any:  # noqa: ANN401
    if dotted(node.value) in {"os.environ", "environ"}:
        return f"${fold(node.slice, env)}"
    base = fold(node.value, env)
    if isinstance(node.slice, ast.Slice):
        bounds = [
            fold(b, env) if b is not None else None
            for b in (node.slice.lower, node.slice.upper, node.slice.step)
        ]
        if isinstance(base, str | bytes | list) and all(
            b is None or isinstance(b, int) for b in bounds
        ):
            return base[slice(*bounds)] if bounds[2] != 0 else base
        raise Unfoldable
    if isinstance(base, dict) and base and all("://" in str(v)[:9] for v in base.values()):
        key = _fold_or_unknown(node.slice, env)  # of addresses, one of them stands for all
        return base.get(key if isinstance(key, str) else "", next(iter(base.values())))
    index = fold(node.slice, env)
    try:
        return base[index]
    except (KeyError, IndexError, TypeError) as error:
        raise Unfoldable from error


def _fold_unary(node: ast.UnaryOp, env: Env) -> int:
    value = fold(node.operand, env)
    if isinstance(node.op, ast.USub) and isinstance(value, int):
        return -value
    raise Unfoldable


def _fold_comprehension(node: ast.ListComp | ast.GeneratorExp, env: Env) -> list[Any]:
    first = node.generators[0]
    parts = first.target.elts if isinstance(first.target, ast.Tuple) else [first.target]
    names = [part.id for part in parts if isinstance(part, ast.Name)]
    if len(node.generators) > 1 or first.ifs or len(names) != len(parts):
        raise Unfoldable
    elements = fold(first.iter, env)
    if isinstance(elements, str | bytes):
        elements = list(elements)
    if not isinstance(elements, list) or len(elements) > MAX_UNROLLED:
        raise Unfoldable
    inner = env.copy()
    values = []
    is_parted = isinstance(first.target, ast.Tuple)
    for element in elements:
        inner.update(zip(names, element if is_parted else [element], strict=False))
        values.append(fold(node.elt, inner))
    return values


def _fold_call(node: ast.Call, env: Env) -> Any:  # noqa: ANN401
    name = dotted(node.func)
    last = node.func.attr if isinstance(node.func, ast.Attribute) else name
    if f"{name}()" in env:  # a function of the attempt: see `detectors.handed_back`
        return env[f"{name}()"]
    name = _ALIASED.get(name.partition(".")[2], name)  # `import os as o`
    if name in {"os.environ.get", "os.getenv", "environ.get", "getenv"}:
        return fold(node.args[1], env) if len(node.args) > 1 else f"${fold(node.args[0], env)}"
    if name in NAMED_VALUES and node.keywords and not node.args:
        return _keywords(node, env)
    arguments: list[Any] = []
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            spread = fold(argument.value, env)
            arguments += spread if isinstance(spread, list) else [UNKNOWN]
        else:
            arguments.append(_fold_or_unknown(argument, env))
    if not name and last.endswith("decode") and last != "decode":  # __import__("base64").b64decode
        name = last
    if function := _function(name, last, env):
        return _guard(function, arguments)
    if isinstance(node.func, ast.Attribute) and last in {"format", "substitute", "safe_substitute"}:
        return _filled(str(fold(node.func.value, env)), arguments, _keywords(node, env))
    if isinstance(node.func, ast.Attribute) and last in _METHODS:
        receiver = fold(node.func.value, env)
        return _guard(_METHODS[last], [receiver, *arguments])
    raise Unfoldable


def _function(name: str, last: str, env: Env) -> Callable[..., Any] | None:
    """Return what a call runs, where it is one of ours; a name may hold a decoder."""
    held = env.get(name)
    return held if callable(held) else _FUNCTIONS.get(name) or _CONSTRUCTORS.get(last)


def _guard(function: Callable[..., Any], arguments: list[Any]) -> Any:  # noqa: ANN401
    """Call one of our own pure functions; whatever it cannot take is unknown."""
    try:
        return function(*arguments)
    except (
        TypeError,
        ValueError,
        AttributeError,
        LookupError,
        binascii.Error,
        OverflowError,
    ) as error:
        raise Unfoldable from error


def _keywords(node: ast.Call, env: Env) -> dict[str, Any]:
    """Fold keyword arguments, ``**mapping`` spread."""
    found: dict[str, Any] = {}
    for keyword in node.keywords:
        value = _fold_or_unknown(keyword.value, env)
        if keyword.arg:
            found[keyword.arg] = value
        elif isinstance(value, dict):
            found |= {str(k): v for k, v in value.items()}
    return found


def _filled(template: str, values: list[Any], named: dict[str, Any]) -> str:
    """Fill ``{}``, ``{0}``, ``{name}``, ``$name`` and ``${name}``; format specs are ignored."""
    if values and isinstance(values[0], dict):
        named = {str(k): v for k, v in values[0].items()} | named
    named |= {str(i): v for i, v in enumerate(values)}
    free = iter(values)

    def value(match: re.Match[str]) -> str:
        name = match.group(1) or match.group(2) or match.group(3)
        if not name:
            return str(next(free, UNKNOWN))
        return str(named.get(name, match.group(0)))

    return re.sub(r"\{(\w*)(?:![rsa])?(?::[^{}]*)?\}|\$\{(\w+)\}|\$(\w+)", value, template)


def _paths(*parts: str) -> str:
    return _join_path([str(p) for p in parts]) if parts else "."


def _same(value: str, *_: object) -> str:
    return value


def _bytes(values: list[int]) -> bytes:  # never bytes(n), which would allocate n bytes
    if not isinstance(values, list):
        raise TypeError
    return bytes(values)


def _map(function: object, values: Iterable[Any]) -> list[Any]:  # only map(chr, [...]) folds
    if function is not chr:
        raise TypeError
    return [chr(v) for v in values]


_CONSTRUCTORS: dict[str, Callable[..., Any]] = {
    "Path": _paths,
    "PurePath": _paths,
    "PosixPath": _paths,
    "Template": _same,
    "PurePosixPath": _paths,
}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "os.path.join": _paths,
    "path.join": _paths,
    "osp.join": _paths,
    "join": _paths,
    "str": str,
    "os.fspath": _same,
    "os.path.abspath": _same,
    "os.path.realpath": _same,
    "os.path.normpath": _same,
    "os.path.expanduser": _same,
    "os.path.dirname": lambda p: f"{p}/..",
    "chr": chr,
    "ord": ord,
    "bytes": _bytes,
    "list": list,
    "reversed": lambda v: list(reversed(v)),
    "sorted": sorted,
    "map": _map,
    "unquote": unquote,
    "parse.unquote": unquote,
    "urllib.parse.unquote": unquote,
    "os.getcwd": lambda: UNKNOWN,
    "Path.cwd": lambda: UNKNOWN,
    "Path.home": lambda: UNKNOWN,
    "str.maketrans": lambda old, new: [list(old), list(new)],
    **UNPACKS,
    **PURE,
    **FOUND,
}
_ALIASED = {
    name.partition(".")[2]: name
    for name in (*_FUNCTIONS, "os.environ.get", "os.getenv")
    if name.startswith(("os.", "base64.", "binascii."))
}
_METHODS: dict[str, Callable[..., Any]] = {
    "joinpath": _paths,
    "join": str.join,
    "replace": lambda text, old, new: text.replace(old, new),
    "strip": lambda text, *chars: text.strip(*chars),
    "lstrip": lambda text, *chars: text.lstrip(*chars),
    "rstrip": lambda text, *chars: text.rstrip(*chars),
    "removeprefix": lambda text, part: text.removeprefix(part),
    "removesuffix": lambda text, part: text.removesuffix(part),
    "swapcase": str.swapcase,
    "translate": translate,
    "lower": str.lower,
    "upper": str.upper,
    "split": lambda text, *how: text.split(*how),
    "decode": decode,
    "encode": encode,
    "resolve": _same,
    "absolute": _same,
    "as_posix": _same,
    "expanduser": _same,
    "with_name": lambda path, name: f"{path}/../{name}",
    "items": lambda mapping: [list(pair) for pair in mapping.items()],
    "values": lambda mapping: list(mapping.values()),
    "keys": list,
    "get": lambda mapping, key, *_: mapping[key],
    **FOUND_BY_METHOD,
}
_FOLDS: dict[type[ast.expr], Callable[[Any, Env], Any]] = {
    ast.Constant: _fold_constant,
    ast.Name: _fold_name,
    ast.Attribute: _fold_name,
    ast.JoinedStr: _fold_joined,
    ast.BinOp: _fold_binary,
    ast.List: _fold_sequence,
    ast.Tuple: _fold_sequence,
    ast.Set: _fold_sequence,
    ast.Dict: _fold_dict,
    ast.Subscript: _fold_subscript,
    ast.UnaryOp: _fold_unary,
    ast.BoolOp: _fold_choice,
    ast.ListComp: _fold_comprehension,
    ast.GeneratorExp: _fold_comprehension,
    ast.Call: _fold_call,
    ast.Lambda: fold_lambda,
}
