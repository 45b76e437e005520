import numpy as np
import pandas as pd  # noqa: TID253
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from competitions.errors import InvalidSubmissionError
from competitions.metrics import METRICS, Context
from competitions.metrics.boxes_coco_map import pairwise_iou

ARGUMENTS = {"iou": 0.4}


def run(boxes, cells, variant="fixed", images=None):
    """Score cells of images a, b, ... against (image, class, x_min, y_min, x_max, y_max)."""
    columns = ["id", "class_id", "x_min", "y_min", "x_max", "y_max"]
    answers = pd.DataFrame(boxes, columns=columns)
    names = images or list(answers["id"].drop_duplicates())
    submission = pd.DataFrame({"id": names, "y": cells})
    context = Context(("y",), ARGUMENTS, variant, ("id",))
    return METRICS["boxes-coco-map"].score(answers, submission, context)


TWO = [("a", 1, 0, 0, 10, 10), ("b", 1, 0, 0, 10, 10)]
BOX = "0 0 10 10"
AWAY = "50 50 60 60"


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        pytest.param([f"1 1 {BOX}", f"1 1 {BOX}"], 1.0, id="perfect"),
        # recall 1/2 at precision 1: the recalls 0, 0.01, ..., 0.5
        pytest.param([f"1 1 {BOX}", f"1 1 {AWAY}"], 51 / 101, id="one-of-two"),
        # the surer one misses: precision 1/2, then 2/3 at recall 1, which is the envelope
        pytest.param([f"1 .8 {BOX} 1 .9 {AWAY}", f"1 .7 {BOX}"], 2 / 3, id="surer-miss"),
        pytest.param([f"1 .8 {BOX} 1 .1 {AWAY}", f"1 .7 {BOX}"], 1.0, id="later-miss"),
        pytest.param(
            [f"1 .8 {BOX} 1 .9 {BOX}", f"1 .1 {BOX}"], 51 / 101 + 50 / 101 * 2 / 3, id="found-twice"
        ),
        pytest.param([f"1 1 {BOX} 77 9 {BOX}", f"1 1 {BOX}"], 1.0, id="unknown-class"),
        pytest.param([f"2 1 {BOX}", f"2 1 {BOX}"], 0.0, id="another-class"),
        # 5 of 10 wide: IoU 1/2; 3 of 10: 0.3
        pytest.param(["1 1 0 0 5 10", f"1 1 {BOX}"], 1.0, id="half"),
        # of equal confidence the miss of the first image stands first: precision 1/2 at recall 1/2
        pytest.param(["1 1 0 0 3 10", f"1 1 {BOX}"], 51 / 101 / 2, id="less-than-0.4"),
        pytest.param(["1 1 0 0 4 10", f"1 1 {BOX}"], 1.0, id="exactly-0.4"),
    ],
)
def test_precision_over_recall_is_as_by_hand(cells, expected):
    assert run(TWO, cells) == pytest.approx(expected, abs=1e-6)


def test_the_score_is_the_mean_over_the_classes_of_the_answers():
    boxes = [("a", 1, 0, 0, 10, 10), ("a", 14, 0, 0, 1, 1)]

    assert run(boxes, [f"1 1 {BOX}"]) == pytest.approx(0.5)
    assert run(boxes, [f"1 1 {BOX} 14 1 0 0 1 1"]) == pytest.approx(1)


def test_corners_read_as_sizes_make_boxes_overlap_that_are_apart():
    p, t = np.array([[100.0, 100, 200, 200]]), np.array([[210.0, 210, 310, 310]])

    assert pairwise_iou(p, t, as_sizes=False)[0, 0] == 0
    # [100, 300]² and [210, 520]² share 90²
    assert pairwise_iou(p, t, as_sizes=True)[0, 0] == pytest.approx(8100 / (200**2 + 310**2 - 8100))


def test_the_first_true_box_is_never_a_hit_in_the_published_scores():
    cells = [f"1 .9 {BOX}", f"1 .8 {BOX}"]

    # false alarm, then hit: precision 1/2 up to recall 1/2
    assert run(TWO, cells, "v1") == pytest.approx(51 / 101 / 2)
    assert run(TWO, cells) == pytest.approx(1, abs=1e-6)


