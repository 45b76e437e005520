"""A finding about a group is as easy to follow to its attempts as any other."""

from __future__ import annotations

import re

import pytest

from reports.explain import explain_findings, findings_named
from reports.html import render_html
from reports.markdown import render_markdown
from reports.overview import Overview
from reports.page import MAX_CONCERNED
from reports.schema import (
    AuditReport,
    Check,
    Conclusion,
    Confidence,
    FileDigest,
    Finding,
    Outcome,
    Severity,
    Subject,
    SubjectKind,
    Verdict,
)
from tests.reports.documents import empty

K = Conclusion


def report(n: int = 3, severity: Severity = Severity.MEDIUM, named: int | None = None):
    """Return a document on an agent's attempts of which the first few share a file."""
    names = [f"t_{number}" for number in range(n)]
    concerned = names[:named]
    finding = Finding.seen(
        "same-file", "group:x", "They share a file.",
        *(FileDigest(path=f"{a}/submission/s.csv", sha256="0" * 64, shows="it") for a in concerned),
        severity=severity, confidence=Confidence.MEDIUM, attempts=tuple(concerned),
    )  # fmt: skip
    grave = severity >= Severity.MEDIUM
    return AuditReport(
        **{
            **empty().model_dump(),
            "subjects": (
                *(Subject(id=a, kind=SubjectKind.ATTEMPT, title=f"x on t, seed {i}", agent="x",
                          competition="t", seed=i, path=f"/runs/{a}") for i, a in enumerate(names)),
                Subject(id="group:x", kind=SubjectKind.GROUP, title="of agent x", agent="x"),
            ),
            "checks": (
                Check(detector="same-file", subject="group:x", outcome=Outcome.FLAGGED,
                      findings=(finding,)),
                *(Check(detector="other", subject=a, outcome=Outcome.CLEAN) for a in names),
            ),
            "verdicts": (
                *(Verdict(subject=a, conclusion=K.REVIEW, because=(finding.id,))
                  if grave and a in concerned else Verdict(subject=a, conclusion=K.CLEAN)
                  for a in names),
                Verdict(subject="group:x", conclusion=K.REVIEW if grave else K.NOTE,
                        because=(finding.id,)),
            ),
        }
    )  # fmt: skip


def test_the_attempts_it_names_are_in_question_with_that_finding():
    over = Overview(report(named=2))

    assert [a.subject.id for a in over.in_question] == ["t_0", "t_1"]
    assert all(len(a.findings) == 1 for a in over.in_question)
    assert over.answer == "2 of 3 attempts are in question: 2 of 3 of agent x."


def test_a_note_about_a_group_stays_with_the_group():
    over = Overview(report(severity=Severity.NOTE))

    assert over.in_question == ()
    assert [len(a.findings) for a in over.attempts] == [0, 0, 0]
    assert [len(a.findings) for a in over.others] == [1]


def test_every_link_of_the_page_leads_somewhere_and_none_twice():
    page = render_html(report())
    anchors = re.findall(r'\bid="([^"]+)"', page)
    links = set(re.findall(r'href="#([^"]+)"', page))

    assert len(anchors) == len(set(anchors))
    assert links <= set(anchors)
    assert "x on t, seed 2</a>" in page.partition("Concerns")[2]


def test_the_place_of_the_proof_is_told_from_each_attempt():
    lines = [line for line in render_markdown(report()).splitlines() if "/submission" in line]

    assert len(lines) >= 3
    for number in range(3):
        assert any(f"`/runs/t_{number}/submission/s.csv" in line for line in lines)


@pytest.mark.parametrize("name", ["group:x", "t_0", "t_1"])
def test_it_is_explained_under_the_group_and_under_each_attempt(name):
    document = report(named=2)
    text = explain_findings(document, findings_named(document, name))

    assert "They share a file." in text
    assert "concerns: t_1" in text


def test_an_attempt_it_does_not_name_has_nothing_to_explain():
    document = report(named=2)

    assert findings_named(document, "t_2") == ()


def test_of_very_many_attempts_some_are_named_and_the_rest_counted():
    page = render_html(report(MAX_CONCERNED + 5))

    assert " and 5 more. " in page


def test_the_summary_tells_every_finding_about_a_group_but_notes_in_full():
    one = report()
    (check, *rest) = one.checks
    (seen,) = check.findings
    long = "A published figure; " * 15
    more = tuple(
        seen.model_copy(update={"id": f"same-file-{n}", "message": f"{long}{n}.", "severity": s})
        for n, s in enumerate((Severity.LOW, Severity.LOW, Severity.NOTE))
    )
    findings = check.model_copy(update={"findings": (seen, *more)})
    text = render_markdown(one.model_copy(update={"checks": (findings, *rest)}))

    assert "- group of agent x, review:\n  - medium: They share a file.\n" in text
    assert f"  - low: {long}0.\n  - low: {long}1.\n  - 1 milder finding\n" in text
    assert f"{long}2." not in text
