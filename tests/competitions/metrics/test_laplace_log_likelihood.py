import math

import pandas as pd  # noqa: TID253
import pytest
from hypothesis import given
from hypothesis import strategies as st

from competitions.errors import InvalidSubmissionError
from tests.competitions.metrics.scoring import few, score

# Patient p was seen in weeks -1, 3, 10 and 20 (not in 30); q once. The last three of p count.
ANSWERS = pd.DataFrame(
    {
        "id": ["p_-1", "p_3", "p_10", "p_20", "p_30", "q_0"],
        "v": [1.0, 2000.0, 2100.0, 2200.0, None, 3000.0],
        "Patient": ["p"] * 5 + ["q"],
    }
)
PERFECT = ANSWERS[["id", "v"]].fillna(0.0).assign(s=70.0)
ROOT = math.sqrt(2)
BEST = -math.log(ROOT * 70)


def likelihood(guess, variant="v1"):
    return score("laplace-log-likelihood", ANSWERS, guess, ["v", "s"], key=["id"], variant=variant)


def changed(**cells):
    guess = PERFECT.set_index("id")
    for column, (key, value) in cells.items():
        guess.loc[key, column] = value
    return guess.reset_index()


@pytest.mark.parametrize(
    ("guess", "expected"),
    [
        pytest.param(PERFECT, BEST, id="perfect"),
        pytest.param(changed(v=("p_-1", 9e9)), BEST, id="a-visit-before-the-last-three"),
        pytest.param(changed(v=("p_30", 9e9)), BEST, id="a-week-without-a-visit"),
        # -√2·70/70 in one of four
        pytest.param(changed(v=("p_20", 2270.0)), BEST - ROOT / 4, id="one-error"),
        # capped at 1000: -√2·1000/70 in one of four
        pytest.param(changed(v=("p_20", 9e9)), BEST - ROOT * 1000 / 70 / 4, id="capped-error"),
        # -ln(√2·140) in one of four
        pytest.param(changed(s=("q_0", 140.0)), BEST - math.log(2) / 4, id="less-sure"),
        pytest.param(changed(s=("q_0", 1.0)), BEST, id="surer-than-allowed"),
        pytest.param(changed(s=("q_0", -500.0)), BEST, id="negative-spread"),
        pytest.param(PERFECT.iloc[::-1], BEST, id="other-order"),
    ],
)
def test_the_likelihood_is_the_table_made_by_hand(guess, expected):
    assert likelihood(guess) == pytest.approx(expected)
    assert likelihood(guess, "fixed") == pytest.approx(expected)


@pytest.mark.parametrize(
    ("guess", "expected"),
    [
        pytest.param(PERFECT[PERFECT["id"] == "q_0"], BEST, id="only-the-easy-row"),
        pytest.param(PERFECT[PERFECT["id"] == "p_-1"], math.nan, id="no-row-that-counts"),
        pytest.param(changed(s=("q_0", None)), BEST, id="empty-spread"),
        pytest.param(changed(v=("q_0", None)), math.nan, id="empty-value"),
    ],
)
def test_v1_scores_what_fixed_refuses(guess, expected):
    assert likelihood(guess) == pytest.approx(expected, nan_ok=True)
    with pytest.raises(InvalidSubmissionError, match=r"visits are missing|empty cells"):
        likelihood(guess, "fixed")


@pytest.mark.parametrize(
    ("guess", "said"),
    [
        pytest.param(PERFECT.drop(columns="s"), "expected the columns s", id="column-missing"),
        pytest.param(changed(v=("z_1", 1.0)).fillna(70.0), r"id: .* \(1\), at z_1", id="unknown"),
        pytest.param(PERFECT.assign(v="x"), "v: expected numbers", id="text"),
        pytest.param(
            PERFECT.astype({"s": object}).replace({"s": {70.0: "70 ml"}}), "s: expected", id="unit"
        ),
        pytest.param(PERFECT.iloc[:0].astype(object), "expected numbers", id="no-row"),
        pytest.param(
            pd.concat([PERFECT, PERFECT.tail(1)]), r"id: repeated \(1\), at q_0", id="twice"
        ),
    ],
)
def test_what_the_published_grader_refuses_is_refused(guess, said):
    with pytest.raises(InvalidSubmissionError, match=said):
        likelihood(guess)


def test_a_repeated_row_that_does_not_count_is_accepted():
    assert likelihood(pd.concat([PERFECT, PERFECT.head(1)])) == pytest.approx(BEST)


@few
@given(
    errors=st.lists(st.floats(-2000, 2000), min_size=6, max_size=6),
    spread=st.floats(-100, 900),
    turn=st.permutations(range(6)),
)
def test_the_likelihood_is_at_most_the_best_and_symmetric_in_the_error(errors, spread, turn):
    guess = PERFECT.assign(v=PERFECT["v"] + errors, s=spread)
    mirrored = PERFECT.assign(v=PERFECT["v"] - errors, s=spread)
    found = likelihood(guess)

    assert -ROOT * 1000 / 70 - math.log(ROOT * 900) <= found <= BEST + 1e-9
    assert likelihood(mirrored) == pytest.approx(found)
    assert likelihood(guess.iloc[turn]) == pytest.approx(found)
