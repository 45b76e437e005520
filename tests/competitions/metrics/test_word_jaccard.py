import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from competitions.errors import InvalidSubmissionError
from tests.competitions.metrics.text_examples import score


@pytest.mark.parametrize(
    ("truth", "predicted", "expected"),
    [
        pytest.param(["a good day"], ["Good day"], 2 / 3, id="case-does-not-count"),
        pytest.param(["a a b"], ["b a"], 1.0, id="sets-of-words"),
        pytest.param(["a b"], ["a b."], 1 / 3, id="punctuation-belongs-to-the-word"),
        pytest.param(["a\tb"], ["b\u3000a"], 1.0, id="any-white-space"),
        pytest.param(["a", "b"], ["a", None], 0.5, id="empty-cell"),
        pytest.param(["a", None], ["a", "b"], 0.5, id="empty-answer"),
    ],
)
@pytest.mark.parametrize("variant", ["v1", "fixed"])
def test_shared_words_are_as_by_hand(truth, predicted, expected, variant):
    assert score("word-jaccard", truth, predicted, variant) == pytest.approx(expected)


def test_two_texts_without_words_are_zero_refused_or_agree():
    truth, predicted = ["a", None], ["a", " "]

    assert score("word-jaccard", truth, predicted) == 0.5
    with pytest.raises(InvalidSubmissionError, match=r"y: no words .* \(1\), at k1"):
        score("word-jaccard", truth, predicted, both_empty="refused")
    assert score("word-jaccard", truth, predicted, "fixed", both_empty="refused") == 1.0


def test_numbers_are_refused_unless_they_are_cast_to_text():
    with pytest.raises(InvalidSubmissionError, match="expected text"):
        score("word-jaccard", ["7", "x"], [7, 8])
    assert score("word-jaccard", ["7", "x"], [7, 8], as_text=True) == 0.5
    assert score("word-jaccard", ["7", "x"], [7, None], as_text=True) == 0  # 7.0 is another word
    assert score("word-jaccard", ["7", "x"], [7, None], "fixed", as_text=True) == 0.5


WORDY = st.lists(st.sampled_from("abc"), max_size=4).map(" ".join)


@settings(max_examples=30, deadline=None)
@given(rows=st.lists(st.tuples(WORDY, WORDY), min_size=1, max_size=6))
def test_a_share_is_symmetric_and_one_for_the_answers(rows):
    truth, predicted = map(list, zip(*rows, strict=True))
    found = score("word-jaccard", truth, predicted)

    assert 0 <= found <= 1
    assert found == pytest.approx(score("word-jaccard", predicted[::-1], truth[::-1]))
    assert score("word-jaccard", truth, truth, "fixed") == 1
