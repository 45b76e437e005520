"""Training code that belongs to no attempt is asked what an attempt's is."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from typer.testing import CliRunner

from audit.cli import app
from audit.leakage_code import leakage_of_code
from audit.verdict import load_policy
from competitions.errors import UnknownNameError, UsageError
from reports.schema import Outcome
from tests.conftest import write_attempt

NOW = datetime(2026, 1, 1, tzinfo=UTC)
LEAKS = (
    "import pandas as pd\ndf = pd.read_csv('train.csv')\ny = df['t']\nX = df.drop(columns=['t'])\n"
    "X, y = SMOTE().fit_resample(X, y)\na, b, c, d = train_test_split(X, y)\n"
    "print(SVC().fit(a, c).score(b, d))\n"
)


def ask(*paths, **options):
    return leakage_of_code(paths, load_policy(), NOW, **options)


def flagged(report):
    return {(c.subject, c.detector) for c in report.checks if c.outcome is Outcome.FLAGGED}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "train.py").write_text(LEAKS)
    (tmp_path / "honest.py").write_text("x = 1\n")
    book = {"cells": [{"cell_type": "code", "source": LEAKS}]}
    (tmp_path / "notes.ipynb").write_text(json.dumps(book))
    (tmp_path / "data.csv").write_text("a,b\n1,2\n")
    return tmp_path


def test_scripts_and_notebooks_are_asked_each(folder):
    report = ask(folder / "train.py", folder / "notes.ipynb", folder / "honest.py")

    assert flagged(report) == {
        ("train.py", "resample-before-split"), ("notes.ipynb", "resample-before-split"),
    }  # fmt: skip
    assert [v.conclusion.value for v in report.verdicts] == ["review", "review", "clean"]


def test_a_folder_is_one_piece_of_work(folder):
    report = ask(folder)

    assert [s.title for s in report.subjects] == [f"{folder.name}/"]
    assert flagged(report) == {(folder.name, "resample-before-split")}


def test_an_attempt_is_asked_as_one(tmp_path):
    write_attempt(tmp_path / "modechoice_1", code=LEAKS)

    assert flagged(ask(tmp_path / "modechoice_1")) == {
        ("modechoice_1", "resample-before-split"), ("modechoice_1", "group-blind-split"),
    }  # fmt: skip


def test_a_task_is_asked_about_its_things_only_where_it_is_named(folder):
    with_task = ask(folder / "train.py", competition="modechoice")

    assert ("train.py", "group-blind-split") in flagged(with_task)
    assert ("train.py", "group-blind-split") not in flagged(ask(folder / "train.py"))


def test_without_code_nothing_is_cleared(folder):
    report = ask(folder / "data.csv")

    assert {c.outcome for c in report.checks} == {Outcome.NOT_APPLICABLE}
    assert report.verdicts[0].conclusion.value != "clean"


@pytest.mark.parametrize(
    ("name", "content", "conclusion"),
    [
        pytest.param("a.py", b"def (:", "undetermined", id="no-python"),
        pytest.param("a.py", b"\x00\xff\xfe", "undetermined", id="bytes"),
        pytest.param("a.ipynb", b'{"cells": 5}', "undetermined", id="no-notebook"),
        pytest.param("a.py", b"# to be written\n", "clean", id="a-comment-alone"),
        pytest.param("a.py", b"x = 1\nprint x\n", "clean", id="a-line-that-does-not-parse"),
    ],
)
def test_code_of_which_nothing_can_be_parsed_is_not_cleared(tmp_path, name, content, conclusion):
    (tmp_path / name).write_bytes(content)

    assert ask(tmp_path / name).verdicts[0].conclusion.value == conclusion


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"select": ["fit-before-spilt"]}, UnknownNameError),
        ({"select": ["exact-row-overlap"]}, UnknownNameError),
    ],
)
def test_a_detector_that_does_not_look_at_code_is_refused(folder, options, error):
    with pytest.raises(error):
        ask(folder, **options)


def test_a_path_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(UsageError, match="found none"):
        ask(tmp_path / "nowhere.py")


def test_the_verb_prints_the_lines_and_ends_with_one(folder):
    out = folder / "out.json"
    called = CliRunner().invoke(
        app, ["leakage", "--code", str(folder / "train.py"), "--json", str(out)]
    )

    assert called.exit_code == 1
    assert "train.py:5" in called.output
    assert "1 to be reviewed" in called.output
    assert json.loads(out.read_text())["checks"]
