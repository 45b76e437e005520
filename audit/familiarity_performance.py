"""Familiarity of a model beside the grades of its attempts, task by task."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from dataclasses import asdict, replace
from statistics import fmean
from typing import TYPE_CHECKING

from competitions.board_facts import facts_of
from competitions.errors import MleAuditError, UsageError
from competitions.medals import load_board, percentile
from competitions.spec import load
from detectors.familiarity.known_task_text import EXCESS_OF
from detectors.familiarity.performance import TaskPoint, against_performance
from detectors.familiarity.repeats import Reliability, paired, split_half
from reports.grading import read_grading
from reports.scatter import Axes, Point, render_scatter
from reports.schema import Quantity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from detectors.familiarity.performance import Estimate, Performance
    from detectors.familiarity.repeats import Paired
    from reports.grading import CompetitionReport
    from reports.schema import AuditReport

_EXCESS, _TOKENS = "excess", "tokens"


def performance(
    report: AuditReport, grading: Sequence[Path], obfuscated: Sequence[Path] = ()
) -> Performance:
    """Correlate the excess of each task's texts with the mean percentile of its attempts.

    Parameters
    ----------
    grading : sequence of Path
        Grading reports, ours or MLE-bench's.
    obfuscated : sequence of Path
        Those of runs of the same agent on obfuscated descriptions, paired task by task.

    Raises
    ------
    DocumentError
        When a grading report cannot be read.
    UsageError
        When fewer than six tasks have both.
    """
    by_task = _percentiles(grading)
    points = list(_points(report, by_task))
    found = replace(
        against_performance(points),
        reliability=Reliability(
            split_half(list(_excesses(report))), split_half(list(by_task.values()))
        ),
    )
    if not obfuscated:
        return found
    means = {task: fmean(values) for task, values in by_task.items()}
    pairs = paired(means, {t: fmean(v) for t, v in _percentiles(obfuscated).items()})
    return replace(found, paired=pairs, drop=_drop(points, pairs))


def _drop(points: Sequence[TaskPoint], pairs: Paired) -> Estimate | None:
    """Correlate familiarity with what tasks lose; None where it cannot be."""
    lost = [
        replace(p, performance=pairs.differences[p.task])
        for p in points
        if p.task in pairs.differences
    ]
    try:
        return against_performance(lost).spearman
    except UsageError:
        return None


def _percentiles(grading: Sequence[Path]) -> dict[str, list[float]]:
    """Return the percentile of each attempt by its task."""
    by_task: dict[str, list[float]] = defaultdict(list)
    for path in grading:
        for row in read_grading(path).competition_reports:
            by_task[row.competition_id].append(_percentile(row))
    return by_task


def _excesses(report: AuditReport) -> Iterator[list[float]]:
    """Yield the excess of each document, task by task."""
    for one in report.checks:
        yield [
            e.value
            for f in one.findings
            for e in f.evidence
            if isinstance(e, Quantity) and e.name.startswith(EXCESS_OF)
        ]


def _points(report: AuditReport, by_task: dict[str, list[float]]) -> Iterator[TaskPoint]:
    subjects = {s.id: s for s in report.subjects}
    for one in report.checks:
        task = subjects[one.subject].competition
        figures = {
            e.name: e.value for f in one.findings for e in f.evidence if isinstance(e, Quantity)
        }
        if task is not None and task in by_task and _EXCESS in figures:
            yield TaskPoint(
                task,
                figures[_EXCESS],
                fmean(by_task[task]),
                tuple(_covariates(task, figures[_TOKENS])),
            )


def _covariates(task: str, n_tokens: float) -> Iterable[float]:
    yield math.log(n_tokens)
    try:
        deadline = facts_of(task).deadline
    except MleAuditError:
        return
    if deadline is not None:
        yield float(deadline.toordinal())


def _percentile(row: CompetitionReport) -> float:
    """Return the share of the board's teams that a score beats or equals; 0 without a score."""
    if row.score is None or not math.isfinite(row.score):
        return 0.0
    if row.mle_audit is not None and row.mle_audit.percentile is not None:
        return row.mle_audit.percentile
    board = load_board(load(row.competition_id))
    return percentile(row.score, board.scores, is_lower_better=row.is_lower_better)


def lines(found: Performance) -> Iterator[str]:
    """Say what was found, and what could not have been."""
    yield f"Familiarity and performance over {len(found.points)} tasks:"
    yield f"  Pearson {_words(found.pearson)}"
    yield f"  Spearman {_words(found.spearman)}"
    if found.partial is not None:
        yield f"  partial, for length and deadline {_words(found.partial)}"
    yield (
        f"  without {found.most_influential}, which matters most, Pearson would be "
        f"{found.without_it:+.2f}"
    )
    yield from _reliability(found)
    yield (
        f"  a correlation below {found.minimum_r:.2f} mostly goes unseen with so many tasks; one "
        "that is there does not show that what was known was used"
    )
    yield from _paired(found)


def _reliability(found: Performance) -> Iterator[str]:
    """Say how well both figures repeat, as far as they were repeated."""
    one = found.reliability
    if one is None:
        return
    for name, of, value in (
        ("familiarity", "documents", one.familiarity),
        ("performance", "attempts", one.performance),
    ):
        if math.isfinite(value):
            yield f"  reliability of {name}, by halves of each task's {of}: {value:.2f}"
    if math.isfinite(one.ceiling):
        yield f"  figures so reliable correlate by {one.ceiling:.2f} at most"


def _paired(found: Performance) -> Iterator[str]:
    """Say what tasks lose without their story."""
    one = found.paired
    if one is None:
        return
    yield (
        f"Original less obfuscated descriptions over {len(one.differences)} tasks: "
        f"{one.mean:+.1f} points of percentile (95 % between {one.low:+.1f} and {one.high:+.1f}, "
        f"p = {one.p:.2g}); one below {one.visible:.1f} mostly goes unseen"
    )
    if found.drop is not None:
        yield f"  familiar tasks lose more: Spearman {_words(found.drop)}"
    yield "  an obfuscated description may be harder for other reasons than what it hides"


def _words(one: Estimate) -> str:
    between = "no interval"
    if math.isfinite(one.low):
        between = f"95 % between {one.low:+.2f} and {one.high:+.2f}"
    return f"{one.value:+.2f} ({between}, p = {one.p:.2g})"


def as_json(found: Performance) -> str:
    """Return the same as JSON, with the point of each task; NaN as null."""
    return json.dumps(_no_nan(asdict(found)), indent=2, allow_nan=False) + "\n"


def page(found: Performance) -> str:
    """Return a page with the figures and a point per task."""
    first, *rest = (line.strip() for line in lines(found))
    return render_scatter(
        [Point(p.task, p.familiarity, p.performance) for p in found.points],
        Axes("familiarity beyond the controls, in their standard deviations", "mean percentile"),
        "Familiarity against performance",
        [first, *rest],
    )


def _no_nan(value: object) -> object:
    if isinstance(value, dict):
        return {k: _no_nan(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_no_nan(v) for v in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
