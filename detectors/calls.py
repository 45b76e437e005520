"""The calls of an attempt's Python code with the strings that reach them.

`calls` follows names, loops over literals, imports between the attempt's own modules, and arguments
of its own functions; expressions are evaluated by `detectors.folding`. Nothing is run.
"""

from __future__ import annotations

import ast
import itertools
import re
from typing import TYPE_CHECKING, Any

from detectors import handed_back
from detectors.bounds import MAX_ELEMENTS, MAX_EXPRESSION_STEPS, MAX_STRING, Env, Unfoldable
from detectors.call import NOT_WHOLE, TOO_MUCH, Call
from detectors.decoders import decoder
from detectors.folding import dotted, fold
from detectors.handed_back import brought, defaults, given, held, named, returned
from detectors.handed_on import handed_on
from detectors.parsing import is_too_much, parse_leniently
from detectors.unpacking import UNPACKS
from detectors.words import arguments, as_load, compared, joined, literals, texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from detectors.units import CodeUnit

MAX_UNROLLED_VISITS = 5000  # statements visited in one unit while loops are unrolled
MAX_VISITS = 20_000  # and in all
MAX_DEPTH = 4  # calls into the attempt's own functions
NODES_PER_STEP = 4  # what it costs to walk a tree or to copy names
STEPS_PER_CALL = 4
# Calls that matter even without arguments.
_LOADS = re.compile(r"(?:^|\.)(?:load|fetch)_\w+$|\bdatasets\.")
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)


def calls(units: Iterable[CodeUnit]) -> Iterator[tuple[CodeUnit, Call]]:
    """Yield every call of the Python units with the strings that reach it.

    Units of one module (the cells of a notebook) share their names; names imported from another
    module of the attempt are followed.
    """
    python = [(u, parse_leniently(u.text, u.path)) for u in units if u.language == "python"]
    modules: dict[str, Env] = {}
    for _round in range(2):  # the second round sees what the first one's imports needed
        for unit, (body, _) in python:
            _Visitor(modules, modules.setdefault(unit.module, Env()), quiet=True).run(body)
    for unit, (body, is_whole) in python:
        visitor = _Visitor(modules, Env(modules[unit.module]))
        visitor.compared = compared(body)
        visitor.run(body)
        seen = set()
        if visitor.is_cut or is_too_much(unit.text):
            yield unit, Call(TOO_MUCH, (), 1, 1)
        if not is_whole:
            yield unit, Call(NOT_WHOLE, (), 1, 1)
        for call in visitor.found:
            if call not in seen:
                seen.add(call)
                yield (
                    unit,
                    call._replace(
                        first_line=call.first_line + unit.first_line - 1,
                        last_line=call.last_line + unit.first_line - 1,
                    ),
                )


