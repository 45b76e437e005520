"""The measured quality of `copied-submission` is the stored one."""

from __future__ import annotations

import pytest

from tests.quality.score import GOLDEN, first_contacts, quality_csv
from tests.quality.submissions import DETECTOR, score_half

TABLE = GOLDEN / f"{DETECTOR}.csv"


@pytest.mark.slow
def test_quality_is_the_stored_one(update_golden, tmp_path):
    scores = [*first_contacts(DETECTOR), *score_half("open", tmp_path)]
    scores += score_half("sealed", tmp_path)
    found = quality_csv(scores)

    if update_golden:
        TABLE.write_text(found, encoding="utf-8")

    assert found == TABLE.read_text(encoding="utf-8"), "make golden, then look at the diff"
    assert all(one.accused <= 0.01 * one.n_negative for one in scores if one.measured == "now")
