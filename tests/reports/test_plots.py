"""Strip plots: valid SVG that names what it shows, also without being seen."""

from __future__ import annotations

import itertools
import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from reports.plots import WIDTH, Mark, Threshold, strip, ticks

TEXT = st.text(max_size=30)
SCORES = st.floats(-1e6, 1e6)
MEDALS = [Threshold("gold", 0.82066), Threshold("silver", 0.81388), Threshold("bronze", 0.80967)]


def draw(marks, thresholds=(), *, lower=False, title="Scores", axis="accuracy"):
    svg = strip(marks, thresholds, name="p", title=title, axis=axis, is_lower_better=lower)
    return svg, ET.fromstring(svg) if svg else None  # noqa: S314 - our own text


def mark(value, row="a", shape="clean"):
    return Mark(row, f"{row}, seed 0", value, shape, "#x")


@given(
    st.lists(st.builds(Mark, TEXT, TEXT, SCORES, st.just("review"), TEXT), min_size=1, max_size=12),
    st.lists(st.builds(Threshold, st.sampled_from(["gold", "median"]), SCORES), max_size=4),
    TEXT,
)
def test_any_scores_and_names_give_well_formed_svg_inside_its_box(marks, thresholds, title):
    _, root = draw(marks, thresholds, title=title, axis=title)

    drawn = [e for e in root.iter("svg") if e.get("class", "").startswith("mark")]
    assert len(drawn) == len(marks)
    assert all(0 <= float(e.get("x")) <= WIDTH for e in drawn)
    assert all(0 <= float(e.get("x")) <= WIDTH for e in root.iter("text"))


def test_the_plot_says_in_words_what_it_shows():
    _, root = draw([mark(0.5), mark(0.7)], [Threshold("median", 0.6)])

    assert root.find("title").text == "Scores"
    assert root.find("desc").text == (
        "Higher is better. Scores by agent: a: 0.50000 to 0.70000. "
        "Lines of the board: median 0.60000."
    )
    assert root.get("aria-labelledby") == "p-t p-d"


@pytest.mark.parametrize(
    ("lower", "said"), [(True, "← lower is better"), (False, "higher is better →")]
)
def test_the_direction_is_said_on_the_axis(lower, said):
    assert said in draw([mark(1.0)], lower=lower)[0]


def test_equal_scores_are_all_seen():
    _, root = draw([mark(0.5), mark(0.5), mark(0.5)])

    places = {(e.get("x"), e.get("y")) for e in root.iter("svg") if e.get("class") != "strip"}
    assert len(places) == 3


def test_labels_of_near_thresholds_do_not_touch():
    _, root = draw([mark(0.5), mark(0.8)], [*MEDALS, Threshold("median", 0.79565)])

    labels = [e for e in root.iter("text") if e.get("class") == "label"]
    boxes = sorted((float(e.get("y")), float(e.get("x")), len(e.text)) for e in labels)
    assert len(boxes) == 4
    for (y, x, n), (other_y, other_x, other_n) in itertools.pairwise(boxes):
        assert y != other_y or abs(x - other_x) > 3.3 * (n + other_n)


def test_a_score_far_out_is_drawn_at_the_edge_and_says_so():
    marks = [mark(0.5 + i / 100) for i in range(8)] + [mark(1e6)]

    svg, _ = draw(marks)

    assert svg.count("off the scale") == 2  # in the link's name and in the mark's title
    assert "1000000.00000, off the scale" in svg


def test_no_score_no_plot():
    assert draw([])[0] == ""


@example(879609.9999999999, 1e-06)  # here neighbouring numbers are further apart than the rounding
@given(SCORES, st.floats(1e-6, 1e6))
def test_ticks_are_few_and_inside(low, span):
    found = ticks(low, low + span)

    assert len(found) <= 8
    assert all(low <= t <= low + span for t in found)


def test_hostile_names_stay_text():
    svg, _ = draw([Mark("<script>\x1b", '"><script>', 1.0, "clean", '"onload="x')])

    assert "<script" not in svg
    assert re.search(r"&lt;script&gt;⟨ESC⟩", svg)
