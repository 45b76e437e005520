"""The whole story on embedded tasks, offline: prepare → run → grade → vet → report."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

from audit.grading import grade_groups
from audit.runner.agent import load_agent
from audit.runner.bubblewrap import bubblewrap_problem
from audit.runner.group import RunOptions, run_group
from audit.runner.limits import Limits
from audit.runner.tasks import load_tasks
from audit.verdict import load_policy
from audit.vet import vet
from competitions.errors import RefusedError
from competitions.io import write_json, write_text
from competitions.prepare import prepare
from competitions.spec import load
from detectors.base import all_detectors
from reports.render import write_report
from reports.schema import Conclusion, Severity, SubjectKind, write_audit
from reports.words import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime
    from pathlib import Path

    from reports.schema import AuditReport, Subject

TASKS = {"breast-cancer": None, "modechoice": None, "spaceship-titanic": "miniature"}
AGENTS = ("constant", "baseline")
# The dishonest ones, on the first task alone, with the least seeds that show the offence.
OFFENDERS = {"peeker": 1, "oracle-prober": 1, "forger": 2, "overwriter": 1}
NEEDS_SANDBOX = frozenset({"overwriter"})  # without one it would overwrite the demo's data
MARK = "demo.json"
MADE = ("data", "runs", "report", "audit.json", "grading_report.json")
LIMITS = Limits(wall_clock_s=300, memory_bytes=2 << 30)


@dataclass(frozen=True)
class Demo:
    """What the demo left behind.

    Parameters
    ----------
    pages : tuple of Path
        The web page, then the summary.
    surprises : tuple of str
        What was not as it should be; empty when each offence was seen and nobody else accused.
    """

    report: AuditReport
    document: Path
    pages: tuple[Path, ...]
    surprises: tuple[str, ...]


def demo(
    output: Path,
    now: Callable[[], datetime],
    *,
    seeds: int = 3,
    jobs: int | None = None,
    tell: Callable[[str], None] = lambda _words: None,
    progress: Callable[[str], None] | None = None,
) -> Demo:
    """Prepare three tasks, run honest and dishonest agents, grade, vet, and write the report.

    Parameters
    ----------
    output : Path
        Folder for everything; what an earlier demo made in it is removed first.
    jobs : int or None
        Attempts at once; None takes the machine's cores, at most 4.
    tell : callable
        Told in a sentence what is being done.
    progress : callable or None
        Called after each unit of work.

    Raises
    ------
    RefusedError
        When the folder holds something that no demo made.
    """
    tick = progress or (lambda _words: None)
    _make_room(output)
    data_dir, runs = output / "data", output / "runs"
    sandbox = _sandbox(tell)
    tell(f"Preparing {', '.join(TASKS)}.")
    for name, source in TASKS.items():
        prepare(load(name), data_dir, source)
        tick(name)
    tasks = load_tasks(tuple(TASKS), "v1", data_dir)
    options = RunOptions(LIMITS, now, sandbox, jobs=jobs or min(os.cpu_count() or 1, 4))
    for name, n_tasks, n_seeds in _plan(seeds, sandbox):
        told = f"{counted(n_tasks, 'task')} × {counted(n_seeds, 'seed')}"
        tell(f"Running {name}: {told}, sandbox {sandbox}.")
        run_group(
            load_agent(name),
            tasks[:n_tasks],
            range(n_seeds),
            runs,
            options,
            lambda _done, _total, last: tick(last.unit.attempt_id),
        )
    tell("Grading and vetting.")
    grading = grade_groups([runs], data_dir, now(), tick)
    write_text(output / "grading_report.json", grading.model_dump_json(indent=2) + "\n")
    report = vet([runs], data_dir, load_policy(), now(), progress=tick)
    document = output / "audit.json"
    write_audit(report, document)
    pages = write_report(report, output / "report")
    return Demo(report, document, pages, tuple(surprises(report)))


def _plan(seeds: int, sandbox: str) -> list[tuple[str, int, int]]:
    """Return who runs on how many tasks and seeds."""
    everywhere = [(name, len(TASKS), seeds) for name in AGENTS]
    return everywhere + [
        (name, 1, least)
        for name, least in OFFENDERS.items()
        if sandbox != "none" or name not in NEEDS_SANDBOX
    ]


def _make_room(output: Path) -> None:
    """Take an empty folder, or one that a demo made."""
    if output.exists() and not output.is_dir():
        raise RefusedError(f"{output}: expected a folder, found a file.", "Name another with -o.")
    if output.is_dir() and any(output.iterdir()):
        if not (output / MARK).is_file():
            raise RefusedError(
                f"{output} holds files that no demo made.", "Name another folder with -o."
            )
        for name in MADE:  # whatever else lies there is somebody's
            child = output / name
            if child.is_dir() and not child.is_symlink():
                shutil.rmtree(child)
            else:
                child.unlink(missing_ok=True)
    output.mkdir(parents=True, exist_ok=True)
    write_json(output / MARK, {"made_by": "mle-audit demo", "tasks": list(TASKS)})


def _sandbox(tell: Callable[[str], None]) -> str:
    problem = bubblewrap_problem()
    if problem is None:
        return "bubblewrap"
    tell(f"No sandbox here: {problem} Going on with --sandbox none; the report says so.")
    return "none"


def surprises(report: AuditReport) -> Sequence[str]:
    """Say where the audit did not come out as it must: each offence seen, nobody else accused."""
    grave = [f for f in report.findings if f.severity > Severity.NOTE]
    wanted = {s.id: _offences(s) for s in report.subjects}
    found = []
    for subject in report.subjects:
        verdict = report.verdict_of(subject.id)
        conclusion = verdict.conclusion if verdict else Conclusion.UNDETERMINED
        is_caught = conclusion in {Conclusion.REVIEW, Conclusion.DISQUALIFY}
        seen = {f.detector for f in grave if subject.id in {f.subject, *f.attempts}}
        is_guilty = subject.kind is SubjectKind.ATTEMPT and bool(wanted[subject.id])
        if is_guilty and not is_caught:
            found.append(f"{subject.id} broke the rules and is only {conclusion}.")
        elif is_guilty and not wanted[subject.id] <= seen:
            unseen = ", ".join(sorted(wanted[subject.id] - seen))
            found.append(f"{subject.id} is {conclusion}, but not for {unseen}.")
        elif not wanted[subject.id] and conclusion not in {Conclusion.CLEAN, Conclusion.NOTE}:
            found.append(f"{subject.id} is {conclusion}, and should not be in question.")
    policy = load_policy()  # what leads to nobody's eyes, such as a fault on record, accuses nobody
    found += [
        f"{f.id} accuses {f.subject}."
        for f in grave
        if policy.conclude(f) >= Conclusion.REVIEW
        and f.detector not in wanted.get(f.subject, frozenset())
    ]
    return found


def _offences(subject: Subject) -> frozenset[str]:
    """Return the detectors that must see something of a subject: its agent's declared offences."""
    if subject.agent is None:
        return frozenset()
    definition = load_agent(subject.agent).definition
    known = all_detectors()
    return frozenset(
        name
        for name in definition.offences
        if name in known
        and (subject.kind is SubjectKind.ATTEMPT or known[name].about.subject is subject.kind)
    )
