"""Class numbers: see also tests/competitions/test_metrics.py."""

import math

import pytest

from competitions.errors import InvalidSubmissionError
from tests.competitions.metrics.scoring import score


def f1(truth, guess, **kw):
    return score("macro-f1", {"y": truth}, {"y": guess}, labels="int", **kw)


@pytest.mark.parametrize(
    "guess",
    [
        pytest.param([12.9, -0.5, 2.0], id="fractions-are-cut-towards-zero"),
        pytest.param(["12", " 0 ", "2"], id="text-as-python-reads-it"),
        pytest.param(["1_2", "0", "+2"], id="underscore-and-sign"),
    ],
)
def test_class_numbers_are_read_as_int_does_under_v1_and_strictly_under_fixed(guess):
    assert f1([12, 0, 2], guess) == 1.0
    if isinstance(guess[0], float) or "_" in guess[0]:
        with pytest.raises(InvalidSubmissionError, match=r"^y: "):
            f1([12, 0, 2], guess, variant="fixed")


@pytest.mark.parametrize(
    "cell",
    [None, math.inf, "x", "3 4", "", "2.5", "12345678901234567890123", 1e30],
    ids=repr,
)
def test_what_int_cannot_read_is_refused(cell):
    with pytest.raises(InvalidSubmissionError, match=r"^y: cells that are no class number \(1\)"):
        f1([1, 0, 2], [1, 0, cell])


def test_a_class_without_answers_costs_when_it_is_predicted():
    # class 0: 1; class 1: 2·1/(2·1+0+1) = 2/3; class 9: 0
    assert f1([0, 1, 1], [0, 1, 9]) == pytest.approx((1 + 2 / 3 + 0) / 3)
