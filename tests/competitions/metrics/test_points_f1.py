import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from competitions.errors import InvalidSubmissionError
from competitions.metrics.points_f1 import hits
from tests.competitions.metrics.text_examples import score

BOX = "a 0 0 4 4"


@pytest.mark.parametrize(
    ("points", "boxes", "expected"),
    [
        pytest.param("a 1 1", BOX, (1, 1, 1), id="inside"),
        pytest.param("a 0 1", BOX, (0, 1, 1), id="on-the-left-edge"),
        pytest.param("a 1 4", BOX, (0, 1, 1), id="on-the-lower-edge"),
        pytest.param("b 1 1", BOX, (0, 1, 1), id="another-label"),
        pytest.param("a 1 1 a 2 2", BOX, (1, 2, 1), id="two-points-in-a-box"),
        pytest.param("a 1 1", f"{BOX} {BOX}", (1, 1, 2), id="one-point-in-two-boxes"),
        # the first box takes the first point, which alone lies in the second box, too
        pytest.param(
            "a 3 3 a 1 1", f"{BOX} a 2 2 4 4", (1, 2, 2), id="greedy-in-the-order-of-boxes"
        ),
        pytest.param("a 1 1 a 3 3", f"{BOX} a 2 2 4 4", (2, 2, 2), id="greedy-in-time"),
        pytest.param("a nan 1 a inf 1", BOX, (0, 2, 1), id="points-that-are-no-numbers"),
        pytest.param("a 1e0 0.5", BOX, (1, 1, 1), id="fractions"),
        pytest.param("", BOX, (0, 0, 1), id="no-point"),
        pytest.param("a 1 1", "", (0, 1, 0), id="no-box"),
        pytest.param("", "", (0, 0, 0), id="neither"),
    ],
)
def test_pages_are_counted_as_by_hand(points, boxes, expected):
    assert hits(points, boxes) == expected


def test_counts_are_pooled_over_pages():
    # hits 1 + 0, points 1 + 3, boxes 1 + 1: 2·1/(4 + 2)
    truth = [BOX, BOX]
    assert score("points-f1", truth, ["a 1 1", "a 9 9 a 9 9 a 9 9"]) == pytest.approx(1 / 3)
    assert score("points-f1", truth, [None, None]) == 0
    assert score("points-f1", [None, BOX], [None, "a 1 1"]) == 1


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        pytest.param("a 1", "expected 3 words", id="two-words"),
        pytest.param("a  1 1", "expected 3 words", id="two-blanks"),
        pytest.param("a 1 1 ", "expected 3 words", id="trailing-blank"),
        pytest.param(" ", "expected 3 words", id="blank"),
        pytest.param("a x 1", "expected numbers", id="no-number"),
        pytest.param("a 1 ", "expected numbers", id="empty-number"),
        pytest.param(5, "expected text", id="number"),
    ],
)
def test_what_is_no_point_is_refused_with_its_row(cell, said):
    with pytest.raises(InvalidSubmissionError, match=f"y: .*{said}.* at k1"):
        score("points-f1", [BOX, BOX], ["a 1 1", cell])


def test_more_pairs_than_fit_into_one_block_are_counted_all():
    boxes = " ".join(f"a {5 * n} 0 4 4" for n in range(3000))
    points = " ".join(f"a {5 * n + 1} 1" for n in reversed(range(3000)))

    assert hits(points, boxes) == (3000, 3000, 3000)


SPOT = st.tuples(st.sampled_from("ab"), st.integers(0, 6), st.integers(0, 6))


@settings(max_examples=40)
@given(points=st.lists(SPOT, max_size=6), boxes=st.lists(SPOT, max_size=6))
def test_no_more_is_hit_than_there_are_points_and_boxes(points, boxes):
    written = [f"{label} {x} {y}" for label, x, y in points]
    framed = " ".join(f"{label} {x} {y} 3 3" for label, x, y in boxes)
    found = hits(" ".join(written), framed)

    assert 0 <= found.hits <= min(found.points, found.boxes)
    centres = " ".join(f"{label} {x + 1.5} {y + 1.5}" for label, x, y in sorted(set(boxes)))
    assert hits(
        centres, " ".join(f"{b[0]} {b[1]} {b[2]} 3 3" for b in sorted(set(boxes)))
    ).hits <= len(set(boxes))
