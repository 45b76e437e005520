"""What is told of a training on labels of test rows."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, Protocol

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
    """A call that trains on labels of test rows, or hands them in, and where those came in."""

    labels: Labels
    source: ast.AST
    call: ast.AST
    is_handed_in: bool = False


def told(labels: Labels, *, ran: bool, is_handed_in: bool) -> str:
    """Return the sentence of a finding."""
    does, use = ("put", "into the predictions handed in") if is_handed_in else ("train", "")
    where = f"The log shows code that {does}s" if ran else f"The code is written to {does}"
    what = f"labels of test rows out of {labels.value}"
    return f"{where} {what} {use}." if use else f"{where} a model on {what}."


class _Use(Protocol):
    @property
    def is_handed_in(self) -> bool: ...


def used(found: _Use) -> str:
    """Return what a place shows at which labels are used."""
    return "hands them in" if found.is_handed_in else "trains on them"
