"""Metrics: known answers, what is missing, tokenizers that differ."""

from __future__ import annotations

import math
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from detectors.familiarity.conformal import auc, conformal_p, p_floor
from detectors.familiarity.metrics import (
    METRICS,
    MIN_TOKENS,
    Scored,
    measure,
    measure_documents,
    paired_differences,
)
from detectors.familiarity.texts import Text
from detectors.familiarity.tokens import TokenScores

CONTENT = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz"
TEXT = Text("t", CONTENT)


def letters(column, text=TEXT, **more):
    """Make scores in which each character is a token."""
    n = len(text.content)
    offsets = np.stack([np.arange(n), np.arange(n) + 1], axis=1)
    return TokenScores.of(text, offsets, np.asarray(column), **more)


def pieces(ends, column, starts=None):
    starts = [0, *ends[:-1]] if starts is None else starts
    return TokenScores.of(TEXT, np.stack([starts, ends], axis=1), np.asarray(column, dtype=float))


def drawn(seed, n=78):
    return -np.random.default_rng(seed).gamma(1.0, 2.0, n)


def value(name, *scores):
    return METRICS[name].value(Scored(*scores))


def student(target, reference):
    from scipy import stats

    return stats.ttest_rel(target, reference).statistic


def test_each_metric_gives_the_number_of_its_formula():
    lp, mean, deviation = drawn(0), drawn(1), 0.1 - drawn(2)
    rank = np.arange(1.0, len(lp) + 1)
    target = letters(lp, mean=mean, deviation=deviation, rank=rank)
    reference = letters(drawn(3))
    k = math.ceil(0.2 * len(lp))

    assert value("mean-log-probability", target) == pytest.approx(lp.mean())
    assert value("bits-per-character", target) == pytest.approx(-lp.sum() / len(lp) / np.log(2))
    assert value("mean-probability", target) == pytest.approx(np.exp(lp).mean())
    assert value("mean-probability-top-10", target) == pytest.approx(
        np.exp(lp[:10]).sum() / len(lp)
    )
    assert value("min-k", target) == pytest.approx(np.sort(lp)[:k].mean())
    standard = np.sort((lp - mean) / deviation)
    assert value("min-k-plus-plus", target) == pytest.approx(standard[:k].mean())
    assert value("zlib", target) == pytest.approx(lp.sum() / len(zlib.compress(CONTENT.encode())))
    expected = student(lp, reference.log_probability)
    assert value("reference-t", target, reference) == pytest.approx(expected)
    difference = (lp - reference.log_probability).mean()
    assert value("reference-difference", target, reference) == pytest.approx(difference)


def test_lower_case_compares_the_two_texts():
    target, lower = letters(np.full(len(CONTENT), -1.0)), letters(np.full(len(CONTENT), -3.0))

    assert value("lower-case", target, None, lower) == pytest.approx(2 / np.log(2))


def test_what_is_missing_gives_nan_and_the_rest_stands():
    found = measure(letters(drawn(0))).values

    missing = {name for name, number in found.items() if math.isnan(number)}
    assert missing == {name for name, metric in METRICS.items() if metric.needs}


def test_a_first_token_without_a_score_is_left_out_everywhere():
    lp = drawn(0)
    lp[0] = np.nan

    assert value("mean-log-probability", letters(lp)) == pytest.approx(np.nanmean(lp))
    expected = student(lp[1:], drawn(1)[1:])
    assert value("reference-t", letters(lp), letters(drawn(1))) == pytest.approx(expected)


def test_a_place_without_doubt_says_nothing_to_min_k_plus_plus():
    lp = drawn(0)
    sure = letters(lp, mean=lp - 1, deviation=np.where(lp < np.median(lp), 0.0, 1.0), rank=-lp)

    assert value("min-k-plus-plus", sure) == pytest.approx(1.0)


def test_every_metric_rises_when_the_model_likes_every_token_more():
    low, high = drawn(0), drawn(0) * 0.5
    reference, lower = letters(drawn(1)), letters(drawn(2))

    def scored(lp):
        more = {"mean": drawn(3), "deviation": np.ones(len(lp)), "rank": np.ones(len(lp))}
        return Scored(letters(lp, **more), reference, lower)

    for metric in METRICS.values():
        assert metric.familiarity(scored(high)) > metric.familiarity(scored(low)), metric.id


