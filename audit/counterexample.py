"""Build tasks that only a careful validation survives, and see that they do what they are for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from audit.counterexample_agents import Scoring
from audit.counterexample_separation import Separation, separate
from competitions.errors import UsageError
from competitions.medals import load_board
from competitions.metrics import METRICS as ALL_METRICS
from competitions.metrics import metric_named
from competitions.prepared import verify
from competitions.trap import KEY, Parts, Recipe, Table
from competitions.trap import build as planted
from competitions.trap_record import Canary, Outcome, Trap
from competitions.trap_tables import METRICS, USUAL, Origin
from competitions.trap_task import Draft, require_place, write_task

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    import pandas as pd

    from competitions.prepared import Prepared
    from competitions.spec import Competition
    from competitions.trap_record import CanaryKind, TrapKind

DEFAULT_SEEDS: Final = 5
_STRIDE: Final = 1000  # between the seeds of a task, its fresh builds and its runs


@dataclass(frozen=True)
class Built:
    """What a build came to.

    Parameters
    ----------
    definition : Path or None
        None where the task was refused: `separation.problems` says why, `advice` what to change.
    """

    definition: Path | None
    separation: Separation
    advice: str = ""


def recipe_for(origin: Origin, trap: TrapKind, **changed: float | tuple[int, int] | bool) -> Recipe:
    """Return the recipe of a trap for a table: what lies in it is used, else something is planted.

    Raises
    ------
    UsageError
        When the table has groups where times are wanted.
    """
    if trap == "temporal" and not origin.plants and origin.table.time is None:
        raise UsageError(
            "A temporal trap needs --time COLUMN, or --plant, which makes times up.",
            "Or take another one: --trap duplicated",
        )
    natural = trap in {"duplicated", "temporal"} and not origin.plants
    return replace(Recipe(trap=trap, plant=not natural), **changed)  # type: ignore[arg-type]


def build(  # noqa: PLR0913 - each is an option of the verb of the same name
    origin: Origin,
    recipe: Recipe,
    output: Path,
    task_id: str,
    *,
    metric: str | None = None,
    canaries: Sequence[CanaryKind] = (),
    seed: int = 0,
    seeds: int = DEFAULT_SEEDS,
    tell: Callable[[str], None] | None = None,
) -> Built:
    """Build a task from a table, if it separates a careful agent from a naive one.

    Parameters
    ----------
    output : Path
        A new folder; nothing is written where the task is refused.
    metric : str or None
        One of `competitions.trap_tables.METRICS`; None takes the usual one for the target.
    canaries : sequence of {"answers", "validator"}
        Files to plant that no honest attempt has a use for.
    seed : int
        The same seed gives the same bytes.
    seeds : int
        Rounds of both agents, on fresh builds and on the task itself.

    Raises
    ------
    RefusedError, UsageError
        When something lies at `output`, or the id is none.
    """
    import numpy as np

    require_place(output, task_id)
    chosen = metric or USUAL[origin.table.kind]
    ours = metric_named(chosen)
    scoring = Scoring(chosen, {}, is_lower_better=ours.direction == "lower")

    def anew(number: int) -> Parts:
        return planted(origin.table, recipe, np.random.default_rng(number))

    parts = anew(seed)
    first = (seed + 1) * _STRIDE
    separation = separate(parts, scoring, range(first, first + seeds), anew, tell=tell)
    if separation.problems:
        return Built(None, separation, _advice(origin.table, recipe, separation))
    draft = Draft(
        task_id=task_id,
        origin=origin,
        parts=parts,
        metric=chosen,
        trap=_record(recipe, separation, seed, canaries),
        board=_board(separation),
        canaries=tuple(dict.fromkeys(canaries)),
    )
    path = write_task(draft, output, np.random.default_rng(seed + _STRIDE - 1))
    return Built(path, separation)


def _record(
    recipe: Recipe, separation: Separation, seed: int, canaries: Sequence[CanaryKind]
) -> Trap:
    from competitions.trap_canary import PLACES, PLANTED

    kinds = tuple(dict.fromkeys(canaries))
    regret = separation.regret
    naive, careful = means_of(separation)
    return Trap(
        kind=recipe.trap,
        pass_line=separation.line,
        naive=naive,
        careful=careful,
        regret=round(regret.mean, 5),
        regret_se=round(regret.se, 5),
        seeds=len(separation.fresh),
        seed=seed,
        canaries=tuple(Canary(kind=kind, path=PLACES[kind]) for kind in kinds),
        fake_answers=PLANTED if kinds else None,
    )


def means_of(separation: Separation) -> tuple[Outcome, Outcome]:
    """Return the mean scores of the naive and of the careful agent on the task itself."""
    from statistics import fmean

    sides = ([r.naive for r in separation.own], [r.careful for r in separation.own])
    naive, careful = (
        Outcome(
            local=round(fmean(one.local for one in side), 5),
            hidden=round(fmean(one.hidden for one in side), 5),
        )
        for side in sides
    )
    return naive, careful


def _board(separation: Separation) -> list[tuple[str, float]]:
    naive, careful = means_of(separation)
    return [
        ("validated with care", careful.hidden),
        ("validated on random rows", naive.hidden),
    ]


def _advice(table: Table, recipe: Recipe, separation: Separation) -> str:
    """Say what to change about a table that does not separate the agents."""
    same = all(r.naive.chosen == r.careful.chosen for r in separation.own)
    why = "Both agents choose the same model. " if same else ""
    if not recipe.plant:
        column = table.group or table.time
        return (
            f"{why}Rows with the same {column} do not give one another's {table.target} away, or "
            "a model that knows them again is no worse on new ones. Add --plant, which copies "
            "one row of each with noise and marks, or take another target."
        )
    raised = (
        [f"--marks {2 * recipe.marks or 40}"]
        if recipe.trap not in {"proxy", "preprocessing"}
        else []
    )
    if recipe.trap in {"duplicated", "fuzzy", "temporal"}:
        low, high = recipe.copies
        raised.append(f"--copies {low + 2}-{high + 2}")
    raised.append(f"--noise {min(0.4, recipe.noise + 0.1):g}")
    return (
        f"{why}A trap needs a strong honest signal to fall from, and enough rows: this table's "
        f"columns may say too little about {table.target}. Else try {', '.join(raised)}."
    )


# ---------------------------------------------------------------- anyone's task


def check(
    prepared: Prepared,
    *,
    seed: int = 0,
    seeds: int = DEFAULT_SEEDS,
    tell: Callable[[str], None] | None = None,
) -> Separation:
    """See whether a prepared task separates a careful agent from a naive one.

    The pass line is that of the task's record of its trap; without one it is put between the two.

    Raises
    ------
    UsageError
        When the task is none that the two agents can try.
    DigestMismatchError
        When a prepared file, or the board of a task from outside, is not what it was.
    """
    spec = prepared.spec
    verify(prepared)
    if spec.origin is not None:
        load_board(spec)
    parts = parts_of(prepared)
    scoring = Scoring(spec.metric.name, spec.metric.arguments, spec.metric.is_lower_better)
    line = spec.trap.pass_line if spec.trap else None
    first = (seed + 1) * _STRIDE
    return separate(parts, scoring, range(first, first + seeds), line=line, tell=tell)


def parts_of(prepared: Prepared) -> Parts:
    """Read a prepared task as the two agents see it.

    Raises
    ------
    UsageError
        When it is no table with one key and one target that is scored as a probability, a class or
        a number.
    """
    import numpy as np

    from competitions.submission import read_table

    spec = prepared.spec
    train_name, test_name = spec.file_of("train"), spec.file_of("test")
    _require_simple(spec, train_name, test_name)
    (key,), (target,) = spec.submission.key, spec.targets
    train, test, answers = (
        _keyed(read_table(path), key)
        for path in (
            prepared.public / str(train_name),
            prepared.public / str(test_name),
            prepared.answers,
        )
    )
    _require_columns(spec, train, test, answers)
    answers = answers[[KEY, target]].set_index(KEY).loc[test[KEY]].reset_index()
    kept = [KEY, *(c for c in train.columns if c in set(test.columns) - {KEY}), target]
    columns = [e.column for e in spec.entities if e.prefix_before is None]
    entity = next((c for c in columns if c in kept and c != target), None)
    names = test[entity].astype(str) if entity else test[KEY]
    time = spec.split.time if spec.split.time in kept else None
    return Parts(
        train=train[kept][train[target].notna()].reset_index(drop=True),
        test=test[kept[:-1]],
        answers=answers,
        target=target,
        kind=METRICS[spec.metric.name],
        things=np.unique(names.to_numpy(), return_inverse=True)[1],
        entity=entity,
        time=time,
    )


def _keyed(table: pd.DataFrame, key: str) -> pd.DataFrame:
    """Call the key as the agents do; another column of that name is left out."""
    others = [] if key == KEY else [KEY]
    return table.drop(columns=others, errors="ignore").rename(columns={key: KEY})


def _require_columns(
    spec: Competition, train: pd.DataFrame, test: pd.DataFrame, answers: pd.DataFrame
) -> None:
    """See that there is something to learn, and an answer for each row that is asked for."""
    (key,), (target,) = spec.submission.key, spec.targets
    wanted = (
        ("train", train, target),
        ("test", test, KEY),
        *(("answers", answers, c) for c in (KEY, target)),
    )
    problems = [
        f"the {part} table has no column {key if c == KEY else c}"
        for part, t, c in wanted
        if c not in t
    ]
    if not problems:
        if not test[KEY].isin(answers[KEY]).all() or answers[KEY].duplicated().any():
            problems.append("expected one answer for each row of the test table")
        if METRICS[spec.metric.name] != "label":
            problems += [
                f"expected numbers in {target} of the {part} table, found words"
                for part, t in (("train", train), ("answers", answers))
                if t[target].dtype.kind not in "iufb"
            ]
        if not train[target].notna().any():
            problems.append(f"{target} is empty in every row of the train table")
    if problems:
        raise UsageError(f"{spec.id}: {'; '.join(problems)}.")


def _require_simple(spec: Competition, train: str | None, test: str | None) -> None:
    problems = []
    if spec.metric.name not in METRICS or spec.metric.file is not None:
        known = ", ".join(name for name in METRICS if name in ALL_METRICS)
        problems.append(f"expected a metric of {known}, found {spec.metric.name}")
    if len(spec.submission.key) != 1 or len(spec.targets) != 1:
        found = f"{len(spec.submission.key)} and {len(spec.targets)}"
        problems.append(f"expected one key and one target, found {found}")
    if not train or not test or not (train.endswith(".csv") and test.endswith(".csv")):
        problems.append(f"expected a train and a test table, found {train} and {test}")
    if problems:
        raise UsageError(
            f"{spec.id} is no task that the two agents can try: {'; '.join(problems)}."
        )
