import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from competitions.errors import InvalidSubmissionError
from tests.competitions.metrics.scoring import few, score

KEYS = [f"{study}_{label}" for study in ("1.2", "1.3") for label in ("all", "C1", "C2")]


def loss(truth, guess, keys=KEYS, **kw):
    return score(
        "weighted-multi-label-log-loss",
        {"id": keys, "y": truth},
        {"id": keys, "y": guess},
        key=["id"],
        heavy="all",
        heavy_weight=7.0,
        positive_factor=2.0,
        **kw,
    )


LN2 = math.log(2)


@pytest.mark.parametrize(
    ("truth", "guess", "v1", "fixed"),
    [
        # every row costs ln 2; weights 14 2 1 and 7 1 1
        pytest.param([1, 1, 0, 0, 0, 0], [0.5] * 6, LN2, 26 * LN2 / 6, id="a-half"),
        # only the first row costs, ln 4, weight 14 of 17
        pytest.param(
            [1, 1, 0, 0, 0, 0],
            [0.25, 1, 0, 0, 0, 0],
            14 * math.log(4) / 17 / 2,
            14 * math.log(4) / 6,
            id="a-heavy-positive",
        ),
        # only the last row costs, ln 2, weight 1 of 9
        pytest.param(
            [1, 1, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0.5], LN2 / 9 / 2, LN2 / 6, id="a-light-negative"
        ),
        pytest.param([1, 1, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0], 0.0, 0.0, id="perfect"),
        # -ln 1e-15 in a row of weight 1 of 9
        pytest.param(
            [0] * 6,
            [0, 0, 1, 0, 0, 0],
            15 * math.log(10) / 9 / 2,
            15 * math.log(10) / 6,
            id="certain-and-wrong",
        ),
    ],
)
def test_the_loss_is_the_table_made_by_hand(truth, guess, v1, fixed):
    assert loss(truth, guess) == pytest.approx(v1, abs=1e-12, rel=1e-3)
    assert loss(truth, guess, variant="fixed") == pytest.approx(fixed, abs=1e-12, rel=1e-3)


def test_a_key_is_cut_at_its_first_underscore():
    assert loss([0, 0], [0.5, 0], ["s_all", "s_C_1"]) == pytest.approx(7 * LN2 / 8)
    assert loss([0, 0], [0.5, 0], ["s_x_all", "s_C1"]) == pytest.approx(LN2 / 2)


@pytest.mark.parametrize("cell", [None, "x", -0.1, 1.1])
def test_a_cell_that_is_no_probability_is_refused(cell):
    with pytest.raises(InvalidSubmissionError, match=r"^y: .* \(1\), at 1.2_C1$"):
        loss([0] * 6, [0.5, cell, 0, 0, 0, 0])


PAIRS = st.lists(st.tuples(st.integers(0, 1), st.floats(0, 1)), min_size=6, max_size=6)


@few
@given(rows=PAIRS, turn=st.permutations(range(6)))
def test_the_loss_is_not_negative_and_knows_no_order_of_rows(rows, turn):
    truth, guess = [y for y, _ in rows], [p for _, p in rows]
    shuffled = [[side[i] for i in turn] for side in (truth, guess, KEYS)]
    found = loss(truth, guess)

    assert found >= 0
    assert loss(*shuffled) == pytest.approx(found)
    assert loss([1 - y for y in truth], [1 - y for y in truth]) == pytest.approx(0, abs=1e-9)
