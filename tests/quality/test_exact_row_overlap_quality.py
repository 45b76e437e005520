"""The measured quality of `exact-row-overlap` is the stored one."""

from __future__ import annotations

import pytest

from tests.quality.score import GOLDEN, quality_csv
from tests.quality.tables import DETECTOR, score_tables

TABLE = GOLDEN / f"{DETECTOR}.csv"


@pytest.mark.slow
def test_quality_is_the_stored_one(update_golden, tmp_path):
    found = quality_csv([score_tables(tmp_path)])

    if update_golden:
        TABLE.write_text(found, encoding="utf-8")

    assert found == TABLE.read_text(encoding="utf-8"), "make golden, then look at the diff"
