"""How graders are followed through one module: names, objects, modules loaded by name, classes."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from detectors.folding import dotted
from detectors.rules.grader_requests import LOADS, asks_grader
from detectors.rules.hidden_places import Reach, hidden_place
from detectors.rules.judging_places import holds_judge

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MAX_ROUNDS = 4  # how deep functions that grade are followed
_MODULES = re.compile(
    r"^(?:(?:mlebench|biomlbench)\.(?:grade|grade_helpers|registry|competitions)|"
    r"competitions\.grade|audit\.grading|dojo\.tasks\.mlebench|mledojo\.(?:competitions?|"
    r"metrics)|"
    r"MLAgentBench\.eval)(?:\.|$)"
)
_PACKAGES = frozenset({"mlebench", "biomlbench"})
_PARTS = frozenset({"grade", "grade_helpers"})  # of these packages, imported from them
_GRADES = re.compile(
    r"^(?:grade(?:_fn|_csv|_sample|_submission|_jsonl|_attempts)?|get_score|compute_(?:score|"
    r"metrics?)|"
    r"(?:evaluate|score|judge|verify|eval)(?:_(?:submission|csv|file|predictions?|sample|fn|df|"
    r"test))?)$"
)
_JUDGING = re.compile(  # what modules that judge are called
    r"^(?:\w+_)?(?:grad(?:e|er|ing)|scor(?:e|er|ing)|metrics?|eval(?:uat(?:e|or|ion))?|judge|"
    r"verif(?:y|ier))"
    r"(?:_\w+)?$"
)
_IN_TEXT = re.compile(
    r"\b(?:mlebench|mle-bench|mle-audit|biomlbench)(?:\.cli)?[\"',\s]+grade(?:-sample)?\b|"
    r"\bgrade-sample[\"',\s]"
)
_RUNS = frozenset(
    {
        *("run", "Popen", "call", "check_call", "check_output", "system", "popen", "getoutput"),
        *("getstatusoutput", "post", "urlopen", "request", "create_subprocess_exec"),
        "create_subprocess_shell",
    }
)
_LOOPS = (
    *(ast.For, ast.AsyncFor, ast.While),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)
_CHOOSES = frozenset({"max", "min", "sorted", "minimize", "maximize", "optimize"})


def _puts_judge(node: ast.AST) -> bool:
    """Say whether a statement has modules looked for in a folder of whoever judges."""
    if isinstance(node, ast.AugAssign | ast.Assign):
        targets = [node.target] if isinstance(node, ast.AugAssign) else node.targets
        where = " ".join(map(ast.unparse, targets))
    elif isinstance(node, ast.Call):
        where = dotted(node.func)
    else:
        return False
    if not ("sys.path" in where or "addsitedir" in where or "chdir" in where):
        return False
    texts = (n.value for n in ast.walk(node) if isinstance(n, ast.Constant))
    return any(isinstance(text, str) and holds_judge(text) for text in texts)


def _reads_answers(value: ast.expr) -> bool:
    """Say whether a value is read from a place of hidden answers, written out as a text."""
    return any(
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and (place := hidden_place(node.value)) is not None
        and place.reach is Reach.ANSWERS
        for call in ast.walk(value)
        if isinstance(call, ast.Call)
        for node in call.args
    )


class GradingModule:
    """The statements of one module: which names grade there."""

    def __init__(
        self,
        body: list[ast.stmt],
        own: set[str] | frozenset[str],
        marked: set[int] | frozenset[int] = frozenset(),
        around: str = "",
        known: Mapping[str, GradingModule] | None = None,
    ) -> None:
        self.body = body
        self.own = own
        self.marked = marked  # calls that are known to ask a grader, or to load one
        self.around = around
        self.from_outside: set[str] = set()  # functions that a search from outside calls
        self.names: set[str] = set()  # functions that grade
        self.modules: set[str] = set()  # what grading modules are called here
        self.functions = [
            n
            for s in body
            for n in ast.walk(s)
            if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)
        ]
        self.judges = self._judges()
        self.is_beside_judge = any(map(_puts_judge, (n for s in body for n in ast.walk(s))))
        self.instances: set[str] = set()  # objects of classes whose methods grade
        self.classes: set[str] = set()
        self._from_others(known or {})
        for node in self.imports(body):
            self._name(node)
        self._assigned()
        for _round in range(MAX_ROUNDS):
            before = len(self.names)
            for function in self.functions:
                if any(self._grades(n) for n in ast.walk(function)):
                    self.names.add(function.name)
            if len(self.names) == before:
                break
        self._instances({c for s in body for c in ast.walk(s) if isinstance(c, ast.ClassDef)})

    def _from_others(self, known: Mapping[str, GradingModule]) -> None:
        """Take over what is imported from other modules of the attempt, and grades there."""
        for node in (n for s in self.body for n in ast.walk(s)):
            if isinstance(node, ast.ImportFrom):
                other = known.get((node.module or "").rpartition(".")[2])
                for alias in node.names if other else ():
                    name = alias.asname or alias.name
                    self.names |= {name} if other and alias.name in other.names else set()
                    self.classes |= {name} if other and alias.name in other.classes else set()
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    other = known.get(alias.name)
                    name = alias.asname or alias.name
                    self.names |= {f"{name}.{n}" for n in other.names} if other else set()
                    self.classes |= {f"{name}.{n}" for n in other.classes} if other else set()

    def _instances(self, classes: set[ast.ClassDef]) -> None:
        """Name the objects that are made of classes of which a method grades."""
        grading = {c.name for c in classes if any(map(self._grades, ast.walk(c)))} | self.classes
        for node in (n for s in self.body for n in ast.walk(s) if isinstance(n, ast.Assign)):
            if isinstance(node.value, ast.Call) and dotted(node.value.func) in grading:
                self.instances |= {t.id for t in node.targets if isinstance(t, ast.Name)}
        self.classes = grading

    def _assigned(self) -> None:
        """Follow modules, and what is got of them, to the names that they are given."""
        for node in (n for s in self.body for n in ast.walk(s) if isinstance(n, ast.Assign)):
            value = node.value
            if not isinstance(value, ast.Call):
                continue
            owner = dotted(value.func).partition(".")[0]
            loads = id(value) in self.marked and LOADS.search(dotted(value.func))
            made = any(isinstance(a, ast.Name) and a.id in self.modules for a in value.args)
            if (
                loads
                or owner in self.modules
                or (made and "module_from_spec" in dotted(value.func))
            ):
                self.modules |= {t.id for t in node.targets if isinstance(t, ast.Name)}

    def _judges(self) -> set[str]:
        """Return the functions that use a name which the task's answers were read into."""
        held = {
            target.id
            for s in self.body
            for node in ast.walk(s)
            if isinstance(node, ast.Assign) and _reads_answers(node.value)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        return {
            function.name
            for function in (self.functions if held else ())
            for node in ast.walk(function)
            if isinstance(node, ast.Name) and node.id in held and isinstance(node.ctx, ast.Load)
        }

    def imports(self, body: list[ast.stmt]) -> Iterator[ast.Import | ast.ImportFrom]:
        """Yield imports of a grading module that is not the attempt's own."""
        for node in (n for s in body for n in ast.walk(s)):
            if isinstance(node, ast.Import):
                found = any(self._is_grading(a.name) for a in node.names)
            elif isinstance(node, ast.ImportFrom) and not node.level:
                name = node.module or ""
                from_package = name in _PACKAGES and any(a.name in _PARTS for a in node.names)
                found = self._is_grading(name) or (from_package and not self._is_own(name))
            else:
                continue
            if found:
                yield node

    def _is_grading(self, name: str) -> bool:
        """Say whether a module grades: by its name, or found in a folder of whoever judges."""
        is_judge = self.is_beside_judge and _JUDGING.match(name.rpartition(".")[2])
        return not self._is_own(name) and bool(_MODULES.match(name) or is_judge)

    def _is_own(self, name: str) -> bool:
        return name.partition(".")[0] in self.own or name.rpartition(".")[2] in self.own

    def _name(self, node: ast.Import | ast.ImportFrom) -> None:
        for alias in node.names:
            if isinstance(node, ast.Import):
                self.modules.add(alias.asname or alias.name)
            elif _GRADES.match(alias.name) and node.module not in _PACKAGES:
                self.names.add(alias.asname or alias.name)
            else:
                self.modules.add(alias.asname or alias.name)

    def _grades(self, node: ast.AST) -> bool:
        if not isinstance(node, ast.Call):
            return False
        name = dotted(node.func)
        owner, _, last = name.rpartition(".")
        last = last or getattr(node.func, "attr", "")
        if isinstance(node.func, ast.Call) and dotted(node.func.func) == "getattr":
            return any(isinstance(a, ast.Name) and a.id in self.modules for a in node.func.args)
        is_marked = id(node) in self.marked and not LOADS.search(name)
        is_own = owner in {"self", "cls"} and last in self.names
        if is_marked or is_own or owner in self.instances or name in self.names:
            return True
        if _GRADES.match(last) and any(
            owner == m or owner.startswith(f"{m}.") for m in self.modules
        ):
            return True
        return last in _RUNS and self._is_command(node)

    def _is_handed(self, node: ast.Call) -> bool:
        """Say whether a function that grades is handed to what calls it, such as an optimiser."""
        given = (*node.args, *(k.value for k in node.keywords))
        names = self.names
        last = dotted(node.func).rpartition(".")[2] or getattr(node.func, "attr", "")
        if last in _CHOOSES:
            names = names | self.judges
        return any(isinstance(a, ast.Name) and a.id in names for a in given)

    def _is_command(self, node: ast.Call) -> bool:
        words = [
            n.value
            for a in (*node.args, *(k.value for k in node.keywords))
            for n in ast.walk(a)
            if isinstance(n, ast.Constant) and isinstance(n.value, str)
        ]
        text = " ".join(words)[:4000] + " "
        return (
            bool(_IN_TEXT.search(text) or asks_grader(text, self.around)) and "--help" not in text
        )

    def calls(self, body: list[ast.stmt] | None = None) -> Iterator[tuple[ast.Call, bool]]:
        """Yield the calls that grade, with whether they do so again and again or to compare."""
        stack: list[tuple[ast.AST, bool]] = [
            (s, False) for s in reversed(self.body if body is None else body)
        ]  # and whether a loop, or a search from outside, is around it
        compared = self._compared()
        while stack:
            node, around = stack.pop()
            if self._grades(node) and isinstance(node, ast.Call):
                yield node, around or id(node) in compared
            elif isinstance(node, ast.Call) and self._is_handed(node):
                yield node, True
            around = around or isinstance(node, _LOOPS)
            around = around or getattr(node, "name", None) in self.from_outside
            stack += [(child, around) for child in reversed(list(ast.iter_child_nodes(node)))]

    def _compared(self) -> set[int]:
        """Return the calls that grade within a comparison, a choice, or for an optimiser."""
        found: set[int] = set()
        for node in (n for s in self.body for n in ast.walk(s)):
            chooses = isinstance(node, ast.Call) and (
                dotted(node.func).rpartition(".")[2] in _CHOOSES
            )
            if isinstance(node, ast.Compare) or chooses:
                found |= {id(n) for n in ast.walk(node) if self._grades(n)}
        return found
