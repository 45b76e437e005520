import pytest
from hypothesis import given
from hypothesis import strategies as st

from competitions.errors import InvalidSubmissionError
from tests.competitions.metrics.scoring import few, score


def f1(truth, guess, **kw):
    return score("micro-f1", {"y": truth}, {"y": guess}, **kw)


def test_an_empty_cell_beside_words_is_wrong_under_v1_and_refused_under_fixed():
    assert f1(["a", "b", "b", "c"], ["a", None, "b", None]) == pytest.approx(0.5)
    with pytest.raises(InvalidSubmissionError, match=r"y: empty cells \(2\), at row 2, row 4"):
        f1(["a", "b", "b", "c"], ["a", None, "b", None], variant="fixed")


@pytest.mark.parametrize("guess", [[1, 2], [0.5, 1.5], [True, False], [None, None]])
def test_a_column_that_holds_no_words_is_refused(guess):
    with pytest.raises(InvalidSubmissionError, match="y: expected words"):
        f1(["a", "b"], guess)


@few
@given(rows=st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abcx")), min_size=1))
def test_with_one_label_per_row_it_is_the_accuracy(rows):
    truth, guess = [y for y, _ in rows], [p for _, p in rows]

    assert f1(truth, guess) == pytest.approx(sum(y == p for y, p in rows) / len(rows))
    assert f1(guess, truth) == pytest.approx(f1(truth, guess))
