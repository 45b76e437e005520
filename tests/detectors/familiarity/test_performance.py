"""Familiarity against performance: what is there is found, and what could not be seen is told."""

from __future__ import annotations

import numpy as np
import pytest

from competitions.errors import UsageError
from detectors.familiarity.performance import TaskPoint, against_performance, minimum_r


def points(n, r, seed=0, covariates=()):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    y = r * x + np.sqrt(1 - r**2) * rng.normal(size=n)
    return [TaskPoint(f"t{i}", x[i], y[i], tuple(c[i] for c in covariates)) for i in range(n)]


def test_a_strong_correlation_is_found_with_its_interval():
    found = against_performance(points(60, 0.8))

    for one in (found.pearson, found.spearman):
        assert 0.4 < one.low < one.value < one.high < 1
        assert one.p < 0.01


def test_chance_has_an_interval_around_nothing():
    inside = 0
    for seed in range(12):
        one = against_performance(points(30, 0.0, seed)).pearson
        inside += one.low < 0 < one.high
    assert inside >= 10


def test_what_a_deadline_explains_is_gone_from_the_partial_correlation():
    rng = np.random.default_rng(3)
    deadline = rng.normal(size=60)
    made = [
        TaskPoint(f"t{i}", d + 0.3 * rng.normal(), d + 0.3 * rng.normal(), (d,))
        for i, d in enumerate(deadline)
    ]

    found = against_performance(made)

    assert found.pearson.value > 0.8
    assert found.partial is not None
    assert abs(found.partial.value) < 0.35


def test_one_task_that_makes_it_all_is_named():
    made = [*points(20, 0.0, 5), TaskPoint("lever", 30.0, 30.0)]

    found = against_performance(made)

    assert found.most_influential == "lever"
    assert found.pearson.value > 0.9
    assert found.without_it < 0.6


def test_too_few_tasks_are_refused():
    with pytest.raises(UsageError, match="at least 6 tasks"):
        against_performance(points(5, 0.5))


def test_what_does_not_vary_is_refused():
    with pytest.raises(UsageError, match="differ between tasks"):
        against_performance([TaskPoint(str(i), 1.0, float(i)) for i in range(8)])


def test_more_tasks_show_smaller_correlations():
    assert minimum_r(20) > minimum_r(75) > minimum_r(500)
