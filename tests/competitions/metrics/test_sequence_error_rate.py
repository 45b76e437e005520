import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from competitions.errors import InvalidSubmissionError
from tests.competitions.metrics.text_examples import score


@pytest.mark.parametrize(
    ("truth", "predicted", "expected"),
    [
        # one deletion of five labels
        pytest.param(["1 2 3", "4 5"], ["1 3", "4 5"], 1 / 5, id="ratio-of-sums"),
        # 5 insertions and 1 substitution for one label
        pytest.param(["1"], ["2 3 4 5 6 7"], 6.0, id="exceeds-one"),
        pytest.param(["12 3"], ["1 23"], 1.0, id="labels-not-digits"),
        pytest.param(["1 2"], ["  "], 1.0, id="blanks-are-an-empty-sequence"),
        pytest.param(["1 2"], ["+1  0_2"], 0.0, id="numbers-as-python-reads-them"),
        pytest.param(["1 2"], ["1 99"], 0.5, id="any-label"),
        pytest.param([3, 4], [3, 5], 0.5, id="columns-read-as-numbers"),
    ],
)
def test_edits_per_label_are_as_by_hand(truth, predicted, expected):
    assert score("sequence-error-rate", truth, predicted) == expected


@pytest.mark.parametrize("cell", ["3.0 1", "1,2", "a", None, "1 nan"])
def test_anything_but_whole_numbers_is_refused_with_its_row(cell):
    with pytest.raises(InvalidSubmissionError, match=r"y: .* at k1"):
        score("sequence-error-rate", ["1", "2"], ["1", cell])


def test_a_gap_turns_labels_into_fractions_only_in_the_published_scores():
    with pytest.raises(InvalidSubmissionError, match="empty"):
        score("sequence-error-rate", [1, 2], [1, None], "fixed")
    with pytest.raises(InvalidSubmissionError, match=r"found '1\.0'"):
        score("sequence-error-rate", [1, 2], [1.0, 2.0])
    assert score("sequence-error-rate", [1, 2], [1.0, 2.0], "fixed") == 0


SEQUENCE = st.lists(st.integers(1, 20), min_size=1, max_size=8)


@settings(max_examples=30, deadline=None)
@given(rows=st.lists(st.tuples(SEQUENCE, SEQUENCE), min_size=1, max_size=5))
def test_a_rate_is_zero_for_the_answers_and_blind_to_the_order_of_rows(rows):
    truth, predicted = (
        [" ".join(map(str, row)) for row in column] for column in zip(*rows, strict=True)
    )
    found = score("sequence-error-rate", truth, predicted)

    assert score("sequence-error-rate", truth, truth) == 0
    assert found == score("sequence-error-rate", truth[::-1], predicted[::-1])
    longest = sum(max(len(t), len(p)) for t, p in rows)
    assert 0 <= found <= longest / sum(len(t) for t, _ in rows)
