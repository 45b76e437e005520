"""Grading reports: MLE-bench's keys, counts, and mean ± standard error."""

from __future__ import annotations

import html
import json
import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from competitions.errors import DocumentError
from competitions.grade import Grade, Thresholds
from reports.grading import (
    Attempted,
    CompetitionReport,
    GradingReport,
    NotGraded,
    crowd,
    grade_rows,
    grading_report,
    headline,
    headlines,
    mean_sem,
    numbered,
    read_grading,
    report_of,
)
from reports.html import render_html
from reports.tables import headline_notes, headline_rows, score_rows
from reports.words import medal_share, medal_tasks
from tests.reports.documents import NOW, sample, sample_grading

ROW_KEYS = [
    "competition_id",
    "score",
    "gold_threshold",
    "silver_threshold",
    "bronze_threshold",
    "median_threshold",
    "any_medal",
    "gold_medal",
    "silver_medal",
    "bronze_medal",
    "above_median",
    "submission_exists",
    "valid_submission",
    "is_lower_better",
    "created_at",
    "submission_path",
]
TOTAL_KEYS = [
    "total_runs",
    "total_runs_with_submissions",
    "total_valid_submissions",
    "total_medals",
    "total_gold_medals",
    "total_silver_medals",
    "total_bronze_medals",
    "total_above_median",
    "competition_reports",
]
BOARD = Thresholds("kaggle", "0" * 64, 2288, 0.82066, 0.81388, 0.80967, 0.79565)


GRADED = Grade("spaceship-titanic", "v1", "graded", False, BOARD, 0.8)


def grade(**changes):
    return replace(GRADED, **changes)


def row(seed, *, medal=None, above=False, valid=True, agent="a", task="t"):
    return report_of(
        grade(
            competition_id=task, medal=medal, above_median=above,
            outcome="graded" if valid else "invalid", score=0.8 if valid else None,
        ),
        NOW,
        Attempted(f"{task}-{agent}-{seed}", agent, seed),
    )  # fmt: skip


def test_a_row_has_mle_benchs_keys_in_its_order_and_one_of_ours():
    assert list(CompetitionReport.model_fields) == [*ROW_KEYS, "mle_audit"]


def test_totals_have_mle_benchs_keys_in_its_order_and_one_of_ours():
    assert list(GradingReport.model_fields) == [*TOTAL_KEYS, "mle_audit"]


@pytest.mark.parametrize(
    ("outcome", "exists", "valid"),
    [
        pytest.param("graded", True, True, id="graded"),
        pytest.param("invalid", True, False, id="invalid"),
        pytest.param("missing", False, False, id="missing"),
        pytest.param("nan", True, True, id="nan-counts-as-valid-in-mle-bench"),
        pytest.param("infinite", True, True, id="infinite-counts-as-valid-in-mle-bench"),
        pytest.param("grader_error", True, False, id="our-crash-is-nobodys-valid-submission"),
    ],
)
def test_an_outcome_is_told_in_mle_benchs_words_and_truly_beside_them(outcome, exists, valid):
    made = report_of(grade(outcome=outcome, score=None), NOW)

    assert (made.submission_exists, made.valid_submission) == (exists, valid)
    assert made.mle_audit
    assert made.mle_audit.outcome == outcome


@pytest.mark.parametrize("medal", ["gold", "silver", "bronze", None])
def test_exactly_the_medal_that_was_won_is_told(medal):
    made = report_of(grade(medal=medal), NOW)

    assert made.any_medal is (medal is not None)
    assert [m for m in ("gold", "silver", "bronze") if getattr(made, f"{m}_medal")] == (
        [medal] if medal else []
    )


