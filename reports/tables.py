"""A grading report as tables for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reports.caveats import ended_before, resuming, retried, unfinished
from reports.grading import (
    NOT_COMPARABLE,
    GradeDetails,
    is_comparable,
    shown_medal,
    shown_notes,
    shown_score,
)
from reports.words import clip, counted, listed, medal_share, medal_tasks, not_graded, share

if TYPE_CHECKING:
    from reports.grading import CompetitionReport, GradingReport, Table

_MAX_NOTE: Final = 100  # characters of one text in a table's cell
_OPEN: Final = "counts in no figure"


def score_rows(report: GradingReport) -> Table:
    """Lay out one row per graded attempt, and one for each that is not made or has not ended."""
    rows: list[tuple[str, ...]] = []
    for row in report.competition_reports:
        details = row.mle_audit or GradeDetails(
            outcome="", board_kind="", board_sha256="", board_n_teams=0
        )
        place = "" if details.percentile is None else f"{details.percentile:.1f}"
        seed = "" if details.seed is None else str(details.seed)
        head = (details.agent or "", row.competition_id, seed, shown_score(row))
        rows.append((*head, details.outcome, shown_medal(row), place, attempt_notes(row)))
    for one in report.mle_audit.not_graded if report.mle_audit else ():
        if one.state not in {"ended", "unknown"}:
            seed = "" if one.seed is None else str(one.seed)
            state = one.state.replace("_", " ")
            rows.append((one.agent or "", one.competition_id, seed, "–", state, "", "", _OPEN))
    rows.sort(key=lambda row: (row[0], row[1], int(row[2] or 0)))
    columns = ("agent", "competition", "seed", "score", "outcome", "medal", "percentile", "note")
    return columns, rows


def attempt_notes(row: CompetitionReport) -> str:
    """Say how an attempt ended where it did not end by itself, and what became of its submission.

    Examples
    --------
    >>> from reports.grading import GradeDetails
    >>> from types import SimpleNamespace
    >>> made = GradeDetails(outcome="missing", board_kind="kaggle", board_sha256="",
    ...     board_n_teams=1, exit_status="crashed", exit_code=3, earlier_tries=("killed",))
    >>> attempt_notes(SimpleNamespace(mle_audit=made))
    'crashed with exit code 3; handed in no submission.csv; made again after killed'
    """
    details = row.mle_audit
    if details is None:
        return shown_notes(row)
    before = ended_before(details.earlier_tries)
    notes = [
        _ending(details),
        _refusal(details),
        f"made again after {listed(before)}" if before else "",
        shown_notes(row),
    ]
    return "; ".join(filter(None, notes))


def _ending(details: GradeDetails) -> str:
    if details.exit_status in {None, "finished"}:
        return ""
    status = str(details.exit_status).replace("_", " ")
    if details.limit_hit:
        return f"{status}: {clip(details.limit_hit, _MAX_NOTE)}"
    if details.exit_code:
        return f"{status} with exit code {details.exit_code}"
    return status


def _refusal(details: GradeDetails) -> str:
    """Say why there is no score."""
    if details.outcome == "missing":
        return "handed in no submission.csv"
    if details.outcome == "invalid" and details.problems:
        more = len(details.problems) - 1
        rest = f" (+{counted(more, 'more problem')})" if more else ""
        return clip(details.problems[0], _MAX_NOTE) + rest
    if details.outcome == "grader_error" and details.error:
        return clip(details.error.strip().rpartition("\n")[2], _MAX_NOTE)
    return ""


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
    notes = [*unfinished(report), *(f"To go on: {command}" for command in resuming(report))]
    rows = [r.mle_audit for r in report.competition_reports if r.mle_audit]
    notes += retried([(d.agent or "unknown", d.earlier_tries) for d in rows])
    if details and (over := medal_tasks(details.headlines)):
        notes.append(over)
    if odd := sorted(
        {r.competition_id for r in report.competition_reports if not is_comparable(r)}
    ):
        notes.append(f"* {NOT_COMPARABLE}: {', '.join(odd)}")
    if details and (missing := sum(n.state == "ended" for n in details.not_graded)):
        notes.append(not_graded(missing))
    return notes


def not_graded_alike(report: GradingReport) -> dict[str, list[str]]:
    """List attempts that ended and could not be graded, those with one reason together."""
    alike: dict[str, list[str]] = {}
    for one in report.mle_audit.not_graded if report.mle_audit else ():
        if one.state in {"ended", "unknown"}:
            alike.setdefault(one.why, []).append(one.attempt)
    return alike
