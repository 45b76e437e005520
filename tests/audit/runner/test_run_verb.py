"""The verb `run`, from the command line to the records on disk."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from audit.cli import app
from audit.runner.group import RunOptions, units_of
from audit.runner.limits import MAX_ATTEMPTS, Limits
from audit.runner.plan import read_plan
from audit.runner.tasks import load_tasks
from competitions.errors import (
    DigestMismatchError,
    NotPreparedError,
    RefusedError,
    RunError,
    UnknownNameError,
    UsageError,
)
from competitions.prepare import prepare
from competitions.spec import load
from tests.audit.runner.tiny import make_agent, now


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    prepare(load("breast-cancer"), folder)
    return folder


def call(*words: str):
    result = CliRunner().invoke(app, ["run", *words], catch_exceptions=True)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def words(data, tmp_path, *more: str) -> list[str]:
    common = ["-c", "breast-cancer", "--data-dir", str(data), "--run-dir", str(tmp_path / "runs")]
    return [*common, "--sandbox", "none", "--time-limit", "1m", *more]


def test_it_prints_a_table_and_the_groups_folder(data, tmp_path):
    result = call("--agent", "constant", *words(data, tmp_path, "--seeds", "2"))
    assert result.exit_code == 0
    (group,) = (tmp_path / "runs").iterdir()
    lines = result.stdout.splitlines()
    assert lines[0].split()[:3] == ["competition", "seed", "exit"]
    assert [line.split()[:3] for line in lines[1:3]] == [
        ["breast-cancer", "0", "finished"],
        ["breast-cancer", "1", "finished"],
    ]
    assert lines[-1] == f"Group: {group}"


def test_json_is_one_document(data, tmp_path):
    result = call("--agent", "constant", *words(data, tmp_path, "--memory", "1G", "--json"))
    document = json.loads(result.stdout)
    (attempt,) = document["attempts"]
    assert attempt["exit_status"] == "finished"
    assert attempt["budget"]["wall_clock_s"] == 60.0
    assert attempt["budget"]["memory_bytes"] == 1 << 30
    assert attempt["data_source"] == "embedded"


@pytest.mark.parametrize(
    ("more", "error"),
    [
        pytest.param(["--agent", "constnat"], UnknownNameError, id="agent"),
        pytest.param(["--agent", "constant", "-c", "breast"], UnknownNameError, id="task"),
        pytest.param(["--agent", "constant", "-c", "modechoice"], NotPreparedError, id="data"),
        pytest.param(["--agent", "constant", "--variant", "v2"], UsageError, id="variant"),
        pytest.param(["--agent", "constant", "--memory", "much"], UsageError, id="memory"),
        pytest.param(["--agent", "constant", "--memory", "99999999999T"], UsageError, id="8 EiB"),
        pytest.param(["--agent", "constant", "--time-limit", "soon"], UsageError, id="time"),
        pytest.param(["--agent", "constant", "--memory", ""], UsageError, id="memory unset"),
        pytest.param(["--agent", "constant", "--disk", ""], UsageError, id="disk unset"),
        pytest.param(["--agent", "constant", "--output-limit", ""], UsageError, id="output unset"),
        pytest.param(["--agent", "constant", "--time-limit", ""], UsageError, id="time unset"),
        pytest.param(["--agent", "constant", "--snapshot-every", ""], UsageError, id="every unset"),
        pytest.param(
            ["--agent", "constant", "--snapshot-every", "9999999999d"],
            UsageError,
            id="every few million years",
        ),
        pytest.param(["--agent", "constant", "--sandbox", "jail"], UsageError, id="sandbox"),
        pytest.param(["--agent", "constant", "--engine", "x", "-j", "2"], UsageError, id="engine"),
    ],
)
def test_a_wrong_word_is_told_before_anything_runs(data, tmp_path, more, error):
    with pytest.raises(error):
        call(*words(data, tmp_path, "--seeds", "2"), *more)
    assert not list((tmp_path / "runs").glob("*/*/attempt.json"))


def test_data_that_changed_since_is_told_before_anything_runs(tmp_path):
    prepared = prepare(load("breast-cancer"), tmp_path / "data")
    train = prepared.public / "train.csv"
    train.write_text(train.read_text() + "1,2,3\n")
    with pytest.raises(DigestMismatchError, match=r"public/train\.csv"):
        call("--agent", "constant", *words(tmp_path / "data", tmp_path))
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("run_dir", "data_dir", "remedy"),
    [
        pytest.param("agent/runs", "data", "another --run-dir", id="runs"),
        pytest.param("agent", "data", "another --run-dir", id="the folder itself"),
        pytest.param("link/runs", "data", "another --run-dir", id="by a link"),
        pytest.param("runs", "agent/data", "another --data-dir", id="data"),
    ],
)
def test_answers_and_attempts_may_not_lie_in_the_agents_folder(
    data, tmp_path, run_dir, data_dir, remedy
):
    agent = make_agent(tmp_path / "agent", "exit 0")
    (tmp_path / "link").symlink_to(agent.folder)
    shutil.copytree(data, tmp_path / data_dir)
    before = sorted(tmp_path.rglob("*"))
    places = ["--run-dir", str(tmp_path / run_dir), "--data-dir", str(tmp_path / data_dir)]
    with pytest.raises(RefusedError, match=remedy):
        call("--agent", str(agent.folder), "-c", "breast-cancer", "--sandbox", "none", *places)
    assert sorted(tmp_path.rglob("*")) == before


def test_more_attempts_than_a_plan_can_hold_are_refused_before_they_are_named(data):
    tasks = load_tasks(["breast-cancer"], "v1", data)
    seeds = range(MAX_ATTEMPTS // 2 + 1)
    with pytest.raises(UsageError, match="at most 100000 attempts in a group, found 2 task"):
        units_of(tasks * 2, seeds, RunOptions(Limits(60), now))
    assert call("--agent", "constant", "-c", "breast-cancer", "--seeds", "9" * 30).exit_code == 2


@pytest.mark.parametrize("part", ["public/runs", "private/runs", "runs"])
def test_attempts_may_not_lie_among_prepared_data(data, tmp_path, part):
    shutil.copytree(data, tmp_path / "data")
    runs = tmp_path / "data/breast-cancer/prepared" / part
    with pytest.raises(RefusedError, match="another --run-dir"):
        call("--agent", "constant", *words(tmp_path / "data", tmp_path), "--run-dir", str(runs))
    assert not runs.exists()


def test_folders_whose_names_are_no_utf8_are_run_from_and_gone_on_with(data, tmp_path):
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff"))
    agent = make_agent(odd / "agent", "exit 0")
    shutil.copytree(data, odd / "data")
    options = ["-c", "breast-cancer", "--sandbox", "none", "--data-dir", str(odd / "data")]
    call("--agent", str(agent.folder), *options, "--run-dir", str(tmp_path / "runs"))
    (group,) = (tmp_path / "runs").iterdir()
    assert read_plan(group).agent_folder == str(agent.folder)
    assert "Nothing is left" in call("--resume", str(group)).stdout


def test_metadata_that_cannot_be_written_hide_no_result(data, tmp_path, capsys):
    agent = make_agent(tmp_path / "agent", 'rm "$SUBMISSION_DIR"/../../metadata.json\n'
                       'mkdir "$SUBMISSION_DIR"/../../metadata.json\n')  # fmt: skip
    options = words(data, tmp_path, "--sandbox", "none")
    result = CliRunner().invoke(app, ["run", "--agent", str(agent.folder), *options])
    assert isinstance(result.exception, RunError)
    assert "each attempt.json says what became of it" in str(result.exception)
    assert "finished" in result.stdout
    (group,) = (tmp_path / "runs").iterdir()
    (group / "metadata.json").rmdir()
    assert "Nothing is left" in call("--resume", str(group)).stdout
    assert len(json.loads((group / "metadata.json").read_text())["runs"]) == 1


def test_sigterm_ends_the_command_with_130_and_a_record(data, tmp_path):
    agent = make_agent(tmp_path / "agent", "echo started; sleep 100\n")
    options = ["--agent", str(agent.folder), *words(data, tmp_path)]
    with subprocess.Popen(
        [sys.executable, "-m", "audit.cli", "run", *options], stderr=subprocess.PIPE, text=True
    ) as runner:
        deadline = time.monotonic() + 20
        while not list((tmp_path / "runs").glob("*/*/run.log")):
            assert time.monotonic() < deadline, "waited too long"
            time.sleep(0.05)
        runner.terminate()
        _, said = runner.communicate(timeout=20)
    assert runner.returncode == 130
    assert "What was finished is on disk" in said
    (record,) = (tmp_path / "runs").glob("*/*/attempt.json")
    told = json.loads(record.read_text())
    assert (told["exit_status"], told["limit_hit"]) == (
        "interrupted",
        "the runner was told to end (SIGTERM)",
    )


def test_help_ends_with_an_example_and_imports_nothing_heavy():
    code = (
        "import sys\nsys.argv = ['mle-audit', 'run', '--help']\n"
        "from audit.cli import app\n"
        "try:\n    app()\nexcept SystemExit:\n    pass\n"
        "heavy = {'pandas', 'sklearn', 'joblib', 'psutil', 'numpy'}\n"
        "print('heavy:', sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert "Example: mle-audit run --agent baseline" in done.stdout
    assert "heavy: []" in done.stdout


def test_a_models_endpoint_is_remembered_and_its_key_is_not(data, tmp_path, monkeypatch):
    agent = make_agent(tmp_path / "agent", 'echo "$OPENAI_API_KEY" > "$LOGS_DIR/key"\n')
    monkeypatch.setenv("THE_KEY", "sk-canary-0123456789")
    way = ("--model-endpoint", "https://models.example/v1", "--model-key-env", "THE_KEY")
    call("--agent", str(agent.folder), *words(data, tmp_path, *way))
    (group,) = (tmp_path / "runs").iterdir()

    planned = read_plan(group).model_endpoint
    assert planned is not None
    assert (planned.url, planned.key_env) == ("https://models.example/v1", "THE_KEY")
    kept = b"".join(p.read_bytes() for p in group.rglob("*") if p.is_file())
    assert b"sk-canary" not in kept


def test_a_key_without_an_endpoint_is_a_slip(data, tmp_path):
    with pytest.raises(UsageError, match="without --model-endpoint"):
        call("--agent", "constant", *words(data, tmp_path, "--model-key-env", "THE_KEY"))
