"""Find the attempts that a call is about, and the tasks they belong to. Nothing is changed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from audit.facts import facts_of, log_facts
from audit.published_figures import facts_of_published
from audit.runner.ledger import has_ended, is_set_aside
from audit.runner.plan import PLAN_NAME
from competitions.errors import MleAuditError, UsageError
from competitions.outside import known
from competitions.prepared import load_prepared, verify
from detectors.attempt import Attempt, is_attempt
from detectors.group import Group
from detectors.record import RECORD_NAME
from detectors.task import Task
from detectors.text_file import printable_name
from reports.schema import Subject, SubjectKind
from reports.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from competitions.prepared import Prepared
    from competitions.spec import Competition

MAX_DEPTH = 3  # runs/<group>/<attempt>, and one folder around it


class Collected(NamedTuple):
    """What was found: attempts, the same by agent, their tasks, and why a task is not here."""

    attempts: tuple[Attempt, ...]
    groups: tuple[Group, ...]
    tasks: dict[str, Task]  # by subject id
    absent: dict[str, str]  # competition id -> why its data cannot be looked at


def collect(paths: Iterable[Path], data_dir: Path) -> Collected:
    """Find attempts below the paths and the tasks they belong to.

    Parameters
    ----------
    paths : iterable of Path
        Attempts, groups, or folders of groups; ours or MLE-bench's.
    data_dir : Path
        Where tasks are prepared.

    Raises
    ------
    UsageError
        When a path does not exist or holds no attempt, or two attempts have one name.
    """
    attempts = attempts_in(paths)
    tasks: dict[str, Task] = {}
    absent: dict[str, str] = {}
    verified: dict[Path, MleAuditError | None] = {}
    for attempt in attempts:
        try:
            prepared = prepared_of(attempt, data_dir)
            if prepared.folder not in verified:
                verified[prepared.folder] = _changed(prepared)
            changed = verified[prepared.folder]
            if changed is not None:
                raise changed
        except MleAuditError as error:
            absent[competition_of(attempt)] = error.problem
            continue
        task = Task(prepared.spec, prepared.folder)
        tasks[task.id] = task
    return Collected(attempts, groups_of(attempts), dict(sorted(tasks.items())), absent)


def _changed(prepared: Prepared) -> MleAuditError | None:
    """Return why prepared data is not what was written, or None; it is read whole."""
    try:
        verify(prepared)
    except MleAuditError as error:
        return error
    return None


def attempts_in(paths: Iterable[Path]) -> tuple[Attempt, ...]:
    """List the attempts below all paths, each once, though paths may hold one another.

    Raises
    ------
    UsageError
        When a path does not exist or holds no attempt, or two attempts have one name, so that
        nobody could tell whose finding is whose.
    """
    by_place = {a.path.resolve(): a for path in paths for a in attempts_below(path)}
    by_name: dict[str, Attempt] = {}
    for attempt in by_place.values():
        other = by_name.setdefault(attempt.id, attempt)
        if other is not attempt:
            raise UsageError(
                f"Two attempts are called {attempt.id}: {other.path} and {attempt.path}.",
                f"One may be a copy of the other. Take one call each, mle-audit vet {_apart(other)}"
                f" and mle-audit vet {_apart(attempt)}, each with an -o of its own. Another name "
                "for the group's folder does not help: findings name the attempt's.",
            )
    return tuple(by_place.values())


def _apart(attempt: Attempt) -> str:
    return printable_name(str(attempt.path.parent))


def groups_of(attempts: Iterable[Attempt]) -> tuple[Group, ...]:
    """Put the attempts of each agent together, whichever run groups they lie in."""
    by_agent: dict[str, list[Attempt]] = {}
    for attempt in attempts:
        by_agent.setdefault(agent_of(attempt), []).append(attempt)
    return tuple(Group(agent, tuple(found)) for agent, found in sorted(by_agent.items()))


def attempts_below(path: Path) -> list[Attempt]:
    """List the attempts in a folder, sorted by their place; a folder may itself be one.

    Raises
    ------
    UsageError
        When the path is no folder or holds no attempt.
    """
    if not path.is_dir():
        raise UsageError(f"{path}: expected a folder of attempts, found none.")
    found = [Attempt(p) for p in attempt_folders(path)]
    if not found and (path / PLAN_NAME).is_file():
        raise UsageError(
            f"{path} holds no attempt yet: those that its {PLAN_NAME} names are not made.",
            f"Make them with: mle-audit run --resume {path}",
        )
    if not found:
        raise UsageError(
            f"{path} holds no attempt: expected <competition>_<uuid>/{{submission,code,logs}}.",
            "Make some with: mle-audit run --agent baseline -c spaceship-titanic",
        )
    return found


def attempt_folders(path: Path) -> list[Path]:
    """List the folders of attempts in a folder, sorted by their place; none where there is none.

    Raises
    ------
    UsageError
        When a folder cannot be looked into.
    """
    try:
        return list(_attempt_folders(path, MAX_DEPTH))
    except OSError as error:
        raise UsageError(f"{error.filename}: cannot be looked into ({error.strerror}).") from error


def _attempt_folders(path: Path, depth: int) -> Iterator[Path]:
    if is_attempt(path):
        yield path
    elif depth:
        for child in sorted(path.iterdir()):
            if child.is_dir() and not child.is_symlink() and not is_set_aside(child.name):
                yield from _attempt_folders(child, depth - 1)


def spec_of(attempt: Attempt, data_dir: Path | None = None) -> Competition:
    """Return the task of an attempt, in the variant its record names.

    Also one from outside the catalog, where `prepare` kept its definition in the data directory.

    Raises
    ------
    MleAuditError
        When the record is unreadable or no task has this id.
    """
    record = attempt.record
    return known(attempt.competition_id, record.variant if record else "v1", data_dir)


def prepared_of(attempt: Attempt, data_dir: Path) -> Prepared:
    """Return the prepared data of an attempt's task.

    Raises
    ------
    MleAuditError
        When the task is unknown, not prepared here, or its record is unreadable.
    """
    return load_prepared(spec_of(attempt, data_dir), data_dir)


def competition_of(attempt: Attempt) -> str:
    """Return the task's id from the record, else from the folder's name."""
    record = attempt.readable_record
    return record.competition_id if record else attempt.id.rpartition("_")[0]


def agent_of(attempt: Attempt) -> str:
    """Return the agent's id, else what the group's name says: ``<time>_run-group_<agent>``."""
    record = attempt.readable_record
    if record:
        return record.agent.id
    return printable_name(attempt.path.parent.name).rpartition("run-group_")[2] or "unknown"


def attempt_subject(attempt: Attempt) -> Subject:
    """Describe an attempt for the document, from its record as far as there is one."""
    record = attempt.readable_record
    missing = list(attempt.missing)
    if record is None:
        competition = competition_of(attempt)
        # MLE-bench's attempts have none; one that is there and cannot be read is another matter.
        there = os.path.lexists(attempt.path / RECORD_NAME)
        missing.append("readable record" if there else "record")
        return Subject(
            id=attempt.id,
            kind=SubjectKind.ATTEMPT,
            title=f"{agent_of(attempt)} on {competition}",
            competition=competition,
            agent=agent_of(attempt),
            path=printable_name(str(attempt.path)),
            missing=tuple(missing),
            facts=log_facts(attempt),
        )
    if not has_ended(record):  # what it will have done is not there to be seen
        missing.append("recorded end")
    return Subject(
        id=attempt.id,
        kind=SubjectKind.ATTEMPT,
        title=f"{record.agent.id} on {record.competition_id}, seed {record.seed}",
        competition=record.competition_id,
        variant=record.variant,
        agent=record.agent.id,
        seed=record.seed,
        path=printable_name(str(attempt.path)),
        missing=tuple(missing),
        facts=facts_of(record) | log_facts(attempt),
    )


def group_subject(group: Group) -> Subject:
    """Describe the attempts of an agent, or of all agents, together for the document."""
    tasks = sorted({competition_of(a) for a in group.attempts} - {""})
    whose = "all agents" if group.across_agents else f"agent {group.name}"
    folders = sorted({printable_name(a.path.parent.name) for a in group.attempts})
    made_of = {
        "attempt": len(group.attempts),
        "grading report": len(group.reports),
        "published row": len(group.claims),
    }
    held = [counted(n, what) for what, n in made_of.items() if n] or ["nothing that can be read"]
    return Subject(
        id=group.id,
        kind=SubjectKind.GROUP,
        title=f"of {whose}, {', '.join(held)}",
        agent=None if group.across_agents else group.name,
        missing=("grading report",) if group.unread else (),
        facts={
            "tasks": ", ".join(tasks),
            "run groups": ", ".join(folders),
            **facts_of_published(group),
        },
    )


def task_subject(task: Task, data_source: str) -> Subject:
    """Describe a task for the document."""
    spec = task.spec
    return Subject(
        id=task.id,
        kind=SubjectKind.TASK,
        title=spec.title,
        competition=spec.id,
        variant=spec.variant,
        path=str(task.prepared),
        facts={
            "summary": spec.summary,
            "data source": data_source,
            "source": spec.source.url,
            "metric": f"{spec.metric.name}, {spec.metric.direction} is better",
            "split": f"{spec.split.method}, test {spec.split.test_size}, seed {spec.split.seed}",
            "board": spec.board.kind,
            "board sha256": spec.board.sha256,
            "known issues": " ".join(i.what for i in spec.known_issues) or "none recorded",
        },
    )
