"""Groups are graded attempt by attempt; one that cannot be graded stops no other."""

from __future__ import annotations

import math
from datetime import UTC, datetime

import pytest

from audit.grading import grade_groups
from competitions.errors import UsageError
from tests.audit.conftest import HONEST, PEEKING, TASK
from tests.conftest import write_attempt

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def test_each_attempt_has_its_score_agent_and_seed(group, data_dir):
    report = grade_groups([group], data_dir, NOW)
    rows = {r.mle_audit.attempt: r for r in report.competition_reports if r.mle_audit}

    assert rows[PEEKING].score == 1.0
    assert rows[HONEST].score == 0.54465
    details = rows[HONEST].mle_audit
    assert details
    assert (details.agent, details.seed, details.exit_status) == ("honest", 0, "finished")
    assert {r.created_at for r in rows.values()} == {NOW.isoformat()}
    assert report.total_runs == report.total_valid_submissions == 2


def test_an_attempt_that_cannot_be_graded_is_told_and_stops_no_other(group, data_dir):
    write_attempt(group / "modechoice_1")
    write_attempt(group / "no-such-task_1")
    write_attempt(group / f"{TASK}_broken")
    (group / f"{TASK}_broken" / "attempt.json").write_text("{")
    report = grade_groups([group], data_dir, NOW)

    assert report.mle_audit
    why = {n.attempt: n.why for n in report.mle_audit.not_graded}
    assert report.total_runs == 2
    assert "mle-audit prepare -c modechoice" in why["modechoice_1"]
    assert "no-such-task" in why["no-such-task_1"]
    assert "attempt.json" in why[f"{TASK}_broken"]


@pytest.mark.parametrize(
    ("submission", "outcome", "totals"),
    [
        pytest.param(None, "missing", (0, 0), id="none"),
        pytest.param("broken", "invalid", (1, 0), id="invalid"),
        pytest.param("sample", "graded", (1, 1), id="graded"),
    ],
)
def test_missing_invalid_and_graded_are_three_things(
    tmp_path, data_dir, submissions, submission, outcome, totals
):
    write_attempt(tmp_path / f"{TASK}_1", submission=submissions.get(submission))
    report = grade_groups([tmp_path], data_dir, NOW)
    (row,) = report.competition_reports

    assert row.mle_audit
    assert row.mle_audit.outcome == outcome
    assert (report.total_runs_with_submissions, report.total_valid_submissions) == totals


def test_the_headline_is_the_mean_over_seeds_with_its_standard_error(
    tmp_path, data_dir, submissions
):
    kinds = {(0, "a"): "perfect", (0, "b"): "broken", (1, "a"): "perfect", (1, "b"): "perfect",
             (2, "a"): "broken", (2, "b"): "broken"}  # fmt: skip
    for (seed, name), kind in kinds.items():
        write_attempt(
            tmp_path / f"{TASK}_{seed}{name}", submission=submissions[kind], record={"seed": seed}
        )
    report = grade_groups([tmp_path], data_dir, NOW)

    assert report.mle_audit
    (headline,) = report.mle_audit.headlines
    shares = [0.5, 1.0, 0.0]
    deviation = math.sqrt(sum((s - 0.5) ** 2 for s in shares) / 2)
    assert headline.valid_submission
    assert headline.valid_submission.mean == pytest.approx(0.5)
    assert headline.valid_submission.sem == pytest.approx(deviation / math.sqrt(3))
    assert headline.above_median == headline.valid_submission
    assert (headline.seeds, headline.n_attempts, headline.n_tasks) == ((0, 1, 2), 6, 1)


def test_progress_is_told_after_each_attempt(group, data_dir):
    told: list[str] = []
    grade_groups([group], data_dir, NOW, told.append)

    assert told == [HONEST, PEEKING]


def test_a_folder_without_attempts_is_a_wrong_call(tmp_path, data_dir):
    with pytest.raises(UsageError):
        grade_groups([tmp_path], data_dir, NOW)
