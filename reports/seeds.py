"""The seeds that grading reports hold, and the figures over those that are whole.

MLE-bench averages over complete seeds: each has one row for every task. A seed that lacks tasks is
left out, or the tasks count as failed (``--pad-missing`` there), and then it has to be said.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from competitions.board_facts import all_facts
from reports.claims import ALL, split_tasks
from reports.grading import mean_sem

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from reports.grading import CompetitionReport, MeanSem
    from reports.report_files import ReportFile

SPLITS = ("low", "medium", "high", ALL)
FLAGS = ("any_medal", "valid_submission", "above_median", "gold_medal")


@dataclass(frozen=True)
class Seed:
    """One row per task, as far as it has them.

    Parameters
    ----------
    name : str
        The files it was read from, and its number where these hold several.
    """

    name: str
    rows: Mapping[str, CompetitionReport]

    def missing(self, tasks: Iterable[str]) -> tuple[str, ...]:
        """List the tasks that it has no row for, sorted."""
        return tuple(sorted(set(tasks) - set(self.rows)))


class SplitFigure(NamedTuple):
    """A share of tasks over seeds.

    Parameters
    ----------
    counts : tuple of int
        Tasks with the flag, per seed.
    """

    split: str
    n_tasks: int
    counts: tuple[int, ...]

    @property
    def share(self) -> MeanSem | None:
        """Mean and standard error over seeds, in [0, 1]."""
        return mean_sem(c / self.n_tasks for c in self.counts)

    @property
    def words(self) -> str:
        """The figure in per cent.

        Examples
        --------
        >>> SplitFigure("low", 22, (13, 14, 14)).words
        '62.12 ± 1.52'
        """
        share = self.share
        if share is None:
            return "no seed"
        spread = "" if share.sem is None else f" ± {100 * share.sem:.2f}"
        return f"{100 * share.mean:.2f}{spread}"


def seeds_of(files: Iterable[ReportFile]) -> tuple[Seed, ...]:
    """Sort the rows of reports into seeds.

    A row that names its seed belongs there. Others are taken file by file: the first row of each
    task is one layer, the second another. A layer joins the first seed that has none of its tasks,
    so that a run group of the rest of the tasks completes a seed; else it begins a new one.
    """
    made: list[tuple[list[str], dict[str, CompetitionReport]]] = []
    for file in files:
        layers = _layers(file.report.competition_reports)
        for number, layer in enumerate(layers):
            name = file.name if len(layers) == 1 else f"{file.name}, {number + 1}"
            free = next((s for s in made if not s[1].keys() & layer.keys()), None)
            if free is None:
                made.append(([name], dict(layer)))
            else:
                free[0].append(name)
                free[1].update(layer)
    return tuple(Seed(" and ".join(names), rows) for names, rows in made)


def seeds_of_rows(name: str, rows: Sequence[CompetitionReport]) -> tuple[Seed, ...]:
    """Sort rows that stand in no file into seeds."""
    return tuple(Seed(f"{name}, {i + 1}", layer) for i, layer in enumerate(_layers(rows)))


def _layers(rows: Sequence[CompetitionReport]) -> list[dict[str, CompetitionReport]]:
    by_seed: dict[int | None, list[CompetitionReport]] = defaultdict(list)
    for row in rows:
        by_seed[row.mle_audit.seed if row.mle_audit else None].append(row)
    layers: list[dict[str, CompetitionReport]] = []
    for seed in sorted(by_seed, key=lambda s: (s is None, s or 0)):
        begun: list[dict[str, CompetitionReport]] = []
        seen: Counter[str] = Counter()
        for row in by_seed[seed]:
            at = seen[row.competition_id]
            seen[row.competition_id] += 1
            if at == len(begun):
                begun.append({})
            begun[at][row.competition_id] = row
        layers += begun
    return layers


def expected_tasks(seeds: Iterable[Seed], named_splits: Iterable[str] = ()) -> frozenset[str]:
    """Return the tasks of a whole seed: those of any seed, and of the splits that are named.

    An id that no task has, in at most half of the seeds and beside tasks that are known, asks
    nothing of the others: one misspelt row would leave no seed whole.
    """
    all_seeds = tuple(seeds)
    held = Counter(task for seed in all_seeds for task in seed.rows)
    known = held.keys() & all_facts().keys()
    odd = {t for t, n in held.items() if t not in known and 2 * n <= len(all_seeds)}
    found = set(held) - odd if known else set(held)
    for split in named_splits:
        found |= split_tasks(split)
    return frozenset(found)


def complete(seeds: Iterable[Seed], tasks: Iterable[str]) -> tuple[Seed, ...]:
    """Keep the seeds that have a row for every task."""
    wanted = frozenset(tasks)
    return tuple(s for s in seeds if not s.missing(wanted))


def figures(
    seeds: Sequence[Seed], flag: str = "any_medal", tasks: frozenset[str] | None = None
) -> tuple[SplitFigure, ...]:
    """Count a flag over the tasks of each split of which every task is there, and over all tasks.

    Parameters
    ----------
    seeds : sequence of Seed
        Complete ones; a task that one of them lacks counts as failed.
    tasks : frozenset of str or None
        Only these tasks; None takes those of any seed.
    """
    there = expected_tasks(seeds) if tasks is None else tasks
    found: list[SplitFigure] = []
    for split in SPLITS:
        wanted = there if split == ALL else split_tasks(split)
        if not wanted or not wanted <= there:
            continue
        counts = tuple(sum(_has(s, t, flag) for t in wanted) for s in seeds)
        found.append(SplitFigure(split, len(wanted), counts))
    return tuple(found)


def _has(seed: Seed, task: str, flag: str) -> bool:
    row = seed.rows.get(task)
    return row is not None and bool(getattr(row, flag))
