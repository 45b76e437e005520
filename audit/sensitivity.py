"""What an agent's figures are when something is left out, and how sure they are by chance."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from audit.published_figures import reported_seeds
from competitions import spec as specs
from competitions.board_facts import all_facts, load_kaggle_board
from competitions.board_health import board_health, means_little
from competitions.errors import MleAuditError
from competitions.medals import percentile
from detectors.claims.known_exploitable_task import exploitable
from reports.claims import split_tasks
from reports.grading import numbered
from reports.seeds import SPLITS, complete, expected_tasks, seeds_of
from reports.sensitivity.estimates import LEVEL, N_RESAMPLES, at_k, figures_of, run_of
from reports.sensitivity.models import Omitted, Sensitivity, SensitivityRow
from reports.sensitivity.tasks import task_figures

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    import numpy as np

    from competitions.medals import BoardScores
    from detectors.group import Group
    from reports.grading import CompetitionReport
    from reports.sensitivity.estimates import Run
    from reports.sensitivity.models import AtK, Figures, Kind

SEED: Final = 20241009  # of the resamples: the same audit gives the same document
EVERYTHING: Final = "all attempts"
ANY: Final = "without any of these"
FAILED: Final = "attempts in question counted as failed"
UNKNOWN_AGENT: Final = "unknown"


class Counted(NamedTuple):
    """What is counted for one agent: rows, each with the name of its seed."""

    agent: str
    rows: tuple[tuple[str, CompetitionReport], ...]


def sensitivities(
    graded: Iterable[CompetitionReport],
    groups: Iterable[Group],
    in_question: Collection[str],
    *,
    seed: int = SEED,
) -> tuple[Sensitivity, ...]:
    """Say of each agent how far its figures hold, agents in alphabetical order.

    Parameters
    ----------
    graded : iterable of CompetitionReport
        The attempts of this audit.
    groups : iterable of Group
        What was published; a group with reports and without graded attempts is counted by the
        complete seeds of its reports.
    in_question : collection of str
        Attempts that the policy would have reviewed or disqualified.
    seed : int
        Of the resamples; each agent's are drawn for itself.
    """
    import numpy as np

    published = tuple(groups)
    reported = {g.name: reported_seeds(g) for g in published if g.reports and not g.graded}
    made = (
        sensitivity(one, in_question, np.random.default_rng([seed, *one.agent.encode()]))
        for one in counted_rows(graded, published)
    )
    return tuple(s.model_copy(update={"reported": reported.get(s.agent, ())}) for s in made)


def counted_rows(graded: Iterable[CompetitionReport], groups: Iterable[Group]) -> list[Counted]:
    """Put together what is counted for each agent: graded attempts, else whole seeds of reports."""
    made: dict[str, list[CompetitionReport]] = defaultdict(list)
    for row in graded:
        made[(row.mle_audit.agent if row.mle_audit else None) or UNKNOWN_AGENT].append(row)
    by_agent: dict[str, list[tuple[str, CompetitionReport]]] = defaultdict(list)
    for agent, rows in made.items():
        by_agent[agent] = [(str(seed), row) for seed, row in numbered(rows)]
    for group in groups:
        if group.reports and not group.graded:
            seeds = seeds_of(group.reports)
            for whole in complete(seeds, expected_tasks(seeds)):
                by_agent[group.name] += [(whole.name, row) for row in whole.rows.values()]
    return [Counted(agent, tuple(by_agent[agent])) for agent in sorted(by_agent)]


def sensitivity(
    counted: Counted,
    in_question: Collection[str],
    rng: np.random.Generator,
    n_resamples: int = N_RESAMPLES,
) -> Sensitivity:
    """Say how far one agent's figures hold.

    Parameters
    ----------
    rng : numpy.random.Generator
        Draws the resamples of the intervals.
    """
    runs = [run_of(row, seed, beats(row)) for seed, row in counted.rows]
    table = _Table(runs, rng, n_resamples)
    table.add("variation", EVERYTHING, runs)
    for one in _variations(runs, in_question):
        table.vary(one)
    table.sort_by_split()
    table.sort_by_category()
    table.count_up()
    return Sensitivity(
        agent=counted.agent,
        rows=tuple(table.rows),
        omitted=tuple(table.omitted),
        at_k=tuple(table.at_k),
        tasks=task_figures([row for _, row in counted.rows], beats),
        n_resamples=n_resamples,
        level=LEVEL,
    )


@dataclass(frozen=True)
class _Variation:
    """A count under which the attempts that it concerns are left out, or counted otherwise.

    Parameters
    ----------
    nothing : str
        Why nothing changes where it concerns none.
    only : bool
        It keeps the attempts that it concerns.
    as_failed : bool
        It counts them as failed.
    by_task : bool
        It leaves out tasks, whose names are told.
    """

    name: str
    concerns: Callable[[Run], bool]
    nothing: str
    only: bool = False
    as_failed: bool = False
    by_task: bool = True


def _variations(runs: Sequence[Run], in_question: Collection[str]) -> tuple[_Variation, ...]:
    named = any(r.attempt for r in runs)
    unhurt = "no attempt is in question" if named else "its rows name no attempt of this audit"

    def doubted(run: Run) -> bool:
        return run.attempt is not None and run.attempt in in_question

    def leaky(run: Run) -> bool:
        return is_leaky(run.task, run.variant)

    def weak(run: Run) -> bool:
        return is_degenerate(run.task)

    return (
        _Variation("without attempts in question", doubted, unhurt, by_task=False),
        _Variation(FAILED, doubted, unhurt, as_failed=True, by_task=False),
        _Variation("without tasks whose data give answers away", leaky, "no task's do"),
        _Variation("without degenerate boards", weak, "no board is degenerate"),
        _Variation(
            ANY,
            lambda run: doubted(run) or leaky(run) or weak(run),
            "there is none",
            by_task=False,
        ),
        _Variation(
            "without tasks with any known exploit",
            lambda run: bool(exploitable(run.task)),
            "no task has one",
        ),
        _Variation("variant fixed only", lambda run: run.variant == "fixed", "all are", only=True),
    )


@dataclass
class _Table:
    """The rows about one agent while they are made."""

    runs: Sequence[Run]
    rng: np.random.Generator
    n_resamples: int
    rows: list[SensitivityRow] = field(default_factory=list)
    omitted: list[Omitted] = field(default_factory=list)
    at_k: list[AtK] = field(default_factory=list)
    made: dict[tuple[Run, ...], Figures] = field(default_factory=dict)

    def add(self, kind: Kind, name: str, runs: Sequence[Run], note: str = "") -> None:
        """Add the figures of some attempts; the same attempts have the same interval."""
        key = tuple(runs)
        if key not in self.made:
            self.made[key] = figures_of(runs, self.rng, self.n_resamples)
        self.rows.append(SensitivityRow(kind=kind, name=name, figures=self.made[key], note=note))

    def omit(self, name: str, why: str) -> None:
        """Say why there is no such row."""
        self.omitted.append(Omitted(name=name, why=why))

    def vary(self, one: _Variation) -> None:
        """Add the figures of a variation; where nothing changes they are those of the first row."""
        hit = [one.concerns(r) for r in self.runs]
        gone = [h is not one.only for h in hit]  # what it leaves out
        if not any(gone):
            unchanged = self.rows[0].model_copy(
                update={"name": one.name, "changes": False, "note": f"the same: {one.nothing}"}
            )
            self.rows.append(unchanged)
            return
        if one.as_failed:
            kept = [r.failed if g else r for r, g in zip(self.runs, gone, strict=True)]
        else:
            kept = [r for r, g in zip(self.runs, gone, strict=True) if not g]
        if not kept:
            what = "no attempt was made under it" if one.only else "no attempt is left"
            self.omit(one.name, what)
            return
        if one.name == ANY and (same := self.made.get(tuple(kept))):
            alike = next(r.name for r in self.rows if r.figures == same and r.changes)
            self.omit(one.name, f'it is the row "{alike}"')
            return
        lost = [r for r, g in zip(self.runs, gone, strict=True) if g]
        names = {r.task for r in lost} if one.by_task else {r.attempt or r.task for r in lost}
        self.add("variation", one.name, kept)
        self.rows[-1] = self.rows[-1].model_copy(update={"left_out": tuple(sorted(names))})

    def sort_by_split(self) -> None:
        """Add a row for each of MLE-bench's splits that has a task here."""
        if not {r.task for r in self.runs} & split_tasks("all"):
            self.omit("MLE-bench's splits", "no task here is in one of them")
            return
        for split in SPLITS:
            wanted = split_tasks(split)
            part = [r for r in self.runs if r.task in wanted]
            if part:
                there = len({r.task for r in part})
                note = "" if there == len(wanted) else f"{there} of its {len(wanted)} tasks"
                self.add("split", split, part, note)
            else:
                self.omit(f"split {split}", f"none of its {len(wanted)} tasks is here")

    def sort_by_category(self) -> None:
        """Add a row for each kind of task, where there are several kinds."""
        kinds: dict[str, list[Run]] = defaultdict(list)
        for run in self.runs:
            kinds[category_of(run.task)].append(run)
        if len(kinds) == 1:
            self.omit("categories", f"all tasks are of one: {next(iter(kinds))}")
            return
        for name in sorted(kinds):
            self.add("category", name, kinds[name])

    def count_up(self) -> None:
        """Add what the best of k attempts reaches."""
        by_task: dict[tuple[str, str], int] = defaultdict(int)
        for run in self.runs:
            by_task[run.task, run.variant] += 1
        if max(by_task.values()) == 1:
            self.omit("pass@k", "no task has more than one attempt, so there is only pass@1")
            return
        self.at_k += at_k(self.runs, "any_medal", self.rng, self.n_resamples)
        self.at_k += at_k(self.runs, "above_median", self.rng, self.n_resamples)
        self.at_k += at_k(self.runs, "percentile", self.rng, self.n_resamples)


