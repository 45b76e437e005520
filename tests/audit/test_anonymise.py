"""An anonymised document names nobody in any rendering, and its findings can still be followed."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from audit.anonymise import anonymise
from audit.cli import app
from audit.rejudge import judged
from audit.seal import held, sealed
from audit.suppressions import Said, Struck, appealed
from audit.verdict import load_policy
from reports.html import render_html
from reports.markdown import render_markdown
from reports.remarks import Rejudged
from reports.schema import (
    AuditReport,
    Check,
    CodeLines,
    Confidence,
    Finding,
    LogLines,
    Outcome,
    Severity,
    Subject,
    SubjectKind,
    write_audit,
)
from reports.sealing import SealedInput
from tests.reports.documents import sample

NOW = datetime(2026, 1, 1, tzinfo=UTC)
USER, HOST, FOLDER = "qwzkarl", "brzt77", "grpxlab"
ATTEMPT = "modechoice_1234"


def document(user=USER, host=HOST, folder=FOLDER, note="") -> AuditReport:
    """Make a document in which names stand in every kind of place."""
    runs = f"/srv/{folder}/{user}/runs/g"
    proof = LogLines(
        path="logs/agent.log", first_line=3, last_line=4,
        excerpt=f"{user}@{host}:~/w$ cat /private/data/answers.csv\n{note}",
        shows=f"{user} reads the answers.", output=f"/home/{user}/{folder}/x.csv",
    )  # fmt: skip
    code = CodeLines(
        path="code/main.py", first_line=7, last_line=7,
        excerpt=f"open('{runs}/{ATTEMPT}/data.csv')", shows="A file is opened.",
    )  # fmt: skip
    found = Finding.seen(
        "answers-read", ATTEMPT, f"On {host}, {user} read it.", proof, code,
        severity=Severity.HIGH, confidence=Confidence.HIGH,
    )  # fmt: skip
    other = Finding.seen(
        "answers-read", ATTEMPT, "Nobody is named.", code.model_copy(update={"excerpt": "x"}),
        severity=Severity.LOW, confidence=Confidence.LOW,
    )  # fmt: skip
    made = AuditReport(
        tool_version="1", created_at=NOW, policy="default",
        subjects=(
            Subject(
                id=ATTEMPT, kind=SubjectKind.ATTEMPT, title=f"baseline of {user}",
                competition="modechoice", agent="baseline", seed=0, path=f"{runs}/{ATTEMPT}",
                facts={"machine": f"{host}, 2 cores", f"said by {user}": "x"},
            ),
        ),
        detectors=(), verdicts=(),
        checks=(
            Check(
                detector="answers-read", subject=ATTEMPT, outcome=Outcome.FLAGGED,
                findings=(found, other), reason=f"no {runs}/y", parameters={"data": f"{user}_data"},
            ),
        ),
    )  # fmt: skip
    records = [Struck(finding=found.id, reason=f"ask {user}", author=f"{user.title()} Reviewer",
                      expires=date(2026, 2, 1))]  # fmt: skip
    said = [Said(finding=found.id, text=f"mail {user}@{host}.example.org", author="B. Team",
                 date=date(2026, 1, 1))]  # fmt: skip
    made = judged(made, load_policy(), NOW, records)
    made = made.model_copy(
        update={
            "appeals": appealed(said, made.findings),
            "rejudged": Rejudged(
                at=NOW, tool_version="1", from_policy="default", from_sha256="1" * 64
            ),
        }
    )
    inputs = [SealedInput(kind="code", name=ATTEMPT, path=f"{runs}/{ATTEMPT}", sha256="2" * 64)]
    return sealed(made, inputs)


def rendered(report) -> dict[str, str]:
    return {
        "json": report.model_dump_json(indent=2),
        "html": render_html(report),
        "markdown": render_markdown(report),
    }


NAMES = st.from_regex(r"[b-df-hj-np-tv-xz]{6,9}[a-z0-9]", fullmatch=True)


@settings(max_examples=25)
@given(st.lists(NAMES, min_size=3, max_size=3, unique=True), st.text(max_size=40))
def test_no_user_host_or_path_survives_in_any_rendering(names, note):
    user, host, folder = names
    shown = rendered(anonymise(document(user, host, folder, note)))

    left = {
        (form, name)
        for form, text in shown.items()
        for name in (*names, f"/srv/{folder}", "/home/")
        if name in text.lower() and name not in note.lower()
    }
    assert left == set()


def test_findings_stay_followable():
    before, after = document(), anonymise(document())
    (found, _), (log, code) = after.findings, after.findings[0].evidence

    assert isinstance(log, LogLines)
    assert isinstance(code, CodeLines)
    assert (log.path, log.first_line) == ("logs/agent.log", 3)
    assert "cat /private/data/answers.csv" in log.excerpt
    assert code.excerpt == f"open('folder-1/{ATTEMPT}/data.csv')"
    assert after.subjects[0].path == f"folder-1/{ATTEMPT}"
    assert after.subjects[0].competition == "modechoice"
    assert (found.detector, found.severity) == ("answers-read", Severity.HIGH)
    assert after.subjects[0].id == before.subjects[0].id


def test_an_id_that_would_let_one_try_names_is_made_anew_wherever_it_stands():
    before, after = document(), anonymise(document())
    old, new = before.findings[0].id, after.findings[0].id

    assert old != new
    assert old not in after.model_dump_json()
    assert after.verdicts[0].suppressed == (new,)
    assert after.suppressions[0].finding == new
    assert after.suppressions[0].findings == (new,)
    assert after.appeals_of(new) != ()
    assert after.findings[1].id == before.findings[1].id  # nothing in it was changed


def test_an_old_id_stands_in_no_sentence():
    before = document()
    (old, kept) = (f.id for f in before.findings)
    said = before.appeals[0].model_copy(update={"text": f"mle-audit explain {old}, not {kept}"})
    after = anonymise(before.model_copy(update={"appeals": (said,)}))

    assert after.appeals[0].text == f"mle-audit explain {after.findings[0].id}, not {kept}"


def test_a_policy_of_somebodys_own_is_not_named_by_its_digest():
    own, shipped = (
        document().model_copy(update={"policy_sha256": digest})
        for digest in ("3" * 64, load_policy("strict").sha256)
    )

    assert anonymise(own).policy_sha256 is None
    assert anonymise(shipped).policy_sha256 == shipped.policy_sha256


def test_what_would_confirm_a_guess_is_left_out_and_the_rest_is_sealed_anew(tmp_path):
    after = anonymise(document())
    write_audit(after, tmp_path / "audit.json")

    assert after.rejudged
    assert after.rejudged.from_sha256 is None
    assert after.anonymised
    assert after.seal
    assert after.seal.document != document().seal.document  # type: ignore[union-attr]
    assert [i.sha256 for i in after.seal.inputs] == ["2" * 64]
    assert held(tmp_path / "audit.json", inputs=False)[0].state == "as sealed"


def test_people_who_suppress_and_appeal_are_not_named():
    after = anonymise(document())

    assert {after.suppressions[0].author, after.appeals[0].author} == {"person-1", "person-2"}


def test_agents_keep_their_names_unless_asked():
    kept, gone = anonymise(sample()), anonymise(sample(), agents=True)

    assert {s.agent for s in kept.subjects} == {s.agent for s in sample().subjects}
    assert {s.agent for s in gone.subjects} == {"agent-1", "agent-2", "agent-3", None}
    assert "peeker" not in gone.model_dump_json()


def test_a_name_that_no_text_tells_is_hidden_when_it_is_named():
    report = document(note="Quentin was here")

    assert "Quentin" in anonymise(report).model_dump_json()
    assert "Quentin" not in anonymise(report, hide=["quentin"]).model_dump_json()


def test_a_document_that_names_nobody_keeps_all_its_texts():
    report = sample()
    after = anonymise(report)

    assert after.checks == report.checks
    assert after.grading == report.grading
    assert after.verdicts == report.verdicts


def test_anonymising_again_changes_nothing():
    once = anonymise(document())

    assert anonymise(once) == once


def test_the_result_is_a_document():
    text = anonymise(document()).model_dump_json()

    assert AuditReport.model_validate(json.loads(text)) == anonymise(document())


@pytest.mark.parametrize(
    ("words", "has_name"),
    [
        pytest.param([], True, id="as-it-is"),
        pytest.param(["--anonymise"], False, id="anonymised"),
        pytest.param(["--anonymise-agents"], False, id="with-agents"),
    ],
)
def test_the_verb_writes_no_name_into_any_file(tmp_path, words, has_name):
    write_audit(document(), tmp_path / "audit.json")
    files = tmp_path / "site"
    said = CliRunner().invoke(
        app,
        ["report", str(tmp_path / "audit.json"), "-o", str(files),
         "--format", "html,markdown,sarif,junit,csv,json", *words],
    )  # fmt: skip

    assert said.exit_code == 0
    texts = [p.read_text(encoding="utf-8") for p in files.iterdir()]
    assert len(texts) >= 6
    assert any(USER in t.lower() for t in texts) is has_name
    assert any(HOST in t.lower() for t in texts) is has_name


def test_hiding_a_name_is_a_part_of_anonymising(tmp_path):
    write_audit(document(), tmp_path / "audit.json")
    said = CliRunner().invoke(app, ["report", str(tmp_path / "audit.json"), "--hide", "x"])

    assert getattr(said.exception, "exit_code", 0) == 2
