"""What a group is to do: every attempt with task and seed, written before the first one starts.

``plan.json`` is what lets another runner go on with a group, or share the work on it: which
attempts there are, under which limits, with which agent and which data, each named by digest.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import (
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)

from audit.runner.limits import MAX_ATTEMPTS, Limits
from audit.runner.model_endpoint import ModelEndpoint
from competitions.errors import RefusedError, UnreadableFileError, UsageError
from competitions.io import write_json
from competitions.spec import Slug, Variant, problems_of
from detectors.record import Description

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from audit.runner.agent import Agent
    from audit.runner.attempt import TaskData

PLAN_NAME = "plan.json"
MAX_PLAN_BYTES = 64 << 20
_MAX_NAME = 200  # characters; a file system takes 255 bytes, and temporary names are longer


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class PlannedTask(_Model):
    """A task and the digest of the public data its attempts are to see."""

    competition_id: Slug
    variant: Variant
    data_digest: str
    data_source: str


class PlannedAttempt(_Model):
    """One attempt; its id stays the same however often it is interrupted."""

    attempt_id: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]*$", max_length=_MAX_NAME)]
    competition_id: Slug
    seed: int


class Plan(_Model):
    """``plan.json``.

    Parameters
    ----------
    agent_folder : str
        Where the agent's folder was; it must still hold the same files when the group goes on.
    data_dir : str
        Where the tasks were prepared.
    snapshot_every_s : float or None
        How often copies of the submission are kept.
    model_endpoint : ModelEndpoint or None
        The one address outside that attempts may reach, and the name of the variable with its key.
    attempts : tuple of PlannedAttempt
        In the order in which they are begun: seed by seed.
    """

    schema_version: Literal[1] = 1
    group: str
    created_at: AwareDatetime
    tool_version: str
    agent_id: Slug
    agent_digest: str
    agent_folder: str
    data_dir: str
    limits: Limits
    sandbox: str
    snapshot_every_s: float | None = None
    description: Description = "prepared"
    model_endpoint: ModelEndpoint | None = None
    tasks: tuple[PlannedTask, ...]
    attempts: Annotated[tuple[PlannedAttempt, ...], Field(max_length=MAX_ATTEMPTS)]

    @field_validator("attempts")
    @classmethod
    def _have_a_folder_each(
        cls, attempts: tuple[PlannedAttempt, ...]
    ) -> tuple[PlannedAttempt, ...]:
        if twice := _twice(attempt.attempt_id for attempt in attempts):
            raise ValueError(f"{twice} is named twice")
        return attempts

    @model_validator(mode="after")
    def _are_of_its_tasks(self) -> Plan:
        tasks = [task.competition_id for task in self.tasks]
        if twice := _twice(tasks):
            raise ValueError(f"tasks: {twice} is named twice")
        for attempt in self.attempts:
            if attempt.competition_id not in tasks:
                raise ValueError(
                    f"{attempt.attempt_id}: {attempt.competition_id} is none of the tasks"
                )
        return self

    def check_agent(self, agent: Agent) -> None:
        """Refuse an agent that is not the one the group was begun with.

        Raises
        ------
        RefusedError
            The attempts of one group would be those of two systems.
        """
        if (agent.id, agent.digest) != (self.agent_id, self.agent_digest):
            raise RefusedError(
                f"Expected the agent {self.agent_id} with digest {self.agent_digest[:12]}, as the "
                f"group was begun; found {agent.id} with digest {agent.digest[:12]} in "
                f"{agent.folder}.",
                "Restore its folder, or begin a new group: "
                f"mle-audit run --agent {agent.folder} -c ID",
            )

    def check_task(self, task: TaskData) -> None:
        """Refuse data that are not those the group was begun with.

        Raises
        ------
        RefusedError
        """
        planned = next(t for t in self.tasks if t.competition_id == task.spec.id)
        if (task.spec.variant, task.digest) != (planned.variant, planned.data_digest):
            raise RefusedError(
                f"{task.spec.id}: expected public data with digest {planned.data_digest[:12]} "
                f"({planned.variant}), as the group was begun; found {task.digest[:12]} "
                f"({task.spec.variant}) in {task.prepared}.",
                "Name the data directory it was begun with: --data-dir DIR",
            )


def described(description: str, sandbox: str) -> Description:
    """Return which description the agents of a group get.

    Raises
    ------
    UsageError
        When no description is called this, or a group without a sandbox cannot have it.
    """
    if description == "prepared":
        return "prepared"
    if description != "obfuscated":
        raise UsageError(
            f"Expected a description of prepared or obfuscated, found {description!r}."
        )
    if sandbox == "none":
        raise UsageError(
            "An obfuscated description needs a sandbox: without one the agent is shown the data "
            "folder itself, which names the task.",
            "Leave out --sandbox none.",
        )
    return "obfuscated"


def _twice(names: Iterable[str]) -> str | None:
    """Return a name that occurs more than once, or None."""
    return next((name for name, n in Counter(names).items() if n > 1), None)


def write_plan(plan: Plan, group: Path) -> None:
    """Write ``plan.json`` atomically; names of folders need not be UTF-8."""
    write_json(group / PLAN_NAME, plan.model_dump(mode="json"))


def read_plan(group: Path) -> Plan:
    """Read the plan of a group.

    Raises
    ------
    UsageError
        When the folder has none: it is no group, or MLE-bench made it.
    UnreadableFileError
        When the file is no plan.
    """
    path = group / PLAN_NAME
    if not path.is_file():
        raise UsageError(
            f"{group} holds no {PLAN_NAME}: expected a group that mle-audit run has begun.",
            "Groups are the folders <time>_run-group_<agent> below --run-dir.",
        )
    try:
        with path.open("rb") as stream:
            content = json.loads(stream.read(MAX_PLAN_BYTES))
        return Plan.model_validate(content)
    except ValidationError as error:
        raise UnreadableFileError(f"{path}: " + "; ".join(problems_of(error)[:5])) from error
    except (OSError, ValueError, RecursionError) as error:
        raise UnreadableFileError(f"{path}: expected the plan of a group: {error}.") from error
