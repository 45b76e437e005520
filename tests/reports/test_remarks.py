"""Suppressions and appeals stand in every rendering, whole and harmless, and hide no finding."""

from __future__ import annotations

import html
import itertools
import json
import re
from datetime import UTC, date, datetime

import pytest

from reports.csv_tables import render_tables
from reports.explain import explain_findings
from reports.html import render_html
from reports.junit import render_junit
from reports.markdown import plain, render_markdown
from reports.remarks import Appeal, Rejudged, Suppression
from reports.sarif import render_sarif
from reports.schema import AuditReport, Conclusion
from reports.words import concluded
from tests.reports.documents import sample
from tests.reports.hostile import HOSTILE
from tests.reports.test_html import Outline

BASE = sample()
FOUND, APPEALED = BASE.findings[0], BASE.findings[1]
UNTIL = date(2026, 12, 31)


def suppression(state="acts", finding=FOUND.id, findings=(FOUND.id,), said="A known bug.", **rest):
    return Suppression(
        finding=finding, reason=said, author="A. Reviewer", expires=UNTIL, state=state,
        findings=findings, **rest,
    )  # fmt: skip


def document(*suppressions, text="It is our own log.", **rest) -> AuditReport:
    acting = {i for s in suppressions if s.state == "acts" for i in s.findings}
    verdicts = tuple(
        v.model_copy(
            update={
                "because": tuple(b for b in v.because if b not in acting),
                "suppressed": tuple(b for b in v.because if b in acting),
            }
        )
        for v in BASE.verdicts
    )
    appeal = Appeal(finding=APPEALED.id, text=text, author="B. Team", date=date(2026, 3, 1))
    update = {"suppressions": suppressions, "appeals": (appeal,), "verdicts": verdicts, **rest}
    return BASE.model_copy(update=update)


REPORT = document(suppression())
RENDERERS = {
    "html": lambda r: html.unescape(render_html(r)),
    "markdown": render_markdown,
    "explain": lambda r: explain_findings(r, r.findings),
    "sarif": render_sarif,
    "junit": render_junit,
    "csv": lambda r: "\n".join(render_tables(r).values()),
}


@pytest.mark.parametrize("render", RENDERERS.values(), ids=list(RENDERERS))
def test_reason_author_and_last_day_stand_in_every_rendering(render):
    text = render(REPORT).replace("\\", "")

    for said in ("A known bug.", "A. Reviewer", "2026-12-31"):
        assert said in text


@pytest.mark.parametrize("render", RENDERERS.values(), ids=list(RENDERERS))
def test_an_appeal_stands_in_every_rendering(render):
    text = render(REPORT).replace("\\", "")

    for said in ("It is our own log.", "B. Team", "2026-03-01"):
        assert said in text


def test_the_page_shows_appeal_and_suppression_with_their_finding():
    page = render_html(REPORT)
    parts = page.split('<details class="finding"')[1:]
    struck = [p for p in parts if f"<code>{FOUND.id}</code>" in p.split("</details>")[0]]
    appealed = [p for p in parts if f"<code>{APPEALED.id}</code>" in p.split("</details>")[0]]

    assert any("<b>Suppressed</b>" in p and ", suppressed</span>" in p for p in struck)
    assert any("It is our own log." in p and ", appealed</span>" in p for p in appealed)
    assert FOUND.message in html.unescape(page)


def test_the_page_lists_all_suppressions_with_links_to_what_they_fit():
    gone = suppression("unused", "answers-read-ffffffffffff", ())
    late = Suppression(
        detector="answers-read", competition="modechoice", reason="Old.", author="C", expires=UNTIL,
        state="expired", findings=(APPEALED.id,),
    )  # fmt: skip
    page = render_html(document(suppression(), gone, late))
    section = page.partition('<section id="remarks"')[2].partition("</section>")[0]

    assert section.count('<th scope="row"') == 3
    for said in ("acts", "expired, acts no more", "unused, fits nothing",
                 "answers-read, competition modechoice"):  # fmt: skip
        assert said in section
    for anchor in re.findall(r'href="#([^"]+)"', section):
        assert f'id="{anchor}"' in page
    assert f"<code>{FOUND.id}</code></a>" in section


@pytest.mark.parametrize("state", ["expired", "unused"])
def test_what_does_not_act_strikes_nothing_out(state):
    report = document(suppression(state))

    assert report.suppression_of(FOUND.id) is None
    assert "<b>Suppressed</b>" not in render_html(report)
    assert state in render_markdown(report)


@pytest.mark.parametrize("render", [render_html, render_markdown], ids=["html", "markdown"])
def test_hostile_words_of_people_stay_words(render):
    report = document(suppression(said=HOSTILE), text=f"{HOSTILE}\n{HOSTILE}")
    text = render(report)

    assert not re.search(r"(?<!\\)<(script>alert|img)", text)
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_links_ids_and_headings_of_a_page_with_remarks_are_in_order():
    outline = Outline(render_html(document(suppression(), suppression("expired"))))

    assert len(outline.ids) == len(set(outline.ids))
    assert {t[1:] for t in outline.targets} <= set(outline.ids)
    assert all(b - a <= 1 for a, b in itertools.pairwise(outline.headings))


def test_markdown_lists_all_suppressions_however_many():
    many = [suppression(said=f"reason {i}.") for i in range(40)]
    text = render_markdown(document(*many))

    assert all(plain(f"reason {i}.") in text for i in range(40))


@pytest.mark.parametrize("render", [render_html, render_markdown], ids=["html", "markdown"])
def test_the_first_lines_say_that_findings_count_no_more(render):
    text = render(document(suppression(), suppression("expired")))

    assert "1 finding counts in no verdict: suppressed by people." in text
    assert "1 suppression ended and acts no more." in text
    assert "suppressed by people" not in render(document(suppression("unused")))


def test_a_document_without_remarks_has_no_section_for_them():
    assert 'id="remarks"' not in render_html(BASE)
    assert "Suppressed" not in render_markdown(BASE)


def test_a_verdict_that_is_clean_but_for_what_is_suppressed_does_not_say_that_nothing_was_seen():
    verdict = REPORT.verdicts[0].model_copy(
        update={"conclusion": Conclusion.CLEAN, "suppressed": (FOUND.id,)}
    )

    assert "struck out" in concluded(verdict)
    assert "struck out" not in concluded(verdict.model_copy(update={"suppressed": ()}))


@pytest.mark.parametrize("render", [render_html, render_markdown], ids=["html", "markdown"])
def test_a_document_that_was_judged_anew_says_so(render):
    how = Rejudged(
        at=datetime(2026, 7, 1, tzinfo=UTC), tool_version="1", from_policy="default",
        from_sha256="ab" * 32,
    )  # fmt: skip
    text = render(document(rejudged=how, policy="strict"))

    for said in ("judged anew on 2026-07-01", "by policy strict", "ab" * 32):
        assert said in text
    assert "judged anew" not in render(BASE)


def test_remarks_do_not_change_what_a_reader_of_version_1_must_know():
    content = json.loads(BASE.model_dump_json())
    for name in ("suppressions", "appeals", "rejudged", "seal", "anonymised", "policy_sha256"):
        content.pop(name)

    assert AuditReport.model_validate(content) == BASE
