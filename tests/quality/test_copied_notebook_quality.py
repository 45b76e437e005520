"""The measured quality of `copied-notebook` on the set written for it is the stored one."""

from __future__ import annotations

import pytest

from tests.quality.plagiarism.verdicts import verdicts
from tests.quality.plagiarism.written_set import DETECTOR, score_written, written_material
from tests.quality.score import GOLDEN, quality_csv

TABLE = GOLDEN / f"{DETECTOR}.csv"


def test_no_honest_file_is_accused_and_plain_copies_are_found(tmp_path):
    ours, asked = written_material(tmp_path, per_kind=1)
    told = verdicts(ours.folder, asked)

    assert told.accused == ()
    assert told.recall.share > 0.9


@pytest.mark.slow
def test_quality_is_the_stored_one(update_golden, tmp_path):
    found = quality_csv([score_written(tmp_path)])

    if update_golden:
        TABLE.write_text(found, encoding="utf-8")

    assert found == TABLE.read_text(encoding="utf-8"), "make golden, then look at the diff"
