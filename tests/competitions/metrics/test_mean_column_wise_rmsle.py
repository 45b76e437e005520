import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from competitions.errors import InvalidSubmissionError
from tests.competitions.metrics.scoring import few, score

NAME = "mean-column-wise-rmsle"
E = math.e


@pytest.mark.parametrize(
    ("truth", "guess", "expected"),
    [
        # ln(1+p) - ln(1+y): a (1, 0) -> √½; b (2, 0) -> √2
        pytest.param(
            {"a": [0, 0], "b": [0, 0]},
            {"a": [E - 1, 0], "b": [E**2 - 1, 0]},
            (math.sqrt(0.5) + math.sqrt(2)) / 2,
            id="by-hand",
        ),
        pytest.param({"a": [1, 3], "b": [0, 2]}, {"a": [1, 3], "b": [0, 2]}, 0.0, id="perfect"),
    ],
)
def test_the_error_is_the_table_made_by_hand(truth, guess, expected):
    assert score(NAME, truth, guess) == pytest.approx(expected)


def test_true_is_one_in_half_precision_under_v1():
    truth, guess = {"a": [0], "b": [1]}, {"a": [True], "b": [1]}

    assert score(NAME, truth, guess, variant="v1") == 0.693359375 / 2
    assert score(NAME, truth, guess, variant="fixed") == pytest.approx(math.log(2) / 2)


@pytest.mark.parametrize("cell", [None, "x", math.inf, -0.5, -1, -2])
def test_a_cell_without_a_logarithm_is_refused(cell):
    with pytest.raises(InvalidSubmissionError, match=r"^a: .* \(1\), at row 2$"):
        score(NAME, {"a": [1, 2]}, {"a": [1, cell]})


NUMBERS = st.floats(0, 1e4)


@few
@given(rows=st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=30), data=st.data())
def test_the_error_is_a_distance_of_logarithms(rows, data):
    turn = data.draw(st.permutations(rows))
    truth, guess = {"a": [y for y, _ in rows]}, {"a": [p for _, p in rows]}
    found = score(NAME, truth, guess)
    largest = max(abs(math.log1p(y) - math.log1p(p)) for y, p in rows)

    assert 0 <= found <= largest + 1e-9
    assert score(NAME, guess, truth) == pytest.approx(found, abs=1e-12)
    assert score(NAME, {"a": [y for y, _ in turn]}, {"a": [p for _, p in turn]}) == pytest.approx(
        found, abs=1e-12
    )
