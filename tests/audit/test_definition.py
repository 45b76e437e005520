"""`validate TASK.yaml` tells every problem of a definition at once, each under its check."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from audit.cli import app
from audit.definition import check_definition
from competitions.errors import InvalidDefinitionError, UsageError
from competitions.new_task import new_task
from competitions.spec import CATALOG
from tests.competitions.kaggle_folders import edit, kaggle_folder

EXPECT = """expect:
  v1: {sample: 0.5, perfect: best, random: graded, shuffled-perfect: same-as-perfect,
       with-nan: none, missing-rows: none, extra-rows: none}
"""


@pytest.fixture
def task(tmp_path):
    new_task(kaggle_folder(tmp_path / "k"), "t", "auc-roc", tmp_path / "t")
    return tmp_path / "t" / "t.yaml"


def change(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def problems(path, raw=None):
    told: dict[tuple[str, str], str] = {}
    for _, check, result, said in check_definition(path, raw).rows:
        told[check, result] = f"{told.get((check, result), '')}; {said}".strip("; ")
    return told


def test_a_whole_definition_has_no_problem_and_its_scores_are_proposed(task):
    checked = check_definition(task)

    assert checked.exit_code == 0
    assert {row[2] for row in checked.rows} == {"ok"}
    assert checked.proposed["v1"]["perfect"] == "best"

    task.write_text(task.read_text() + EXPECT)
    assert (check_definition(task).exit_code, check_definition(task).proposed) == (0, {})


def test_a_task_that_ships_is_whole_in_both_variants():
    checked = check_definition(CATALOG / "spaceship-titanic.yaml")

    assert {row[0] for row in checked.rows} == {"v1", "fixed"}
    assert (checked.exit_code, checked.proposed) == (0, {})


@pytest.mark.parametrize(
    ("old", "new", "check", "said"),
    [
        pytest.param("auc-roc", "auc-rock", "names", "no metric is called", id="metric"),
        pytest.param("direction: higher", "direction: lower", "names", "better", id="direction"),
        pytest.param("whole_test", "halves", "names", "found 'halves'", id="split"),
        pytest.param("on: train.csv", "on: other.csv", "names", "found 'other.csv'", id="raw"),
        pytest.param("complexity", "hooks: no-such\ncomplexity", "names", "No hook", id="hook"),
        pytest.param("sha256: ", "sha256: 0", "board", "expected sha256 0", id="board-pin"),
        pytest.param(
            "{path: test.csv, part: test, copy: test.csv}",
            "{path: test.csv, part: test}",
            "secrecy",
            "holds the target",
            id="answers-in-the-open",
        ),
    ],
)
def test_a_fault_is_told_under_its_check(task, old, new, check, said):
    change(task, old, new)

    assert said in problems(task)[check, "problem"]
    assert check_definition(task).exit_code == 1


def test_faults_of_several_kinds_are_told_at_once(task):
    change(task, "auc-roc", "auc-rock")
    change(task, "sha256: ", "sha256: 0")
    task.write_text(task.read_text() + "expect:\n  fixed: {sample: 0.5}\n")

    found = {check for check, result in problems(task) if result == "problem"}
    assert found == {"names", "expect", "board"}
    assert ("scores", "not looked at") in problems(task)


def test_another_score_than_expected_is_told_with_both(task):
    task.write_text(task.read_text() + EXPECT.replace("sample: 0.5", "sample: 0.7"))

    assert "sample: expected 0.7, found 0.5" in problems(task)["scores", "problem"]


def test_answers_that_get_no_score_are_a_problem_also_before_anything_is_expected(task, tmp_path):
    solution = tmp_path / "k" / "solution.csv"
    edit(solution, lambda t: t.assign(target=["much", *t["target"][1:]]))

    assert "the answers themselves get no score" in problems(task)["scores", "problem"]
    assert check_definition(task).proposed == {}


def test_rows_that_are_in_both_parts_are_told(task, tmp_path):
    folder = tmp_path / "k"
    edit(folder / "train.csv", lambda t: t.assign(w=range(1000, 1120)))
    edit(folder / "test.csv", lambda t: t.assign(w=range(1060, 1120)))
    train = folder / "train.csv"
    edit(folder / "test.csv", lambda t: t.assign(x=_column(train, "x")[60:]))
    change(task, '"x", "target"]', '"x", "target", "w"]')
    change(task, '"id", "x"]', '"id", "x", "w"]')

    assert "60" in problems(task)["exact-row-overlap", "problem"]


def _column(path, name):
    import pandas as pd

    return pd.read_csv(path)[name].to_numpy()


def test_raw_files_that_are_not_there_could_not_be_looked_at(task, tmp_path):
    (tmp_path / "k").rename(tmp_path / "moved")

    assert "Name the folder" in problems(task)["prepared", "problem"]
    assert problems(task, tmp_path / "moved")["prepared", "ok"] == ""
    (tmp_path / "moved" / "solution.csv").unlink()
    assert check_definition(task, tmp_path / "moved").exit_code == 3


def test_what_does_not_load_is_an_error_with_all_its_problems(task, tmp_path):
    change(task, "kind: baselines", "kind: none")
    change(task, "complexity: dev", "complexity: extreme")
    with pytest.raises(InvalidDefinitionError, match=r"complexity[\s\S]*board\.kind"):
        check_definition(task)
    with pytest.raises(UsageError, match="found no file"):
        check_definition(tmp_path / "none.yaml")


def test_the_verb_prints_the_checks_as_json_and_ends_with_their_code(task):
    change(task, "sha256: ", "sha256: 0")
    done = CliRunner().invoke(app, ["validate", str(task), "--json"])

    assert done.exit_code == 1
    told = json.loads(done.stdout)
    assert [c["result"] for c in told["checks"] if c["check"] == "board"] == ["problem"]


def test_a_submission_still_needs_its_task(tmp_path):
    done = CliRunner().invoke(app, ["validate", str(tmp_path / "s.csv")])

    assert isinstance(done.exception, UsageError)
