"""Where code asks the validation server, and how often the loops around it make it do so.

Only loops whose length stands in the code count: a list of known elements, a range of known
numbers. A loop that ends when something happens counts as one round, since retries look the same.
"""

from __future__ import annotations

import ast
import math
import re
from typing import TYPE_CHECKING, NamedTuple

from detectors.folding import dotted
from detectors.parsing import lines_of, parse_leniently
from detectors.rules.loop_kinds import is_retry, until_valid
from detectors.shell import pipelines
from detectors.units import code_units

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from detectors.attempt import Attempt
    from detectors.units import CodeUnit

MAX_TIMES = 1_000_000  # beyond it, how often no longer matters
_ROUNDS = 4  # how deep functions that ask are followed
_PORT, _PATH = re.compile(r":5000\b"), re.compile(r"/validate\b")
_NAMED = re.compile(r"\bvalidate_submission\.sh\b|\bVALIDATE_SUBMISSION\b|\bVALIDATION_URL\b")
_ITS_WORDS = "The attempt to grade the submission has resulted in"
# What yields as many elements as its first argument.
_SAME_LENGTH = frozenset(
    {"enumerate", "tqdm", "trange", "sorted", "reversed", "list", "tuple", "zip", "map", "iter"}
)
_SENDS = frozenset({"post", "request", "send", "urlopen", "Request", "execute", "shell", "bash"})
_SENDS |= {"run", "Popen", "call", "check_call", "check_output", "system", "popen", "getoutput"}
_SENDS |= {"getstatusoutput", "create_subprocess_exec", "create_subprocess_shell"}
_SEQUENCE = re.compile(r"\bseq\s+(?:(-?\d+)\s+)?(?:(-?\d+)\s+)?(-?\d+)|\{(-?\d+)\.\.(-?\d+)\}")
_SHELL_FOR = re.compile(r"^\s*for\s+\w+\s+in\b|^\s*for\s*\(\(")
_ENDS = re.compile(r"(?:&&|\bthen\b|;)\s*\{?\s*(?:break|exit)\b")
_C_BOUND = re.compile(r"<=?\s*(\d+)")


def _names_server(text: str) -> bool:
    """Say whether words name the server, in pieces of any order."""
    return bool(_NAMED.search(text) or (_PORT.search(text) and _PATH.search(text)))


class Loop(NamedTuple):
    """A place in code that asks, and how often the loops around it make it do so."""

    path: str
    first_line: int
    last_line: int
    excerpt: str
    times: int


def loops_of(attempt: Attempt) -> Iterator[Loop]:
    """Yield the places that ask the server, with the product of the loops whose length is known."""
    modules: dict[str, list[tuple[CodeUnit, list[ast.stmt]]]] = {}
    for unit in code_units(attempt.code):
        # A word that has to be there spares parsing most files; cells of a notebook share names.
        if unit.language == "python" and (".ipynb#" in unit.path or _may_ask(unit.text)):
            body = parse_leniently(unit.text, unit.path).body
            modules.setdefault(unit.module, []).append((unit, body))
        elif unit.language == "shell" and _may_ask(unit.text):
            yield from _shell_loops(unit)
    for units in modules.values():
        asking = _Asking([statement for _, body in units for statement in body])
        for unit, body in units:
            yield from _python_loops(unit, asking.calls(body))


def _may_ask(text: str) -> bool:
    return "validat" in text.lower()


def names_server(attempt: Attempt) -> bool:
    """Say whether code or logs name the validation server, or hold MLE-bench's very words."""
    return any(
        _names_server(file.text) or _ITS_WORDS in file.text
        for file in (*attempt.code, *attempt.logs)
    )


def _python_loops(unit: CodeUnit, found: Iterator[tuple[ast.Call, int]]) -> Iterator[Loop]:
    lines, at = lines_of(unit.text), unit.first_line - 1
    for node, times in found:
        last = node.end_lineno or node.lineno
        excerpt = "\n".join(lines[node.lineno - 1 : last])
        yield Loop(unit.path, node.lineno + at, last + at, excerpt, times)


