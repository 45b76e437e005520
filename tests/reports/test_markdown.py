"""The summary: short, the answer first, and hostile text harmless."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.caveats import made_again, protection
from reports.grading import NotGraded, grading_report
from reports.html import render_html
from reports.markdown import code, fitting, plain, render_markdown
from reports.overview import Overview
from reports.schema import Check, Conclusion, Outcome, Subject, SubjectKind, Verdict
from tests.reports.copy_documents import audit_of, passages, seen
from tests.reports.documents import NOW, empty, sample
from tests.reports.hostile import ugly


def test_the_summary_of_27_attempts_fits_a_screen_and_answers_first():
    made = render_markdown(sample())

    lines = made.splitlines()
    assert (
        lines[0]
        == "## 9 of 27 attempts are in question (all 9 of agent peeker), 2 could not be judged."
    )
    assert len(lines) <= 60


def test_a_table_with_columns_of_one_letter_is_a_table_for_markdown():
    made = render_markdown(audit_of(seen("t_1", passages(p=None, q=None))))

    rules = [line for line in made.splitlines() if re.fullmatch(r"\|[ :|-]+\|", line)]
    cells = [cell.strip() for rule in rules for cell in rule.strip("|").split("|")]
    assert len(rules) == 2
    assert all(re.fullmatch(":?-+:?", cell) for cell in cells)


def test_every_attempt_in_question_is_named_with_reason_and_place_of_proof():
    made = render_markdown(sample())

    rows = [r for r in made.splitlines() if r.startswith(("| disqualify", "| review"))]
    assert len(rows) == 9
    assert all("private folder 3 times" in r for r in rows)
    assert all(re.search(r"`runs/demo/[a-z-]+_[0-9a-f]{8}/run\.log:12-16`", r) for r in rows)


def test_the_headline_stands_there_with_and_without():
    made = render_markdown(sample())

    assert re.search(r"baseline \| all attempts +\| +9 \| 66.67 ± 33.33 %\\\* \|", made)
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
        r"\* not comparable with the board: spaceship-titanic: its data are not",
        "Medals are counted over 1 of 3 tasks; boards made of baselines award none.",
        "2 attempts that could not be judged still count in the figures without",
        "plagiarism, familiarity, grading and claims (no detector of this family was run)",
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


@pytest.mark.parametrize("text", ["www.e.com", "a WWW.e.com", "_www.e.com", "(www.e.com)"])
def test_plain_text_has_no_address_that_becomes_a_link(text):
    assert not re.search(r"(?i)www\.", plain(text))


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
            Conclusion.UNDETERMINED, "None of the 27 attempts could be judged.", "3", id="gap"
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
        "10 of 27 attempts are in question "
        "(all 9 of agent peeker and 1 of 9 of agent baseline), 2 could not be judged."
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


def test_some_that_could_not_be_judged_are_told_where_none_is_in_question():
    report = sample()
    verdicts = tuple(
        v.model_copy(update={"conclusion": Conclusion.CLEAN})
        if v.conclusion in {Conclusion.REVIEW, Conclusion.DISQUALIFY}
        else v
        for v in report.verdicts
    )

    over = Overview(report.model_copy(update={"verdicts": verdicts}))

    assert over.answer == "None of the 27 attempts is in question, 2 could not be judged."


def test_where_all_was_judged_nothing_is_said_of_unjudged_attempts():
    report = sample()
    verdicts = tuple(
        v.model_copy(update={"conclusion": Conclusion.CLEAN})
        if v.conclusion is Conclusion.UNDETERMINED
        else v
        for v in report.verdicts
    )

    made = render_markdown(report.model_copy(update={"verdicts": verdicts}))

    assert made.startswith("## 9 of 27 attempts are in question: all 9 of agent peeker.\n")
    assert "could not be judged" not in made


def with_facts(facts):
    """Give facts to the attempts of some agents of the sample."""
    report = sample()
    subjects = tuple(
        s.model_copy(update={"facts": s.facts | facts.get(s.agent, {})}) for s in report.subjects
    )
    return report.model_copy(update={"subjects": subjects})


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        pytest.param({}, [], id="all-protected"),
        pytest.param(
            {"peeker": {"sandbox": "none, network on"}},
            ["9 of 27 attempts ran without a sandbox (of agent peeker): the answers, the"],
            id="no-sandbox",
        ),
        pytest.param(
            {
                "peeker": {"missing protections": "no seccomp filter; no memory limit"},
                "baseline": {"sandbox": "none, network on", "missing protections": "all"},
            },
            [
                "9 of 27 attempts ran without a sandbox (of agent baseline)",
                "9 of 27 attempts ran with protections missing (of agent peeker): "
                "no seccomp filter and no memory limit.",
            ],
            id="both-each-counted-once",
        ),
    ],
)
def test_attempts_without_protection_are_told_at_the_top(facts, said):
    report = with_facts(facts)

    assert [s for s in said if s not in render_markdown(report).split("### Headline")[0]] == []
    assert [s for s in said if s not in render_html(report).split("<nav")[0]] == []
    assert len(protection(Overview(report))) == len(said)


@pytest.mark.parametrize(
    ("tries", "said"),
    [
        pytest.param("none", [], id="none"),
        pytest.param("interrupted, interrupted", [], id="interrupted-only"),
        pytest.param(
            "interrupted, crashed, timed_out",
            [
                "9 of 27 attempts had ended before and were made again (of agent baseline; earlier "
                "tries: crashed and timed out). Their figures are those of the last try."
            ],
            id="chosen-among",
        ),
    ],
)
def test_attempts_that_were_made_again_are_told_at_the_top(tries, said):
    report = with_facts({"baseline": {"earlier tries": tries}})

    assert made_again(Overview(report)) == said
    assert [s for s in said if s not in render_markdown(report).split("### Headline")[0]] == []
    assert [s for s in said if s not in render_html(report).split("<nav")[0]] == []


def ungraded(report, count=3):
    """Say of a document's first attempts that they were not graded."""
    gone = [s.id for s in report.subjects[:count]]
    left = [NotGraded(attempt=a, competition_id="x", why="No such task here.") for a in gone]
    rows = [r for r in report.grading.competition_reports if r.mle_audit.attempt not in gone]
    grading = grading_report(rows, tool_version="0", now=NOW, not_graded=left)
    return report.model_copy(update={"grading": grading})


