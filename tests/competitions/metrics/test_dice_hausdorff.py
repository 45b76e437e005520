import math

import numpy as np
import pandas as pd  # noqa: TID253
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.distance import directed_hausdorff  # noqa: TID253

from competitions.errors import InvalidSubmissionError
from competitions.metrics import METRICS, Context
from competitions.metrics.dice_hausdorff import _Volume, hausdorff
from competitions.metrics.rle import encode

SCORE = METRICS["dice-hausdorff"].score


def volume(*slices):
    """Stack masks of one size."""
    stack = np.array(slices, dtype=bool)
    return _Volume(np.flatnonzero(stack.transpose(0, 2, 1)), stack.shape)


NOTHING, LEFT, RIGHT = [[0, 0]], [[1, 0]], [[0, 1]]


@pytest.mark.parametrize(
    ("true", "predicted", "expected"),
    [
        pytest.param(volume(LEFT), volume(LEFT), 0.0, id="identical"),
        # one of two pixels to the side: 1/2 of the unit cube
        pytest.param(volume(LEFT), volume(RIGHT), 0.5 / math.sqrt(3), id="half-the-width"),
        # one of four slices away
        pytest.param(
            volume(LEFT, NOTHING, NOTHING, NOTHING),
            volume(NOTHING, LEFT, NOTHING, NOTHING),
            0.25 / math.sqrt(3),
            id="a-quarter-of-the-depth",
        ),
        # both ways: the true pixel at the right has 1/2 to go, the submitted one none
        pytest.param(volume([[1, 1]]), volume(LEFT), 0.5 / math.sqrt(3), id="symmetric"),
        pytest.param(volume(LEFT), volume(NOTHING), 1.0, id="missed"),
        pytest.param(volume(NOTHING), volume(LEFT), 1.0, id="invented"),
        pytest.param(volume([[1] + [0] * 20]), volume([[1] * 10 + [0] * 11]), None, id="ten-times"),
        pytest.param(volume([[1] + [0] * 20]), volume([[1] * 11 + [0] * 10]), 1.0, id="eleven"),
        pytest.param(volume(LEFT, NOTHING), volume(LEFT), 0.0, id="fewer-slices"),
    ],
)
def test_distances_are_as_by_hand(true, predicted, expected):
    # ten of 21 pixels: the farthest is nine pixels away
    assert hausdorff(true, predicted) == pytest.approx(
        9 / 21 / math.sqrt(3) if expected is None else expected
    )


def test_a_distance_between_nothing_and_nothing_is_undefined():
    assert math.isnan(hausdorff(volume(NOTHING), volume(NOTHING)))


STACK = arrays(bool, (2, 3, 4), elements=st.booleans()).filter(lambda stack: stack.any())


@settings(max_examples=40)
@given(true=STACK, predicted=STACK)
def test_distances_agree_with_scipy(true, predicted):
    a, b = (np.argwhere(stack) / stack.shape for stack in (true, predicted))
    expected = max(directed_hausdorff(a, b)[0], directed_hausdorff(b, a)[0]) / math.sqrt(3)
    if predicted.sum() > 10 * true.sum():
        expected = 1.0

    assert hausdorff(volume(*true), volume(*predicted)) == pytest.approx(expected)


def tables(masks, ids=None, classes=None):
    """Rows of 1 by 2 masks."""
    rows = pd.DataFrame({"id": ids or [f"a_slice_{n}" for n in range(len(masks))]})
    rows["class"] = classes or "c"
    rows["y"] = [encode(np.array(mask, dtype=bool)) or None for mask in masks]
    return rows.assign(height=1, width=2)


V1 = Context(("y",), key=("id", "class"))
FIXED = Context(("y",), variant="fixed", key=("id", "class"))
ANSWERS = tables([LEFT, RIGHT, NOTHING])


@pytest.mark.parametrize("context", [V1, FIXED])
@pytest.mark.parametrize(
    ("masks", "expected"),
    [
        pytest.param([LEFT, RIGHT, NOTHING], 1.0, id="perfect"),
        # Dice (1 + 0)/2, the third pair is empty; the true pixel of the second slice has 1/2 of the
        # width to go, the submitted one 1/3 of the depth: 1/2
        pytest.param(
            [LEFT, LEFT, NOTHING], 0.4 * 0.5 + 0.6 * (1 - 0.5 / math.sqrt(3)), id="one-wrong"
        ),
        pytest.param([NOTHING, NOTHING, NOTHING], 0.0, id="nothing"),
    ],
)
def test_scores_are_as_by_hand(context, masks, expected):
    assert SCORE(ANSWERS, tables(masks), context) == pytest.approx(expected)


def test_classes_of_a_slice_are_united_for_the_distance():
    keys = {"ids": ["a_slice_1", "a_slice_1"], "classes": ["b", "c"]}
    answers, swapped = tables([LEFT, RIGHT], **keys), tables([RIGHT, LEFT], **keys)

    assert SCORE(answers, swapped, V1) == pytest.approx(0.4 * 0 + 0.6 * 1)


def test_surplus_and_lacking_rows_cost_nothing_only_in_the_published_scores():
    perfect = tables([LEFT, RIGHT, NOTHING])
    more = pd.concat([perfect, perfect.tail(1).assign(y="no mask at all")])

    assert SCORE(ANSWERS, more, V1) == 1
    assert SCORE(tables([LEFT, LEFT]), tables([LEFT, NOTHING]).head(1), V1) == pytest.approx(
        0.4 * 1 + 0.6 * (1 - 0.5 / math.sqrt(3))  # one of two slices: half the depth away
    )
    for wrong in (more, perfect.head(2)):
        with pytest.raises(InvalidSubmissionError, match="id, class: "):
            SCORE(ANSWERS, wrong, FIXED)


def test_rows_are_paired_by_position_in_the_published_scores_and_by_key_where_mended():
    turned = tables([LEFT, RIGHT, NOTHING])[::-1]

    assert SCORE(ANSWERS, turned, V1) < 1
    assert SCORE(ANSWERS, turned, FIXED) == 1


def test_a_header_alone_is_undefined_where_published():
    assert math.isnan(SCORE(ANSWERS, ANSWERS.head(0), V1))
    with pytest.raises(InvalidSubmissionError, match=r"missing keys \(3\)"):
        SCORE(ANSWERS, ANSWERS.head(0), FIXED)


def test_a_series_of_slices_of_several_sizes_is_refused():
    answers = tables([LEFT, RIGHT], ids=["a_slice_1", "b_slice_1"]).assign(width=[2, 3])
    together = answers.assign(id=["a_slice_1", "a_slice_2"])

    with pytest.raises(InvalidSubmissionError, match="id: slices of several sizes"):
        SCORE(answers, together, V1)
    with pytest.raises(ValueError, match="several sizes"):
        SCORE(together, answers, V1)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        pytest.param({"y": "1 1 1 1"}, "y: runs overlap .* at a_slice_0/c", id="mask"),
        pytest.param({"y": 5}, "y: expected text", id="numbers"),
        pytest.param({"id": None}, "id: empty cells", id="no-id"),
        pytest.param({"id": 7}, "id: expected text", id="numeric-id"),
    ],
)
def test_what_cannot_be_read_is_refused(change, said):
    with pytest.raises(InvalidSubmissionError, match=said):
        SCORE(ANSWERS, ANSWERS.assign(**change), V1)
    with pytest.raises(InvalidSubmissionError, match="expected the columns class"):
        SCORE(ANSWERS, ANSWERS.drop(columns="class"), V1)
