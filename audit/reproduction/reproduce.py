"""One agent against a baseline: prepare → freeze → run both → grade → vet → one document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import audit
from audit.reproduction.compare import document_of
from audit.reproduction.folder import (
    RUNS,
    frozen_before,
    group_of,
    keep_frozen,
    open_folder,
)
from audit.reproduction.freeze import frozen_tasks
from audit.reproduction.html import render_html
from audit.reproduction.markdown import render_markdown
from audit.reproduction.schema import Reproduction, read_reproduction, write_reproduction
from audit.runner.attempt import TaskData
from audit.runner.forecast import forecast
from audit.runner.group import RunOptions, run_group, units_of
from audit.runner.ledger import claimed
from audit.runner.resume import rest_of, resume_group
from audit.verdict import load_policy
from audit.vet import vet
from competitions.data import default_data_dir, layout_of
from competitions.errors import DocumentError, RefusedError
from competitions.io import write_text
from detectors.base import all_detectors
from reports.render import write_report
from reports.schema import read_audit, write_audit
from reports.words import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime
    from pathlib import Path

    from audit.reproduction.config import Plan
    from audit.runner.agent import Agent
    from audit.runner.forecast import Forecast
    from audit.runner.group import Done, Unit
    from reports.schema import AuditReport

DOCUMENT, PAGE, SUMMARY = "reproduction.json", "reproduction.html", "reproduction.md"
AUDIT, GRADES, REPORT = "audit.json", "grading_report.json", "report"


def _nothing(_words: str) -> None:
    return


@dataclass(frozen=True)
class Reproduced:
    """What a reproduction left behind.

    Parameters
    ----------
    report : AuditReport
        The audit of all runs, whose verdicts decide the exit code.
    made : int
        Runs that this call made; 0 where an earlier call had made them all.
    """

    document: Reproduction
    report: AuditReport
    folder: Path
    made: int


@dataclass(frozen=True)
class Outlook:
    """What one agent's part would take.

    Parameters
    ----------
    units : tuple of Unit
        Runs that are left to make.
    """

    agent: str
    units: tuple[Unit, ...]
    told: Forecast


def reproduce(
    plan: Plan,
    output: Path,
    now: Callable[[], datetime],
    *,
    engine: str = "loky",
    tell: Callable[[str], None] = _nothing,
    progress: Callable[[str], None] = _nothing,
) -> Reproduced:
    """Run an agent and a baseline on frozen data, and say in one document how they compare.

    Called again on a folder that was interrupted, it goes on: a run that has ended stays as it is.

    Parameters
    ----------
    output : Path
        Folder for everything but the data.
    tell : callable
        Told in a sentence what is being done.
    progress : callable
        Called after each unit of work.

    Raises
    ------
    RefusedError
        When the folder holds something else, or another process works in it.
    DigestMismatchError
        When data or an agent are not those that were frozen.
    MleAuditError
        When a task cannot be prepared, or the sandbox cannot work.
    KeyboardInterrupt
        When it is told to end; what has ended is on disk.
    """
    open_folder(output, plan)
    with claimed(output, "reproduce") as is_ours:
        if not is_ours:
            raise RefusedError(
                f"Another mle-audit reproduce works in {output}.",
                "Wait for it, or name another folder with -o.",
            )
        plan = frozen_before(output, plan)
        data_dir = plan.data_dir(default_data_dir())
        tell(f"Preparing and freezing {', '.join(s.id for s in plan.specs)}.")
        found = frozen_tasks(plan, data_dir, progress)
        keep_frozen(output, plan, found)
        made: list[str] = []

        def count(_done: int, _total: int, last: Done) -> None:
            made.append(last.unit.attempt_id)
            progress(last.unit.attempt_id)

        options = RunOptions(plan.limits, now, plan.config.sandbox, plan.config.jobs, engine)
        groups = []
        for agent in (plan.agent, plan.baseline):
            runs = f"{counted(len(found.tasks), 'task')} × {counted(len(plan.seeds), 'run')}"
            tell(f"Running {agent.id}: {runs}, sandbox {plan.config.sandbox}.")
            groups.append(_ran(agent, plan, found.tasks, output, options, count))
        if not made and (earlier := _done_before(output)):
            return Reproduced(*earlier, folder=output, made=0)
        tell("Grading and vetting.")
        report = vet(
            [output / RUNS], data_dir, load_policy(), now(), select=_asked(), progress=progress
        )
        document = document_of((groups[0], groups[1]), plan.specs, found.digests, report, now())
        write_all(document, report, output)
        return Reproduced(document, report, output, len(made))


def _ran(
    agent: Agent,
    plan: Plan,
    tasks: Sequence[TaskData],
    output: Path,
    options: RunOptions,
    count: Callable[[int, int, Done], None],
) -> Path:
    """Make an agent's runs, or those that are left; return the group's folder."""
    group = group_of(output, agent.id)
    if group is None:
        return run_group(agent, tasks, plan.seeds, output / RUNS, options, count)
    rest = rest_of(group, tasks[0].prepared.parent.parent)
    if rest.units:
        resume_group(
            group, rest, options.now, jobs=options.jobs, engine=options.engine, progress=count
        )
    return group


def _done_before(output: Path) -> tuple[Reproduction, AuditReport] | None:
    """Return what an earlier call left, if it was of this version and came to its end."""
    try:
        document = read_reproduction(output / DOCUMENT)
        report = read_audit(output / AUDIT)
    except DocumentError:
        return None
    is_ours = document.tool_version == audit.__version__
    is_whole = all((output / name).is_file() for name in document.files.values() if name != RUNS)
    return (document, report) if is_ours and is_whole else None


def write_all(document: Reproduction, report: AuditReport, output: Path) -> None:
    """Write the audit, its pages and the document's; the document comes last and marks the end."""
    if report.grading is not None:
        write_text(output / GRADES, report.grading.model_dump_json(indent=2) + "\n")
    write_audit(report, output / AUDIT)
    write_report(report, output / REPORT)
    write_text(output / PAGE, render_html(document))
    write_text(output / SUMMARY, render_markdown(document))
    write_reproduction(document, output / DOCUMENT)


def outlook(plan: Plan, output: Path, now: Callable[[], datetime]) -> list[Outlook]:
    """Say what is left to run and what that would take at most; nothing is made or started.

    Raises
    ------
    MleAuditError
        When a group that was begun cannot be gone on with.
    """
    data_dir = plan.data_dir(default_data_dir())
    options = RunOptions(plan.limits, now, plan.config.sandbox, plan.config.jobs)
    tasks = [
        TaskData(spec, layout_of(spec, data_dir).prepared, _source(plan, spec.id), "")
        for spec in plan.specs
    ]
    found = []
    for agent in (plan.agent, plan.baseline):
        group = group_of(output, agent.id)
        units = (
            tuple(units_of(tasks, plan.seeds, options))
            if group is None
            else rest_of(group, data_dir).units
        )
        told = forecast(agent, units, plan.limits, plan.config.jobs, output)
        found.append(Outlook(agent.id, units, told))
    return found


def _source(plan: Plan, competition: str) -> str:
    return plan.config.source.get(competition, "")


def _asked() -> tuple[str, ...]:
    """Return the detectors that are asked: agent and baseline may be made from one template.

    Who runs both against each other has both; that they share code is no offence of either.
    """
    return tuple(name for name, one in all_detectors().items() if not one.about.across_agents)
