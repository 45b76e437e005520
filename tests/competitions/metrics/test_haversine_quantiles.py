import math

import pandas as pd  # noqa: TID253
import pytest
from hypothesis import given
from hypothesis import strategies as st

from competitions.errors import InvalidSubmissionError
from tests.competitions.metrics.scoring import few, score

DEGREE = 6_371_000 * math.pi / 180  # metres along a meridian
TRUTH = pd.DataFrame(
    {"trip": ["a"] * 3 + ["b"], "time": [1, 2, 3, 1], "lat": [0.0, 1.0, 2.0, 50.0], "lon": 0.0}
)


def metres(guess, variant="v1"):
    return score(
        "haversine-quantiles",
        TRUTH,
        guess,
        ["lat", "lon"],
        key=["trip", "time"],
        variant=variant,
    )


def moved(**by):
    return TRUTH.assign(**{c: TRUTH[c] + pd.Series(v) for c, v in by.items()})


@pytest.mark.parametrize(
    ("guess", "expected"),
    [
        pytest.param(TRUTH, 0.0, id="perfect"),
        # trip a: distances 0, 1, 2 degrees: median 1, 95 % at 1.9; trip b: 0
        pytest.param(moved(lat=[0.0, 1, 2, 0]), (1 + 1.9) / 2 / 2 * DEGREE, id="north"),
        # trip b: one row, both quantiles 3 degrees
        pytest.param(moved(lat=[0.0, 0, 0, 3]), 3 / 2 * DEGREE, id="short-trips-count-as-much"),
        pytest.param(moved(lon=[0.0, 0, 0, 360]), 0.0, id="once-around"),
        pytest.param(pd.concat([TRUTH[3:], TRUTH[:3]]), 0.0, id="trips-in-another-order"),
    ],
)
def test_the_distance_is_the_table_made_by_hand(guess, expected):
    assert metres(guess) == pytest.approx(expected, abs=1e-3)


def test_a_degree_of_longitude_is_shorter_far_from_the_equator():
    # cos 50°, up to the bend of the great circle
    assert metres(moved(lon=[0.0, 0, 0, 1])) == pytest.approx(
        math.cos(math.radians(50)) * DEGREE / 2, rel=1e-4
    )


def test_within_a_trip_rows_are_compared_in_the_order_of_the_file():
    # rows of a: 2, 1, 0 against 0, 1, 2: distances 2, 0, 2 degrees: median 2, 95 % at 2
    swapped = TRUTH.iloc[[2, 1, 0, 3]]
    assert metres(swapped) == pytest.approx(2 / 2 * DEGREE, rel=1e-6)
    assert metres(TRUTH.assign(time=0)) == 0.0  # times are not compared


@pytest.mark.parametrize("cell", [None, math.inf])
def test_a_coordinate_that_is_none_makes_v1_nan_and_is_refused_under_fixed(cell):
    guess = TRUTH.assign(lat=[cell, 1.0, 2.0, 50.0])
    assert math.isnan(metres(guess))
    with pytest.raises(InvalidSubmissionError, match=r"lat: .* \(1\), at a/1"):
        metres(guess, "fixed")


@pytest.mark.parametrize(
    ("guess", "said"),
    [
        pytest.param(TRUTH.drop(columns="time"), "expected the columns time", id="no-time"),
        pytest.param(TRUTH.iloc[:3], "expected 4 rows, found 3", id="row-missing"),
        pytest.param(TRUTH.assign(trip=["a", "a", "b", "b"]), "3 rows of a, found 2", id="shifted"),
        pytest.param(TRUTH.assign(trip="a"), "3 rows of a, found 4", id="one-trip"),
        pytest.param(TRUTH.assign(lon="W"), "lon: text that is no number", id="text"),
    ],
)
def test_rows_and_columns_must_fit(guess, said):
    with pytest.raises(InvalidSubmissionError, match=said):
        metres(guess)


DEGREES = st.floats(-80, 80)


@few
@given(points=st.lists(st.tuples(DEGREES, DEGREES), min_size=4, max_size=4))
def test_the_distance_is_symmetric_and_at_most_half_the_globe(points):
    guess = TRUTH.assign(lat=[p for p, _ in points], lon=[q for _, q in points])
    found = metres(guess)
    back = score(
        "haversine-quantiles", guess, TRUTH, ["lat", "lon"], key=["trip", "time"], variant="v1"
    )

    assert 0 <= found <= 180 * DEGREE
    assert back == pytest.approx(found, abs=1e-6)
