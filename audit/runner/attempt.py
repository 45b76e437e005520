"""One attempt: its folder, its record, its run."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from audit.runner.hardware import this_machine
from audit.runner.harness import Harness
from audit.runner.hidden import earlier_attempts
from audit.runner.instructions import instructions
from audit.runner.limiters import KINDS, choose
from audit.runner.model_proxy import proxying
from audit.runner.output import LOG_NAME, note
from audit.runner.places import (
    DESCRIPTION,
    WRITABLE,
    Places,
    inside_environment,
    outside_environment,
)
from audit.runner.records import write_anyway
from audit.runner.remains import describe
from audit.runner.sandbox import MARK, sandbox_record, sandboxed
from audit.runner.snapshots import snapshots_of
from audit.runner.supervise import Ending, supervise
from audit.runner.validation import validating
from competitions.io import write_text
from competitions.obfuscate import anonymous, describe_obfuscated
from competitions.submission import schema_of
from detectors.model_calls import model_calls, summed
from detectors.record import AttemptRecord, Budget, write_record

ANONYMOUS = "task"  # in the place of the competition's id

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from audit.runner.agent import Agent
    from audit.runner.interpreter import Interpreter
    from audit.runner.limiters import Kind, Limiter
    from audit.runner.limits import Limits
    from audit.runner.model_endpoint import ModelEndpoint
    from audit.runner.places import ModelAccess, Validation
    from audit.runner.sandbox import Sandbox
    from audit.runner.stop import Stop
    from competitions.prepared import Prepared
    from competitions.spec import Competition
    from detectors.record import Description, ExitStatus, Snapshot


@dataclass(frozen=True)
class TaskData:
    """A task and its prepared data, as an attempt needs them.

    Parameters
    ----------
    prepared : Path
        Folder with ``public`` and ``private``.
    source : str
        kaggle, embedded, miniature, local or mlebench.
    digest : str
        sha256 of the public tree.
    hidden : tuple of Path
        Further host paths that must not be seen inside, such as the whole data directory.
    """

    spec: Competition
    prepared: Path
    source: str
    digest: str
    hidden: tuple[Path, ...] = ()

    @classmethod
    def of(cls, prepared: Prepared, hidden: tuple[Path, ...] = ()) -> TaskData:
        """Describe prepared data; all of its public part is read for the digest."""
        return cls(prepared.spec, prepared.folder, prepared.source, prepared.public_sha256, hidden)

    @property
    def public(self) -> Path:
        """What the agent sees."""
        return self.prepared / "public"


@dataclass(frozen=True)
class Conditions:
    """What all attempts of a group have in common.

    Parameters
    ----------
    limiters : tuple of str
        Which kinds of limiter may be used.
    stop : Stop or None
        Says when attempts must end before their time.
    snapshot_every_s : float or None
        How often a copy of the submission is kept.
    description : {"prepared", "obfuscated"}
        Which description the agent gets: the one beside the data, or one without names and story.
    model_endpoint : ModelEndpoint or None
        The one address outside that attempts may reach.
    """

    agent: Agent
    interpreter: Interpreter
    sandbox: Sandbox
    limits: Limits
    tool_version: str
    limiters: tuple[Kind, ...] = field(default=KINDS)
    stop: Stop | None = None
    snapshot_every_s: float | None = None
    description: Description = "prepared"
    model_endpoint: ModelEndpoint | None = None

    def stopped_by(self, stop: Stop) -> Conditions:
        """Return the same conditions with a note that ends attempts."""
        return replace(self, stop=stop)

    @property
    def watched(self) -> Limits:
        """What we watch ourselves; memory and processes of a container are the engine's matter."""
        if self.sandbox != "docker":
            return self.limits
        return replace(self.limits, memory_bytes=None, processes=None)

    def must_end(self) -> str | None:
        """Say why attempts must end now, or None."""
        return self.stop.reason() if self.stop else None


def run_attempt(
    conditions: Conditions,
    task: TaskData,
    seed: int,
    attempt: Path,
    *,
    now: Callable[[], datetime],
    earlier: tuple[ExitStatus, ...] = (),
) -> AttemptRecord:
    """Run one attempt and return its record, which is on disk as well.

    Parameters
    ----------
    attempt : Path
        The attempt's folder ``<group>/<competition>_<uuid>``; it is made. The folder above the
        group, which may hold other groups, is hidden from the agent.
    now : callable
        The wall clock, with a time zone.
    earlier : tuple of str
        How earlier tries ended, whose remains were set aside.

    Returns
    -------
    AttemptRecord
        Whatever became of the agent. ``crashed`` also when it could not be started; ``run.log``
        then says why.
    """
    for name in WRITABLE:
        (attempt / name).mkdir(parents=True)
    watched = conditions.watched
    limiter = choose(watched, f"{MARK}={attempt.name}", conditions.limiters)
    record = _first_record(conditions, task, seed, attempt, limiter, now())
    record = record.model_copy(update={"resumed": bool(earlier), "earlier_tries": earlier})
    ending = Ending("crashed", None, None)

    def keep(snapshot: Snapshot) -> None:
        nonlocal record
        record = record.model_copy(update={"snapshots": (*record.snapshots, snapshot)})
        write_record(record, attempt)

    try:
        write_record(record, attempt)
        with validating(conditions.sandbox, schema_of(task.spec), task.prepared, attempt) as server:
            try:
                with (
                    proxying(conditions.sandbox, conditions.model_endpoint, attempt) as model,
                    snapshots_of(attempt, conditions.snapshot_every_s, keep),
                ):
                    reached = (server.reached, model)
                    ending, changed = _run(conditions, task, seed, attempt, limiter, reached)
                record = record.model_copy(update={"harness_changed": changed})
            finally:
                use = summed(model_calls(attempt)) if conditions.model_endpoint else None
                asked = {"validation_calls": server.calls, "model_use": use}
                record = record.model_copy(update=asked)
    except OSError as error:
        note(attempt, f"The agent could not be started: {error}")
    except KeyboardInterrupt:
        ending = Ending("interrupted", None, None, "interrupted by the user")
        raise
    finally:
        limiter.close()
        # The end comes first: whatever was left behind may take long to read.
        record = _ended(record, ending, now())
        write_anyway(record, attempt)
    remains = describe(attempt, WRITABLE)
    for problem in remains.problems:
        note(attempt, problem)
    record = record.model_copy(
        update={
            "submission_sha256": remains.submission_sha256,
            "code_sha256": remains.code_sha256,
        }
    )
    write_anyway(record, attempt)
    return record


