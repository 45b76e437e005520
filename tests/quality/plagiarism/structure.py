"""Disguises that move code over the borders of functions."""

from __future__ import annotations

import ast
import copy
import textwrap
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, cast

from tests.quality.plagiarism.code import (
    FUNCTIONS,
    MARK,
    SCOPES,
    Code,
    Edit,
    bodies,
    chunks,
    names_in,
    one_a_line,
    parse,
    rendered,
    replaced,
    rewritten_with,
)
from tests.quality.plagiarism.naming import fresh_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from random import Random

    from tests.quality.plagiarism.code import Chunk

_LEAST, _MOST = 2, 7


def inlined(text: str, rng: Random) -> str:
    """Put values and short functions in the places that use them, when one place does."""
    return _without_temporaries(_without_functions(text))


# --- values


def _without_temporaries(text: str) -> str:
    for _ in range(3):
        code = Code(text)
        edits = list(_inlinings(code))
        if not edits:
            break
        text = code.edited(edits)
    return text


def _inlinings(code: Code) -> Iterator[Edit]:
    loads: Counter[str] = Counter()
    stores: Counter[str] = Counter()
    for node in ast.walk(code.tree):
        if isinstance(node, ast.Name):
            (loads if isinstance(node.ctx, ast.Load) else stores)[node.id] += 1
        elif isinstance(node, ast.arg):
            stores[node.arg] += 1
        elif isinstance(node, ast.Global | ast.Nonlocal):
            stores.update(dict.fromkeys(node.names, 2))
    for body in bodies(code.tree):
        done = False
        for first, second in pairwise(body):
            name = _temporary(first)
            if done or not name or loads[name] != 1 or stores[name] != 1:
                done = False
                continue
            new = _with_value(second, name, first.value)  # type: ignore[attr-defined]
            if new is not None and code.stands_alone(first) and code.stands_alone(second):
                between = code.data[code.end(first) : code.start(second)].decode()
                if MARK not in between:
                    text = rendered([new], code.indent(second))
                    yield Edit(code.start(first), code.end(second), text)
                    done = True


def _temporary(node: ast.stmt) -> str | None:
    match node:
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name
        case _:
            return None


def _with_value(node: ast.stmt, name: str, value: ast.expr) -> ast.stmt | None:
    """Return the statement with the value in the name's place; None where order would change."""
    if not isinstance(node, ast.Assign | ast.Expr | ast.Return):
        return None
    place = next((n for n in ast.walk(node) if isinstance(n, ast.Name) and n.id == name), None)
    if place is None or not isinstance(place.ctx, ast.Load):
        return None
    at = (place.lineno, place.col_offset)
    for other in ast.walk(node):
        hidden = isinstance(
            other, ast.Lambda | ast.JoinedStr | ast.comprehension | ast.IfExp | ast.BoolOp
        )
        inside = any(n is place for n in ast.walk(other))
        if hidden and inside:
            return None
        if isinstance(other, ast.Call) and not inside and (other.lineno, other.col_offset) < at:
            return None
        if (
            isinstance(other, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp)
            and inside
        ):
            return None
    return cast("ast.stmt", _Put({name: value}).visit(copy.deepcopy(node)))


class _Put(ast.NodeTransformer):
    def __init__(self, values: dict[str, ast.expr]) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return copy.deepcopy(self.values[node.id]) if node.id in self.values else node


# --- functions


class _Short(NamedTuple):
    parameters: tuple[str, ...]
    value: ast.expr


def _without_functions(text: str) -> str:
    tree = parse(text)
    short = {n: s for n, s in _short_functions(tree) if _only_called(tree, n, s)}
    if not short:
        return text
    return rewritten_with(text, _Inline(short))


