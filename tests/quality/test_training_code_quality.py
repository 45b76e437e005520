"""The measured quality of the questions about training code is the stored one."""

from __future__ import annotations

import pytest

from tests.quality.score import GOLDEN, all_scores, quality_csv

DETECTORS = [
    "fit-before-split",
    "group-blind-split",
    "resample-before-split",
    "selection-before-split",
    "target-encoding-before-split",
    "test-used-in-fit",
    "validation-reuse",
]


@pytest.fixture(scope="module", params=DETECTORS)
def measured(request):
    return request.param, all_scores(request.param)


def test_quality_is_the_stored_one(measured, update_golden):
    name, scores = measured
    table, found = GOLDEN / f"{name}.csv", quality_csv(scores)

    if update_golden:
        table.write_text(found, encoding="utf-8")

    assert found == table.read_text(encoding="utf-8"), "make golden, then look at the diff"


def test_it_accuses_nobody_of_the_labelled_set(measured):
    now = [one for one in measured[1] if one.measured == "now"]
    assert [one.accused_kinds for one in now if one.accused] == []
