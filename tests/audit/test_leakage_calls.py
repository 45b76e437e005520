"""Calls of leakage that say something wrong, or that name data with nothing to judge."""

from __future__ import annotations

import numpy as np
import pytest
from typer.testing import CliRunner

from audit.cli import app
from competitions.errors import MleAuditError
from reports.schema import Conclusion, read_audit

N = 60


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Return a folder with two honest tables and their answers, and work there."""
    import pandas as pd

    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    rows = pd.DataFrame({"id": range(2 * N), "a": rng.normal(size=2 * N), "y": rng.random(2 * N)})
    rows[:N].to_csv("train.csv", index=False)
    rows[N:].drop(columns="y").to_csv("test.csv", index=False)
    rows[N:][["id", "y"]].to_csv("hidden.csv", index=False)
    return tmp_path


TABLES = ("--train", "train.csv", "--test", "test.csv", "--target", "y")
QUICK = ("--select", "exact-row-overlap", "--json", "out.json")


def call(*words):
    return CliRunner().invoke(app, ["leakage", *map(str, words)])


def refused(done, code=2):
    """Return what a call was refused with; everything in one line."""
    assert isinstance(done.exception, MleAuditError), done.output
    assert done.exception.exit_code == code, done.exception
    return " ".join(str(done.exception).split())


def head(path, n):
    lines = path.read_text().splitlines()
    path.write_text("\n".join(lines[: n + 1]) + "\n")


@pytest.mark.parametrize(
    ("table", "n", "said"),
    [
        pytest.param("train.csv", 0, "0 rows in the train table train.csv", id="no train row"),
        pytest.param("test.csv", 0, "0 rows in the test table test.csv", id="no test row"),
        pytest.param("train.csv", 2, "2 rows in the train table train.csv", id="two train rows"),
    ],
)
def test_data_without_rows_to_judge_are_undetermined_and_say_why(place, table, n, said):
    head(place / table, n)
    done = call(*TABLES, "--select", "target-proxy", *QUICK)

    assert done.exit_code == 3
    assert said in done.stdout
    assert said in read_audit(place / "out.json").verdicts[0].because[0]


def test_a_target_that_is_the_same_in_every_row_leaves_it_undetermined(place):
    import pandas as pd

    pd.read_csv("train.csv").assign(y=1).to_csv("train.csv", index=False)
    done = call(*TABLES, "--select", "target-proxy", *QUICK)

    assert done.exit_code == 3
    assert "the target y is 1 in every row (train.csv)" in done.stdout


def test_enough_rows_are_judged(place):
    assert call(*TABLES, "--select", "target-proxy", *QUICK).exit_code == 0


def test_a_question_that_makes_no_sense_of_the_data_clears_nothing(place):
    done = call(*TABLES, "--time", "none", "--select", "temporal-overlap", "--json", "out.json")

    assert done.exit_code == 3
    assert read_audit(place / "out.json").verdicts[0].conclusion is Conclusion.UNDETERMINED
    assert "no column of both tables says when" in done.stdout