@pytest.mark.parametrize(
    ("values", "mean", "sem"),
    [
        pytest.param([], None, None, id="none"),
        pytest.param([0.25], 0.25, None, id="one-has-no-error"),
        pytest.param([0.5, 0.5], 0.5, 0.0, id="no-spread"),
        # deviations ±0.5, 0 -> variance (0.25 + 0.25) / 2 = 0.25, sd 0.5, sem 0.5 / sqrt(3)
        pytest.param([0.5, 1.0, 0.0], 0.5, 0.5 / math.sqrt(3), id="three"),
        # deviations -1.5, -.5, .5, 1.5 -> variance 5 / 3, sem sqrt(5 / 3 / 4)
        pytest.param([1.0, 2.0, 3.0, 4.0], 2.5, math.sqrt(5 / 12), id="four"),
        # deviations ±1, 0 of 5e307 -> sd 5e307; the sum alone would be no float
        pytest.param([5e307, 1e308, 1.5e308], 1e308, 5e307 / math.sqrt(3), id="huge"),
        pytest.param([-1.7e308, 1.7e308, 1.7e308], 1.7e308 / 3, None, id="huge-and-wide"),
    ],
)
def test_mean_and_error_are_those_computed_by_hand(values, mean, sem):
    found = mean_sem(values)

    assert (found.mean if found else None) == mean
    assert (found.sem if found else None) == (
        None if sem is None else pytest.approx(sem, rel=1e-12)
    )


@given(st.lists(st.floats(0, 1), min_size=2, max_size=20))
def test_the_mean_lies_within_and_equal_values_have_no_error(values):
    found, alike = mean_sem(values), mean_sem([values[0]] * len(values))

    assert found
    assert alike
    assert min(values) - 1e-12 <= found.mean <= max(values) + 1e-12
    assert found.sem is not None
    assert found.sem >= 0
    assert alike.sem == 0


def test_shares_are_taken_per_seed_first_and_then_averaged():
    # seed 0: 2 of 2 with a medal, seed 1: 0 of 1 -> mean of 1 and 0, not 2 of 3.
    rows = [row(0, medal="gold"), row(0, medal="bronze", task="u"), row(1)]

    made = headline("a", "all", rows)

    assert made.any_medal
    assert made.any_medal.mean == 0.5
    assert made.any_medal.sem == pytest.approx(0.5)  # sd sqrt(.5), divided by sqrt(2)
    assert (made.n_attempts, made.n_tasks, made.seeds) == (3, 2, (0, 1))


def test_every_agent_has_its_own_headline_in_alphabetical_order():
    made = headlines([row(0, agent="z"), row(0, agent="a", above=True), row(1, agent="z")])

    assert [(h.agent, h.n_attempts) for h in made] == [("a", 1), ("z", 2)]
    assert [h.above_median and h.above_median.mean for h in made] == [1.0, 0.0]


def test_of_runs_that_name_no_seed_the_nth_of_a_task_is_its_nth_seed():
    """As MLE-bench counts: so its runs have a standard error."""
    bare = [row(3, task=t, medal=m) for t, m in (("t", "gold"), ("u", None), ("t", None),
                                                 ("u", None))]  # fmt: skip
    bare = [r.model_copy(update={"mle_audit": None}) for r in bare]

    (made,) = headlines(bare)

    assert (made.agent, made.seeds, made.n_attempts) == ("unknown", (0, 1), 4)
    assert made.any_medal
    assert (made.any_medal.mean, made.any_medal.sem) == (0.25, 0.25)


def test_a_seed_that_is_named_is_kept_beside_runs_that_name_none():
    bare = row(3).model_copy(update={"mle_audit": None})

    assert [seed for seed, _ in numbered([row(3), bare, row(1), bare])] == [3, 0, 1, 1]


@given(
    st.lists(
        st.builds(
            row, st.integers(0, 3), medal=st.sampled_from([None, "gold", "silver", "bronze"]),
            above=st.booleans(), valid=st.booleans(), agent=st.sampled_from("ab"),
        ),
        max_size=12,
    )
)  # fmt: skip
def test_totals_are_counts_of_the_rows_and_headlines_count_each_row_once(rows):
    made = grading_report(rows, tool_version="0", now=NOW)

    assert made.total_runs == len(rows)
    assert made.total_medals == (
        made.total_gold_medals + made.total_silver_medals + made.total_bronze_medals
    )
    assert made.total_above_median == len([r for r in rows if r.above_median])
    assert made.mle_audit
    assert sum(h.n_attempts for h in made.mle_audit.headlines) == len(rows)


def test_a_report_reads_back_as_it_was_written(tmp_path):
    made = sample_grading()
    (tmp_path / "report.json").write_text(made.model_dump_json())

    assert read_grading(tmp_path / "report.json") == made