@cache
def is_leaky(task: str, variant: str = "v1") -> bool:
    """Say whether a task's published data give answers away, so that variant `fixed` removes it.

    Many tasks have lesser leaks on record, such as that photographs of one plant may be on both
    sides of the split, which nobody can remove.
    """
    if variant == "fixed":
        return False
    return any(i.kind == "leak" and i.fixed_by for i in exploitable(task))


@cache
def is_degenerate(task: str) -> bool:
    """Say whether a medal on a task's board means little, as `degenerate-medal` has it."""
    return task in all_facts() and means_little(board_health(_board(task)))


@cache
def category_of(task: str) -> str:
    """Name the kind of a task: its category at MLE-bench, else the modality of its definition."""
    if task in all_facts():
        return all_facts()[task].category
    try:
        return f"not in MLE-bench: {specs.load(task).modality}"
    except MleAuditError:
        return "not known"


def beats(row: CompetitionReport) -> float | None:
    """Return the share of the pinned board that a score beats, for rows that do not say it."""
    details = row.mle_audit
    if details is not None and details.percentile is not None:
        return details.percentile / 100
    if row.score is None or row.competition_id not in all_facts():
        return None
    board = _board(row.competition_id).scores
    return percentile(row.score, board, is_lower_better=row.is_lower_better) / 100


@cache
def _board(task: str) -> BoardScores:
    """Read a Kaggle board once, however many attempts are placed on it."""
    return load_kaggle_board(task)
