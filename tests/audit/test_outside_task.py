"""A task from outside the checkout goes through run, grade and vet as one that ships."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from audit.cli import app
from audit.runner.bubblewrap import bubblewrap_problem
from audit.runner.tasks import load_tasks
from competitions.errors import NotPreparedError
from competitions.new_task import new_task
from competitions.outside import named
from competitions.prepare import prepare
from tests.competitions.kaggle_folders import SQUARES, kaggle_folder
from tests.conftest import write_attempt

ID = "mine_0c5f7a0e-0000-4000-8000-000000000000"


@pytest.fixture
def task(tmp_path):
    new_task(kaggle_folder(tmp_path / "k"), "mine", "auc-roc", tmp_path / "mine")
    return tmp_path / "mine" / "mine.yaml"


def call(*words: object) -> str:
    done = CliRunner().invoke(app, [str(word) for word in words])
    assert done.exit_code == 0, (done.output, done.exception)
    return done.stdout


def test_what_must_not_be_seen_of_it_is_hidden_from_agents(task, tmp_path):
    data = tmp_path / "data"
    call("prepare", "-c", task, "--data-dir", data)

    for name in (str(task), "mine"):  # by its path, and by the id under which it was kept
        (found,) = load_tasks([name], "v1", data)
        assert found.spec.id == "mine"
        assert data in found.hidden
    (found,) = load_tasks([str(task)], "v1", data)
    assert {p.resolve() for p in found.hidden} >= {task.parent, tmp_path / "k"}


def test_one_that_is_not_prepared_is_told_how_by_its_path(task, tmp_path):
    with pytest.raises(NotPreparedError) as caught:
        load_tasks([str(task)], "v1", tmp_path / "data")

    assert f"mle-audit prepare -c {task}" in str(caught.value)


@pytest.mark.slow
def test_an_attempt_is_graded_and_vetted_by_its_id_alone(task, tmp_path):
    data = tmp_path / "data"
    prepare(named(str(task)), data)
    sample = (tmp_path / "k" / "sample_submission.csv").read_text()
    write_attempt(tmp_path / "runs" / ID, submission=sample)

    call("grade", tmp_path / "runs", "--data-dir", data, "-o", tmp_path / "report.json")
    call("vet", tmp_path / "runs", "--data-dir", data, "-o", tmp_path / "audit.json")

    report = json.loads((tmp_path / "report.json").read_text())
    assert [r["score"] for r in report["competition_reports"]] == [0.5]
    checks = json.loads((tmp_path / "audit.json").read_text())["checks"]
    told = {c["detector"]: c["outcome"] for c in checks if c["subject"].startswith("task:mine")}
    assert told["exact-row-overlap"] == "clean"


@pytest.mark.slow
@pytest.mark.sandbox
@pytest.mark.skipif(bubblewrap_problem() is not None, reason="bubblewrap does not work")
def test_an_agent_runs_on_it_and_its_own_metric_grades(tmp_path):
    (tmp_path / "m.py").write_text(SQUARES)
    new_task(kaggle_folder(tmp_path / "k"), "own", str(tmp_path / "m.py"), tmp_path / "t", "lower")
    task, data, runs = tmp_path / "t" / "own.yaml", tmp_path / "data", tmp_path / "runs"
    call("prepare", "-c", task, "--data-dir", data)
    limits = ("--time-limit", "5m", "--memory", "2G")
    call("run", "--agent", "baseline", "-c", task, "--data-dir", data, "--run-dir", runs, *limits)
    call("grade", runs, "--data-dir", data, "-o", tmp_path / "report.json")

    (told,) = json.loads((tmp_path / "report.json").read_text())["competition_reports"]
    assert 0 < told["score"] < 0.25  # the sample says 0.5 everywhere
