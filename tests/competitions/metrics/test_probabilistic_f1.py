import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from competitions.errors import InvalidSubmissionError
from tests.competitions.metrics.scoring import few, score


def f1(truth, guess, variant="v1"):
    return score("probabilistic-f1", {"y": truth}, {"y": guess}, variant=variant)


@pytest.mark.parametrize(
    ("truth", "guess", "expected"),
    [
        # hits 0.5, all 1, positives 1: P = ½, R = ½
        pytest.param([1, 0], [0.5, 0.5], 0.5, id="constant-half"),
        # hits 1.2, all 1.6, positives 2: P = ¾, R = 0.6
        pytest.param([1, 1, 0, 0], [0.9, 0.3, 0.4, 0.0], 2 * 0.75 * 0.6 / 1.35, id="by-hand"),
        pytest.param([1, 0], [1, 0], 1.0, id="perfect"),
        pytest.param([1, 0], [7.0, -3.0], 1.0, id="clipped"),
        pytest.param([1, 0], [0, 1], 0.0, id="inverted"),
        pytest.param([1, 0], [0.0, 0.0], 0.0, id="all-zero"),
        pytest.param([1, 0], [-1.0, 0.0], 0.0, id="zero-and-below"),
        pytest.param([True, False], [True, False], 1.0, id="true-and-false"),
        pytest.param([1, 0], [math.inf, 0], 1.0, id="infinite-is-one"),
    ],
)
def test_f1_is_the_table_made_by_hand(truth, guess, expected):
    assert f1(truth, guess) == pytest.approx(expected)
    assert f1(truth, guess, "fixed") == pytest.approx(expected)


def test_an_empty_cell_makes_v1_zero_and_is_refused_under_fixed():
    assert f1([1, 0], [1, None]) == 0.0
    with pytest.raises(InvalidSubmissionError, match=r"y: empty cells \(1\), at row 2"):
        f1([1, 0], [1, None], "fixed")


def test_only_values_below_zero_are_invalid_under_v1_and_zero_under_fixed():
    with pytest.raises(InvalidSubmissionError, match="y: every value is below 0"):
        f1([1, 0], [-1, -0.5])
    assert f1([1, 0], [-1, -0.5], "fixed") == 0.0


@pytest.mark.parametrize("variant", ["v1", "fixed"])
@pytest.mark.parametrize("guess", [[0, 0], [0.5, math.inf], [-1, -1], [1, 0]])
def test_answers_without_a_positive_have_no_score_and_no_submission_is_to_blame(guess, variant):
    with pytest.raises(ValueError, match="the answers of y hold no positive"):
        f1([0, 0], guess, variant)


def test_text_is_refused():
    with pytest.raises(InvalidSubmissionError, match=r"y: text that is no number \(1\), at row 2"):
        f1([1, 0], [1, "no"])


ROWS = st.lists(st.tuples(st.integers(0, 1), st.floats(0, 1)), min_size=1, max_size=30).filter(
    lambda r: any(y for y, _ in r)
)


@few
@given(rows=ROWS, data=st.data())
def test_f1_is_bounded_and_more_on_a_positive_never_costs(rows, data):
    truth, guess = [y for y, _ in rows], [p for _, p in rows]
    turn = data.draw(st.permutations(rows))
    found = f1(truth, guess)
    hits, total = sum(y * p for y, p in rows), sum(guess)
    by_hand = 2 * hits / (total + sum(truth))  # the Dice form of the same figure
    better = [1.0 if y else p for y, p in rows]

    assert 0 <= found <= 1 + 1e-9
    assert found == pytest.approx(by_hand, abs=1e-9)
    assert f1(truth, better) >= found - 1e-9
    assert f1([y for y, _ in turn], [p for _, p in turn]) == pytest.approx(found)
