"""Conditions that the command decides which ran a program: its options and its variables."""

from __future__ import annotations

import ast
import re
from collections import Counter
from typing import TYPE_CHECKING

from detectors.folding import dotted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MAX_COMMAND = 4_000  # characters that are looked at
_OPTION = re.compile(
    r"(?:^|\s)--(?P<name>[a-zA-Z][\w-]*)(?:[= ](?P<value>(?!-)[\w./-]+))?(?=$|[\s;&|])"
)
_VARIABLE = re.compile(r"(?:^|[\s;&])(?P<name>[A-Za-z_]\w*)=(?P<value>[\w./-]+)(?=\s)")
_BETWEEN = re.compile(r"&&|\|\|?|;|\n")
_ASKS = frozenset({"os.environ.get", "environ.get", "os.getenv", "getenv"})


class Switches:
    r"""What a command gave to a program; of what it gave twice, or nothing, nothing is known.

    Parameters
    ----------
    body : sequence of stmt
        The whole program.
    command : str
        What ran it.

    Examples
    --------
    >>> code = "import os\nQUICK = os.environ.get('QUICK') == '1'\nif QUICK:\n    pass\n"
    >>> body = ast.parse(code).body
    >>> Switches(body, "QUICK=1 python main.py").truth(body[2].test)
    True
    >>> Switches(body, "python main.py").truth(body[2].test) is None
    True
    """

    def __init__(self, body: Sequence[ast.stmt], command: str) -> None:
        text = command[:MAX_COMMAND]
        self._given = dict(_once(_OPTION, text))
        self._variables = dict(_once(_VARIABLE, text))
        nodes = [n for s in body for n in ast.walk(s)] if self._given or self._variables else []
        times = Counter(
            n.id if isinstance(n, ast.Name) else n.arg
            for n in nodes
            if isinstance(n, ast.arg) or (isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
        )
        self._set = {
            s.targets[0].id: s.value
            for s in (body if nodes else ())
            if isinstance(s, ast.Assign) and isinstance(s.targets[0], ast.Name)
            if times[s.targets[0].id] == 1
        }
        self._flags = {name for n in nodes for name in _flag(n)}

    def truth(self, test: ast.expr) -> bool | None:
        """Say whether a condition held; None where the command does not tell."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            inner = self.truth(test.operand)
            return None if inner is None else not inner
        if isinstance(test, ast.Name):
            return self.truth(self._set[test.id]) if test.id in self._set else None
        if isinstance(test, ast.Compare) and len(test.ops) == 1:
            value, other = self._value(test.left), test.comparators[0]
            if value is None or not isinstance(other, ast.Constant):
                return None
            is_same = value == str(other.value)
            known = {ast.Eq: is_same, ast.NotEq: not is_same}
            return known.get(type(test.ops[0]))
        if isinstance(test, ast.Attribute) and test.attr in self._flags:
            return True if test.attr in self._given else None
        return None

    def _value(self, node: ast.expr) -> str | None:
        """Return the text that a command gave for a node."""
        if isinstance(node, ast.Name):
            return self._value(self._set[node.id]) if node.id in self._set else None
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            return self._given.get(node.attr)
        is_asked = isinstance(node, ast.Call) and dotted(node.func) in _ASKS and bool(node.args)
        name = node.args[0] if is_asked and isinstance(node, ast.Call) else None
        if isinstance(node, ast.Subscript) and dotted(node.value) in {"os.environ", "environ"}:
            name = node.slice
        text = name.value if isinstance(name, ast.Constant) else None
        return self._variables.get(text) if isinstance(text, str) else None


def started(command: str, script: str) -> str:
    """Return of a command what ran a script last, and what was exported before.

    Examples
    --------
    >>> started("cd /a; export Q=1; python b.py --x 2 && python c.py --y 3", "b.py")
    'export Q=1 ; python b.py --x 2'
    """
    pieces = [p.strip() for p in _BETWEEN.split(command[:MAX_COMMAND])]
    at = max((n for n, piece in enumerate(pieces) if script in piece), default=-1)
    exports = [p for p in pieces[: max(at, 0)] if p.startswith("export ")]
    return " ; ".join([*exports, pieces[at]]) if at >= 0 else ""


def _once(pattern: re.Pattern[str], command: str) -> Iterator[tuple[str, str]]:
    """Yield names and values of which a command gives one alone."""
    found = [(m["name"].replace("-", "_"), m["value"] or "") for m in pattern.finditer(command)]
    times = Counter(name for name, _ in found)
    yield from (one for one in found if times[one[0]] == 1)


def _flag(node: ast.AST) -> Iterator[str]:
    """Yield the name of an option that is on where it is given."""
    if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "add_argument":
        actions = [getattr(k.value, "value", "") for k in node.keywords if k.arg == "action"]
        texts = [getattr(a, "value", "") for a in node.args]
        if "store_true" in actions:
            yield from (str(t).lstrip("-").replace("-", "_") for t in texts)
