"""A run group: one agent on some tasks with some seeds, in MLE-bench's folder layout."""

from __future__ import annotations

import contextlib
import traceback
import uuid
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import audit
from audit.engine import check_engine, completed
from audit.runner import ledger
from audit.runner.attempt import Conditions, run_attempt
from audit.runner.disk import require_room
from audit.runner.hidden import refuse_inside
from audit.runner.interpreter import interpreter_for
from audit.runner.ledger import METADATA, TIMESTAMP, claimed, has_ended, record_of, set_aside
from audit.runner.limiters import KINDS
from audit.runner.limits import MAX_ATTEMPTS, MAX_WALL_CLOCK_S
from audit.runner.output import note
from audit.runner.plan import Plan, PlannedAttempt, PlannedTask, described, write_plan
from audit.runner.sandbox import require_sandbox
from audit.runner.snapshots import MIN_EVERY_S
from audit.runner.stop import stoppable
from competitions.errors import RunError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime
    from pathlib import Path

    from audit.runner.agent import Agent
    from audit.runner.attempt import TaskData
    from audit.runner.limiters import Kind
    from audit.runner.limits import Limits
    from audit.runner.model_endpoint import ModelEndpoint
    from detectors.record import AttemptRecord

__all__ = ["METADATA", "Done", "RunOptions", "Unit", "run_group", "work_on"]


@dataclass(frozen=True)
class RunOptions:
    """How a group is run.

    Parameters
    ----------
    now : callable
        The wall clock, with a time zone.
    sandbox : str
        One of `audit.runner.sandbox.SANDBOXES`.
    jobs : int
        Attempts at once.
    engine : {"loky", "threading"}
        What runs them at once.
    new_id : callable
        Makes the unique part of each attempt's name.
    cache : Path or None
        Where agents' interpreters are kept.
    limiters : tuple of str
        Which kinds of limiter may be used.
    snapshot_every_s : float or None
        How often a copy of the submission is kept while an attempt runs.
    description : {"prepared", "obfuscated"}
        Which description the agent gets.
    model_endpoint : ModelEndpoint or None
        The one address outside that attempts may reach.
    """

    limits: Limits
    now: Callable[[], datetime]
    sandbox: str = "bubblewrap"
    jobs: int = 1
    engine: str = "loky"
    new_id: Callable[[], uuid.UUID] = uuid.uuid4
    cache: Path | None = None
    limiters: tuple[Kind, ...] = KINDS
    snapshot_every_s: float | None = None
    description: str = "prepared"
    model_endpoint: ModelEndpoint | None = None

    def __post_init__(self) -> None:
        check_engine(self.jobs, self.engine)
        every = self.snapshot_every_s
        if every is not None and not MIN_EVERY_S <= every <= MAX_WALL_CLOCK_S:
            wanted = f"{MIN_EVERY_S:g} s to 3650 days between snapshots"
            raise UsageError(f"Expected {wanted}, found {every:g} s.")


@dataclass(frozen=True)
class Unit:
    """One attempt that is to be made."""

    task: TaskData
    seed: int
    attempt_id: str  # the name of its folder
    former: datetime | None = None  # when the try began that is to be made anew


@dataclass(frozen=True)
class Done:
    """What became of one attempt.

    Parameters
    ----------
    record : AttemptRecord or None
        None when not even that could be written, and when another runner has the attempt.
    is_elsewhere : bool
        True when another runner works on it, or has ended it since.
    fault : str
        The traceback where the runner failed.
    """

    unit: Unit
    record: AttemptRecord | None
    is_elsewhere: bool = False
    fault: str = ""

    @property
    def success(self) -> bool:
        """Whether the agent ended by itself and without an error."""
        return self.record is not None and self.record.exit_status == "finished"


