"""Two sides compared: the answer, what is left out, and what cannot be compared at all."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from audit.comparison.compare import Options, compare, metric_named, two
from competitions.errors import DataError, DocumentError, UnknownNameError, UsageError
from reports.comparison.schema import read_comparison, write_comparison
from tests.audit.comparison.made import (
    NOW,
    compared,
    result,
    row,
    rows_of,
    write_document,
    write_group,
    write_report,
)

TASKS = [f"task-{i}" for i in range(7)]
ALL, NONE = ({task: [won, won] for task in TASKS} for won in (True, False))
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"


@pytest.fixture
def documents(tmp_path):
    """Return the audits of two systems, the second with a medal everywhere."""
    return (
        write_document(tmp_path / "a.json", rows_of("a", NONE)),
        write_document(tmp_path / "b.json", rows_of("b", ALL), {"agent digest": "b" * 64}),
    )


def test_a_gain_on_every_task_is_shown_and_put_down_to_the_system(documents):
    found = compared(*documents)

    assert (found.metric, result(found).mean, result(found).main.n) == ("medal", 1.0, 7)
    assert result(found).main.permutation_p == pytest.approx(2**-6)
    assert found.steps[0].attribution.conclusion == "system"
    assert found.answer.startswith("B is better than A in the share of attempts with a medal.")
    assert "Only the system changed" in found.answer


def test_the_other_way_round_it_is_the_same_loss(documents):
    found = compared(documents[1], documents[0])

    assert found.answer.startswith("B is worse than A")
    assert result(found).mean == -1.0


def test_so_few_tasks_that_no_test_could_show_anything_are_told(tmp_path):
    files = [
        write_report(tmp_path / f"{a}.json", rows_of(a, {t: [won] for t in TASKS[:3]}))
        for a, won in (("a", False), ("b", True))
    ]

    answer = compared(*files).answer

    assert answer.startswith("No difference between A and B is shown")
    assert "With 3 tasks no test can give a p below 0.25, however large" in answer


def test_a_null_result_says_what_would_have_been_seen(tmp_path):
    wins = [{t: [bool((i + j) % 2)] for i, t in enumerate(TASKS)} for j in (0, 1)]
    files = [
        write_report(tmp_path / f"{a}.json", rows_of(a, w)) for a, w in zip("ab", wins, strict=True)
    ]

    found = compared(*files)

    assert re.search(
        r"a difference of \d+\.\d percentage points would have been seen", found.answer
    )
    assert (result(found).smallest_seen or 0) > 1


def test_attempts_in_question_are_left_out_counted_and_kept_on_demand(tmp_path):
    rows = rows_of("b", ALL)
    bad = [r.mle_audit.attempt for r in rows if r.mle_audit][:3]
    before = write_document(tmp_path / "a.json", rows_of("a", NONE))
    after = write_document(tmp_path / "b.json", rows, {"agent digest": "b" * 64}, questioned=bad)

    without, with_them = compared(before, after), compared(before, after, include_flagged=True)

    assert without.versions[1].n_in_question == 3
    assert without.steps[0].attribution.conclusion == "system"  # no seed was left out by a side
    assert result(without).n_pairs == 11
    assert "3 attempts of B in question are left out." in without.answer
    assert result(with_them).n_pairs == 14
    assert "3 attempts of B in question are kept, as was asked for." in with_them.answer


def test_a_side_whose_attempts_are_all_in_question_cannot_be_compared(tmp_path, documents):
    rows = rows_of("c", ALL)
    bad = write_document(
        tmp_path / "c.json", rows, questioned=[r.mle_audit.attempt for r in rows if r.mle_audit]
    )

    with pytest.raises(DocumentError, match="put every attempt in question"):
        compared(documents[0], bad)


def test_several_reports_of_a_side_are_its_seeds(tmp_path):
    for i, (name, medal) in enumerate(zip(("a1", "a2", "b1", "b2"), (0, 0, 1, 0), strict=True)):
        rows = [row(t, 0.1 * i, medal=bool(medal)) for t in TASKS]
        write_report(tmp_path / f"{name}.json", rows)

    found = compared(
        f"{tmp_path}/a1.json,{tmp_path}/a2.json", f"{tmp_path}/b1.json,{tmp_path}/b2.json"
    )

    assert result(found).mean == 0.5
    assert result(found).tasks[0].paired_by == "order"
    assert found.steps[0].attribution.conclusion == "open"
    assert "is therefore open" in found.answer


def test_a_folder_of_reports_is_a_side_and_a_pointer_in_it_is_named(tmp_path, documents):
    folder = tmp_path / "group"
    folder.mkdir()
    write_report(folder / "1_grading_report.json", rows_of("c", ALL))
    (folder / "2_grading_report.json").write_text(POINTER)
    whole = (folder / "1_grading_report.json").read_text()
    (folder / "3_grading_report.json").write_text(whole[: len(whole) // 2])
    (folder / "4_grading_report.json").write_text(whole)

    found = compared(documents[0], str(folder))

    told = " ".join(f"{o.what}: {o.why}" for o in found.left_out)
    assert "2_grading_report.json" in told
    assert "pointer of Git LFS" in told
    assert "it breaks off" in told
    assert "given 2 times, counted once" in told
    assert result(found).mean == 1.0


def test_a_folder_of_pointers_is_told_in_one_sentence(tmp_path, documents):
    folder = tmp_path / "lfs"
    folder.mkdir()
    for i in range(226):
        (folder / f"{i}_grading_report.json").write_text(POINTER)

    with pytest.raises(DocumentError, match="225 more files cannot be read either") as told:
        compared(documents[0], str(folder))
    assert str(told.value).count("Git LFS") == 1


def test_nan_is_no_score_and_no_medal(tmp_path):
    a = write_report(tmp_path / "a.json", [row(t, 0.4) for t in TASKS])
    b = Path(write_report(tmp_path / "b.json", [row(t, 0.6) for t in TASKS]))
    content = json.loads(b.read_text())
    content["competition_reports"][0]["score"] = float("nan")
    b.write_text(json.dumps(content))

    found = compared(a, str(b), metric="score")

    assert len(result(found).tasks) == 6
    assert any("NaN" in o.why and "read as null" in o.why for o in found.left_out)


def test_one_agent_of_a_document_is_chosen_by_name(tmp_path):
    both = write_document(tmp_path / "x.json", [*rows_of("a", NONE), *rows_of("b", ALL)])

    found = compared(f"{both}#a", f"{both}#b")

    assert result(found).mean == 1.0
    assert [v.agents for v in found.versions] == [("a",), ("b",)]
    with pytest.raises(UsageError, match="attempts of 2 agents") as told:
        compared(both, f"{both}#b")
    assert f"{both}#a" in str(told.value.remedy)
    with pytest.raises(UsageError, match="no graded attempt is of agent 'c'"):
        compared(f"{both}#c", f"{both}#b")


def test_run_groups_are_graded_and_their_records_compared(tmp_path, data_dir, submissions):
    a = write_group(tmp_path / "a", "a", [submissions["sample"], None])
    b = write_group(tmp_path / "b", "b", [submissions["perfect"]] * 2)

    found = compare(a, b, Options(data_dir), NOW)

    step = found.steps[0]
    assert (found.metric, result(found).n_pairs) == ("percentile", 2)
    assert [p.before for p in result(found).tasks[0].pairs] == [0.0, 0.0]
    assert found.versions[0].digests == ("a" * 64,)
    assert found.versions[0].started_at is not None
    assert step.attribution.conclusion == "open"  # models and prior knowledge are not declared
    assert step.attribution.unknown == ("prior knowledge",)


def test_a_run_group_in_mlebench_layout_has_no_record(tmp_path, data_dir, submissions):
    from tests.conftest import write_attempt

    for agent in ("a", "b"):
        write_attempt(
            tmp_path / f"2026_run-group_{agent}" / f"breast-cancer_{agent}",
            submission=submissions["sample"],
        )
    one, other = (str(tmp_path / f"2026_run-group_{a}") for a in ("a", "b"))

    found = compare(one, other, Options(data_dir), NOW)

    assert [v.agents for v in found.versions] == [("a",), ("b",)]
    assert found.steps[0].attribution.conclusion == "open"
    assert "agent digest" in {f.name for f in found.steps[0].fields if f.standing == "unknown"}


def _place(folder, side):
    return ",".join(str(folder / ("a.json" if name == "a" else name)) for name in side.split(","))


@pytest.mark.parametrize(
    ("sides", "error", "said"),
    [
        pytest.param(("a", "a"), UsageError, "both a.json", id="twice-the-same"),
        pytest.param(("a", "none"), UsageError, "nothing is there", id="not-there"),
        pytest.param(("a", "empty"), UsageError, "found none", id="empty-folder"),
        pytest.param(("a", "cut.json"), DocumentError, "JSON", id="truncated"),
        pytest.param(("a", "lfs.json"), DocumentError, "Git LFS", id="pointer"),
        pytest.param(("empty", "lfs.json"), UsageError, "Git LFS", id="both-told"),
        pytest.param(("empty,empty", "a"), UsageError, "if all are files", id="folder-in-list"),
        pytest.param(("a", "copy.json"), UsageError, "a copy", id="a-copy"),
        pytest.param(("a", "other.json"), DataError, "no task in common", id="other-tasks"),
        pytest.param(("a", "fixed.json"), DataError, "different variants", id="other-variant"),
    ],
)
def test_what_cannot_be_compared_is_refused_in_one_sentence(
    tmp_path, documents, sides, error, said
):
    (tmp_path / "empty").mkdir()
    (tmp_path / "cut.json").write_text('{"competition_reports": [')
    (tmp_path / "lfs.json").write_text(POINTER)
    (tmp_path / "copy.json").write_text(Path(documents[0]).read_text())
    write_report(tmp_path / "other.json", [row("elsewhere")])
    write_report(tmp_path / "fixed.json", [row(TASKS[0], seed=0, agent="f", variant="fixed")])

    with pytest.raises(error) as told:
        compared(*(_place(tmp_path, side) for side in sides))

    assert said in str(told.value)
    assert told.value.exit_code == (2 if error is UsageError else 3)


def test_a_measure_that_no_common_task_has_is_refused_with_another(tmp_path):
    files = [
        write_report(tmp_path / f"{a}.json", [row("t", seed=0, agent=a, board_kind="baselines")])
        for a in "ab"
    ]

    with pytest.raises(DataError, match="its board awards no medals") as told:
        compared(*files, metric="medal")
    assert "--metric percentile" in str(told.value.remedy)


def test_names_of_metrics_and_numbers_of_sides_are_checked():
    assert metric_named(None) is None
    assert metric_named("above-median") == "above-median"
    with pytest.raises(UnknownNameError, match="medals"):
        metric_named("medals")
    with pytest.raises(UsageError, match="found 3"):
        two(["a", "b", "c"])


def test_a_document_is_read_back_as_it_was(tmp_path, documents):
    found = compared(*documents)
    write_comparison(found, tmp_path / "c.json")

    assert read_comparison(tmp_path / "c.json") == found
    (tmp_path / "c.json").write_text('{"schema_version": 9}')
    with pytest.raises(DocumentError, match="found 9"):
        read_comparison(tmp_path / "c.json")


def test_no_path_of_this_machine_is_in_the_document(tmp_path, documents):
    assert str(tmp_path) not in compared(*documents).model_dump_json()
