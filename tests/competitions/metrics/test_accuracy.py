"""Labels that graders take in spite of their type: see also tests/competitions/test_metrics.py."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from competitions.errors import InvalidSubmissionError
from tests.competitions.metrics.scoring import few, score

NUMBERS, WORDS = [0, 1, 2, 3], ["maize", "beet", "hen", "maize"]


def accuracy(truth, guess, **kw):
    return score("accuracy", {"y": truth}, {"y": guess}, **kw)


@pytest.mark.parametrize(
    "guess",
    [
        pytest.param(["0", "1", "2", "x"], id="one-text-cell"),
        pytest.param(["x", "x", "x", "x"], id="one-word"),
        pytest.param(["x", "y", "x", "y"], id="two-words"),
    ],
)
def test_words_for_class_numbers_are_all_wrong_under_v1_and_refused_under_fixed(guess):
    assert accuracy(NUMBERS, guess) == 0.0
    with pytest.raises(InvalidSubmissionError, match="found text"):
        accuracy(NUMBERS, guess, variant="fixed")


@pytest.mark.parametrize(
    "guess", [[0, 1, 2, None], [0, 1, 2, 2.5], [0, 1, 2, math.inf], ["x", None, "y", "z"]]
)
def test_gaps_and_fractions_are_refused_where_answers_are_class_numbers(guess):
    for variant in ("v1", "fixed"):
        with pytest.raises(InvalidSubmissionError, match=r"^y: "):
            accuracy(NUMBERS, guess, variant=variant)


@pytest.mark.parametrize("guess", [[0, 1, 2, 3], [1.0, 1.0, 2.0, 2.0], [True, False, True, True]])
def test_whole_numbers_for_words_are_all_wrong_under_v1_and_refused_under_fixed(guess):
    assert accuracy(WORDS, guess) == 0.0
    with pytest.raises(InvalidSubmissionError, match="y: expected words, found numbers"):
        accuracy(WORDS, guess, variant="fixed")


def test_fractions_for_words_and_numbers_for_two_words_are_refused():
    with pytest.raises(InvalidSubmissionError, match=r"no whole numbers \(1\), at row 2"):
        accuracy(WORDS, [0, 0.5, 1, 2])
    with pytest.raises(InvalidSubmissionError, match="expected words"):
        accuracy(["yes", "no"], [0, 1])


@pytest.mark.parametrize(
    ("guess", "expected"),
    [
        pytest.param(["maize", None, "hen", None], 0.5, id="beside-words"),
        pytest.param([None] * 4, 0.0, id="everywhere"),
        pytest.param([1, None, 2.5, 3], 0.0, id="beside-numbers"),
    ],
)
def test_an_empty_cell_is_a_wrong_word_where_the_task_says_so(guess, expected):
    assert accuracy(WORDS, guess, missing="wrong") == expected
    with pytest.raises(InvalidSubmissionError, match="y: empty cells"):
        accuracy(WORDS, guess)


@pytest.mark.parametrize(
    ("truth", "guess", "expected"),
    [
        pytest.param(["one", None, "x"], ["one", None, None], 2 / 3, id="missing-equals-missing"),
        pytest.param([1, 2], [1.0, 2.0], 0.0, id="as-written-not-as-numbers"),
        pytest.param([1, 2], ["1", "2"], 1.0, id="the-same-characters"),
        pytest.param(["nan", "b"], [None, "b"], 1.0, id="missing-is-the-word-nan"),
        pytest.param(["True", "b"], [True, False], 0.5, id="true-is-a-word"),
        pytest.param(["a b", "c"], ["a  b", "C"], 0.0, id="blanks-and-case-count"),
    ],
)
def test_cells_are_compared_as_they_are_written(truth, guess, expected):
    assert accuracy(truth, guess, as_text=True) == pytest.approx(expected)


@few
@given(rows=st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abcd")), min_size=1))
def test_on_words_all_ways_agree(rows):
    truth, guess = [y for y, _ in rows], [p for _, p in rows]
    expected = sum(y == p for y, p in rows) / len(rows)

    assert accuracy(truth, guess) == pytest.approx(expected)
    assert accuracy(truth, guess, as_text=True) == pytest.approx(expected)
    assert accuracy(truth, guess, missing="wrong", variant="fixed") == pytest.approx(expected)
