"""A finding in plain text: all of its proof, and nothing that could harm a terminal."""

from __future__ import annotations

import re

import pytest

from competitions.errors import UnknownNameError, UsageError
from reports.explain import explain_findings, findings_named
from reports.schema import (
    HIDDEN,
    AuditReport,
    Check,
    Conclusion,
    Confidence,
    DetectorNote,
    Evidence,
    FileDigest,
    Finding,
    LogLines,
    Outcome,
    Quantity,
    RowOverlap,
    RowPair,
    Severity,
    Subject,
    SubjectKind,
    Verdict,
)
from tests.audit.test_vet import NOW


def report_of(*evidence: Evidence, message: str = "saw it") -> AuditReport:
    """A report with one finding about ``a`` and none about ``b``."""
    found: tuple[Finding, ...] = ()
    if evidence:
        found = (
            Finding.seen("d", "a", message, *evidence, severity=Severity.LOW,
                         confidence=Confidence.HIGH),
        )  # fmt: skip
    return AuditReport(
        tool_version="0", created_at=NOW, policy="p",
        subjects=tuple(Subject(id=i, kind=SubjectKind.ATTEMPT, title=i) for i in "ab"),
        detectors=(
            DetectorNote(id="d", family="rules", subject=SubjectKind.ATTEMPT, asks="Was it?",
                         blind_spots="Much.", reference="https://x"),
        ),
        checks=(Check(detector="d", subject="a", outcome=Outcome.FLAGGED, findings=found),),
        verdicts=tuple(Verdict(subject=i, conclusion=Conclusion.CLEAN) for i in "ab"),
    )  # fmt: skip


def explained(*evidence: Evidence, **rest: str) -> str:
    report = report_of(*evidence, **rest)
    return explain_findings(report, report.findings)


OVERLAP = RowOverlap(
    left_table="train", right_table="test", n_left=9, n_right=5, n_shared=2,
    compared_columns=("x",), pairs=(RowPair(left_row=7, right_row=3),), answers_agree=HIDDEN,
)  # fmt: skip


@pytest.mark.parametrize(
    ("evidence", "lines"),
    [
        pytest.param(
            LogLines(path="run.log", first_line=9, last_line=10, excerpt="$ a\nb", shows="names a"),
            ["run.log, line 9: names a", "     9 | $ a", "    10 | b"], id="log"),
        pytest.param(OVERLAP, ["2 of 5 rows of test also stand in train", "row 3 equals row 7",
                               f"same answer: {HIDDEN}"], id="rows"),
        pytest.param(Quantity(name="share", value=0.5, unit="%", reference=0.1),
                     ["share: 0.5 %, against 0.1"], id="number"),
        pytest.param(Quantity(name="share", value=0.5), ["share: 0.5"], id="bare-number"),
        pytest.param(FileDigest(path="a.csv", sha256="0f", shows="equal"),
                     ["a.csv sha256 0f: equal"], id="digest"),
    ],
)  # fmt: skip
def test_each_kind_of_proof_is_shown(evidence, lines):
    shown = explained(evidence)

    assert all(line in shown for line in lines)
    assert "severity low, confidence high" in shown
    assert "the question: Was it?" in shown
    assert "cannot see: Much." in shown


def test_rows_that_are_not_shown_are_counted():
    pairs = tuple(RowPair(left_row=n, right_row=n) for n in range(1, 11))
    some = OVERLAP.model_copy(update={"n_shared": 12, "n_right": 20, "pairs": pairs})

    assert "and 2 more" in explained(some)
    assert "more" not in explained(some.model_copy(update={"n_shared": 10}))


def test_an_agents_text_cannot_speak_to_the_terminal():
    evil = "\x1b[2J\x07\u202e\r\x00"
    proof = LogLines(path=evil, first_line=1, last_line=1, excerpt=evil, shows=evil)
    shown = explained(proof, message=evil)

    assert all(c.isprintable() or c == "\n" for c in shown)


def test_a_finding_is_named_by_its_id_or_by_whom_it_is_about():
    report = report_of(OVERLAP)
    (finding,) = report.findings

    assert findings_named(report, finding.id) == findings_named(report, "a") == (finding,)
    assert findings_named(report, "b") == ()
    assert "not checked" in explain_findings(report, ())


def test_an_unknown_name_is_told_with_its_neighbours():
    report = report_of(OVERLAP)
    (finding,) = report.findings

    with pytest.raises(UnknownNameError, match=r"list findings -d other\.json") as caught:
        findings_named(report, finding.id[:-1] + "x", "other.json")
    assert caught.value.near == [finding.id]


def with_subjects(*names: str) -> AuditReport:
    report = report_of(OVERLAP)
    more = tuple(Subject(id=n, kind=SubjectKind.ATTEMPT, title=n) for n in names)
    return report.model_copy(update={"subjects": (*report.subjects, *more)})


def test_a_beginning_that_only_one_id_has_is_enough():
    report = with_subjects("task:t:v1", "t_1", "u_11", "u_112")
    (finding,) = report.findings

    assert findings_named(report, finding.id[:5]) == (finding,)
    assert findings_named(report, "t_") == findings_named(report, "t:") == ()
    assert findings_named(report, "task:") == findings_named(report, "u_11") == ()


@pytest.mark.parametrize(
    ("names", "begin", "said"),
    [
        pytest.param(["u_1", "u_2"], "u_", "2 ids begin with 'u_':\n    u_1\n    u_2\n", id="two"),
        pytest.param([f"u_{i:02}" for i in range(24)], "u", "u_19\n    and 4 more", id="many"),
    ],
)
def test_a_beginning_of_several_ids_is_refused_with_twenty_of_them_at_most(names, begin, said):
    with pytest.raises(UsageError, match=re.escape(said)) as caught:
        findings_named(with_subjects(*names), begin, "mine.json")
    assert "mle-audit list findings -d mine.json" in str(caught.value.remedy)


def test_nothing_is_the_beginning_of_no_id():
    with pytest.raises(UnknownNameError):
        findings_named(report_of(OVERLAP), "")
