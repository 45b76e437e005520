import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from competitions.metrics.rle import decode, encode, paint

MASKS = arrays(bool, array_shapes(min_dims=2, max_dims=2, max_side=9))
PAIRS = array_shapes(min_dims=2, max_dims=2, max_side=9).flatmap(
    lambda shape: st.tuples(arrays(bool, shape), arrays(bool, shape))
)


@settings(max_examples=30, deadline=None)
@given(mask=MASKS, order=st.sampled_from(["columns", "rows"]), strict=st.booleans())
def test_a_mask_survives_writing_and_reading(mask, order, strict):
    runs = decode(encode(mask, order), mask.size, strict=strict)

    height, width = mask.shape
    assert np.array_equal(paint(runs, height, width, order), mask)
    assert runs.area == mask.sum()


@settings(max_examples=30, deadline=None)
@given(masks=PAIRS)
def test_areas_and_overlaps_are_those_of_the_painted_masks(masks):
    a, b = (decode(encode(mask), mask.size) for mask in masks)

    assert a.overlap(b) == b.overlap(a) == (masks[0] & masks[1]).sum()
    assert a.overlap(a) == a.area


def test_pixels_are_counted_down_each_column_or_along_each_row():
    corner = np.array([[False, True], [False, False]])

    assert (encode(corner, "columns"), encode(corner, "rows")) == ("3 1", "2 1")


@pytest.mark.parametrize(
    ("text", "area"),
    [
        pytest.param("", 0, id="empty"),
        pytest.param(" \t ", 0, id="blank"),
        pytest.param("1 3 10 5", 8, id="two-runs"),
        pytest.param("1 3 4 2", 5, id="runs-that-touch"),
        pytest.param("+1 0_2", 2, id="numbers-as-python-writes-them"),
        pytest.param("1\t2\n5 1", 3, id="any-white-space"),
        pytest.param("15 99", 2, id="cut-at-the-end"),
        pytest.param("17 1", 0, id="starts-past-the-end"),
        pytest.param("17 3 17 3", 0, id="overlap-past-the-end"),
        pytest.param("16 3 17 3", 1, id="overlap-partly-past-the-end"),
        pytest.param("1 18446744073709551617", 16, id="beyond-64-bits"),
        pytest.param("18446744073709551617 1", 0, id="start-beyond-64-bits"),
    ],
)
@pytest.mark.parametrize("strict", [False, True])
def test_every_reader_takes_these_masks_of_16_pixels(text, area, strict):
    assert decode(text, 16, strict=strict).area == area


@pytest.mark.parametrize(
    ("text", "area", "said"),
    [
        pytest.param("5", 0, "odd count", id="one-number-is-empty"),
        pytest.param("1 2 3", 4, "odd count", id="one-length-for-two-starts"),
        pytest.param("9223372036854775808 9223372036854775809", 0, None, id="unsigned"),
    ],
)
def test_the_published_reader_takes_what_the_strict_one_may_refuse(text, area, said):
    assert decode(text, 16).area == area
    if said:
        with pytest.raises(ValueError, match=said):
            decode(text, 16, strict=True)


def test_a_run_that_wraps_around_64_bits_is_lost_but_covers_the_rest_where_read_strictly():
    assert decode("2 9223372036854775807", 16).area == 0
    assert decode("2 9223372036854775807", 16, strict=True).area == 15


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("-", "whole numbers", id="dash"),
        pytest.param("1.0 2", "whole numbers", id="fraction"),
        pytest.param("1 2,", "whole numbers", id="comma"),
        pytest.param("nan", "whole numbers", id="nan"),
        pytest.param("9" * 5000 + " 1", "whole numbers", id="more-digits-than-python-reads"),
        pytest.param("0 4", "below 1", id="start-zero"),
        pytest.param("0", "below 1", id="one-number-zero"),
        pytest.param("4 0", "below 1", id="length-zero"),
        pytest.param("4 -1", "below 1", id="length-negative"),
        pytest.param("3 1 1 1", "ascend", id="unsorted"),
        pytest.param("1 3 3 1", "overlap", id="overlap"),
        pytest.param("1 1 1 1", "overlap", id="twice"),
        pytest.param("1 5 2 1 9 1", "overlap", id="overlap-before-others"),
        pytest.param("1 2 2", "odd count|overlap", id="one-length-overlaps"),
        pytest.param("1 2 3 4 5", "odd count", id="five-numbers"),
    ],
)
@pytest.mark.parametrize("strict", [False, True])
def test_every_reader_refuses_these(text, said, strict):
    with pytest.raises(ValueError, match=said):
        decode(text, 16, strict=strict)


@pytest.mark.parametrize("text", ["1 9223372036854775808", "9223372036854775808 1"])
def test_numbers_that_numpy_would_turn_into_floats_are_refused_as_published(text):
    with pytest.raises(ValueError, match="too large"):
        decode(text, 16)
    assert decode(text, 16, strict=True).area == (16 if text.startswith("1 ") else 0)


@settings(max_examples=30, deadline=None)
@given(text=st.text(alphabet="0123456789 -+_.", max_size=30), size=st.integers(1, 50))
def test_any_text_is_a_mask_within_the_image_or_refused(text, size):
    try:
        runs = decode(text, size)
    except ValueError:
        return
    assert 0 <= runs.area <= size
    assert (runs.starts[1:] >= runs.ends[:-1]).all()
