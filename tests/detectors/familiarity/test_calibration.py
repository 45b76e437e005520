"""Calibration: valid p-values, bounds, and verdicts that can be refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from competitions.errors import UsageError
from detectors.familiarity.calibration import (
    calibrate,
    controls_needed,
    correlation,
    decide,
)
from detectors.known import Calibrated, Decision


def drawn(n, seed, slope=2.0):
    """Controls whose score depends on a covariate."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 2))
    return slope * x[:, 0] + rng.normal(size=n), x


def test_p_of_unseen_texts_is_uniform_after_covariates():
    found = []
    for seed in range(300):
        y, x = drawn(40, seed)
        found.append(calibrate(y[0], x[0], y[1:], x[1:]).p)

    assert np.mean(np.array(found) <= 0.05) == pytest.approx(0.05, abs=0.03)
    assert np.mean(found) == pytest.approx(0.5, abs=0.05)


def test_what_length_explains_is_no_familiarity():
    y, x = drawn(60, 1, slope=10.0)

    raw_outlier = calibrate(30.0, [3.0, 0.0], y, x)

    assert raw_outlier.score > y.max()
    assert raw_outlier.expected == pytest.approx(30.0, abs=1.5)
    assert raw_outlier.p > 0.05


def test_a_text_far_above_has_the_smallest_p_there_is():
    y, x = drawn(99, 2)

    found = calibrate(50.0, [0.0, 0.0], y, x)

    assert found.p == found.floor == pytest.approx(0.01)
    assert found.excess > 10
    assert found.upper > 45


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 1000), st.floats(-5, 5), st.floats(0, 5))
def test_a_higher_score_never_has_a_higher_p_nor_a_lower_bound(seed, score, more):
    y, x = drawn(30, seed)
    low, high = (calibrate(s, [0.1, 0.2], y, x) for s in (score, score + more))

    assert high.p <= low.p
    assert high.upper >= low.upper


def test_an_effect_of_the_visible_size_is_mostly_seen():
    seen = 0
    for seed in range(200):
        y, x = drawn(60, seed)
        effect = calibrate(y[0], x[0], y[1:], x[1:]).visible
        seen += calibrate(y[0] + effect, x[0], y[1:], x[1:]).p <= 0.05

    assert seen / 200 == pytest.approx(0.8, abs=0.1)


@pytest.mark.parametrize("n", [0, 5, 18])
def test_too_few_controls_are_refused(n):
    with pytest.raises(UsageError, match=f"at least 19 control texts, found {n}"):
        calibrate(0.0, [0.0], np.zeros(n), np.zeros((n, 1)))


def test_a_missing_score_is_refused():
    y, x = drawn(30, 0)

    with pytest.raises(UsageError, match="found none for some"):
        calibrate(float("nan"), [0.0, 0.0], y, x)


def one(p, n):
    return Calibrated(0.0, 0.0, 1.0, p, 1 / (1 + n), 1.0, 1.0)


@pytest.mark.parametrize(
    ("p", "n", "q", "confounded", "said"),
    [
        pytest.param(0.01, 99, 0.03, False, Decision.FAMILIAR, id="stands-out"),
        pytest.param(0.01, 99, 0.03, True, Decision.CONFOUNDED, id="blind-reader-separates"),
        pytest.param(0.2, 99, 0.4, False, Decision.NOTHING_SEEN, id="among-controls"),
        pytest.param(0.01, 99, 0.75, False, Decision.NO_DECISION, id="floor-too-high-for-many"),
        pytest.param(0.3, 9, 0.3, False, Decision.NO_DECISION, id="too-few-controls"),
        pytest.param(0.02, 99, 0.06, False, Decision.NOTHING_SEEN, id="just-above"),
    ],
)
def test_a_decision_needs_controls_of_its_kind_and_enough_of_them(p, n, q, confounded, said):
    assert decide(one(p, n), q, confounded=confounded) is said


def test_one_hit_among_many_tasks_needs_many_controls():
    assert controls_needed(75) == 1499


def test_correlation_of_what_does_not_vary_is_none():
    assert np.isnan(correlation([1, 1, 1], [1, 2, 3]))
    assert correlation([1, 2, 3], [2, 4, 6]) == pytest.approx(1)
