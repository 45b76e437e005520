"""The measured quality of the detectors that compare with others is the stored one."""

from __future__ import annotations

import pytest

from tests.quality.plagiarism.small_sets import HALVES, score_half, sets
from tests.quality.score import GOLDEN, first_contacts, quality_csv

N_COPIES, N_HONEST = 12, 24  # at least, in both halves together


@pytest.mark.slow
@pytest.mark.parametrize("detector", sets())
def test_quality_is_the_stored_one(detector, update_golden, tmp_path):
    place = GOLDEN / f"{detector}.csv"
    scores = [score_half(detector, half, tmp_path) for half in HALVES]
    found = quality_csv([*first_contacts(detector), *scores])

    assert sum(s.accused + s.n_failed for s in scores) == 0
    assert sum(s.n_positive for s in scores) >= N_COPIES
    assert sum(s.n_negative for s in scores) >= N_HONEST
    if update_golden:
        place.write_text(found, encoding="utf-8")

    assert found == place.read_text(encoding="utf-8"), "make golden, then look at the diff"
