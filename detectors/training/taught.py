"""What is told of a training on labels of test rows."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import ast


class Labels(StrEnum):
    """Where labels of test rows came from, the gravest first."""

    ANSWERS = "the answers of the test part"
    LEFT = "the test table itself, which holds the target"
    BUNDLED = "the data set that the task was made from"
    TYPED = "a table that stands typed in the code"
    ELSEWHERE = "another data set"
    BESIDE = "a further file beside the task's tables"


class Taught(NamedTuple):
    """A call that trains on labels of test rows, and where those came in."""

    labels: Labels
    source: ast.AST
    call: ast.AST
