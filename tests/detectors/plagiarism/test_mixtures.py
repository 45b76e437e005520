"""What files give one another is found, with its weights, and chance is told from more."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from detectors.plagiarism.agreement import Agreement
from detectors.plagiarism.excess_tail import excess_p
from detectors.plagiarism.mixtures import EMPTY, Mixtures
from tests.detectors.plagiarism.worlds import honest

WORLD = honest(10, 200)


def beside(*more) -> Mixtures:
    """Put files beside ten honest ones."""
    return Mixtures(np.concatenate([WORLD, np.stack(more)])[:, :, None])


@settings(max_examples=25)
@given(
    st.integers(2, 4).flatmap(
        lambda n: st.tuples(
            st.permutations(range(10)).map(lambda order: order[:n]),
            st.lists(st.floats(0.1, 1), min_size=n, max_size=n),
        )
    )
)
def test_the_weights_of_a_mix_are_found(mix):
    sources, weights = mix
    shares = np.array(weights) / sum(weights)
    found = beside(shares @ WORLD[list(sources)]).blended(10, range(10))

    assert found.unexplained < 1e-9
    assert dict(zip(found.sources, found.weights, strict=True)) == pytest.approx(
        dict(zip(sources, shares, strict=True)), abs=1e-5
    )


@given(st.floats(0.01, 100), st.floats(-10, 10))
def test_scale_and_shift_change_nothing(scale, shift):
    mixtures = Mixtures(np.stack([WORLD[0], WORLD[1], scale * WORLD[0] + shift])[:, :, None])

    assert mixtures.alike(0, 2) < 1e-9
    assert mixtures.scaled(2, (0, 1)).sources == (0,)


def test_likeness_is_symmetric_and_between_0_and_1():
    mixtures = beside(1 - WORLD[0])

    for one in range(11):
        assert mixtures.alike(one, one) < 1e-12
        for other in range(11):
            assert 0 <= mixtures.alike(one, other) <= 1
            assert mixtures.alike(one, other) == pytest.approx(mixtures.alike(other, one))


def test_weights_are_never_negative():
    assert beside(1 - WORLD[0]).blended(10, (0,)) == EMPTY
    assert min(beside(WORLD[0] - 0.5 * WORLD[1]).blended(10, range(10)).weights) > 0


def test_a_rising_curve_is_followed_and_a_falling_one_is_not():
    mixtures = beside(np.log(WORLD[2]), -np.log(WORLD[2]))

    assert mixtures.bent(10, range(10)).sources == (2,)
    assert mixtures.bent(10, range(10)).unexplained < 1e-9
    assert mixtures.bent(11, range(10)).unexplained > 0.5


@pytest.mark.parametrize("share", [0.0, 0.05, 0.2])
def test_some_rows_that_were_overridden_hide_nothing(share):
    rng = np.random.default_rng(4)
    mixed = 0.5 * WORLD[0] + 0.3 * WORLD[1] + 0.2 * WORLD[2]
    is_other = rng.random(200) < share
    mixtures = beside(np.where(is_other, rng.random(200), mixed).round(6))

    fit, left = mixtures.concentrated(10, (0, 1, 2))

    assert fit.weights == pytest.approx((0.5, 0.3, 0.2), abs=1e-4)
    assert (left <= 2).mean() == pytest.approx(1 - is_other.mean(), abs=0.02)


def test_values_that_many_rows_have_tell_nothing():
    few = np.repeat([0.0, 1.0, 0.123456], [90, 108, 2])

    assert beside(few).telling(10).sum() == 2


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e60])
def test_other_values_are_never_equal_however_small_or_large_the_target(scale):
    mixtures = Mixtures(scale * WORLD[:2, :, None])

    assert mixtures.equal(0, 1).sum() == 0
    assert mixtures.equal(0, 0).all()
    assert mixtures.concentrated(0, (1,))[1].max() > 100


def test_columns_that_never_vary_and_huge_numbers_do_no_harm():
    values = np.zeros((3, 50, 2))
    values[:, :, 1] = honest(3, 50) * 1e90
    mixtures = Mixtures(values)

    assert mixtures.varies.all()
    assert np.isfinite(mixtures.blended(0, (1, 2)).unexplained)
    assert not Mixtures(np.zeros((2, 9, 1))).varies.any()


@given(st.lists(st.floats(0, 10), min_size=2, max_size=60), st.floats(0, 50), st.floats(0, 10))
def test_a_larger_value_is_never_more_likely(null, value, more):
    p, q = (excess_p(np.array(null), v) for v in (value, value + more))

    assert 0 < q <= p <= 1


def test_p_is_about_as_often_small_as_it_says():
    rng = np.random.default_rng(0)
    draws = rng.exponential(size=(4000, 21))
    found = np.array([excess_p(row[1:], row[0]) for row in draws])

    assert (found <= 0.05).mean() == pytest.approx(0.05, abs=0.02)
    assert (found <= 0.01).mean() == pytest.approx(0.01, abs=0.005)


def test_labels_that_hardly_anybody_gives_tell_a_copy():
    rng = np.random.default_rng(0)
    usual = rng.integers(5, size=300)
    labels = np.stack([np.where(rng.random(300) < 0.2, 9 + n, usual) for n in range(8)])
    labels = np.concatenate([labels, labels[:1]])[:, :, None]
    agreement = Agreement(labels, tuple(range(8)))

    assert agreement.shared(8, 0) > 0.95
    assert max(agreement.shared(8, n) for n in range(1, 8)) < 0.2
    assert agreement.surprise(8, range(8))[1] == 0
