"""What columns are told to be, where nobody says so: event times, the key, the targets."""

from __future__ import annotations

import numpy as np
import pandas as pd  # noqa: TID253 - these tests are about tables
import pytest

from detectors.leakage.event_times import as_seconds, event_times, names_a_birth
from detectors.leakage.roles import key_and_target

N = 60
DAYS = pd.Timestamp("2013-01-30") + pd.to_timedelta(np.arange(N) * 11 % 400, unit="D")
LIVES = np.random.default_rng(0).integers(0, 24_000, N)
BIRTHS = pd.Timestamp("1931-03-04") + pd.to_timedelta(LIVES, unit="D")


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        pytest.param("x1", DAYS.strftime("%Y-%m-%d"), id="ISO days under any name"),
        pytest.param("x1", DAYS.strftime("%Y-%m-%d %H:%M:%S UTC"), id="with a zone"),
        pytest.param("x1", DAYS.strftime("%d.%m.%Y"), id="days first"),
        pytest.param("x1", DAYS.strftime("%m/%d/%Y"), id="months first"),
        pytest.param("x1", DAYS.strftime("%d %B %Y"), id="months in words"),
        pytest.param("Date", DAYS.strftime("%Y%m%d%H%M%SZ"), id="one run of digits"),
        pytest.param("x1", DAYS.strftime("%Y%m%d").astype(int), id="numbers like 20130131"),
        pytest.param("x1", DAYS, id="datetimes"),
        pytest.param("created_at", DAYS.astype("datetime64[s]").astype("int64"), id="Unix seconds"),
    ],
)
def test_times_are_told_by_content_and_read(name, cells):
    found = event_times(pd.DataFrame({name: cells}))
    seconds = as_seconds(pd.Series(cells))

    assert [one.column for one in found] == [name]
    assert seconds is not None
    assert np.array_equal(seconds, DAYS.astype("datetime64[s]").astype("int64"))


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        pytest.param("dateOfBirth", DAYS.strftime("%Y-%m-%d"), id="a birth by its name"),
        pytest.param("dob", DAYS, id="dob"),
        pytest.param("x1", BIRTHS.strftime("%Y-%m-%d"), id="a birth by its spread"),
        pytest.param("YearBuilt", DAYS.year, id="the year of a building"),
        pytest.param("passport_expiry_date", DAYS, id="an expiry"),
        pytest.param("phone", [f"555-{n:04d}" for n in range(N)], id="phone numbers"),
        pytest.param("zip", np.arange(N) * 1_234_567 + 10_000_000, id="eight digits"),
        pytest.param("address", [f"10.2.{n}.7" for n in range(N)], id="network addresses"),
        pytest.param("amount", np.arange(N) * 1e7 + 1e9, id="large numbers with no such name"),
        pytest.param("time_step", np.linspace(0, 3, N), id="a clock within a row's series"),
        pytest.param("date", [None] * N, id="all missing"),
        pytest.param("date", [[1], {"a": 2}] * (N // 2), id="lists and objects"),
    ],
)
def test_what_is_no_event_time_is_not_taken_for_one(name, cells):
    assert not event_times(pd.DataFrame({name: cells}))


def test_a_long_series_is_not_taken_for_births():
    weeks = pd.date_range("1958-03-29", periods=2_284, freq="7D").strftime("%Y-%m-%d")

    assert event_times(pd.DataFrame({"x1": weeks}))


def test_a_word_that_only_sounds_like_a_birth_is_none():
    assert names_a_birth("Birth Date")
    assert not names_a_birth("dobson_unit")
    assert not names_a_birth("adobe_version")


IDS = [f"1e{n:04d}" for n in range(20)]
FLAGS = [0, 1] * 10
TRAIN = pd.DataFrame({"row_id": IDS, "x": np.linspace(0, 1, 20), "kind": ["cat", "dog"] * 10})
TEST = TRAIN[["row_id", "x"]].assign(row_id=[f"2e{n:04d}" for n in range(20)])


@pytest.mark.parametrize(
    ("train", "test", "sample", "key", "targets"),
    [
        pytest.param(
            TRAIN, TEST, TEST[["row_id"]].assign(kind="cat"), ("row_id",), ("kind",), id="a sample"
        ),
        pytest.param(
            TRAIN,
            TEST,
            TEST[["row_id"]].assign(cat=0.5, dog=0.5),
            ("row_id",),
            ("kind",),
            id="a sample with a column per class",
        ),
        pytest.param(TRAIN, TEST, None, ("row_id",), ("kind",), id="no sample"),
        pytest.param(
            TRAIN.drop(columns="row_id"),
            TEST.drop(columns="row_id"),
            None,
            (),
            ("kind",),
            id="numbers that are unique are no ids",
        ),
        pytest.param(
            TRAIN.rename(columns={"kind": "target"}),
            TRAIN.rename(columns={"kind": "target"}),
            None,
            ("row_id",),
            ("target",),
            id="a target in both tables",
        ),
        pytest.param(
            TRAIN.assign(part=FLAGS),
            TEST,
            None,
            ("row_id",),
            ("kind", "part"),
            id="two columns that test lacks",
        ),
        pytest.param(
            TRAIN,
            None,
            pd.DataFrame({"id_month": IDS, "dose": 0.0}),
            ("id_month",),
            ("dose",),
            id="no test table",
        ),
        pytest.param(
            TRAIN.assign(step=FLAGS),
            TEST.assign(row_id=IDS[:10] * 2, step=np.repeat([0, 1], 10)),
            TEST.assign(row_id=IDS[:10] * 2, step=np.repeat([0, 1], 10), kind="cat")[
                ["row_id", "step", "kind"]
            ],
            ("row_id", "step"),
            ("kind",),
            id="a key of two columns",
        ),
    ],
)
def test_key_and_targets_are_told_by_who_has_them(train, test, sample, key, targets):
    found = key_and_target(train, test, sample)

    assert found[:2] == (key, targets)
    assert set(found.how) == {"key", "targets"}


def test_what_was_not_found_says_how_to_name_it():
    found = key_and_target(TRAIN[["x"]], TEST[["x"]], None)

    assert found.key == found.targets == ()
    assert "not found" in found.how["targets"]
