"""Go on with a group: make what is missing or was interrupted, or try again what failed."""

from __future__ import annotations

import contextlib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from audit.runner import ledger
from audit.runner.agent import load_agent
from audit.runner.group import RunOptions, Unit, conditions_of, work_on
from audit.runner.ledger import has_ended, record_of
from audit.runner.limiters import KINDS
from audit.runner.plan import PLAN_NAME, Plan, read_plan
from audit.runner.tasks import load_tasks
from competitions.errors import RefusedError, UsageError
from detectors.record import ExitStatus

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import datetime

    from audit.runner.agent import Agent
    from audit.runner.attempt import TaskData
    from audit.runner.group import Done
    from audit.runner.limiters import Kind

FAILED: tuple[ExitStatus, ...] = ("crashed", "killed")
_NOT_TO_RETRY = frozenset({"running", "interrupted"})


@dataclass(frozen=True)
class Rest:
    """A group that was begun, and what is left to do in it.

    Parameters
    ----------
    ended : dict
        How many attempts are in it by what became of them, ``not made`` included.
    units : tuple of Unit
        Attempts that are to be made, in the order of the plan.
    """

    plan: Plan
    agent: Agent
    tasks: tuple[TaskData, ...]
    units: tuple[Unit, ...]
    ended: Mapping[str, int]


def rest_of(
    group: Path,
    data_dir: Path | None = None,
    again: frozenset[ExitStatus] = frozenset(),
    agent_folder: Path | None = None,
) -> Rest:
    """Say what is left to do in a group.

    Parameters
    ----------
    data_dir : Path or None
        Where the tasks are prepared; None is where they were when the group was begun.
    again : frozenset of str
        Exit statuses of ended attempts; given, those are left to do, and nothing else.
    agent_folder : Path or None
        Where the agent is now; None is where it was.

    Raises
    ------
    UsageError, UnreadableFileError
        When the folder holds no plan.
    RefusedError
        When agent or data are no longer those the group was begun with.
    NotPreparedError, DigestMismatchError
        When a task is not prepared there, or has changed.
    """
    plan = read_plan(group)
    folder = agent_folder or Path(plan.agent_folder)
    if not folder.is_dir():
        raise RefusedError(
            f"{group / PLAN_NAME} says that the agent {plan.agent_id} lies in {folder}, "
            "and there is no such folder.",
            f"Name where it is now: mle-audit run --resume {group} --agent FOLDER",
        )
    agent = load_agent(folder.absolute())
    plan.check_agent(agent)
    by_variant: dict[str, list[str]] = {}
    for planned in plan.tasks:
        by_variant.setdefault(planned.variant, []).append(planned.competition_id)
    place = data_dir or Path(plan.data_dir)
    tasks = {
        task.spec.id: task
        for variant, names in by_variant.items()
        for task in load_tasks(names, variant, place)
    }
    for task in tasks.values():
        plan.check_task(task)
    units = []
    ended: Counter[str] = Counter()
    for attempt in plan.attempts:
        record = record_of(group / attempt.attempt_id)
        ended[record.exit_status if record else "not made"] += 1
        if again:
            is_left = record is not None and has_ended(record) and record.exit_status in again
        else:
            is_left = not has_ended(record)
        if is_left:
            task = tasks[attempt.competition_id]
            former = record.started_at if record else None
            units.append(Unit(task, attempt.seed, attempt.attempt_id, former))
    return Rest(plan, agent, tuple(tasks.values()), tuple(units), ended)


def resume_group(  # noqa: PLR0913 - each is an option of the verb
    group: Path,
    rest: Rest,
    now: Callable[[], datetime],
    *,
    jobs: int = 1,
    engine: str = "loky",
    cache: Path | None = None,
    limiters: tuple[Kind, ...] = KINDS,
    again: frozenset[ExitStatus] = frozenset(),
    progress: Callable[[int, int, Done], None] | None = None,
) -> None:
    """Make what is left to do in a group, under the limits it was begun with.

    An attempt keeps its id and its seed. What an earlier try left moves to ``interrupted-N`` or,
    where it is tried again, ``retried-N``, and the record names how each of them ended. An attempt
    that another runner works on is left to it.

    Raises
    ------
    SandboxUnavailableError, InterpreterError, KeyboardInterrupt, RunError
        See `audit.runner.group.run_group`.
    """
    plan = rest.plan
    options = RunOptions(
        plan.limits,
        now,
        plan.sandbox,
        jobs=jobs,
        engine=engine,
        cache=cache,
        limiters=limiters,
        snapshot_every_s=plan.snapshot_every_s,
        description=plan.description,
        model_endpoint=plan.model_endpoint,
    )
    conditions = conditions_of(rest.agent, rest.tasks, group, options)
    aside = ledger.RETRIED if again else ledger.INTERRUPTED
    work_on(group, plan, rest.units, conditions, options, progress, aside, frozenset(again))


def settle(group: Path, rest: Rest) -> None:
    """Bring ``metadata.json`` up to date where nothing is left to do.

    A runner may have been killed between an attempt's end and this. A group that cannot be written
    stays as it is.
    """
    with contextlib.suppress(OSError):
        ledger.write_metadata(group, rest.plan)


def statuses_named(names: Iterable[str]) -> frozenset[ExitStatus]:
    """Return the exit statuses with these names, of attempts that can be tried again.

    Raises
    ------
    UsageError
        When there is none, or its attempts have not ended: those are resumed.
    """
    known: list[ExitStatus] = [s for s in get_args(ExitStatus) if s not in _NOT_TO_RETRY]
    chosen: set[ExitStatus] = set()
    for name in names:
        if name not in known:
            raise UsageError(f"Expected an exit status of {', '.join(known)}; found {name!r}.")
        chosen.update(s for s in known if s == name)
    return frozenset(chosen)
