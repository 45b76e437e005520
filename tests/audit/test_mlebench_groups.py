"""Run groups as MLE-bench leaves them are vetted as they are, with its report and its list."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from audit.grading import grade_groups
from audit.published import Published
from audit.verdict import load_policy
from audit.vet import vet
from competitions.io import sha256_tree
from reports.schema import Conclusion, Outcome, SubjectKind
from tests.audit.conftest import PEEK, PEEK_LOG, TASK, TRAIN
from tests.conftest import write_attempt

NOW = datetime(2026, 1, 1, tzinfo=UTC)
GROUP = "2026-01-01T00-00-00-GMT_run-group_aide"
HONEST, PEEKING = f"{TASK}_1f0e8c52-0001", f"{TASK}_1f0e8c52-0002"
NAMES = ("answers-read", "header-rows-mismatch", "same-submission-many-seeds")


@pytest.fixture
def runs(tmp_path, submissions, data_dir):
    """Two attempts without a record, the group's metadata, its report, and the list of groups."""
    group = tmp_path / "runs" / GROUP
    write_attempt(group / HONEST, code=TRAIN, logs="fitted\n", submission=submissions["sample"])
    write_attempt(group / PEEKING, code=PEEK, logs=PEEK_LOG, submission=submissions["perfect"])
    metadata = {"run_group": GROUP, "created_at": "2026-01-01", "runs": {HONEST: {}, PEEKING: {}}}
    (group / "metadata.json").write_text(json.dumps(metadata))
    graded = grade_groups([group], data_dir, NOW).model_dump(mode="json")
    graded.pop("mle_audit")
    rows = [{k: v for k, v in r.items() if k != "mle_audit"} for r in graded["competition_reports"]]
    (group / "2026-01-02_grading_report.json").write_text(
        json.dumps({**graded, "competition_reports": rows})
    )
    (tmp_path / "runs" / "run_group_experiments.csv").write_text(
        f"experiment_id,run_group\naide,{GROUP}\n"
    )
    return tmp_path / "runs"


def test_a_group_of_mle_bench_is_vetted_with_its_report_and_its_list(runs, data_dir):
    before = sha256_tree(runs)
    listed = Published(experiments=runs / "run_group_experiments.csv")

    found = vet([runs], data_dir, load_policy(), NOW, select=NAMES, published=listed)
    by_id = {s.id: s for s in found.subjects}
    outcomes = {(c.detector, c.subject): c.outcome for c in found.checks}
    assert found.grading

    assert by_id[HONEST].agent == by_id[PEEKING].agent == "aide"
    assert by_id[HONEST].missing == ("record",)
    (group,) = [s for s in found.subjects if s.kind is SubjectKind.GROUP]
    assert group.title == "of agent aide, 2 attempts, 1 grading report"
    assert outcomes["header-rows-mismatch", group.id] is Outcome.CLEAN
    assert outcomes["answers-read", HONEST] is Outcome.CLEAN
    assert outcomes["answers-read", PEEKING] is Outcome.FLAGGED
    verdict = found.verdict_of(PEEKING)
    assert verdict
    assert verdict.conclusion is Conclusion.DISQUALIFY
    assert [r.score is not None for r in found.grading.competition_reports] == [True, True]
    assert sha256_tree(runs) == before
