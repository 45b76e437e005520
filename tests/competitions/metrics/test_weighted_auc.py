import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from competitions.errors import InvalidSubmissionError
from tests.competitions.metrics.scoring import few, score


def area(truth, guess):
    return score("weighted-auc", {"y": truth}, {"y": guess})


@pytest.mark.parametrize(
    ("truth", "guess", "expected"),
    [
        pytest.param([0, 1], [0, 1], 1.0, id="perfect"),
        pytest.param([0, 1], [1, 0], 0.0, id="inverted"),
        # the diagonal: 2·(0.4 - 0.4²/2) + 1·0.6²/2 = 0.64 + 0.18
        pytest.param([0, 1, 0, 1], [5, 5, 5, 5], 0.82 / 1.4, id="constant"),
        # the first half of the positives first, then all negatives: TPR is 0.5 from FPR 0 to 1
        pytest.param([1, 0, 1], [3, 2, 1], (2 * 0.4 + 0.1) / 1.4, id="half-first"),
        # a fifth of the positives first: TPR is 0.2 from 0 to 1
        pytest.param([1, 0, 1, 1, 1, 1], [9, 8, 1, 1, 1, 1], 2 * 0.2 / 1.4, id="a-fifth-first"),
        # two fifths: exactly the threshold
        pytest.param([1, 1, 0, 1, 1, 1], [9, 9, 8, 1, 1, 1], 2 * 0.4 / 1.4, id="on-the-threshold"),
        pytest.param([0, 1], [False, True], 1.0, id="true-and-false"),
    ],
)
def test_the_area_is_the_table_made_by_hand(truth, guess, expected):
    assert area(truth, guess) == pytest.approx(expected)


@pytest.mark.parametrize("cell", [None, "x", math.inf])
def test_a_score_must_be_a_finite_number(cell):
    with pytest.raises(InvalidSubmissionError, match=r"^y: .* \(1\), at row 2$"):
        area([0, 1], [0.5, cell])


def test_answers_of_one_class_are_the_graders_fault():
    with pytest.raises(ValueError, match="1 classes"):
        area([1, 1], [0.1, 0.2])


ROWS = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 9)), min_size=2, max_size=40).filter(
    lambda r: len({y for y, _ in r}) == 2
)


@few
@given(rows=ROWS, data=st.data())
def test_the_area_is_bounded_by_the_plain_one_and_only_ranks_matter(rows, data):
    truth, guess = [y for y, _ in rows], [p for _, p in rows]
    turn = data.draw(st.permutations(rows))
    found = area(truth, guess)
    tables = ({"y": truth}, {"y": guess})
    plain = score("auc-roc", *tables)

    assert 0 <= found <= 1 + 1e-12
    assert plain / 1.4 - 1e-12 <= found <= 2 * plain / 1.4 + 1e-12
    assert area(truth, [p**3 for p in guess]) == pytest.approx(found)
    assert area([y for y, _ in turn], [p for _, p in turn]) == pytest.approx(found)
