"""What YAML cannot say about a task: one module per topic, shared by tasks that are alike.

A module holds ``HOOKS``, a `Hooks`; a task names it with ``hooks: <topic>``.
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

from competitions.errors import UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pandas as pd

    from competitions.metrics import Context
    from competitions.outputs import Trees
    from competitions.spec import Competition
    from competitions.splits import Parts
    from competitions.work import Work


@dataclass(frozen=True)
class Hooks:
    """Functions that take the place of what YAML says; None leaves it to the YAML.

    Parameters
    ----------
    build : callable or None
        ``(spec, work, trees)``: fills both trees from the raw files. ``description.md``, the schema
        and the manifest are written by `prepare`.
    split : callable or None
        ``(spec, work) -> Parts``: reads and splits the raw tables, in place of a recipe; the YAML
        says ``method: custom``.
    rows : callable or None
        ``(spec, parts) -> Parts``: what rows get beside the raw table's columns, such as labels and
        new names read off file names; after the split, before ids are renumbered and files written.
    finish : callable or None
        ``(spec, work, parts, trees)``: writes the files that the YAML lists as ``made``, once all
        others are there.
    score : callable or None
        ``(answers, submission, context) -> float`` with both tables as they were read, not aligned;
        raises `InvalidSubmissionError` with every problem. The rules of the YAML are not checked
        beforehand.
    perfect : callable or None
        ``(answers) -> DataFrame``: the submission that says what the answers say, where that is
        not the answers' own key and target columns.
    miniature : callable or None
        ``(spec, folder, seed)``: writes raw files that YAML cannot describe, beside those it does.
    """

    build: Callable[[Competition, Work, Trees], None] | None = None
    split: Callable[[Competition, Work], Parts] | None = None
    rows: Callable[[Competition, Parts], Parts] | None = None
    finish: Callable[[Competition, Work, Parts, Trees], None] | None = None
    score: Callable[[pd.DataFrame, pd.DataFrame, Context], float] | None = None
    perfect: Callable[[pd.DataFrame], pd.DataFrame] | None = None
    miniature: Callable[[Competition, Path, int], None] | None = None


def topics() -> list[str]:
    """List the hooks there are."""
    return sorted(m.name for m in pkgutil.iter_modules(__path__))


def hooks_of(spec: Competition) -> Hooks | None:
    """Return the hooks a task names, or None.

    Raises
    ------
    UnknownNameError
        When no module is called this.
    """
    if spec.hooks is None:
        return None
    if spec.hooks not in topics():
        raise UnknownNameError("hook", spec.hooks, topics())
    found: Hooks = importlib.import_module(f"{__name__}.{spec.hooks}").HOOKS
    return found
