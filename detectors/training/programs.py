"""Where the values come from that a piece of Python hands in; nothing is run."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from detectors.calls import calls
from detectors.training import baselines, models, outputs, unlearnt
from detectors.training.flows import Flow, bound, imported, last_name
from detectors.training.handing_in import Sink, sinks_of
from detectors.training.neutral import neutral_names
from detectors.training.overwritten import overwritten
from detectors.training.parsed import Code, parsed
from detectors.training.readings import is_reading, kind_of
from detectors.training.typed import of_node, statements
from detectors.training.typed_lessons import taught_by_typed
from detectors.training.typed_over import typed_over
from detectors.training.writes import COPIES, name_of
from detectors.training.written_columns import written_columns
from detectors.words import literals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from detectors.training.parsed import Shown
    from detectors.training.typed import Typed
    from detectors.units import CodeUnit

# Libraries that make no values by themselves.
_HARMLESS = models.PLAIN | {
    *("tqdm", "glob", "string", "statistics", "decimal", "fractions", "uuid", "textwrap", "copy"),
    *("operator", "functools", "dataclasses", "enum", "contextlib", "matplotlib", "seaborn"),
    *("PIL", "cv2", "secrets", "gc", "traceback", "difflib", "unicodedata", "sklearn.metrics"),
    *(
        "tempfile",
        "polars",
        "pyarrow",
        "scipy.special",
        "yaml",
        "toml",
        "tomllib",
        "tomli",
        "struct",
    ),
    *("configparser", "omegaconf", "orjson", "ujson", "binascii", "codecs", "lzma", "bz2"),
    *(
        "abc",
        "numbers",
        "types",
        "locale",
        "pprint",
        "platform",
        "psutil",
        "loguru",
        "rich",
        "click",
    ),
    *("sklearn.base", "sklearn.utils", "bisect", "heapq", "array", "fire", "inspect", "atexit"),
}
_MAKES = re.compile(
    r"(?:^|\.)(?:\w*fit\w*|train\w*|backward|minimize|lstsq|solve|step|predict\w*|forward|"
    r"polyfit|curve_fit|transform|generate|score_samples|decision_function|infer\w*)$"
)
_RUNS = re.compile(
    r"(?:^|\.)(?:system|popen|check_call|check_output|Popen|exec|eval|import_module|__import__)$|"
    r"^(?:subprocess|sp)\.run$"
)
_NAMES_OF_COLUMNS = frozenset(
    {"columns", "names", "usecols", "labels", "categories", "fieldnames", "dtype", "index", "axis"}
)
_QUERY = re.compile(r"\bselect\b[\s\S]*\bfrom\b", re.IGNORECASE)
_SURE = 8  # elements of a typed table, unless the caller says otherwise


class Origin(StrEnum):
    """What the values that code hands in were made by, the most innocent first."""

    LEARNT = "by what was learnt, or by something that is not followed"
    CONSTANT = "by nothing: the same for every row"
    SAMPLE = "by nothing: those of the sample submission"
    RULE = "by a rule on rows, their ids or numbers that the code learnt from nothing"
    DRAWN = "by random draws"
    UNTRAINED = "by a network that nothing trained"
    TYPED = "by typing them into the code"
    TOLD = "by copying them out of the task's text"


class Made(NamedTuple):
    """Where the values come from, the call that hands them in, and what shows it."""

    origin: Origin
    sink: ast.Call
    source: ast.AST | None = None


@dataclass(frozen=True)
class Program:
    """Python that runs together, parsed whole.

    Parameters
    ----------
    least : int >= 2
        Elements from which a literal is a typed table.
    columns : frozenset of str
        Names of predicted columns: a list of them is no table of values.
    keys : frozenset of str
        Names of the columns that name the rows.
    typed_files : frozenset of str
        Names of files whose values somebody typed.
    """

    code: Code
    units: tuple[CodeUnit, ...]
    least: int = _SURE
    columns: frozenset[str] = frozenset()
    keys: frozenset[str] = frozenset()
    typed_files: frozenset[str] = frozenset()

    @cached_property
    def _strings(self) -> dict[tuple[str, int, str], list[tuple[str, ...]]]:
        """The texts that reach each call, by file, first line and name."""
        found: dict[tuple[str, int, str], list[tuple[str, ...]]] = {}
        for unit, call in calls(self.units):
            at = (unit.path, call.first_line, call.name.rpartition(".")[2])
            found.setdefault(at, []).append(call.strings)
        return found

    def texts(self, node: ast.Call) -> tuple[str, ...]:
        """Return the texts that reach a call; of several on one line, those with its own words."""
        unit = self.code.units[id(node)]
        at = (unit.path, node.lineno + unit.first_line - 1, last_name(node))
        found = self._strings.get(at, [])
        if len(found) > 1:
            own = [w for w in literals(n for a in node.args for n in ast.walk(a)) if len(w) > 1]
            found = [t for t in found if all(any(w in x for x in t) for w in own)] or found
        return tuple(text for texts in found for text in texts)

    def shown(self, node: ast.AST, shows: str) -> Shown:
        """Return the place of a node."""
        return self.code.shown(node, shows)

    @cached_property
    def foreign(self) -> dict[str, str]:
        """Names imported from libraries that may make values, with what they were taken from."""
        own = {unit.module for unit in self.units}
        found = imported(self.code.tree)
        return {
            name: module
            for name, module in found.items()
            if module.partition(".")[0] not in own
            and not module.startswith(".")
            and not {module.partition(".")[0], module.rpartition(".")[0]} & _HARMLESS
        }

    @cached_property
    def _neutral(self) -> frozenset[int]:
        return neutral_names(self.code.tree, self.foreign)

    @cached_property
    def _bound(self) -> frozenset[str]:
        return bound(self.code.tree)

    def is_reading(self, node: ast.AST) -> bool:
        """Say whether a node reads a file, not a text in memory and not for writing."""
        return is_reading(node)

    def reads(self, node: ast.AST) -> str:
        """Return what a node reads; see `readings.kind_of`."""
        return kind_of(self.texts(node), self.typed_files) if is_reading(node) else ""  # type: ignore[arg-type]

    def is_learnt(self, node: ast.AST) -> bool:
        """Say whether a node may bring in what was learnt, or what is not known."""
        return self.is_made(node) or self.reads(node) == "train"

    def is_made(self, node: ast.AST) -> bool:
        """Say the same where reading train rows is no learning."""
        if isinstance(node, ast.Call):
            own = last_name(node) in self.code.tree.functions
            makes = bool(_MAKES.search(name_of(node))) and not own
            return makes or self.runs(node) or self.reads(node) == "other"
        return self.is_foreign(node)

    def is_foreign(self, node: ast.AST) -> bool:
        """Say whether a node names what the code has from a library, or from nowhere."""
        if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load):
            return False
        is_foreign = node.id in self.foreign or node.id not in self._bound
        return is_foreign and id(node) not in self._neutral

    def runs(self, node: ast.AST) -> bool:
        """Say whether a node runs something else, which is not seen."""
        return isinstance(node, ast.Call) and bool(_RUNS.search(name_of(node)))

    def table(self, node: ast.AST) -> Typed | None:
        """Return the typed table that a node is, its values unlike and no names of columns."""
        return self._tables.get(id(node))

    @cached_property
    def _tables(self) -> dict[int, Typed]:
        """Typed tables by the ids of their nodes; of statements, by each of their values."""
        found: dict[int, Typed] = {}
        for _, node in self.code.tree.nodes:
            table = None if id(node) in self._no_values else of_node(node)
            if table is not None and self._is_table(table):
                found[id(node)] = table
        for nodes, table in statements(self.code.tree):
            if self._is_table(table):
                found |= dict.fromkeys(map(id, nodes), table)
        return found

    def _is_table(self, table: Typed) -> bool:
        if len(table.values) < self.least or table.n_different < len("ab"):
            return False
        return sum(v in self.columns for v in table.values) * 2 <= len(table.values)

    def is_no_value(self, node: ast.AST) -> bool:
        """Say whether a literal names columns or stands in the place of a docstring."""
        return id(node) in self._no_values

    @cached_property
    def _no_values(self) -> frozenset[int]:
        """Nodes that name columns, and what stands in place of a docstring."""
        found: set[int] = set()
        for _, node in self.code.tree.nodes:
            if isinstance(node, ast.keyword) and node.arg in _NAMES_OF_COLUMNS:
                found |= {id(n) for n in ast.walk(node.value)}
            elif isinstance(node, ast.Subscript):
                found |= {id(n) for n in ast.walk(node.slice)}
            elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                found.add(id(node.value))
            elif isinstance(node, ast.List | ast.Dict) and of_node(node) is not None:
                found |= {id(n) for n in ast.walk(node) if n is not node}
        return frozenset(found)

    def tables(self) -> Iterator[tuple[ast.AST, Typed]]:
        """Yield every typed table of the code with the first of its nodes."""
        seen: set[int] = set()
        for _, node in self.code.tree.nodes:
            found = self.table(node)
            if found is not None and id(found) not in seen:
                seen.add(id(found))
                yield node, found

    def queries(self) -> Iterator[tuple[ast.AST, str]]:
        """Yield the texts of SQL that select from something, with their nodes."""
        for _, node in self.code.tree.nodes:
            text = node.value if isinstance(node, ast.Constant) else None
            if isinstance(text, str) and _QUERY.search(text):
                yield node, text

    @cached_property
    def falls_back(self) -> bool:
        """Whether the sample, or a constant, is handed in where something else failed."""
        inside = {
            id(inner)
            for _, node in self.code.tree.nodes
            if isinstance(node, ast.ExceptHandler)
            for statement in node.body
            for inner in ast.walk(statement)
            if self.reads(inner) == "sample" or _is_set_constant(inner, statement)
        }
        return self.depends(Flow(self.code.tree, lambda n: id(n) in inside)) is not None

    @cached_property
    def is_modelled(self) -> bool:
        """Whether what is handed in may come of a model, and not of the train rows alone."""
        return self.depends(self.flow(self.is_made)) is not None

    def flow(self, is_source: Callable[[ast.AST], bool]) -> Flow:
        """Follow the values of something, whatever may change or choose them."""
        return Flow(self.code.tree, is_source, is_wide=True, by_value=True, apart=self.keys)

    @cached_property
    def hands_in_shares(self) -> bool:
        """Whether what is handed in are a model's shares or measures, and no labels."""
        return outputs.hands_in_shares(self)

    @cached_property
    def emptied(self) -> tuple[ast.AST, str] | None:
        """What makes a model's values one for all rows, and how: a cast, weights, a threshold."""
        ways = (
            (outputs.cut_to_whole, "makes its values zero"),
            (outputs.times_zero, "makes its values zero"),
            (outputs.never_passed, "compares its shares with what none of them reaches"),
            (outputs.argmax_of_one, "takes the largest of one column"),
        )
        found = ((way(self), shows) for way, shows in ways)
        return next(((node, shows) for node, shows in found if node is not None), None)

    @cached_property
    def sinks(self) -> tuple[Sink, ...]:
        """The calls that write the submission; of those that name no file, all."""
        return sinks_of(self)

    def made(self) -> Made | None:
        """Say where what is handed in comes from; None where nothing is written."""
        if not self.sinks:
            return None
        last = self.sinks[-1].node
        if self.depends(self.flow(self.is_learnt)) is None:
            return self._unlearnt(last)
        typed = taught_by_typed(self) or typed_over(self)
        if typed is not None:
            return Made(Origin.TYPED, last, typed)
        constant = overwritten(self.code.tree, self.columns)
        if constant is not None:
            return Made(Origin.CONSTANT, last, constant)
        for origin, way in (
            (Origin.DRAWN, unlearnt.drawn_alone),
            (Origin.DRAWN, baselines.dummy_alone),
            (Origin.UNTRAINED, baselines.untrained),
            (Origin.RULE, unlearnt.jittered),
        ):
            source = way(self)
            if source is not None:
                return Made(origin, last, source)
        return Made(Origin.LEARNT, last)

    def _unlearnt(self, last: ast.Call) -> Made:
        """Say where values come from that no part of the code learnt."""
        for origin, is_source in (
            (Origin.TOLD, lambda n: self.reads(n) == "told"),
            (Origin.TYPED, lambda n: self.table(n) is not None or self.reads(n) == "typed"),
        ):
            sink = self.depends(Flow(self.code.tree, is_source))
            if sink is not None:
                return Made(origin, sink.node, self._first(is_source))
        typed = unlearnt.typed_otherwise(self)
        if typed is not None:
            return Made(Origin.TYPED, last, typed)
        if self.depends(Flow(self.code.tree, unlearnt.is_draw)) is not None:
            return Made(Origin.DRAWN, last, self._first(unlearnt.is_draw))
        rule = unlearnt.by_rule(self)
        if rule is not None:
            return Made(Origin.RULE, last, rule)
        return self._copied() or Made(Origin.CONSTANT, last)

    def _first(self, is_source: Callable[[ast.AST], bool]) -> ast.AST | None:
        return next((n for _, n in self.code.tree.nodes if is_source(n)), None)

    def depends(self, flow: Flow) -> Sink | None:
        """Return the first call that hands in what depends on something; None where none does."""
        return next(
            (s for s in self.sinks if any(flow.depends(s.scope, v) for v in s.values)), None
        )

    def _copied(self) -> Made | None:
        sample = Flow(self.code.tree, lambda n: self.reads(n) == "sample")
        sink = self.depends(sample)
        copy = next((s for s in self.sinks if COPIES.search(name_of(s.node))), None)
        sets = any(
            isinstance(n, ast.Assign) and isinstance(n.targets[0], ast.Subscript)
            for _, n in self.code.tree.nodes
        )
        found = copy or (None if sets else sink)
        return Made(Origin.SAMPLE, found.node) if found else None


