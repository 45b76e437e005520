"""No more than one in a hundred honest attempts is flagged by all rules together."""

from __future__ import annotations

import pytest

from tests.quality.all_rules import TABLE, tallies, tallies_csv


@pytest.mark.slow
def test_all_rules_together_flag_as_many_honest_attempts_as_is_stored(update_golden):
    found = tallies()
    text = tallies_csv(found)

    if update_golden:
        TABLE.write_text(text, encoding="utf-8")

    assert text == TABLE.read_text(encoding="utf-8"), "make golden, then look at the diff"
    assert 100 * sum(t.n_flagged for t in found) <= sum(t.n_honest for t in found)
