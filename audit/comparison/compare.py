"""Compare two systems over the tasks and seeds that both have; the result is one document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

from audit.comparison.document import (
    Taken,
    make_document,
    make_step,
    measure_of,
    nothing_to_compare,
)
from audit.comparison.sides import read_side, source_of
from competitions.errors import DocumentError, MleAuditError, UnknownNameError, UsageError
from reports.comparison.schema import Metric

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime
    from pathlib import Path

    from audit.comparison.sides import Side, Source
    from reports.comparison.schema import Comparison

LETTERS = ("A", "B")


@dataclass(frozen=True)
class Options:
    """How sides are read and compared.

    Parameters
    ----------
    metric : str or None
        None takes medals where the boards of common tasks award them, else percentiles.
    include_flagged : bool
        Whether attempts stay in that an audit put in question.
    """

    data_dir: Path
    metric: Metric | None = None
    include_flagged: bool = False


def compare(
    before: str,
    after: str,
    options: Options,
    now: datetime,
    progress: Callable[[str], None] | None = None,
) -> Comparison:
    """Compare two systems over the tasks and seeds that both have.

    Parameters
    ----------
    before, after : str
        A run group's folder, grading reports (joined by commas, or a folder of them), or an
        audit's document; ``#agent`` behind it takes the attempts of one agent.
    options : Options
        The metric, and whether attempts in question stay in.
    now : datetime
        The time to write into the document.
    progress : callable or None
        Told of each attempt that was graded.

    Raises
    ------
    UsageError
        When a side does not exist, is empty, holds several agents, or is the other one.
    DocumentError
        When a side cannot be read.
    DataError
        When they have no task in common, or none that the metric can compare.
    """
    sources = (source_of(before), source_of(after))
    if same(*sources):
        raise UsageError(
            f"A and B are both {sources[0].name}: a comparison needs two systems.",
            "Name another run group: mle-audit compare runs/A runs/B",
        )
    sides, problems = read_sides(sources, options, now, progress)
    if problems:
        raise _together(problems)
    if overlap(*sides):
        raise UsageError(
            f"A ({sides[0].name}) and B ({sides[1].name}) hold the same attempts or files: a copy "
            "is no other system.",
            "Name another run group: mle-audit compare runs/A runs/B",
        )
    taken = [Taken(label, side) for label, side in zip(LETTERS, sides, strict=True)]
    measure = measure_of(taken, options.metric, options.data_dir)
    step = make_step(taken[0], taken[1], measure)
    if step.result is None:
        raise nothing_to_compare(taken, measure.metric, step)
    return make_document(taken, measure, [step], now)


def two(sides: Sequence[str]) -> tuple[str, str]:
    """Return the two sides that a call names.

    Raises
    ------
    UsageError
        When there are more or fewer.
    """
    if len(sides) != len(LETTERS):
        raise UsageError(
            f"Expected two sides, A and B, found {len(sides)}.",
            "Join the reports of one side by commas, or follow versions: "
            "mle-audit compare --history v1 v2 v3",
        )
    return sides[0], sides[1]


def metric_named(name: str | None) -> Metric | None:
    """Return the metric of a name.

    Raises
    ------
    UsageError
        When there is none of this name.
    """
    for metric in get_args(Metric):
        if name == metric:
            found: Metric = metric
            return found
    if name is None:
        return None
    raise UnknownNameError(
        "metric of a comparison",
        name,
        get_args(Metric),
        f"There are {', '.join(get_args(Metric))}.",
    )


def same(left: Source, right: Source) -> bool:
    """Say whether two sources are the same files and agent."""
    places = [sorted(p.resolve() for p in s.paths) for s in (left, right)]
    return places[0] == places[1] and left.agent == right.agent


def read_sides(
    sources: Sequence[Source],
    options: Options,
    now: datetime,
    progress: Callable[[str], None] | None,
) -> tuple[list[Side], list[tuple[str, MleAuditError]]]:
    """Read all sides; those that cannot be read are told with their error."""
    sides, problems = [], []
    for source in sources:
        try:
            sides.append(
                read_side(
                    source,
                    options.data_dir,
                    now,
                    include_flagged=options.include_flagged,
                    progress=progress,
                )
            )
        except MleAuditError as error:
            problems.append((source.name, error))
    return sides, problems


def _together(problems: Sequence[tuple[str, MleAuditError]]) -> MleAuditError:
    """Make one error of the problems of both sides, so that both are told at once."""
    if len(problems) == 1:
        return problems[0][1]
    text = "\n  ".join(str(error) for _, error in problems)
    if any(error.exit_code == UsageError.exit_code for _, error in problems):
        return UsageError(f"Neither side can be read.\n  {text}")
    return DocumentError(f"Neither side can be read.\n  {text}")


def overlap(left: Side, right: Side) -> bool:
    """Say whether two sides hold the same attempts, or files that are equal."""

    def marks(side: Side) -> set[str]:
        details = [row.report.mle_audit for row in side.rows]
        names = {d.attempt for d in details if d and d.attempt}
        if names:
            return names
        return {i.sha256 for i in side.inputs if i.sha256}

    return bool(marks(left) & marks(right))
