"""Parts that differ are noted with the columns that tell them apart; like parts are clean."""

from __future__ import annotations

import numpy as np
import pandas as pd  # noqa: TID253 - these tests are about tables
import pytest

from detectors.leakage import train_test_shift
from detectors.leakage.train_test_shift import TrainTestShift
from reports.schema import Outcome, Severity

N = 160
RNG = np.random.default_rng(5)


def table(first_id=0, shift=0.0):
    return pd.DataFrame(
        {
            "id": np.arange(first_id, first_id + N),
            "date": pd.date_range("2020-01-01", periods=N).astype(str),
            "height": RNG.normal(shift, 1, N),
            "town": RNG.choice(["a", "b", "c"], N),
        }
    )


@pytest.fixture(autouse=True)
def few_permutations(monkeypatch):
    monkeypatch.setattr(train_test_shift, "N_PERMUTED", 2)


def test_a_shift_is_noted_with_its_column(ask):
    train, test = table().assign(y=0.5), table(1_000, shift=2.0)

    (found,) = ask(TrainTestShift(), train, test, key=("id",), targets=("y",)).findings

    assert found.severity is Severity.NOTE
    assert "most by height" in found.message
    assert "Left out: date" in found.message


def test_like_parts_are_clean_though_ids_and_times_differ(ask):
    train, test = table().assign(y=0.5), table(1_000)

    answer = ask(TrainTestShift(), train, test, targets=("y",), key=())

    assert answer.outcome is Outcome.CLEAN, answer.findings


def test_too_few_rows_are_not_looked_at(ask):
    answer = ask(TrainTestShift(), table().assign(y=0.5), table(1_000).head(30))

    assert answer.outcome is Outcome.NOT_AVAILABLE
    assert "found 30" in answer.reason


def test_things_known_again_by_their_other_rows_are_no_shift(ask):
    def about(things):
        who = np.repeat(things, 4)
        marks = RNG.normal(size=(len(things), 6)).repeat(4, axis=0)
        noisy = marks + RNG.normal(0, 0.05, marks.shape)
        return pd.DataFrame(noisy).add_prefix("m").assign(who=who)

    numbers = RNG.permutation(9_000)
    train, test = about(numbers[:70]).assign(y=0.5), about(numbers[70:140])

    answer = ask(TrainTestShift(), train, test, key=(), targets=("y",), entities=("who",))

    assert answer.outcome is Outcome.CLEAN
    assert answer.findings == ()
