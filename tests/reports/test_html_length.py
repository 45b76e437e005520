"""The page stays short: what repeats is folded or put together, and links lead to the whole."""

from __future__ import annotations

import re

import pytest

from reports.html import render_html
from reports.schema import Conclusion, Subject, SubjectKind
from tests.reports.documents import BOARDS, attempt_id, sample
from tests.reports.test_html import EXAMPLES, with_evidence


@pytest.fixture(scope="module")
def page():
    return render_html(sample())


def section(page, name):
    return page.split(f'<section id="{name}"')[1].split("</section>")[0]


def test_three_proofs_are_shown_and_the_rest_is_folded():
    lines = [EXAMPLES["log_lines"].model_copy(update={"first_line": n}) for n in range(1, 9)]

    made = render_html(with_evidence(*lines))

    shown, _, rest = made.partition('<details class="more">')
    assert shown.count('<figure class="evidence">') == 3
    assert "<summary>5 more proofs</summary>" in rest
    assert rest.partition("</details>")[0].count('<figure class="evidence">') == 5
    three = render_html(with_evidence(*lines[:3]))
    assert 'class="more"' not in three


def test_other_seeds_are_folded_with_verdict_seed_and_what_was_seen(page):
    told = section(page, "findings")
    folded = re.findall(r'<details class="other seed".*?<summary>(.*?)</summary>', told, re.DOTALL)

    assert told.count('<article class="attempt"') == 3
    assert len(folded) == 6
    plain = [re.sub(r"<[^>]+>", "", f) for f in folded]
    assert all("seed 1" in f or "seed 2" in f for f in plain)
    assert all("review" in f and "names the task" in f and "more)" in f for f in plain)


def rows_in_question(page):
    table = section(page, "findings").split("</table>")[0].split("<tbody")[1]
    return re.findall(r"<tr data-filter.*?</tr>", table, re.DOTALL)


def test_seeds_with_one_verdict_and_equal_findings_share_a_row_and_the_others_do_not(page):
    # seed 0 is to be disqualified; seeds 1 and 2 are for review, but seed 1 lacks one finding.
    assert len(rows_in_question(page)) == 9

    report = sample()
    checks = tuple(
        c.model_copy(update={"findings": c.findings[:1]}) if len(c.findings) > 1 else c
        for c in report.checks
    )
    alike = rows_in_question(render_html(report.model_copy(update={"checks": checks})))

    assert len(alike) == 6
    shared = [r for r in alike if "seeds" in r]
    assert len(shared) == 3
    for row, board in zip(sorted(shared), BOARDS, strict=True):
        for seed in (1, 2):
            place = f"subject-{attempt_id(board, 'peeker', seed)}".replace("_", "-")
            assert f'<a href="#{place}">{seed}</a>' in row


def test_scores_that_differ_are_all_told_in_a_shared_row():
    report = sample()
    grading = report.grading
    assert grading
    rows = tuple(
        r.model_copy(update={"score": 0.5 + (r.mle_audit.seed or 0) / 10})
        for r in grading.competition_reports
        if r.mle_audit
    )
    checks = tuple(c.model_copy(update={"findings": c.findings[:1]}) for c in report.checks)
    grading = grading.model_copy(update={"competition_reports": rows})

    made = render_html(report.model_copy(update={"grading": grading, "checks": checks}))

    shared = [r for r in rows_in_question(made) if "seeds" in r]
    assert all("0.60000<br>0.70000" in r for r in shared)


def test_places_of_proof_and_further_findings_are_links(page):
    row = rows_in_question(page)[0]

    assert re.search(r'<a href="#answers-read-[0-9a-f]{12}"><code class="nowrap">run\.log:12', row)


def test_more_than_three_findings_lead_to_the_attempts_section():
    report = with_evidence(EXAMPLES["quantity"])
    (first,) = report.findings
    many = tuple(first.model_copy(update={"id": f"d-{n}"}) for n in range(5))
    check = report.checks[0].model_copy(update={"findings": many})

    (row,) = rows_in_question(render_html(report.model_copy(update={"checks": (check,)})))

    assert '<a href="#subject-a">2 more findings</a>' in row


def test_a_long_fact_is_cut_in_the_table_and_whole_in_the_attempts_section():
    known = "The agent has read the public solutions of this task, " * 4
    subject = Subject(id="b", kind=SubjectKind.ATTEMPT, title="b", facts={"prior knowledge": known})
    report = with_evidence(EXAMPLES["quantity"])
    report = report.model_copy(update={"subjects": (*report.subjects, subject)})

    made = render_html(report)

    assert f'<span class="long" title="{known}">{known[:44]}…</span>' in section(made, "how")
    assert f"<dd>{known}</dd>" in section(made, "findings")


def test_the_glossary_explains_the_asterisk(page):
    told = section(page, "how")

    assert re.search(r"<dt>medal</dt><dd>[^<]*asterisk[^<]*not comparable with the board", told)


def test_a_page_where_nothing_could_be_judged_says_so_first():
    report = sample()
    verdicts = tuple(
        v.model_copy(update={"conclusion": Conclusion.UNDETERMINED}) for v in report.verdicts
    )

    made = render_html(report.model_copy(update={"verdicts": verdicts}))

    assert "<title>Audit of 27 attempts: none could be judged</title>" in made
    assert '<p class="answer">None of the 27 attempts could be judged.</p>' in made