class _Visitor:
    """Walks statements in order, keeping what names are known to hold."""

    def __init__(self, modules: Mapping[str, Env], env: Env, *, quiet: bool = False) -> None:
        self.modules = modules
        self.env = env
        self.quiet = quiet
        self.found: list[Call] = []
        self.visits = 0
        self.depth = 0
        self.functions: dict[str, ast.FunctionDef | ast.AsyncFunctionDef] = {}
        self.entered: set[str] = set()
        self.around = ""
        self.compared = ""  # words the unit compares with, for calls outside any loop
        self.guarded = False
        self.is_too_deep = False
        self.refusals: dict[int, list[ast.expr]] = {}  # function -> conditions on which it raises

    @property
    def is_spent(self) -> bool:
        """Whether nothing is followed any more."""
        return self.visits > MAX_VISITS or self.env.is_exhausted

    @property
    def is_cut(self) -> bool:
        """Whether a call may have been missed."""
        return self.is_spent or self.is_too_deep

    def walk(self, node: ast.AST) -> list[ast.AST]:
        """List the nodes below one, at the cost of steps."""
        nodes = list(ast.walk(node))
        self.env.budget[0] -= len(nodes) // NODES_PER_STEP
        return nodes

    def run(self, body: list[ast.stmt]) -> None:
        """Visit a module, then the functions that nothing in it called."""
        for statement in body:
            self.shielded(self.block, [statement])
        for name, function in [] if self.quiet else list(self.functions.items()):
            if name not in self.entered:
                self.shielded(self.enter, function, Env())

    def shielded(self, visit: Callable[..., None], *arguments: object) -> None:
        """Visit something; when it is nested too deeply, go on with what comes after it."""
        state = self.env, self.depth, self.around, self.guarded
        try:
            visit(*arguments)
        except RecursionError:
            self.is_too_deep = True
            self.env, self.depth, self.around, self.guarded = state

    def block(self, body: list[ast.stmt]) -> None:
        for statement in body:
            self.visits += 1
            if self.is_spent:
                self.plain(statement)
            else:
                self.statement(statement)

    def plain(self, statement: ast.stmt) -> None:
        """Past the budget: look at the calls, follow nothing."""
        for node in ast.walk(statement):
            if isinstance(node, ast.Call):
                self.record(node, follow=False)

    def statement(self, node: ast.stmt) -> None:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            self.functions[node.name] = node
            self.expressions(*node.decorator_list)
            self.keep(f"{node.name}()", returned(node, self.env))
            self.keep(node.name, decoder(node, self.env))
        elif isinstance(node, ast.ClassDef):
            self.class_body(node)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            self.imported(node)
        elif isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
            self.assigned(node)
        elif isinstance(node, ast.For | ast.AsyncFor):
            self.loop(node)
        else:
            self.compound(node)

    def compound(self, node: ast.stmt) -> None:
        """If, while, with, try, match, expressions: first the expressions, then the blocks.

        What stands in an `assert` or below ``pytest.raises`` is there to see that it fails.
        """
        was_guarded = self.guarded
        items = node.items if isinstance(node, ast.With | ast.AsyncWith) else []
        entered = [i.context_expr for i in items if isinstance(i.context_expr, ast.Call)]
        expects = any(dotted(call.func).endswith("raises") for call in entered)
        self.guarded = was_guarded or expects or isinstance(node, ast.Assert)
        self.parts(node)
        self.guarded = was_guarded

    def parts(self, node: ast.stmt) -> None:
        """Visit the expressions and blocks of a compound statement."""
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.expr):
                self.expressions(value)
            elif field == "items":  # with
                for item in value:
                    self.expressions(item.context_expr)
                    if isinstance(item.optional_vars, ast.Name):
                        self.bind(item.optional_vars.id, item.context_expr)
            elif isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                self.block(value)
            elif field in {"handlers", "cases"}:
                for part in value:
                    self.block(part.body)

    def class_body(self, node: ast.ClassDef) -> None:
        """Class attributes are known as ``Class.name`` and, in its methods, as ``self.name``."""
        before = set(self.env)
        self.env.budget[0] -= len(before) // NODES_PER_STEP
        self.block(node.body)
        own = {n: self.env[n] for n in self.env if n not in before and "." not in n}
        for owner in (node.name, "self", "cls"):
            self.env.update(named(owner, own))

    def imported(self, node: ast.Import | ast.ImportFrom) -> None:
        for alias in node.names:
            name = alias.asname or alias.name
            for key, value in tuple(self.modules.get(alias.name, Env()).items()):  # or itself
                self.env[f"{name}.{key}"] = value
            if isinstance(node, ast.Import):
                continue
            module = self.modules.get((node.module or "").rpartition(".")[2], Env())
            if alias.name == "*":
                self.env.update(module)
                self.env.budget[0] -= len(module) // NODES_PER_STEP
            else:
                self.env.update(brought(alias.name, name, module))
                if unpack := UNPACKS.get(f"{node.module}.{alias.name}"):
                    self.env[name] = unpack
        if not self.quiet:
            names = [a.name for a in node.names]
            if isinstance(node, ast.ImportFrom):
                names = [f"{node.module or ''}.{n}" for n in names]
            self.found.append(
                Call("import", tuple(names), node.lineno, node.end_lineno or node.lineno)
            )

    def assigned(self, node: ast.Assign | ast.AnnAssign | ast.AugAssign) -> None:
        if node.value is None:
            return
        self.expressions(node.value)
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in targets:
            if isinstance(node, ast.AugAssign):
                both = ast.BinOp(left=as_load(target), op=node.op, right=node.value)
                self.bind(dotted(target), both)
            elif isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                for one, value in zip(target.elts, node.value.elts, strict=False):
                    self.bind(dotted(one), value)
            else:
                self.bind(dotted(target), node.value)
                if handed_back.is_variable(target) and not self.quiet:
                    self.found.append(handed_back.set_to(node, texts([self.try_fold(node.value)])))

    def bind(self, name: str, value: ast.expr) -> None:
        self.keep(name, self.try_fold(value))
        self.env.update(named(name, held(self.env, value)))

    def keep(self, name: str, value: object) -> None:
        if value is None:
            self.env.pop(name, None)
        elif name:
            self.env[name] = value

    def loop(self, node: ast.For | ast.AsyncFor) -> None:
        outer = self.around
        self.around = "" if self.quiet else self.words_of(node)
        self.environment(node.iter, self.around)
        self.expressions(node.iter)
        elements = self.try_fold(node.iter)
        is_known = isinstance(elements, list | tuple) and 0 < len(elements) <= MAX_ELEMENTS
        if is_known and self.visits < MAX_UNROLLED_VISITS:
            for element in elements:
                self.set_target(node.target, element)
                self.block(node.body)
        else:
            self.set_target(node.target, None)
            self.block(node.body)
        self.block(node.orelse)
        self.around = outer

    def words_of(self, node: ast.AST) -> str:
        """Return the literal words below a node, with what the names in it are known to hold."""
        nodes = self.walk(node)
        names = {n.id for n in nodes if isinstance(n, ast.Name)}
        known = texts(self.env[n] for n in sorted(names) if n in self.env)
        return joined(itertools.chain(literals(nodes), known))

    def set_target(self, target: ast.expr, value: object) -> None:
        if isinstance(target, ast.Tuple) and isinstance(value, list | tuple):
            for one, part in zip(target.elts, value, strict=False):
                self.set_target(one, part)
        elif isinstance(target, ast.Name):
            self.keep(target.id, value)

    def expressions(self, *nodes: ast.expr) -> None:
        """Record the calls inside expressions, comprehensions unrolled over what is known."""
        for node in nodes:
            if self.quiet:  # only what names hold is asked, and `exec` may bind some
                if isinstance(node, ast.Call) and dotted(node.func) in {"exec", "eval"}:
                    self.record(node)
                continue
            inside: dict[int, str] = {}  # nodes of a comprehension -> the words in it
            for inner in self.walk(node):
                if isinstance(inner, _COMPREHENSIONS) and not self.is_spent:
                    words = self.words_of(inner)
                    inside |= {id(n): words for g in inner.generators for n in ast.walk(g.iter)}
                    self.environment(inner.generators[0].iter, words)
                    self.comprehension(inner)
                elif isinstance(inner, ast.Call):
                    self.record(inner, inside.get(id(inner), ""), follow=not self.is_spent)
                elif isinstance(inner, ast.NamedExpr):
                    self.bind(inner.target.id, inner.value)

    def comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp
    ) -> None:
        first = node.generators[0]
        elements = self.try_fold(first.iter)
        if not isinstance(elements, list | tuple) or len(elements) > MAX_ELEMENTS:
            return
        saved = self.env.copy()
        parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        for element in elements:
            self.set_target(first.target, element)
            for part in [] if self.is_spent else [*parts, *first.ifs]:
                for inner in self.walk(part):
                    if isinstance(inner, ast.Call):
                        self.record(inner, follow=not self.is_spent)
        self.env = saved

    def environment(self, node: ast.expr, words: str) -> None:
        """Note a loop over all environment variables as a call of `os.environ`."""
        source: ast.AST = node
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            source = node.func.value
        if dotted(source) in {"os.environ", "environ"} and not self.quiet:
            first, last = node.lineno, node.end_lineno or node.lineno
            self.found.append(Call("os.environ", ("os.environ",), first, last, words))

    def record(self, node: ast.Call, around: str = "", *, follow: bool = True) -> None:
        """Note a call with the strings that reach it, and follow it into the attempt's code."""
        self.env.budget[0] -= STEPS_PER_CALL
        name = dotted(node.func) or "?." + getattr(node.func, "attr", "")
        values = [self.try_fold(a) for a in arguments(node)]
        strings = list(texts(values))
        receiver: list[str] = []
        if isinstance(node.func, ast.Attribute):
            receiver = list(texts([self.try_fold(node.func.value)]))
            strings = [*receiver, *strings]
        if (strings or _LOADS.search(name)) and not self.quiet:
            self.found.append(
                Call(
                    name,
                    tuple(strings[:MAX_ELEMENTS]),
                    node.lineno,
                    node.end_lineno or node.lineno,
                    f"{around or self.around} {self.compared}".strip(),
                    self.guarded,
                    bool(receiver),
                )
            )
        if follow:
            self.follow(node, name, strings)
            for handed in handed_on(node, self.try_fold):
                self.record(handed, around)

    def follow(self, node: ast.Call, name: str, strings: list[str]) -> None:
        """Read what is handed to `exec`, and enter the attempt's own functions."""
        if name in {"exec", "eval"} and strings and self.depth < MAX_DEPTH:
            self.depth += 1
            self.env.budget[0] -= len(strings[0])
            for statement in parse_leniently(strings[0]).body:
                for inner in ast.walk(statement):
                    if hasattr(inner, "lineno"):
                        ast.copy_location(inner, node)
                self.block([statement])
            self.depth -= 1
        function = self.functions.get(name.rpartition(".")[2])
        if function is not None and self.found and self.is_guard(function):
            self.found[-1] = self.found[-1]._replace(guarded=True)
        if function is not None:
            self.enter(function, given(function, node, self.env, self.try_fold))

    def enter(self, function: ast.FunctionDef | ast.AsyncFunctionDef, bound: Env) -> None:
        """Visit a function's body with what its parameters are known to hold."""
        key = f"{function.name}{sorted(bound.items(), key=str)!r}"[:MAX_STRING]
        is_late = self.visits > MAX_UNROLLED_VISITS and function.name in self.entered
        if key in self.entered or self.depth >= MAX_DEPTH or is_late:
            return
        self.entered |= {key, function.name}
        self.env.budget[0] -= 1 + len(self.env) // NODES_PER_STEP
        saved, outer = self.env.copy(), self.around
        parameters = list(defaults(function.args))
        for name, _ in parameters:
            self.env.pop(name, None)
        for name, default in parameters:
            if default is not None:
                self.bind(name, default)
        self.env.update(bound)
        was_guarded, self.guarded = self.guarded, self.guarded or self.is_guard(function)
        self.depth += 1
        self.block(function.body)
        self.depth -= 1
        self.env, self.around, self.guarded = saved, outer, was_guarded

    def is_guard(self, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
        """Say whether a function refuses: an `if` about ``private`` whose body raises."""
        if id(function) not in self.refusals:
            self.refusals[id(function)] = [
                node.test
                for node in self.walk(function)
                if isinstance(node, ast.If) and any(isinstance(s, ast.Raise) for s in node.body)
            ]
        return any("private" in self.words_of(t).lower() for t in self.refusals[id(function)])

    def try_fold(self, node: ast.expr) -> Any:  # noqa: ANN401
        try:
            self.env.steps[0] = MAX_EXPRESSION_STEPS
            return fold(node, self.env)
        except Unfoldable:
            return None
        except RecursionError:
            self.is_too_deep = True
            return None
