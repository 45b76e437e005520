"""What repeats, and what tasks lose without their story."""

from __future__ import annotations

import math

import numpy as np
import pytest

from competitions.errors import UsageError
from detectors.familiarity.repeats import Reliability, paired, split_half


def repeats(reliability, n_repeats=6, n_tasks=80, seed=0):
    """Tasks whose mean of repeats has a given reliability."""
    rng = np.random.default_rng(seed)
    noise = math.sqrt(n_repeats * (1 / reliability - 1))
    return [t + noise * rng.normal(size=n_repeats) for t in rng.normal(size=n_tasks)]


@pytest.mark.parametrize("true", [0.9, 0.4])
def test_reliability_is_that_of_the_mean_of_all_repeats(true):
    assert split_half(repeats(true)) == pytest.approx(true, abs=0.15)


def test_what_is_noise_alone_does_not_repeat():
    rng = np.random.default_rng(1)

    assert split_half(rng.normal(size=(60, 4)).tolist()) < 0.35


@pytest.mark.parametrize(
    "given",
    [
        pytest.param([[1.0]] * 20, id="nothing-repeated"),
        pytest.param([[1.0, 2.0]] * 5, id="too-few-tasks"),
        pytest.param([[1.0, 1.0]] * 9, id="all-alike"),
        pytest.param([], id="none"),
    ],
)
def test_what_was_not_repeated_has_no_reliability(given):
    assert math.isnan(split_half(given))


def test_the_ceiling_of_a_correlation_is_told_where_both_are_known():
    assert Reliability(0.81, 0.49).ceiling == pytest.approx(0.63)
    assert math.isnan(Reliability(math.nan, 0.5).ceiling)
    assert math.isnan(Reliability(0.0, 0.5).ceiling)


def runs(loss, n=20, seed=0):
    rng = np.random.default_rng(seed)
    first = {f"t{i}": 50 + 20 * rng.normal() for i in range(n)}
    return first, {t: v - loss + 4 * rng.normal() for t, v in first.items()}


def test_a_loss_is_found_by_pairs_where_tasks_differ_more_than_it():
    found = paired(*runs(8.0))

    assert found.p < 0.01
    assert found.low < 8 < found.high
    assert found.low > 0
    assert 1 < found.visible < 6


def test_no_loss_is_no_finding():
    p = [paired(*runs(0.0, seed=s)).p for s in range(6)]

    assert sum(v <= 0.05 for v in p) <= 1


def test_only_tasks_with_both_count_and_too_few_are_refused():
    first, second = runs(0.0, 8)

    assert set(paired({**first, "alone": 1.0}, second).differences) == set(first)
    with pytest.raises(UsageError, match="at least 6 tasks with runs on both"):
        paired(first, dict(list(second.items())[:5]))


@pytest.mark.parametrize("shift", [0.0, 3.0], ids=["equal", "equally-less"])
def test_differences_that_do_not_vary_have_no_width(shift):
    first = {f"t{i}": float(i) for i in range(8)}

    found = paired(first, {t: v - shift for t, v in first.items()})

    assert (found.low, found.mean, found.high) == (shift, shift, shift)
    assert found.p == pytest.approx(1.0 if not shift else 2 / 2**8)
