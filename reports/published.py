"""What a page shows of the rows of published reports: a table of tasks and seeds."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from reports.words import counted, score

if TYPE_CHECKING:
    from collections.abc import Mapping

    from reports.sensitivity.models import ReportedRow, ReportedSeed, Sensitivity

MAX_SEEDS: Final = 12  # columns of one table
MAX_TABLES: Final = 6
# What a count leaves out says what is known of a task.
_KNOWN: Final = {
    "without tasks whose data give answers away": "data give answers away",
    "without degenerate boards": "degenerate board",
}


@dataclass(frozen=True)
class ReportedTable:
    """One agent's published rows, a line per task and a column per seed."""

    told: Sensitivity

    @property
    def seeds(self) -> tuple[ReportedSeed, ...]:
        """The seeds that are shown."""
        return self.told.reported[:MAX_SEEDS]

    @property
    def n_more(self) -> int:
        """Seeds that are only counted."""
        return len(self.told.reported) - len(self.seeds)

    @cached_property
    def left_out(self) -> str:
        """Say which seeds are in no figure, for want of a row for every task; empty if none."""
        gone = [s for s in self.told.reported if not s.counted]
        if not gone:
            return ""
        verb = "lacks rows and is" if len(gone) == 1 else "lack rows and are"
        return f"{counted(len(gone), 'seed')} of {len(self.told.reported)} {verb} in no figure."

    @cached_property
    def lines(self) -> list[tuple[str, str, list[ReportedRow | None]]]:
        """Tasks with their variant, and for each seed its row or None."""
        cells: dict[tuple[str, str], dict[int, ReportedRow]] = defaultdict(dict)
        for at, seed in enumerate(self.seeds):
            for row in seed.rows:
                cells[row.task, row.variant][at] = row
        return [
            (*task, [found.get(at) for at in range(len(self.seeds))])
            for task, found in sorted(cells.items())
        ]

    @cached_property
    def known(self) -> Mapping[str, list[str]]:
        """What is known of tasks that bears on their medals."""
        found: dict[str, list[str]] = defaultdict(list)
        for row in self.told.rows:
            for task in row.left_out if row.name in _KNOWN else ():
                found[task].append(_KNOWN[row.name])
        return dict(found)


def tables_of(told: tuple[Sensitivity, ...]) -> tuple[list[ReportedTable], int]:
    """Return the tables that a page shows, and how many more there are."""
    found = [ReportedTable(s) for s in told if s.reported]
    return found[:MAX_TABLES], max(0, len(found) - MAX_TABLES)


def scored(row: ReportedRow) -> str:
    """Write the score of a row, or why it has none.

    Examples
    --------
    >>> from reports.sensitivity.models import ReportedRow
    >>> scored(ReportedRow(task="t", score=0.5)), scored(ReportedRow(task="t"))
    ('0.50000', 'invalid')
    """
    if row.score is not None:
        return score(row.score)
    return "invalid" if row.has_submission else "no submission"


def stood(row: ReportedRow) -> str:
    """Say what a row won, in a few words.

    Examples
    --------
    >>> from reports.sensitivity.models import ReportedRow
    >>> stood(ReportedRow(task="t", medal="gold")), stood(ReportedRow(task="t"))
    ('gold medal', '')
    """
    if row.medal:
        return f"{row.medal} medal{'' if row.comparable else '*'}"
    return "above median" if row.above_median else ""
