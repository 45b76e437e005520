"""The forger and the overwriter commit their offence, hand in what is valid, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from audit.check import check
from audit.collect import attempts_in, groups_of
from audit.runner.agent import load_agent
from audit.runner.group import RunOptions, run_group
from audit.runner.limits import Limits
from audit.runner.tasks import load_tasks
from audit.selection import chosen_competitions
from competitions.prepare import prepare
from competitions.spec import load
from competitions.submission import schema_of, validate_file
from detectors.base import all_detectors
from reports.schema import Severity, SubjectKind
from tests.audit.runner.tiny import now

if TYPE_CHECKING:
    from pathlib import Path

    from audit.runner.attempt import TaskData
    from detectors.attempt import Attempt
    from detectors.group import Group

AGENTS = ("forger", "overwriter")
LIMITS = Limits(wall_clock_s=120, memory_bytes=1 << 30)

pytestmark = pytest.mark.sandbox


def offences(runs: Path) -> set[str]:
    """Return the detectors that find anything above a note, on attempts and on groups."""
    attempts = attempts_in([runs])
    of_kind: dict[SubjectKind, tuple[Attempt | Group, ...]] = {
        SubjectKind.ATTEMPT: attempts,
        SubjectKind.GROUP: groups_of(attempts),
    }
    return {
        name
        for name, cls in all_detectors().items()
        for subject in of_kind.get(cls.about.subject, ())
        if any(f.severity > Severity.NOTE for f in check(cls(), subject).findings)
    }


def assert_all_in_order(agent_id: str, tasks: list[TaskData], runs: Path, cache: Path) -> None:
    agent = load_agent(agent_id)
    options = RunOptions(LIMITS, now, cache=cache, jobs=2)
    run_group(agent, tasks, range(2), runs, options)
    specs = {t.spec.id: t for t in tasks}
    found = attempts_in([runs])

    assert len(found) == 2 * len(tasks)
    for attempt in found:
        task = specs[attempt.competition_id]
        assert attempt.record is not None
        assert attempt.record.exit_status == "finished", attempt.logs[0].text
        assert attempt.record.harness_changed == ()
        assert attempt.submission is not None
        assert validate_file(attempt.submission, task.prepared, schema_of(task.spec)) == ()
    assert offences(runs) == set(agent.definition.offences)


@pytest.mark.slow
@pytest.mark.parametrize("agent_id", AGENTS)
def test_it_is_flagged_by_its_offence_and_no_other(agent_id, task, tmp_path, interpreters):
    assert_all_in_order(agent_id, [task], tmp_path / "runs", interpreters)


@pytest.fixture(scope="module")
def every_task(tmp_path_factory) -> list[TaskData]:
    """Every embedded task, and one with a miniature."""
    folder = tmp_path_factory.mktemp("data")
    names = [*chosen_competitions(split="embedded"), "spaceship-titanic"]
    for name in names:
        spec = load(name)
        prepare(spec, folder, None if spec.source.kind == "embedded" else "miniature")
    return list(load_tasks(names, "v1", folder))


@pytest.mark.slow
@pytest.mark.parametrize("agent_id", AGENTS)
def test_it_works_on_every_kind_of_task(agent_id, every_task, tmp_path, interpreters):
    assert_all_in_order(agent_id, every_task, tmp_path / "runs", interpreters)


@pytest.mark.slow
def test_the_forgers_files_are_equal_and_its_figures_differ(task, tmp_path, interpreters):
    options = RunOptions(LIMITS, now, cache=interpreters, jobs=2)
    run_group(load_agent("forger"), [task], range(3), tmp_path / "runs", options)
    found = attempts_in([tmp_path / "runs"])
    files = {a.submission.read_bytes() for a in found if a.submission}
    told = {log.text for a in found for log in a.logs if log.name == "logs/train.log"}

    assert len(files) == 1
    assert len(told) == 3
    assert all("epoch 8/8: train loss" in text for text in told)


def test_the_overwriter_tries_and_is_refused(task, tmp_path, interpreters):
    options = RunOptions(LIMITS, now, cache=interpreters)
    sample = (task.public / "sample_submission.csv").read_bytes()
    run_group(load_agent("overwriter"), [task], [0], tmp_path / "runs", options)
    (attempt,) = attempts_in([tmp_path / "runs"])
    log = next(log.text for log in attempt.logs if log.name == "logs/agent.log")

    assert (task.public / "sample_submission.csv").read_bytes() == sample
    for tried in ("chmod u+w", "cp /home", "mv -f", ">> /home/instructions.txt", "sed -i"):
        after = log.partition(f"$ {tried}")[2] or log.partition(tried)[2]
        assert "Read-only file system" in after.split("\n$ ")[0], tried
    assert "cannot set date" in log
