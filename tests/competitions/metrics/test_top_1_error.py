import pytest
from hypothesis import given
from hypothesis import strategies as st

from competitions.errors import InvalidSubmissionError
from tests.competitions.metrics.scoring import few, score


def error(truth, guess):
    return score("top-1-error", {"y": truth}, {"y": guess})


@pytest.mark.parametrize(
    ("truth", "guess", "expected"),
    [
        pytest.param([3, 5], ["3 5", "3 5"], 0.5, id="only-the-first-counts"),
        pytest.param([3, 5, 7, 9], [3, 5, 7, 0], 0.25, id="numbers"),
        pytest.param([3, 5], ["  3   9", "5\t3"], 0.0, id="other-blanks"),
        pytest.param([3], ["+3 1"], 0.0, id="as-python-reads-integers"),
        pytest.param([1, 0], [True, True], 0.5, id="true-is-one"),
        pytest.param([3], ["3 not-read"], 0.0, id="the-rest-is-not-read"),
    ],
)
def test_the_error_is_the_table_made_by_hand(truth, guess, expected):
    assert error(truth, guess) == pytest.approx(expected)


@pytest.mark.parametrize(
    "cells",
    [
        pytest.param([3.0, 5.0], id="floats"),
        pytest.param([3, None], id="an-empty-cell-makes-floats"),
        pytest.param(["3.0 1", "5"], id="float-token"),
        pytest.param(["", "5"], id="nothing"),
        pytest.param(["   ", "5"], id="blanks"),
        pytest.param(["three", "5"], id="word"),
        pytest.param(["12345678901234567890123", "5"], id="beyond-64-bits"),
    ],
)
def test_a_cell_that_begins_with_no_whole_number_is_refused(cells):
    with pytest.raises(InvalidSubmissionError, match=r"^y: cells that do not begin with a whole"):
        error([3, 5], cells)


@few
@given(rows=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1), data=st.data())
def test_the_error_is_one_less_the_accuracy(rows, data):
    turn = data.draw(st.permutations(rows))
    truth, guess = [y for y, _ in rows], [p for _, p in rows]
    found = error(truth, guess)

    assert found == pytest.approx(1 - score("accuracy", {"y": truth}, {"y": guess}))
    assert error(truth, [f"{p} 0 1" for p in guess]) == found
    assert error([y for y, _ in turn], [p for _, p in turn]) == pytest.approx(found)