def test_mle_benchs_own_report_with_nan_is_read_as_null(tmp_path):
    own = dict.fromkeys(TOTAL_KEYS, 0) | {
        "competition_reports": [
            dict.fromkeys(ROW_KEYS, False)
            | {"competition_id": "x", "score": math.nan, "created_at": "", "submission_path": ""}
            | {f"{m}_threshold": math.inf for m in ("gold", "silver", "bronze", "median")}
        ]
    }
    (tmp_path / "report.json").write_text(json.dumps(own))

    (read,) = read_grading(tmp_path / "report.json").competition_reports

    assert read.score is None
    assert read.gold_threshold is None
    assert read.mle_audit is None


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param("{", "expected JSON", id="cut-off"),
        pytest.param('{"total_runs": 1}', "total_medals", id="keys-missing"),
        pytest.param(None, "no grading report here", id="missing"),
    ],
)
def test_what_is_no_grading_report_is_refused(content, said, tmp_path):
    path = tmp_path / "report.json"
    if content is not None:
        path.write_text(content)

    with pytest.raises(DocumentError, match=said):
        read_grading(path)


def on_board(seed, task, *, kind="kaggle", comparable=True, medal=None, agent="a"):
    """Grade an attempt on a board of some kind."""
    return report_of(
        grade(
            competition_id=task,
            medal=medal,
            thresholds=replace(BOARD, kind=kind),
            comparable=comparable,
        ),
        NOW,
        Attempted(f"{task}-{agent}-{seed}", agent, seed),
    )


def test_medals_are_counted_over_the_tasks_that_award_them():
    rows = [on_board(s, "k", medal="gold") for s in (0, 1)]
    rows += [on_board(s, t, kind="baselines") for s in (0, 1, 2) for t in "bc"]

    made = headline("a", "all", rows)

    # seed 2 has no task that awards medals: it is in no mean of medals, but in the others.
    assert made.any_medal
    assert (made.any_medal.mean, made.any_medal.sem) == (1.0, 0.0)
    assert (made.n_medal_tasks, made.n_tasks, made.n_attempts) == (1, 3, 8)
    assert made.seeds == (0, 1, 2)
    assert made.valid_submission
    assert made.medals_comparable


def test_without_a_board_that_awards_medals_there_is_no_medal_rate():
    made = headline("a", "all", [on_board(0, "b", kind="baselines", comparable=False)])

    assert made.any_medal is None
    assert made.n_medal_tasks == 0
    assert made.medals_comparable  # no medal that could be taken for one is counted
    assert medal_share(made) == "–"


@pytest.mark.parametrize("medal", [None, "gold"])
def test_one_row_off_the_boards_terms_makes_the_rate_not_comparable(medal):
    rows = [on_board(0, "k"), on_board(1, "m", comparable=False, medal=medal)]

    made = headline("a", "all", rows)

    assert not made.medals_comparable
    assert medal_share(made).endswith("%*")


def test_rows_of_mle_bench_all_count_for_medals_and_are_comparable():
    bare = [row(s, task=t, medal="gold" if t == "u" else None) for s in (0, 1) for t in "tu"]
    bare = [r.model_copy(update={"mle_audit": None}) for r in bare]

    (made,) = headlines(bare)

    assert made.any_medal
    assert made.any_medal.mean == 0.5
    assert (made.n_medal_tasks, made.n_tasks, made.medals_comparable) == (2, 2, True)


def test_the_tables_mark_medals_that_mean_nothing_and_say_so_below():
    rows = [on_board(0, "k", medal="gold"), on_board(0, "mini", medal="silver", comparable=False)]
    out = NotGraded(attempt="x_1", competition_id="x", why="no such task")
    made = grading_report(rows, tool_version="0", now=NOW, not_graded=[out])

    head, table = score_rows(made)
    medals = [r[head.index("medal")] for r in table]

    assert medals == ["gold", "silver*"]
    assert headline_rows(made)[1][0][3] == "100.00 %*"
    assert headline_notes(made) == [
        "Medals are counted over 2 of 2 tasks.",
        "* not comparable with the board: mini",
        "1 attempt was not graded and counts in no figure.",
    ]
    assert ("medal", "silver*") in grade_rows(rows[1])[1]


