"""The measured quality of `copied-submission` on a part of its set is the stored one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.quality.score import GOLDEN, quality_csv
from tests.quality.submissions import DETECTOR, HALVES, PART, score_half

TABLE = Path(__file__).parent / f"{DETECTOR}-part.csv"


@pytest.mark.slow
def test_quality_on_a_part_of_the_set_is_the_stored_one(update_golden, tmp_path):
    scores = [one for half in HALVES for one in score_half(half, tmp_path, PART)]
    found = quality_csv(scores)

    if update_golden:
        TABLE.write_text(found, encoding="utf-8")

    assert found == TABLE.read_text(encoding="utf-8"), "make golden, then look at the diff"
    assert all(one.accused == 0 for one in scores)


def test_the_whole_set_is_in_the_published_table():
    text = (GOLDEN / f"{DETECTOR}.csv").read_text(encoding="utf-8")
    halves = [line.split(",")[:2] for line in text.splitlines()]

    assert all([half, "now"] in halves for half in HALVES)
