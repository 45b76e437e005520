"""Many tasks in one call: one that fails stops no other, and the call can be made again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from audit import preparing
from audit.cli import app
from audit.preparing import Options, exit_code, memory_warnings, prepare_many
from competitions import needs
from competitions.data import layout_of
from competitions.errors import UsageError
from competitions.prepare import load_prepared
from competitions.prepared import verify
from competitions.spec import Needs, load

TASKS = ("breast-cancer", "spaceship-titanic", "modechoice")
ROOT = Path(__file__).parents[2]


@pytest.fixture
def data_dir(tmp_path):
    """A data directory in which the raw file of the second task is broken."""
    placed = layout_of(load(TASKS[1]), tmp_path).raw
    placed.mkdir(parents=True)
    (placed / "train.csv").write_text("PassengerId,Transported\n1,True\n")
    return tmp_path


@pytest.fixture
def call():
    def run(*words):
        return CliRunner().invoke(app, ["prepare", *map(str, words)])

    return run


@pytest.mark.parametrize("jobs", [1, 2])
def test_one_task_that_fails_is_a_row_and_the_others_are_prepared(data_dir, call, jobs):
    chosen = [word for name in TASKS for word in ("-c", name)]
    ended = call(*chosen, "--data-dir", data_dir, "--json", "--jobs", jobs)
    rows = json.loads(ended.stdout)

    assert ended.exit_code == 3
    assert [row["competition"] for row in rows] == list(TASKS)
    assert [row["result"].split(":")[0] for row in rows] == ["prepared", "failed", "prepared"]
    assert rows[1]["result"].startswith("failed: raw-data: ")
    assert "\n" not in rows[1]["result"]
    assert f"{TASKS[1]}: error[raw-data]: " in ended.stderr
    assert not layout_of(load(TASKS[1]), data_dir).prepared.exists()

    again = json.loads(call(*chosen, "--data-dir", data_dir, "--json", "--jobs", jobs).stdout)
    assert [row["result"].split(":")[0] for row in again] == [
        "already prepared",
        "failed",
        "already prepared",
    ]


def test_all_prepared_ends_with_0(call, tmp_path):
    assert call("-c", TASKS[0], "-c", TASKS[2], "--data-dir", tmp_path).exit_code == 0


@pytest.mark.parametrize(
    ("words", "code"),
    [
        pytest.param(["-c", TASKS[0], "-c", TASKS[2], "--variant", "fixed"], 2, id="all-misuse"),
        pytest.param(
            ["-c", TASKS[0], "-c", TASKS[1], "--variant", "fixed"], 3, id="misuse-and-broken-data"
        ),
    ],
)
def test_only_misuse_alone_ends_with_2(data_dir, call, words, code):
    ended = call(*words, "--data-dir", data_dir)

    assert ended.exit_code == code
    assert "failed: usage: " in ended.stdout


def test_a_task_alone_says_its_error_and_no_row(data_dir, call):
    ended = call("-c", TASKS[1], "--data-dir", data_dir)

    assert ended.stdout == ""
    assert ended.exception.code == "raw-data"


def test_one_text_is_not_handed_out_as_the_description_of_several_tasks(tmp_path, call):
    (tmp_path / "texts").mkdir()
    for name in ("breast-cancer", "modechoice"):
        (tmp_path / "texts" / f"{name}.md").write_text(f"# Of {name}")
    words = ("-c", "breast-cancer", "-c", "modechoice", "--data-dir", tmp_path / "data")
    refused = call(*words, "--description", tmp_path / "texts" / "modechoice.md")

    assert isinstance(refused.exception, UsageError)
    assert "the text of one task, and 2 are named" in str(refused.exception)
    assert not (tmp_path / "data").exists()
    assert call(*words, "--description", tmp_path / "texts").exit_code == 0
    for name in ("breast-cancer", "modechoice"):
        text = (tmp_path / "data" / name / "prepared" / "public" / "description.md").read_text()
        assert text == f"# Of {name}\n"


def test_what_the_system_refuses_is_a_row_too(tmp_path):
    (tmp_path / "file").write_text("")
    (result,) = prepare_many([TASKS[0]], Options(tmp_path / "file"))

    assert result.result.startswith("failed: os: ")
    assert exit_code([result]) == 3


def test_a_bug_is_raised_and_hides_in_no_row(tmp_path, monkeypatch):
    def broken(*_, **__):
        raise ZeroDivisionError

    monkeypatch.setattr(preparing, "prepare", broken)
    with pytest.raises(ZeroDivisionError):
        list(prepare_many(TASKS, Options(tmp_path)))


def test_too_little_memory_is_told_before_and_not_of_miniatures(tmp_path, monkeypatch):
    names = ["ventilator-pressure-prediction", TASKS[0]]
    monkeypatch.setattr(needs, "machine_memory", lambda: 1)

    (said,) = memory_warnings(names, Options(tmp_path))
    assert said.startswith(names[0])
    assert memory_warnings(names, Options(tmp_path, source="miniature")) == []


@pytest.mark.parametrize(
    ("jobs", "gigabytes", "is_told"),
    [
        pytest.param(1, 5, False, id="one-after-the-other"),
        pytest.param(2, 5, True, id="two-at-once"),
        pytest.param(2, 6, False, id="room-for-both"),
        pytest.param(4, 5, True, id="more-jobs-than-tasks"),
    ],
)
def test_memory_that_tasks_take_together_is_told(tmp_path, monkeypatch, jobs, gigabytes, is_told):
    monkeypatch.setattr(needs, "machine_memory", lambda: gigabytes * 10**9)
    tasks = {name: load(name).model_copy(update={"needs": Needs(memory_gb=3)}) for name in TASKS}
    tasks[TASKS[0]] = load(TASKS[0])
    monkeypatch.setattr(preparing, "named", lambda name, *_: tasks[name])
    said = memory_warnings(TASKS, Options(tmp_path, force=True), jobs=jobs)

    assert bool(said) is is_told
    if is_told:
        assert said[0].startswith(f"{TASKS[1]}, {TASKS[2]} at once take about 6 GB of memory, ")


KILLED = """
import os, signal, sys
from pathlib import Path
from audit import preparing
for result in preparing.prepare_many(sys.argv[2].split(","), preparing.Options(Path(sys.argv[1]))):
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_call_that_was_killed_goes_on_with_what_is_not_prepared(tmp_path, call):
    arguments = [sys.executable, "-c", KILLED, str(tmp_path), f"{TASKS[0]},{TASKS[2]}"]
    killed = subprocess.run(
        arguments, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)}, check=False, timeout=120
    )
    assert killed.returncode == -signal.SIGKILL

    ended = call("-c", TASKS[0], "-c", TASKS[2], "--data-dir", tmp_path, "--json", "-j", 2)
    assert [row["result"] for row in json.loads(ended.stdout)] == ["already prepared", "prepared"]
    for name in (TASKS[0], TASKS[2]):
        verify(load_prepared(load(name), tmp_path))
