"""What counts of medals can give, held against counting them all out."""

from __future__ import annotations

import math
import statistics
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from detectors.claims.counts import (
    MAX_EXACT_SEEDS,
    Spread,
    can_give,
    count_vectors,
    declared,
    nearest_spread,
    pooled,
    spread_of,
    totals,
)
from reports.claims import Printed

COUNTS = st.integers(1, 75).flatmap(
    lambda n: st.tuples(st.just(n), st.lists(st.integers(0, n), min_size=2, max_size=8))
)


def cut(value, decimals):
    return f"{math.floor(value * 10**decimals + 1e-9) / 10**decimals:.{decimals}f}"


@given(COUNTS, st.sampled_from(list(Spread)), st.integers(0, 4), st.booleans())
def test_what_was_counted_is_always_possible(counted, kind, decimals, is_cut):
    n, counts = counted
    show = cut if is_cut else lambda v, d: f"{v:.{d}f}"
    mean = Printed(show(100 * sum(counts) / (n * len(counts)), decimals))
    spread = Printed(show(spread_of(counts, n, kind), decimals))

    assert sum(counts) in totals(mean, n, len(counts))
    assert can_give(sum(counts), spread, kind, n, len(counts))


@pytest.mark.parametrize("kind", list(Spread))
@pytest.mark.parametrize("total", [0, 1, 8, 17])
def test_a_spread_is_possible_exactly_where_some_counts_have_it(kind, total):
    n, k = 6, 3
    real = {
        round(spread_of(c, n, kind) or 0.0, 6)
        for c in product(range(n + 1), repeat=k)
        if sum(c) == total
    }
    tried = {f"{value / 4:.2f}" for value in range(200)} | {f"{value:.2f}" for value in real}

    for text in tried:
        printed = Printed(text)
        expected = any(abs(value - printed.value) < printed.unit - 1e-6 for value in real)
        if expected or all(abs(value - printed.value) > printed.unit + 1e-6 for value in real):
            assert can_give(total, printed, kind, n, k) is expected, text


@pytest.mark.parametrize(
    ("printed", "n", "k", "expected"),
    [
        pytest.param("62.12", 22, 3, (41,), id="rounded"),
        pytest.param("63.15", 38, 3, (72,), id="cut-off"),
        pytest.param("62.20", 22, 3, (), id="between-two"),
        pytest.param("62", 22, 3, (41,), id="no-decimals"),
        pytest.param("50", 75, 10, tuple(range(368, 383)), id="too-coarse-to-tell"),
        pytest.param("0.00", 22, 3, (0,), id="nothing"),
        pytest.param("100", 22, 3, (66,), id="everything"),
        pytest.param("100.5", 22, 3, (), id="more-than-everything"),
    ],
)
def test_a_mean_has_these_totals(printed, n, k, expected):
    assert totals(Printed(printed), n, k) == expected


def test_known_spreads_agree_with_the_statistics_module():
    counts = [13, 14, 17]
    shares = [100 * c / 22 for c in counts]

    assert spread_of(counts, 22, Spread.SD) == pytest.approx(statistics.stdev(shares))
    assert spread_of(counts, 22, Spread.SD_POPULATION) == pytest.approx(statistics.pstdev(shares))
    assert spread_of(counts, 22, Spread.SEM) == pytest.approx(statistics.stdev(shares) / 3**0.5)
    assert spread_of(counts, 22, Spread.T_INTERVAL) == pytest.approx(
        4.302653 * statistics.stdev(shares) / 3**0.5, rel=1e-6
    )
    assert pooled(44, 22, 3) == pytest.approx(100 * (2 / 9 / 66) ** 0.5)


def test_a_single_seed_has_no_spread_over_seeds():
    assert spread_of([14], 22, Spread.SEM) is None
    assert not can_give(14, Printed("1.52"), Spread.SD, 22, 1)
    assert can_give(14, Printed("10.26"), Spread.POOLED, 22, 1)


def test_the_counts_of_a_spread_are_listed_and_too_many_are_not():
    assert count_vectors(41, Printed("1.52"), Spread.SEM, 22, 3, 10) == ((13, 14, 14),)
    assert count_vectors(187, Printed("9"), Spread.SD, 75, 5, 10) is None


@settings(max_examples=40, deadline=None)
@given(COUNTS.filter(lambda counted: len(counted[1]) <= MAX_EXACT_SEEDS))
def test_the_nearest_possible_spread_of_real_counts_is_their_own(counted):
    n, counts = counted
    own = spread_of(counts, n, Spread.SEM)

    found = nearest_spread(sum(counts), Printed(f"{own:.9f}"), Spread.SEM, n, len(counts))
    assert found == pytest.approx(own, abs=1e-6)


@pytest.mark.parametrize(
    ("text", "kind"),
    [("SEM", Spread.SEM), ("std", Spread.SD), ("95% CI", Spread.INTERVAL), ("luck", None)],
)
def test_a_declared_spread_is_known_by_its_usual_names(text, kind):
    assert declared(text) is kind
