import math

import numpy as np
import pandas as pd  # noqa: TID253
import pytest
from hypothesis import given
from hypothesis import strategies as st

from competitions.errors import InvalidSubmissionError
from tests.competitions.metrics.scoring import few, score

NAME, TOLERANCE = "multi-class-log-loss", 1.1e-5
TRUTH = {"id": ["p", "q"], "a": [1, 0], "b": [0, 0], "c": [0, 1]}


def loss(a, b, c, **kw):
    guess = {"id": ["p", "q"], "a": a, "b": b, "c": c}
    return score(NAME, TRUTH, guess, "abc", key=["id"], **kw)


@pytest.mark.parametrize(
    ("guess", "expected"),
    [
        # -(ln 0.7 + ln 0.2) / 2
        pytest.param(
            [[0.7, 0.5], [0.2, 0.3], [0.1, 0.2]], -(math.log(0.7) + math.log(0.2)) / 2, id="plain"
        ),
        # three equal shares cost ln 3 each
        pytest.param([[1 / 3] * 2] * 3, math.log(3), id="uniform"),
        pytest.param([[1, 0], [0, 0], [0, 1]], 0.0, id="whole-numbers"),
        pytest.param([[True, False], [False, False], [False, True]], 0.0, id="true-and-false"),
        # ln of the machine epsilon 2.22e-16 is -36.04365, once in two rows
        pytest.param([[0, 0], [1, 0], [0, 1]], 36.04365 / 2, id="certain-and-wrong"),
    ],
)
def test_the_loss_is_the_table_made_by_hand(guess, expected):
    assert loss(*guess, sum_tolerance=TOLERANCE) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(
    ("off", "arguments", "valid"),
    [
        pytest.param(1.09e-5, {"sum_tolerance": TOLERANCE}, True, id="within-tolerance"),
        pytest.param(-1.09e-5, {"sum_tolerance": TOLERANCE}, True, id="below-within-tolerance"),
        pytest.param(1.12e-5, {"sum_tolerance": TOLERANCE}, False, id="beyond-tolerance"),
        pytest.param(4e-7, {"sum_decimals": 6}, True, id="rounds-to-one"),
        pytest.param(6e-7, {"sum_decimals": 6}, False, id="rounds-to-more"),
        pytest.param(-6e-7, {"sum_decimals": 6}, False, id="rounds-to-less"),
        pytest.param(0.2, {}, True, id="no-rule"),
        pytest.param(0.2, {"rescale": True}, True, id="rescaled"),
    ],
)
def test_a_row_must_sum_to_one_as_exactly_as_the_task_says(off, arguments, valid):
    guess = ([0.5 + off, 0.2], [0.2, 0.3], [0.3, 0.5])
    if valid:
        assert math.isfinite(loss(*guess, **arguments))
    else:
        with pytest.raises(InvalidSubmissionError, match=r"a … c: rows that sum to .* at p$"):
            loss(*guess, **arguments)


def test_rescaling_divides_by_the_sum_and_a_row_of_zeros_has_none():
    # 2/4 and 1/4
    assert loss([2 / 4, 1 / 4], [0, 2 / 4], [0.5, 1 / 4], rescale=True) == pytest.approx(
        (math.log(2) + math.log(4)) / 2
    )
    # half and a quarter of each sum
    assert loss([0.2, 0.1], [0.2, 0.2], [0.0, 0.1], rescale=True) == pytest.approx(
        (math.log(2) + math.log(4)) / 2
    )
    with pytest.raises(InvalidSubmissionError, match="rows of zeros"):
        loss([0, 1], [0, 0], [0, 0], rescale=True)


def test_the_argument_clip_takes_the_place_of_the_machine_epsilon():
    assert loss([0, 0], [1, 0], [0, 1], clip=1e-15) == pytest.approx(-math.log(1e-15) / 2)


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        pytest.param(None, r"a: empty cells \(1\), at p", id="empty"),
        pytest.param("x", r"a: text that is no number \(1\), at p", id="text"),
        pytest.param(-0.1, r"a: values below 0 \(1\), at p", id="negative"),
        pytest.param(1.1, r"a: values above 1 \(1\), at p", id="above-one"),
        pytest.param(math.inf, r"a: infinite values \(1\), at p", id="infinite"),
    ],
)
def test_a_cell_that_is_no_probability_is_named_with_its_row(cell, said):
    with pytest.raises(InvalidSubmissionError, match=said):
        loss([cell, 0.2], [0.2, 0.3], [0.3, 0.5], sum_tolerance=TOLERANCE)


@pytest.mark.parametrize(
    ("columns", "rule", "said"),
    [
        pytest.param(["id", "c", "a", "b"], "exact", None, id="exact-in-any-order"),
        pytest.param(["id", "a", "b", "c", "x"], "exact", "not expected: x", id="exact-one-more"),
        pytest.param(["id", "a", "b", "c", "x"], "any", None, id="any-one-more"),
        pytest.param(["id", "b", "a", "c"], "key-first", None, id="key-first"),
        pytest.param(["a", "b", "c", "id"], "key-first", "id as the first", id="key-last"),
        pytest.param(["id", "a", "b"], "any", "expected the columns c", id="one-missing"),
        pytest.param(["id", "b", "a", "c"], "ordered", "a as column 2, found b", id="out-of-order"),
        pytest.param(["id", "a", "b", "c"], "ordered", None, id="ordered"),
    ],
)
def test_how_strict_a_task_is_about_columns(columns, rule, said):
    guess = pd.DataFrame({c: [0.25, 0.25] for c in columns} | {"id": ["p", "q"]})[columns]
    if said is None:
        assert score(NAME, TRUTH, guess, "abc", key=["id"], columns=rule) == pytest.approx(
            math.log(4)
        )
    else:
        with pytest.raises(InvalidSubmissionError, match=said):
            score(NAME, TRUTH, guess, "abc", key=["id"], columns=rule)


SHARES = st.lists(st.floats(0.01, 1), min_size=3, max_size=3)


@few
@given(rows=st.lists(st.tuples(st.integers(0, 2), SHARES), min_size=1, max_size=20), data=st.data())
def test_the_loss_does_not_know_the_order_of_rows_and_more_on_the_truth_costs_less(rows, data):
    truth = pd.DataFrame(np.eye(3, dtype=int)[[y for y, _ in rows]], columns=list("abc"))
    guess = pd.DataFrame([np.array(p) / sum(p) for _, p in rows], columns=list("abc"))
    turn = data.draw(st.permutations(range(len(rows))))
    found = score(NAME, truth, guess)
    nearer = 0.5 * guess + 0.5 * truth
    by_hand = -np.log((truth * guess).sum(axis=1)).mean()

    assert found == pytest.approx(by_hand, abs=1e-9)
    assert score(NAME, truth.iloc[turn], guess.iloc[turn]) == pytest.approx(found)
    assert score(NAME, truth, nearer) <= found + 1e-12
    assert found >= 0