def test_attempts_without_a_grade_are_counted_at_the_headline_and_listed_with_the_reason():
    report = ungraded(sample())

    made = render_markdown(report)
    headline, gaps = made.split("### Not checked")

    assert "3 attempts were not graded and count in no figure." in headline
    assert "- 3 attempts not graded: No such task here." in gaps
    page = render_html(report)
    section = page.split('id="headline"')[1]
    assert "3 attempts were not graded and count in no figure." in section.split("</section>")[0]
    missing = page.split('id="gaps"')[1].split("</section>")[0]
    assert "No such task here." in missing
    assert all(s.title in missing for s in report.subjects[:3])


def test_equal_reasons_of_several_detectors_and_attempts_are_one_line():
    report = sample()
    silent = tuple(
        Check(detector=d, subject=s.id, outcome=Outcome.NOT_AVAILABLE, reason="There is no code.")
        for s in report.subjects[:10]
        for d in ("a", "b", "c")
    )

    made = render_markdown(report.model_copy(update={"checks": silent}))

    assert "- `a`, `b` and `c` not available for 10 subjects: There is no code." in made
    assert made.count("There is no code.") == 1


@pytest.mark.parametrize(
    ("conclusion", "said"),
    [
        pytest.param(Conclusion.CLEAN, "is not in question.", id="clean"),
        pytest.param(Conclusion.REVIEW, "is in question.", id="review"),
        pytest.param(Conclusion.UNDETERMINED, "could not be judged.", id="gap"),
    ],
)
def test_a_single_attempt_is_not_counted(conclusion, said):
    report = sample()
    (one, *_) = report.subjects
    verdict = next(v for v in report.verdicts if v.subject == one.id)
    alone = report.model_copy(
        update={
            "subjects": (one,),
            "checks": (),
            "verdicts": (verdict.model_copy(update={"conclusion": conclusion, "because": ()}),),
        }
    )

    assert Overview(alone).answer == f"The only attempt, of agent {one.agent}, {said}"


