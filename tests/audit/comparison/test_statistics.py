"""Figures over tasks and pairs, against values worked out by hand."""

from __future__ import annotations

import itertools
import statistics

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.comparison.statistics import (
    bootstrap,
    cohens_d,
    holm,
    paired,
    rank_biserial,
    signs_tested,
    smallest_seen,
)
from audit.reproduction.uncertainty import DRAWN
from reports.comparison.schema import Pair, TaskDifference


def task(name, *differences):
    return TaskDifference(
        competition_id=name,
        variant="v1",
        paired_by="seed",
        pairs=tuple(Pair(seed=i, before=0.0, after=d) for i, d in enumerate(differences)),
        differences=differences,
        mean=statistics.fmean(differences),
    )


@settings(max_examples=20)
@given(st.lists(st.integers(-9, 9), min_size=1, max_size=7))
def test_zeros_change_no_permutation_test(values):
    moved = [v for v in values if v]
    signings = list(itertools.product((1, -1), repeat=len(values)))
    at_least = sum(
        abs(sum(s * v for s, v in zip(signs, values, strict=True))) >= abs(sum(values))
        for signs in signings
    )

    found = signs_tested([float(v) for v in values], "tasks")

    assert (found.better, found.worse) == (sum(v > 0 for v in values), sum(v < 0 for v in values))
    assert found.ties == len(values) - len(moved)
    if moved:
        assert found.permutation_p == pytest.approx(at_least / len(signings))
        assert found.draws is None


def test_what_cannot_be_counted_out_is_drawn_and_says_how_often():
    found = signs_tested([1.0] * 17 + [0.0] * 3, "pairs")

    assert found.draws == DRAWN
    assert found.permutation_p is not None
    assert 2 / (DRAWN + 1) <= found.permutation_p < 2e-4  # 1.5e-5, were all of them counted
    assert found.sign_p == pytest.approx(2**-16)


def test_several_tasks_are_tested_as_tasks_and_one_task_as_pairs():
    several = paired([task("a", 1.0, 1.0), task("b", 1.0, 0.0)])
    one = paired([task("a", 1.0, 0.0, 1.0)])

    assert [t.over for t in several.tests] == ["tasks", "pairs"]
    assert (several.main.n, several.n_pairs, several.mean) == (2, 4, 0.75)
    assert [t.over for t in one.tests] == ["pairs"]
    assert one.mean == pytest.approx(2 / 3)


def test_pairs_of_one_task_are_no_independent_witnesses_for_other_tasks():
    found = paired([task("a", *[1.0] * 8), task("b", *[-0.9] * 8)])

    over_tasks, over_pairs = found.tests
    assert over_tasks.permutation_p == 1.0
    assert over_pairs.n == 16
    assert found.low is not None
    assert found.high is not None
    assert found.low < 0 < found.high


def test_every_task_has_one_voice_however_many_pairs_it_has():
    assert paired([task("a", 1.0), task("b", 0.0, 0.0, 0.0)]).mean == 0.5


def test_the_interval_is_the_same_each_time_and_holds_the_mean():
    tasks = [[0.1, 0.3], [0.0], [-0.2, 0.4, 0.1]]

    found = bootstrap(tasks)

    assert found is not None
    assert bootstrap(tasks) == found
    assert found.low < statistics.fmean(map(statistics.fmean, tasks)) < found.high
    assert min(map(min, tasks)) <= found.low <= found.high <= max(map(max, tasks))


def test_the_interval_of_pairs_of_one_task_is_that_of_scipy():
    import numpy as np
    from scipy.stats import bootstrap as reference

    values = [0.1, 0.4, -0.2, 0.3, 0.0, 0.2, 0.5, -0.1]
    expected = reference(
        (np.array(values),), np.mean, n_resamples=9999, method="percentile", rng=1
    ).confidence_interval

    assert bootstrap([values]) == pytest.approx((expected.low, expected.high), abs=0.02)


def test_a_single_pair_has_no_interval_and_equal_ones_are_no_certainty():
    single, equal = paired([task("a", 0.5)]), paired([task("a", 0.5, 0.5), task("b", 0.5)])

    assert (single.low, single.high, single.is_constant) == (None, None, False)
    assert equal.is_constant
    assert (single.cohens_d, equal.cohens_d, equal.smallest_seen) == (None, None, None)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        pytest.param([1.0, 2.0, 3.0], 1.0, id="all-better"),
        pytest.param([-1.0, -2.0], -1.0, id="all-worse"),
        pytest.param([3.0, -1.0, -2.0], 0.0, id="balanced-ranks"),
        pytest.param([0.0, 4.0, -1.0], 1 / 3, id="zeros-have-no-rank"),
    ],
)
def test_rank_biserial_is_the_balance_of_ranks(values, expected):
    assert rank_biserial(values) == pytest.approx(expected)


def test_d_is_mean_over_standard_deviation():
    assert cohens_d([0.0, 1.0, 2.0]) == pytest.approx(1.0)


def test_more_tasks_see_smaller_differences():
    few, many = smallest_seen([-1.0, 0.0, 1.0] * 3), smallest_seen([-1.0, 0.0, 1.0] * 12)

    assert many == pytest.approx(0.481 * statistics.stdev([-1.0, 0.0, 1.0] * 12), abs=0.002)
    assert few is not None
    assert many is not None
    assert many < few
    assert smallest_seen([1.0, 2.0]) is None


@pytest.mark.parametrize(
    ("ps", "expected"),
    [
        pytest.param([0.01, 0.04, 0.03], [0.03, 0.06, 0.06], id="steps-down"),
        pytest.param([0.5, 0.9], [1.0, 1.0], id="never-above-one"),
        pytest.param([0.04], [0.04], id="one-is-not-corrected"),
        pytest.param([], [], id="none"),
    ],
)
def test_holm_multiplies_by_what_is_left(ps, expected):
    assert holm(ps) == pytest.approx(expected)
