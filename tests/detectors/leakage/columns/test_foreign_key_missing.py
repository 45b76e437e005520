"""What test rows point to has to be there; a table for the train part alone is no fault."""

from __future__ import annotations

import pandas as pd  # noqa: TID253 - these tests are about tables
import pytest

from audit.check import check
from detectors.dataset import Dataset
from detectors.leakage.foreign_key_missing import ForeignKeyMissing
from reports.schema import Outcome, Severity

TRAIN = [f"m{n:03d}" for n in range(40)]
TEST = [f"m{n:03d}" for n in range(40, 55)]


def rows(molecules, *, targets=True):
    names = [m for m in molecules for _ in range(2)]
    table = pd.DataFrame(
        {"id": range(len(names)), "molecule": names, "kind": ["a", "b"] * len(molecules)}
    )
    return table.assign(y=range(len(names))) if targets else table


def atoms(molecules):
    return pd.DataFrame({"molecule": molecules, "x": [0.5] * len(molecules), "kind": "a"})


@pytest.fixture
def look(tmp_path):
    def looked(**tables):
        folder = tmp_path / "public"
        folder.mkdir()
        rows(TRAIN).to_csv(folder / "train.csv", index=False)
        rows(TEST, targets=False).assign(id=range(1_000, 1_030)).to_csv(
            folder / "test.csv", index=False
        )
        for name, table in tables.items():
            table.to_csv(folder / f"{name}.csv", index=False)
        return check(ForeignKeyMissing(), Dataset.of_folders(folder))

    return looked


@pytest.mark.parametrize(
    ("tables", "severities"),
    [
        pytest.param({"atoms": atoms(TRAIN)}, [Severity.LOW], id="nothing for the test part"),
        pytest.param(
            {"atoms": atoms(TRAIN + TEST[:-2])}, [Severity.LOW], id="nothing for some test rows"
        ),
        pytest.param({"atoms": atoms(TRAIN + TEST)}, [], id="everything"),
        pytest.param(
            {"atoms": atoms(TRAIN + TEST), "charges": atoms(TRAIN)},
            [Severity.NOTE],
            id="a further table for the train part alone",
        ),
        pytest.param({"others": atoms([f"z{n}" for n in range(50)])}, [], id="other things"),
    ],
)
def test_keys_of_test_rows_have_to_be_there(tables, severities, look):
    answer = look(**tables)

    assert [f.severity for f in answer.findings] == severities, answer.reason


def test_a_finding_shows_which_key_is_absent(look):
    (found,) = look(atoms=atoms(TRAIN + TEST[:-2])).findings

    assert TEST[-1] in found.message
    assert found.message.startswith("4 of 30 test rows")


def test_two_tables_alone_are_not_looked_at(ask):
    assert ask(ForeignKeyMissing(), rows(TRAIN), rows(TEST)).outcome is Outcome.NOT_APPLICABLE
