import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from competitions.errors import InvalidSubmissionError
from tests.competitions.metrics.scoring import few, score


def mcc(truth, guess, **kw):
    return score("matthews-correlation", {"y": truth}, {"y": guess}, **kw)


@pytest.mark.parametrize(
    ("truth", "guess", "expected"),
    [
        # TP 1, TN 2, FP 0, FN 1: (2 - 0) / √(1·2·2·3)
        pytest.param([1, 1, 0, 0], [1, 0, 0, 0], 2 / math.sqrt(12), id="one-missed"),
        pytest.param([1, 0], [0, 1], -1.0, id="inverted"),
        pytest.param([1, 0], [0, 0], 0.0, id="constant"),
        pytest.param([1, 0], [1.0, 0.0], 1.0, id="whole-floats"),
        pytest.param([1, 0], [True, False], 1.0, id="true-and-false"),
    ],
)
def test_the_correlation_is_the_table_made_by_hand(truth, guess, expected):
    assert mcc(truth, guess) == pytest.approx(expected)
    assert mcc(truth, guess, variant="fixed") == pytest.approx(expected)


@pytest.mark.parametrize("cell", [None, "1 ?", 0.5, math.inf])
def test_what_is_no_class_is_refused(cell):
    with pytest.raises(InvalidSubmissionError, match=r"^y: .* \(1\), at row 2$"):
        mcc([1, 0], [1, cell])


def test_another_integer_is_a_further_class_under_v1_and_refused_under_fixed():
    # hits 3 of 4; counts 2,2,0 and 2,1,1: (3·4 - (4+2)) / √((16-6)(16-8))
    assert mcc([1, 1, 0, 0], [1, 1, 0, 7]) == pytest.approx(6 / math.sqrt(80))
    with pytest.raises(InvalidSubmissionError, match=r"other than 0 and 1 \(1\), at row 4"):
        mcc([1, 1, 0, 0], [1, 1, 0, 7], variant="fixed")


@few
@given(rows=st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=40))
def test_the_correlation_is_bounded_symmetric_and_turns_with_the_labels(rows):
    truth, guess = [y for y, _ in rows], [p for _, p in rows]
    found = mcc(truth, guess)

    assert -1 - 1e-9 <= found <= 1 + 1e-9
    assert mcc(guess, truth) == pytest.approx(found)
    assert mcc(truth, [1 - p for p in guess]) == pytest.approx(-found)
    assert mcc(truth, truth) == pytest.approx(1.0 if len(set(truth)) == 2 else 0.0)