def _short_functions(tree: ast.Module) -> Iterator[tuple[str, _Short]]:
    defined = Counter(n.name for n in ast.walk(tree) if isinstance(n, SCOPES))
    for node in tree.body:
        match node:
            case ast.FunctionDef(
                name=name,
                args=ast.arguments(
                    posonlyargs=[], args=args, kwonlyargs=[], vararg=None, kwarg=None, defaults=[]
                ),
                body=[*before, ast.Return(value=ast.expr() as value)],
                decorator_list=[],
            ) if all(_is_docstring(s) for s in before) and defined[name] == 1:
                parameters = tuple(a.arg for a in args)
                uses = Counter(n.id for n in ast.walk(value) if isinstance(n, ast.Name))
                nested = (ast.Lambda, ast.ListComp, ast.GeneratorExp, ast.DictComp, ast.SetComp)
                if not any(
                    isinstance(n, (*nested, ast.JoinedStr)) for n in ast.walk(value)
                ) and all(uses[p] <= 1 for p in parameters):
                    yield name, _Short(parameters, value)


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _only_called(tree: ast.Module, name: str, short: _Short) -> bool:
    called = [
        n.func
        for n in ast.walk(tree)
        if isinstance(n, ast.Call)
        and isinstance(n.func, ast.Name)
        and n.func.id == name
        and len(n.args) == len(short.parameters)
        and not n.keywords
        and not any(isinstance(a, ast.Starred) for a in n.args)
    ]
    named = [n for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id == name]
    free = names_in(short.value) - set(short.parameters)
    shadowed = {
        a.arg for f in ast.walk(tree) if isinstance(f, FUNCTIONS) for a in f.args.args
    } & free
    return bool(called) and len(called) == len(named) and not shadowed


class _Inline(ast.NodeTransformer):
    def __init__(self, short: dict[str, _Short]) -> None:
        self.short = short

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST | None:
        if node.name in self.short:
            return None
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.func, ast.Name) or node.func.id not in self.short:
            return node
        short = self.short[node.func.id]
        values = dict(zip(short.parameters, node.args, strict=True))
        return cast("ast.AST", self.visit(_Put(values).visit(copy.deepcopy(short.value))))


# --- extraction


