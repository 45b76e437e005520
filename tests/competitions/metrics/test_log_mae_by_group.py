import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from competitions.errors import InvalidSubmissionError
from tests.competitions.metrics.scoring import few, score

KINDS = ["1JHC", "1JHC", "2JHH"]


def error(guess, **arguments):
    truth = {"y": [0.0, 10.0, 5.0], "type": KINDS}
    return score("log-mae-by-group", truth, {"y": guess}, group="type", **arguments)


@pytest.mark.parametrize(
    ("guess", "expected"),
    [
        # groups' MAE 2 and 1
        pytest.param([1, 13, 6], (math.log(2) + 0) / 2, id="small-groups-count-as-much"),
        pytest.param([-1, 7, 4], (math.log(2) + 0) / 2, id="sign-does-not-matter"),
        pytest.param([1, 13, 5], -math.inf, id="one-perfect-group"),
        pytest.param([0, 10, 5], -math.inf, id="perfect"),
        pytest.param([True, 10, 6], (math.log(0.5) + 0) / 2, id="true-is-one"),
    ],
)
def test_the_error_is_the_table_made_by_hand(guess, expected):
    assert error(guess) == pytest.approx(expected)


def test_a_floor_keeps_a_perfect_group_finite():
    assert error([0, 10, 5], floor=1e-9) == pytest.approx(-20.72327, abs=1e-5)
    assert error([1, 13, 6], floor=1e-9) == pytest.approx(math.log(2) / 2)


@pytest.mark.parametrize("cell", [None, "x", math.inf])
def test_a_cell_must_be_a_finite_number(cell):
    with pytest.raises(InvalidSubmissionError, match=r"^y: .* \(1\), at row 1$"):
        error([cell, 1, 1])


NUMBERS = st.integers(-50, 50)


@few
@given(
    rows=st.lists(st.tuples(NUMBERS, NUMBERS, st.sampled_from("ab")), min_size=1, max_size=20),
    data=st.data(),
)
def test_scaling_all_errors_adds_a_logarithm_and_order_does_not_matter(rows, data):
    assume(all(y != p for y, p, _ in rows))
    turn = data.draw(st.permutations(rows))

    def found(parts, scale=1):
        truth = {"y": [scale * y for y, _, _ in parts], "k": [k for _, _, k in parts]}
        guess = {"y": [scale * p for _, p, _ in parts]}
        return score("log-mae-by-group", truth, guess, group="k")

    assert found(turn) == pytest.approx(found(rows))
    assert found(rows, 3) == pytest.approx(found(rows) + math.log(3))
