"""Grading reports held against themselves, the boards, each other and what was claimed of them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from audit.check import check
from detectors.base import detector
from detectors.claims.known_exploitable_task import exploitable
from detectors.claims.missing_context import disclosure
from detectors.group import Group, Listed
from reports.claims import parse_claim
from reports.grading import CompetitionReport
from reports.report_files import read_report_file, read_reports
from reports.schema import Outcome, Severity
from reports.seeds import figures, seeds_of
from tests.detectors.claims.twins import file_of, report, row, seed, written

CLAIM = "Low 62.12 ± 1.52, Medium 36.84 ± 1.52, High 33.33 ± 0.00, All 43.56 ± 0.89, seeds 3"
CACTUS, SPOOKY = "aerial-cactus-identification", "spooky-author-identification"
OF_REPORTS = (
    "header-rows-mismatch", "board-mismatch", "padded-seeds", "cherry-picked-seeds",
    "impossible-arithmetic", "spread-is-not-sem", "missing-context", "degenerate-medal",
    "too-good", "known-exploitable-task",
)  # fmt: skip


def asked(name, group):
    answer = check(detector(name)(), group)
    assert answer.outcome is not Outcome.FAILED, answer.reason
    return answer


@pytest.fixture
def three(tmp_path):
    """Three whole seeds, their headers those of the rows."""
    return tuple(file_of(tmp_path, f"seed_{n}.json", seed(n)) for n in (1, 2, 3))


def test_three_whole_seeds_give_the_published_figures(three):
    seeds = seeds_of(three)

    assert [f.words for f in figures(seeds)] == [
        "62.12 ± 1.52", "36.84 ± 1.52", "33.33 ± 0.00", "43.56 ± 0.89",
    ]  # fmt: skip
    assert figures(seeds, "valid_submission")[-1].words == "96.89 ± 1.18"
    assert figures(seeds, "above_median")[-1].words == "51.56 ± 1.18"
    assert figures(seeds, "gold_medal")[-1].words == "22.67 ± 0.77"


@pytest.mark.parametrize("name", OF_REPORTS)
def test_honest_reports_and_their_row_give_notes_at_most(three, name):
    answer = asked(name, Group("agent", reports=three, claims=(parse_claim(CLAIM),)))

    assert answer.outcome in {Outcome.CLEAN, Outcome.NOT_APPLICABLE}
    assert all(f.severity is Severity.NOTE for f in answer.findings)


@pytest.mark.parametrize(
    ("totals", "severity"),
    [
        pytest.param({"total_runs_with_submissions": 75}, Severity.LOW, id="submissions"),
        pytest.param({"total_gold_medals": 19}, Severity.MEDIUM, id="medals"),
    ],
)
def test_a_header_that_does_not_count_its_rows_is_found(tmp_path, totals, severity):
    file = file_of(tmp_path, "one.json", seed(1), **totals)
    (finding,) = asked("header-rows-mismatch", Group("agent", reports=(file,))).findings

    (name,) = totals
    assert f"{name} {totals[name]}, in the rows" in finding.message
    assert finding.severity is severity


@pytest.mark.parametrize(
    ("cell", "changes", "flag"),
    [
        pytest.param("0.5", {"gold_medal": True, "any_medal": True}, "gold_medal", id="unearned"),
        pytest.param("1.0", {"any_medal": False}, "any_medal", id="not-given"),
        pytest.param("1.0", {"silver_medal": True}, "silver_medal", id="two-medals"),
        pytest.param("0.9991", {"above_median": True}, "above_median", id="equal-to-the-median"),
        pytest.param("missing", {"above_median": True}, "above_median", id="without-a-score"),
    ],
)
def test_a_flag_that_the_score_does_not_give_is_found(tmp_path, cell, changes, flag):
    file = file_of(tmp_path, "one.json", [row(CACTUS, cell, **changes)])
    (finding,) = asked("header-rows-mismatch", Group("agent", reports=(file,))).findings

    assert f"{CACTUS} (" in finding.message
    assert flag in finding.message
    assert finding.severity is Severity.MEDIUM


@pytest.mark.parametrize(
    ("task", "cell"),
    [
        pytest.param(CACTUS, "0.9999999", id="a-score-that-rounds-to-gold-and-does-not-have-it"),
        pytest.param(CACTUS, "0.9991", id="exactly-the-median"),
        pytest.param(SPOOKY, "0.16506", id="lower-is-better"),
        pytest.param(SPOOKY, "invalid", id="invalid"),
    ],
)
def test_scores_at_the_limits_are_no_mismatch(tmp_path, task, cell):
    group = Group("agent", reports=(file_of(tmp_path, "one.json", [row(task, cell)]),))

    assert asked("header-rows-mismatch", group).outcome is Outcome.CLEAN
    assert asked("board-mismatch", group).outcome is Outcome.CLEAN


@pytest.mark.parametrize(
    ("changes", "severity", "words"),
    [
        pytest.param(
            {"bronze_threshold": 0.4, "any_medal": True, "bronze_medal": True},
            Severity.MEDIUM, "1 medal would be another or none", id="a-laxer-board",
        ),
        pytest.param({"gold_threshold": 0.99999999}, None, "", id="rounding-of-the-seventh-digit"),
        pytest.param({"median_threshold": 0.9}, Severity.LOW, "(median)", id="another-median"),
        pytest.param(
            {"is_lower_better": True, "gold_medal": True, "any_medal": True},
            Severity.MEDIUM, "(direction)", id="the-other-direction",
        ),
        pytest.param({"gold_threshold": None, "silver_threshold": None}, None, "", id="no-limits"),
    ],
)  # fmt: skip
def test_thresholds_are_those_of_the_pinned_board(tmp_path, changes, severity, words):
    file = file_of(tmp_path, "one.json", [row(CACTUS, "0.5", **changes)])
    answer = asked("board-mismatch", Group("agent", reports=(file,)))

    assert [f.severity for f in answer.findings] == ([severity] if severity else [])
    assert not severity or words in answer.findings[0].message


def test_a_task_without_a_known_board_is_not_cleared(tmp_path):
    file = file_of(tmp_path, "one.json", [row(CACTUS, "1.0", competition_id="my-own-task")])
    group = Group("agent", reports=(file,))

    assert asked("board-mismatch", group).outcome is Outcome.NOT_AVAILABLE
    (note,) = asked("padded-seeds", group).findings
    assert "my-own-task" in note.message
    assert note.severity is Severity.NOTE


def test_a_seed_without_a_task_is_named_and_left_out_of_the_mean(tmp_path):
    without = [r for r in seed(2) if r["competition_id"] != CACTUS]
    files = tuple(
        file_of(tmp_path, f"{n}.json", rows)
        for n, rows in ((1, seed(1)), (2, without), (3, seed(3)))
    )
    (note,) = asked("padded-seeds", Group("agent", reports=files)).findings
    (finding,) = asked(
        "padded-seeds", Group("agent", reports=files, claims=(parse_claim(CLAIM),))
    ).findings

    assert note.severity is Severity.NOTE
    assert finding.severity is Severity.LOW
    assert f"2.json lacks {CACTUS}" in finding.message
    assert "42.67 ± 0.00 over complete seeds" in finding.message
    assert "claim counts 3 seeds" in finding.message


def test_run_groups_of_parts_of_the_tasks_complete_one_another(tmp_path):
    parts = [seed(1)[:40], seed(1)[40:], seed(2)]
    files = tuple(file_of(tmp_path, f"{i}.json", rows) for i, rows in enumerate(parts))

    assert [len(s.rows) for s in seeds_of(files)] == [75, 75]
    assert asked("padded-seeds", Group("agent", reports=files)).findings == ()


def test_rows_that_stand_in_for_missing_runs_are_named(tmp_path):
    nothing = {f"{m}_threshold": None for m in ("gold", "silver", "bronze", "median")}
    rows = [*seed(1)[1:], row(seed(1)[0]["competition_id"], "missing", **nothing)]
    file = file_of(tmp_path, "padded.json", rows)
    (finding,) = asked("padded-seeds", Group("agent", reports=(file,))).findings

    assert "3d-object-detection-for-autonomous-vehicles" in finding.message
    assert finding.severity is Severity.LOW


def test_one_report_under_two_names_is_no_second_seed(tmp_path):
    files = tuple(file_of(tmp_path, name, seed(1)) for name in ("a.json", "b.json"))
    (finding,) = asked("padded-seeds", Group("agent", reports=files)).findings

    assert "a.json = b.json" in finding.message
    assert finding.severity is Severity.MEDIUM


def test_a_row_that_stands_twice_is_counted_once_and_named(tmp_path):
    file = file_of(tmp_path, "one.json", [*seed(1), seed(1)[2]])
    group = Group("agent", reports=(file,))

    assert [len(s.rows) for s in seeds_of((file,))] == [75]
    assert CACTUS in asked("padded-seeds", group).findings[0].message
    assert asked("header-rows-mismatch", group).outcome is Outcome.CLEAN


def test_variants_in_one_mean_are_named(tmp_path):
    details = {"outcome": "graded", "board_kind": "kaggle", "board_sha256": "", "board_n_teams": 1}
    rows = [
        row(task, "1.0", mle_audit={**details, "variant": variant})
        for task, variant in ((CACTUS, "v1"), (SPOOKY, "fixed"))
    ]
    group = Group("agent", reports=(file_of(tmp_path, "one.json", rows),))

    assert "fixed: spooky-author-identification" in asked("padded-seeds", group).findings[0].message


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        pytest.param("All 44.00 ± 0.89, seeds 3", "counted here 43.56 ± 0.89", id="mean"),
        pytest.param("All 43.56 ± 0.44, seeds 3", "counted here 43.56 ± 0.89", id="spread"),
    ],
)
def test_a_row_that_is_not_that_of_its_reports_is_found(three, claim, words):
    group = Group("agent", reports=three, claims=(parse_claim(claim),))

    assert any(words in f.message for f in asked("impossible-arithmetic", group).findings)


def test_seeds_that_a_row_leaves_out_are_told_with_the_figure_of_all(three):
    best = Group("agent", reports=three, claims=(parse_claim("All 45.33, seeds 1"),))
    (finding,) = asked("cherry-picked-seeds", best).findings

    assert finding.severity is Severity.MEDIUM
    assert "counts 1 seed and the reports hold 3 complete ones" in finding.message
    assert "with all 43.56 ± 0.89" in finding.message

    worst = Group("agent", reports=three, claims=(parse_claim("All 42.67, seeds 1"),))
    (note,) = asked("cherry-picked-seeds", worst).findings
    assert note.severity is Severity.NOTE


def rows_of(number):
    return tuple(CompetitionReport.model_validate(r) for r in seed(number))


def listed(*left_out):
    return tuple(
        Listed(f"group-{n}", "The list of experiment e", n not in left_out, rows_of(n))
        for n in (1, 2, 3)
    )


def test_run_groups_that_the_reports_leave_out_are_named_with_the_figure_of_all(three):
    group = Group("e", reports=three[1:2], listed=listed(1, 3))
    (finding,) = asked("cherry-picked-seeds", group).findings

    assert (
        "names 3 runs, and the published reports leave 2 out: group-1, group-3" in finding.message
    )
    assert "45.33 % of the runs that are counted, 43.56 % of all" in finding.message
    assert finding.severity is Severity.MEDIUM

    complete = Group("e", reports=three, listed=listed())
    assert asked("cherry-picked-seeds", complete).findings == ()


def test_a_run_of_which_nobody_knows_the_score_is_not_cleared(three):
    unknown = Listed("group-4", "The list of experiment e", is_counted=False)
    answer = asked("cherry-picked-seeds", Group("e", reports=three, listed=(*listed(), unknown)))

    assert answer.outcome is Outcome.NOT_AVAILABLE
    assert "group-4" in answer.findings[0].message


def test_triage_names_boards_that_mean_little_tasks_that_leak_and_scores_above_the_best(three):
    group = Group("agent", reports=three)
    weak, leaky, good = (
        asked(n, group).findings[0]
        for n in ("degenerate-medal", "known-exploitable-task", "too-good")
    )

    assert CACTUS in weak.message
    assert "42.01 % (92 of 219) without the 2 tasks with such a board" in weak.message
    assert CACTUS in leaky.message
    assert good.message.startswith("Scores on 9 tasks are better than the best team")
    assert {f.severity for f in (weak, leaky, good)} == {Severity.NOTE}


def test_tasks_are_left_out_whether_a_medal_was_won_on_them_or_not(three):
    """Leaving out only tasks with a medal would choose by what is measured."""
    leaky = [i for i in _ids(three) if exploitable(i)]
    clean = [r for f in three for r in f.report.competition_reports
             if r.competition_id not in leaky]  # fmt: skip
    (found,) = asked("known-exploitable-task", Group("agent", reports=three)).findings

    assert len(leaky) > 38
    assert found.message.startswith("Medals were won on 38 tasks with a known leak")
    assert f"(0 of {len(clean)}) without the {len(leaky)} tasks that have one" in found.message
    assert found.message.index("Any medal") < found.message.index(CACTUS)


def _ids(files):
    return sorted({r.competition_id for f in files for r in f.report.competition_reports})


def test_the_card_says_what_is_told_and_what_is_not(three):
    claim = parse_claim("All 43.56, seeds 3, agent A, model M, hardware one H100")
    card = disclosure(Group("A", reports=three, claims=(claim,)))

    assert {name for name, value in card.items() if value} == {"model", "scaffold", "hardware"}
    assert "Not told: budget, network" in (
        asked("missing-context", Group("A", claims=(claim,))).findings[0].message
    )


POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 3\n"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        pytest.param(POINTER, "a pointer of Git LFS", id="lfs-pointer"),
        pytest.param("", "expected JSON", id="empty"),
        pytest.param(
            '{"total_runs": 1, "competition_reports": [{"comp', "JSON", id="nothing-whole"
        ),
        pytest.param("[]", "expected a grading report", id="a-list"),
        pytest.param('{"competition_reports": 3}', "expected a grading report", id="no-rows"),
        pytest.param("[" * 100_000, "", id="too-deep"),
        pytest.param("\x00\xff", "expected JSON", id="binary"),
    ],
)
def test_a_report_that_cannot_be_read_is_named_and_the_others_are_read(tmp_path, text, why):
    good = written(tmp_path, "good.json", report(seed(1)))
    bad = written(tmp_path, "bad.json", text)
    read = read_reports([bad, good, tmp_path / "absent.json"])

    assert [f.name for f in read.files] == ["good.json"]
    assert set(read.unread) == {"bad.json", "absent.json"}
    assert why in read.unread["bad.json"]


def test_of_half_a_report_the_whole_rows_are_read(tmp_path):
    text = json.dumps(report(seed(1)))
    file = read_report_file(written(tmp_path, "half.json", text[: len(text) // 2]))
    answer = asked("header-rows-mismatch", Group("agent", reports=(file,)))

    assert 30 < len(file.report.competition_reports) < 45
    assert "breaks off" in file.faults[0]
    assert answer.outcome is Outcome.NOT_AVAILABLE


def test_what_is_odd_in_a_report_is_named_and_the_rest_is_read(tmp_path):
    rows = seed(1)
    rows[0]["colour"] = "blue"
    rows[1] = {"competition_id": "AI4Code"}
    text = json.dumps({**report(seed(1)), "competition_reports": rows, "extra": 1})
    text = text.replace('"score": 1.0', '"score": NaN', 1)
    file = read_report_file(written(tmp_path, "odd.json", text))
    told = "; ".join(file.faults)

    assert len(file.report.competition_reports) == 74
    for words in ("keys not read: colour", "row 2 is left out", "score is NaN", "read: extra"):
        assert words in told


def test_a_header_without_a_total_is_named_and_not_accused(tmp_path):
    content = report(seed(1))
    del content["total_medals"]
    file = read_report_file(written(tmp_path, "one.json", content))

    assert "its header has no total_medals" in file.faults
    assert asked("header-rows-mismatch", Group("a", reports=(file,))).outcome is Outcome.CLEAN


def test_the_three_public_reports_give_their_row_and_have_wrong_headers():
    folder = os.environ.get("MLE_AUDIT_CASES")
    if not folder:
        pytest.skip("MLE_AUDIT_CASES names no folder of outside cases")
    read = read_reports(sorted((Path(folder) / "claims").glob("*.json")))
    group = Group("agent", reports=read.files, claims=(parse_claim(CLAIM),))
    header = asked("header-rows-mismatch", group)

    assert [f.words for f in figures(seeds_of(read.files))] == [
        "62.12 ± 1.52", "36.84 ± 1.52", "33.33 ± 0.00", "43.56 ± 0.89",
    ]  # fmt: skip
    assert [f.message.rpartition(": ")[2] for f in header.findings] == [
        "total_runs_with_submissions 75, in the rows 73.",
        "total_runs_with_submissions 75, in the rows 74.",
    ]
    for name in set(OF_REPORTS) - {"header-rows-mismatch"}:
        assert asked(name, group).outcome in {Outcome.CLEAN, Outcome.NOT_APPLICABLE}, name


def test_a_row_is_held_against_attempts_that_were_graded_here():
    rows = tuple(r for n in (1, 2, 3) for r in rows_of(n))
    right, wrong = (
        Group("agent", graded=rows, claims=(parse_claim(text),))
        for text in (CLAIM, "All 46.67 ± 0.00, seeds 3")
    )

    assert asked("impossible-arithmetic", right).outcome is Outcome.CLEAN
    (finding,) = asked("impossible-arithmetic", wrong).findings
    assert "all 46.67 ± 0.00, counted here 43.56 ± 0.89" in finding.message


def test_context_is_asked_of_what_was_published_alone(three):
    assert asked("missing-context", Group("a")).outcome is Outcome.NOT_APPLICABLE
    assert asked("missing-context", Group("a", reports=three)).findings
