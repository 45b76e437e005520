"""CSV tables: whole, read back by pandas, and nothing that a spreadsheet would run."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.csv_tables import CHECKS, FINDINGS, TASKS, VERDICTS, cell, render_tables
from tests.reports.documents import empty, sample
from tests.reports.hostile import ugly

HEADS = {
    "findings.csv": FINDINGS, "verdicts.csv": VERDICTS, "checks.csv": CHECKS, "tasks.csv": TASKS,
}  # fmt: skip


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def tasks_of(report):
    import pandas as pd

    return pd.read_csv(io.StringIO(render_tables(report)["tasks.csv"]))


@pytest.mark.parametrize(
    "make", [empty, sample, lambda: ugly(9, 40)], ids=["empty", "sample", "ugly"]
)
def test_every_finding_check_and_verdict_is_a_row(make):
    report = make()
    made = {name: rows(text) for name, text in render_tables(report).items()}

    assert set(made) == set(HEADS)
    assert sorted(r["id"] for r in made["findings.csv"]) == sorted(
        cell(f.id) for f in report.findings
    )
    assert len(made["checks.csv"]) == len(report.checks)
    assert len(made["verdicts.csv"]) == len(report.verdicts)
    assert sum(int(r["attempts"]) for r in made["tasks.csv"]) == sum(
        s.kind == "attempt" for s in report.subjects
    )


def test_a_task_is_told_with_its_scores_medals_and_what_is_in_question():
    found = tasks_of(sample())
    row = found[(found.agent == "baseline") & (found.competition == "spaceship-titanic")].iloc[0]
    peeker = found[found.agent == "peeker"]

    assert (row.attempts, row.gold, row.silver, row.bronze) == (3, 1, 0, 1)
    assert row.best_score == 0.82184
    assert row.mean_score == pytest.approx((0.81034 + 0.78736 + 0.82184) / 3)
    assert row.comparable_with_board == "no"
    assert list(peeker.in_question) == [3, 3, 3]


def test_lower_is_better_where_the_task_says_so():
    found = tasks_of(sample())
    row = found[(found.agent == "baseline") & (found.competition == "modechoice")].iloc[0]

    assert row.best_score == 0.87113


def test_findings_say_whether_a_verdict_rests_on_them():
    made = rows(render_tables(sample())["findings.csv"])
    decisive = {b for v in sample().verdicts if v.conclusion in {"review", "disqualify"}
                for b in v.because}  # fmt: skip

    assert {r["id"] for r in made if r["decisive"] == "yes"} == decisive
    assert "no" in {r["decisive"] for r in made}


@pytest.mark.parametrize(
    ("value", "written"),
    [
        pytest.param('=HYPERLINK("http://x")', '\'=HYPERLINK("http://x")', id="formula"),
        pytest.param("+1", "'+1", id="plus"),
        pytest.param("@SUM(A1)", "'@SUM(A1)", id="at"),
        pytest.param("-2+3", "'-2+3", id="minus"),
        pytest.param("\t=1", "'\t=1", id="tab"),
        pytest.param("＝1", "'＝1", id="full-width"),
        pytest.param(-2.5, "-2.5", id="a-number-of-ours"),
        pytest.param("a=b", "a=b", id="inside"),
        pytest.param("\x1b=1", "⟨ESC⟩=1", id="control"),
    ],
)
def test_no_cell_is_a_formula(value, written):
    assert cell(value) == written


@given(st.text(max_size=20))
def test_a_text_is_read_back_as_one_cell_that_starts_harmlessly(text):
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow([cell(text), "end"])
    ((first, last),) = csv.reader(io.StringIO(line.getvalue()))

    assert last == "end"
    assert not first.startswith(("=", "+", "-", "@", "\t", "\r", "\n"))
