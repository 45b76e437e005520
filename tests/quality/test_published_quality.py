"""The measured quality of the detectors of published figures is the stored one."""

from __future__ import annotations

import pytest

from tests.quality.published import REPORT_DETECTORS, ROW_DETECTORS, score_published
from tests.quality.score import GOLDEN, quality_csv


@pytest.mark.slow
@pytest.mark.parametrize("name", [*ROW_DETECTORS, *REPORT_DETECTORS])
def test_quality_is_the_stored_one(name, update_golden):
    table = GOLDEN / f"{name}.csv"
    found = score_published(name)
    shown = quality_csv([found])

    if update_golden:
        table.write_text(shown, encoding="utf-8")

    assert found.accused == 0
    assert shown == table.read_text(encoding="utf-8"), "make golden, then look at the diff"
