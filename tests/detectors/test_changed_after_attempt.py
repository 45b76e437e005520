"""Files that are not the ones the runner recorded."""

from __future__ import annotations

import pytest

from audit.check import check
from competitions.io import MAX_DEPTH
from detectors.rules.changed_after_attempt import ChangedAfterAttempt
from reports.schema import Outcome, Severity


def look(attempt):
    return list(ChangedAfterAttempt().detect(attempt))


def test_what_is_as_it_was_recorded_is_clean(make_attempt):
    assert check(ChangedAfterAttempt(), make_attempt(record={})).outcome is Outcome.CLEAN


@pytest.mark.parametrize("name", ["submission/submission.csv", "code/main.py"])
def test_a_changed_file_is_told_with_both_digests(make_attempt, name):
    attempt = make_attempt(record={})
    (attempt.path / name).write_text("another\n")
    (finding,) = look(attempt)

    assert finding.severity is Severity.MEDIUM
    assert name.startswith(finding.evidence[1].path)
    assert finding.evidence[0].sha256 != finding.evidence[1].sha256


@pytest.mark.parametrize("name", ["submission/submission.csv", "code/main.py"])
def test_a_file_that_is_gone_is_told(make_attempt, name):
    attempt = make_attempt(record={})
    (attempt.path / name).unlink()

    assert len(look(attempt)) == 1


def test_a_submission_that_came_later_is_told(make_attempt):
    (finding,) = look(make_attempt(record={"submission_sha256": None}))

    assert "was not there" in finding.message


@pytest.mark.parametrize(
    "record",
    [
        pytest.param(None, id="no-record"),
        pytest.param({"ended_at": None, "exit_status": "running"}, id="no-end"),
    ],
)
def test_without_a_recorded_end_the_question_makes_no_sense(make_attempt, record):
    assert check(ChangedAfterAttempt(), make_attempt(record=record)).outcome is (
        Outcome.NOT_APPLICABLE
    )


def test_code_that_was_too_large_to_be_recorded_is_no_finding(make_attempt):
    assert look(make_attempt(record={"code_sha256": None})) == []


def test_a_submission_too_large_to_read_is_not_available(make_attempt):
    answer = check(ChangedAfterAttempt(max_bytes=3), make_attempt(record={}))

    assert answer.outcome is Outcome.NOT_AVAILABLE


def test_code_that_cannot_be_read_whole_is_no_accusation(make_attempt):
    attempt = make_attempt(record={})
    (attempt.path / "code" / "/".join("d" * (MAX_DEPTH + 2))).mkdir(parents=True)
    answer = check(ChangedAfterAttempt(), attempt)

    assert (answer.outcome, answer.missing) == (Outcome.NOT_AVAILABLE, "code")
