"""A run group: one agent on some tasks with some seeds, in MLE-bench's folder layout."""

from __future__ import annotations

import contextlib
import traceback
import uuid
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import audit
from audit.engine import completed
from audit.runner.attempt import Conditions, run_attempt
from audit.runner.hidden import refuse_inside
from audit.runner.interpreter import interpreter_for
from audit.runner.memory import KINDS
from audit.runner.output import note
from audit.runner.sandbox import require_sandbox
from audit.runner.stop import stoppable
from competitions.errors import UsageError
from competitions.io import write_json
from detectors.attempt import AttemptRecord  # noqa: TC001 - part of a dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime
    from pathlib import Path

    from audit.runner.agent import Agent
    from audit.runner.attempt import TaskData
    from audit.runner.limits import Limits
    from audit.runner.memory import Kind

METADATA = "metadata.json"
_TIMESTAMP = "%Y-%m-%dT%H-%M-%S-GMT"


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
        Which kinds of memory limiter may be used.
    """

    limits: Limits
    now: Callable[[], datetime]
    sandbox: str = "bubblewrap"
    jobs: int = 1
    engine: str = "loky"
    new_id: Callable[[], uuid.UUID] = uuid.uuid4
    cache: Path | None = None
    limiters: tuple[Kind, ...] = KINDS


@dataclass(frozen=True)
class Unit:
    """One attempt that is to be made."""

    task: TaskData
    seed: int
    unique: uuid.UUID

    @property
    def attempt_id(self) -> str:
        """The name of its folder."""
        return f"{self.task.spec.id}_{self.unique}"


@dataclass(frozen=True)
class Done:
    """What became of one attempt; `record` is None when not even that could be written."""

    unit: Unit
    record: AttemptRecord | None

    @property
    def success(self) -> bool:
        """Whether the agent ended by itself and without an error."""
        return self.record is not None and self.record.exit_status == "finished"


def run_group(
    agent: Agent,
    tasks: Sequence[TaskData],
    seeds: Sequence[int],
    run_dir: Path,
    options: RunOptions,
    progress: Callable[[int, int, Done], None] | None = None,
) -> Path:
    """Run an agent on every task with every seed.

    Parameters
    ----------
    run_dir : Path
        The group's folder ``<timestamp>_run-group_<agent>`` is made in it.
    progress : callable, optional
        Told after each attempt how many are done, how many there are, and what became of it.

    Returns
    -------
    Path
        The group's folder. Its ``metadata.json`` was rewritten after every attempt.

    Raises
    ------
    UsageError
        When there is nothing to run.
    RefusedError
        When attempts or answers would lie inside the agent's own folder.
    SandboxUnavailableError, InterpreterError
        Before anything has started.
    KeyboardInterrupt
        After Ctrl-C, SIGTERM or SIGHUP, when the running attempts have their end on record.
    OSError
        At the end, when ``metadata.json`` could not be written; the attempts were made.
    """
    if not tasks or not seeds:
        raise UsageError("Expected at least one competition and one seed.")
    refuse_inside(agent.folder, run_dir, "Attempts", "--run-dir")
    for place in {place for task in tasks for place in (task.prepared, *task.hidden)}:
        refuse_inside(agent.folder, place, "Prepared data", "--data-dir")
    sandbox = require_sandbox(options.sandbox)
    definition = agent.definition
    interpreter = interpreter_for(definition.python, definition.requirements, options.cache)
    group, metadata = _open_group(run_dir, agent, options.now())
    # Seeds are the outer loop: a group that is cut short has whole seeds.
    units = [Unit(task, seed, options.new_id()) for seed in seeds for task in tasks]
    runs: dict[str, dict[str, bool]] = {}
    unwritten: OSError | None = None
    with stoppable() as stop, stop.listening():
        conditions = Conditions(
            agent, interpreter, sandbox, options.limits, audit.__version__, options.limiters, stop
        )
        work = partial(_one, conditions=conditions, group=group, now=options.now)
        for done in completed(work, units, jobs=options.jobs, engine=options.engine):
            if done is None:
                continue
            runs[done.unit.attempt_id] = {"success": done.success}
            try:
                write_json(group / METADATA, {**metadata, "runs": runs})
                unwritten = None
            except OSError as error:  # a full disk; the next attempt's end tries anew
                unwritten = error
            if progress is not None:
                progress(len(runs), len(units), done)
        if why := stop.reason():
            raise KeyboardInterrupt(why)
    if unwritten is not None:
        raise unwritten
    return group


def _open_group(run_dir: Path, agent: Agent, created: datetime) -> tuple[Path, dict[str, str]]:
    """Make the group's folder with its first ``metadata.json``."""
    from datetime import UTC

    stamp = created.astimezone(UTC).strftime(_TIMESTAMP)
    name = f"{stamp}_run-group_{agent.id}"
    run_dir.mkdir(parents=True, exist_ok=True)
    for number in range(1, 1000):  # two groups may start in one second
        group = run_dir / (name if number == 1 else f"{name}-{number}")
        try:
            group.mkdir()
        except FileExistsError:
            continue
        metadata = {"run_group": group.name, "created_at": stamp}
        write_json(group / METADATA, {**metadata, "runs": {}})
        return group, metadata
    raise UsageError(f"{run_dir} already holds a thousand groups called {name}.")


def _one(
    unit: Unit, *, conditions: Conditions, group: Path, now: Callable[[], datetime]
) -> Done | None:
    """Run one attempt; a fault of ours is written to its log and does not end the group.

    Returns None when the group ends before the attempt has begun.
    """
    if conditions.stop is not None:
        conditions.stop.listen_in_worker()
    if conditions.must_end():
        return None
    try:
        record = run_attempt(
            conditions, unit.task, unit.seed, group, now=now, new_id=lambda: unit.unique
        )
    except Exception:  # noqa: BLE001 - one attempt's crash is recorded, the rest goes on
        attempt = group / unit.attempt_id
        with contextlib.suppress(OSError):
            attempt.mkdir(exist_ok=True)
        note(attempt, f"The runner failed:\n{traceback.format_exc()}")
        return Done(unit, None)
    return Done(unit, record)
