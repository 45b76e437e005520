"""What is wrong with a definition or a document, in words for whoever wrote it."""

from __future__ import annotations

import types
import typing
from typing import TYPE_CHECKING, Any, Final, Union

from pydantic import BaseModel

from competitions.errors import near_names

if TYPE_CHECKING:
    import yaml
    from pydantic import ValidationError
    from pydantic_core import ErrorDetails

_MAX_FOUND: Final = 60  # characters of a value that is quoted
_MAX_FIELDS: Final = 20  # that are listed where none resembles the unknown one
_PATTERNS: Final = {
    "^[A-Za-z0-9][A-Za-z0-9-]*$": "letters, digits and hyphens, a letter or digit first",
    "^[A-Za-z0-9][A-Za-z0-9_-]*$": (
        "letters, digits, hyphens and underscores, a letter or digit first"
    ),
    "^[A-Za-z_][A-Za-z0-9_]*$": "letters, digits and underscores, no digit first",
    "^[A-Za-z_][A-Za-z0-9_.-]*$": "letters, digits, underscores, dots and hyphens, a letter first",
    "^[0-9a-f]{32}$": "32 hex digits in small letters",
    "^[0-9a-f]{64}$": "64 hex digits in small letters",
}
_KINDS: Final = {
    "string_type": "text",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a finite number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "tuple_type": "a list",
    "list_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
    "string_too_short": "some text",
}
_BOUNDS: Final = {
    "greater_than": ("more than", "gt"),
    "greater_than_equal": ("at least", "ge"),
    "less_than": ("less than", "lt"),
    "less_than_equal": ("at most", "le"),
}


def problems_of(error: ValidationError, model: type[BaseModel] | None = None) -> list[str]:
    """Say each problem of a pydantic error as ``field: what is wrong``.

    Parameters
    ----------
    model : type or None
        What was read: with it, the names that exist are told beside one that does not.
    """
    return [
        f"{'.'.join(str(p) for p in e['loc']) or 'document'}: {_said(e, model)}"
        for e in error.errors()
    ]


def _said(one: ErrorDetails, model: type[BaseModel] | None) -> str:
    kind = one["type"]
    if kind == "missing":
        return "required, and missing"
    if kind == "extra_forbidden":
        return f"unknown field{_meant(one['loc'], model)}"
    if kind == "value_error":
        return one["msg"].removeprefix("Value error, ")
    return f"{_expected(one)}, found {_shown(one['input'])}"


def _expected(one: ErrorDetails) -> str:
    kind, context = one["type"], one.get("ctx", {})
    if kind == "string_pattern_mismatch":
        pattern = str(context.get("pattern"))
        return f"expected {_PATTERNS.get(pattern, f'the form {pattern}')}"
    if kind in _BOUNDS:
        words, name = _BOUNDS[kind]
        return f"expected {words} {context.get(name)}"
    if kind == "literal_error":
        return f"expected {context.get('expected')}"
    if kind in _KINDS:
        return f"expected {_KINDS[kind]}"
    return f"{one['msg'][:1].lower()}{one['msg'][1:]}"


def _shown(value: object) -> str:
    """Quote a value in a few characters; nothing in it can command a terminal."""
    if value is None:
        return "nothing"
    for kind, words in ((dict, "a mapping"), (list | tuple, "a list")):
        if isinstance(value, kind):
            return words if value else f"an empty {words[2:]}"
    text = ascii(value) if not isinstance(value, str) or not value.isprintable() else repr(value)
    return text if len(text) <= _MAX_FOUND else f"{text[:_MAX_FOUND]}…"


def _meant(place: tuple[int | str, ...], model: type[BaseModel] | None) -> str:
    """Name the fields that an unknown one may stand for."""
    kinds: list[Any] = [model]
    for part in place[:-1]:
        kinds = [inner for kind in kinds for inner in _inner(kind, str(part))]
    known = sorted({name for kind in kinds if _is_model(kind) for name in kind.model_fields})
    if near := near_names(str(place[-1]), known):
        return f"; did you mean {' or '.join(near)}?"
    return f"; there are {', '.join(known)}" if 0 < len(known) <= _MAX_FIELDS else ""


def _is_model(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)


def _inner(kind: Any, part: str) -> list[Any]:  # noqa: ANN401 - an annotation is anything
    """List what may stand at one step below a model, list or mapping."""
    if _is_model(kind):
        field = kind.model_fields.get(part)
        return _alternatives(field.annotation) if field else []
    return [inner for argument in typing.get_args(kind) for inner in _alternatives(argument)]


def _alternatives(annotation: Any) -> list[Any]:  # noqa: ANN401 - an annotation is anything
    if typing.get_origin(annotation) in {Union, types.UnionType}:
        return [a for one in typing.get_args(annotation) for a in _alternatives(one)]
    if typing.get_origin(annotation) is typing.Annotated:
        return _alternatives(typing.get_args(annotation)[0])
    return [annotation]


def yaml_problem(error: yaml.YAMLError | UnicodeDecodeError, name: str) -> str:
    """Say what is wrong with a YAML file, and in which line.

    Parameters
    ----------
    name : str
        Of the file.
    """
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None)
    if mark is not None and problem:
        return f"{name}, line {mark.line + 1}, column {mark.column + 1}: {problem}"
    if isinstance(error, UnicodeDecodeError):
        return f"{name}: expected UTF-8, found a byte that is none at {error.start}"
    return f"{name}: {' '.join(str(error).split())}".replace('"<unicode string>", ', "")
