import math

import pandas as pd  # noqa: TID253
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from competitions.errors import InvalidSubmissionError
from tests.competitions.metrics.scoring import few, score

NAME = "mean-column-wise-spearman"
TRUTH = {"id": [1, 2, 3], "a": [0.0, 0.5, 1.0], "b": [0.0, 0.5, 1.0]}


def rho(a, b, **kw):
    return score(NAME, TRUTH, {"id": [1, 2, 3], "a": a, "b": b}, key=["id"], **kw)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        pytest.param([1, 2, 100], [-3, -2, -1], 1.0, id="only-ranks-matter"),
        # one swap of neighbours among three: 1 - 6·2/(3·8) = 1/2
        pytest.param([1, 2, 3], [2, 1, 3], (1 + 0.5) / 2, id="one-swap"),
        # ranks 1.5, 1.5, 3 against 1, 2, 3: deviations (-.5, -.5, 1), (-1, 0, 1): 1.5/√(1.5·2)
        pytest.param([1, 2, 3], [7, 7, 9], (1 + 1.5 / math.sqrt(3)) / 2, id="ties-share-a-rank"),
        pytest.param([3, 2, 1], [3, 2, 1], -1.0, id="inverted"),
    ],
)
def test_the_mean_is_the_table_made_by_hand(a, b, expected):
    assert rho(a, b) == pytest.approx(expected)


@pytest.mark.parametrize(
    "a",
    [
        pytest.param([1, 1, 1], id="constant"),
        pytest.param([1, None, 3], id="empty"),
        pytest.param(["x", None, "y"], id="text-and-empty"),
    ],
)
def test_v1_scores_nan_where_fixed_refuses(a):
    assert math.isnan(rho(a, [1, 2, 3]))
    with pytest.raises(InvalidSubmissionError, match=r"^a: "):
        rho(a, [1, 2, 3], variant="fixed")


def test_v1_ranks_text_as_text_where_fixed_refuses():
    # "10" < "9" < "x" as text: in the order of the answers
    assert rho(["10", "9", "x"], [1, 2, 3]) == pytest.approx(1.0)
    with pytest.raises(InvalidSubmissionError, match=r"a: text that is no number \(1\), at 3"):
        rho(["10", "9", "x"], [1, 2, 3], variant="fixed")


def test_a_column_more_or_less_is_refused():
    with pytest.raises(InvalidSubmissionError, match="not expected: c"):
        score(NAME, TRUTH, pd.DataFrame(TRUTH).assign(c=1), "ab", key=["id"], columns="exact")
    with pytest.raises(InvalidSubmissionError, match="expected the columns b"):
        score(NAME, TRUTH, {"id": [1, 2, 3], "a": [1, 2, 3]}, "ab", key=["id"], columns="exact")


@few
@given(rows=st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=3, max_size=30))
def test_rho_is_bounded_symmetric_and_blind_to_what_keeps_the_order(rows):
    truth, guess = [y for y, _ in rows], [p for _, p in rows]
    assume(len(set(truth)) > 1 < len(set(guess)))
    found = score(NAME, {"a": truth}, {"a": guess})

    assert -1 - 1e-9 <= found <= 1 + 1e-9
    assert score(NAME, {"a": guess}, {"a": truth}) == pytest.approx(found)
    assert score(NAME, {"a": truth}, {"a": [p**3 for p in guess]}) == pytest.approx(found)
    assert score(NAME, {"a": truth}, {"a": truth}) == pytest.approx(1)
