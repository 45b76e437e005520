import math
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd  # noqa: TID253
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.metrics import fbeta_score  # noqa: TID253

from competitions.errors import InvalidSubmissionError
from competitions.metrics import METRICS, Context
from competitions.metrics.rle import encode
from tests.competitions.metrics.text_examples import score

SQUARE: dict[str, Any] = {"height": 4, "width": 4, "missing": "empty"}
WHOLE = "1 16"


@pytest.mark.parametrize(
    ("truth", "predicted", "per_image", "pooled"),
    [
        # 2·2/(4 + 2)
        pytest.param(["1 4"], ["3 2"], 2 / 3, 2 / 3, id="half-covered"),
        # (2/3 + 0)/2; pooled 2·2/(4 + 2 + 0 + 4)
        pytest.param(["1 4", None], ["3 2", "1 4"], 1 / 3, 0.4, id="false-alarm"),
        # (2/3 + 1)/2; pooled without the second image
        pytest.param(["1 4", None], ["3 2", None], 5 / 6, 2 / 3, id="both-empty"),
        pytest.param(["1 4"], ["9 2"], 0.0, 0.0, id="apart"),
    ],
)
def test_dice_is_as_by_hand(truth, predicted, per_image, pooled):
    assert score("dice", truth, predicted, **SQUARE) == pytest.approx(per_image)
    assert score("dice", truth, predicted, pooled=True, **SQUARE) == pytest.approx(pooled)


def test_pooled_dice_of_nothing_at_all_is_undefined():
    assert math.isnan(score("dice", ["-"], ["-"], pooled=True, empty_word="-", height=2, width=2))


def test_only_the_exact_word_is_an_empty_mask_and_an_empty_cell_is_none():
    size: dict[str, Any] = {"height": 2, "width": 2, "empty_word": "-"}

    assert score("dice", ["1 1", "-"], ["1 1", "-"], **size) == 1
    for cell in (" - ", None, "--"):
        with pytest.raises(InvalidSubmissionError, match=r"y: .*at k1"):
            score("dice", ["1 1", "-"], ["1 1", cell], **size)


def test_masks_of_several_sizes_and_another_column_of_the_answers():
    answers = pd.DataFrame({"rle": ["1 9", "1 2"], "h": [3, 1], "w": [3, 2]})
    submission = pd.DataFrame({"y": ["1 99", "1 1"]})
    context = Context(("y",), {"answer": "rle", "height": "h", "width": "w"})

    # the first is cut to 9 pixels; 2·1/(2 + 1)
    assert METRICS["dice"].score(answers, submission, context) == pytest.approx((1 + 2 / 3) / 2)


@pytest.mark.parametrize("name", ["dice", "mask-fbeta", "mask-precision"])
@pytest.mark.parametrize(
    ("cells", "said"),
    [
        pytest.param(["1 1", "x"], "y: a run-length cell holds .* at k1", id="no-numbers"),
        pytest.param([1, 2], "y: expected text, found '1'", id="read-as-numbers"),
        pytest.param(["3 1 1 1", "1 1 1 1"], "ascend.* at k0\ny: runs overlap .* at k1", id="two"),
    ],
)
def test_every_metric_of_masks_refuses_what_is_no_mask(name, cells, said):
    with pytest.raises(InvalidSubmissionError, match=said):
        score(name, ["1 1", "1 1"], cells, beta=0.5, **SQUARE)


def test_an_odd_count_of_numbers_is_taken_only_in_the_published_scores():
    assert score("dice", ["1 1 5 1"], ["1 1 5"], **SQUARE) == 1
    with pytest.raises(InvalidSubmissionError, match="odd count"):
        score("dice", ["1 1 5 1"], ["1 1 5"], "fixed", **SQUARE)


@pytest.mark.parametrize(
    ("truth", "predicted", "v1", "fixed"),
    [
        # IoU 3/4: above 0.5, 0.55, 0.6, 0.65 and 0.7; 0.75 carries a float's noise
        pytest.param("1 4", "1 3", 0.5, 0.5, id="three-quarters"),
        # IoU 1/2 is not above 0.5
        pytest.param("1 4", "1 2", 0.0, 0.0, id="exactly-a-half"),
        # IoU 9/15 = 0.6 is above 0.5 and 0.55, the third threshold is 0.6000000000000001
        pytest.param("1 15", "1 9", 0.2, 0.2, id="exactly-0.6"),
        pytest.param("", " ", 1.0, 1.0, id="both-empty"),
        pytest.param("", "1 1", 0.0, 0.0, id="false-alarm"),
        # taken for 16/16 pixels
        pytest.param(WHOLE, "", 1.0, 0.0, id="nothing-for-everything"),
        # taken for 16 pixels: IoU 10/16 = 0.625, above 0.5, 0.55 and 0.6
        pytest.param("1 10", None, 0.3, 0.0, id="nothing-for-most"),
        pytest.param("1 10", "17 5", 0.3, 0.0, id="nothing-inside-the-image"),
        pytest.param("1 10", WHOLE, 0.3, 0.3, id="everything-for-most"),
    ],
)
def test_thresholds_are_passed_as_by_hand(truth, predicted, v1, fixed):
    for variant, expected in (("v1", v1), ("fixed", fixed)):
        found = score("mask-precision", [truth], [predicted], variant, **SQUARE)
        assert found == pytest.approx(expected)


@pytest.mark.parametrize(("rule", "refused"), [("any", False), ("exact", True)])
def test_a_further_column_is_refused_where_the_task_says_so(rule, refused):
    context = Context(("mask",), {**SQUARE, "columns": rule}, "v1", ("id",))
    truth = pd.DataFrame({"id": ["a"], "mask": ["1 4"]})
    masks = truth.assign(more=1)

    if refused:
        with pytest.raises(InvalidSubmissionError, match="not expected: more"):
            METRICS["mask-precision"].score(truth, masks, context)
    else:
        assert METRICS["mask-precision"].score(truth, masks, context) == 1.0


MASK = arrays(bool, (3, 4))


@settings(max_examples=30, deadline=None)
@given(rows=st.lists(st.tuples(MASK, MASK), min_size=1, max_size=4), beta=st.sampled_from([0.5, 2]))
def test_pixels_agree_with_scikit_learn_and_metrics_are_shares(rows, beta):
    truth, predicted = ([encode(m) for m in column] for column in zip(*rows, strict=True))
    size: dict[str, Any] = {"height": 3, "width": 4, "missing": "empty"}
    expected = [fbeta_score(t.ravel(), p.ravel(), beta=beta, zero_division=0) for t, p in rows]

    assert score("mask-fbeta", truth, predicted, beta=beta, **size) == pytest.approx(
        np.mean(expected)
    )
    for name in ("dice", "mask-precision"):
        found = score(name, truth, predicted, **size)
        assert 0 <= found <= 1
        assert found == pytest.approx(score(name, truth[::-1], predicted[::-1], **size))
        assert score(name, truth, truth, **size) == 1
    assert score("dice", truth, predicted, **size) == score("dice", predicted, truth, **size)


def test_a_task_may_refuse_further_columns():
    answers = pd.DataFrame({"id": ["k0"], "y": ["1 1"]})
    strict = Context(("y",), {"height": 1, "width": 2, "columns": "exact"}, key=("id",))
    more = answers.assign(more=1)

    assert METRICS["mask-precision"].score(answers, answers, strict) == 1
    with pytest.raises(InvalidSubmissionError, match="more"):
        METRICS["mask-precision"].score(answers, more, strict)
    assert METRICS["mask-precision"].score(answers, more, replace(strict, arguments=SQUARE)) == 1
