"""Audit documents with figures under other counts and curves over time, for the renderers."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from audit.sensitivity import sensitivities
from detectors.group import Group
from reports.scaling import Reached, Scaling, Trajectory, by_limit, over_time
from reports.schema import Conclusion, Subject, SubjectKind
from reports.sensitivity.estimates import run_of
from reports.sensitivity.models import Omitted
from tests.detectors.claims.twins import file_of, seed
from tests.reports.documents import AGENTS, empty, sample

if TYPE_CHECKING:
    from pathlib import Path

    from reports.grading import CompetitionReport
    from reports.schema import AuditReport

HOUR = 3600.0
NO_COPIES = Omitted(name="curve over time", why="no copy of a submission was made")


@cache
def rated() -> AuditReport:
    """Make the sample with how far its figures hold, and with copies every two hours of a day."""
    report = sample()
    assert report.grading is not None
    rows = report.grading.competition_reports
    doubted = {
        v.subject
        for v in report.verdicts
        if v.conclusion in {Conclusion.REVIEW, Conclusion.DISQUALIFY}
    }
    return report.model_copy(
        update={
            "sensitivity": sensitivities(rows, (), doubted),
            "scaling": tuple(_scaling(agent, rows) for agent in AGENTS),
        }
    )


def _scaling(agent: str, rows: tuple[CompetitionReport, ...]) -> Scaling:
    """Let the attempts of an agent get better for a day, under limits that differ by seed."""
    own = [r for r in rows if r.mle_audit and r.mle_audit.agent == agent]
    if agent == "peeker":
        return Scaling(agent=agent, omitted=(NO_COPIES,))
    paths = [_path(r) for r in own]
    rng = np.random.default_rng(0)
    runs = [(60.0 * (1 + 9 * (_seed(r) > 0)), run_of(r, str(_seed(r)))) for r in own]
    limits = by_limit(runs, rng, 200)
    assert not isinstance(limits, str)
    return Scaling(
        agent=agent, trajectories=paths, over_time=over_time(paths, rng, 200), by_limit=limits
    )


def _seed(row: CompetitionReport) -> int:
    return (row.mle_audit.seed or 0) if row.mle_audit else 0


def _path(row: CompetitionReport) -> Trajectory:
    last = run_of(row, "")
    states = []
    for step in range(1, 13):
        part = step / 12
        is_done = step > 6 + _seed(row)
        states.append(
            Reached(
                after_s=2 * HOUR * step + _seed(row),
                score=None if row.score is None or step < 3 else row.score * part,
                any_medal=None if last.any_medal is None else last.any_medal * is_done,
                valid_submission=last.valid_submission * (step >= 3),
                above_median=last.above_median * is_done,
                percentile=None if last.percentile is None else last.percentile * part,
                normalised=None if last.normalised is None else last.normalised * part,
            )
        )
    assert row.mle_audit is not None
    return Trajectory(
        attempt=row.mle_audit.attempt or "",
        task=row.competition_id,
        seed=str(_seed(row)),
        reached=tuple(states),
        is_on_baselines=last.is_on_baselines,
        comparable=last.comparable,
    )


def published_rows(folder: Path) -> AuditReport:
    """Make a document of nothing but three published reports, one of which lacks a task."""
    files = tuple(file_of(folder, f"seed_{n}.json", seed(n)[n == 3 :]) for n in (1, 2, 3))
    return empty().model_copy(
        update={
            "subjects": (Subject(id="group:reports", kind=SubjectKind.GROUP, title="of reports"),),
            "sensitivity": sensitivities((), [Group("reports", reports=files)], ()),
        }
    )
