"""An audit as four tables in CSV, for a spreadsheet or pandas: no cell is taken for a formula."""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from typing import TYPE_CHECKING, Final

from reports.grading import mean_sem
from reports.overview import IN_QUESTION, Overview
from reports.places import where
from reports.schema import Conclusion
from reports.words import appealed, struck_out, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from reports.grading import CompetitionReport
    from reports.overview import Audited
    from reports.schema import AuditReport
    from reports.sensitivity.models import TaskFigures

Cell = str | int | float | bool | None

# What makes a spreadsheet run a cell, also in its full width: https://owasp.org/www-community/attacks/CSV_Injection
_STARTS: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")

_SUBJECT: Final = ("subject", "kind", "title", "competition", "variant", "agent", "seed")
FINDINGS: Final = (
    "id", "detector", "family", *_SUBJECT, "severity", "confidence", "decisive", "message",
    "place", "proofs", "attempts", "suppressed", "appeals",
)  # fmt: skip
VERDICTS: Final = (*_SUBJECT, "conclusion", "because", "path")
CHECKS: Final = (
    "detector", "family", *_SUBJECT, "outcome", "findings", "reason", "missing", "duration_s",
)  # fmt: skip
TASKS: Final = (
    "agent", "competition", "variant", "attempts", "graded", "valid", "above_median",
    "gold", "silver", "bronze", "mean_score", "best_score", "lower_is_better",
    "comparable_with_board", "in_question", "undetermined",
)  # fmt: skip


def cell(value: Cell) -> str:
    """Write one cell: numbers as they are, texts so that no spreadsheet runs them.

    Examples
    --------
    >>> cell("=1+1"), cell(-0.5), cell(True), cell(None), cell("a-b")
    ("'=1+1", '-0.5', 'yes', '', 'a-b')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return repr(value)
    text = visible(value)
    return f"'{text}" if text.startswith(_STARTS) else text


def render_tables(report: AuditReport) -> dict[str, str]:
    """Render an audit as CSV tables.

    Parameters
    ----------
    report : AuditReport
        The document; nothing else is read.

    Returns
    -------
    dict of str to str
        By file name: every finding, verdict and check, and every task with each agent's scores.
    """
    over = Overview(report)
    made: dict[str, tuple[Sequence[str], Callable[[Overview], Iterator[Sequence[Cell]]]]] = {
        "findings.csv": (FINDINGS, _findings),
        "verdicts.csv": (VERDICTS, _verdicts),
        "checks.csv": (CHECKS, _checks),
        "tasks.csv": (TASKS, _tasks),
    }
    return {name: _table(head, rows(over)) for name, (head, rows) in made.items()}


def _table(head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows([cell(value) for value in row] for row in rows)
    return text.getvalue()


def _subject(audited: Audited) -> tuple[Cell, ...]:
    s = audited.subject
    return s.id, s.kind.value, s.title, s.competition, s.variant, s.agent, s.seed


def _family(over: Overview, detector: str) -> str | None:
    note = over.detectors.get(detector)
    return note.family if note else None


def _findings(over: Overview) -> Iterator[Sequence[Cell]]:
    """Give each finding once, with the subject that it was made about."""
    decisive = {
        reason for v in over.report.verdicts if v.conclusion in IN_QUESTION for reason in v.because
    }
    for audited in over.audited:
        for finding in (f for check in audited.checks for f in check.findings):
            suppression = over.report.suppression_of(finding.id)
            yield (
                finding.id,
                finding.detector,
                _family(over, finding.detector),
                *_subject(audited),
                finding.severity.value,
                finding.confidence.value,
                finding.id in decisive,
                finding.message,
                where(finding.evidence[0]),
                len(finding.evidence),
                " ".join(finding.attempts),
                struck_out(suppression) if suppression else None,
                "; ".join(map(appealed, over.report.appeals_of(finding.id))) or None,
            )


def _verdicts(over: Overview) -> Iterator[Sequence[Cell]]:
    for audited in over.audited:
        if audited.verdict:
            because = "; ".join(audited.verdict.because)
            concluded = audited.verdict.conclusion.value
            yield *_subject(audited), concluded, because, audited.subject.path


def _checks(over: Overview) -> Iterator[Sequence[Cell]]:
    for audited in over.audited:
        for check in audited.checks:
            yield (
                check.detector,
                _family(over, check.detector),
                *_subject(audited),
                check.outcome.value,
                len(check.findings),
                check.reason,
                check.missing,
                check.duration_s,
            )


def _tasks(over: Overview) -> Iterator[Sequence[Cell]]:
    """Give a row for each agent on each task, over its attempts."""
    together: dict[tuple[str, str, str], list[Audited]] = defaultdict(list)
    for audited in over.attempts:
        together[audited.agent, *audited.task].append(audited)
    for key, attempts in together.items():
        concluded = [a.conclusion for a in attempts]
        yield (
            *key,
            len(attempts),
            *_scored([a.grade for a in attempts if a.grade]),
            sum(a.is_in_question for a in attempts),
            concluded.count(Conclusion.UNDETERMINED),
        )
    for told in over.report.sensitivity:
        if told.reported:
            yield from (_published(told.agent, task) for task in told.tasks)


def _published(agent: str, task: TaskFigures) -> Sequence[Cell]:
    """Give a row for an agent's whole seeds of published reports on one task."""
    return (
        agent,
        task.task,
        task.variant,
        task.n_attempts,
        task.n_attempts,
        task.n_valid,
        task.n_above_median,
        task.n_gold,
        task.n_silver,
        task.n_bronze,
        task.mean,
        task.best,
        task.is_lower_better,
        task.comparable,
        None,
        None,
    )


def _scored(grades: Sequence[CompetitionReport]) -> Sequence[Cell]:
    """Sum up the grades of one agent on one task."""
    scores = [g.score for g in grades if g.score is not None]
    lower = grades[0].is_lower_better if grades else None
    best = (min if lower else max)(scores) if scores else None
    boards = [g.mle_audit.comparable_with_board for g in grades if g.mle_audit]
    return (
        len(grades),
        sum(g.valid_submission for g in grades),
        sum(g.above_median for g in grades),
        sum(g.gold_medal for g in grades),
        sum(g.silver_medal for g in grades),
        sum(g.bronze_medal for g in grades),
        mean.mean if (mean := mean_sem(scores)) else None,
        best,
        lower,
        all(boards) if boards else None,
    )
