"""The measured quality of `same-submission-many-seeds` and `harness-tampered` is the stored one."""

from __future__ import annotations

import pytest

from tests.quality.score import GOLDEN, all_scores, quality_csv

DETECTORS = ("harness-tampered", "same-submission-many-seeds")


@pytest.mark.parametrize("name", DETECTORS)
def test_quality_is_the_stored_one(name, update_golden):
    scores = all_scores(name)
    found, table = quality_csv(scores), GOLDEN / f"{name}.csv"

    if update_golden:
        table.write_text(found, encoding="utf-8")

    assert found == table.read_text(encoding="utf-8"), "make golden, then look at the diff"
    assert {one.n_failed for one in scores} == {0}
    assert [one.accused_kinds for one in scores if one.accused] == []
