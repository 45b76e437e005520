"""The share of runs with a medal, and what it is without some tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.grading import awards_medals, is_comparable

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from reports.grading import CompetitionReport


def medal_tasks(rows: Iterable[CompetitionReport]) -> set[str]:
    """Return the tasks on whose boards a medal was won, on the board's own terms."""
    return {r.competition_id for r in rows if r.any_medal and is_comparable(r)}


def any_medal_without(rows: Iterable[CompetitionReport], tasks: Collection[str]) -> str:
    """Say the share of runs with a medal, and that without these tasks, in per cent."""
    listed = [r for r in rows if awards_medals(r)]
    kept = [r for r in listed if r.competition_id not in tasks]
    return f"Any medal: {_share(listed)} of all runs, {_share(kept)} without these tasks"


def _share(rows: Collection[CompetitionReport]) -> str:
    won = sum(r.any_medal for r in rows)
    return f"{100 * won / len(rows):.2f} % ({won} of {len(rows)})" if rows else "none"
