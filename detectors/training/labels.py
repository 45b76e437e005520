"""Labels of test rows that code trains on: read from answers, taken from elsewhere, or typed."""

from __future__ import annotations

import ast
import re
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from detectors.bounds import UNKNOWN
from detectors.training.flows import Flow, last_name
from detectors.training.label_parts import (
    Columns,
    column_of,
    constants_in,
    is_number,
    is_of_rows,
    put_together,
    set_for_ids,
)
from detectors.training.stored import stored_reads

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from detectors.training.programs import Program
    from detectors.training.scopes import Scope
    from detectors.training.typed import Typed

_FITS = re.compile(
    r"^(?:fit|fit_generator|fit_model|partial_fit|train|train_(?!test)\w+|backward|minimize|lstsq|fine_tune|"
    r"fit_one_cycle|finetune|cross_val_\w+|cross_validate|fit_predict)$"
)
_FITS_ANY = re.compile(  # also what is fitted by formulas, or row by row
    rf"{_FITS.pattern}|^(?:learn_one|learn_many|solve|pinv|polyfit|curve_fit|least_squares|fmin\w*|"
    r"add_instance|train_\w+|\w+_fit)$"
)
_NO_MODEL = re.compile(r"Encoder|Binarizer|Scaler|Vectorizer|Imputer|PCA|Tokenizer")
_PREDICTS = re.compile(r"(?:^|\.)(?:predict\w*|forward|generate|infer\w*|decision_function)$")
_OWN = re.compile(
    r"subm|pseudo|oof|teacher|soft|pred|ensemble|blend|prob|logit|sample|stack|cache[d]?_feat|feat",
    re.IGNORECASE,
)
# Below the task's own data, or in a folder whose name is not known.
_PUBLIC = re.compile(
    rf"\btest/|(?:^|[ /])inputs?/|^/home/data|^(?:\./)?data/|^[{UNKNOWN}$]|^[^/]*$"
)
_LISTS = re.compile(r"(?:^|\.)(?:i?glob|rglob|iterdir|walk|scandir|listdir)$")
_TABLES = re.compile(
    r"(?:^|\.)(?:read_\w+|open|load_dataset|fetch_openml|loadtxt|genfromtxt|get_rdataset)$"
)
_GIVES_DATA = re.compile(r"datasets|openml|kagglehub|requests|urllib|polars|sqlite3|yaml")
_JOINS = frozenset({"merge", "join", "combine_first"})
_TARGETS = frozenset({"target", "label", "labels", "y", "class", "answer", "answers"})
_TRAIN = re.compile(r"train", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_IN_TEST = re.compile(r"(?:^|[/._-])test(?:_?\w*)?/", re.IGNORECASE)
MIN_ID = 6  # characters of a key that may be a row's id
MIN_PAIRS = 4  # keys of the shortest table


class Labels(StrEnum):
    """Where labels of test rows came from, the gravest first."""

    ANSWERS = "the answers of the test part"
    BUNDLED = "the data set that the task was made from"
    TYPED = "a table that stands typed in the code"
    ELSEWHERE = "another data set"


class Taught(NamedTuple):
    """A call that trains on labels of test rows, and where those came in."""

    labels: Labels
    source: ast.AST
    call: ast.AST


class Teaching:
    """Finds what some Python trains on.

    Parameters
    ----------
    is_answers, is_bundled : callable of the texts and the name of a call to bool
        Whether a call reads the task's answers, or loads the data set it was made from.
    min_values : int
        Elements from which a typed table counts, unless its keys look like ids of rows.
    typed_files : frozenset of str
        Names of files whose rows were typed.
    """

    def __init__(
        self,
        program: Program,
        is_answers: Callable[[ast.Call, tuple[str, ...]], bool],
        is_bundled: Callable[[ast.Call, tuple[str, ...]], bool],
        min_values: int = 8,
        typed_files: frozenset[str] = frozenset(),
    ) -> None:
        self.min_values, self.typed_files = min_values, typed_files
        self.program, self.tree = program, program.code.tree
        self.is_answers, self.is_bundled = is_answers, is_bundled

    def taught(self) -> Iterator[Taught]:
        """Yield the gravest thing of each kind that a model is trained on."""
        for labels, is_wanted in (
            (Labels.ANSWERS, self.is_answers),
            (Labels.BUNDLED, self.is_bundled),
        ):
            sources = self._reads(is_wanted)
            sources |= stored_reads(self.program, sources) if sources else set()
            call = self._fitted_on_answers(self._flow_of(sources)) if sources else None
            if call is not None:
                yield Taught(labels, self._first(sources), call)
                return
        for labels, sources in (
            (Labels.TYPED, self._typed()),
            (Labels.ELSEWHERE, self._elsewhere()),
        ):
            found = self._joined(labels, sources) if sources else None
            if found is not None:
                yield found
                return

    def _flow_of(self, sources: set[int]) -> Flow:
        return Flow(self.tree, lambda n: id(n) in sources)

    # ------------------------------------------------------------ what labels come from

    def _reads(self, is_wanted: Callable[[ast.Call, tuple[str, ...]], bool]) -> set[int]:
        calls = (node for _, node in self.tree.calls())
        return {id(n) for n in calls if is_wanted(n, self.program.texts(n))}

    def _typed(self) -> set[int]:
        """Return typed tables of keys and values, or of numbers: not names of columns."""
        return {
            id(node)
            for _, node in self.tree.nodes
            if (table := self.program.table(node)) is not None and self._may_be_labels(table)
        } | self._typed_reads

    @cached_property
    def _typed_reads(self) -> frozenset[int]:
        """The calls that read files whose rows were typed, and values set for typed ids."""
        read = {
            id(node)
            for _, node in self.tree.calls()
            if self.program.is_reading(node)
            and self.typed_files & {t.rpartition("/")[2] for t in self.program.texts(node)}
        }
        return frozenset(read) | set_for_ids(self.tree, self._targets)

    def _may_be_labels(self, table: Typed) -> bool:
        """Say whether a typed table may be of rows; a short one is by the looks of its keys."""
        if len(table.values) < self.min_values:
            keys = list(table.pairs)
            return bool(keys) and all(len(k) >= MIN_ID and _DIGIT.search(k) for k in keys)
        return is_of_rows(table) if table.pairs else all(map(is_number, table.values))

    def _elsewhere(self) -> set[int]:
        """Return the calls that read tables or list files which are none of the task's own."""
        found = set()
        for _, node in self.tree.calls():
            texts = " ".join(self.program.texts(node))
            name = last_name(node)
            is_listing = _LISTS.search(name) is not None and re.search(r"[\w*]/[\w*]", texts)
            is_table = _TABLES.search(name) is not None and (
                self.program.reads(node) == "other" or "load_dataset" in name or "openml" in name
            )
            if (is_listing or is_table) and texts and not self._is_own(texts):
                found.add(id(node))
        return found

    @staticmethod
    def _is_own(texts: str) -> bool:
        return any(p.search(texts) for p in (_OWN, _TRAIN, _PUBLIC))

    @cached_property
    def _keyed(self) -> frozenset[int]:
        """The typed tables that have keys."""
        found = ((n, self.program.table(n)) for _, n in self.tree.nodes)
        keyed = frozenset(id(n) for n, table in found if table is not None and table.pairs)
        return keyed | self._typed_reads

    @cached_property
    def _tests(self) -> Flow:
        wanted = {"test", "sample"}
        return Flow(self.tree, lambda n: self.program.reads(n) in wanted)

    @cached_property
    def _trains(self) -> Flow:
        return Flow(self.tree, lambda n: self.program.reads(n) == "train", by_parts=False)

    @cached_property
    def _made(self) -> Columns:
        """What models may have given: pseudo-labels are no answers."""
        return Columns(
            self.tree, lambda n: isinstance(n, ast.Call) and bool(_PREDICTS.search(last_name(n)))
        )

    @cached_property
    def _modelled(self) -> Columns:
        """What a library made of something, which may be a model's output, too."""
        return Columns(
            self.tree,
            lambda n: (
                isinstance(n, ast.Name)
                and isinstance(n.ctx, ast.Load)
                and not _GIVES_DATA.search(self.program.foreign.get(n.id, "datasets"))
            ),
        )

    # ------------------------------------------------------------ what is trained

    def _fitted(self, flow: Flow, fits: re.Pattern[str] = _FITS) -> ast.Call | None:
        """Return a call that trains on what depends on something."""
        for scope, node in self.tree.calls():
            if not fits.match(last_name(node)) or self._is_transform(node):
                continue
            given = [*node.args, *(k.value for k in node.keywords)]
            if isinstance(node.func, ast.Attribute):  # a trainer that was given them before
                given.append(node.func.value)
            if any(flow.depends(scope, a) for a in given):
                return node
        return None

    def _fitted_on_answers(self, flow: Flow) -> ast.AST | None:
        """Return a call that trains on answers, or what puts them behind the train part's labels.

        What is put behind them may be learnt from without any library: by a loop, by means.
        """
        return self._fitted(flow, _FITS_ANY) or next(
            (node for scope, node in self.tree.nodes if self._is_behind_train(flow, scope, node)),
            None,
        )

    def _is_behind_train(self, flow: Flow, scope: Scope, node: ast.AST) -> bool:
        """Say whether a node puts what depends on something behind what came of the train part."""
        parts = put_together(node)
        of_train = [self._trains.depends(scope, p) for p in parts]
        given = (flow.depends(scope, p) for p in parts)
        return any(of_train) and any(g and not t for g, t in zip(given, of_train, strict=True))

    @staticmethod
    def _is_transform(node: ast.Call) -> bool:
        value = node.func.value if isinstance(node.func, ast.Attribute) else node
        return bool(_NO_MODEL.search(ast.dump(value)[:400]))

    def _joined(self, labels: Labels, sources: set[int]) -> Taught | None:
        """Return a training on test rows that were given labels out of some sources."""
        flow = self._flow_of(sources)
        joining = self._flow_of(sources & self._keyed) if labels is Labels.TYPED else flow
        given = {
            id(node) for scope, node in self.tree.nodes if self._gives(labels, joining, scope, node)
        }
        first = self._first(sources)
        if given:
            call = self._fitted(self._flow_of(given))
            if call is not None:
                return Taught(labels, first, call)
        return next(
            (
                Taught(labels, first, node)
                for scope, node in self.tree.calls()
                if self._is_direct(labels, flow, scope, node)
            ),
            None,
        )

    def _gives(self, labels: Labels, flow: Flow, scope: Scope, node: ast.AST) -> bool:
        """Say whether a node gives test rows labels: a value set as their target, or a join."""
        if isinstance(node, ast.Call) and last_name(node) in _JOINS:
            return self._joins(labels, flow, scope, node)
        if labels is Labels.TYPED and self._joins_train(flow, scope, node):
            return True
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            on = node.func.value
            if self._sets_in_chain(labels, flow, scope, node, on):
                return True
        parent = self._assigned.get(id(node))
        if parent is None or not isinstance(node, ast.expr):
            return False
        return self._is_test(scope, parent) and self._is_label(flow, scope, node)

    def _joins_train(self, flow: Flow, scope: Scope, node: ast.AST) -> bool:
        """Say whether typed rows, looked for below a test folder, join the train's."""
        if not self._is_behind_train(flow, scope, node):
            return False
        return any(
            flow.depends(where, one) and _IN_TEST.search(constants_in(one))
            for where, one in self.tree.nodes
            if isinstance(one, ast.BinOp | ast.JoinedStr)
        )

    def _sets_in_chain(
        self, labels: Labels, flow: Flow, scope: Scope, node: ast.Call, on: ast.expr
    ) -> bool:
        """Say whether a call sets test rows' target: by ``assign``, or by its name after a join."""
        name = last_name(node)
        if name == "assign":
            given = [k.value for k in node.keywords if k.arg in self._targets]
            return self._is_test(scope, on) and any(self._is_label(flow, scope, g) for g in given)
        if name != "rename" or labels is not Labels.ELSEWHERE:
            return False
        renamed = " ".join(ast.dump(k.value) for k in node.keywords if k.arg == "columns")
        if not any(f"'{target}'" in renamed for target in self._targets):
            return False
        joins = (n for n in ast.walk(on) if isinstance(n, ast.Call) and last_name(n) in _JOINS)
        return any(
            isinstance(n.func, ast.Attribute)
            and self._is_test(scope, n.func.value)
            and any(self._is_label(flow, scope, a) for a in n.args)
            for n in joins
        )

    def _joins(self, labels: Labels, flow: Flow, scope: Scope, node: ast.Call) -> bool:
        """Say whether test rows are joined with labels; of another data set, by their name."""
        if not isinstance(node.func, ast.Attribute) or not self._is_test(scope, node.func.value):
            return False
        named = " ".join(ast.dump(a) for a in (*node.args, *(k.value for k in node.keywords)))
        is_named = any(f"'{target}'" in named for target in self._targets)
        if labels is Labels.ELSEWHERE and not is_named:
            return False
        return any(self._is_label(flow, scope, a) for a in node.args)

    @cached_property
    def _assigned(self) -> dict[int, ast.expr]:
        """The frame that a value is set into as its target column, by the id of the value."""
        found = {}
        for _, node in self.tree.nodes:
            target = node.targets[0] if isinstance(node, ast.Assign) else None
            if isinstance(target, ast.Subscript) and isinstance(node, ast.Assign):
                column = (
                    target.slice.elts[-1] if isinstance(target.slice, ast.Tuple) else target.slice
                )
                if isinstance(column, ast.Constant) and column.value in self._targets:
                    found[id(node.value)] = target.value
        return found

    @cached_property
    def _targets(self) -> frozenset[str]:
        return self.program.columns | _TARGETS | self._fitted_columns

    @cached_property
    def _fitted_columns(self) -> frozenset[str]:
        """The columns that something is fitted on as its target: ``fit(x, train["author"])``."""
        given = (
            node.args[1]
            for _, node in self.tree.calls()
            if _FITS.match(last_name(node)) and len(node.args) > 1
        )
        return frozenset(c for c in map(column_of, given) if isinstance(c, str))

    def _is_test(self, scope: Scope, node: ast.expr) -> bool:
        """Say whether an expression holds test rows; where it was joined with train, no more."""
        return self._tests.depends(scope, node) and not self._trains.depends(scope, node)

    def _is_label(self, flow: Flow, scope: Scope, node: ast.expr) -> bool:
        made = self._made.depends(scope, node) or self._modelled.depends(scope, node)
        return flow.depends(scope, node) and not made

    def _is_direct(self, labels: Labels, flow: Flow, scope: Scope, node: ast.Call) -> bool:
        """Say whether a call trains on test rows with labels beside them."""
        if (
            not _FITS.match(last_name(node))
            or len(node.args) < len("xy")
            or self._is_transform(node)
        ):
            return False
        rows, given = node.args[:2]
        if labels is Labels.ELSEWHERE and not self._tests.depends(scope, given):
            return False  # rows of another data set with labels of its own
        if not self._tests.depends(scope, rows):
            return False
        if self._trains.depends(scope, given):
            return labels is Labels.TYPED and self._appended(flow).depends(scope, given)
        return self._is_label(flow, scope, given)

    def _appended(self, flow: Flow) -> Flow:
        """Follow labels that were put behind those of the train rows."""
        given: set[int] = set()
        for scope, node in self.tree.nodes:
            for part in put_together(node):
                column = column_of(part)
                if isinstance(column, str) and column not in self._targets:
                    continue  # a feature, such as a text that words of a table were put into
                if self._is_label(flow, scope, part) and not self._trains.depends(scope, part):
                    given.add(id(node))
        return self._flow_of(given)

    def _first(self, sources: set[int]) -> ast.AST:
        return next(node for _, node in self.tree.nodes if id(node) in sources)