def test_what_the_first_submitted_box_matches_stays_free_in_the_published_scores():
    boxes = [("z", 9, 0, 0, 1, 1), *TWO]  # the first answer is another class
    cells = ["9 1 70 70 80 80", f"1 .9 {BOX} 1 .8 {BOX}", f"1 .7 {BOX}"]
    swapped = [cells[1], cells[0], cells[2]]

    # by rows: hit, false alarm, hit: 51 recalls at 1, 50 at 2/3
    assert run(boxes, cells, "v1", ["z", "a", "b"]) == pytest.approx(
        (51 + 50 * 2 / 3) / 101 / 2, abs=1e-6
    )
    # the very first box leaves the true one to its twin: three hits for two boxes
    assert run(boxes, swapped, "v1", ["a", "z", "b"]) == pytest.approx(1 / 2, abs=1e-6)
    assert run(boxes, cells, "fixed", ["z", "a", "b"]) == run(
        boxes, swapped, "fixed", ["a", "z", "b"]
    )


def test_only_the_hundred_surest_boxes_of_an_image_and_class_count():
    misses = " ".join(f"1 .9 {AWAY}" for _ in range(100))

    assert run(TWO[:1], [f"{misses} 1 .5 {BOX}"]) == 0
    assert run(TWO[:1], [f"{misses} 1 .95 {BOX}"]) == pytest.approx(1, abs=1e-6)
    assert run(TWO[:1], [f"{misses} 2 .95 {BOX} 1 .5 {BOX}"]) == 0


def test_an_unmatched_box_of_negative_area_is_left_out():
    assert run(TWO[:1], [f"1 .9 60 50 50 60 1 .8 {BOX}"]) == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        pytest.param(None, "empty cells", id="empty"),
        pytest.param("1 1 0 0 10", "expected 6 numbers", id="five"),
        pytest.param(f"1  1 {BOX}", "between single blanks", id="two-blanks"),
        pytest.param(f"x 1 {BOX}", "expected numbers", id="no-number"),
        pytest.param(f"nan 1 {BOX}", "class", id="nan-class"),
        pytest.param(f"inf 1 {BOX}", "class", id="infinite-class"),
        pytest.param(5, "expected text", id="number"),
    ],
)
@pytest.mark.parametrize("variant", ["v1", "fixed"])
def test_what_is_no_box_is_refused_with_its_row(cell, said, variant):
    with pytest.raises(InvalidSubmissionError, match=f"y: .*{said}.* at b"):
        run(TWO, [f"1 1 {BOX}", cell], variant)


@pytest.mark.parametrize("cell", [f"1.9 1 {BOX}", f"1 nan {BOX}", "1 1 0 0 inf 10"])
def test_odd_numbers_are_taken_only_in_the_published_scores(cell):
    run(TWO, [f"1 1 {BOX}", cell], "v1")
    with pytest.raises(InvalidSubmissionError, match="at b"):
        run(TWO, [f"1 1 {BOX}", cell])


def test_images_must_be_those_of_the_answers_and_may_repeat_only_where_published():
    cell = f"1 1 {BOX}"
    for variant in ("v1", "fixed"):
        with pytest.raises(InvalidSubmissionError, match=r"\(1\)"):
            run(TWO, [cell, cell], variant, ["a", "zz"])
        with pytest.raises(InvalidSubmissionError, match=r"missing (images|keys) \(1\)"):
            run(TWO, [cell], variant, ["a"])
    assert run(TWO, [cell, cell, cell], "v1", ["a", "b", "b"]) >= 0
    with pytest.raises(InvalidSubmissionError, match=r"more than once \(1\): b"):
        run(TWO, [cell, cell, cell], "fixed", ["a", "b", "b"])


CORNER = st.integers(0, 5)
BOXES = st.lists(st.tuples(st.integers(0, 2), CORNER, CORNER), min_size=1, max_size=4)


@settings(max_examples=40)
@given(images=st.lists(st.tuples(BOXES, BOXES), min_size=1, max_size=4), seed=st.integers(0, 9))
def test_a_mended_score_is_a_share_and_blind_to_the_order_of_rows(images, seed):
    names = [f"i{n}" for n in range(len(images))]
    boxes = [
        (name, label, x, y, x + 3, y + 3)
        for name, (true, _) in zip(names, images, strict=True)
        for label, x, y in true
    ]
    cells = [
        " ".join(f"{label} 0.{x + y} {x} {y} {x + 3} {y + 3}" for label, x, y in predicted)
        for _, predicted in images
    ]
    order = np.random.default_rng(seed).permutation(len(names))
    found = run(boxes, cells, images=names)

    assert 0 <= found <= 1
    assert found == run(boxes, [cells[n] for n in order], images=[names[n] for n in order])
