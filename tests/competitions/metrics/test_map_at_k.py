import pandas as pd  # noqa: TID253
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from competitions.errors import InvalidSubmissionError
from competitions.metrics import Context
from competitions.metrics.map_at_k import average_precision, score_superset
from tests.competitions.metrics.text_examples import score


@pytest.mark.parametrize(
    ("truth", "predicted", "expected"),
    [
        pytest.param(["w"], ["x w"], 1 / 2, id="second"),
        pytest.param(["w"], ["w w"], 1.0, id="repeated-hit"),
        pytest.param(["w"], ["x x w"], 1 / 3, id="a-repeated-miss-uses-a-rank"),
        pytest.param(["w"], ["a b c d e w"], 0.0, id="sixth-of-five"),
        pytest.param(["w"], ["x  w"], 1 / 3, id="two-blanks-use-a-rank"),
        pytest.param(["w"], [" w"], 1 / 2, id="leading-blank"),
        pytest.param(["w", "nan"], ["w", None], 1.0, id="an-empty-cell-is-the-word-nan"),
        # hits at 1 and 3 of three true: (1/1 + 2/3) / 3
        pytest.param(["a b c"], ["a x b"], 5 / 9, id="several"),
        # seven true, five ranks, all hits: 5/5
        pytest.param(["a b c d e f g"], ["a b c d e"], 1.0, id="more-true-than-ranks"),
        pytest.param(["7", "8"], [7, 9], 0.5, id="numbers"),
        pytest.param(["7", "8"], [7, None], 0.0, id="numbers-with-a-gap-never-match"),
    ],
)
def test_average_precision_is_as_by_hand(truth, predicted, expected):
    assert score("map-at-k", truth, predicted, k=5) == pytest.approx(expected)


def test_numbers_with_a_gap_and_leading_zeros_match_where_mended():
    assert score("map-at-k", ["7", "8"], [7, None], "fixed", k=5) == 0.5
    assert score("map-at-k", ["7 8"], ["007 08"], k=5, numbers=True) == 0
    assert score("map-at-k", ["7 8"], ["007 08"], "fixed", k=5, numbers=True) == 1


@settings(max_examples=30, deadline=None)
@given(
    true=st.sets(st.sampled_from("abcdef"), min_size=1),
    ranked=st.lists(st.sampled_from("abcdefgh"), max_size=9),
    k=st.integers(1, 9),
)
def test_average_precision_is_a_share_and_one_for_the_truth_first(true, ranked, k):
    assert 0 <= average_precision(true, ranked, k) <= 1
    assert average_precision(true, [*sorted(true), *ranked], k) == pytest.approx(1)
    assert average_precision(true, ranked, k) == average_precision(true, ranked[:k], k)


ANSWERS = pd.DataFrame({"c": ["p", "q"], "y": ["1 2", "3"]})


def customers(keys, cells, variant="v1"):
    submission = pd.DataFrame({"c": keys, "y": cells})
    context = Context(("y",), {"k": 12, "numbers": True}, variant, ("c",))
    return score_superset(ANSWERS, submission, context)


@pytest.mark.parametrize("variant", ["v1", "fixed"])
def test_further_customers_are_dropped_and_order_is_free(variant):
    assert customers(["z", "q", "p"], ["9", "3", "1 2"], variant) == 1.0


def test_a_repeated_customer_shifts_the_rows_behind_it_only_in_the_published_scores():
    # p meets p, q meets the second p: (1 + 0) / 2
    assert customers(["p", "p", "q"], ["1 2", "1 2", "3"]) == 0.5
    with pytest.raises(InvalidSubmissionError, match=r"more than once \(1\): p"):
        customers(["p", "p", "q"], ["1 2", "1 2", "3"], "fixed")


@pytest.mark.parametrize("variant", ["v1", "fixed"])
def test_a_missing_customer_and_other_columns_are_refused(variant):
    with pytest.raises(InvalidSubmissionError, match=r"missing keys \(1\).* q"):
        customers(["p", "z"], ["1", "2"], variant)
    context = Context(("y",), {"k": 12}, variant, ("c",))
    with pytest.raises(InvalidSubmissionError, match="columns"):
        score_superset(ANSWERS, ANSWERS.assign(more=1), context)
    with pytest.raises(InvalidSubmissionError, match="expected the columns y"):
        score_superset(ANSWERS, ANSWERS[["c"]], context)
    with pytest.raises(InvalidSubmissionError, match="expected the columns c"):
        score_superset(ANSWERS, ANSWERS[["y"]], context)
