"""Keys that code puts together: out of pieces, encoded, reversed, or kept in several names."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, NamedTuple

from detectors.bounds import UNKNOWN
from detectors.calls import calls
from detectors.other_calls import ASSIGNED, other_calls
from detectors.other_tokens import suffix_of
from detectors.parsing import parse_leniently
from detectors.shell import pipelines
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
_MAY_JOIN = re.compile(
    r"\$\{?\w|[\"'][\"']|paste|concat|join|\+|\.\.|string\(|[\"'] ?\. ?[\"'$]|\. ?\$|<>|"
    r"sprintf|format"
)
_SET = re.compile(r"(?:^|[\s;&])(\w{1,60})=")
MIN_CHARACTERS = 16
_MARK = "__value_of__"


class Folded(NamedTuple):
    """A secret that stands nowhere as it is, and the line of code that has it."""

    unit: CodeUnit
    line: int
    value: str
    secret: Secret


def folded_secrets(units: Sequence[CodeUnit]) -> Iterator[Folded]:
    """Yield the secrets among the texts that reach calls, commands or names of a module.

    Parameters
    ----------
    units : sequence of CodeUnit
        Code that runs together.
    """
    for unit in units:
        if unit.language in {"shell", "other"}:
            yield from _put_together(unit)
    yield from _in_python(units)


def _put_together(unit: CodeUnit) -> Iterator[Folded]:
    """Yield the secrets that a shell's or another language's names and pieces give together."""
    if not _MAY_JOIN.search(unit.text):
        return
    told: set[str] = set()
    made = _of_shell(unit) if unit.language == "shell" else _of_other(unit)
    for line, name, text in made:
        if not MIN_CHARACTERS <= len(text) <= MAX_CHARACTERS or UNKNOWN in text:
            continue
        if text in unit.text or text in told:
            continue
        told.add(text)
        before = f"{name}='" if name else ""
        for secret in secrets_in(f"{before}{text}'"):
            value = f"{before}{text}'"[secret.start : secret.end]
            if value not in unit.text:
                yield Folded(unit, unit.first_line + line - 1, value, secret)


def _of_shell(unit: CodeUnit) -> Iterator[tuple[int, str, str]]:
    for pipeline in pipelines(unit.text):
        for command in pipeline.commands:
            is_set = command[0] == "export"
            names = _SET.findall(pipeline.text) if is_set else []
            for at, word in enumerate(command[1:]):
                yield pipeline.line, names[at] if at < len(names) else "", word


def _of_other(unit: CodeUnit) -> Iterator[tuple[int, str, str]]:
    for call in other_calls(unit.text, suffix_of(unit.path)):
        name = next(iter(call.keys), "") if call.name == ASSIGNED else ""
        yield from ((call.first_line, name, text) for text in call.strings)


def _in_python(units: Sequence[CodeUnit]) -> Iterator[Folded]:
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
