"""The verb: what it refuses, what it freezes, and that a kill costs nothing that had ended."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
import yaml

from audit.reproduction.config import read_plan
from audit.reproduction.folder import FROZEN, MARK, RUNS, group_of, keep_frozen, open_folder
from audit.reproduction.freeze import check_frozen, digests_of, frozen_tasks
from audit.reproduction.reproduce import outlook, reproduce
from audit.reproduction.schema import read_reproduction
from audit.runner.agent import AGENTS
from audit.runner.bubblewrap import bubblewrap_problem
from audit.runner.ledger import claimed
from competitions.errors import DigestMismatchError, RefusedError, UnreadableFileError
from competitions.prepared import load_prepared
from detectors.record import read_record
from tests.audit.reproductions import TASK, Made, write_group
from tests.docs.pages import ROOT, blocks

if TYPE_CHECKING:
    from pathlib import Path

DIGEST = "0" * 64


def now() -> datetime:
    return datetime.now(UTC)  # noqa: TID251 - runs take real time


@pytest.fixture
def config(tmp_path, data_dir):
    """Write a configuration on data that are prepared; `fields` replace or add to it."""

    def write(name: str = "c.yaml", **fields) -> Path:
        content = {"agent": "constant", "competitions": [TASK], "data_dir": str(data_dir)}
        path: Path = tmp_path / name
        path.write_text(yaml.safe_dump(content | fields))
        return path

    return write


@pytest.mark.parametrize("name", ["notes.txt", "data/train.csv", ".hidden"])
def test_a_folder_that_no_reproduction_made_is_refused_and_left_as_it_was(config, tmp_path, name):
    path = tmp_path / "mine" / name
    path.parent.mkdir(parents=True)
    path.write_text("keep")

    with pytest.raises(RefusedError, match="-o"):
        reproduce(read_plan(config()), tmp_path / "mine", now)
    assert [p for p in (tmp_path / "mine").rglob("*") if p.is_file()] == [path]


def test_a_file_is_refused(config, tmp_path):
    (tmp_path / "file").write_text("keep")

    with pytest.raises(RefusedError):
        open_folder(tmp_path / "file", read_plan(config()))


def test_a_folder_is_taken_again_by_the_same_configuration_only(config, tmp_path):
    output = tmp_path / "out"
    open_folder(output, read_plan(config()))
    open_folder(output, read_plan(config("same.yaml", jobs=3)))

    with pytest.raises(RefusedError, match="expected a reproduction of the configuration"):
        open_folder(output, read_plan(config("other.yaml", runs=4)))

    (output / MARK).write_text("{")
    with pytest.raises(UnreadableFileError):
        open_folder(output, read_plan(config()))


def test_a_mark_that_a_kill_cut_short_is_nobodys_file(config, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / f".{MARK}.x.tmp").write_text("")

    open_folder(tmp_path / "out", read_plan(config()))
    assert (tmp_path / "out" / MARK).is_file()


def test_two_at_once_in_one_folder_are_refused(config, tmp_path):
    plan = read_plan(config())
    open_folder(tmp_path / "out", plan)

    with (
        claimed(tmp_path / "out", "reproduce"),
        pytest.raises(RefusedError, match="Another mle-audit reproduce"),
    ):
        reproduce(plan, tmp_path / "out", now)


@pytest.mark.parametrize("part", ["public", "private", "definition", "board", "split"])
def test_data_that_are_not_the_frozen_ones_are_refused_by_name(config, data_dir, part):
    plan = read_plan(config())
    prepared = load_prepared(plan.specs[0], data_dir)
    found = digests_of(prepared, prepared.public_sha256)
    check_frozen(prepared, found, found)
    check_frozen(prepared, None, found)

    with pytest.raises(DigestMismatchError, match="mle-audit prepare") as caught:
        check_frozen(prepared, found.model_copy(update={part: DIGEST}), found)
    assert part in str(caught.value)


@pytest.mark.parametrize("field", ["agent_sha256", "baseline_sha256"])
def test_an_agent_that_is_not_the_frozen_one_is_refused(config, data_dir, field):
    with pytest.raises(DigestMismatchError, match=f"leave out {field}"):
        frozen_tasks(read_plan(config(**{field: DIGEST})), data_dir)


def test_what_was_frozen_first_stays(config, tmp_path, data_dir):
    plan = read_plan(config())
    (tmp_path / "out").mkdir()
    keep_frozen(tmp_path / "out", plan, frozen_tasks(plan, data_dir))
    first = (tmp_path / "out" / FROZEN).read_text()
    assert read_plan(tmp_path / "out" / FROZEN).config.freeze[TASK].public

    (tmp_path / "out" / FROZEN).write_text(first.replace("runs: 3", "runs: 4"))
    keep_frozen(tmp_path / "out", plan, frozen_tasks(plan, data_dir))
    assert "runs: 4" in (tmp_path / "out" / FROZEN).read_text()


def test_data_that_changed_between_two_calls_are_refused(config, tmp_path, data_dir):
    own = tmp_path / "data"
    shutil.copytree(data_dir, own)
    path = config(data_dir=str(own))
    output = tmp_path / "out"
    open_folder(output, read_plan(path))
    plan = read_plan(path)
    keep_frozen(output, plan, frozen_tasks(plan, own))
    frozen = yaml.safe_load((output / FROZEN).read_text())
    frozen["freeze"][TASK]["private"] = DIGEST
    (output / FROZEN).write_text(yaml.safe_dump(frozen))

    with pytest.raises(DigestMismatchError, match="of the private part"):
        reproduce(plan, output, now)


def test_groups_are_found_by_their_plan_and_unplanned_remains_removed(tmp_path):
    runs = tmp_path / RUNS
    group = write_group(runs, "agent", [Made("id,y\n")])
    remains = runs / "2026-01-01T00-00-00-GMT_run-group_simple"
    remains.mkdir()

    assert group_of(tmp_path, "agent") == group
    assert group_of(tmp_path, "simple") is None
    assert not remains.exists()
    assert group_of(tmp_path / "none", "agent") is None


def test_a_dry_run_starts_nothing(config, tmp_path):
    constant, baseline = outlook(read_plan(config(jobs=2)), tmp_path / "out", now)

    assert (constant.agent, baseline.agent) == ("constant", "baseline")
    assert [u.seed for u in constant.units] == [0, 1, 2]
    assert constant.told.hours == pytest.approx(2.0)
    assert not (tmp_path / "out").exists()


def _slow_agent(folder: Path, name: str) -> Path:
    """Write an agent that hands in the sample after a while."""
    shutil.copytree(AGENTS / "constant", folder)
    definition = folder / "agent.yaml"
    definition.write_text(definition.read_text().replace("id: constant", f"id: {name}"))
    start = folder / "start.sh"
    start.write_text(start.read_text().replace("exec", "sleep 3\nexec"))
    return folder


def _wait_for(condition, process, seconds=300):
    end = time.monotonic() + seconds
    while not condition():
        assert process.poll() is None, "it ended before it could be killed"
        assert time.monotonic() < end
        time.sleep(0.1)


@pytest.mark.slow
@pytest.mark.sandbox
@pytest.mark.skipif(bubblewrap_problem() is not None, reason="bubblewrap does not work here")
def test_a_kill_costs_nothing_that_had_ended_and_the_next_call_goes_on(tmp_path):
    _slow_agent(tmp_path / "slow", "slow")
    path = tmp_path / "c.yaml"
    fields = {
        "agent": "./slow", "baseline": "constant", "competitions": ["modechoice"],
        "data_dir": "data", "runs": 2, "time_limit": "5m", "memory": "1G",
    }  # fmt: skip
    path.write_text(yaml.safe_dump(fields))
    output = tmp_path / "out"
    words = [sys.executable, "-m", "audit.cli", "reproduce", str(path), "-o", str(output), "--json"]
    records = lambda: [  # noqa: E731 - asked again and again
        record
        for folder in sorted(output.glob(f"{RUNS}/*_slow/modechoice_*"))
        if (record := read_record(folder)) is not None
    ]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, start_new_session=True) as process:
        _wait_for(
            lambda: sorted(r.exit_status for r in records()) == ["finished", "running"], process
        )
        os.kill(process.pid, signal.SIGKILL)
    before = {r.attempt_id: r for r in records() if r.exit_status == "finished"}
    assert not (output / "reproduction.json").exists()

    done = subprocess.run(words, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    document = read_reproduction(output / "reproduction.json")
    (task,) = document.tasks
    assert json.loads(done.stdout) == document.model_dump(mode="json")
    assert {r.attempt_id: r for r in records() if r.attempt_id in before} == before
    assert sorted(r.earlier_tries for r in task.agent.runs) == [(), ("interrupted",)]
    assert (task.agent.valid.count, task.baseline.valid.count) == (2, 2)
    assert task.standing == "equal"
    assert all((output / name).exists() for name in document.files.values())
    assert all((output / log).is_file() for run in task.agent.runs for log in run.logs)

    written = (output / "reproduction.json").read_bytes()
    third = subprocess.run([*words, "--fail-on", "note"], check=False, capture_output=True)
    assert b"Nothing was left to run." in third.stderr
    assert third.returncode == 1  # equal files of all seeds are worth a note
    assert (output / "reproduction.json").read_bytes() == written
    answers = (tmp_path / "data/modechoice/prepared/private").rglob("*.csv")
    rows = {line for file in answers for line in file.read_text().splitlines()[1:]}
    page = (output / "reproduction.html").read_text() + written.decode()
    assert not any(row in page for row in rows if len(row) > 12)


@pytest.mark.slow
@pytest.mark.sandbox
@pytest.mark.skipif(bubblewrap_problem() is not None, reason="bubblewrap does not work here")
def test_the_session_of_the_page_goes_as_shown(tmp_path):
    page = ROOT / "docs" / "reproduce.md"
    (tmp_path / "reproduce.yaml").write_text(blocks(page, "yaml")[0].text, encoding="utf-8")
    week, repeated = (
        [line.removeprefix("$ mle-audit ").split() for line in block.text.splitlines()]
        for block in blocks(page, "console")
    )
    environment = os.environ | {"MLE_AUDIT_DATA": str(tmp_path / "data")}

    def run(words, folder):
        done = subprocess.run(
            [sys.executable, "-m", "audit.cli", *words],
            check=False,
            capture_output=True,
            text=True,
            cwd=folder,
            env=environment,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    said = [run(words, tmp_path) for words in week if words != ["doctor"]]
    output = tmp_path / "reproduction"

    assert "0, 1, 2" in said[0]
    assert said[1] == (output / "reproduction.md").read_text()
    assert "constant was worse than baseline on modechoice" in said[1]
    document = read_reproduction(output / "reproduction.json")
    assert all(run.claim for run in document.tasks[0].baseline.runs)
    assert "0, 1, 2" in run([*repeated[0], "--dry-run"], output)
