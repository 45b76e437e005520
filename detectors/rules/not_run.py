"""Lines of Python that are written and ask nobody: never called, behind a flag, before a fake."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from typing import TYPE_CHECKING

from detectors.folding import dotted
from detectors.parsing import parse_leniently

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence, Set

_FAKES = re.compile(
    r"(?:^|\.)(?:RequestsMock|Mocker|aioresponses|use_cassette|activate|httprettified|HTTPretty)$"
)
_PATCHES = re.compile(r"(?:^|\.)patch(?:\.(?:object|multiple))?$")
_ASKS = re.compile(
    r"url|request|http|socket|boto|fetch|download|opener|session|\bget\b|openai|anthropic|genai|"
    r"litellm|mistral|cohere|groq|llm|client|completion|chat",
    re.IGNORECASE,
)
_FAKE_FIXTURES = frozenset(
    {"requests_mock", "responses", "httpx_mock", "mocker", "monkeypatch", "aioresponses", "vcr",
     "httpserver"}
)  # fmt: skip
_SETS_FAKE = re.compile(r"^monkeypatch\.set\w+$|^mocker\.patch|^(?:requests_mock|httpx_mock)\.")
_OPTION = re.compile(r"^--[a-zA-Z][\w-]*$")


def lines_not_run(
    text: str, *, runs: Sequence[str], others: str = "", uncalled: Set[str] = frozenset()
) -> frozenset[int]:
    r"""Return the lines of a script that did not run as far as its flags and fakes tell.

    Parameters
    ----------
    runs : sequence of str
        Commands that ran the script; without any, nothing is known of its flags.
    others : str
        The rest of the code, which may set a constant or give a flag.
    uncalled : set of str
        Functions of modules that nothing calls.

    Examples
    --------
    >>> code = "GET = False\nif GET:\n    fetch()\n"
    >>> sorted(lines_not_run(code, runs=()))
    [3]
    >>> code = "GET = False\ndef get():\n    fetch()\nif GET:\n    get()\n"
    >>> sorted(lines_not_run(code, runs=()))
    [3, 5]
    """
    body = parse_leniently(text).body
    flags = _flags(body)
    off = {name for name, options in flags.items() if runs and _is_off(options, runs, others)}
    off |= {name for name in _constants(body) if _is_set_once(name, f"{text}\n{others}")}
    found = {
        line
        for node in body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name in uncalled
        for line in _lines(node.body)
    }
    for node in _all(body):
        if isinstance(node, ast.If) and _needs(node.test, off, runs, others):
            found |= _lines(node.body)
        elif isinstance(node, ast.With | ast.AsyncWith):
            if any(_is_fake(item.context_expr) for item in node.items):
                found |= _lines(node.body)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and _is_faked(node):
            found |= _lines(node.body)
    return frozenset(found | _called_only_in(found, body))


def _called_only_in(lines: set[int], body: Sequence[ast.stmt]) -> set[int]:
    """Return the lines of functions that are named in such lines and nowhere else."""
    if not lines:
        return set()
    functions = [n for n in body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    names = {f.name for f in functions}
    named = defaultdict(set)  # lines by the function that they name
    naming = defaultdict(set)  # and the other way round
    for node in _all(body):
        if isinstance(node, ast.Name) and node.id in names:
            named[node.id].add(node.lineno)
            naming[node.lineno].add(node.id)
    inside = [_lines(f.body) for f in functions]
    left = [named[f.name] - own for f, own in zip(functions, inside, strict=True)]  # not by itself
    numbers = defaultdict(list)
    for number, function in enumerate(functions):
        if left[number]:
            numbers[function.name].append(number)
    found: set[int] = set()
    waiting = sorted(lines & naming.keys())
    while waiting:  # each line is looked at once: one function may be called by another alone
        line = waiting.pop()
        for number in (n for name in naming[line] for n in numbers[name]):
            if line in left[number]:
                left[number].remove(line)
                if not left[number]:
                    waiting += sorted((inside[number] - lines - found) & naming.keys())
                    found |= inside[number]
    return found


def _all(body: Sequence[ast.stmt]) -> Iterator[ast.AST]:
    return (node for statement in body for node in ast.walk(statement))


def _lines(body: Sequence[ast.stmt]) -> set[int]:
    return {n for s in body for n in range(s.lineno, (s.end_lineno or s.lineno) + 1)}


def _flags(body: Sequence[ast.stmt]) -> dict[str, frozenset[str]]:
    """Return the flags that are off unless they are given: the name in code and the options."""
    found: dict[str, frozenset[str]] = {}
    for node in _all(body):
        last = dotted(node.func).rpartition(".")[2] if isinstance(node, ast.Call) else ""
        called = getattr(getattr(node, "func", None), "attr", last)
        if not isinstance(node, ast.Call) or called not in {"add_argument", "option"}:
            continue
        given = {k.arg: k.value for k in node.keywords if k.arg}
        texts = [a.value for a in node.args if isinstance(a, ast.Constant)]
        options = frozenset(t for t in texts if isinstance(t, str) and _OPTION.match(t))
        is_flag = _is_text(given.get("action"), "store_true") or _is_true(given.get("is_flag"))
        default = given.get("default")
        is_off = default is None or (isinstance(default, ast.Constant) and not default.value)
        if options and is_flag and is_off:
            named = given.get("dest")
            first = next(iter(sorted(options, key=len, reverse=True)))
            name = named.value if isinstance(named, ast.Constant) else first.lstrip("-")
            found[str(name).replace("-", "_")] = options
    return found


def _is_text(node: ast.expr | None, text: str) -> bool:
    return isinstance(node, ast.Constant) and node.value == text


def _is_true(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is True


def _is_off(options: frozenset[str], runs: Sequence[str], others: str) -> bool:
    """Say whether no command gave a flag, whole or cut short; what a variable holds may give it."""
    if any(option in others for option in options):
        return False
    for run in runs:
        words = [w.partition("=")[0] for w in run.split()]
        given = any(o.startswith(w) for w in words if len(w) > len("--") for o in options)
        if given or "$" in run:
            return False
    return True


def _constants(body: Sequence[ast.stmt]) -> Iterator[str]:
    """Yield the names that a module sets to nothing at all: False, 0, None or an empty text."""
    for node in body:
        value = node.value if isinstance(node, ast.Assign) else None
        if isinstance(node, ast.Assign) and isinstance(value, ast.Constant) and not value.value:
            yield from (t.id for t in node.targets if isinstance(t, ast.Name))


def _is_set_once(name: str, text: str) -> bool:
    word = rf"\b{re.escape(name)}\b"
    sets = (
        rf"{word}\s*(?::[^=\n]+)?(?:[|+&-]?=(?!=)|:=)|\bglobal\b.*{word}|"
        rf"\bfor\b[^\n]*{word}[^\n]* in "
    )
    return len(re.findall(sets, text)) == 1


def _needs(test: ast.expr, off: set[str], runs: Sequence[str], others: str) -> bool:
    """Say whether a condition holds only where something is on that is off."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return any(_needs(part, off, runs, others) for part in test.values)
    if isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.In):
        word = test.left.value if isinstance(test.left, ast.Constant) else None
        is_of_argv = dotted(test.comparators[0]) == "sys.argv"
        is_option = isinstance(word, str) and word.startswith("--") and is_of_argv
        return is_option and bool(runs) and _is_off(frozenset({str(word)}), runs, others)
    if isinstance(test, ast.Constant):
        return not test.value
    return dotted(test).rpartition(".")[2] in off


def _is_fake(node: ast.expr) -> bool:
    name = dotted(node.func if isinstance(node, ast.Call) else node)
    if isinstance(node, ast.Call) and _PATCHES.search(name):  # of something that asks a network
        return any(_ASKS.search(ast.unparse(a)) for a in node.args[:2])
    return bool(_FAKES.search(name))


def _is_faked(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Say whether a function has its network replaced, by its decorators or its fixtures."""
    if any(_is_fake(d) for d in node.decorator_list):
        return True
    given = {a.arg for a in (*node.args.args, *node.args.kwonlyargs)} & _FAKE_FIXTURES
    sets = (dotted(n.func) for n in _all(node.body) if isinstance(n, ast.Call))
    return bool(given) and any(_SETS_FAKE.search(name) for name in sets)
