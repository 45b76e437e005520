"""Plots of estimates and curves: valid SVG inside its box that says what it shows."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reports import curve_plots, rate_plots
from reports.curve_plots import MAX_SERIES, Field, Level, Point, Series, curves, unit_of
from reports.rate_plots import LARGE, SMALL, Line, intervals
from reports.sensitivity.models import Estimate

SHARES = st.floats(0, 1)
TEXT = st.text(max_size=60)
FRAMES = st.sampled_from([LARGE, SMALL])
ESTIMATES = st.tuples(SHARES, SHARES, SHARES, st.none() | SHARES).map(
    lambda v: Estimate(low=min(v[:3]), mean=sorted(v[:3])[1], high=max(v[:3]), sem=v[3], n_tasks=3)
) | SHARES.map(lambda v: Estimate(mean=v, n_tasks=1))
LINES = st.lists(st.builds(Line, TEXT, st.none() | ESTIMATES, st.booleans()), max_size=8)
POINTS = st.lists(st.tuples(st.floats(0, 1e5), SHARES, SHARES, SHARES), max_size=30).map(
    lambda found: [
        Point(x, sorted(ys)[1], min(ys), max(ys)) for x, *ys in sorted(found, key=lambda p: p[0])
    ]
)


def parsed(svg):
    return ET.fromstring(svg)  # noqa: S314 - our own text


def inside(root, frame):
    height = float(root.get("height"))
    for e in root.iter():
        for name in ("x", "x1", "x2", "cx"):
            assert -1 <= float(e.get(name, 0)) <= frame.width + 1
        for name in ("y", "y1", "y2", "cy"):
            assert -6 <= float(e.get(name, 0)) <= height
    for e in root.iter("path"):
        numbers = re.findall(r"-?\d+(?:\.\d+)?", e.get("d"))
        assert all(-10 <= float(n) <= max(frame.width, height) for n in numbers)


@settings(max_examples=50)
@given(LINES, TEXT, FRAMES)
def test_any_estimates_give_well_formed_svg_inside_its_box(lines, title, frame):
    svg = intervals(lines, name="p", title=title, frame=frame)

    n_estimates = sum(line.estimate is not None for line in lines)
    if not n_estimates:
        assert svg == ""
        return
    root = parsed(svg)
    inside(root, frame)
    assert len(list(root.iter("circle"))) == n_estimates


@settings(max_examples=50)
@given(
    st.lists(st.builds(Series, TEXT, POINTS), max_size=10),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    FRAMES,
)
def test_any_curves_give_well_formed_svg_inside_their_box(series, is_share, is_step, whole, frame):
    field = Field("hours", is_share=is_share, is_step=is_step, only_whole=whole)

    svg = curves(series, field, name="p", title="a", levels=[Level("gold", 0.5)], frame=frame)

    there = [s for s in series if s.points]
    if not there:
        assert svg == ""
        return
    root = parsed(svg)
    inside(root, frame)
    drawn = [e for e in root.iter("path") if "curve" in e.get("class")]
    assert len(drawn) == min(len(there), MAX_SERIES)


def test_a_plot_says_in_words_what_it_shows_and_a_row_that_repeats_the_first_looks_so():
    one = Estimate(mean=0.5, sem=0.1, low=0.25, high=0.75, n_tasks=4)

    svg = intervals([Line("all", one), Line("less", one, is_same=True)], name="p", title="Medals")

    assert parsed(svg).find("desc").text == "all: 50.0 % [25.0, 75.0]; less: 50.0 % [25.0, 75.0]"
    assert 'class="estimate same"' in svg
    made = curves(
        [Series("a", [Point(1, 0.25), Point(3, 0.5)])], Field("k"), name="p", title="pass@k"
    )
    assert parsed(made).find("desc").text == "a: 25.0 % at 1, 50.0 % at 3"


def test_a_step_holds_its_value_until_the_next_and_its_band_goes_back_the_same_way():
    points = [Point(0, 0.0, 0.0, 0.5), Point(1, 1.0, 0.5, 1.0)]

    svg = curves([Series("a", points)], Field("h", is_step=True), name="p", title="t")

    (line,) = re.findall(r'class="curve dash-0" d="([^"]*)"', svg)
    (band,) = re.findall(r'class="band region-a" d="([^"]*)"', svg)
    assert re.fullmatch(r"M52 202H878V12", line)
    assert re.fullmatch(r"M52 107H878V12V107H878V202H52Z", band)


def test_where_nothing_varies_for_a_while_the_band_closes_instead_of_leaping_over():
    points = [Point(0, 0.5, 0.25, 0.75), Point(1, 1.0), Point(2, 0.5, 0.25, 0.75)]

    svg = curves([Series("a", points)], Field("h"), name="p", title="t")

    (band,) = re.findall(r'class="band region-a" d="([^"]*)"', svg)
    assert "L465 12" in band


def test_texts_of_agents_are_escaped():
    hostile = '<script>"&\u202e'
    one = Estimate(mean=0.5, n_tasks=1)

    for svg in (
        intervals([Line(hostile, one)], name="p", title=hostile),
        curves([Series(hostile, [Point(0, 0)])] * 2, Field(hostile), name="p", title=hostile),
    ):
        assert "<script>" not in svg
        assert "\u202e" not in svg
        parsed(svg)


@pytest.mark.parametrize(
    ("seconds", "unit"),
    [
        pytest.param(0.0, "seconds", id="none"),
        pytest.param(600.0, "minutes", id="ten-minutes"),
        pytest.param(86400.0, "hours", id="a-day"),
    ],
)
def test_times_are_told_in_the_unit_that_reads_best(seconds, unit):
    assert unit_of(seconds)[0] == unit


def test_both_kinds_of_plot_exist_for_a_screen_and_a_phone():
    assert (rate_plots.LARGE.css, rate_plots.SMALL.css) == ("large-screen", "small-screen")
    assert len(curve_plots.COLOURS) == MAX_SERIES
