import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau  # noqa: TID253

from competitions.errors import InvalidSubmissionError
from competitions.metrics.kendall_tau import count_inversions
from tests.competitions.metrics.text_examples import score


@pytest.mark.parametrize(
    ("truth", "predicted", "expected"),
    [
        pytest.param(["a b c"], ["a b c"], 1.0, id="right"),
        pytest.param(["a b c"], ["c b a"], -1.0, id="reversed"),
        # one of three pairs: 1 - 4·1/(3·2)
        pytest.param(["a b c"], ["b a c"], 1 / 3, id="one-pair"),
        # pooled: 1 - 4·(1 + 0)/(2·1 + 3·2), where the mean of taus would be 0
        pytest.param(["a b", "c d e"], ["b a", "c d e"], 0.5, id="ratio-of-sums"),
        pytest.param(["a", "c d"], ["a", "c d"], 1.0, id="single-cell-counts-nothing"),
    ],
)
def test_orders_are_compared_as_by_hand(truth, predicted, expected):
    assert score("kendall-tau", truth, predicted) == pytest.approx(expected)


@pytest.mark.parametrize(
    "cell",
    [
        pytest.param("a b", id="too-few"),
        pytest.param("a b c c", id="too-many"),
        pytest.param("a b b", id="repeated"),
        pytest.param("a b z", id="unknown"),
        pytest.param(None, id="empty"),
        pytest.param("a,b,c", id="commas"),
    ],
)
def test_what_is_no_permutation_is_refused_with_its_row(cell):
    with pytest.raises(InvalidSubmissionError, match=r"y: expected every item once.* at k1"):
        score("kendall-tau", ["a b", "a b c"], ["b a", cell])


def test_answers_without_a_pair_are_the_graders_fault():
    with pytest.raises(ValueError, match="two items"):
        score("kendall-tau", ["a"], ["a"])


@settings(max_examples=30, deadline=None)
@given(order=st.permutations(range(9)))
def test_one_row_agrees_with_scipy_both_ways_round(order):
    items = [f"c{n}" for n in range(9)]
    shuffled = " ".join(f"c{n}" for n in order)
    found = score("kendall-tau", [" ".join(items)], [shuffled])

    assert found == pytest.approx(kendalltau(range(9), order).statistic)
    assert found == score("kendall-tau", [shuffled], [" ".join(items)])
    assert count_inversions(order) == sum(
        order[i] > order[j] for i in range(9) for j in range(i + 1, 9)
    )
