"""What an agent's attempts at each task came to."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from reports.grading import awards_medals, is_comparable, mean_sem
from reports.sensitivity.estimates import run_of
from reports.sensitivity.models import TaskFigures

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from reports.grading import CompetitionReport


def task_figures(
    rows: Iterable[CompetitionReport], beats: Callable[[CompetitionReport], float | None]
) -> tuple[TaskFigures, ...]:
    """Tabulate an agent's rows by task and variant, in alphabetical order.

    Parameters
    ----------
    beats : callable
        Gives the share of the board that a row's score beats, where the row does not say it.
    """
    found: dict[tuple[str, str], list[CompetitionReport]] = defaultdict(list)
    for row in rows:
        variant = row.mle_audit.variant if row.mle_audit else "v1"
        found[row.competition_id, variant].append(row)
    return tuple(_task(*key, found[key], beats) for key in sorted(found))


def _task(
    task: str,
    variant: str,
    rows: Sequence[CompetitionReport],
    beats: Callable[[CompetitionReport], float | None],
) -> TaskFigures:
    scores = [r.score for r in rows if r.score is not None]
    runs = [run_of(r, "", beats(r)) for r in rows]
    medals = Counter(m for r in rows for m in ("gold", "silver", "bronze") if _won(r, m))
    over = mean_sem(scores)
    best = min if rows[0].is_lower_better else max
    return TaskFigures(
        task=task,
        variant=variant,
        n_attempts=len(rows),
        n_valid=sum(r.valid_submission for r in rows),
        n_gold=medals["gold"],
        n_silver=medals["silver"],
        n_bronze=medals["bronze"],
        n_above_median=sum(r.above_median for r in rows),
        n_scores=len(scores),
        best=best(scores) if scores else None,
        mean=over.mean if over else None,
        sem=over.sem if over else None,
        percentile=_mean(r.percentile for r in runs),
        normalised=_mean(r.normalised for r in runs),
        awards_medals=awards_medals(rows[0]),
        is_lower_better=rows[0].is_lower_better,
        comparable=all(map(is_comparable, rows)),
    )


def _won(row: CompetitionReport, medal: str) -> bool:
    return bool(getattr(row, f"{medal}_medal"))


def _mean(values: Iterable[float | None]) -> float | None:
    """Average what there is, if all of it is there."""
    found = list(values)
    known = [v for v in found if v is not None]
    return statistics.fmean(known) if known and len(known) == len(found) else None
