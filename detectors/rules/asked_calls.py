"""The calls of Python that send a submission to whatever judges it."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from detectors.bounds import UNKNOWN
from detectors.calls import calls
from detectors.parsing import parse_leniently
from detectors.rules.loop_kinds import last_name
from detectors.rules.scoring_servers import ITS_SETTING, is_own, names_scorer

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from detectors.units import CodeUnit

SENDS = frozenset(
    {
        "post",
        "put",
        "request",
        "urlopen",
        "send",
        "send_request",
        "fetch",
        "perform",
        "POST",
        "Request",
    }
)
_RUNS = frozenset({
    *("run", "Popen", "call", "check_call", "check_output", "system", "popen", "getoutput"),
    *("curl", "wget"),  # of a library that runs commands by their names
    *("getstatusoutput", "create_subprocess_exec", "create_subprocess_shell", "shell", "sh"),
})  # fmt: skip
_SENDS_FILE = re.compile(
    r"\bfiles\s*=|to_csv|\bdata\s*=|\bcontent\s*=|\.csv\b|FormData|upload|multipart|\bjson\s*=",
)
_HANDS_IN = re.compile(
    r"\b(?P<who>env|environment|client|arena|benchmark|grader|judge|oracle)\."
    r"(?:submit|grade|score|evaluate|validate|check)\w*\((?P<what>[^\n]*)"
)
_A_FILE = re.compile(r"\.csv\b|submission|\bsub(?:_\w+)?\b|\bpred\w*", re.IGNORECASE)


def asking_calls(
    units: Sequence[CodeUnit],
    ports: frozenset[str],
    *,
    is_told: bool,
    scripts: Iterable[str] = (),
) -> set[tuple[str, int, str]]:
    """Find the calls that ask: unit, line within it, last part of the name.

    Parameters
    ----------
    scripts : iterable of str
        Names of programs that ask, so that to run one is to ask.
    is_told : bool
        The attempt names a server elsewhere, so that a file that is sent to an address which is not
        known goes there.
    """
    found: set[tuple[str, int, str]] = set()
    for unit, call in calls(units):
        last = call.name.rpartition(".")[2]
        said = " ".join(call.strings)
        at = (unit.path, call.first_line - unit.first_line + 1, last)
        if last in SENDS or last in _RUNS:
            if is_own(said, ports):
                continue
            lines = unit.text.split("\n")[at[1] - 1 : call.last_line - unit.first_line + 1]
            text = "\n".join(lines)
            runs = last in _RUNS and any(re.search(rf"\b{re.escape(s)}\b", said) for s in scripts)
            if (
                names_scorer(said, unit.text)
                or any(names_scorer(s, unit.text) for s in call.strings if s.startswith("/"))
                or runs
                or (last in SENDS and _goes_there(call.strings, text, unit.text, is_told=is_told))
            ):
                found.add(at)
    return found | _unfolded(units, ports, is_told=is_told)


def _unfolded(
    units: Sequence[CodeUnit], ports: frozenset[str], *, is_told: bool
) -> set[tuple[str, int, str]]:
    """Find the same among calls of which no argument is known."""
    found = set()
    for unit in units:
        for node in _nodes(unit):
            if not isinstance(node, ast.Call):
                continue
            text, last = ast.unparse(node)[:600], last_name(node.func)
            if is_own(text, ports):
                continue
            first = node.args[0] if node.args else None
            is_bare = first is not None and not isinstance(first, ast.Constant | ast.JoinedStr)
            sends = last in SENDS and is_bare and _goes_there((), text, unit.text, is_told=is_told)
            raw = last in {"sendall", "send"} and names_scorer(text, unit.text)
            if sends or raw or hands_in(text, unit.text):
                found.add((unit.path, node.lineno, last))
    return found


def hands_in(text: str, program: str = "") -> bool:
    """Say whether an environment of others is given a submission, to be scored.

    Examples
    --------
    >>> hands_in("env.submit('submission.csv')"), hands_in("client.submit(train_fold, k)")
    (True, False)
    """
    found = _HANDS_IN.match(text)
    if found is None or not _A_FILE.search(found["what"]):
        return False
    made = rf"\b{found['who']}\s*=\s*(?:[A-Z]\w*\(|\w*gym|.*dask|Client\()"
    return not re.search(made, program)


def _goes_there(strings: tuple[str, ...], text: str, program: str, *, is_told: bool) -> bool:
    """Say whether a file is sent to an address that is not known and may be the server's."""
    address = strings[0] if strings else ""
    if re.search(r"[\w.]+:\d+|https?://\w", address.replace(UNKNOWN, "")):
        return False
    if not _SENDS_FILE.search(text) or re.search(r"\bjson\s*=", text):
        return False
    return is_told or bool(ITS_SETTING.search(program))


def _nodes(unit: CodeUnit) -> list[ast.AST]:
    body = parse_leniently(unit.text, unit.path).body
    return [node for statement in body for node in ast.walk(statement)]
