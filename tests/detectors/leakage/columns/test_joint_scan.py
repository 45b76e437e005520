"""Values that name a thing whose answer is known are told; honest many-valued columns are not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd  # noqa: TID253 - these tests are about tables
import pytest

from detectors.leakage.joint_scan import joints_of

N = 2_400
RNG = np.random.default_rng(5)
TOWN, HOTEL = RNG.integers(0, 30, N), RNG.integers(0, 30, N)
PAIR = TOWN * 30 + HOTEL
ANSWER = RNG.integers(0, 12, 900)[PAIR]
DISTANCE = RNG.integers(50, 400, 900)[PAIR]
FINE = np.sqrt(RNG.integers(1, 10**6, 900)).round(4)[PAIR]
OTHERS = {f"x{n}": RNG.integers(0, 40, N) for n in range(3)} | {"z": RNG.normal(size=N)}


def told(y=ANSWER, test=None, **columns):
    """Return what is told of a table with these columns beside four that say nothing."""
    table = pd.DataFrame(columns | OTHERS | {"y": y})
    rows = table if test is None else pd.DataFrame(test | OTHERS)
    found = joints_of(table, rows, [*columns, *OTHERS], "y", 0)
    return {joint.columns: joint for joint in found}


def test_two_columns_that_name_a_thing_together_are_told_with_what_either_tells_alone():
    ((names, joint),) = told(town=TOWN, distance=DISTANCE).items()

    assert set(names) == {"town", "distance"}
    assert joint.agree > 0.9
    assert max(joint.alone, joint.by_chance) < joint.bar
    assert joint.known == 1.0
    assert (joint.partner == pd.factorize(ANSWER)[0]).mean() > 0.7


@pytest.mark.parametrize(
    "y",
    [
        pytest.param(ANSWER / 7, id="numbers that recur"),
        pytest.param(RNG.normal(size=900)[PAIR] + RNG.normal(0, 1e-4, N), id="numbers"),
        pytest.param([f"cluster {a}" for a in ANSWER], id="words"),
        pytest.param(np.where(RNG.random(N) < 0.1, RNG.permutation(ANSWER), ANSWER), id="slips"),
    ],
)
def test_a_pair_tells_targets_of_every_kind(y):
    assert [set(names) for names in told(y, town=TOWN, distance=DISTANCE)] == [{"town", "distance"}]


def test_a_number_so_fine_that_equal_ones_are_of_one_thing_is_told_alone():
    assert list(told(fine=FINE)) == [("fine",)]


def test_where_no_test_row_has_values_of_a_train_row_nothing_is_told():
    elsewhere = {"town": TOWN + 30, "distance": DISTANCE}

    assert not told(town=TOWN, distance=DISTANCE, test=elsewhere)


SIGNAL = RNG.normal(size=N)
HONEST: dict[str, tuple[Any, dict[str, Any]]] = {
    "a key over two columns": (ANSWER, {"order": np.arange(N) // 50, "line": np.arange(N) % 50}),
    "noise": (ANSWER, {}),
    "smooth features": (
        (SIGNAL > 0) * 1,
        {"a": (SIGNAL * 9).round(), "b": (SIGNAL * 7 + RNG.normal(0, 0.2, N)).round()},
    ),
    "coarse measurements": (
        np.digitize(SIGNAL, [-1, -0.5, 0, 0.5, 1]),
        {"a": SIGNAL.round(1), "b": RNG.normal(size=N).round(1)},
    ),
    "one column tells it alone": (RNG.integers(0, 9, 30)[TOWN], {"town": TOWN, "hotel": HOTEL}),
    "one heavy value": (
        np.where(RNG.random(N) < 0.9, 0, ANSWER),
        {"a": np.where(RNG.random(N) < 0.8, 0, TOWN), "b": np.where(SIGNAL > 1, HOTEL, 0)},
    ),
    "a thing whose answers differ": (RNG.integers(0, 5, N), {"town": TOWN, "hotel": HOTEL}),
}


@pytest.mark.parametrize("kind", list(HONEST))
def test_honest_columns_of_many_values_are_not(kind):
    y, columns = HONEST[kind]

    assert not told(y, **columns)


def test_copies_of_rows_are_left_to_those_who_look_for_them():
    once = pd.DataFrame({"a": RNG.integers(0, 500, 300), "b": RNG.integers(0, 500, 300)})
    once = once.assign(c=RNG.integers(0, 500, 300), d=RNG.normal(size=300), y=np.arange(300) % 7)
    twice = pd.concat([once, once, once], ignore_index=True)
    twice.loc[300:, "d"] = RNG.normal(size=600)  # one column of a copy was changed

    assert list(joints_of(twice, twice, list("abcd"), "y", 0)) == []


@pytest.mark.parametrize(
    "values",
    [
        pytest.param([None] * N, id="empty"),
        pytest.param([[1], {"a": 2}] * (N // 2), id="lists"),
        pytest.param([1, "a", None, 2.5] * (N // 4), id="mixed"),
        pytest.param([f"1e{n % 50}641000824bd20" for n in range(N)], id="ids like numbers"),
        pytest.param(np.array([np.inf, -np.inf, np.nan] * (N // 3)), id="infinite"),
    ],
)
def test_odd_columns_are_read(values):
    assert not told(odd=values)
