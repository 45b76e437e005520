"""Validation scores that logs tell are held against hidden ones, task by task."""

from __future__ import annotations

import pytest

from audit.check import check
from detectors.group import Group
from detectors.leakage.code_claims import claim_of
from detectors.leakage.local_vs_hidden_gap import LocalVsHiddenGap, gaps_of, signs
from detectors.text_file import TextFile
from reports.grading import CompetitionReport, GradeDetails
from reports.schema import LogLines, Outcome
from tests.competitions.trap_tasks import small_task
from tests.conftest import write_attempt

# Tasks whose metric is the area under the curve: higher is better; and one by error.
AUC = (
    "aerial-cactus-identification", "detecting-insults-in-social-commentary",
    "histopathologic-cancer-detection", "random-acts-of-pizza",
    "the-icml-2013-whale-challenge-right-whale-redux", "siim-isic-melanoma-classification",
    "tabular-playground-series-may-2022",
)  # fmt: skip


def graded(task, score, *, attempt, is_lower_better=False):
    none = dict.fromkeys(
        ("gold_threshold", "silver_threshold", "bronze_threshold", "median_threshold")
    )
    no = dict.fromkeys(("any_medal", "gold_medal", "silver_medal", "bronze_medal", "above_median"))
    return CompetitionReport(
        competition_id=task,
        score=score,
        submission_exists=True,
        valid_submission=True,
        is_lower_better=is_lower_better,
        created_at="2026-01-01T00:00:00",
        submission_path="s.csv",
        mle_audit=GradeDetails(
            outcome="graded",
            board_kind="kaggle",
            board_sha256="0",
            board_n_teams=1,
            attempt=attempt,
        ),
        **none,
        **dict.fromkeys(no, False),
    )


def group(folder, local, hidden, tasks=AUC):
    attempts, rows = [], []
    for task, own, true in zip(tasks, local, hidden, strict=False):
        log = f"fold 1 val auc 0.5\nValidation score: ROC AUC {own:.4f} over all folds\n"
        attempts.append(write_attempt(folder / f"{task}_1", logs=log))
        rows.append(graded(task, true, attempt=f"{task}_1"))
    return Group("agent", tuple(attempts), graded=tuple(rows))


def test_scores_that_are_better_throughout_are_told_with_their_lines(tmp_path):
    answer = check(LocalVsHiddenGap(), group(tmp_path, [0.99] * 7, [0.7] * 7))
    (finding,) = answer.findings
    lines = [e for e in finding.evidence if isinstance(e, LogLines)]

    assert answer.outcome is Outcome.FLAGGED
    assert "On 7 of 7 tasks" in finding.message
    assert "0.0078" in finding.message
    assert lines[0].excerpt == "Validation score: ROC AUC 0.9900 over all folds"


def test_scores_that_are_off_to_both_sides_are_not(tmp_path):
    hidden = [0.88, 0.92, 0.89, 0.91, 0.9, 0.93, 0.87]

    assert check(LocalVsHiddenGap(), group(tmp_path, [0.9] * 7, hidden)).outcome is Outcome.CLEAN


def test_few_tasks_say_nothing(tmp_path):
    few = group(tmp_path, [0.99] * 5, [0.7] * 5)

    assert check(LocalVsHiddenGap(), few).outcome is Outcome.NOT_APPLICABLE


def test_logs_that_tell_no_score_leave_it_open(tmp_path):
    silent = group(tmp_path, [0.99] * 7, [0.7] * 7)
    attempts = [write_attempt(tmp_path / "s" / a.id, logs="done\n") for a in silent.attempts]
    answer = check(LocalVsHiddenGap(), Group("a", tuple(attempts), graded=silent.graded))

    assert answer.outcome is Outcome.NOT_AVAILABLE
    assert answer.missing == "validation scores"  # not decisive: nobody has to tell any


def test_an_error_is_better_when_it_is_smaller(tmp_path):
    task = "modechoice"
    attempt = write_attempt(tmp_path / f"{task}_1", logs="validation log loss 0.30\n")
    row = graded(task, 0.5, attempt=attempt.id, is_lower_better=True)
    (gap,) = gaps_of(Group("a", (attempt,), graded=(row,)))

    assert gap.by == pytest.approx(0.2)


def test_a_task_from_outside_is_known_by_what_was_kept_of_it(tmp_path):
    data = small_task(tmp_path / "trapped").parent / "data"
    attempt = write_attempt(tmp_path / "trapped_1", logs="validation rmse 0.30\n")
    row = graded("trapped", 0.5, attempt=attempt.id, is_lower_better=True)
    group = Group("a", (attempt,), graded=(row,))

    assert [gap.by for gap in gaps_of(group, str(data))] == pytest.approx([0.2])
    assert gaps_of(group) == []


@pytest.mark.parametrize(
    ("log", "value"),
    [
        pytest.param("cv auc: 0.81\n", 0.81, id="plain"),
        pytest.param("fold 1 val auc 0.7\nfold 2 val auc 0.9\nmean cv auc 0.8\n", 0.8, id="whole"),
        pytest.param("fold 1 val auc 0.7\nfold 2 val auc 0.9\n", 0.9, id="folds-alone"),
        pytest.param("val auc 0.7\nval auc 0.75\n", 0.75, id="last"),
        pytest.param("OOF AUC = 81.5 %\n", 0.815, id="per-cent"),
        pytest.param("train auc 0.99\n", None, id="train"),
        pytest.param("val accuracy 0.9\n", None, id="other-metric"),
        pytest.param("auc 0.9\n", None, id="not-said-to-be-validation"),
    ],
)
def test_the_last_score_of_the_whole_validation_counts(log, value):
    found = claim_of([TextFile("logs/a.log", log)], "auc-roc", 0.8)

    assert (found and found.value) == value


@pytest.mark.parametrize(
    ("differences", "expected"),
    [([], (0, 0, 1.0)), ([0.0, 0.0], (0, 0, 1.0)), ([1.0] * 5, (5, 5, 1 / 32))],
)
def test_signs_are_counted(differences, expected):
    assert signs(differences) == expected
