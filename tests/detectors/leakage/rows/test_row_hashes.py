"""Rows are searched by hashes of some columns at a time, and found as if by all of them."""

from __future__ import annotations

import numpy as np
import pandas as pd  # noqa: TID253
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from detectors.leakage.exact_row_overlap import find_overlap
from detectors.leakage.row_hashes import MAX_GROUPS, equal_rows, hash_rows, share_recurring
from detectors.leakage.row_texts import joined

CELLS = st.tuples(
    st.sampled_from([0, 1, 2]),
    st.sampled_from([0.5, -0.0, 0.0, float("nan")]),
    st.sampled_from(["a", "b", "", None]),
)
TABLES = st.lists(CELLS, min_size=1, max_size=12).map(
    lambda rows: pd.DataFrame(rows, columns=["whole", "number", "text"])
)


def told(table: pd.DataFrame) -> list[tuple[object, ...]]:
    """Rows as they are compared: missing numbers are one value, missing texts are empty."""
    return [
        (whole, "none" if pd.isna(number) else number, "" if pd.isna(text) else text)
        for whole, number, text in table.itertuples(index=False)
    ]


@settings(max_examples=40)
@given(TABLES, TABLES)
def test_equal_rows_are_those_whose_values_are_and_are_counted(train, test):
    found = equal_rows(*hash_rows(train, test))
    left, right = told(train), told(test)

    assert found.right.tolist() == [n for n, row in enumerate(right) if row in left]
    assert found.left.tolist() == [left.index(right[n]) for n in found.right]
    assert found.n_equal.tolist() == [left.count(right[n]) for n in found.right]


@settings(max_examples=30)
@given(TABLES)
def test_rows_recur_that_stand_there_twice(table):
    rows = told(table)
    share = share_recurring(hash_rows(table, table)[0])

    assert share == pytest.approx(np.mean([rows.count(row) > 1 for row in rows]))


@pytest.fixture(scope="module")
def wide() -> pd.DataFrame:
    """More columns than are looked at one by one, a few of them texts."""
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.integers(0, 3, (40, MAX_GROUPS + 60))).astype(float)
    for place in (0, 700, 1000):
        table.insert(place, f"text{place}", [f"row {n % 7}" for n in range(40)])
    return table


@pytest.mark.parametrize("column", [3, 700, None], ids=["a-number", "a-text", "no-value"])
def test_of_a_wide_table_a_row_that_differs_in_one_value_is_no_copy(wide, column):
    train, test = wide.head(30), wide.tail(10).copy()
    test.iloc[[2, 5]] = train.iloc[[7, 21]].to_numpy()
    if column is not None:
        test.isetitem(column, [v if n != 5 else 9 for n, v in enumerate(test.iloc[:, column])])
    found = find_overlap(train, test)

    assert found.test_rows.tolist() == [2, 5] if column is None else [2]
    assert not found.is_coincidence.any()


def test_columns_of_a_wide_table_are_hashed_together_and_none_is_left_out(wide):
    left, right = hash_rows(wide, wide, MAX_GROUPS)
    numbers = [g for g in left.groups if g.kind == "number"]

    assert left.n_columns <= MAX_GROUPS
    assert sum(g.stop - g.start for g in numbers) == wide.shape[1] - 3
    assert {g.kind for g in left.groups} == {"number", "arrow"}
    assert max(g.stop - g.start for g in numbers) > 1
    assert np.array_equal(left.only(range(left.n_columns)), right.only(range(left.n_columns)))


def test_texts_put_together_are_equal_where_each_is():
    table = pd.DataFrame([("ab", "c", "d"), ("a", "bc", "d"), ("ab", None, "d"), ("ab", "", "d")])
    one, other = joined(table.astype("str"), 2).T.to_numpy()

    assert len(set(one)) == 3
    assert one[2] == one[3]
    assert set(other) == {"d"}
