"""Test tables that hold the target by mistake, and code that takes it from there."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from detectors.training.flows import Flow, last_name
from detectors.training.label_parts import (
    FITS,
    column_of,
    columns_of,
    is_transform,
    put_together,
    rows_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from detectors.training.programs import Program
    from detectors.training.scopes import Scope

_TEST_TABLE = re.compile(
    r"(?:^|[/_.-])test(?:_?(?:set|data|df|features|ing|final|part|full|new))?\.\w+(?:\.\w+)?$",
    re.IGNORECASE,
)


def is_test_table(program: Program, node: ast.AST, own: frozenset[str]) -> bool:
    """Say whether a node reads the test part's table, and none that the attempt wrote."""
    if program.reads(node) != "test" or not isinstance(node, ast.Call):
        return False
    names = [t.rpartition("/")[2] for t in program.texts(node)]
    return any(_TEST_TABLE.search(n) for n in names) and not own.intersection(names)


class LeftInTest:
    """Finds where code asks the test part's own table for the target that nothing set there.

    Parameters
    ----------
    tests, trains : Flow
        What depends on the test part's table, and on that of the train part.
    targets : frozenset of str
        Columns that the task predicts.
    """

    def __init__(
        self, program: Program, tests: Flow, trains: Flow, targets: frozenset[str]
    ) -> None:
        self.tree, self.tests, self.trains, self.targets = program.code.tree, tests, trains, targets

    def taught(self, fitted: Callable[[Flow], ast.Call | None]) -> tuple[ast.AST, ast.AST] | None:
        """Return where the target is asked for, and what trains on it.

        Parameters
        ----------
        fitted : callable of Flow to call or None
            Finds what trains on something.
        """
        asked = self.asked()
        if not asked:
            return None
        call = fitted(Flow(self.tree, lambda n: id(n) in asked)) or self._fitted_on_both(asked)
        first = next(node for _, node in self.tree.nodes if id(node) in asked)
        return (first, call) if call else None

    def _fitted_on_both(self, asked: set[int]) -> ast.Call | None:
        """Return a call that trains on the target of train and test rows together."""
        both = Flow(self.tree, self.together(asked))
        for scope, node in self.tree.calls():
            is_fit = FITS.match(last_name(node)) and not is_transform(node)
            given = [*node.args[1:2], *(k.value for k in node.keywords if k.arg == "y")]
            if is_fit and any(
                column_of(g) in self.targets and both.depends(scope, g) for g in given
            ):
                return node
        return None

    def asked(self) -> set[int]:
        """Return the nodes that ask for it, none of them where the code set it before."""
        if not self.targets:
            return set()
        asked = [(s, n) for s, n in self.tree.nodes if self._asks(s, n)]
        first = min((self._line(n) for s, n in self.tree.nodes if self._sets(s, n)), default=None)
        return {id(n) for _, n in asked if first is None or self._line(n) < first}

    def together(self, asked: set[int]) -> Callable[[ast.AST], bool]:
        """Return what says of a node whether it puts whole test rows behind the train rows.

        Only where the code has asked for the target there, so that it knows of it.
        """
        rows = {id(n) for s, n in self.tree.nodes if asked and self._is_stacked(s, n)}
        return lambda node: id(node) in rows

    def _is_stacked(self, scope: Scope, node: ast.AST) -> bool:
        parts = [p for p in map(rows_of, put_together(node)) if isinstance(p, ast.Name)]
        on = getattr(node.func, "value", None) if isinstance(node, ast.Call) else None
        if isinstance(on, ast.Name) and getattr(node.func, "attr", "") == "append":  # type: ignore[attr-defined]
            parts.append(on)
        return any(self._is_test(scope, p) for p in parts) and any(
            self.trains.depends(scope, p) for p in parts
        )

    def _asks(self, scope: Scope, node: ast.AST) -> bool:
        if not isinstance(getattr(node, "ctx", None), ast.Load):
            return False
        if isinstance(node, ast.Subscript):
            is_named = bool(self.targets & columns_of(node))
        else:
            is_named = isinstance(node, ast.Attribute) and node.attr in self.targets
        return is_named and self._is_test(scope, node.value)  # type: ignore[attr-defined]

    def _sets(self, scope: Scope, node: ast.AST) -> bool:
        """Say whether a node sets the target of test rows, or joins something with them."""
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", "")
            on = getattr(node.func, "value", None)
            is_joined = name in {"merge", "join", "insert", "assign"}
            return is_joined and isinstance(on, ast.expr) and self._is_test(scope, on)
        is_set = isinstance(getattr(node, "ctx", None), ast.Store)
        if not is_set or not isinstance(node, ast.Subscript | ast.Attribute):
            return False
        column = node.attr if isinstance(node, ast.Attribute) else column_of(node)
        is_all = isinstance(node, ast.Subscript) and not isinstance(column, str)
        return (is_all or column in self.targets) and self.tests.depends(scope, node.value)

    def _is_test(self, scope: Scope, node: ast.AST) -> bool:
        return self.tests.depends(scope, node) and not self.trains.depends(scope, node)

    @staticmethod
    def _line(node: ast.AST) -> int:
        return getattr(node, "lineno", 0)