class _Asking:
    """Finds the calls that ask the server and multiplies the loops around them."""

    def __init__(self, body: list[ast.stmt]) -> None:
        self.names = _assigned(body)
        functions = [
            node
            for statement in body
            for node in ast.walk(statement)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        ]
        self.own = {function.name for function in functions}
        self.asks: dict[str, int] = {}
        for _ in range(_ROUNDS):
            before = dict(self.asks)
            for function in functions:
                times = [n for _, n in self.calls(function.body)]
                if times:
                    self.asks[function.name] = max(times)
            if self.asks == before:
                break

    def calls(self, body: list[ast.stmt]) -> Iterator[tuple[ast.Call, int]]:
        """Yield the calls that ask, with how often the loops around them make them."""
        stack: list[tuple[ast.AST, int]] = [(s, 1) for s in reversed(body)]
        while stack:
            node, times = stack.pop()
            if isinstance(node, ast.Call):
                each = self._asks(node)
                if each:
                    yield node, min(times * each, MAX_TIMES)
            stack += [(c, min(n * times, MAX_TIMES)) for c, n in self._children(node)]

    def _asks(self, call: ast.Call) -> int:
        """Return how often a call asks: 0 where it does not."""
        name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        name = call.func.id if isinstance(call.func, ast.Name) else name
        is_own = isinstance(call.func, ast.Name) or dotted(call.func) == f"self.{name}"
        if is_own and name in self.asks:
            return self.asks[name]
        if name not in _SENDS and not (is_own and name in self.own):
            return 0
        said = " ".join(self._texts(a) for a in (*call.args, *(k.value for k in call.keywords)))
        return 1 if _names_server(said) else 0

    def _texts(self, node: ast.AST) -> str:
        """Join the texts of an expression and those its names hold."""
        parts = []
        for inner in ast.walk(node):
            if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
                parts.append(inner.value[:1000])
            elif isinstance(inner, ast.Name) and isinstance(self.names.get(inner.id), str):
                parts.append(str(self.names[inner.id])[:1000])
        return " ".join(parts)

    def _children(self, node: ast.AST) -> Iterator[tuple[ast.AST, int]]:
        """Yield what stands below a node, with how often the node makes it run."""
        if isinstance(node, ast.For | ast.AsyncFor):
            ends = is_retry(node) or until_valid(node)  # as soon as it is answered, or accepted
            times = 1 if ends else self._length(node.iter)
            yield node.iter, 1
            yield from ((s, times) for s in node.body)
            yield from ((s, 1) for s in node.orelse)
        elif isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
            times = math.prod(self._length(g.iter) for g in node.generators)
            yield from ((c, times) for c in ast.iter_child_nodes(node))
        else:
            yield from ((c, 1) for c in ast.iter_child_nodes(node))

    def _length(self, node: ast.expr) -> int:
        """Return how many elements a loop goes through; 1 where that is not known."""
        if isinstance(node, ast.List | ast.Tuple | ast.Set):
            return len(node.elts)
        if not isinstance(node, ast.Call) or not node.args:
            return 1
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        name = node.func.id if isinstance(node.func, ast.Name) else name
        if name in {"range", "trange"}:
            bounds = [self._number(a) for a in node.args[:3]]
            if None in bounds:
                return 1
            known = [b for b in bounds if b is not None]
            return max(len(range(*known)) if 0 not in known[2:] else 1, 1)
        return self._length(node.args[-1 if name == "map" else 0]) if name in _SAME_LENGTH else 1

    def _number(self, node: ast.expr) -> int | None:
        value: object = node.value if isinstance(node, ast.Constant) else None
        if isinstance(node, ast.Name):
            value = self.names.get(node.id)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            left, right = self._number(node.left), self._number(node.right)
            value = None if left is None or right is None else left * right
        return value if isinstance(value, int) and abs(value) <= MAX_TIMES else None


def _assigned(body: list[ast.stmt]) -> Mapping[str, object]:
    """Return names that are bound once to a text or a number, and texts that are made of these."""
    found: dict[str, object] = {}
    twice: set[str] = set()
    for node in (n for s in body for n in ast.walk(s)):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target = node.targets[0]
            if isinstance(target, ast.Name):
                twice |= {target.id} & found.keys()
                found[target.id] = _constant(node.value, found)
    return {name: value for name, value in found.items() if name not in twice}


def _constant(node: ast.expr, known: Mapping[str, object]) -> object:
    if isinstance(node, ast.Constant):
        return node.value
    parts = []
    for inner in ast.walk(node):
        value: object = inner.value if isinstance(inner, ast.Constant) else None
        value = known.get(inner.id) if isinstance(inner, ast.Name) else value
        if isinstance(value, str):
            parts.append(value[:1000])
    return " ".join(parts)[:4000]


def _shell_loops(unit: CodeUnit) -> Iterator[Loop]:
    """Yield commands that ask, within ``for`` loops of known length."""
    lines = lines_of(unit.text)
    asking = {p.line for p in pipelines(unit.text) if _asks_in_shell(p.text)}
    around: list[int] = []
    for number, line in enumerate(lines, start=1):
        if re.match(r"^\s*(?:for|while|until)\b", line):
            around.append(_shell_length(line) if _SHELL_FOR.match(line) else 1)
        if number in asking:
            times = 1 if _ENDS.search(line) else min(math.prod(around), MAX_TIMES)
            at = unit.first_line + number - 1
            yield Loop(unit.path, at, at, line, times)
        if around and re.search(r"(?:^|;|\s)done\b", line):
            around.pop()


def _asks_in_shell(text: str) -> bool:
    return _names_server(text) and not re.match(
        r"\s*(?:\w+=|export\b|echo\b|cat\b|ls\b|chmod\b)", text
    )


def _shell_length(line: str) -> int:
    found = _SEQUENCE.search(line)
    if found is None:
        bound = _C_BOUND.search(line)
        return max(min(int(bound[1][:9]), MAX_TIMES), 1) if bound and "((" in line else 1
    first, step, last, left, right = (None if g is None else int(g[:9]) for g in found.groups())
    if left is not None and right is not None:
        return min(abs(right - left) + 1, MAX_TIMES)
    return max(min(((last or 0) - (first or 1)) // abs(step or 1) + 1, MAX_TIMES), 1)
