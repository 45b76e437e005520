"""Rows that stand in the train table twice are shown as what they are, and never more than that."""

from __future__ import annotations

import numpy as np
import pandas as pd  # noqa: TID253 - these tests are about tables
import pytest

from audit.check import check
from detectors.dataset import Dataset
from detectors.leakage.repeated_train_rows import RepeatedTrainRows
from reports.schema import Outcome, Severity

N = 400


def rows(seed=0, n=N):
    rng = np.random.default_rng(seed)
    return pd.DataFrame({
        "id": rng.permutation(10 * n)[:n], "a": rng.normal(size=n), "b": rng.normal(size=n),
        "c": rng.integers(0, 9, n), "town": rng.choice(list("abcdef"), n),
        "d": rng.normal(size=n), "e": rng.integers(0, 99, n), "y": rng.integers(0, 2, n),
    })  # fmt: skip


@pytest.fixture
def said(tmp_path):
    def asked(train):
        train.to_csv(tmp_path / "train.csv", index=False)
        rows(9, 50).drop(columns="y").to_csv(tmp_path / "test.csv", index=False)
        tables = tmp_path / "train.csv", tmp_path / "test.csv"
        data = Dataset.of_tables(*tables, key=("id",), targets=("y",), entities=())
        answer = check(RepeatedTrainRows(), data)
        assert all(f.severity is Severity.NOTE for f in answer.findings)
        assert answer.outcome is Outcome.CLEAN
        return [f.message for f in answer.findings]

    return asked


def test_rows_that_differ_are_not_told(said):
    assert said(rows()) == []


def test_equal_rows_are_told_with_how_many_have_another_answer(said):
    twice = rows().head(20).assign(id=range(5000, 5020))
    twice["y"] = np.where(np.arange(20) < 3, 1 - twice["y"], twice["y"])
    (message,) = said(pd.concat([rows(), twice]))

    assert message == (
        "40 of 420 rows of train.csv equal another one of its rows, 6 of them with another answer. "
        "Random folds part such rows."
    )


def test_nearly_equal_rows_are_told_apart_from_equal_ones(said):
    changed = rows().head(20).assign(id=range(5000, 5020), c=77)
    (message,) = said(pd.concat([rows(), changed]))

    assert message.startswith("40 of 420 rows of train.csv that were looked at are nearly another")


def test_tables_of_few_values_are_said_to_be_such(said):
    few = rows()[["id", "c", "town", "y"]]

    assert any("so few different values make that to be expected" in m for m in said(few))