def run_group(  # noqa: PLR0913, PLR0917 - who, on what, where and how, and two listeners
    agent: Agent,
    tasks: Sequence[TaskData],
    seeds: Sequence[int],
    run_dir: Path,
    options: RunOptions,
    progress: Callable[[int, int, Done], None] | None = None,
    begun: Callable[[Path], None] | None = None,
) -> Path:
    """Run an agent on every task with every seed.

    Parameters
    ----------
    run_dir : Path
        The group's folder ``<timestamp>_run-group_<agent>`` is made in it.
    progress : callable, optional
        Told after each attempt how many are done, how many there are, and what became of it.
    begun : callable, optional
        Told the group's folder before the first attempt.

    Returns
    -------
    Path
        The group's folder. Its ``metadata.json`` was rewritten after every attempt.

    Raises
    ------
    UsageError
        When there is nothing to run.
    RefusedError
        When attempts or answers would lie inside the agent's own folder, or attempts inside data.
    RunError
        When the group's folder cannot be made; at the end, when ``metadata.json`` could not be
        written: the attempts were made.
    SandboxUnavailableError, InterpreterError
        Before anything has started.
    KeyboardInterrupt
        After Ctrl-C, SIGTERM or SIGHUP, when the running attempts have their end on record.
    """
    if not tasks or not seeds:
        raise UsageError("Expected at least one competition and one seed.")
    units = units_of(tasks, seeds, options)
    conditions = conditions_of(agent, tasks, run_dir, options)
    group, plan = _open_group(run_dir, agent, units, options)
    if begun is not None:
        begun(group)
    work_on(group, plan, units, conditions, options, progress)
    return group


def units_of(tasks: Sequence[TaskData], seeds: Sequence[int], options: RunOptions) -> list[Unit]:
    """Name the attempts of a group; seeds are the outer loop, so a part of it has whole seeds.

    Raises
    ------
    UsageError
        When they are more than a group can hold.
    """
    if len(seeds) > MAX_ATTEMPTS // max(1, len(tasks)):
        found = f"{len(tasks)} task(s) with {len(seeds)} seeds each"
        raise UsageError(f"Expected at most {MAX_ATTEMPTS} attempts in a group, found {found}.")
    return [
        Unit(task, seed, f"{task.spec.id}_{options.new_id()}") for seed in seeds for task in tasks
    ]


def conditions_of(
    agent: Agent, tasks: Sequence[TaskData], run_dir: Path, options: RunOptions
) -> Conditions:
    """Return what all attempts of a group have in common; nothing is started yet.

    Raises
    ------
    RefusedError, SandboxUnavailableError, InterpreterError
        See `run_group`.
    """
    refuse_inside(agent.folder, run_dir, "Attempts", "--run-dir")
    require_room(run_dir, options.limits)
    for task in tasks:  # digests would be others afterwards, and attempts would see each other
        refuse_inside(task.prepared, run_dir, "Attempts", "--run-dir")
    for place in {place for task in tasks for place in (task.prepared, *task.hidden)}:
        refuse_inside(agent.folder, place, "Prepared data", "--data-dir")
    if options.model_endpoint is not None:
        options.model_endpoint.key()  # said before anything is built
    sandbox = require_sandbox(options.sandbox, agent.definition)
    definition = agent.definition
    needs = (definition.requirements, options.cache, definition.requirements_alone)
    interpreter = interpreter_for(definition.python, *needs)
    return Conditions(
        agent=agent,
        interpreter=interpreter,
        sandbox=sandbox,
        limits=options.limits,
        tool_version=audit.__version__,
        limiters=options.limiters,
        snapshot_every_s=options.snapshot_every_s,
        description=described(options.description, sandbox),
        model_endpoint=options.model_endpoint,
    )


def work_on(  # noqa: PLR0913, PLR0917 - what a runner needs to know
    group: Path,
    plan: Plan,
    units: Sequence[Unit],
    conditions: Conditions,
    options: RunOptions,
    progress: Callable[[int, int, Done], None] | None = None,
    aside: str = ledger.INTERRUPTED,
    again: frozenset[str] = frozenset(),
) -> None:
    """Make attempts of a group that others may work on as well.

    Parameters
    ----------
    aside : str
        What the folder is called that remains of an earlier try move to.
    again : frozenset of str
        Exit statuses of ended attempts that are made anew.

    Raises
    ------
    KeyboardInterrupt, RunError
        See `run_group`.
    """
    failed: set[str] = set()
    unwritten: OSError | None = None
    with stoppable() as stop, stop.listening():
        work = partial(
            _one,
            conditions=conditions.stopped_by(stop),
            group=group,
            now=options.now,
            aside=aside,
            again=again,
        )
        done_so_far = 0
        for done in completed(work, units, jobs=options.jobs, engine=options.engine):
            if done is None:
                continue
            if done.record is None and not done.is_elsewhere:
                failed.add(done.unit.attempt_id)
            try:
                ledger.write_metadata(group, plan, failed)
                unwritten = None
            except OSError as error:  # a full disk; the next attempt's end tries anew
                unwritten = error
            done_so_far += 1
            if progress is not None:
                progress(done_so_far, len(units), done)
        if why := stop.reason():
            raise KeyboardInterrupt(why)
    if unwritten is not None:
        raise RunError(
            f"{group / METADATA} cannot be written: {unwritten.strerror or unwritten}. "
            "The attempts were made, and each attempt.json says what became of it.",
            f"Make room in {group}, then: mle-audit run --resume {group}",
        ) from unwritten


