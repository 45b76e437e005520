"""Strip plots: valid SVG that names what it shows, also without being seen."""

from __future__ import annotations

import itertools
import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from reports.plots import LARGE, SMALL, Axis, Mark, Threshold, strip, ticks

TEXT = st.text(max_size=30)
SCORES = st.floats(-1e6, 1e6)
MEDALS = [Threshold("gold", 0.82066), Threshold("silver", 0.81388), Threshold("bronze", 0.80967)]


def draw(marks, thresholds=(), *, lower=False, title="Scores", axis="accuracy", frame=LARGE):
    svg = strip(marks, thresholds, name="p", title=title, axis=Axis(axis, lower), frame=frame)
    return svg, ET.fromstring(svg) if svg else None  # noqa: S314 - our own text


def mark(value, row="a", shape="clean"):
    return Mark(row, f"{row}, seed 0", value, shape, "#x")


@given(
    st.lists(st.builds(Mark, TEXT, TEXT, SCORES, st.just("review"), TEXT), min_size=1, max_size=12),
    st.lists(st.builds(Threshold, st.sampled_from(["gold", "median"]), SCORES), max_size=4),
    TEXT,
    st.sampled_from([LARGE, SMALL]),
)
def test_any_scores_and_names_give_well_formed_svg_inside_its_box(marks, thresholds, title, frame):
    _, root = draw(marks, thresholds, title=title, axis=title, frame=frame)

    drawn = [e for e in root.iter("svg") if e.get("class", "").startswith("mark")]
    assert len(drawn) == len(marks)
    assert all(0 <= float(e.get("x")) <= frame.width for e in drawn)
    assert all(0 <= float(e.get("x")) <= frame.width for e in root.iter("text"))


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

    places = {(e.get("x"), e.get("y")) for e in root.iter("svg") if "strip" not in e.get("class")}
    assert len(places) == 3


@pytest.mark.parametrize("frame", [LARGE, SMALL], ids=["large", "small"])
def test_labels_of_near_thresholds_do_not_touch(frame):
    _, root = draw([mark(0.5), mark(0.8)], [*MEDALS, Threshold("median", 0.79565)], frame=frame)

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


def test_the_small_plot_shows_the_same_marks_and_fits_a_phone_with_its_names_above_the_rows():
    marks = [mark(0.5, "a-rather-long-name-of-an-agent"), mark(0.8, "b")]

    roots = [draw(marks, MEDALS, frame=frame)[1] for frame in (LARGE, SMALL)]

    links = [sorted(a.get("aria-label") for a in root.iter("a")) for root in roots]
    assert links[0] == links[1]
    assert float(roots[1].get("width")) <= 358  # 390 less the margins of the page
    names = [e for e in roots[1].iter("text") if e.get("class") == "agent"]
    rows = [float(e.get("y1")) for e in roots[1].iter("line") if e.get("class") == "row"]
    assert [e.text for e in names] == ["a-rather-long-name-of-an-agent", "b"]
    assert all(float(e.get("y")) < y for e, y in zip(names, rows, strict=True))