CROWDED = replace(BOARD, most_common=0.8, share_most_common=286 / 2288)
BASELINES = Thresholds("baselines", "0" * 64, 11, None, None, None, 0.7, 0.8, 2 / 11)


@pytest.mark.parametrize(
    ("changes", "note"),
    [
        pytest.param(
            {"thresholds": CROWDED, "is_most_common": True},
            "equal to the board's most common score, that of 12.5% of its 2288 teams",
            id="most-common",
        ),
        pytest.param(
            {"thresholds": BASELINES, "is_most_common": True},
            "equal to the board's most common score, that of 18.2% of its 11 baselines",
            id="baselines",
        ),
        pytest.param({"thresholds": CROWDED}, "", id="another-score"),
        pytest.param(
            {"thresholds": CROWDED, "is_most_common": True, "comparable": False},
            "* not comparable with the board",
            id="not-the-boards-data",
        ),
    ],
)
def test_a_score_that_most_teams_have_is_told_in_every_table(changes, note):
    made = report_of(grade(percentile=41.62, **changes), NOW)
    head, (line,) = score_rows(grading_report([made], tool_version="0", now=NOW))
    facts = {name: value for name, value in grade_rows(made)[1]}  # noqa: C416 - typed as long rows

    assert line[head.index("note")] == note
    assert facts.get("note", "") == note
    assert facts["percentile"] == "41.6"
    assert made.mle_audit
    assert made.mle_audit.is_most_common is changes.get("is_most_common", False)
    assert (made.mle_audit.share_most_common is None) is not made.mle_audit.is_most_common


def test_a_row_written_before_crowds_were_told_reads_back_without_one():
    written = json.loads(report_of(grade(), NOW).model_dump_json())
    for name in ("is_most_common", "share_most_common"):
        del written["mle_audit"][name]

    read = CompetitionReport.model_validate(written)

    assert crowd(read) == ""


def test_the_page_tells_beside_an_attempts_evidence_that_its_score_is_a_common_one():
    document = sample()
    assert document.grading
    rows = tuple(
        r.model_copy(update={"mle_audit": r.mle_audit.model_copy(update={"is_most_common": True})})
        for r in document.grading.competition_reports
        if r.mle_audit
    )
    crowded = document.grading.model_copy(update={"competition_reports": rows})
    page = html.unescape(render_html(document.model_copy(update={"grading": crowded})))

    assert "It is equal to the board's most common score. " in page
    assert "most common score" not in html.unescape(render_html(document))


@pytest.mark.parametrize(
    ("tasks", "said"),
    [
        pytest.param([], "", id="no-headline"),
        pytest.param([(None, 3)], "", id="older-document"),
        pytest.param([(0, 3), (0, 2)], "No board here awards medals", id="none"),
        pytest.param([(1, 3), (1, 3)], "over 1 of 3 tasks; boards made of baselines", id="alike"),
        pytest.param([(75, 75), (22, 22)], "over all tasks: each has a board", id="all"),
        pytest.param([(1, 3), (2, 2)], "award them: a 1 of 3 and b 2 of 2.", id="apart"),
        pytest.param([(i, 9) for i in range(9)], "h 7 of 9 and 1 more agent.", id="many"),
    ],
)
def test_over_how_many_tasks_medals_count_is_said(tasks, said):
    one = headline("a", "all", [row(0)])
    lines = [
        one.model_copy(update={"agent": "abcdefghi"[i], "n_medal_tasks": n, "n_tasks": total})
        for i, (n, total) in enumerate(tasks)
    ]

    assert said in medal_tasks(lines)
    assert bool(medal_tasks(lines)) is bool(said)


def test_the_verb_grade_tells_what_the_tables_tell(tmp_path, monkeypatch, capsys):
    from audit.commands.grade import grade as verb

    rows = [on_board(0, "mini", medal="gold", comparable=False)]
    made = grading_report(rows, tool_version="0", now=NOW)
    monkeypatch.setattr("audit.grading.grade_groups", lambda *_: made)

    verb([tmp_path], None, tmp_path, json=False)

    said = capsys.readouterr().out
    assert "gold*" in said
    assert "100.00 %*" in said
    assert "* not comparable with the board: mini" in said
