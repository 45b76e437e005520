"""Python that asks a server of submissions: where, what of the answer it takes, how often."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from detectors.parsing import parse_leniently
from detectors.rules.learning_words import is_score_key
from detectors.rules.loop_kinds import is_few, is_retry, is_short, last_name
from detectors.rules.name_scopes import Scopes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from detectors.rules.name_scopes import Key, Place
    from detectors.units import CodeUnit

MAX_ROUNDS = 4  # how far answers are followed from name to name
_GENERIC = frozenset(
    re.findall(r"\w+", "get post put run fit predict read write send request close main load save "
               "append update copy items keys values join format print step forward")
)  # fmt: skip
_NO_SCORE = frozenset({"status_code", "ok", "elapsed", "reason", "headers", "returncode"})
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_NUMBERED = re.compile(r"\\d|0-9|\[\d")
_OF_FORM = re.compile(r"rows?|columns?|line|length|expected|missing|found", re.IGNORECASE)
_NO_NUMBER = re.compile(r"status_code|elapsed|headers|returncode|len\(")
_COLLECTS = frozenset({"append", "add", "extend", "insert", "update", "setdefault"})
_RANKS = frozenset({"sort_values", "nlargest", "nsmallest"})
_CHOOSES = frozenset(
    re.findall(r"\w+", "max min sorted minimize maximize gp_minimize forest_minimize fmin optimize "
               "differential_evolution basinhopping brute dual_annealing minimize_scalar eaSimple")
)  # fmt: skip
_ASSIGNS = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.NamedExpr)
_RETURNS = (ast.Return, ast.Yield)


class Flow:
    """The statements of one module or session, its questions and what becomes of the answers.

    Parameters
    ----------
    units : sequence of CodeUnit
        What shares names.
    asks : set of (str, int, str)
        Path, line within the unit and name of the calls that ask.
    known : frozenset of str
        Functions of other modules that ask.
    replying : frozenset of str
        Those of them that return what was answered.
    """

    def __init__(
        self,
        units: Sequence[CodeUnit],
        asks: set[tuple[str, int, str]],
        known: frozenset[str] = frozenset(),
        replying: frozenset[str] = frozenset(),
    ) -> None:
        self.bodies = [(u, parse_leniently(u.text, u.path).body) for u in units]
        self.nodes = [n for _, body in self.bodies for n in _all(body)]
        self.scopes = Scopes([body for _, body in self.bodies])
        self.asking = {
            id(node)
            for unit, body in self.bodies
            for node in _all(body)
            if isinstance(node, ast.Call) and (unit.path, node.lineno, _last(node)) in asks
        }
        self.functions = [n for n in self.nodes if isinstance(n, _FUNCTIONS)]
        self.askers, self.returning = set(known), set(replying)
        self.replies: set[Key] = set()
        self._bound: dict[Key, list[tuple[Place, bool]]] = {}
        for _round in range(MAX_ROUNDS):
            before = len(self.askers) + len(self.replies) + len(self.returning)
            self._follow()
            if len(self.askers) + len(self.replies) + len(self.returning) == before:
                break

    def _follow(self) -> None:
        for function in self.functions:
            self._define(function)
        self._bound = {}
        for node in self.nodes:
            if isinstance(node, _ASSIGNS):
                self._assign(node)
            elif isinstance(node, ast.With | ast.AsyncWith):
                for item in node.items:
                    if item.optional_vars is not None and self.is_reply(item.context_expr):
                        self._bind(_stored(item), is_reply=True)
            elif isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
                if self.is_reply(node.iter):
                    self._bind(_stored(node.target), is_reply=True)
            elif isinstance(node, ast.Call):
                self._hand_over(node)

    def _define(self, function: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        if any(self.is_ask(n) for n in ast.walk(function)):
            self.askers.add(function.name)
        returned = (n.value for n in ast.walk(function) if isinstance(n, _RETURNS))
        if any(value is not None and self.is_reply(value) for value in returned):
            self.returning.add(function.name)

    def _assign(self, node: ast.Assign | ast.AnnAssign | ast.AugAssign | ast.NamedExpr) -> None:
        value = node.value
        if isinstance(value, ast.Lambda) and any(map(self.is_ask, ast.walk(value))):
            self.askers |= {n.id for n in _stored(node)}
            self.returning |= {n.id for n in _stored(node)}
        elif value is not None:
            self._bind(_stored(node), is_reply=self.is_reply(value))

    def _bind(self, names: Iterable[ast.Name], *, is_reply: bool) -> None:
        for name in names:
            key = self.scopes.key(name)
            if key is not None:
                place, _ = self.scopes.place(name)
                self._bound.setdefault(key, []).append((place, is_reply))
                if is_reply:
                    self.replies.add(key)

    def _hand_over(self, node: ast.Call) -> None:
        """Follow answers into parameters, and what an answer is appended to."""
        given = (*node.args, *(k.value for k in node.keywords))
        replies = [self.is_reply(a) for a in given]
        if not any(replies):
            return
        for key, replied in zip(self.scopes.parameters.get(_last(node), []), replies, strict=False):
            if replied:
                self.replies.add(key)
        for one in given:
            self.replies |= set(self.scopes.of_lambda.get(id(one), []))
        owner = node.func.value if isinstance(node.func, ast.Attribute) else None
        kept = self.scopes.key(owner) if owner is not None else None
        if isinstance(owner, ast.Name) and kept is not None and _last(node) in _COLLECTS:
            self._bound.setdefault(kept, []).append((self.scopes.place(owner)[0], True))
            self.replies.add(kept)

    def is_ask(self, node: ast.AST) -> bool:
        """Say whether a node is a call that asks, or of a function that does."""
        return isinstance(node, ast.Call) and (
            id(node) in self.asking or self._calls_one(node, self.askers)
        )

    def is_numbered(self, node: ast.AST) -> bool:
        """Say whether a question is a call of the attempt's own function with a number alone."""
        return (
            isinstance(node, ast.Call)
            and self._calls_one(node, self.returning)
            and len(node.args) == 1
            and self._is_number(node.args[0])
        )

    def _is_number(self, node: ast.expr) -> bool:
        """Say whether a value is a number, or a name that is only ever set to one."""
        if isinstance(node, ast.Name):
            values = [v for k, v in self._values() if k == self.scopes.key(node)]
            return bool(values) and all(_is_constant(v) for v in values)
        return _is_constant(node)

    def _values(self) -> Iterator[tuple[Key | None, ast.expr]]:
        """Yield the names that are assigned alone, and to what."""
        for node in self.nodes:
            if isinstance(node, ast.Assign) and len(node.targets) == 1:
                target = node.targets[0]
                if isinstance(target, ast.Name):
                    yield self.scopes.key(target), node.value

    @staticmethod
    def _calls_one(node: ast.Call, names: set[str]) -> bool:
        last = _last(node)
        return last in names and (isinstance(node.func, ast.Name) or last not in _GENERIC)

    def is_reply(self, node: ast.AST) -> bool:
        """Say whether a value is an answer, or made of one."""
        return any(
            self._replies(n) or (isinstance(n, ast.Name) and self._holds(n)) for n in ast.walk(node)
        )

    def _replies(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Call) and (
            id(node) in self.asking or self._calls_one(node, self.returning)
        )

    def _holds(self, node: ast.Name) -> bool:
        """Say whether a name holds an answer where it stands."""
        key = self.scopes.key(node)
        if key not in self.replies or not isinstance(node.ctx, ast.Load):
            return False
        place, inside = self.scopes.place(node)
        if inside not in {0, key[0]}:
            return True
        before = [(at, is_reply) for at, is_reply in self._bound.get(key, []) if at < place]
        return max(before)[1] if before else True

    def learns(self) -> bool:
        """Say whether a score is taken out of an answer anywhere."""
        return any(map(self._takes, self.nodes))

    def _takes(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Subscript):
            key = node.slice.value if isinstance(node.slice, ast.Constant) else ""
            return isinstance(key, str) and is_score_key(key) and self.is_reply(node.value)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            return is_score_key(node.attr) and self._is_answer(node.value)
        if isinstance(node, ast.Compare):
            sides = (node.left, *node.comparators)
            orders = any(isinstance(op, ast.Lt | ast.LtE | ast.Gt | ast.GtE) for op in node.ops)
            return orders and any(self._is_answer(s) for s in sides)
        return isinstance(node, ast.Call) and self._call_takes(node)

    def _call_takes(self, node: ast.Call) -> bool:
        last, given = _last(node), [*node.args, *(k.value for k in node.keywords)]
        if last in {"get", "pop", "__getitem__"} and given and isinstance(given[0], ast.Constant):
            receiver = node.func.value if isinstance(node.func, ast.Attribute) else node
            return is_score_key(str(given[0].value)) and self.is_reply(receiver)
        if last in {"float", "float64", "float32", "Decimal", "literal_eval"}:
            return any(self.is_reply(a) and not _NO_NUMBER.search(ast.unparse(a)) for a in given)
        if last in {"search", "findall", "match", "split", "finditer"} and given:
            text = ast.unparse(given[0])
            is_number = _NUMBERED.search(text) and not _OF_FORM.search(text)
            return bool(is_number) and any(map(self.is_reply, given))
        if last in _RANKS and isinstance(node.func, ast.Attribute):
            named = (n.value for a in given for n in ast.walk(a) if isinstance(n, ast.Constant))
            return any(is_score_key(str(n)) for n in named) and self.is_reply(node.func.value)
        if last in _CHOOSES and self.handed(node) & self.returning:
            return True
        return last in {"max", "min", "argmax", "argmin", "argsort"} and any(
            map(self._is_answer, given)
        )

    def _is_answer(self, node: ast.AST) -> bool:
        """Say whether a value is an answer itself, and not its length or its status."""
        if isinstance(node, ast.Name):
            return self._holds(node)
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            key = node.slice.value
            return (not isinstance(key, str) or is_score_key(key)) and self._is_answer(node.value)
        if isinstance(node, ast.NamedExpr | ast.Subscript | ast.Await | ast.Starred):
            return self._is_answer(node.value)
        if isinstance(node, ast.UnaryOp):
            return self._is_answer(node.operand)
        if isinstance(node, ast.Attribute):
            return node.attr not in _NO_SCORE and self._is_answer(node.value)
        return self._replies(node)

    def repeated(self) -> Iterator[tuple[CodeUnit, ast.AST, ast.AST | None]]:
        """Yield the questions that are asked again and again, with the loop that makes them so."""
        for unit, body in self.bodies:
            stack: list[tuple[ast.AST, ast.AST | None]] = [(s, None) for s in reversed(body)]
            while stack:
                node, around = stack.pop()
                if self.is_ask(node) and around is not None:
                    yield unit, node, around
                elif isinstance(node, ast.Call) and self.handed(node):
                    yield unit, node, None
                around = self._around(node, around)
                stack += [(c, around) for c in reversed(list(ast.iter_child_nodes(node)))]

    def _around(self, node: ast.AST, around: ast.AST | None) -> ast.AST | None:
        if isinstance(node, ast.Lambda):
            return around
        if isinstance(node, _FUNCTIONS):
            calls_itself = any(
                isinstance(n, ast.Call) and _last(n) == node.name for n in ast.walk(node)
            )
            is_called_back = re.match(r"on_\w+(?:end|begin)$|objective$|fitness\w*$", node.name)
            return node if calls_itself or is_called_back else None
        if isinstance(node, _LOOPS) and not is_short(node) and not is_retry(node):
            return node
        if isinstance(node, _COMPREHENSIONS):
            return around if all(map(is_few, (g.iter for g in node.generators))) else node
        return around

    def handed(self, node: ast.Call) -> set[str]:
        """Return the functions that ask which a call is handed: by a search, a pool, as a key."""
        found: set[str] = set()
        if _last(node) in {"Thread", "Timer", "print", "isinstance", "type", "help"}:
            return found
        for one in (*node.args, *(k.value for k in node.keywords)):
            if isinstance(one, ast.Name | ast.Attribute) and last_name(one) in self.askers:
                found.add(last_name(one))
            elif isinstance(one, ast.Lambda):
                asks = [n for n in ast.walk(one) if self.is_ask(n) and isinstance(n, ast.Call)]
                found |= {_last(n) for n in asks}
        return found


def _last(node: ast.Call) -> str:
    return last_name(node.func)


def _is_constant(node: ast.expr) -> bool:
    """Say whether a value is written down as it is, and is no text."""
    is_written = isinstance(node, ast.Constant | ast.UnaryOp)
    return is_written and not isinstance(getattr(node, "value", 0), str)


def _all(body: Iterable[ast.stmt]) -> Iterator[ast.AST]:
    return (node for statement in body for node in ast.walk(statement))


def _stored(node: ast.AST) -> list[ast.Name]:
    """Return the plain names that a statement sets, or a target."""
    found = getattr(node, "targets", None) or [
        getattr(node, "target", getattr(node, "optional_vars", node))
    ]
    return [
        n
        for target in found
        if target is not None
        for n in ast.walk(target)
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    ]
