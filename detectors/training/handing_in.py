"""The calls of a program that write its submission, and which of them has the last word."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, NamedTuple

from detectors.bounds import UNKNOWN
from detectors.training.flows import Flow, last_name
from detectors.training.writes import COPIES, is_for_writing, name_of, writes_to, written

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from detectors.training.programs import Program
    from detectors.training.scopes import Scope, Tree

SAMPLE = re.compile(r"sample|(?:example|template)_?sub|sub\w*_(?:format|example)", re.IGNORECASE)
_SUBMISSION = re.compile(r"subm|\bsub\b|preds?\b|predictions", re.IGNORECASE)
_BLOCKS = (ast.If, ast.For, ast.While, ast.Try, ast.With, ast.Match, ast.ClassDef)
_FINAL = re.compile(r"(?:^|[/\\])submission\.csv$")


class Sink(NamedTuple):
    """A call that writes the submission, with the expressions it writes."""

    scope: Scope
    node: ast.Call
    values: tuple[ast.expr, ...]
    target: str = ""


def sinks_of(program: Program) -> tuple[Sink, ...]:
    """Return the calls that write the submission; of those that name no file, all.

    What the same file is surely overwritten by, later on, stands alone.
    """
    tree = program.code.tree

    def opens(node: ast.AST) -> bool:
        """Say whether a node opens the submission to write it."""
        is_open = isinstance(node, ast.Call) and last_name(node) == "open" and is_for_writing(node)
        return is_open and any(_SUBMISSION.search(t) for t in program.texts(node))  # type: ignore[arg-type]

    handles = Flow(tree, opens)
    named, unnamed = [], []
    for scope, node in tree.calls():
        values = written(node)
        if values is None:
            if writes_to(handles, scope, node):
                named.append(Sink(scope, node, tuple(node.args)))
            continue
        paths = [t for t in program.texts(node) if "\n" not in t]
        target = " ".join(paths[-1:] if COPIES.search(name_of(node)) else paths)
        if _SUBMISSION.search(target) and not SAMPLE.search(target):
            named.append(Sink(scope, node, values, target))
        elif not target.strip(UNKNOWN) and not COPIES.search(name_of(node)):
            unnamed.append(Sink(scope, node, values))
    last = _last_word(program, named, unnamed)
    return last or tuple(named or unnamed)


def _last_word(program: Program, named: list[Sink], unnamed: list[Sink]) -> tuple[Sink, ...]:
    """Return the sinks of the statement that writes the submission last; none where not sure.

    A statement of a module or a function counts that stands below no condition, also one that calls
    a function of the program which writes what it is given a path for.
    """
    for scope in sorted({(), *(s.scope for s in named)}, key=len):
        found: list[tuple[Sink, ...]] = []
        for statement in _statements(program.code.tree, scope):
            inside = {id(n) for n in ast.walk(statement)}
            own = tuple(s for s in named if id(s.node) in inside)
            called = _of_helper(program, statement, [*named, *unnamed])
            found += [sinks for sinks in (own, called) if sinks]
        reached = {id(s.node) for sinks in found for s in sinks}
        if len(found) > 1 and all(id(s.node) in reached for s in named):
            return found[-1]
    return ()


def _statements(tree: Tree, scope: Scope) -> Iterator[ast.Expr | ast.Assign]:
    """Yield the plain calls of a module's or a function's own block, in order."""
    here = [node for where, node in tree.nodes if where == scope]
    inside = {
        id(inner)
        for node in here
        if isinstance(node, _BLOCKS)
        for inner in ast.walk(node)
        if inner is not node
    }
    for node in here:
        is_plain = isinstance(node, ast.Expr | ast.Assign) and id(node) not in inside
        if is_plain and isinstance(node.value, ast.Call):  # type: ignore[attr-defined]
            yield node  # type: ignore[misc]


def _of_helper(
    program: Program, statement: ast.Expr | ast.Assign, sinks: Sequence[Sink]
) -> tuple[Sink, ...]:
    """Return what a function of the program writes that a statement calls with a path."""
    call = statement.value
    if not isinstance(call, ast.Call):
        return ()
    texts = " ".join(program.texts(call))
    given = [*call.args, *(k.value for k in call.keywords)]
    names_it = any(_FINAL.search(t) for t in program.texts(call)) or _FINAL.search(texts)
    scopes = [scope for scope, _ in program.code.tree.functions.get(last_name(call), ())]
    found = tuple(s for s in sinks if s.scope in scopes)
    return found if found and given and (names_it or any(s.target for s in found)) else ()
