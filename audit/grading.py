"""Grade the attempts of run groups, each for itself: one that cannot be graded stops no other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import audit
from audit.collect import agent_of, attempts_in, competition_of, spec_of
from competitions.errors import MleAuditError
from competitions.grade import grade
from reports.grading import Attempted, NotGraded, grading_report, report_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime
    from pathlib import Path

    from detectors.attempt import Attempt
    from reports.grading import CompetitionReport, GradingReport


def grade_groups(
    paths: Iterable[Path],
    data_dir: Path,
    now: datetime,
    progress: Callable[[str], None] | None = None,
) -> GradingReport:
    """Grade every attempt below the paths.

    Raises
    ------
    UsageError
        When a path holds no attempt, or two attempts have one name.
    """
    return grade_attempts(attempts_in(paths), data_dir, now, progress)


def grade_attempts(
    attempts: Iterable[Attempt],
    data_dir: Path,
    now: datetime,
    progress: Callable[[str], None] | None = None,
) -> GradingReport:
    """Grade attempts; what cannot be graded is listed under ``mle_audit.not_graded``."""
    rows: list[CompetitionReport] = []
    not_graded: list[NotGraded] = []
    for attempt in attempts:
        try:
            rows.append(grade_attempt(attempt, data_dir, now))
        except MleAuditError as error:
            not_graded.append(
                NotGraded(
                    attempt=attempt.id,
                    competition_id=competition_of(attempt),
                    why=str(error),
                )
            )
        if progress:
            progress(attempt.id)
    return grading_report(rows, tool_version=audit.__version__, now=now, not_graded=not_graded)


def grade_attempt(attempt: Attempt, data_dir: Path, now: datetime) -> CompetitionReport:
    """Grade one attempt.

    Raises
    ------
    MleAuditError
        When its task is unknown or not prepared, or its record is unreadable.
    """
    result = grade(spec_of(attempt), attempt.submission, data_dir)
    record = attempt.readable_record
    who = Attempted(
        attempt=attempt.id,
        agent=agent_of(attempt),
        seed=record.seed if record else None,
        exit_status=record.exit_status if record else None,
    )
    return report_of(result, now, who)
