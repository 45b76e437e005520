"""The stored scores of the baseline are those of the catalog's tasks, and can be had again."""

from __future__ import annotations

import pytest

from audit.runner.bubblewrap import bubblewrap_problem
from competitions.spec import load
from tests.quality.baseline import Claim, claim_of, embedded_tasks, measure, over_seeds, stored_rows


def test_the_table_has_every_embedded_task_and_its_present_data():
    stored = {row["competition"]: row["source_sha256"] for row in stored_rows()}
    assert list(stored) == embedded_tasks()
    assert stored == {name: load(name).source.sha256 for name in embedded_tasks()}, (
        "measure anew: .venv/bin/python -m tests.quality.baseline"
    )


def test_every_score_lies_within_its_intervals():
    for row in stored_rows():
        score = float(row["score"])
        assert int(row["n_seeds"]) >= 3
        assert float(row["seeds_low"]) <= score <= float(row["seeds_high"])
        assert float(row["rows_low"]) <= score <= float(row["rows_high"])


def test_a_time_series_was_validated_in_time_and_people_and_places_whole():
    schemes = {row["competition"]: row["scheme"] for row in stored_rows()}
    assert schemes["co2-weekly"] == "split by time"
    assert schemes["modechoice"] == schemes["place-names"] == "StratifiedGroupKFold"


def test_the_interval_over_seeds_is_students():
    # t(0.975; 2) = 4.302653, the spread of 1, 2, 3 is 1, so the half width is 4.302653 / √3
    low, high = over_seeds([1.0, 2.0, 3.0])
    assert (low, high) == pytest.approx((2 - 2.484138, 2 + 2.484138), abs=1e-6)


@pytest.mark.parametrize(
    ("line", "claim"),
    [
        pytest.param(
            "Validation score: log loss 0.126 of forest + linear (KFold, 5 folds, x).",
            Claim("log loss", 0.126, "KFold"),
            id="rows",
        ),
        pytest.param(
            "Validation score: accuracy 0.9 of a (split by time, 5 folds, each 2; mean).",
            Claim("accuracy", 0.9, "split by time"),
            id="time",
        ),
    ],
)
def test_what_the_agent_says_of_itself_is_read(line, claim):
    assert claim_of(f"before\n{line}\nafter\n") == claim


def test_an_attempt_that_says_nothing_of_itself_is_an_error():
    with pytest.raises(ValueError, match="Validation score"):
        claim_of("Handed in 3 rows.")


@pytest.mark.slow
@pytest.mark.skipif(bubblewrap_problem() is not None, reason="needs bubblewrap")
def test_a_task_measured_anew_lies_within_the_stated_interval(tmp_path):
    (stored,) = (row for row in stored_rows() if row["competition"] == "diabetes-progression")
    found = measure("diabetes-progression", tmp_path, n_seeds=3)
    assert float(stored["rows_low"]) < found.score < float(stored["rows_high"])
    # Another machine sums in another order; the seeds' own spread bounds what that may change.
    spread = float(stored["seeds_high"]) - float(stored["seeds_low"])
    assert abs(found.score - float(stored["score"])) < 2 * spread
