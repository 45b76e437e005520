"""How rare a score is among honest solutions, though some of the public ones copied."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from detectors.plagiarism.significance import COPY, MIN_NULL, Null, null_of

SCORES = st.lists(st.floats(0, 1, width=32), min_size=60, max_size=120)


def honest(n, seed, mean=0.03):
    return np.random.default_rng(seed).exponential(mean, n).clip(max=0.49).astype(np.float32)


def known(scores) -> Null:
    null = null_of(scores)
    assert null is not None
    return null


@given(SCORES, st.floats(0, 1), st.floats(0, 1))
def test_a_higher_score_is_never_more_probable(scores, one, other):
    null = null_of(np.array(scores, np.float32))
    if null is None:
        return
    low, high = sorted((one, other))

    assert 0 < null.p(high) <= null.p(low) <= 1


def test_honest_scores_are_as_probable_as_they_are_frequent():
    null = known(honest(200, 1))
    p = np.array([null.p(float(s)) for s in honest(2000, 2)])

    assert np.mean(p < 0.05) == pytest.approx(0.05, abs=0.03)
    assert np.mean(p < 0.005) < 0.015


@pytest.mark.parametrize("share", [0.05, 0.1, 0.2, 0.3])
def test_copies_among_the_public_hide_no_copy_and_accuse_nobody(share):
    draw = np.random.default_rng(3)
    copies = draw.uniform(0.1, 0.95, round(200 * share)).astype(np.float32)
    null = known(np.concatenate([honest(200, 4), copies]))
    p = np.array([null.p(float(s)) for s in honest(2000, 5)])

    assert np.mean(p < 0.01) < 0.02
    assert null.p(0.8) < 1e-4


def test_copies_alone_are_no_null():
    assert null_of(np.full(100, COPY, np.float32)) is None


@pytest.mark.parametrize(("n", "there"), [(MIN_NULL - 1, False), (MIN_NULL, True)])
def test_few_comparisons_give_no_p(n, there):
    unasked = np.full(50, np.nan, np.float32)

    assert (null_of(np.concatenate([honest(n, 6), unasked])) is not None) is there


def test_no_p_is_below_what_anybody_has_seen():
    assert known(honest(100, 7)).p(1.0) >= 1e-6
