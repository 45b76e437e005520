"""The verb `run`, from the command line to the records on disk."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from audit.cli import app
from competitions.errors import NotPreparedError, UnknownNameError, UsageError
from competitions.prepare import prepare
from competitions.spec import load


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
    assert attempt["budget"] == {
        "wall_clock_s": 60.0,
        "memory_bytes": 1 << 30,
        "cpu_count": None,
        "tokens": None,
        "cost_usd": None,
    }
    assert attempt["data_source"] == "embedded"


@pytest.mark.parametrize(
    ("more", "error"),
    [
        pytest.param(["--agent", "constnat"], UnknownNameError, id="agent"),
        pytest.param(["--agent", "constant", "-c", "breast"], UnknownNameError, id="task"),
        pytest.param(["--agent", "constant", "-c", "modechoice"], NotPreparedError, id="data"),
        pytest.param(["--agent", "constant", "--variant", "v2"], UsageError, id="variant"),
        pytest.param(["--agent", "constant", "--memory", "much"], UsageError, id="memory"),
        pytest.param(["--agent", "constant", "--time-limit", "soon"], UsageError, id="time"),
        pytest.param(["--agent", "constant", "--sandbox", "jail"], UsageError, id="sandbox"),
        pytest.param(["--agent", "constant", "--engine", "x", "-j", "2"], UsageError, id="engine"),
    ],
)
def test_a_wrong_word_is_told_before_anything_runs(data, tmp_path, more, error):
    with pytest.raises(error):
        call(*words(data, tmp_path, "--seeds", "2"), *more)
    assert not list((tmp_path / "runs").glob("*/*/attempt.json"))


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
