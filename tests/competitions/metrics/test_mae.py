import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from competitions.errors import InvalidSubmissionError
from tests.competitions.metrics.scoring import few, score

TRUTH = {"y": [1.0, 2.0, 3.0], "u_out": [0, 1, 0]}


def test_only_rows_with_a_zero_count():
    # |2 - 1| and |6 - 3| of two
    assert score("mae", TRUTH, {"y": [2, 99, 6]}, zero_in="u_out") == pytest.approx(2.0)


@pytest.mark.parametrize("cell", [None, "x", math.inf])
def test_what_stands_in_the_other_rows_is_harmless_under_v1_only(cell):
    assert score("mae", TRUTH, {"y": [2, cell, 6]}, zero_in="u_out") == pytest.approx(2.0)
    for variant, guess in (("fixed", [2, cell, 6]), ("v1", [cell, 2, 6])):
        with pytest.raises(InvalidSubmissionError, match=r"^y: .* \(1\), at row"):
            score("mae", TRUTH, {"y": guess}, zero_in="u_out", variant=variant)


@pytest.mark.parametrize(
    ("errors", "expected"),
    [
        pytest.param([1, 2], 2, id="a-half-to-the-even-above"),
        pytest.param([2, 3], 2, id="a-half-to-the-even-below"),
        pytest.param([2, 3.2], 3, id="up"),
        pytest.param([0.1, 0.2], 0, id="down"),
    ],
)
def test_a_rounded_error_is_whole(errors, expected):
    assert score("mae", {"y": [0.0, 0.0]}, {"y": errors}, rounded=True) == expected


@few
@given(errors=st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20))
def test_rounding_moves_by_at_most_a_half(errors):
    truth = {"y": [0.0] * len(errors)}
    exact = score("mae", truth, {"y": errors})
    whole = score("mae", truth, {"y": errors}, rounded=True)

    assert whole == int(whole)
    assert abs(whole - exact) <= 0.5 + 1e-9
