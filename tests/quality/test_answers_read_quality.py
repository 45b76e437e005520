"""The measured quality of `answers-read` is the stored one, and the figures are what they say."""

from __future__ import annotations

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.quality.score import (
    GOLDEN,
    all_scores,
    first_contacts,
    precision,
    quality_csv,
    scored_halves,
    wilson,
)

DETECTOR = "answers-read"
TABLE = GOLDEN / f"{DETECTOR}.csv"


def test_quality_is_the_stored_one(update_golden):
    found = quality_csv(all_scores(DETECTOR))

    if update_golden:
        TABLE.write_text(found, encoding="utf-8")

    assert found == TABLE.read_text(encoding="utf-8"), "make golden, then look at the diff"


def test_it_crashes_on_no_case():
    with TABLE.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))

    assert rows
    assert {row["n_failed"] for row in rows} == {"0"}


def test_no_half_is_scored_before_its_first_contact_was_recorded():
    met = {contact.half for contact in first_contacts(DETECTOR)}

    assert set(scored_halves(DETECTOR)) == met | {"open"}


@pytest.mark.parametrize(
    ("count", "n", "low", "high"),
    [
        # Newcombe (1998), https://doi.org/10.1002/(SICI)1097-0258(19980430)17:8<857::AID-SIM777>3.0.CO;2-E
        pytest.param(81, 263, 0.2553, 0.3662, id="newcombe-81-of-263"),
        pytest.param(15, 148, 0.0624, 0.1605, id="newcombe-15-of-148"),
        pytest.param(0, 20, 0.0, 0.1611, id="newcombe-none-of-20"),
        pytest.param(1, 29, 0.0061, 0.1718, id="newcombe-1-of-29"),
    ],
)
def test_wilson_limits_are_the_published_ones(count, n, low, high):
    found = wilson(count, n)

    assert (round(found.low, 4), round(found.high, 4)) == (low, high)


@given(st.floats(0.01, 1), st.floats(0, 1), st.floats(0.01, 0.5))
def test_precision_falls_with_false_accusations_and_rises_with_prevalence(recall, slips, share):
    here = precision(recall, slips, share)

    assert 0 <= here <= 1
    assert precision(recall, min(1.0, slips + 0.1), share) <= here
    assert precision(recall, slips, min(1.0, share + 0.1)) >= here - 1e-12
