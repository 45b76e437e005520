import math
from pathlib import Path

import numpy as np
import pandas as pd  # noqa: TID253
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import train_test_split  # noqa: TID253

from competitions import hooks
from competitions.errors import RawDataError, UnknownNameError
from competitions.spec import GroupKey, Split
from competitions.splits import (
    drawn,
    group_names,
    random_groups,
    random_rows,
    split_frame,
    time_tail,
)


def make_split(method="random_rows", test_size=0.1, seed=0, **arguments):
    return Split(method=method, on="train.csv", test_size=test_size, seed=seed, **arguments)


@pytest.mark.parametrize("test_size", [0.1, 0.25, 7])
@pytest.mark.parametrize("seed", [0, 42])
def test_random_rows_is_scikit_learns_split_in_its_order(test_size, seed):
    frame = pd.DataFrame({"id": range(101), "x": np.arange(101) / 7})
    train, test = train_test_split(frame, test_size=test_size, random_state=seed)
    parts = random_rows(frame, make_split(test_size=test_size, seed=seed))

    pd.testing.assert_frame_equal(parts.train, train)
    pd.testing.assert_frame_equal(parts.test, test)


@pytest.mark.parametrize(
    ("items", "size"),
    [
        pytest.param([], 0.1, id="nothing"),
        pytest.param(["one"], 0.1, id="one-thing"),
        pytest.param(list("abc"), 3, id="as-many-as-are-tested-on"),
        pytest.param(np.arange(3), 4, id="fewer-than-are-tested-on"),
        pytest.param(pd.DataFrame({"id": [1]}), 0.5, id="one-row"),
    ],
)
def test_too_few_things_to_draw_from_are_told_with_their_file(items, size):
    said = rf"train\.csv: expected enough to draw a test part from, found {len(items)}"
    with pytest.raises(RawDataError, match=said):
        drawn(items, make_split(test_size=size))
    with pytest.raises(RawDataError, match=said):
        drawn(items, make_split(test_size=0.5), test_size=size)


def test_no_hook_draws_without_telling_of_too_few():
    sources = Path(hooks.__file__).parent.glob("*.py")
    assert [p.name for p in sources if "import train_test_split" in p.read_text("utf-8")] == []


def test_random_rows_can_keep_the_share_of_labels():
    frame = pd.DataFrame({"id": range(100), "y": [0] * 80 + [1] * 20})
    parts = random_rows(frame, make_split(test_size=0.2, stratify="y"))

    assert parts.test["y"].sum() == 4


def test_a_share_of_rows_is_rounded_up():
    frame = pd.DataFrame({"id": range(11)})

    assert len(random_rows(frame, make_split(test_size=0.1)).test) == 2


def test_groups_are_drawn_whole_and_counted_as_groups():
    frame = pd.DataFrame({"id": [f"{g}_{m}" for g in range(20) for m in range(g % 4 + 1)]})
    split = make_split("random_groups", 0.25, group=GroupKey(column="id", prefix_before="_"))
    parts = random_groups(frame, split)
    train, test = (set(part["id"].str.split("_").str[0]) for part in parts)

    assert len(test) == 5
    assert not train & test
    assert len(parts.train) + len(parts.test) == len(frame)
    assert parts.test.index.is_monotonic_increasing


