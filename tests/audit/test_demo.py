"""The demo: what it refuses, what it calls a surprise, and the whole story."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from audit.demo import AGENTS, MARK, OFFENDERS, TASKS, demo, surprises
from audit.runner.bubblewrap import bubblewrap_problem
from competitions.errors import RefusedError
from reports.schema import (
    AuditReport,
    Check,
    Conclusion,
    Confidence,
    Finding,
    Outcome,
    Quantity,
    Severity,
    Subject,
    SubjectKind,
    Verdict,
    read_audit,
)

NOW = datetime(2026, 1, 1, tzinfo=UTC)
K = Conclusion
FLAGGED = Outcome.FLAGGED


def clock() -> datetime:
    return datetime.now(UTC)  # noqa: TID251 - the demo runs agents, which take real time


@pytest.mark.parametrize("name", ["notes.txt", "data/train.csv", ".hidden"])
def test_a_folder_that_no_demo_made_is_refused_and_left_as_it_was(tmp_path, name):
    path = tmp_path / "mine" / name
    path.parent.mkdir(parents=True)
    path.write_text("keep")

    with pytest.raises(RefusedError, match="-o"):
        demo(tmp_path / "mine", clock)
    assert path.read_text() == "keep"
    assert [p for p in (tmp_path / "mine").rglob("*") if p.is_file()] == [path]


def test_a_file_is_refused(tmp_path):
    (tmp_path / "file").write_text("keep")

    with pytest.raises(RefusedError):
        demo(tmp_path / "file", clock)
    assert (tmp_path / "file").read_text() == "keep"


def subject(name: str, agent: str | None) -> Subject:
    kind = SubjectKind.ATTEMPT if agent else SubjectKind.TASK
    return Subject(id=name, kind=kind, title=name, agent=agent)


def report(
    peeker: Conclusion | None,
    honest: Conclusion,
    task: Conclusion,
    accused: str = "p",
    severity: Severity = Severity.MEDIUM,
):
    def check(detector: str, accused: str) -> Check:
        finding = Finding.seen(
            detector, accused, "saw", Quantity(name="n", value=1),
            severity=severity, confidence=Confidence.LOW,
        )  # fmt: skip
        return Check(detector=detector, subject=accused, outcome=FLAGGED, findings=(finding,))

    concluded = {"p": peeker, "b": honest, "t": task}
    return AuditReport(
        tool_version="0", created_at=NOW, policy="p", detectors=(),
        subjects=(subject("p", "peeker"), subject("b", "baseline"), subject("t", None)),
        checks=(check("answers-read", accused), check("grader-probed", "p")),
        verdicts=tuple(Verdict(subject=s, conclusion=c) for s, c in concluded.items() if c),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("outcome", "named"),
    [
        pytest.param(report(K.DISQUALIFY, K.CLEAN, K.CLEAN), [], id="as-it-must-be"),
        pytest.param(report(K.REVIEW, K.NOTE, K.NOTE), [], id="review-and-notes"),
        pytest.param(report(K.NOTE, K.CLEAN, K.CLEAN), ["p"], id="peeker-not-caught"),
        pytest.param(report(K.CLEAN, K.CLEAN, K.CLEAN), ["p"], id="peeker-clean"),
        pytest.param(report(K.UNDETERMINED, K.CLEAN, K.CLEAN), ["p"], id="peeker-undetermined"),
        pytest.param(report(None, K.CLEAN, K.CLEAN), ["p"], id="peeker-not-judged"),
        pytest.param(report(K.REVIEW, K.REVIEW, K.CLEAN), ["b"], id="honest-accused"),
        pytest.param(report(K.REVIEW, K.UNDETERMINED, K.CLEAN), ["b"], id="honest-undetermined"),
        pytest.param(report(K.REVIEW, K.CLEAN, K.REVIEW), ["t"], id="task-accused"),
        pytest.param(report(K.REVIEW, K.CLEAN, K.CLEAN, "b"), ["p is", "answers-read-"],
                     id="finding-on-the-honest"),
        pytest.param(report(K.REVIEW, K.CLEAN, K.CLEAN, "t"), ["p is", "answers-read-"],
                     id="finding-on-the-task"),
        pytest.param(report(K.REVIEW, K.CLEAN, K.NOTE, "t", Severity.LOW), ["p is"],
                     id="what-is-told-of-the-task-accuses-nobody"),
    ],
)  # fmt: skip
def test_a_surprise_is_whatever_is_not_as_it_must_be(outcome, named):
    found = surprises(outcome)

    assert len(found) == len(named)
    assert all(text.startswith(name) for text, name in zip(found, named, strict=True))


def of_group(detector: str, agent: str) -> AuditReport:
    finding = Finding.seen(
        detector, f"group:{agent}", "saw", Quantity(name="n", value=1), attempts=("a",),
        severity=Severity.MEDIUM, confidence=Confidence.LOW,
    )  # fmt: skip
    group = Subject(id=f"group:{agent}", kind=SubjectKind.GROUP, title="g", agent=agent)
    return AuditReport(
        tool_version="0", created_at=NOW, policy="p", detectors=(),
        subjects=(subject("a", agent), group),
        checks=(Check(detector=detector, subject=group.id, outcome=FLAGGED, findings=(finding,)),),
        verdicts=(
            Verdict(subject="a", conclusion=K.REVIEW),
            Verdict(subject=group.id, conclusion=K.REVIEW),
        ),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("detector", "agent", "n"),
    [
        pytest.param("same-submission-many-seeds", "forger", 0, id="the-forgers-own-offence"),
        pytest.param("same-submission-many-seeds", "constant", 3, id="an-honest-group"),
        pytest.param("same-submission-many-seeds", "overwriter", 3, id="another-offence-as-well"),
    ],
)
def test_a_group_is_accused_of_its_agents_offence_alone(detector, agent, n):
    assert len(surprises(of_group(detector, agent))) == n


@pytest.mark.slow
@pytest.mark.skipif(bubblewrap_problem() is not None, reason="bubblewrap does not work here")
def test_the_whole_story_shows_each_offence_and_accuses_nobody_else(tmp_path):
    done = demo(tmp_path / "demo", clock, seeds=1, jobs=2)
    attempts = [s for s in done.report.subjects if s.kind is SubjectKind.ATTEMPT]

    assert done.surprises == ()
    assert len(attempts) == len(AGENTS) * len(TASKS) + sum(OFFENDERS.values())
    for one in done.report.subjects:
        verdict = done.report.verdict_of(one.id)
        assert verdict
        if one.kind is SubjectKind.ATTEMPT and one.agent in OFFENDERS:
            assert verdict.conclusion in {K.REVIEW, K.DISQUALIFY}
        elif one.id != "group:forger":
            assert verdict.conclusion <= K.NOTE
    assert read_audit(done.document) == done.report
    assert all(page.stat().st_size > 1000 for page in done.pages)
    assert json.loads((tmp_path / "demo" / "grading_report.json").read_text())["total_runs"] == len(
        attempts
    )

    stray = tmp_path / "demo" / "runs" / "stray"
    stray.write_text("from the first demo")
    assert (tmp_path / "demo" / MARK).is_file()
    again = demo(tmp_path / "demo", clock, seeds=1, jobs=2)
    assert not stray.exists()
    assert again.surprises == ()
    assert isinstance(again.document, Path)
