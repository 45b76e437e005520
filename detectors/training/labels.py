"""Labels of test rows that code trains on: read from answers, taken from elsewhere, or typed."""

from __future__ import annotations

import ast
import re
from functools import cached_property
from typing import TYPE_CHECKING

from detectors.training.filled_folders import folder_reads
from detectors.training.flows import Flow, last_name
from detectors.training.label_parts import (
    FITS,
    FITS_ANY,
    Columns,
    column_of,
    constants_in,
    is_given_labels,
    is_transform,
    is_update,
    named_in_test,
    named_values,
    put_together,
    rows_of,
    rows_read,
    set_for_ids,
)
from detectors.training.left_in_test import LeftInTest, is_test_table
from detectors.training.other_rows import Matched, beside, elsewhere, is_asked_for
from detectors.training.stored import stored_reads
from detectors.training.taught import Labels, Taught
from detectors.training.typed_rows import Found as TypedFound
from detectors.training.typed_rows import TypedLabels

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from detectors.training.programs import Program
    from detectors.training.scopes import Scope

_PREDICTS = re.compile(r"(?:^|\.)(?:predict\w*|forward|generate|infer\w*|decision_function)$")
_GIVES_DATA = re.compile(r"datasets|openml|kagglehub|requests|urllib|polars|sqlite3|yaml|xml|bs4")
_JOINS = frozenset({"merge", "join", "combine_first"})
_TARGETS = frozenset({"target", "label", "labels", "y", "class", "answer", "answers"})
_IN_TEST = re.compile(r"(?:^|[/._-])test(?:_?\w*)?/", re.IGNORECASE)
_IN_TASKS_TEST = re.compile(  # not that of another data set
    r"(?:^| )(?:\.\./test|(?:/home/(?:\w+/)?data|(?:\.{0,2}/)*"
    r"(?:data|inputs?)(?:/[\w-]+)?)/test)\w*/"
)
MIN_PAIRS = 4  # keys of the shortest table


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
    keys : frozenset of str
        Columns by which rows are told apart.
    own : frozenset of str
        Names of files that the attempt writes.
    """

    def __init__(  # noqa: PLR0913 - options by name
        self,
        program: Program,
        is_answers: Callable[[ast.Call, tuple[str, ...]], bool],
        is_bundled: Callable[[ast.Call, tuple[str, ...]], bool],
        min_values: int = 8,
        typed_files: frozenset[str] = frozenset(),
        keys: frozenset[str] = frozenset(),
        *,
        own: frozenset[str] = frozenset(),
    ) -> None:
        self.own = own
        self.min_values, self.typed_files = min_values, typed_files
        self.keys = keys or frozenset({"id"})
        self.program, self.tree = program, program.code.tree
        self.is_answers, self.is_bundled = is_answers, is_bundled

    def taught(self) -> Iterator[Taught]:
        """Yield the gravest thing of each kind that a model is trained on."""
        for labels, is_wanted in (
            (Labels.ANSWERS, self.is_answers),
            (Labels.BUNDLED, self.is_bundled),
        ):
            sources = self._reads(is_wanted)
            call = self._fitted_on_answers(self._carried(sources)) if sources else None
            if call is not None:
                yield Taught(labels, self._first(sources), call)
                return
        left = self._left_in_test()
        if left is not None:
            yield left
            return
        for labels, sources in (
            (Labels.TYPED, set(self._typed.sources)),
            (Labels.ELSEWHERE, elsewhere(self.program)),
            (Labels.BESIDE, beside(self.program)),
        ):
            found = self._joined(labels, sources) if sources else None
            if found is not None:
                yield found
                return

    def _left_in_test(self) -> Taught | None:
        """Return a training on the target that the test part's own table holds."""
        tests = Flow(self.tree, lambda n: is_test_table(self.program, n, self.own))
        left = LeftInTest(self.program, tests, self._trains, self._named_targets)
        found = left.taught(self._fitted)
        return Taught(Labels.LEFT, *found) if found else None

    def _flow_of(self, sources: set[int]) -> Flow:
        return Flow(self.tree, lambda n: id(n) in sources)

    def _carried(self, sources: set[int]) -> Flow:
        """Follow labels, also by way of a data base and of folders that are called by them."""
        stored = sources | stored_reads(self.program, sources)
        filled = folder_reads(self.program, self._flow_of(stored))
        return self._flow_of(stored | filled)

    # ------------------------------------------------------------ what labels come from

    def _reads(self, is_wanted: Callable[[ast.Call, tuple[str, ...]], bool]) -> set[int]:
        calls = (node for _, node in self.tree.calls())
        return {id(n) for n in calls if is_wanted(n, self.program.texts(n))}

    @cached_property
    def _typed(self) -> TypedFound:
        """What stands typed."""
        given = (n.args[1] for _, n in self.tree.calls() if is_given_labels(n))
        assigned = set(self._assigned) | self._set_by_name | set(map(id, given))
        assigned |= {id(n.value) for _, n in self.tree.nodes if isinstance(n, ast.AugAssign)}
        found = TypedLabels(self.program, self.keys, self._targets, self.typed_files)
        return found.found(self.min_values, set_for_ids(self.tree, self._targets), assigned)

    @cached_property
    def _set_by_name(self) -> set[int]:
        """The values that ``assign`` sets as targets."""
        return {
            id(value)
            for _, node in self.tree.calls()
            if last_name(node) == "assign"
            for name, value in named_values(node)
            if name in self._targets
        }

    @cached_property
    def _tests(self) -> Flow:
        wanted = {"test", "sample"}
        return Flow(self.tree, lambda n: rows_read(self.program, n) in wanted)

    @cached_property
    def _trains(self) -> Flow:
        return Flow(self.tree, lambda n: rows_read(self.program, n) == "train", by_parts=False)

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

    def _fitted(self, flow: Flow, fits: re.Pattern[str] = FITS) -> ast.Call | None:
        """Return a call that trains on what depends on something."""
        for scope, node in self.tree.calls():
            is_fit = fits.match(last_name(node)) or is_update(node)
            if not is_fit or is_transform(node):
                continue
            given = [*node.args, *(k.value for k in node.keywords)]
            if isinstance(node.func, ast.Attribute):  # a trainer that was given them before
                given.append(node.func.value)
            if flow.is_source(node) or any(flow.depends(scope, a) for a in given):
                return node
        return None

    def _fitted_on_answers(self, flow: Flow) -> ast.AST | None:
        """Return a call that trains on answers, or what puts them behind the train part's labels.

        What is put behind them may be learnt from without any library: by a loop, by means.
        """
        return self._fitted(flow, FITS_ANY) or next(
            (node for scope, node in self.tree.nodes if self._is_behind_train(flow, scope, node)),
            None,
        )

    def _is_behind_train(self, flow: Flow, scope: Scope, node: ast.AST) -> bool:
        """Say whether a node puts what depends on something behind what came of the train part."""
        parts = [(self._trains.depends(scope, p), p) for p in map(rows_of, put_together(node))]
        return any(t for t, _ in parts) and any(flow.depends(scope, p) for t, p in parts if not t)

    def _joined(self, labels: Labels, sources: set[int]) -> Taught | None:
        """Return a training on test rows that were given labels out of some sources."""
        flow = self._flow_of(sources)
        if labels is Labels.BESIDE and not self._is_asked_for(flow):
            return None
        joining = self._flow_of(sources & self._typed.keyed) if labels is Labels.TYPED else flow
        given = {
            id(node) for scope, node in self.tree.nodes if self._gives(labels, joining, scope, node)
        }
        given |= self._matched(flow) if labels is Labels.ELSEWHERE else set()
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

    def _matched(self, flow: Flow) -> set[int]:
        """Return what puts another data set's rows of the test part behind the train rows."""
        matched = Matched(self.program, flow, self._tests, self._trains)
        return {
            id(node)
            for scope, node in self.tree.nodes
            for part in put_together(node)
            if matched.is_of_test(part) and self._is_beside_train(flow, scope, node, part)
        }

    def _is_beside_train(self, flow: Flow, scope: Scope, node: ast.AST, part: ast.expr) -> bool:
        """Say the same of one part, which may have met the train part for its classes' codes."""
        rest = (p for p in put_together(node) if p is not part)
        return flow.depends(scope, part) and any(self._trains.depends(scope, p) for p in rest)

    def _gives(self, labels: Labels, flow: Flow, scope: Scope, node: ast.AST) -> bool:
        """Say whether a node gives test rows labels: a value set as their target, or a join."""
        if isinstance(node, ast.Dict):
            return self._is_labelled_row(flow, scope, node)
        if isinstance(node, ast.Call) and last_name(node) in _JOINS:
            return self._joins(labels, flow, scope, node)
        on = getattr(node.func, "value", None) if isinstance(node, ast.Call) else None
        if self._joins_train(labels, flow, scope, node) or (
            isinstance(node, ast.Call)
            and isinstance(on, ast.expr)
            and self._sets_in_chain(labels, flow, scope, node, on)
        ):
            return True
        parent = self._assigned.get(id(node))
        if parent is None or not isinstance(node, ast.expr):
            return False
        return self._is_test(scope, parent) and self._is_label(flow, scope, node)

    def _is_asked_for(self, flow: Flow) -> bool:
        """Say whether the task's target is asked for by name of what depends on something."""
        of_task = (self._tests, self._trains)
        return is_asked_for(self.tree, flow, of_task, self._named_targets)

    def _is_labelled_row(self, flow: Flow, scope: Scope, node: ast.Dict) -> bool:
        """Say whether a dictionary is a test row with a label beside its other values."""
        named = [
            (getattr(k, "value", None), v) for k, v in zip(node.keys, node.values, strict=True)
        ]
        given = [v for name, v in named if name in self._targets]
        rest = [v for name, v in named if name not in self._targets]
        is_given = any(self._is_label(flow, scope, v) for v in given)
        return is_given and any(self._is_test(scope, v) for v in rest)

    def _joins_train(self, labels: Labels, flow: Flow, scope: Scope, node: ast.AST) -> bool:
        """Say whether rows join the train's whose files are looked for below the test folder."""
        folder = _IN_TEST if labels is Labels.TYPED else _IN_TASKS_TEST
        if labels is Labels.BESIDE or not self._is_behind_train(flow, scope, node):
            return False
        rows = named_in_test(self.tree, scope, node) if labels is Labels.TYPED else ()
        return any(self._is_label(flow, scope, p) for p in rows) or any(
            flow.depends(where, one) and folder.search(constants_in(one))
            for where, one in self.tree.nodes
            if isinstance(one, ast.BinOp | ast.JoinedStr)
        )

    def _sets_in_chain(
        self, labels: Labels, flow: Flow, scope: Scope, node: ast.Call, on: ast.expr
    ) -> bool:
        """Say whether a call sets test rows' target: by ``assign``, or by its name after a join."""
        name = last_name(node)
        if name == "assign":
            given = [value for arg, value in named_values(node) if arg in self._targets]
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
        on = getattr(node.func, "value", None)
        if not isinstance(on, ast.expr):
            return False
        is_test = self._is_test(scope, on)
        if not is_test and not (labels is Labels.TYPED and self._is_label(flow, scope, on)):
            return False
        named = " ".join(ast.dump(a) for a in (*node.args, *(k.value for k in node.keywords)))
        is_named = any(f"'{target}'" in named for target in self._targets)
        if labels is not Labels.TYPED and not is_named:
            return False
        if not is_test:
            return any(self._is_test(scope, a) for a in node.args)
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
        return self._named_targets | _TARGETS

    @cached_property
    def _named_targets(self) -> frozenset[str]:
        return self.program.columns | self._fitted_columns

    @cached_property
    def _fitted_columns(self) -> frozenset[str]:
        """The columns that something is fitted on as its target: ``fit(x, train["author"])``."""
        given = (
            node.args[1]
            for _, node in self.tree.calls()
            if FITS.match(last_name(node)) and len(node.args) > 1
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
        if not FITS.match(last_name(node)) or len(node.args) < len("xy") or is_transform(node):
            return False
        rows, given = node.args[:2]
        if labels in {Labels.ELSEWHERE, Labels.BESIDE} and not self._tests.depends(scope, given):
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
                    given |= {id(node), id(part)}
        return self._flow_of(given)

    def _first(self, sources: set[int]) -> ast.AST:
        return next(node for _, node in self.tree.nodes if id(node) in sources)