def test_the_order_of_raw_rows_does_not_change_which_groups_are_drawn():
    frame = pd.DataFrame({"id": range(60), "g": [i // 3 for i in range(60)]})
    split = make_split("random_groups", 0.3, group=GroupKey(column="g"))
    shuffled = frame.sample(frac=1, random_state=5)

    assert set(random_groups(frame, split).test["id"]) == set(
        random_groups(shuffled, split).test["id"]
    )


def test_a_value_without_the_separator_is_a_group_of_its_own():
    frame = pd.DataFrame({"id": ["a-1", "a-2", "b"]})

    assert group_names(frame, GroupKey(column="id", prefix_before="-")).tolist() == ["a", "a", "b"]


@pytest.mark.parametrize(
    ("times", "test_size", "test_rows"),
    [
        pytest.param([1, 2, 3, 4, 5], 2, [3, 4], id="last-rows"),
        pytest.param([5, 1, 4, 2, 3], 2, [0, 2], id="raw-order-is-kept"),
        pytest.param([1, 2, 3, 4, 5], 0.5, [2, 3, 4], id="share-rounded-up"),
        pytest.param([1, 2, 4, 4, 5], 2, [2, 3, 4], id="ties-are-not-cut"),
        pytest.param([1, 2, 2, 3, 3], 2, [3, 4], id="ties-just-fit"),
        pytest.param(["2001-12-29", "1999-01-02", "2000-02-29"], 1, [0], id="dates"),
        pytest.param(["1999-12-31T23:00-05:00", "2000-01-01T01:00Z"], 1, [0], id="time-zones"),
        pytest.param(["9999-12-31", "0001-01-01"], 1, [0], id="far-dates"),
        pytest.param([-1.5, 10.0, 9.0], 1, [1], id="numbers-and-not-their-text"),
    ],
)  # fmt: skip
def test_the_latest_rows_are_the_test_part(times, test_size, test_rows):
    frame = pd.DataFrame({"row": range(len(times)), "when": times})
    parts = time_tail(frame, make_split("time_tail", test_size, time="when"))

    assert parts.test["row"].tolist() == test_rows
    assert sorted([*parts.train["row"], *parts.test["row"]]) == list(range(len(times)))


@given(st.lists(st.integers(0, 9), min_size=2, max_size=40), st.floats(0.01, 0.99))
def test_no_time_is_on_both_sides_and_the_test_part_is_the_smallest_that_is_enough(times, share):
    frame = pd.DataFrame({"when": times})
    split = make_split("time_tail", share, time="when")
    wanted = math.ceil(share * len(times))
    if wanted > len(times) - times.count(min(times)):
        with pytest.raises(RawDataError, match="not parted"):
            time_tail(frame, split)
        return
    train, test = (set(part["when"]) for part in time_tail(frame, split))

    assert max(train) < min(test)
    n_test = sum(t in test for t in times)
    assert n_test >= wanted > n_test - times.count(min(test))


@pytest.mark.parametrize(
    ("split", "said"),
    [
        pytest.param(make_split("random_groups", 0.5), "no group column", id="no-group"),
        pytest.param(
            make_split("random_groups", 0.5, group=GroupKey(column="gone")),
            "'gone'",
            id="no-column",
        ),
        pytest.param(
            make_split("random_groups", 3, group=GroupKey(column="g")), "found 3", id="all-groups"
        ),
        pytest.param(make_split(stratify="gone"), "'gone'", id="no-stratum"),
        pytest.param(make_split("time_tail", 1), "no column of time", id="no-time"),
        pytest.param(make_split("time_tail", 1, time="gone"), "'gone'", id="no-time-column"),
        pytest.param(make_split("time_tail", 1, time="g"), "3 others: 'a', 'b'", id="no-dates"),
        pytest.param(make_split("time_tail", 3, time="x"), "no row of 3", id="all-rows"),
        pytest.param(make_split("time_tail", 9, time="x"), "no row of 3", id="more-than-all"),
        pytest.param(make_split("time_tail", 1, time="gap"), "1 others: nan", id="time-missing"),
    ],
)
def test_a_table_that_cannot_be_split_is_a_raw_data_error(split, said):
    frame = pd.DataFrame({"g": ["a", "b", "c"], "x": [1, 2, 3], "gap": [1, None, 3]})

    with pytest.raises(RawDataError, match=said):
        split_frame(frame, split)


def test_an_unknown_recipe_names_its_neighbours():
    with pytest.raises(UnknownNameError, match=r"Did you mean .*random_rows"):
        split_frame(pd.DataFrame({"x": [1, 2]}), make_split("random_row"))


# ------------------------------------------------------- groups as scikit-learn splits them


GROUPED = pd.DataFrame({"g": [5, 3, 5, 1, 3, 9, 7, 1], "x": range(8)})


def recipe(method, **fields):
    return Split(method=method, on="t.csv", group={"column": "g"}, **fields)


def test_groups_that_are_numbers_are_drawn_as_their_names_are():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"row": range(80), "g": rng.permutation(80) // 4})
    named = frame.assign(g=frame["g"].map("g{:02d}".format))
    split = recipe("unique_groups", test_size=0.4, seed=0)
    numbers, names = split_frame(frame, split), split_frame(named, split)
    assert numbers.test["row"].tolist() == names.test["row"].tolist()


def test_unique_groups_are_drawn_from_their_first_appearance_and_rows_stay():
    parts = split_frame(GROUPED, recipe("unique_groups", test_size=0.4, seed=0))
    _, chosen = train_test_split([5, 3, 1, 9, 7], test_size=0.4, random_state=0)
    assert set(parts.test["g"]) == set(chosen)
    assert parts.test["x"].tolist() == sorted(parts.test["x"])
    assert parts.train["x"].tolist() == sorted(parts.train["x"])


def test_shuffled_groups_are_sorted_as_numbers_and_stand_as_they_were_drawn():
    frame = GROUPED.assign(g=GROUPED["g"].replace(9, 10))
    parts = split_frame(frame, recipe("shuffled_groups", test_size=0.4, seed=0))
    train, test = train_test_split([1, 3, 5, 7, 10], test_size=0.4, random_state=0)
    assert list(dict.fromkeys(parts.train["g"])) == train
    assert list(dict.fromkeys(parts.test["g"])) == test
    for part in parts:
        for _, rows in part.groupby("g"):
            assert rows["x"].tolist() == sorted(rows["x"])


@given(
    groups=st.lists(st.integers(0, 6), min_size=8, max_size=40).filter(lambda g: len(set(g)) > 3),
    seed=st.integers(0, 5),
    method=st.sampled_from(["unique_groups", "shuffled_groups"]),
)
def test_no_group_is_on_both_sides_and_no_row_is_lost(groups, seed, method):
    frame = pd.DataFrame({"g": groups, "x": range(len(groups))})
    parts = split_frame(frame, recipe(method, test_size=0.3, seed=seed))
    assert not set(parts.train["g"]) & set(parts.test["g"])
    assert sorted([*parts.train["x"], *parts.test["x"]]) == list(range(len(groups)))


def test_a_share_may_be_given_for_the_train_part():
    frame = pd.DataFrame({"x": range(10)})
    parts = split_frame(frame, Split(method="random_rows", on="t.csv", train_size=0.75))
    assert (len(parts.train), len(parts.test)) == (7, 3)


@pytest.mark.parametrize("method", ["random_groups", "unique_groups", "shuffled_groups"])
def test_a_recipe_for_groups_without_a_group_is_told(method):
    with pytest.raises(RawDataError, match="names no"):
        split_frame(GROUPED, Split(method=method, on="t.csv", test_size=0.5))