def _run(
    conditions: Conditions,
    task: TaskData,
    seed: int,
    attempt: Path,
    limiter: Limiter,
    reached: tuple[Validation, ModelAccess | None],
) -> tuple[Ending, tuple[str, ...]]:
    """Run the agent; say how it ended, and which files of the harness are others now."""
    agent, limits = conditions.agent, conditions.limits
    is_obfuscated = conditions.description == "obfuscated"
    spec = anonymous(task.spec) if is_obfuscated else task.spec
    name = (ANONYMOUS if is_obfuscated else task.spec.id, seed)
    places = Places(
        attempt=attempt.absolute(),
        public=task.public.absolute(),
        agent=agent.folder,
        interpreter=conditions.interpreter,
        hidden=(
            *(task.prepared / "private", *task.hidden, attempt.parent.parent),
            *earlier_attempts(agent.folder),
        ),
        scratch_bytes=limits.memory_bytes,
        validation=reached[0],
        model=reached[1],
        description=_obfuscated(task, attempt.absolute()) if is_obfuscated else None,
    )
    words = (
        inside_environment(agent, places, *name, limits)
        if conditions.sandbox != "none"
        else outside_environment(agent, places, *name, limits)
    )
    told = instructions(spec, words, seed, limits, has_model=places.model is not None)
    write_text(places.instructions, told)
    harness = _harness(places)
    with sandboxed(conditions.sandbox, agent, places, name, limits) as command:
        ending = supervise(
            command,
            attempt / LOG_NAME,
            conditions.watched,
            limiter,
            folders={name: places.attempt / name for name in WRITABLE},
            must_end=conditions.must_end,
        )
    if conditions.sandbox == "docker":  # what was measured is the client's
        ending = replace(ending, peak_memory_bytes=None)
    return ending, harness.changed()


def _obfuscated(task: TaskData, attempt: Path) -> Path:
    path = attempt / DESCRIPTION
    write_text(path, describe_obfuscated(task.spec))
    return path


def _harness(places: Places) -> Harness:
    """Look at what the agent must leave as it is; attempts in its own folder are the runner's."""
    harness = Harness()
    harness.watch("data", places.public)
    harness.watch("agent", places.agent, without=places.hidden)
    harness.watch("instructions.txt", places.instructions)
    if places.validation:
        harness.watch(places.validation.script.name, places.validation.script)
    return harness


def _first_record(
    conditions: Conditions,
    task: TaskData,
    seed: int,
    attempt: Path,
    limiter: Limiter,
    started: datetime,
) -> AttemptRecord:
    limits = conditions.limits
    return AttemptRecord(
        attempt_id=attempt.name,
        group=attempt.parent.name,
        competition_id=task.spec.id,
        variant=task.spec.variant,
        data_source=task.source,
        data_digest=task.digest,
        agent=conditions.agent.identity,
        seed=seed,
        description=conditions.description,
        budget=Budget(
            wall_clock_s=limits.wall_clock_s,
            memory_bytes=limits.memory_bytes,
            processes=limits.processes,
            disk_bytes=limits.disk_bytes,
            output_bytes=limits.output_bytes,
            tokens=conditions.agent.definition.budget.tokens,
            cost_usd=conditions.agent.definition.budget.cost_usd,
        ),
        sandbox=sandbox_record(
            conditions.sandbox,
            limiter.memory_kind,
            limiter.process_kind,
            conditions.model_endpoint,
            conditions.agent.definition.image,
        ),
        hardware=this_machine(),
        tool_version=conditions.tool_version,
        runner_pid=os.getpid(),
        started_at=started,
    )


def _ended(record: AttemptRecord, ending: Ending, ended: datetime) -> AttemptRecord:
    return record.model_copy(
        update={
            "ended_at": ended,
            "exit_status": ending.status,
            "exit_code": ending.exit_code,
            "peak_memory_bytes": ending.peak_memory_bytes,
            "limit_hit": ending.limit_hit,
        }
    )
