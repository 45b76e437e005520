"""A rare label in the test part: one row changes places, or none, or the data are refused."""

from __future__ import annotations

import pandas as pd  # noqa: TID253
import pytest

from competitions import spec
from competitions.errors import RawDataError
from competitions.hooks.constant_label import RARE, with_two_values
from competitions.splits import Parts

TASK = spec.load("google-quest-challenge")


def parts(train: list[float], test: list[float], **other: list[float]) -> Parts:
    def table(first: int, rare: list[float]) -> pd.DataFrame:
        ids = range(first, first + len(rare))
        columns = {name: [0.0, 0.5, 1.0, 0.25][: len(rare)] for name in TASK.targets}
        return pd.DataFrame({"qa_id": ids} | columns | {RARE: rare}, index=ids)

    made = Parts(table(0, train), table(10, test))
    return Parts(made.train, made.test.assign(**other))


@pytest.mark.parametrize(
    ("train", "test", "in_train", "in_test"),
    [
        pytest.param([0, 0.5, 0.3], [0, 0, 0], [0, 10, 2], [1, 11, 12], id="first-other-row"),
        pytest.param([0.3, 0, 0], [0, 0, 0], [10, 1, 2], [0, 11, 12], id="it-is-the-first"),
        pytest.param([0, 0, 0.3], [0, 0, 0], [0, 1, 10], [2, 11, 12], id="it-is-the-last"),
        pytest.param([0, 0.5, 0.3], [0, 0, 0.3], [0, 1, 2], [10, 11, 12], id="two-values-stay"),
    ],
)
def test_the_first_test_row_changes_places_only_where_the_label_is_constant(
    train, test, in_train, in_test
):
    found = with_two_values(TASK, parts(train, test))

    assert found.train["qa_id"].tolist() == in_train
    assert found.test["qa_id"].tolist() == in_test
    assert (found.train.columns == found.test.columns).all()
    assert found.test.dtypes["qa_id"] == "int64"


def test_where_groups_are_kept_whole_they_change_places_whole():
    fixed = spec.load("google-quest-challenge", "fixed")
    made = parts([0, 0, 0.5, 0], [0, 0, 0])
    train = made.train.assign(question_body=["a", "b", "c", "b"])
    train.loc[1, RARE] = 0.3
    test = made.test.assign(question_body=["x", "y", "x"])
    found = with_two_values(fixed, Parts(train, test))

    assert found.train["qa_id"].tolist() == [0, 10, 12, 2]
    assert found.test["qa_id"].tolist() == [1, 3, 11]


def test_without_any_other_value_the_data_are_refused():
    with pytest.raises(RawDataError, match="is not 0, found none"):
        with_two_values(TASK, parts([0, 0, 0], [0, 0, 0]))


def test_a_constant_of_another_column_is_named():
    with pytest.raises(RawDataError, match=r"found one in answer_plausible\."):
        with_two_values(TASK, parts([0, 0.5, 0], [0, 0, 0.5], answer_plausible=[1, 1, 1]))