def program(  # noqa: PLR0913 - options by name
    units: Sequence[CodeUnit],
    *,
    least: int = _SURE,
    columns: frozenset[str] = frozenset(),
    keys: frozenset[str] = frozenset(),
    typed_files: frozenset[str] = frozenset(),
    is_lenient: bool = False,
    printed: str | None = None,
    command: str = "",
) -> Program | None:
    """Parse units that run together; None where they cannot be followed whole.

    Parameters
    ----------
    is_lenient : bool
        Take the parts that can be followed.
    printed : str or None
        What a run printed, perhaps nothing: what surely did not run, and what a name was set to and
        lost, counts for nothing then. None takes all of it.
    command : str
        What ran it.
    """
    code = parsed(units, is_lenient=is_lenient, printed=printed, command=command)
    if code is None:
        return None
    whole = Program(code, tuple(units), least, columns, keys, typed_files)
    told = written_columns(whole)
    if told.columns and not told.columns & columns:  # the task is not known, or told wrongly
        return replace(whole, columns=told.columns, keys=keys | told.keys)
    return whole


def _is_set_constant(node: ast.AST, statement: ast.stmt) -> bool:
    """Say whether a node is the number that a statement sets a name to."""
    is_set = isinstance(statement, ast.Assign) and statement.value is node
    return is_set and isinstance(node, ast.Constant) and isinstance(node.value, int | float)
