"""Half-made groups never look complete: what is planned, running or interrupted is told."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from audit.cli import app
from audit.grading import grade_groups
from audit.verdict import exit_code, load_policy
from audit.vet import vet
from reports.html import render_html
from reports.markdown import render_markdown
from reports.schema import Conclusion
from tests.audit.conftest import TASK
from tests.audit.reproductions import Made, write_group

if TYPE_CHECKING:
    from reports.grading import GradingDetails, GradingReport

NOW = datetime(2026, 1, 1, tzinfo=UTC)
TOLD = (
    "3 of 4 planned attempts are not made or not ended (of agent x: 1 interrupted, 1 running "
    "and 1 not made). They count in no figure. Seeds 1, 2 and 3 are incomplete."
)


@pytest.fixture
def half(tmp_path, submissions):
    """One graded attempt of four; the others interrupted, running and not begun."""
    sample = submissions["sample"]
    made = [
        Made(sample),
        Made(sample, exit_status="interrupted"),
        Made(None, exit_status="running"),
        None,
    ]
    return write_group(tmp_path / "runs", "x", made)


def details_of(report: GradingReport) -> GradingDetails:
    assert report.mle_audit
    return report.mle_audit


def states(report: GradingReport) -> dict[str, str]:
    return {n.attempt: n.state for n in details_of(report).not_graded}


@pytest.mark.parametrize("above", [False, True])
def test_attempts_that_have_not_ended_or_are_not_made_count_in_no_figure(half, data_dir, above):
    report = grade_groups([half.parent if above else half], data_dir, NOW)

    assert states(report) == {
        f"{TASK}_x1": "interrupted",
        f"{TASK}_x2": "running",
        f"{TASK}_x3": "not_made",
    }
    (headline,) = details_of(report).headlines
    assert headline.valid_submission
    assert (headline.n_attempts, headline.seeds) == (1, (0,))
    assert headline.valid_submission.mean == 1.0
    why = {n.state: n.why for n in details_of(report).not_graded}
    assert all(f"mle-audit run --resume {half}" in text for text in why.values())
    assert {n.seed for n in details_of(report).not_graded if n.state == "not_made"} == {3}


def test_one_attempt_that_is_asked_for_alone_says_nothing_of_the_rest(half, data_dir):
    report = grade_groups([half / f"{TASK}_x0"], data_dir, NOW)

    assert states(report) == {}


def test_what_was_begun_without_a_record_is_not_made(half, data_dir):
    (half / f"{TASK}_x3" / "code").mkdir(parents=True)

    assert states(grade_groups([half], data_dir, NOW))[f"{TASK}_x3"] == "not_made"


def test_a_broken_record_is_told_as_that_and_a_broken_plan_hides_nothing(half, data_dir):
    (half / f"{TASK}_x0" / "attempt.json").write_text("{")
    (half / "plan.json").write_text("{")
    report = grade_groups([half], data_dir, NOW)

    assert states(report)[f"{TASK}_x0"] == "ended"
    assert list(states(report).values()).count("unknown") == 1


def test_mle_benchs_attempts_have_neither_plan_nor_record_and_are_graded(
    tmp_path, data_dir, submissions
):
    handed_in = tmp_path / f"{TASK}_1" / "submission"
    handed_in.mkdir(parents=True)
    (handed_in / "submission.csv").write_text(submissions["sample"])
    report = grade_groups([tmp_path], data_dir, NOW)

    assert (report.total_runs, states(report)) == (1, {})


def test_grade_tells_it_in_its_table_and_once_below(half, data_dir):
    done = CliRunner().invoke(app, ["grade", str(half), "--data-dir", str(data_dir)])
    table, below = done.stdout.split("\n\n")

    assert done.exit_code == 0
    rows = [line.split() for line in table.splitlines()[1:]]
    assert [row[2] for row in rows] == ["0", "1", "2", "3"]
    for row, state in zip(rows[1:], ("interrupted", "running", "not made"), strict=True):
        assert state in " ".join(row)
    assert TOLD in below
    assert below.count(f"mle-audit run --resume {half}") == 1
    assert "not graded:" not in done.stderr


def test_vet_tells_it_at_the_top_of_summary_and_page(half, data_dir):
    report = vet([half], data_dir, load_policy(), NOW, select=("answers-read",))

    assert TOLD in render_markdown(report).split("### Headline")[0]
    assert TOLD in render_html(report).split("<nav")[0]
    for top in (render_markdown(report).split("###")[0], render_html(report).split("<nav")[0]):
        assert top.count(f"mle-audit run --resume {half}") == 1


def test_an_attempt_that_has_not_ended_is_never_clean(half, data_dir):
    report = vet([half], data_dir, load_policy(), NOW, select=("answers-read",))
    verdict = report.verdict_of(f"{TASK}_x1")

    assert verdict
    assert verdict.conclusion is Conclusion.UNDETERMINED
    assert "The attempt has no recorded end." in verdict.because
    assert exit_code(report.verdicts) == 3


def test_a_whole_group_is_told_nothing(tmp_path, data_dir, submissions):
    group = write_group(tmp_path / "runs", "x", [Made(submissions["sample"])])
    report = vet([group], data_dir, load_policy(), NOW, select=("answers-read",))

    assert "not ended" not in render_markdown(report)


def test_grade_says_which_attempts_were_made_again_and_how_each_ended(
    tmp_path, data_dir, submissions
):
    made = [
        Made(submissions["sample"], earlier=("interrupted", "crashed")),
        Made(submissions["broken"], earlier=("interrupted",)),
        Made(None, exit_status="timed_out"),
    ]
    group = write_group(tmp_path / "runs", "x", made)
    done = CliRunner().invoke(app, ["grade", str(group), "--data-dir", str(data_dir)])
    first, second, third = done.stdout.splitlines()[1:4]

    assert "made again after crashed" in first
    assert "made again" not in second
    assert "expected" in second
    assert third.endswith("timed out; handed in no submission.csv")
    assert "1 of 3 attempts had ended before and was made again (of agent x; earlier" in done.stdout
    details = grade_groups([group], data_dir, NOW).competition_reports[0].mle_audit
    assert details
    assert details.earlier_tries == ("interrupted", "crashed")