def test_other_tokenizers_are_compared_between_common_boundaries():
    target = pieces([3, 6, 10, len(CONTENT)], [-1, -2, -4, -8])
    reference = pieces([2, 6, 8, 10, len(CONTENT)], [-16, -32, -64, -128, -256])

    found = paired_differences(Scored(target, reference))

    assert found.tolist() == [-1 - 2 + 16 + 32, -4 + 64 + 128, -8 + 256]


def unplaced(column):
    return TokenScores.of(TEXT, np.full((len(column), 2), -1), np.asarray(column, dtype=float))


def test_tokens_without_a_place_are_paired_within_one_tokenizer_only():
    target, reference = unplaced([-1, -2, -4]), unplaced([-8, -8, -8])

    assert paired_differences(Scored(target, reference)).size == 0  # equal counts prove nothing
    assert math.isnan(measure(target, reference).values["reference-difference"])
    placed = pieces([3, 6, len(CONTENT)], [-8, -8, -8])
    assert paired_differences(Scored(target, placed)).size == 0
    alike = Scored(target, reference, same_tokenizer=True)
    assert paired_differences(alike).tolist() == [7, 6, 4]
    fewer = Scored(target, unplaced([-8, -8]), same_tokenizer=True)
    assert paired_differences(fewer).size == 0


def test_pieces_of_one_character_are_never_torn_apart():
    n = len(CONTENT)
    target = pieces([1, 1, 1, n], [-1, -1, -1, -5], starts=[0, 0, 0, 1])
    reference = pieces([1, n], [-7, -9])

    assert paired_differences(Scored(target, reference)).tolist() == [4, 4]
    overlapping = pieces([1, 2, n], [-1, -1, -5], starts=[0, 0, 2])
    assert paired_differences(Scored(overlapping, reference)).tolist() == [9]


@given(st.sets(st.integers(1, len(CONTENT) - 1)), st.sets(st.integers(1, len(CONTENT) - 1)))
def test_differences_add_up_to_the_difference_of_the_texts(ours, theirs):
    def split(places, seed):
        ends = [*sorted(places), len(CONTENT)]
        return pieces(ends, drawn(seed, len(ends)))

    target, reference = split(ours, 0), split(theirs, 1)

    total = target.log_probability.sum() - reference.log_probability.sum()
    found = paired_differences(Scored(target, reference))
    assert found.sum() == pytest.approx(total)
    assert len(found) == len(ours & theirs) + 1


def test_a_reference_of_another_text_is_a_mistake():
    other = letters(drawn(0), Text("u", CONTENT.upper()))

    with pytest.raises(ValueError, match="different texts"):
        measure(letters(drawn(0)), other)


@pytest.mark.parametrize(
    ("n", "too_short"), [(MIN_TOKENS - 1, True), (MIN_TOKENS, False)], ids=["below", "enough"]
)
def test_a_short_text_is_flagged(n, too_short):
    text = Text("t", CONTENT[:n])

    assert measure(letters(drawn(0, n), text)).too_short is too_short


def test_documents_of_a_task_count_alike_and_short_ones_not_at_all():
    short = measure(letters(drawn(0, 3), Text("t", "abc")))
    one, two = measure(letters(drawn(1))), measure(letters(drawn(2)))

    found = measure_documents([one, short, two])

    expected = (one.values["min-k"] + two.values["min-k"]) / 2
    assert found["min-k"] == pytest.approx(expected)
    assert measure_documents([short])["min-k"] == short.values["min-k"]


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_names_its_source(name):
    documentation = METRICS[name].value.__doc__

    assert documentation is not None
    assert "References\n" in documentation
    assert "arXiv:" in documentation


@given(st.lists(st.floats(-5, 5), min_size=1), st.lists(st.floats(-5, 5), min_size=1, max_size=50))
def test_a_p_value_counts_controls_and_stays_above_its_floor(scores, controls):
    found = conformal_p(scores, controls)

    expected = [(1 + sum(c >= s for c in controls)) / (1 + len(controls)) for s in scores]
    assert found.tolist() == pytest.approx(expected)
    assert min(found) >= p_floor(len(controls))


def test_the_area_under_the_curve_is_that_of_mann_and_whitney():
    from scipy import stats

    seen, unseen = np.round(drawn(0, 30)), np.round(drawn(1, 40))

    expected = stats.mannwhitneyu(seen, unseen).statistic / (30 * 40)
    assert auc(seen, unseen) == pytest.approx(expected)
