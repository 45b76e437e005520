"""No more than one in a hundred honest attempts is flagged by all rules together."""

from __future__ import annotations

import csv

import pytest

from tests.quality.all_rules import HALVES, TABLE, rules, tallies, tallies_csv, tally_of


@pytest.fixture(scope="module")
def stored(request):
    if request.config.getoption("--update-golden"):
        TABLE.write_text(tallies_csv(tallies()), encoding="utf-8")
    with TABLE.open(encoding="utf-8", newline="") as stream:
        return {row["half"]: row for row in csv.DictReader(stream)}


@pytest.mark.slow
@pytest.mark.parametrize("half", HALVES[-2:])  # the newest; the command asks about all
def test_all_rules_together_flag_as_many_honest_attempts_of_a_half_as_is_stored(stored, half):
    head, row = csv.reader(tallies_csv([tally_of(half)]).splitlines()[:2])

    assert dict(zip(head, row, strict=True)) == stored[half], "make golden, then look at the diff"


def test_the_stored_halves_make_up_what_is_flagged_together(stored):
    n, flagged = (sum(int(stored[half][key]) for half in HALVES) for key in ("n_honest", "flagged"))

    assert (n, flagged) == (int(stored["together"]["n_honest"]), int(stored["together"]["flagged"]))
    assert int(stored["together"]["n_rules"]) == len(rules())
    assert 100 * flagged <= n
