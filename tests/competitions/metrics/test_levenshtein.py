import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from competitions.errors import InvalidSubmissionError
from tests.competitions.metrics.text_examples import score

TEXTS = st.lists(st.text(max_size=12), min_size=1, max_size=8)


@pytest.mark.parametrize(
    ("truth", "predicted", "expected"),
    [
        # k→s, e→i, +g
        pytest.param(["kitten"], ["sitting"], 3, id="three-edits"),
        pytest.param(["kitten", "same"], ["sitting", "same"], 1.5, id="mean-of-3-and-0"),
        pytest.param(["abc"], ["ABC"], 3, id="case-counts"),
        pytest.param(["a b"], ["a  b"], 1, id="white-space-counts"),
        pytest.param(["ab"], ["ba"], 2, id="a-swap-is-two-edits"),
        pytest.param(["𝔘é"], ["Ué"], 1, id="characters-not-bytes"),
        pytest.param(["abc"], [" "], 3, id="blank"),
    ],
)
def test_edits_are_counted_as_by_hand(truth, predicted, expected):
    assert score("levenshtein", truth, predicted) == expected


@pytest.mark.parametrize(
    ("predicted", "said"),
    [
        pytest.param(["a", None], "y: empty cells (1), at k1", id="empty"),
        pytest.param([1, 2], "y: expected text, found '1' (2), at k0, k1", id="numbers"),
        pytest.param([True, False], "y: expected text, found 'True'", id="booleans"),
    ],
)
def test_what_is_no_text_is_refused(predicted, said):
    with pytest.raises(InvalidSubmissionError) as refused:
        score("levenshtein", ["a", "b"], predicted)

    assert said in str(refused.value)


def test_an_empty_cell_is_the_word_nan_where_the_published_grader_casts_to_text():
    # InChI → nan keeps the n: four edits; 7 is read as 7.0 beside an empty cell: two edits
    assert score("levenshtein", ["InChI", "7"], [None, 7], as_text=True) == (4 + 2) / 2
    with pytest.raises(InvalidSubmissionError, match="empty"):
        score("levenshtein", ["InChI", "7"], [None, 7], "fixed", as_text=True)


@settings(max_examples=30, deadline=None)
@given(rows=st.lists(st.tuples(st.text(max_size=9), st.text(max_size=9)), min_size=1, max_size=6))
def test_a_distance_is_symmetric_bounded_and_blind_to_the_order_of_rows(rows):
    truth, predicted = map(list, zip(*rows, strict=True))
    found = score("levenshtein", truth, predicted)

    assert found == score("levenshtein", predicted, truth)
    assert found == pytest.approx(score("levenshtein", truth[::-1], predicted[::-1]))
    assert 0 <= found <= max(max(len(a), len(b)) for a, b in rows)
    assert score("levenshtein", truth, truth) == 0
