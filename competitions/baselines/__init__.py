"""Compute a board of baselines: honest, simple models on one task's prepared data.

Each learns from the public part alone and is scored on the private answers, with fixed seeds. One
module per kind of data. The boards of embedded tasks are written by
``python -m competitions.baselines ID``; a task of one's own adds ``--raw DIR``.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from competitions.baselines import images, series, tables, texts
from competitions.baselines.problem import Problem, problem_of
from competitions.errors import UsageError
from competitions.io import atomic_path
from competitions.metrics import Context, metric_named
from competitions.submission import align, read_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from competitions.prepared import Prepared
    from competitions.spec import Competition

__all__ = ["Baseline", "compute", "write_board"]

_FAMILIES: dict[str, Callable[[Problem], Iterator[tuple[str, Any]]]] = {
    "tabular": tables.predictions,
    "text": texts.predictions,
    "image": images.predictions,
    "time-series": series.predictions,
}


class Baseline(NamedTuple):
    """One line of a board."""

    name: str
    score: float


def compute(prepared: Prepared) -> list[Baseline]:
    """Train and score every baseline that fits a task's modality and metric.

    Returns
    -------
    list of Baseline
        Best first, from a constant to strong models; scores rounded to 5 decimals.

    Raises
    ------
    UsageError
        When the task asks for something else, or has columns that these models cannot take.
    """
    spec = prepared.spec
    if spec.modality not in _FAMILIES:
        raise UsageError(
            f"{spec.id}: there are baselines for {', '.join(_FAMILIES)} tasks, found "
            f"{spec.modality}."
        )
    problem = problem_of(prepared)
    answers = read_table(prepared.answers)
    metric, context = metric_named(spec.metric.name), Context(spec.targets, spec.metric.arguments)
    keys, board = problem.test[list(spec.submission.key)], []
    for name, predicted in _FAMILIES[spec.modality](problem):
        submission = keys.assign(**{problem.target: predicted})
        value = metric.score(*align(prepared.schema, submission, answers), context)
        board.append(Baseline(name, round(value, 5)))
    return sorted(board, key=lambda b: b.score, reverse=not spec.metric.is_lower_better)


def write_board(
    spec: Competition, target: Path, source: str | None = None, raw: Path | None = None
) -> None:
    """Prepare a task in a temporary folder and write its board of baselines.

    Parameters
    ----------
    source, raw : str or None, Path or None
        As `competitions.prepare.prepare` takes them.
    """
    from competitions.prepare import prepare

    with tempfile.TemporaryDirectory() as folder:
        board = compute(prepare(spec, Path(folder), source, raw))
    lines = ["name,score", *(f"{b.name},{b.score:.5f}" for b in board)]
    with atomic_path(target) as temporary:
        temporary.write_text("\n".join(lines) + "\n", encoding="utf-8")
