"""The measured quality of `grader-probed` is the stored one."""

from __future__ import annotations

from tests.quality.score import GOLDEN, all_scores, quality_csv

DETECTOR = "grader-probed"
TABLE = GOLDEN / f"{DETECTOR}.csv"


def test_quality_is_the_stored_one(update_golden):
    found = quality_csv(all_scores(DETECTOR))

    if update_golden:
        TABLE.write_text(found, encoding="utf-8")

    assert found == TABLE.read_text(encoding="utf-8"), "make golden, then look at the diff"


def test_it_accuses_nobody_in_the_open_half():
    (row,) = [one for one in all_scores(DETECTOR) if one.half == "open"]
    assert row.accused_kinds == ()