def _open_group(
    run_dir: Path, agent: Agent, units: Sequence[Unit], options: RunOptions
) -> tuple[Path, Plan]:
    """Make the group's folder with its plan and its first ``metadata.json``."""
    from datetime import UTC

    created = options.now()
    name = f"{created.astimezone(UTC).strftime(TIMESTAMP)}_run-group_{agent.id}"
    try:
        group = _new_folder(run_dir, name)
        plan = _plan_of(group, created, agent, units, options)
        write_plan(plan, group)
        ledger.write_metadata(group, plan)
    except OSError as error:
        raise RunError(
            f"{run_dir}: no group can be begun there: {error.strerror}.",
            "Name a folder that can be written, with room for the attempts: --run-dir DIR",
        ) from error
    return group, plan


def _new_folder(run_dir: Path, name: str) -> Path:
    run_dir.mkdir(parents=True, exist_ok=True)
    for number in range(1, 1000):  # two groups may start in one second
        group = run_dir / (name if number == 1 else f"{name}-{number}")
        with contextlib.suppress(FileExistsError):
            group.mkdir()
            return group
    raise UsageError(f"{run_dir} already holds a thousand groups called {name}.")


def _plan_of(
    group: Path, created: datetime, agent: Agent, units: Sequence[Unit], options: RunOptions
) -> Plan:
    tasks = {unit.task.spec.id: unit.task for unit in units}
    return Plan(
        group=group.name,
        created_at=created,
        tool_version=audit.__version__,
        agent_id=agent.id,
        agent_digest=agent.digest,
        agent_folder=str(agent.folder),
        data_dir=str(units[0].task.prepared.parent.parent.absolute()),
        limits=options.limits,
        sandbox=options.sandbox,
        snapshot_every_s=options.snapshot_every_s,
        description=described(options.description, options.sandbox),
        model_endpoint=options.model_endpoint,
        tasks=tuple(
            PlannedTask(
                competition_id=name,
                variant=task.spec.variant,
                data_digest=task.digest,
                data_source=task.source,
            )
            for name, task in tasks.items()
        ),
        attempts=tuple(
            PlannedAttempt(
                attempt_id=unit.attempt_id, competition_id=unit.task.spec.id, seed=unit.seed
            )
            for unit in units
        ),
    )


def _one(
    unit: Unit,
    *,
    conditions: Conditions,
    group: Path,
    now: Callable[[], datetime],
    aside: str,
    again: frozenset[str],
) -> Done | None:
    """Make one attempt, unless another runner has it; a fault of ours does not end the group.

    Returns None when the group ends before the attempt has begun.
    """
    if conditions.stop is not None:
        conditions.stop.listen_in_worker()
    if conditions.must_end():
        return None
    attempt = group / unit.attempt_id
    try:
        with claimed(group, unit.attempt_id) as is_ours:
            if not is_ours or _is_done(unit, record_of(attempt), again):
                return Done(unit, None, is_elsewhere=True)
            earlier = set_aside(attempt, aside)
            record = run_attempt(
                conditions, unit.task, unit.seed, attempt, now=now, earlier=earlier
            )
    except Exception:  # noqa: BLE001 - one attempt's crash is recorded, the rest goes on
        with contextlib.suppress(OSError):
            attempt.mkdir(exist_ok=True)
        note(attempt, f"The runner failed:\n{traceback.format_exc()}")
        return Done(unit, None, fault=traceback.format_exc())
    return Done(unit, record)


def _is_done(unit: Unit, record: AttemptRecord | None, again: frozenset[str]) -> bool:
    """Say whether somebody has made the attempt since it was listed as left to do."""
    if record is None or not has_ended(record):
        return False
    return record.exit_status not in again or record.started_at != unit.former
