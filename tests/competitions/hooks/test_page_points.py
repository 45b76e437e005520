"""A point for each box of a page."""

import pandas as pd  # noqa: TID253
import pytest
from hypothesis import given
from hypothesis import strategies as st

from competitions.errors import RawDataError
from competitions.hooks.page_points import perfect, points_in
from competitions.metrics.points_f1 import hits

NUMBER = st.integers(0, 5000)
BOX = st.tuples(st.sampled_from(["U+306F", "U+304C"]), NUMBER, NUMBER, NUMBER, NUMBER)


@pytest.mark.parametrize(
    ("boxes", "points"),
    [
        pytest.param("U+306F 10 20 30 40", "U+306F 11 21", id="one-box"),
        pytest.param("A 1 2 3 4 B 0 0 9 9", "A 2 3 B 1 1", id="two-boxes"),
        pytest.param("", "", id="none"),
        pytest.param("A  1 2 3 4 ", "A 2 3", id="more-blanks"),
    ],
)
def test_each_box_gets_a_point_beside_its_corner(boxes, points):
    assert points_in(boxes) == points


@pytest.mark.parametrize("boxes", ["A 1 2 3", "A 1 2 3 4 B", "A x 2 3 4", "A 1.5 2 3 4"])
def test_what_is_no_list_of_boxes_is_refused(boxes):
    with pytest.raises(RawDataError, match="expected label, x, y, width and height"):
        points_in(boxes)


@given(st.lists(BOX, max_size=8))
def test_every_box_wider_than_a_pixel_is_hit(boxes):
    wide = [(label, x, y, w + 2, h + 2) for label, x, y, w, h in boxes]
    text = " ".join(str(word) for box in wide for word in box)
    found = hits(points_in(text), text)

    assert found.points == found.boxes == len(boxes)
    assert found.hits >= len({box[:3] for box in wide})


def test_the_perfect_submission_has_the_answers_keys():
    answers = pd.DataFrame({"image_id": ["a", "b"], "labels": ["A 1 2 3 4", "B 5 6 7 8"]})
    frame = perfect(answers)

    assert frame["image_id"].tolist() == ["a", "b"]
    assert frame["labels"].tolist() == ["A 2 3", "B 6 7"]
    assert answers["labels"].tolist() == ["A 1 2 3 4", "B 5 6 7 8"]
