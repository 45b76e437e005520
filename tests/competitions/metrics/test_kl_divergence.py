import math

import numpy as np
import pandas as pd  # noqa: TID253
import pytest
from hypothesis import given
from hypothesis import strategies as st

from competitions.errors import InvalidSubmissionError
from tests.competitions.metrics.scoring import few, score

NAME = "kl-divergence"
VOTES = {"id": [1, 2], "a": [2, 4], "b": [2, 0]}


def kl(a, b, variant="v1", **columns):
    guess = {"id": [1, 2], "a": a, "b": b, **columns}
    return score(NAME, VOTES, guess, "ab", key=["id"], variant=variant)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        # row 1 is right; row 2: 1·ln(1 / ½)
        pytest.param([0.5, 0.5], [0.5, 0.5], math.log(2) / 2, id="by-hand"),
        # ½ ln(½ / ¼) + ½ ln(½ / ¾)
        pytest.param([0.25, 1], [0.75, 0], 0.5 * math.log(4 / 3) / 2, id="uneven"),
        pytest.param([0.5, 1], [0.5, 0], 0.0, id="perfect"),
        # 1·ln(1 / 1e-15)
        pytest.param([0.5, 0], [0.5, 1], 15 * math.log(10) / 2, id="certain-and-wrong"),
    ],
)
def test_the_divergence_is_the_table_made_by_hand(a, b, expected):
    assert kl(a, b) == pytest.approx(expected, abs=1e-12)
    assert kl(a, b, variant="fixed") == pytest.approx(expected, abs=1e-12)


def test_an_empty_cell_costs_nothing_under_v1_and_is_refused_under_fixed():
    # row 1: ½ ln(½ / 1) is all that is left, row 2: 0
    assert kl([1, 1], [None, 0]) == pytest.approx(0.5 * math.log(0.5) / 2)
    with pytest.raises(InvalidSubmissionError, match=r"b: empty cells \(1\), at 1"):
        kl([1, 1], [None, 0], variant="fixed")


@pytest.mark.parametrize(
    ("off", "valid"), [(4e-6, True), (6e-6, False), (-4e-6, True), (-6e-6, False)]
)
def test_a_sum_must_be_one_when_rounded_to_five_decimals(off, valid):
    if valid:
        assert math.isfinite(kl([0.5 + off, 0.5], [0.5, 0.5]))
    else:
        with pytest.raises(InvalidSubmissionError, match=r"a … b: rows that sum to .* at 1$"):
            kl([0.5 + off, 0.5], [0.5, 0.5])


@pytest.mark.parametrize(
    ("extra", "said"),
    [
        pytest.param(0.0, None, id="zeros"),
        pytest.param(0.5, "further columns x", id="numbers"),
        pytest.param("w", "x: text that is no number", id="text"),
        pytest.param(None, None, id="empty"),
    ],
)
def test_a_further_column_is_held_to_the_rules_of_shares_under_v1_only(extra, said):
    assert kl([0.5, 1], [0.5, 0], variant="fixed", x=extra) == pytest.approx(0, abs=1e-12)
    if said is None:
        assert kl([0.5, 1], [0.5, 0], x=extra) == pytest.approx(0, abs=1e-12)
    else:
        with pytest.raises(InvalidSubmissionError, match=said):
            kl([0.5, 1], [0.5, 0], x=extra)


@pytest.mark.parametrize("cell", ["x", -0.1, 1.2, math.inf])
def test_a_cell_outside_zero_and_one_is_refused(cell):
    with pytest.raises(InvalidSubmissionError, match=r"^a: .* \(1\), at 1"):
        kl([cell, 0.5], [0.5, 0.5])


VOTE_ROWS = st.lists(st.integers(0, 9), min_size=3, max_size=3).filter(any)
SHARE_ROWS = st.lists(st.floats(0.01, 1), min_size=3, max_size=3)


@few
@given(rows=st.lists(st.tuples(VOTE_ROWS, SHARE_ROWS), min_size=1, max_size=15), data=st.data())
def test_the_divergence_is_not_negative_and_knows_no_order_or_number_of_votes(rows, data):
    votes = pd.DataFrame([v for v, _ in rows], columns=list("abc"))
    shares = pd.DataFrame([np.array(s) / sum(s) for _, s in rows], columns=list("abc"))
    turn = data.draw(st.permutations(range(len(rows))))
    found = score(NAME, votes, shares)

    assert found >= -1e-12
    assert score(NAME, votes.iloc[turn], shares.iloc[turn]) == pytest.approx(found)
    assert score(NAME, 3 * votes, shares) == pytest.approx(found)
    assert score(NAME, votes, votes.div(votes.sum(axis=1), axis=0)) == pytest.approx(0, abs=1e-9)
