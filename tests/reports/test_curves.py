"""Curves that stand alone: inside the frame, named without touching, harmless, told in words."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.curves import Curve, Frame, curves, rows

FRAME = Frame("What is shown", "times", "AUC", 0.5)
share = st.floats(0, 1)


@given(st.lists(st.lists(share, min_size=3, max_size=3), min_size=1, max_size=10))
def test_every_value_is_drawn_and_no_two_names_touch(values):
    svg = curves([Curve(f"c{i}", v) for i, v in enumerate(values)], ["1", "4", "16"], FRAME)
    dots = re.findall(r'<circle class="[\w-]+" cx="([\d.]+)" cy="([\d.]+)"', svg)
    names = sorted(float(y) for y in re.findall(r'y="([\d.]+)" text-anchor="end">c\d+</text>', svg))

    assert len(dots) == 3 * len(values)
    assert all(0 <= float(x) <= 860 and 0 <= float(y) <= 360 for x, y in dots)
    assert len(names) == len(values)
    assert all(b - a >= 15.9 for a, b in pairwise(names))
    assert all(0 < y < 360 for y in names)


def test_a_higher_value_stands_higher_and_each_is_told_in_words():
    svg = curves([Curve("a", [0.1, 0.9])], ["1×", "4×"], FRAME)
    first, second = re.findall(r'cy="([\d.]+)"', svg)

    assert float(second) < float(first)
    assert "a: 0.100 at 1×, 0.900 at 4×" in svg


def test_a_row_stands_in_the_band_where_its_value_does():
    svg = rows([("in", 0.5), ("out", 0.9)], (0.38, 0.62), FRAME)
    band = re.search(r'class="band" x="([\d.]+)" y="6" width="([\d.]+)"', svg)
    inside, outside = (float(x) for x in re.findall(r'cx="([\d.]+)"', svg))

    assert band
    low, width = map(float, band.groups())
    assert low < inside < low + width < outside


def test_names_are_escaped_and_the_file_is_one_of_xml():
    svg = curves([Curve("<script>", [0.1, 0.2])], ["&", "<"], FRAME._replace(title="<b>"))

    assert "<script>" not in svg
    assert ET.fromstring(svg).tag == "{http://www.w3.org/2000/svg}svg"  # noqa: S314 - ours


@pytest.mark.parametrize(
    "draw",
    [
        pytest.param(lambda: curves([], ["1"], FRAME), id="no-curve"),
        pytest.param(lambda: curves([Curve("a", [0.1])], ["1", "4"], FRAME), id="too-few-values"),
        pytest.param(lambda: rows([], (0, 1), FRAME), id="no-row"),
    ],
)
def test_without_values_there_is_nothing_to_draw(draw):
    with pytest.raises(ValueError, match="expected"):
        draw()
