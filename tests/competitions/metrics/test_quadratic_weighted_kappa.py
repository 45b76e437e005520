import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from competitions.errors import InvalidSubmissionError
from tests.competitions.metrics.scoring import few, score


def kappa(truth, guess, **kw):
    return score("quadratic-weighted-kappa", {"y": truth}, {"y": guess}, **kw)


@pytest.mark.parametrize(
    ("truth", "guess", "expected"),
    [
        # observed 1 (one miss of 1), expected Σ (i-j)²·nᵢmⱼ/n over (1,1,2)x(1,2,1) = 20/4 = 5
        pytest.param([0, 1, 2, 2], [0, 1, 2, 1], 1 - 1 / 5, id="one-near-miss"),
        pytest.param([0, 1, 2], [0.0, 1.0, 2.0], 1.0, id="whole-floats"),
        pytest.param([0, 0, 1, 1], [True, True, False, False], -1.0, id="true-is-one"),
        pytest.param([0, 1, 2], [1, 1, 1], 0.0, id="constant"),
        # places 0, 1, 2 of the union {0, 1, 7}, so that 7 for 1 is a miss of one place:
        # observed 1, expected Σ over (1,1,0)x(1,0,1) = (0+4+1+1)/2 = 3
        pytest.param([0, 1], [0, 7], 1 - 1 / 3, id="far-class-is-the-next-place"),
        # places of the union {-3, 0, 1}: observed 2² = 4, expected (0+1+1+4)/2 = 3
        pytest.param([0, 1], [0, -3], 1 - 4 / 3, id="negative-class"),
    ],
)
def test_kappa_is_the_table_made_by_hand(truth, guess, expected):
    assert kappa(truth, guess) == pytest.approx(expected)


def test_one_class_on_both_sides_has_no_kappa():
    assert math.isnan(kappa([3, 3], [3, 3]))


@pytest.mark.parametrize(
    ("guess", "said"),
    [
        pytest.param([0, 1.5], r"no whole numbers \(1\), at row 2", id="fraction"),
        pytest.param([0, None], r"empty cells \(1\), at row 2", id="empty"),
        pytest.param([0, "1st"], r"text that is no number \(1\)", id="text"),
        pytest.param([0, math.inf], "infinite", id="infinite"),
        pytest.param([0, 1e300], "no whole numbers", id="beyond-64-bits"),
    ],
)
def test_what_is_no_class_number_is_refused(guess, said):
    with pytest.raises(InvalidSubmissionError, match=f"^y: .*{said}"):
        kappa([0, 1], guess)


def test_known_limits_make_weights_follow_values_and_refuse_other_classes():
    # 4 for 0: 16; expected (0·0 + 16)·... over {0,4}x{4,4}/2 = (16·1·2 + 0)/2 = 16 -> 1 - 16/16
    assert kappa([0, 4], [4, 4], low=0, high=4) == pytest.approx(0.0)
    # values 0, 1, 4: observed 9 (4 for 1), expected Σ over (1,1)x(0,4) = (0+16+1+9)/2 = 13
    assert kappa([0, 1], [0, 4], low=0, high=4) == pytest.approx(1 - 9 / 13)
    with pytest.raises(InvalidSubmissionError, match=r"classes outside 0 … 4 \(1\), at row 1"):
        kappa([0, 1], [7, 1], low=0, high=4)


CLASSES = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=40)


@few
@given(rows=CLASSES.filter(lambda r: len({y for y, _ in r}) > 1), data=st.data())
def test_kappa_is_symmetric_bounded_and_knows_no_order_of_rows(rows, data):
    truth, guess = [y for y, _ in rows], [p for _, p in rows]
    turn = data.draw(st.permutations(rows))
    found = kappa(truth, guess)

    assert -1 - 1e-9 <= found <= 1 + 1e-9
    assert kappa(guess, truth) == pytest.approx(found)
    assert kappa([y for y, _ in turn], [p for _, p in turn]) == pytest.approx(found)
    assert kappa(truth, truth) == pytest.approx(1.0)
    y, p = np.array(truth), np.array(guess)
    every = ((y[:, None] - p[None, :]) ** 2).mean()
    by_hand = 1 - ((y - p) ** 2).mean() / every
    assert kappa(truth, guess, low=0, high=4) == pytest.approx(by_hand)
