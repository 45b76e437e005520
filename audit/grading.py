"""Grade the attempts of run groups, each for itself: one that cannot be graded stops no other."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import audit
from audit.collect import agent_of, attempts_in, competition_of, spec_of
from audit.planned import unfinished
from competitions.errors import MleAuditError
from competitions.grade import grade
from reports.grading import Attempted, NotGraded, grading_report, report_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from detectors.attempt import Attempt
    from reports.grading import CompetitionReport, GradingReport


def grade_groups(
    paths: Iterable[Path],
    data_dir: Path,
    now: datetime,
    progress: Callable[[str], None] | None = None,
) -> GradingReport:
    """Grade every attempt below the paths that has ended; the others are listed as not graded.

    Raises
    ------
    UsageError
        When a path holds no attempt, or two attempts have one name.
    """
    places = tuple(map(Path, paths))
    attempts = attempts_in(places)
    return grade_attempts(attempts, data_dir, now, progress, unfinished(places, attempts))


def grade_attempts(
    attempts: Iterable[Attempt],
    data_dir: Path,
    now: datetime,
    progress: Callable[[str], None] | None = None,
    left: Iterable[NotGraded] = (),
) -> GradingReport:
    """Grade attempts; what cannot be graded is listed under ``mle_audit.not_graded``.

    Parameters
    ----------
    left : iterable of NotGraded
        Attempts that have not ended or were not made: they are listed there and not graded.
    """
    rows: list[CompetitionReport] = []
    not_graded = list(left)
    open_ids = {one.attempt for one in not_graded}
    for attempt in attempts:
        if attempt.id in open_ids:
            continue
        try:
            rows.append(grade_attempt(attempt, data_dir, now))
        except MleAuditError as error:
            not_graded.append(
                NotGraded(
                    attempt=attempt.id,
                    competition_id=competition_of(attempt),
                    why=str(error),
                    agent=agent_of(attempt),
                    seed=record.seed if (record := attempt.readable_record) else None,
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
    result = grade(spec_of(attempt, data_dir), attempt.submission, data_dir)
    record = attempt.readable_record
    who = Attempted(
        attempt=attempt.id,
        agent=agent_of(attempt),
        seed=record.seed if record else None,
        exit_status=record.exit_status if record else None,
        exit_code=record.exit_code if record else None,
        limit_hit=record.limit_hit if record else None,
        earlier_tries=record.earlier_tries if record else (),
    )
    return report_of(result, now, who)
