"""Prepare the tasks of a reproduction, or take what is prepared, and hold them to their digests."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from audit.reproduction.config import Frozen
from audit.runner.attempt import TaskData
from competitions.errors import DigestMismatchError
from competitions.io import sha256_tree
from competitions.prepare import prepare
from competitions.prepared import prepare_command, spec_sha256

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from audit.reproduction.config import Plan
    from audit.runner.agent import Agent
    from competitions.prepared import Prepared
    from competitions.spec import Competition

_MADE_AGAIN = frozenset({"embedded", "miniature"})  # without a file or an account of the user's
_WHAT = {
    "public": "of the public part",
    "private": "of the private part",
    "definition": "of the task's definition",
    "board": "of the board",
    "split": "",
}


class FrozenTasks(NamedTuple):
    """Prepared tasks, their digests, and the sources they can be prepared from again."""

    tasks: tuple[TaskData, ...]
    digests: dict[str, Frozen]
    sources: dict[str, str]


def frozen_tasks(
    plan: Plan, data_dir: Path, progress: Callable[[str], None] | None = None
) -> FrozenTasks:
    """Prepare each task, or verify what is prepared, and compare it with what was frozen.

    Raises
    ------
    DigestMismatchError
        When data, definition, board or an agent's folder is not the one that was frozen.
    MleAuditError
        When a task cannot be prepared; see `competitions.prepare.prepare`.
    """
    _check_agent("agent", plan.agent, plan.config.agent_sha256)
    _check_agent("baseline", plan.baseline, plan.config.baseline_sha256)
    tasks: list[TaskData] = []
    found: dict[str, Frozen] = {}
    sources: dict[str, str] = {}
    for spec in plan.specs:
        done = prepare(spec, data_dir, plan.config.source.get(spec.id))
        task = TaskData.of(done, (data_dir,))
        digests = digests_of(done, task.digest)
        check_frozen(done, plan.config.freeze.get(spec.id), digests)
        tasks.append(task)
        found[spec.id] = digests
        if done.source in _MADE_AGAIN and not (done.manifest and done.manifest.seed):
            sources[spec.id] = done.source
        if progress:
            progress(spec.id)
    return FrozenTasks(tuple(tasks), found, sources)


def digests_of(prepared: Prepared, public: str) -> Frozen:
    """Name a task's prepared data by digest; all of the private part is read."""
    spec = prepared.spec
    return Frozen(
        public=public,
        private=sha256_tree(prepared.private),
        definition=spec_sha256(spec),
        board=spec.board.sha256,
        split=split_words(spec),
    )


def split_words(spec: Competition) -> str:
    """Say by which recipe a task is split."""
    split = spec.split
    parts = [split.method, f"on {split.on}", f"test {split.test_size:g}", f"seed {split.seed}"]
    parts += [f"stratified by {split.stratify}"] if split.stratify else []
    parts += [f"in the order of {split.time}"] if split.time else []
    parts += ["whole groups together"] if split.group else []
    return ", ".join(parts)


def check_frozen(prepared: Prepared, frozen: Frozen | None, found: Frozen) -> None:
    """Compare a task with what was frozen; without a freeze there is nothing to compare.

    Raises
    ------
    DigestMismatchError
        Naming the first part that differs.
    """
    for name in Frozen.model_fields:
        expected = getattr(frozen, name) if frozen else None
        if expected is not None and expected != getattr(found, name):
            anew = prepare_command(prepared.spec, "--data-dir DIR")
            raise DigestMismatchError(
                prepared.folder,
                f"{expected} {_WHAT[name]}".strip(),
                str(getattr(found, name)),
                f"The freeze was made on other data, or with another version of the task. Name "
                f"the data directory it was made on as data_dir, or prepare in a new one: {anew}",
                "the split" if name == "split" else "sha256",
            )


def _check_agent(field: str, agent: Agent, expected: str | None) -> None:
    if expected is not None and expected != agent.digest:
        raise DigestMismatchError(
            agent.folder,
            expected,
            agent.digest,
            f"Restore the folder as it was frozen; or leave out {field}_sha256 in the "
            "configuration and begin anew in another folder, with -o.",
        )
