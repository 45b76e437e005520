"""Answers that code reads by what stands elsewhere: settings, options, variables, listings."""

from __future__ import annotations

import ast
import json
import re
from fnmatch import fnmatchcase as fnmatch
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from detectors.parsing import lines_of
from detectors.shell import pipelines
from detectors.training.flows import Flow, last_name
from detectors.trajectories.events import EventKind, events

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from detectors.attempt import Attempt
    from detectors.text_file import TextFile
    from detectors.training.programs import Program

    _Is = Callable[[str], bool]

MAX_LEAVES = 5_000  # of a configuration
MAX_SETTINGS = 64_000  # characters of a configuration that is parsed
MAX_SHOWN = 200  # paths of answers that a log shows
MAX_LINE = 2_000
_HINT = re.compile(r"private|hidden|answer|solution|truth|gold|grad|label|leak|perfect|raw", re.I)
_PATH = re.compile(
    r"(?<![\w/.*-])(?P<path>/?(?:[\w.-]+/){1,12}[\w.-]+\.\w{2,8})(?![\w/])(?P<rest>.*)"
)
_COMPOSES = re.compile(r"\bhydra\b|\bOmegaConf\b|\bcompose\(|\bdynaconf\b", re.IGNORECASE)
_COUNT = re.compile(r"^\W{0,3}[^/]*?\d")
_RUNS = re.compile(r"\b(?:python[\d.]*|ipython|jupyter|papermill|nbconvert|torchrun|accelerate)\b")
_LISTS = re.compile(r"^(?:i?glob|rglob|iterdir|walk|scandir|listdir)$")
_HALF = re.compile(r"private|public|answers?|solution", re.IGNORECASE)
_OPTION = re.compile(r"^--?(?P<name>[A-Za-z][\w-]*)$")
_SET = re.compile(r"^(?:export\s+)?(?P<name>[A-Za-z_]\w*)=(?P<value>\S+)$")
_PYTHON = re.compile(r"\.py$|^python|^torchrun$|^accelerate$")
_ASKS = frozenset({"get", "getenv", "pop", "get_value"})


class Told(NamedTuple):
    """What an attempt's settings, commands and logs tell of files of answers.

    Parameters
    ----------
    keys : frozenset of (str, str)
        Under which names answers are set: the outermost and the innermost; for an option of a
        program both are its name.
    variables : frozenset of str
        Of the environment.
    shown : tuple of str
        Paths that programs printed, each with a count of what was read there.
    """

    keys: frozenset[tuple[str, str]] = frozenset()
    variables: frozenset[str] = frozenset()
    shown: tuple[str, ...] = ()

    def reads(self, one: Program) -> set[int]:
        """Return the calls of a program that read answers so."""
        found: set[int] = set()
        if self.keys or self.variables:
            found |= self._asked(one)
        if self.shown:
            found |= self._listed(one)
        return found

    def _asked(self, one: Program) -> set[int]:
        tree = one.code.tree
        reading = [(s, n) for s, n in tree.calls() if one.is_reading(n) or _takes_path(n)]
        found: set[int] = set()
        for first, last in sorted(self.keys):
            names = {last} if any(_asks(n, last) for _, n in tree.nodes) else {first}
            of_first = Flow(tree, lambda n, name=first: _asks(n, name))  # type: ignore[misc]
            of_last = Flow(tree, lambda n, some=names: any(_asks(n, x) for x in some))  # type: ignore[misc]
            found |= {
                id(node)
                for scope, node in reading
                if any(of_first.depends(scope, a) and of_last.depends(scope, a) for a in node.args)
            }
        if self.variables:
            asked = Flow(tree, lambda n: any(_asks(n, v) for v in self.variables))
            found |= {id(n) for s, n in reading if any(asked.depends(s, a) for a in n.args)}
        return found

    def _listed(self, one: Program) -> set[int]:
        """Return the listings that go over what a log shows, unless the code tells halves apart."""
        tree = one.code.tree
        words = (n.value for _, n in tree.nodes if isinstance(n, ast.Constant))
        if any(isinstance(w, str) and len(w) < MAX_LINE and _HALF.fullmatch(w) for w in words):
            return set()
        return {
            id(node)
            for _, node in tree.calls()
            if _LISTS.match(last_name(node))
            if any(_goes_over(one.texts(node), path) for path in self.shown)
        }


def told_of(attempt: Attempt, is_answers: _Is, copies: frozenset[str] = frozenset()) -> Told:
    """Collect what stands elsewhere about files of answers.

    Parameters
    ----------
    is_answers : callable of str to bool
        Whether a path is of answers.
    copies : frozenset of str
        Copies of answers that commands made: listings may go over them.
    """
    code = "\n".join(file.text for file in attempt.code)
    keys = {
        pair
        for file in attempt.settings
        if _is_read(file.name, code)
        for pair in _keys_of(file, is_answers)
    }
    variables: set[str] = set()
    shown = [path for path in sorted(copies) if path.startswith("/")]
    for event in events(attempt.logs):
        if event.kind is EventKind.COMMAND and _HINT.search(event.text):
            for name, is_option in _given(event.text, is_answers):
                keys |= {(name, name)} if is_option else set()
                variables |= set() if is_option else {name}
        ran = event.kind is EventKind.CODE or (
            event.kind is EventKind.COMMAND and _RUNS.search(event.text)
        )
        text = event.output if ran else event.text if event.path == "run.log" else ""
        if text and len(shown) < MAX_SHOWN and _HINT.search(text):
            shown += _counted(text, is_answers)
    for file in attempt.code:
        if file.name.rpartition("/")[2].endswith(".env"):
            variables |= {
                found["name"]
                for found in map(_SET.match, lines_of(file.text)[:MAX_SHOWN])
                if found and is_answers(found["value"].strip("\"'"))
            }
        if file.name.endswith(".sh") and _HINT.search(file.text):
            for name, is_option in _given(file.text, is_answers):
                keys |= {(name, name)} if is_option else set()
                variables |= set() if is_option else {name}
    return Told(frozenset(keys), frozenset(variables), tuple(dict.fromkeys(shown)))


