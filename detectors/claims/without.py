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


def any_medal_without(rows: Iterable[CompetitionReport], tasks: Collection[str], which: str) -> str:
    """Say the share of runs with a medal, and that without some tasks, in per cent.

    Parameters
    ----------
    tasks : collection of str
        All tasks of a kind, also those on which no medal was won: to leave out those with a medal
        alone would be to choose by what is measured.
    which : str
        What makes a task one of them.
    """
    listed = [r for r in rows if awards_medals(r)]
    kept = [r for r in listed if r.competition_id not in tasks]
    gone = {r.competition_id for r in listed} & set(tasks)
    rest = _share(kept) if kept else "no run is left"
    return f"Any medal: {_share(listed)} of all runs, {rest} without the {_tasks(gone)} {which}"


def _tasks(tasks: Collection[str]) -> str:
    return f"{len(tasks)} tasks" if len(tasks) > 1 else "one task"


def _share(rows: Collection[CompetitionReport]) -> str:
    won = sum(r.any_medal for r in rows)
    return f"{100 * won / len(rows):.2f} % ({won} of {len(rows)})"
