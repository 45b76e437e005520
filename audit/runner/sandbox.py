"""The kinds of sandbox an attempt can run in, and what each does not protect from."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TYPE_CHECKING, Literal

from audit.runner import devices, docker_sandbox, keeper, seccomp
from audit.runner.bubblewrap import (
    REMEDY,
    bubblewrap_command,
    bubblewrap_problem,
    forbids_user_namespaces,
    is_scratch_bounded,
)
from audit.runner.places import arguments, inside_environment, outside_environment
from audit.runner.scratch import scratch_folder
from audit.runner.supervise import Command
from competitions.errors import SandboxUnavailableError, UsageError
from detectors.record import SandboxRecord

if TYPE_CHECKING:
    from collections.abc import Iterator

    from audit.runner.agent import Agent, AgentDefinition
    from audit.runner.limiters import Kind as LimiterKind
    from audit.runner.limits import Limits
    from audit.runner.model_endpoint import ModelEndpoint
    from audit.runner.places import Places

Sandbox = Literal["bubblewrap", "none", "docker"]
SANDBOXES: tuple[Sandbox, ...] = ("bubblewrap", "none", "docker")
MARK = "MLE_AUDIT_ATTEMPT"  # in the environment of unprotected attempts, to find their processes

MISSING: dict[Sandbox, tuple[str, ...]] = {
    "bubblewrap": (),
    "docker": docker_sandbox.MISSING,
    "none": (
        "answers and graders on this machine can be read",
        "the network can be reached",
        "sockets of other services on this machine can be reached",
        "other processes and attempts can be seen",
        "other processes, mle-audit's among them, can be read, changed and ended",
        "files of the user who runs mle-audit can be changed",
        "logs, records and validation calls of this attempt and others can be changed",
        "data, agent and interpreter that later attempts use can be changed",
        "processes that kill their keeper can outlive the attempt",
        "the limits of memory and processes can be left",
        "all system calls are allowed, and new namespaces can be made",
    ),
}

_WATCHED = "processes and threads are only counted, not refused: no control group can be made"


def require_sandbox(kind: str, agent: AgentDefinition | None = None) -> Sandbox:
    """Return the kind of sandbox if it works on this machine, for this agent.

    Raises
    ------
    UsageError
        When no sandbox is called this, or the agent comes as an image and it takes none, or the
        other way round.
    SandboxUnavailableError
        When it does not work here, with the reason and what helps.
    """
    if kind not in SANDBOXES:
        raise UsageError(f"Expected a sandbox of {', '.join(SANDBOXES)}; found {kind!r}.")
    image = agent.image if agent else None
    if agent is not None and (kind == "docker") != (image is not None):
        raise UsageError(
            f"{agent.id} {'comes as an image' if image else 'is no image'}, and the sandbox "
            f"{kind} runs {'none' if image else 'nothing else'}.",
            f"Write: --sandbox {'docker' if image else 'bubblewrap'}",
        )
    if kind == "docker":
        if image is not None:
            docker_sandbox.image_digest(image)
        return "docker"
    if kind == "none":
        return "none"
    problem = bubblewrap_problem()
    if problem is not None:
        raise SandboxUnavailableError(f"The bubblewrap sandbox does not work: {problem}.", REMEDY)
    return "bubblewrap"


def sandbox_record(
    kind: Sandbox,
    limiter: LimiterKind,
    process_limiter: LimiterKind,
    endpoint: ModelEndpoint | None = None,
    image: str | None = None,
) -> SandboxRecord:
    """Return what an attempt's record says about its sandbox."""
    return SandboxRecord(
        kind=kind,
        network=kind == "none",
        model_endpoint=endpoint.named if endpoint else None,
        memory_limiter="docker" if kind == "docker" else limiter,
        process_limiter="docker" if kind == "docker" else process_limiter,
        image_digest=docker_sandbox.image_digest(image) if image else None,
        missing_protections=(
            *MISSING[kind],
            *_missing_here(kind, limiter),
            *([_WATCHED] if process_limiter == "watchdog" and kind != "docker" else []),
        ),
    )


def _missing_here(kind: Sandbox, limiter: LimiterKind) -> Iterator[str]:
    """Yield what this machine in particular does not protect from."""
    if kind != "bubblewrap":
        return
    if seccomp.program() is None:
        yield (
            "the kernel's keyrings and sockets that ignore namespaces can be used: no system call "
            "filter for this machine"
        )
    if devices.is_needed() and not devices.is_possible():
        yield devices.MISSING
    if not forbids_user_namespaces():
        yield "new user namespaces can be made: this bubblewrap cannot forbid them"
    if limiter == "watchdog" and is_scratch_bounded():
        yield (
            "shared memory is bounded and estimated, buffers of pipes and sockets and System V "
            "segments are not counted: no control group can be made"
        )
    elif limiter == "watchdog":
        yield (
            "shared memory is only estimated, buffers of pipes and sockets and System V segments "
            "are not counted: no control group can be made, and this bubblewrap gives scratch "
            "folders no size"
        )


@contextlib.contextmanager
def sandboxed(
    kind: Sandbox, agent: Agent, places: Places, task: tuple[str, int], limits: Limits
) -> Iterator[Command]:
    """Give the command that runs an agent in a sandbox of this kind.

    Parameters
    ----------
    task : tuple of str and int
        Competition id and seed.

    Yields
    ------
    Command
        To be run within the block.
    """
    competition_id, seed = task
    if kind == "bubblewrap":
        environment = inside_environment(agent, places, competition_id, seed, limits)
        with bubblewrap_command(places, environment, arguments(agent)) as command:
            yield command
        return
    if kind == "docker":
        environment = inside_environment(agent, places, competition_id, seed, limits)
        image = str(agent.definition.image)
        asked = docker_sandbox.container(image, places, environment, arguments(agent), limits)
        with docker_sandbox.docker_command(asked) as command:
            yield command
        return
    with scratch_folder("home") as home:
        environment = outside_environment(agent, places, competition_id, seed, limits)
        environment |= {"HOME": str(home), "TMPDIR": str(home), MARK: places.attempt.name}
        keep = (sys.executable, "-I", "-S", "-B", keeper.__file__, str(os.getpid()))
        start = ("/bin/bash", str(places.agent / "start.sh"), *arguments(agent))
        yield Command((*keep, *start), env=environment, cwd=home, ends_its_own=True, home=home)
