import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from competitions.errors import InvalidSubmissionError
from competitions.metrics.boxes_3d_map import footprint_overlap
from tests.competitions.metrics.text_examples import score

CAR = "1 0 0 0 2 4 2 0 car"  # width 2, length 4 along x, height 2


def rows(*boxes):
    return [" ".join(boxes)]


@pytest.mark.parametrize(
    ("truth", "predicted", "expected"),
    [
        pytest.param([CAR], [CAR], 1.0, id="perfect"),
        # moved by 1 of 4: IoU 12/20 = 0.6, above 0.5 and 0.55
        pytest.param([CAR], ["1 1 0 0 2 4 2 0 car"], 0.2, id="moved-along"),
        # raised by 1 of 2: IoU 8/24
        pytest.param([CAR], ["1 0 0 1 2 4 2 0 car"], 0.0, id="raised"),
        # 1.5 of 2 high: IoU 12/16 = 0.75, above 0.5, 0.55, 0.6, 0.65 and 0.7
        pytest.param([CAR], ["1 0 0 0.25 2 4 1.5 0 car"], 0.5, id="lower"),
        pytest.param([CAR], [f"1 0 0 0 2 4 2 {math.pi} car"], 1.0, id="turned-half-round"),
        # a quarter turn: 2·2 of 8 + 8 - 4
        pytest.param([CAR], [f"1 0 0 0 2 4 2 {math.pi / 2} car"], 0.0, id="turned-a-quarter"),
        pytest.param([CAR], ["1 0 0 0 2 4 2 0 bus"], 0.0, id="another-class"),
        pytest.param([CAR], [None], 0.0, id="no-box"),
        pytest.param([CAR], ["   "], 0.0, id="blank"),
        # the surer box misses: precision 1/2 at recall 1
        pytest.param(
            [CAR], rows("0.9 50 0 0 2 4 2 0 car", "0.8 0 0 0 2 4 2 0 car"), 0.5, id="surer-miss"
        ),
        pytest.param(
            [CAR], rows("0.7 50 0 0 2 4 2 0 car", "0.8 0 0 0 2 4 2 0 car"), 1.0, id="later-miss"
        ),
        # equal confidence keeps the order of the cell
        pytest.param(
            [CAR], rows("0.5 50 0 0 2 4 2 0 car", "0.5 0 0 0 2 4 2 0 car"), 0.5, id="tied"
        ),
        pytest.param([CAR], rows(CAR, CAR), 1.0, id="found-twice"),
        # two classes: (1 + 0)/2; a third one that the scene does not hold costs nothing
        pytest.param(
            rows(CAR, "1 9 9 0 1 1 1 0 bus"), rows(CAR, "1 9 9 0 1 1 1 0 dog"), 0.5, id="classes"
        ),
        # two of one class, one found: recall 1/2 at precision 1
        pytest.param(rows(CAR, "1 30 0 0 2 4 2 0 car"), [CAR], 0.5, id="one-of-two"),
    ],
)
def test_scenes_score_as_by_hand(truth, predicted, expected):
    assert score("boxes-3d-map", truth, predicted) == pytest.approx(expected)


def test_the_score_is_the_mean_over_scenes():
    assert score("boxes-3d-map", [CAR, CAR], [CAR, None]) == 0.5


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        pytest.param("1 0 0 0 2 4 2 0", "expected 9 words", id="eight-words"),
        pytest.param(CAR.replace(" ", "  "), "expected 9 words", id="two-blanks"),
        pytest.param(CAR + " ", "expected 9 words", id="trailing-blank"),
        pytest.param("1 x 0 0 2 4 2 0 car", "expected numbers", id="no-number"),
        pytest.param("1 nan 0 0 2 4 2 0 car", "no number", id="nan-coordinate"),
        pytest.param("1 0 0 0 0 4 2 0 car", "not positive", id="no-width"),
        pytest.param("1 0 0 0 2 -4 2 0 car", "not positive", id="negative-length"),
        pytest.param("1 0 0 0 2 4 2 nan car", "no number", id="nan-yaw"),
        pytest.param("1 0 0 0 2 4 2 inf dog", "infinite yaw", id="infinite-yaw-of-any-class"),
        pytest.param("1 inf 0 0 2 4 2 0 car", "too far|infinite", id="infinite-coordinate"),
        pytest.param(5, "expected text", id="number"),
    ],
)
@pytest.mark.parametrize("variant", ["v1", "fixed"])
def test_what_is_no_box_is_refused_with_its_row(cell, said, variant):
    with pytest.raises(InvalidSubmissionError, match=f"y: .*(?:{said}).* at k1"):
        score("boxes-3d-map", [CAR, CAR], [None, cell], variant)


def test_boxes_of_a_class_that_the_scene_does_not_hold_may_be_anything():
    assert score("boxes-3d-map", [CAR], rows(CAR, "1 nan 0 0 -2 4 2 0 dog")) == 1


def test_a_confidence_that_is_no_number_is_taken_only_in_the_published_scores():
    cell = "nan 0 0 0 2 4 2 0 car"

    assert score("boxes-3d-map", [CAR], [cell]) == 1
    with pytest.raises(InvalidSubmissionError, match="confidence"):
        score("boxes-3d-map", [CAR], [cell], "fixed")


def test_a_scene_without_a_true_box_is_the_graders_fault():
    with pytest.raises(ValueError, match="without any true box"):
        score("boxes-3d-map", [CAR, None], [CAR, CAR])


def test_more_boxes_than_fit_into_one_block_are_compared_all():
    far = [f"0.9 {50 + n} 0 0 2 4 2 0 car" for n in range(70_000)]
    found = score("boxes-3d-map", [CAR], rows(*far, "0.1 0 0 0 2 4 2 0 car"))

    assert found == pytest.approx(1 / 70_001)


BOX = st.tuples(*[st.floats(-2, 2)] * 3, *[st.floats(0.1, 4)] * 3, st.floats(-4, 4)).map(np.array)


def test_corners_that_rounding_puts_on_either_side_of_an_edge_lose_no_area():
    box = np.array([[0, 0, 0, 2.6620003790959683, 3.375, 1, 1.1693341745433967]])

    assert footprint_overlap(box, box)[0] == pytest.approx(box[0, 3] * box[0, 4])


@settings(max_examples=40)
@given(a=BOX, b=BOX)
def test_a_shared_footprint_is_symmetric_within_both_and_agrees_with_points(a, b):
    found, back = (float(footprint_overlap(p[None], q[None])[0]) for p, q in ((a, b), (b, a)))
    areas = [box[3] * box[4] for box in (a, b)]

    assert found == pytest.approx(back, abs=1e-9)
    assert -1e-9 <= found <= min(areas) + 1e-9
    assert footprint_overlap(a[None], a[None])[0] == pytest.approx(areas[0])
    grid = (np.stack(np.meshgrid(np.arange(50), np.arange(50)), axis=-1) + 0.5) / 50 - 0.5
    along, across = np.array([np.cos(a[6]), np.sin(a[6])]), np.array([-np.sin(a[6]), np.cos(a[6])])
    points = a[:2] + grid[..., :1] * a[4] * along + grid[..., 1:] * a[3] * across
    turned = points - b[:2]
    x = turned @ [np.cos(b[6]), np.sin(b[6])]
    y = turned @ [-np.sin(b[6]), np.cos(b[6])]
    share = ((np.abs(x) < b[4] / 2) & (np.abs(y) < b[3] / 2)).mean()
    assert found / areas[0] == pytest.approx(share, abs=0.06)
