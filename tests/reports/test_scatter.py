"""Points per task: drawn inside the frame, named, and harmless whatever they are called."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.familiarity_performance import page
from detectors.familiarity.performance import TaskPoint, against_performance
from reports.scatter import Axes, Point, render_scatter, scatter

AXES = Axes("familiarity", "percentile")
finite = st.floats(-1e6, 1e6)


@given(st.lists(st.tuples(finite, finite), min_size=1, max_size=30))
def test_every_point_is_drawn_inside_the_frame(values):
    svg = scatter([Point(f"t{n}", x, y) for n, (x, y) in enumerate(values)], AXES, "p")
    places = re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)"', svg)

    assert len(places) == 2 * len(values)  # for wide and for narrow screens
    assert all(0 <= float(x) <= 900 and 0 <= float(y) <= 360 for x, y in places)


def test_a_larger_value_stands_further_right_and_higher():
    svg = scatter([Point("low", 0, 0), Point("high", 1, 1)], AXES, "p")
    (x0, y0), (x1, y1), *_ = re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)"', svg)

    assert float(x1) > float(x0)
    assert float(y1) < float(y0)


def test_names_are_escaped_in_plot_and_page():
    points = [Point("<script>x</script>", 1, 2)]

    assert "<script>" not in scatter(points, AXES, "p")
    assert "<script>" not in render_scatter(points, AXES, "<b>t</b>", ["<i>said</i>"])


def test_without_a_point_there_is_nothing_to_draw():
    with pytest.raises(ValueError, match="at least one"):
        scatter([], AXES, "p")


def test_familiarity_and_performance_have_a_page_with_every_task():
    points = [TaskPoint(f"task-{n}", n / 3, 40 + n % 4) for n in range(8)]

    html = page(against_performance(points))

    assert "Pearson" in html
    assert all(html.count(f"task-{n}") >= 3 for n in range(8))  # two plots and the table
    assert "http" not in re.sub(r"Content-Security-Policy|http-equiv", "", html)
