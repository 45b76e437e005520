import math

import pandas as pd  # noqa: TID253
import pytest
from hypothesis import given
from hypothesis import strategies as st

from competitions.errors import InvalidSubmissionError
from competitions.metrics import METRICS, Context
from tests.competitions.metrics.scoring import few, score

NAME = "mean-column-wise-auc"
TRUTH = {"id": [1, 2, 3, 4], "a": [0, 0, 1, 1], "b": [1, 0, 1, 0]}
SKIPPED = {"id": [1, 2, 3, 4, 5], "a": [0, 0, 1, 1, -1], "b": [1, 0, 1, 0, -1]}


def area(a, b, truth=TRUTH, **kw):
    return score(NAME, truth, {"id": truth["id"], "a": a, "b": b}, key=["id"], **kw)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        # a: 3 of 4 pairs in order; b: (1,2) yes, (1,4) no, (3,2) yes, (3,4) tie -> 2.5 / 4
        pytest.param([0.1, 0.4, 0.35, 0.8], [0.5, 0.1, 0.7, 0.7], (0.75 + 0.625) / 2, id="by-hand"),
        pytest.param([0, 0, 0, 0], [1, 0, 1, 0], (0.5 + 1) / 2, id="constant-column"),
        pytest.param([-5, -4, 30, 40], [9, -9, 9, -9], 1.0, id="any-real-number"),
        pytest.param([False, False, True, True], [1, 0, 1, 0], 1.0, id="true-and-false"),
    ],
)
def test_the_mean_is_the_table_made_by_hand(a, b, expected):
    assert area(a, b) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        pytest.param(None, "empty cells", id="empty"),
        pytest.param("x", "text that is no number", id="text"),
        pytest.param(math.inf, "infinite values", id="infinite"),
    ],
)
def test_a_scored_cell_must_be_a_number(cell, said):
    with pytest.raises(InvalidSubmissionError, match=rf"^a: {said} \(1\), at 2$"):
        area([0.1, cell, 0.3, 0.4], [0, 0, 0, 0])


@pytest.mark.parametrize("cell", [None, "x", "0.3", math.inf])
def test_whatever_stands_in_an_unscored_row_is_harmless(cell):
    found = area([0.1, 0.4, 0.35, 0.8, cell], [1, 0, 1, 0, 0], SKIPPED, skip_negative_rows=True)

    assert found == pytest.approx((0.75 + 1) / 2)


def test_a_key_may_repeat_where_as_many_rows_are_scored_as_should_be():
    guess = {"id": [1, 2, 4, 4, 5], "a": [0, 0, 1, 1, None], "b": [1, 0, 1, 0, None]}
    found = score(NAME, SKIPPED, guess, "ab", key=["id"], skip_negative_rows=True)

    assert found == 1.0  # the third row stands for the third, whatever its key


def test_other_numbers_of_scored_rows_than_there_should_be_are_refused():
    guess = {"id": [1, 2, 3, 5, 5], "a": [0, 0, 1, 1, 0], "b": [1, 0, 1, 0, 0]}
    with pytest.raises(
        InvalidSubmissionError, match="id: expected 4 rows that are scored, found 3"
    ):
        score(NAME, SKIPPED, guess, "ab", key=["id"], skip_negative_rows=True)


@pytest.mark.parametrize("variant", ["v1", "fixed"])
def test_columns_are_taken_by_position_under_v1_only(variant):
    guess = {"id": [1, 2, 3, 4], "b": [1, 0, 1, 0], "a": [0, 0, 1, 1]}
    found = score(NAME, TRUTH, guess, "ab", key=["id"], variant=variant, by_position=True)

    # by name all is right; by position b stands for a and a for b: 1/2 each
    assert found == (0.5 if variant == "v1" else 1.0)


def test_a_further_column_has_no_position():
    guess = {"id": [1, 2, 3, 4], "a": [0, 0, 1, 1], "b": [1, 0, 1, 0], "x": 0}
    assert score(NAME, TRUTH, guess, "ab", key=["id"]) == 1.0
    with pytest.raises(InvalidSubmissionError, match="expected 2 columns beside the key, found 3"):
        score(NAME, TRUTH, guess, "ab", key=["id"], by_position=True)


def test_answers_of_one_class_are_the_graders_fault():
    with pytest.raises(ValueError, match="the answers of b do not hold two classes"):
        area([0, 0, 1, 1], [1, 0, 1, 0], TRUTH | {"b": [1, 1, 1, 1]})


ROWS = st.lists(
    st.tuples(st.integers(0, 1), st.integers(0, 1), st.floats(-9, 9), st.floats(-9, 9)),
    min_size=4,
    max_size=30,
).filter(lambda r: all(len({row[k] for row in r}) == 2 for k in (0, 1)))


@few
@given(rows=ROWS, data=st.data())
def test_the_mean_is_that_of_single_columns_and_only_ranks_matter(rows, data):
    frame = pd.DataFrame(rows, columns=["a", "b", "p", "q"])
    truth, guess = frame[["a", "b"]], frame[["p", "q"]].set_axis(["a", "b"], axis=1)
    turn = data.draw(st.permutations(range(len(frame))))
    found = score(NAME, truth, guess)
    single = [METRICS["auc-roc"].score(truth, guess, Context((c,))) for c in "ab"]

    assert found == pytest.approx(sum(single) / 2)
    assert 0 <= found <= 1
    assert score(NAME, truth.iloc[turn], guess.iloc[turn]) == pytest.approx(found)
    assert score(NAME, truth, 2.0 * guess) == pytest.approx(found)
    assert score(NAME, truth, -guess) == pytest.approx(1 - found)
