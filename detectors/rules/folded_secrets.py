"""Keys that Python puts together: out of pieces, encoded, reversed, or kept in several names."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, NamedTuple

from detectors.bounds import UNKNOWN
from detectors.calls import calls
from detectors.parsing import parse_leniently
from reports.secrets import secrets_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from detectors.units import CodeUnit
    from reports.secrets import Secret

MAX_NAMES = 200  # of a module whose values are looked at
MAX_CHARACTERS = 4_000  # of one value
_MAY_PUT_TOGETHER = re.compile(  # what code has that makes one text out of others
    r"\+|join\(|\[::-1\]|reversed\(|fromhex|b64|base64|decode\(|chr\(|%|\.format\(|f[\"']|"
    r"[\"'][ \t]*\n[ \t]*[\"']|codecs|rot13|replace\("
)
_MARK = "__value_of__"


class Folded(NamedTuple):
    """A secret that stands nowhere as it is, and the line of code that has it."""

    unit: CodeUnit
    line: int
    value: str
    secret: Secret


def folded_secrets(units: Sequence[CodeUnit]) -> Iterator[Folded]:
    """Yield the secrets among the texts that reach calls or names of a module.

    Parameters
    ----------
    units : sequence of CodeUnit
        Code that runs together; what is not Python is left out.
    """
    python = [u for u in units if u.language == "python"]
    whole = "\n".join(u.text for u in python)
    if not _MAY_PUT_TOGETHER.search(whole):
        return
    shown = [u._replace(text=f"{u.text}\n{_names_shown(u)}") for u in python]
    told: set[str] = set()
    for unit, call in calls(shown):
        last = unit.first_line + unit.text.count("\n")
        for text in call.strings:
            if len(text) > MAX_CHARACTERS or UNKNOWN in text or text in whole:
                continue
            for secret in secrets_in(text):
                value = text[secret.start : secret.end]
                if value not in told and value not in whole:
                    told.add(value)
                    yield Folded(unit, min(call.first_line, last), value, secret)


def _names_shown(unit: CodeUnit) -> str:
    """Return calls that are given what the module's names hold, each with its name before it."""
    names = [
        target.id
        for node in parse_leniently(unit.text, unit.path).body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    ]
    kept = list(dict.fromkeys(names))[:MAX_NAMES]
    return "\n".join(f'{_MARK}("{name}=\'" + {name} + "\'")' for name in kept)