class Step(NamedTuple):
    """A run of statements that became a function."""

    chunks: tuple[Chunk, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


def extracted(text: str, rng: Random) -> str:
    """Move runs of top-level statements into functions that are called in their place."""
    names = fresh_names(rng, names_in(parse(text)))
    return with_steps(text, rng, lambda _: next(names))


def with_steps(
    text: str,
    rng: Random,
    name_of: Callable[[Step], str],
    head_of: Callable[[str, Step], str] = lambda name, step: (
        f"def {name}({', '.join(step.inputs)}):\n"
    ),
) -> str:
    """Move runs of statements into functions named and headed by the caller."""
    code = Code(one_a_line(text))
    found = chunks(code, code.tree.body)
    if found is None:
        return text
    written = []
    for part in _steps(code.tree, found, rng):
        if isinstance(part, Step):
            written.append(_function(part, name_of(part), head_of))
        else:
            written.append(part.text)
    return code.edited([replaced(code, code.tree.body, "".join(written))])


def _function(step: Step, name: str, head_of: Callable[[str, Step], str]) -> str:
    body = "".join(_indented(c) for c in step.chunks)
    back = f"    return {', '.join(step.outputs)}\n" if step.outputs else ""
    call = f"{name}({', '.join(step.inputs)})\n"
    left = f"{', '.join(step.outputs)} = " if step.outputs else ""
    marks = f"{MARK}\n" if MARK in step.chunks[0].text.splitlines() else ""
    return f"{marks}\n{head_of(name, step)}{body}{back}\n{left}{call}"


def _indented(chunk: Chunk) -> str:
    long_text = any(
        isinstance(n, ast.Constant | ast.JoinedStr) and n.end_lineno != n.lineno
        for n in ast.walk(chunk.node)
    )
    if long_text:
        return textwrap.indent(ast.unparse(chunk.node), "    ") + "\n"
    lines = [line for line in chunk.text.splitlines() if line != MARK and line.strip()]
    return textwrap.indent("\n".join(lines), "    ") + "\n"


def _steps(tree: ast.Module, found: Sequence[Chunk], rng: Random) -> Iterator[Step | Chunk]:
    """Group neighbouring chunks that can be a function of what was bound before."""
    shared = {n for f in tree.body if isinstance(f, SCOPES) for n in _loaded(f)}
    later: list[set[str]] = [set()]
    for chunk in reversed(found[1:]):
        later.append(later[-1] | (_loaded(chunk.node) - _looped(chunk.node)))
    later.reverse()
    bound: set[str] = set()  # surely bound before the run, by assignments at the top
    run: list[Chunk] = []
    size = rng.randint(_LEAST, _MOST)
    for number, chunk in enumerate(found):
        needed = shared | later[number]
        if run and (len(run) == size or not _fits(run, chunk, bound, needed)):
            yield from _closed(run, bound, later[number - 1])
            bound |= _definitely(run)
            run, size = [], rng.randint(_LEAST, _MOST)
        if _fits(run, chunk, bound, needed) and not _stored([chunk]) & shared:
            run.append(chunk)
        else:
            yield from _closed(run, bound, later[number - 1])
            bound = ((bound | _definitely(run)) - _deleted(chunk.node)) | _definitely([chunk])
            run = []
            yield chunk
    yield from _closed(run, bound, set())


def _closed(run: list[Chunk], bound: set[str], later: set[str]) -> Iterator[Step | Chunk]:
    if len(run) < _LEAST:
        yield from run
        return
    loaded = {n for c in run for n in _loaded(c.node)}
    outputs = _stored(run) & later & (bound | _definitely(run))
    yield Step(tuple(run), tuple(sorted(loaded & bound)), tuple(sorted(outputs)))


def _fits(run: list[Chunk], chunk: Chunk, bound: set[str], needed: set[str]) -> bool:
    """Tell whether a statement can stand in one function with a run.

    All that it binds and others need must be surely bound in there, and nothing may be read as a
    local name before it is bound.
    """
    node = chunk.node
    if run and MARK in chunk.text.splitlines():
        return False
    if not isinstance(node, ast.Assign | ast.Expr | ast.AugAssign | ast.For | ast.If | ast.With):
        return False
    refused = (*SCOPES, ast.Import, ast.ImportFrom, ast.Delete, ast.Global, ast.Try, ast.NamedExpr)
    if any(isinstance(n, refused) for n in ast.walk(node)):
        return False
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
        return False
    sure = bound | _definitely(run)
    stored = _stored([chunk])
    loaded = {n for c in (*run, chunk) for n in _loaded(c.node)} - _looped(node)
    if stored & loaded - sure:
        return False
    return not (stored - sure - _definitely([chunk])) & needed


def _loaded(node: ast.AST) -> set[str]:
    names = [n for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)]
    added = [n.target for n in ast.walk(node) if isinstance(n, ast.AugAssign)]
    return {n.id for n in (*names, *added) if isinstance(n, ast.Name)}


def _looped(node: ast.AST) -> set[str]:
    loops = (n.target for n in ast.walk(node) if isinstance(n, ast.For | ast.comprehension))
    return {n.id for t in loops for n in ast.walk(t) if isinstance(n, ast.Name)}


def _stored(run: Sequence[Chunk]) -> set[str]:
    """Return what a run binds; the variables of comprehensions are their own."""
    own = {
        id(n)
        for c in run
        for one in ast.walk(c.node)
        if isinstance(one, ast.comprehension)
        for n in ast.walk(one.target)
    }
    return {
        n.id
        for c in run
        for n in ast.walk(c.node)
        if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load) and id(n) not in own
    }


def _definitely(run: Sequence[Chunk]) -> set[str]:
    targets = [t for c in run if isinstance(c.node, ast.Assign) for t in c.node.targets]
    return {
        n.id
        for t in targets
        for n in ast.walk(t)
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    }


def _deleted(node: ast.stmt) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Del)}