def _is_read(name: str, code: str) -> bool:
    """Say whether code names a configuration; libraries for them are given its stem alone."""
    last = name.rpartition("/")[2]
    stem = last.partition(".")[0]
    by_stem = _COMPOSES.search(code) and re.search(rf"[\"']{re.escape(stem)}[\"']", code)
    return last in code or bool(by_stem)


def _counted(text: str, is_answers: _Is) -> Iterator[str]:
    """Yield paths of answers behind which a line tells a count: those were read."""
    for line in islice(lines_of(text), MAX_SHOWN * 10):
        found = _PATH.search(line[:MAX_LINE]) if _HINT.search(line) else None
        if found and _COUNT.match(found["rest"]) and _is_answer_path(found["path"], is_answers):
            yield found["path"]


def _is_answer_path(path: str, is_answers: _Is) -> bool:
    """Judge a path, also the end of one: ``private/labels/test.npz``."""
    is_tail = re.match(r"(?:prepared/)?private/", path) is not None
    return is_answers(path) or (is_tail and is_answers(f"/prepared/{path}"))


def _goes_over(texts: tuple[str, ...], path: str) -> bool:
    """Say whether a listing of a folder, or by a pattern, meets a path."""
    roots = [t for t in texts if "/" in t and "*" not in t]
    patterns = [t for t in texts if "*" in t]
    for root in roots:
        is_below = path.startswith(f"{root.rstrip('/')}/")
        if is_below and all(fnmatch(path, f"*{p.lstrip('*/')}" if p else "*") for p in patterns):
            return True
    return not roots and any(_meets(p, path) for p in patterns)


def _meets(pattern: str, path: str) -> bool:
    wanted, parts = pattern.split("/"), path.split("/")
    if path.startswith("/"):
        return fnmatch(path, pattern.replace("**/", "*"))
    tail = wanted[-len(parts) :]
    return len(tail) == len(parts) > 1 and all(map(fnmatch, parts, tail))


def _keys_of(file: TextFile, is_answers: _Is) -> Iterator[tuple[str, str]]:
    for path, value in islice(_leaves(_parsed(file)), MAX_LEAVES):
        if path and is_answers(value):
            yield path[0], path[-1]


def _parsed(file: TextFile) -> object:
    """Parse a configuration; None where it is none that can be read."""
    import configparser
    import tomllib

    import yaml

    if len(file.text) > MAX_SETTINGS or not _HINT.search(file.text):
        return None
    try:
        if file.name.endswith(".json"):
            return json.loads(file.text)
        if file.name.endswith(".toml"):
            return tomllib.loads(file.text)
        if file.name.endswith((".yaml", ".yml")) and "&" not in file.text:
            return yaml.safe_load(file.text)
        parser = configparser.RawConfigParser()
        if file.name.endswith((".ini", ".cfg")):
            parser.read_string(file.text)
        return {name: dict(parser.items(name)) for name in parser.sections()} or None
    except (ValueError, RecursionError, yaml.YAMLError, configparser.Error):
        return None


def _leaves(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:  # noqa: ANN401
    """Yield the texts of a configuration with the names above them."""
    todo: list[tuple[tuple[str, ...], Any]] = [(path, value)]
    while todo:
        names, one = todo.pop()
        if isinstance(one, str):
            yield names, one
        elif isinstance(one, dict):
            todo += [((*names, str(k)), v) for k, v in one.items()]
        elif isinstance(one, list):
            todo += [(names, v) for v in one]


def _given(text: str, is_answers: _Is) -> Iterator[tuple[str, bool]]:
    """Yield the options and variables that a command gives answers to Python by."""
    for pipeline in pipelines(text):
        for found in map(_SET.match, pipeline.text.split()):
            if found and is_answers(found["value"].strip("\"'")):
                yield found["name"], False
        for command in pipeline.commands:
            if any(_PYTHON.search(w.rpartition("/")[2]) for w in command[:4]):
                yield from ((name, True) for name in _options(command, is_answers))


def _options(command: Iterable[str], is_answers: _Is) -> Iterator[str]:
    option = ""
    for word in command:
        name, sign, value = word.partition("=")
        found = _OPTION.match(name)
        option = found["name"].replace("-", "_") if found else option
        if option and is_answers(value if sign and found else word):
            yield option


def _asks(node: ast.AST, name: str) -> bool:
    """Say whether a node asks for a setting, an option or a variable by its name."""
    if isinstance(node, ast.Subscript):
        return getattr(node.slice, "value", None) == name
    if isinstance(node, ast.Attribute):
        return node.attr == name
    is_call = isinstance(node, ast.Call) and last_name(node) in _ASKS and bool(node.args)
    return is_call and getattr(node.args[0], "value", None) == name  # type: ignore[attr-defined]


def _takes_path(node: ast.Call) -> bool:
    """Say whether a call is given a reader and what it reads: ``map(read_csv, paths)``."""
    given = pairwise(node.args)
    readers = (getattr(a, "attr", getattr(a, "id", "")) for a, _ in given)
    return last_name(node) == "map" and any(r.startswith(("read", "load")) for r in readers)
