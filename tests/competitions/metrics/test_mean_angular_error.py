import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from competitions.errors import InvalidSubmissionError
from tests.competitions.metrics.scoring import few, score

PI = math.pi


def angle(truth, guess, **kw):
    tables = [{"azimuth": [a for a, _ in t], "zenith": [z for _, z in t]} for t in (truth, guess)]
    return score("mean-angular-error", *tables, **kw)


@pytest.mark.parametrize(
    ("truth", "guess", "expected"),
    [
        pytest.param([(0, 0)], [(2, 0)], 0.0, id="azimuth-of-a-pole-is-nothing"),
        pytest.param([(0, 0)], [(0, PI)], PI, id="opposite-poles"),
        pytest.param([(0, PI / 2)], [(PI / 2, PI / 2)], PI / 2, id="a-quarter-along-the-equator"),
        pytest.param([(0, PI / 2)], [(2 * PI, PI / 2)], 0.0, id="a-full-turn"),
        pytest.param([(1, 0.3)], [(1, 0.8)], 0.5, id="same-azimuth"),
        pytest.param([(0, 0), (0, 0)], [(0, 0.5), (0, 1.5)], 1.0, id="mean-of-two"),
        # cos = cos 1 cos 1 along the equator and up: x·x' = cos(π/3) for 60°
        pytest.param([(0, PI / 2)], [(PI / 3, PI / 2)], PI / 3, id="sixty-degrees"),
    ],
)
def test_the_angle_is_the_table_made_by_hand(truth, guess, expected):
    assert angle(truth, guess) == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize("cell", [None, "x", math.inf, -math.inf])
def test_an_angle_must_be_finite(cell):
    with pytest.raises(InvalidSubmissionError, match=r"^azimuth: .* \(1\), at row 1$"):
        angle([(0, 0)], [(cell, 0)])


def test_true_and_false_are_no_angles_and_a_further_column_is_refused():
    with pytest.raises(InvalidSubmissionError, match="zenith: expected angles, found True"):
        angle([(0, 0)], [(0, True)])
    with pytest.raises(InvalidSubmissionError, match="not expected: x"):
        score(
            "mean-angular-error",
            {"azimuth": [0], "zenith": [0]},
            {"azimuth": [0], "zenith": [0], "x": [0]},
            ["azimuth", "zenith"],
            columns="exact",
        )


POINT = st.tuples(st.floats(-7, 7), st.floats(-7, 7))


@few
@given(rows=st.lists(st.tuples(POINT, POINT), min_size=1, max_size=20), turn=st.floats(-7, 7))
def test_the_angle_is_bounded_symmetric_and_blind_to_a_turn_of_the_sky(rows, turn):
    truth, guess = [t for t, _ in rows], [g for _, g in rows]
    found = angle(truth, guess)
    turned = [[(a + turn, z) for a, z in side] for side in (truth, guess)]

    assert 0 <= found <= PI
    assert angle(guess, truth) == pytest.approx(found, abs=1e-6)
    assert angle(*turned) == pytest.approx(found, abs=1e-6)
    assert angle(truth, truth) == pytest.approx(0, abs=1e-6)
