"""Who scored worse than the pass line of a task with a trap, and who is not told of."""

from __future__ import annotations

from datetime import UTC, datetime

import pandas as pd  # noqa: TID253
import pytest

from audit.grading import grade_attempts
from detectors.attempt import Attempt
from detectors.claims.fell_into_trap import FellIntoTrap
from detectors.group import Group
from reports.schema import Severity
from tests.competitions.trap_tasks import small_task
from tests.conftest import write_attempt

WHEN = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory):
    return small_task(tmp_path_factory.mktemp("trap") / "trapped").parent / "data"


@pytest.fixture
def group_of(data_dir, tmp_path):
    """Return the group of attempts whose predictions are off by so much; None hands nothing in."""
    answers = pd.read_csv(data_dir / "trapped/prepared/private/solution.csv")

    def of(*errors: float | None) -> Group:
        attempts = []
        for number, error in enumerate(errors):
            text = None
            if error is not None:
                text = answers.assign(y=answers["y"] + error).to_csv(index=False)
            folder = tmp_path / f"trapped_{number}"
            write_attempt(folder, submission=text)
            attempts.append(Attempt(folder))
        graded = grade_attempts(attempts, data_dir, WHEN).competition_reports
        return Group("somebody", tuple(attempts), graded=graded)

    return of


def found(group, data_dir):
    detector = FellIntoTrap(data=str(data_dir))
    assert detector.applies(group) is None
    return list(detector.detect(group))


@pytest.mark.parametrize(
    ("errors", "fell"),
    [
        pytest.param((6.0,), 1, id="worse-than-the-line"),
        pytest.param((5.0,), 0, id="on-the-line"),
        pytest.param((0.0, 1.0), 0, id="better"),
        pytest.param((6.0, 1.0, 7.0), 2, id="some-of-them"),
        pytest.param((None,), 0, id="nothing-handed-in"),
    ],
)
def test_scores_worse_than_the_line_are_told(group_of, data_dir, errors, fell):
    findings = found(group_of(*errors), data_dir)

    assert len(findings) == bool(fell)
    for finding in findings:
        assert finding.severity is Severity.NOTE
        assert f"{fell} of {len(errors)} score" in finding.message
        assert len(finding.attempts) == fell


def test_it_does_not_apply_where_no_task_was_built_as_a_trap(group_of, data_dir):
    group = group_of(6.0)

    assert FellIntoTrap().applies(group) == "none of the tasks was built as a trap"
    assert FellIntoTrap(data=str(data_dir)).applies(Group("somebody")) is not None