@given(
    st.lists(st.text(max_size=30).map(lambda t: t.replace("\n", " ")), min_size=2),
    st.integers(150, 400),
)
def test_a_summary_fits_a_comment_and_says_how_much_did_not(lines, most):
    lines = [*lines, "limits", "made by"]
    made = fitting(lines, most)
    whole = "\n".join(lines) + "\n"
    kept = made.split("\n")[:-1]

    assert len(made) <= most
    assert made.endswith("\nlimits\nmade by\n")
    if len(whole) <= most:
        assert made == whole
    else:
        assert kept[:-3] == lines[: len(kept) - 3]
        assert f"… and {len(lines) - 2 - len(kept[:-3]):,} more lines" in made


@pytest.mark.parametrize(
    ("conclusions", "said"),
    [
        pytest.param((), "No attempt was audited.", id="nothing"),
        pytest.param(
            ("note",), "No attempt was audited; the only group is not in question.", id="one"
        ),
        pytest.param(
            ("note", "note"), "No attempt was audited; none of 2 groups is in question.", id="none"
        ),
        pytest.param(
            ("review", *["note"] * 10),
            "No attempt was audited; 1 of 11 groups is in question.", id="one-of-many",
        ),
    ],
)  # fmt: skip
def test_where_only_published_figures_were_vetted_the_first_sentence_says_how_they_stand(
    conclusions, said
):
    names = [f"group:{n}" for n in range(len(conclusions))]
    report = empty().model_copy(
        update={
            "subjects": tuple(Subject(id=n, kind=SubjectKind.GROUP, title=n) for n in names),
            "verdicts": tuple(
                Verdict(subject=n, conclusion=c) for n, c in zip(names, conclusions, strict=True)
            ),
        }
    )

    assert render_markdown(report).startswith(f"## {said}\n")
    assert "mores" not in render_markdown(report)


@pytest.mark.parametrize("render", [render_markdown, render_html])
def test_attempts_that_lack_the_same_are_one_gap_though_each_reason_names_its_own(render):
    names = [f"t_{n}" for n in range(30)]
    report = empty().model_copy(
        update={
            "subjects": tuple(Subject(id=n, kind=SubjectKind.ATTEMPT, title=n) for n in names),
            "checks": tuple(
                Check(
                    detector="d",
                    subject=n,
                    outcome=Outcome.NOT_AVAILABLE,
                    reason=f"{n} has no code.",
                )
                for n in names
            ),
        }
    )
    text = render(report)
    gaps = text[text.index('id="gaps_h"' if "<html" in text else "### Not checked") :]

    assert gaps.count("has no code.") == 1
    assert "t_7 has" not in gaps.replace("\\", "")


@pytest.mark.parametrize(
    ("kind", "conclusions", "said"),
    [
        pytest.param("task", ("review",), "The task s:0 is in question.", id="one"),
        pytest.param("model", ("note",), "The model s:0 is not in question.", id="model"),
        pytest.param("task", ("undetermined",), "The task s:0 could not be judged.", id="silent"),
        pytest.param("task", ("note", "clean"), "None of 2 tasks is in question.", id="none"),
        pytest.param(
            "task", ("disqualify", "review", "undetermined"),
            "2 of 3 tasks are in question, 1 could not be judged.", id="several",
        ),
    ],
)  # fmt: skip
def test_an_audit_of_tasks_or_models_alone_speaks_of_them_and_of_no_attempt(
    kind, conclusions, said
):
    names = [f"s:{n}" for n in range(len(conclusions))]
    report = empty().model_copy(
        update={
            "subjects": tuple(Subject(id=n, kind=SubjectKind(kind), title=n) for n in names),
            "verdicts": tuple(
                Verdict(subject=n, conclusion=c) for n, c in zip(names, conclusions, strict=True)
            ),
        }
    )
    for made in (render_markdown(report), render_html(report)):
        assert said in made
        assert "ttempts in question" not in made
        assert "Headline" not in made
