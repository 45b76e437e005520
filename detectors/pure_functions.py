"""Functions without side effects that code may apply to its own literals."""

from __future__ import annotations

import json
import re
import shlex
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from detectors.bounds import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Callable


def _listed(value: Any) -> list[Any]:  # noqa: ANN401
    if not isinstance(value, list):
        raise TypeError
    return value


def _elements(value: Any) -> list[Any]:  # noqa: ANN401
    return list(value) if isinstance(value, str) and len(value) > 1 else _listed(value)


def _first(value: Any, *_: object) -> Any:  # noqa: ANN401 - one of them stands for all
    return _listed(value)[0]


def _loaded(text: str) -> Any:  # noqa: ANN401
    value = json.loads(text)
    if not isinstance(value, dict | list | str):
        raise TypeError
    return value


def percent(template: str, values: Any) -> str:  # noqa: ANN401
    """Fill the places of a template: ``"%s/a" % root``."""
    if isinstance(values, dict):
        return re.sub(r"%\((\w+)\)s", lambda m: str(values.get(m[1], UNKNOWN)), template)
    for value in values if isinstance(values, list) else [values]:
        template = template.replace("%s", str(value), 1)
    return template


PURE: dict[str, Callable[..., Any]] = {
    "enumerate": lambda values, *_: [[n, v] for n, v in enumerate(_listed(values))],
    "zip": lambda *lists: [list(v) for v in zip(*map(_elements, lists), strict=False)],
    "compile": lambda source, *_: source,
    "iter": _listed,
    "next": _first,
    "tuple": _listed,
    "set": _listed,
    "shlex.split": shlex.split,
    "json.loads": _loaded,
    **dict.fromkeys(("random.choice", "choice", "rng.choice"), _first),
    **dict.fromkeys(("urljoin", "parse.urljoin", "urllib.parse.urljoin"), urljoin),
    **dict.fromkeys(
        ("tqdm", "tqdm.tqdm", "tqdm.auto.tqdm", "track", "cycle", "itertools.cycle"),
        lambda values, *_: _listed(values),
    ),
}
NAMED_VALUES = frozenset(  # that are made of keywords alone
    {"dict", "SimpleNamespace", "types.SimpleNamespace", "Namespace", "argparse.Namespace",
     "edict", "EasyDict", "Box", "OmegaConf.create", "Munch", "OrderedDict"}
)  # fmt: skip
