"""The words of estimates: figures, intervals, and what is left out."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

from reports.words import clip, counted, listed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reports.schema import AuditReport
    from reports.sensitivity.models import (
        Estimate,
        Figures,
        Measure,
        Omitted,
        Sensitivity,
        SensitivityRow,
    )

MEASURES: Final[dict[Measure, str]] = {
    "any_medal": "any medal",
    "valid_submission": "valid",
    "above_median": "above median",
    "percentile": "percentile",
    "normalised": "normalised score",
}
MAX_NAMED: Final = 3  # of what was left out
_NAME: Final = 60
_LEAST: Final = 0.1  # of the tasks


def figure(one: Estimate | None, *, starred: bool = False) -> str:
    """Write an estimate in per cent with its standard error; a dash where there is none.

    Parameters
    ----------
    starred : bool
        Whether it is not on the board's terms.

    Examples
    --------
    >>> from reports.sensitivity.models import Estimate
    >>> figure(Estimate(mean=0.4356, sem=0.0089, n_tasks=75)), figure(None)
    ('43.56 ± 0.89 %', '–')
    """
    if one is None:
        return "–"
    error = "" if one.sem is None else f" ± {100 * one.sem:.2f}"
    return f"{100 * one.mean:.2f}{error} %{'*' if starred else ''}"


def interval(one: Estimate | None) -> str:
    """Write an interval in per cent; a dash where nothing varies.

    Examples
    --------
    >>> from reports.sensitivity.models import Estimate
    >>> interval(Estimate(mean=0.5, low=0.25, high=0.75, n_tasks=4))
    '25.0 to 75.0'
    """
    if one is None or one.low is None or one.high is None:
        return "–"
    return f"{100 * one.low:.1f} to {100 * one.high:.1f}"


def main_measure(figures: Figures) -> Measure:
    """Choose the figure that is drawn: medals, or where no board awards any, the median."""
    return "any_medal" if figures.any_medal is not None else "above_median"


def left_out(row: SensitivityRow) -> str:
    """Say what a row leaves out, a few by name."""
    if not row.left_out:
        return ""
    named = [clip(name, _NAME) for name in row.left_out[:MAX_NAMED]]
    if rest := len(row.left_out) - len(named):
        named.append(f"{rest:,} more")
    return listed(named)


def not_shown(omitted: Iterable[Omitted]) -> list[str]:
    """Say what is not there, what has the same reason in one sentence."""
    by_reason: dict[str, list[str]] = defaultdict(list)
    for one in omitted:
        by_reason[one.why].append(one.name)
    return [f"{listed(list(dict.fromkeys(names)))}: {why}" for why, names in by_reason.items()]


def beside(report: AuditReport) -> list[str]:
    """Say in a few lines what stands behind one attempt: the best of several, and more time."""
    said = []
    for one in report.sensitivity:
        flag = main_measure(one.rows[0].figures)
        curve = [p for p in one.at_k if p.flag == flag and p.k > 1]
        if curve:
            last = curve[-1]
            sure = interval(last.estimate)
            said.append(
                f"{clip(one.agent, _NAME)}, best of {last.k}: {MEASURES[flag]} "
                f"{figure(last.estimate)}{'' if sure == '–' else f' ({sure})'} over "
                f"{counted(last.estimate.n_tasks, 'task')}."
            )
    for scaled in report.scaling:
        begun = [p for p in scaled.over_time if p.after_s > 0]
        if len(begun) > 1:
            measure = main_measure(begun[-1].figures)
            ends = [
                f"{figure(getattr(p.figures, measure))} after {duration(p.after_s)}"
                for p in (begun[0], begun[-1])
            ]
            said.append(
                f"{clip(scaled.agent, _NAME)}, over time: {MEASURES[measure]} {' and '.join(ends)}."
            )
    return said


def duration(seconds: float) -> str:
    """Write a time as people do.

    Examples
    --------
    >>> duration(42.4), duration(600), duration(5400)
    ('42 s', '10 min', '1.5 h')
    """
    if seconds < 120:  # noqa: PLR2004 - two minutes
        return f"{seconds:.0f} s"
    if seconds < 3600:  # noqa: PLR2004
        return f"{round(seconds / 60, 1):g} min"
    return f"{round(seconds / 3600, 1):g} h"


def told_rows(one: Sensitivity) -> list[SensitivityRow]:
    """Choose the rows worth a line in a summary: the first, what changes, and the splits.

    A row that keeps next to no task changes everything and says nothing.
    """
    first, *rest = one.rows
    least = _LEAST * first.figures.n_tasks
    changed = [
        r for r in rest if r.kind == "variation" and r.changes and r.figures.n_tasks >= least
    ]
    return [first, *changed, *one.of_kind("split")]
