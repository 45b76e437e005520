"""The summary: short, the answer first, and hostile text harmless."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.markdown import code, plain, render_markdown
from reports.overview import Overview
from reports.schema import Conclusion, SubjectKind
from tests.reports.documents import empty, sample
from tests.reports.hostile import ugly


def test_the_summary_of_27_attempts_fits_a_screen_and_answers_first():
    made = render_markdown(sample())

    lines = made.splitlines()
    assert lines[0] == "## 9 of 27 attempts are in question: all 9 of agent peeker."
    assert len(lines) <= 60


def test_every_attempt_in_question_is_named_with_reason_and_place_of_proof():
    made = render_markdown(sample())

    rows = [r for r in made.splitlines() if r.startswith(("| disqualify", "| review"))]
    assert len(rows) == 9
    assert all("private folder 3 times" in r for r in rows)
    assert all(re.search(r"`runs/demo/[a-z-]+_[0-9a-f]{8}/run\.log:12-16`", r) for r in rows)


def test_the_headline_stands_there_with_and_without():
    made = render_markdown(sample())

    assert re.search(r"baseline \| all attempts +\| +9 \| 22.2 ± 11.1 % \|", made)
    assert re.search(r"peeker +\| without those in question \| +0 \| +– \|", made)


@pytest.mark.parametrize(
    "said",
    [
        "no detector of this family was run",
        "`answers-read` failed for 1 subject",
        "`answers-read` not available for 1 subject: The attempt left no log.",
        "`exact-row-overlap` not applicable",
        "task modechoice, note: note: 2 of 84 test rows",
        "2 undetermined",
        "ends with exit code 1",
    ],
)
def test_what_was_not_checked_and_the_rest_is_told(said):
    assert said in render_markdown(sample())


def test_an_audit_of_any_size_stays_short_and_plain():
    made = render_markdown(ugly())

    assert len(made.splitlines()) <= 60
    assert len(made) < 40_000
    assert "and 205 more attempts" in made
    assert not re.search(r"(?<![\\`])<script", re.sub(r"`[^`\n]*`", "", made))
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e]", made)


def test_an_audit_of_nothing_claims_nothing():
    made = render_markdown(empty())

    assert "No attempt was audited" in made
    assert "No check was made" in made
    assert "exit code 0" not in made


@given(st.text(max_size=200))
def test_plain_text_is_one_line_with_all_mark_up_escaped(text):
    made = plain(text)

    assert "\n" not in made
    assert len(made.splitlines()) <= 1
    assert not re.search(r"(?<!\\)[`|<>*_\[\]#]", made.replace("\\\\", ""))
    assert "://" not in made
    assert "@" not in made


@given(st.text(max_size=200))
def test_code_has_no_backtick_or_bar_but_its_own_ends(text):
    made = code(text)

    assert made[0] == made[-1] == "`"
    assert not set(made[1:-1]) & {"`", "|", "\n"}
    assert len(made) > 2


@pytest.mark.parametrize(
    ("conclusion", "answer", "exit_code"),
    [
        pytest.param(Conclusion.CLEAN, "None of the 27 attempts is in question.", "0", id="clean"),
        pytest.param(Conclusion.NOTE, "None of the 27 attempts is in question.", "0", id="note"),
        pytest.param(
            Conclusion.UNDETERMINED, "None of the 27 attempts is in question.", "3", id="gap"
        ),
        pytest.param(Conclusion.REVIEW, "27 of 27 attempts are in question", "1", id="review"),
    ],
)
def test_the_answer_and_the_gate_follow_the_verdicts(conclusion, answer, exit_code):
    report = sample()
    all_alike = tuple(
        v.model_copy(update={"conclusion": conclusion})
        for v in report.verdicts
        if not v.subject.startswith("task:")
    )

    over = Overview(report.model_copy(update={"verdicts": all_alike}))

    assert over.answer.startswith(answer)
    assert over.exit.endswith(f"exit code {exit_code}")


def test_the_agents_of_some_attempts_in_question_are_counted_apart():
    report = sample()
    doubted = [s.id for s in report.subjects if s.agent == "baseline"][:1]
    verdicts = tuple(
        v.model_copy(update={"conclusion": Conclusion.REVIEW}) if v.subject in doubted else v
        for v in report.verdicts
    )

    over = Overview(report.model_copy(update={"verdicts": verdicts}))

    assert over.answer == (
        "10 of 27 attempts are in question: all 9 of agent peeker and 1 of 9 of agent baseline."
    )


def test_subjects_that_only_checks_name_are_not_lost():
    report = sample()
    over = Overview(report.model_copy(update={"subjects": ()}))

    assert len(over.attempts) == 27
    assert {a.subject.kind for a in over.others} == {SubjectKind.TASK}


def test_graded_rows_of_nobody_are_counted():
    report = sample()
    fewer = report.model_copy(
        update={"subjects": report.subjects[2:], "checks": (), "verdicts": ()}
    )

    assert Overview(fewer).n_ungraded == 2
