"""A grading report as tables for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.grading import (
    NOT_COMPARABLE,
    GradeDetails,
    is_comparable,
    shown_medal,
    shown_notes,
    shown_score,
)
from reports.words import medal_share, medal_tasks, not_graded, share

if TYPE_CHECKING:
    from reports.grading import CompetitionReport, GradingReport, Table


def score_rows(report: GradingReport) -> Table:
    """Lay out one row per graded attempt."""
    rows: list[tuple[str, ...]] = []
    for row in sorted(report.competition_reports, key=_order):
        details = row.mle_audit or GradeDetails(
            outcome="", board_kind="", board_sha256="", board_n_teams=0
        )
        place = "" if details.percentile is None else f"{details.percentile:.1f}"
        seed = "" if details.seed is None else str(details.seed)
        head = (details.agent or "", row.competition_id, seed, shown_score(row))
        rows.append((*head, details.outcome, shown_medal(row), place, shown_notes(row)))
    columns = ("agent", "competition", "seed", "score", "outcome", "medal", "percentile", "note")
    return columns, rows


def _order(row: CompetitionReport) -> tuple[str, str, int]:
    details = row.mle_audit
    agent, seed = (details.agent or "", details.seed or 0) if details else ("", 0)
    return agent, row.competition_id, seed


def headline_rows(report: GradingReport) -> Table:
    """Lay out the headline: one row per agent, mean ± SEM over its seeds."""
    rows: list[tuple[str, ...]] = [
        (
            h.agent,
            str(h.n_attempts),
            str(len(h.seeds)),
            medal_share(h),
            share(h.valid_submission),
            share(h.above_median),
        )
        for h in (report.mle_audit.headlines if report.mle_audit else ())
    ]
    return ("agent", "attempts", "seeds", "any medal", "valid", "above median"), rows


def headline_notes(report: GradingReport) -> list[str]:
    """Say what the headline's figures are over, and which of them mean nothing on a board."""
    details = report.mle_audit
    notes = []
    if details and (over := medal_tasks(details.headlines)):
        notes.append(over)
    if odd := sorted(
        {r.competition_id for r in report.competition_reports if not is_comparable(r)}
    ):
        notes.append(f"* {NOT_COMPARABLE}: {', '.join(odd)}")
    if details and details.not_graded:
        notes.append(not_graded(len(details.not_graded)))
    return notes
