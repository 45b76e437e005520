"""Figures over few runs, against values worked out by hand."""

from __future__ import annotations

import itertools
import math
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.reproduction.uncertainty import (
    difference,
    mean_of,
    permutation_p,
    rate,
    sign_p,
    smallest_p,
)

# Wilson: (p + z²/2n ± z·√(p(1−p)/n + z²/4n²)) / (1 + z²/n) with z = 1.959964; for 3 of 3 the lower
# limit is n/(n+z²) = 3/6.841459.
WILSON = [
    (3, 3, 0.438503, 1.0),
    (0, 3, 0.0, 0.561497),
    (2, 3, 0.207660, 0.938508),
    (1, 2, 0.094531, 0.905469),
]


@pytest.mark.parametrize(("count", "n", "low", "high"), WILSON)
def test_a_share_has_its_wilson_interval(count, n, low, high):
    found = rate(count, n)

    assert (found.count, found.n) == (count, n)
    assert (found.low, found.high) == pytest.approx((low, high), abs=2e-6)


def test_a_mean_of_three_has_the_t_interval_with_two_degrees_of_freedom():
    found = mean_of([0.80, 0.82, 0.87])  # mean .83, sd .036056, sem .020817, t(.975, 2) 4.302653

    assert found is not None
    assert found.n == 3
    assert found.mean == pytest.approx(0.83)
    assert found.sd == pytest.approx(math.sqrt(0.0013))
    assert (found.low, found.high) == pytest.approx((0.740433, 0.919567), abs=2e-6)
    assert not found.is_constant


def test_no_value_has_no_mean_and_one_value_no_interval():
    assert mean_of([]) is None
    single = mean_of([0.5])
    assert single is not None
    assert (single.sd, single.low, single.high, single.is_constant) == (None, None, None, False)


def test_equal_values_are_told_to_be_constant():
    found = mean_of([0.1, 0.1, 0.1])

    assert found is not None
    assert (found.mean, found.low, found.high, found.is_constant) == (0.1, 0.1, 0.1, True)


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_what_is_no_number_is_refused(value):
    with pytest.raises(ValueError, match="finite"):
        mean_of([0.5, value])


@pytest.mark.parametrize(
    ("values", "sign", "permutation"),
    [
        pytest.param([0.1, 0.2, 0.3], 0.25, 0.25, id="three-wins"),
        pytest.param([-0.1, -0.2, -0.3], 0.25, 0.25, id="three-losses"),
        # |mean| of the 8 signings: 6 4 2 0 twice each over 3; observed 4/3, so 4 of 8
        pytest.param([3.0, 2.0, -1.0], 1.0, 0.5, id="two-of-three"),
        pytest.param([1.0, -1.0], 1.0, 1.0, id="one-each"),
        pytest.param([0.0, 0.0, 0.0], None, None, id="all-equal"),
        pytest.param([0.0, 0.0, 1.0], 1.0, 1.0, id="one-differs"),
        pytest.param([1.0] * 6, 0.03125, 0.03125, id="six-wins"),
        pytest.param([0.5], 1.0, 1.0, id="a-single-pair"),
    ],
)
def test_exact_tests_give_what_counting_gives(values, sign, permutation):
    assert sign_p(values) == (None if sign is None else pytest.approx(sign))
    assert permutation_p(values) == (None if permutation is None else pytest.approx(permutation))


@settings(max_examples=25)
@given(st.lists(st.integers(-50, 50), min_size=2, max_size=6))
def test_the_permutation_test_is_a_count_of_signings(values):
    if not any(values):
        return
    totals = [
        abs(sum(s * v for s, v in zip(signs, values, strict=True)))
        for signs in itertools.product((1, -1), repeat=len(values))
    ]
    expected = sum(t >= abs(sum(values)) for t in totals) / len(totals)

    assert permutation_p([float(v) for v in values]) == pytest.approx(expected)


def test_many_pairs_are_drawn_and_the_draw_is_always_the_same():
    values = [1.0, -0.5] * 10

    assert permutation_p(values) == permutation_p(values)
    assert permutation_p([1.0] * 20) == pytest.approx(2e-5)


@pytest.mark.slow
def test_a_thousand_pairs_need_no_memory_for_all_draws_at_once():
    tracemalloc.start()
    permutation_p([float((-1) ** i * i) for i in range(1, 1001)])
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert most < 500_000_000


@pytest.mark.parametrize("n", range(1, 8))
def test_no_p_of_n_pairs_is_below_the_smallest(n):
    assert permutation_p([1.0] * n) == pytest.approx(smallest_p(n))
    assert sign_p([1.0] * n) == pytest.approx(smallest_p(n))


def test_a_difference_is_above_zero_where_the_agent_is_better():
    low = difference({0: 0.2, 1: 0.3}, {0: 0.4, 1: 0.4}, is_lower_better=True)
    high = difference({0: 0.2, 1: 0.3}, {0: 0.4, 1: 0.4}, is_lower_better=False)

    assert low is not None
    assert high is not None
    assert low.values == (0.2, 0.1)
    assert high.values == (-0.2, -0.1)
    assert not low.excludes_zero  # .15 ± 12.7 · .05
    assert (low.over.low, low.over.high) == pytest.approx((-0.48531, 0.78531), abs=1e-5)


def test_only_seeds_that_both_have_are_compared():
    found = difference({0: 1.0, 2: 3.0}, {1: 1.0, 2: 2.5}, is_lower_better=False)

    assert found is not None
    assert (found.seeds, found.values) == ((2,), (0.5,))
    assert found.over.low is None
    assert difference({0: 1.0}, {1: 1.0}, is_lower_better=False) is None
    assert difference({}, {0: 1.0}, is_lower_better=False) is None


def test_a_constant_difference_is_no_certainty():
    found = difference({0: 0.8, 1: 0.8}, {0: 0.7, 1: 0.7}, is_lower_better=False)

    assert found is not None
    assert found.over.is_constant
    assert not found.excludes_zero


def test_rounding_errors_make_no_difference():
    found = difference({0: 0.1 + 0.2, 1: 0.3}, {0: 0.3, 1: 0.1 + 0.2}, is_lower_better=False)

    assert found is not None
    assert found.values == (0.0, 0.0)
    assert found.permutation_p is None
