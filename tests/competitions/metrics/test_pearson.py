import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from competitions.errors import InvalidSubmissionError
from tests.competitions.metrics.scoring import few, score


def pearson(truth, guess, **kw):
    return score("pearson", {"y": truth}, {"y": guess}, **kw)


@pytest.mark.parametrize(
    ("truth", "guess", "expected"),
    [
        pytest.param([0, 1, 2], [5, 7, 9], 1.0, id="other-unit-and-offset"),
        pytest.param([0, 1, 2], [0, -1, -2], -1.0, id="inverted"),
        # deviations (-1, 0, 1) and (-1, -1, 2): 3 / √(2·6)
        pytest.param([0, 1, 2], [1, 1, 4], 3 / math.sqrt(12), id="by-hand"),
        pytest.param([0, 1, 0, 1], [True, True, False, False], 0.0, id="true-is-one"),
    ],
)
def test_r_is_the_table_made_by_hand(truth, guess, expected):
    assert pearson(truth, guess) == pytest.approx(expected)


@pytest.mark.parametrize(
    "guess",
    [
        pytest.param([0.5, 0.5, 0.5], id="constant"),
        pytest.param([0.5, None, 1], id="empty"),
        pytest.param([0.5, math.inf, 1], id="infinite"),
        pytest.param([None, None, None], id="all-empty"),
    ],
)
def test_v1_scores_nan_where_fixed_refuses(guess):
    assert math.isnan(pearson([0, 1, 2], guess))
    with pytest.raises(InvalidSubmissionError, match=r"^y: "):
        pearson([0, 1, 2], guess, variant="fixed")


def test_text_is_refused():
    with pytest.raises(InvalidSubmissionError, match=r"y: text that is no number \(1\), at row 3"):
        pearson([0, 1, 2], ["1", "2", "high"])


def test_an_almost_constant_column_warns_nobody():
    assert -1 <= pearson([0, 1, 2], [0.3, 0.3 + 1e-16, 0.3 + 2e-16]) <= 1


NUMBERS = st.integers(-1000, 1000)


@few
@given(
    rows=st.lists(st.tuples(NUMBERS, NUMBERS), min_size=3, max_size=30),
    scale=st.integers(1, 50),
    shift=NUMBERS,
)
def test_r_is_bounded_symmetric_and_blind_to_unit_and_offset(rows, scale, shift):
    truth, guess = [y for y, _ in rows], [p for _, p in rows]
    assume(len(set(truth)) > 1 < len(set(guess)))
    found = pearson(truth, guess)

    assert -1 <= found <= 1
    assert pearson(guess, truth) == pytest.approx(found, abs=1e-9)
    assert pearson(truth, [scale * p + shift for p in guess]) == pytest.approx(found, abs=1e-9)
    assert pearson(truth, [-p for p in guess]) == pytest.approx(-found, abs=1e-9)
    assert pearson(truth, truth) == pytest.approx(1)
