"""How far figures hold: which attempts each row counts, on real rows of 75 tasks, three seeds."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.rejudge import UNJUDGED, judged
from audit.sensitivity import (
    EVERYTHING,
    FAILED,
    beats,
    category_of,
    counted_rows,
    is_degenerate,
    is_leaky,
    sensitivities,
)
from audit.verdict import Rule, load_policy
from audit.vet import vet
from competitions.spec import catalog_ids
from detectors.claims.known_exploitable_task import exploitable
from detectors.group import Group
from reports.claims import split_tasks
from reports.grading import CompetitionReport, GradeDetails
from reports.schema import read_audit, write_audit
from tests.detectors.claims.twins import file_of, row, seed

NOW = datetime(2026, 1, 1, tzinfo=UTC)
LEAKY, DEGENERATE, PLAIN = (
    "random-acts-of-pizza",
    "aerial-cactus-identification",
    "spooky-author-identification",
)
LENIENT = load_policy().model_copy(
    update={"conclusions": (Rule(severity="note", conclude="note"),)}
)
REPAIRED = "without tasks whose data give answers away"
ANY_OF_THESE = "without any of these"


@pytest.fixture(scope="module")
def real(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reports")
    files = tuple(file_of(folder, f"seed_{n}.json", seed(n)) for n in (1, 2, 3))
    (made,) = sensitivities((), (Group("agent", reports=files),), ())
    return made


def attempt(task, cell, number=0, *, agent="a", variant="v1", kind="kaggle", comparable=True):
    return CompetitionReport.model_validate(row(task, cell)).model_copy(
        update={
            "mle_audit": GradeDetails(
                outcome="graded", board_kind=kind, board_sha256="", board_n_teams=1,
                variant=variant, comparable_with_board=comparable, agent=agent, seed=number,
                attempt=f"{agent}_{task}_{variant}_{number}",
            )
        }
    )  # fmt: skip


def rows_of(one):
    return {r.name: r for r in one.rows}


def medals(one, name):
    return round(100 * rows_of(one)[name].figures.any_medal.mean, 2)


def test_real_reports_give_the_published_figures_for_each_split(real):
    told = {r.name: r.figures.any_medal for r in real.of_kind("split")}

    assert {n: (round(100 * e.mean, 2), round(100 * e.sem, 2)) for n, e in told.items()} == {
        "low": (62.12, 1.52), "medium": (36.84, 1.52), "high": (33.33, 0.0), "all": (43.56, 0.89),
    }  # fmt: skip
    assert rows_of(real)[EVERYTHING].figures.any_medal.mean == told["all"].mean
    assert all(r.note == "" for r in real.of_kind("split"))
    assert {t.task for t in real.tasks} == split_tasks("all")


def test_the_interval_over_tasks_is_wider_than_the_error_over_seeds(real):
    one = rows_of(real)[EVERYTHING].figures.any_medal

    assert one.low < one.mean - 4 * one.sem < one.mean + 4 * one.sem < one.high


def test_leaky_tasks_and_degenerate_boards_are_left_out_by_name(real):
    found = rows_of(real)

    assert LEAKY in found[REPAIRED].left_out
    assert found[REPAIRED].figures.n_tasks == 75 - len(found[REPAIRED].left_out) == 62
    assert DEGENERATE in found["without degenerate boards"].left_out
    assert found["without degenerate boards"].figures.n_tasks == 73
    assert found[ANY_OF_THESE].figures.n_tasks == 60
    assert all(found[n].changes for n in (REPAIRED, "without degenerate boards", ANY_OF_THESE))


def test_published_rows_name_no_attempts_so_none_can_be_left_out(real):
    unchanged = rows_of(real)[UNJUDGED]

    assert not unchanged.changes
    assert unchanged.note == "the same: its rows name no attempt of this audit"
    assert unchanged.figures == rows_of(real)[EVERYTHING].figures


def test_percentiles_come_from_the_pinned_boards_where_reports_have_none(real):
    assert 0.5 < rows_of(real)[EVERYTHING].figures.percentile.mean < 0.6
    assert beats(CompetitionReport.model_validate(row(PLAIN, 0.0))) == 1.0  # a log loss of none
    assert beats(CompetitionReport.model_validate(row(PLAIN, "missing"))) is None


def test_pass_at_k_starts_at_the_headline_and_grows(real):
    curve = [p for p in real.at_k if p.flag == "any_medal"]

    assert [p.k for p in curve] == [1, 2, 3]
    assert round(100 * curve[0].estimate.mean, 2) == 43.56
    assert round(100 * curve[2].estimate.mean, 2) == 50.67  # 38 of 75 tasks
    assert all(p.left_out == () for p in curve)


def test_an_incomplete_seed_of_a_report_is_not_counted(tmp_path):
    files = (
        file_of(tmp_path, "whole.json", seed(1)),
        file_of(tmp_path, "part.json", seed(2)[:-1]),
    )

    (counted,) = counted_rows((), (Group("agent", reports=files),))

    assert len(counted.rows) == 75


def test_attempts_in_question_are_left_out_and_again_counted_as_failed():
    rows = [attempt(PLAIN, 0.1), attempt(DEGENERATE, 1.0), attempt(DEGENERATE, 1.0, 1)]
    guilty = {rows[0].mle_audit.attempt}

    (one,) = sensitivities(rows, (), guilty)

    assert medals(one, EVERYTHING) == 100.0
    assert medals(one, UNJUDGED) == 100.0
    assert rows_of(one)[UNJUDGED].left_out == tuple(guilty)
    assert rows_of(one)[UNJUDGED].figures.n_attempts == 2
    assert medals(one, FAILED) == 75.0  # half of seed 0, all of seed 1
    assert rows_of(one)[FAILED].figures.n_attempts == 3


@settings(max_examples=20)
@given(
    st.lists(
        st.tuples(
            st.sampled_from([PLAIN, "leaf-classification"]), st.booleans(), st.integers(0, 2)
        ),
        min_size=1,
        max_size=12,
    )
)
def test_a_row_that_leaves_nothing_out_equals_the_first_and_says_so(made):
    rows = [attempt(task, 0.01 if good else 9.0, number) for task, good, number in made]

    (one,) = sensitivities(rows, (), ())

    whole = rows_of(one)[EVERYTHING].figures
    for found in one.of_kind("variation")[1:]:
        assert found.changes == bool(found.left_out)
        if not found.changes:
            assert found.figures == whole
            assert found.note.startswith("the same: ")
    assert not rows_of(one)[UNJUDGED].changes
    assert not rows_of(one)[FAILED].changes


def test_where_no_attempt_is_left_there_is_no_row_but_a_reason():
    one_attempt = attempt(LEAKY, 0.9)

    (one,) = sensitivities([one_attempt], (), {one_attempt.mle_audit.attempt})

    missing = {o.name: o.why for o in one.omitted}
    assert missing[UNJUDGED] == missing[REPAIRED] == missing[ANY_OF_THESE] == "no attempt is left"
    assert missing["variant fixed only"] == "no attempt was made under it"
    assert missing["split high"] == "none of its 15 tasks is here"
    assert "pass@1" in missing["pass@k"]
    assert medals(one, FAILED) == 0.0
    assert not missing.keys() & rows_of(one).keys()


def test_attempts_under_fixed_stand_alone_and_have_no_leak_any_more():
    rows = [attempt(LEAKY, 0.5), attempt(LEAKY, 0.9, variant="fixed", comparable=False)]

    (one,) = sensitivities(rows, (), ())

    fixed = rows_of(one)["variant fixed only"]
    assert (fixed.figures.n_attempts, fixed.figures.comparable) == (1, False)
    assert rows_of(one)[REPAIRED].figures == fixed.figures.model_copy(
        update={"any_medal": rows_of(one)[REPAIRED].figures.any_medal}
    )
    assert not is_leaky(LEAKY, "fixed")


def test_a_part_of_a_split_says_how_much_of_it_is_there():
    (one,) = sensitivities([attempt(PLAIN, 0.5), attempt("AI4Code", 0.5)], (), ())

    assert [(r.name, r.note) for r in one.of_kind("split")] == [
        ("low", "1 of its 22 tasks"), ("medium", "1 of its 38 tasks"), ("all", "2 of its 75 tasks"),
    ]  # fmt: skip


def test_each_agent_is_told_for_itself_and_does_not_move_when_another_is_added():
    own = [attempt(task, 0.3, n) for task in (PLAIN, "leaf-classification") for n in (0, 1)]
    other = [attempt(PLAIN, 0.9, agent="b")]

    alone, both = sensitivities(own, (), ()), sensitivities([*other, *own], (), ())

    assert [s.agent for s in both] == ["a", "b"]
    assert both[0] == alone[0]


def test_every_task_of_the_catalog_can_be_sorted():
    found = {
        task: (category_of(task), is_leaky(task), is_degenerate(task)) for task in catalog_ids()
    }

    assert found["breast-cancer"][0] == "not in MLE-bench: tabular"
    assert category_of("no-such-task") == "not known"
    assert not is_leaky("no-such-task")
    assert not is_degenerate("no-such-task")
    # Few of the leaks on record give answers away; nobody would believe a row without the others.
    of_75 = split_tasks("all")
    assert sum(is_leaky(t) for t in of_75) == 13
    assert sum(bool(exploitable(t)) for t in of_75) > 60


def test_vet_puts_it_into_the_document_and_a_new_judgement_changes_it(group, data_dir, tmp_path):
    report = vet((group,), data_dir, load_policy(), NOW, select=("answers-read",))
    path = tmp_path / "audit.json"
    write_audit(report, path)

    assert read_audit(path) == report
    told = {s.agent: s for s in report.sensitivity}
    assert list(told) == ["honest", "peeking"]
    assert told["peeking"].omitted[0].name == UNJUDGED
    assert not rows_of(told["honest"])[UNJUDGED].changes
    lenient = judged(report, LENIENT, NOW).sensitivity
    assert [s.agent for s in lenient] == ["honest", "peeking"]
    assert not rows_of(lenient[1])[UNJUDGED].changes
    assert judged(report, load_policy(), NOW).sensitivity == report.sensitivity


def test_what_was_published_stays_when_a_document_is_judged_anew(real, group, data_dir):
    report = vet((group,), data_dir, load_policy(), NOW, select=("answers-read",))
    with_real = report.model_copy(update={"sensitivity": (real, *report.sensitivity)})

    assert real in judged(with_real, LENIENT, NOW).sensitivity
