import numpy as np
import pandas as pd  # noqa: TID253
import pytest
from sklearn.model_selection import train_test_split  # noqa: TID253

from competitions.errors import RawDataError, UnknownNameError
from competitions.spec import GroupKey, Split
from competitions.splits import group_names, random_groups, random_rows, split_frame


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
    ],
)
def test_a_table_that_cannot_be_split_is_a_raw_data_error(split, said):
    frame = pd.DataFrame({"g": ["a", "b", "c"], "x": [1, 2, 3]})

    with pytest.raises(RawDataError, match=said):
        split_frame(frame, split)


def test_an_unknown_recipe_names_its_neighbours():
    with pytest.raises(UnknownNameError, match=r"Did you mean .*random_rows"):
        split_frame(pd.DataFrame({"x": [1, 2]}), make_split("random_row"))
