import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from competitions.errors import InvalidSubmissionError
from competitions.metrics.boxes_pooled_map import Box, iou, matched
from tests.competitions.metrics.text_examples import score

NONE = "none 1 0 0 1 1"


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        pytest.param((0, 0, 2, 2), (0, 0, 2, 2), 1.0, id="same"),
        pytest.param((0, 0, 2, 2), (1, 0, 3, 2), 1 / 3, id="half-shared"),
        pytest.param((0, 0, 2, 2), (2, 0, 4, 2), 0.0, id="touching"),
        pytest.param((0, 0, 2, 2), (1, 1, 1, 1), 0.0, id="no-area-inside"),
        pytest.param((1, 1, 1, 1), (1, 1, 1, 1), 0.0, id="no-area-at-all"),
        pytest.param((0, 0, 2, 2), (2, 2, 0, 0), 0.0, id="corners-swapped"),
        pytest.param((0, 0, 2, 2), (0, 0, float("nan"), 2), 0.0, id="nan"),
        pytest.param((0, 0, 2, 2), (0, 0, float("inf"), 2), 0.0, id="infinite"),
    ],
)
def test_shares_of_areas_are_as_by_hand(a, b, expected):
    assert iou(Box(1, *a), Box(1, *b)) == pytest.approx(expected)


def test_the_surest_box_takes_the_best_free_true_box():
    true = [Box(1, 0, 0, 10, 10), Box(1, 2, 0, 12, 10)]  # IoU with one another 80/120
    surer, other = Box(0.9, 1, 0, 11, 10), Box(0.3, 0, 0, 10, 10)

    # both true boxes are as near to the surer one, which takes the first; the second has 80/120
    assert matched([other, surer], true) == [(1, 0.9), (1, 0.3)]
    # exactly half is not enough
    assert matched([Box(0.9, 0, 0, 5, 10)], true[:1]) == [(0, 0.9), (1, 0.0)]
    assert matched([], []) == [(0, 0.0)]


@pytest.mark.parametrize(
    ("truth", "predicted", "expected"),
    [
        pytest.param(["a 1 0 0 4 4", NONE], ["a 1 0 0 4 4", NONE], 1.0, id="perfect"),
        # a: a miss at 1, then the positive at 0: precision 1/2 in two rows; none: hit
        pytest.param(["a 1 0 0 4 4", NONE], ["a 1 9 9 12 12", NONE], (1 / 3 + 1) / 2, id="missed"),
        # a: (0.9, miss), (0.5, hit): precision 1/2 at recall 1
        pytest.param(
            ["a 1 0 0 4 4", NONE],
            ["a 0.5 0 0 4 4", NONE + " a 0.9 0 0 1 1"],
            (1 / 2 + 1) / 2,
            id="surer-false-alarm-elsewhere",
        ),
        pytest.param(
            ["a 1 0 0 4 4", NONE], ["a 1 0 0 4 4 zz 9 0 0 1 1", NONE], 1.0, id="unknown-label"
        ),
        pytest.param(["a 1 0 0 4 4", NONE], ["  a  1 0 0\t4 4 ", NONE], 1.0, id="any-white-space"),
    ],
)
def test_pooled_precision_is_as_by_hand(truth, predicted, expected):
    assert score("boxes-pooled-map", truth, predicted) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        pytest.param(None, "empty cells", id="empty"),
        pytest.param("a 1 0 0 4", "expected 6 words", id="five-words"),
        pytest.param("a x 0 0 4 4", "expected numbers", id="no-number"),
        pytest.param("a nan 0 0 4 4", "not finite", id="nan-confidence"),
        pytest.param("a inf 0 0 4 4", "not finite", id="infinite-confidence"),
        pytest.param(5, "expected text", id="number"),
    ],
)
@pytest.mark.parametrize("variant", ["v1", "fixed"])
def test_what_is_no_box_is_refused_with_its_row(cell, said, variant):
    with pytest.raises(InvalidSubmissionError, match=f"y: .*{said}.* at k1"):
        score("boxes-pooled-map", [NONE, "a 1 0 0 4 4"], [NONE, cell], variant)


def test_an_unknown_label_may_have_any_confidence():
    assert (
        score("boxes-pooled-map", ["a 1 0 0 4 4", NONE], ["a 1 0 0 4 4 b nan 0 0 1 1", NONE]) == 1
    )


def test_a_class_without_a_negative_is_refused_where_published_and_perfect_where_mended():
    with pytest.raises(InvalidSubmissionError, match="y: no row is without a box none"):
        score("boxes-pooled-map", [NONE, NONE], [NONE, NONE])
    assert score("boxes-pooled-map", [NONE, NONE], [NONE, NONE], "fixed") == 1


BOX = st.tuples(st.sampled_from(["a", "b"]), st.integers(0, 3), st.integers(0, 3)).map(
    lambda b: f"{b[0]} {(b[1] + 1) / 8} {b[1]} {b[2]} {b[1] + 2} {b[2] + 2}"
)
CELLS = st.lists(BOX, min_size=1, max_size=3).map(" ".join)


@settings(max_examples=40)
@given(rows=st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=5))
def test_a_score_is_a_share_and_blind_to_the_order_of_rows(rows):
    truth, predicted = map(list, zip(*rows, strict=True))
    found = score("boxes-pooled-map", truth, predicted, "fixed")

    assert 0 <= found <= 1
    assert found == pytest.approx(score("boxes-pooled-map", truth[::-1], predicted[::-1], "fixed"))
