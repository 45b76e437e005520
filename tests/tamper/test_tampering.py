"""Nothing tried from inside succeeds in bubblewrap; without, the record says what was open."""

from __future__ import annotations

import html
import json
import os
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from audit.runner.sandbox import MISSING
from audit.verdict import load_policy
from audit.vet import vet
from detectors.record import VALIDATION_LOG, ValidationCall
from reports.html import render_html
from reports.markdown import render_markdown
from reports.schema import write_audit
from tests.audit.runner.tiny import CANARY, make_agent, run_once
from tests.tamper.probes.inside import probes
from tests.tamper.tamperings import TAMPERINGS, missing_test

ROOT = Path(__file__).parents[2]
NAMES = sorted(probes())
NOW = datetime(2026, 1, 1, tzinfo=UTC)
ROWS = {row.id: row for row in TAMPERINGS}


_REFUSALS = ("PermissionError", "Operation not permitted", "not allowed to raise")


@pytest.mark.sandbox
@pytest.mark.parametrize("name", NAMES)
def test_it_does_not_succeed_in_bubblewrap(inside, name):
    outcome = inside.outcomes[name]
    assert not outcome.succeeded, outcome.because
    assert not outcome.because.startswith("no answer"), f"it was not tried: {outcome.because}"


@pytest.mark.parametrize("name", NAMES)
def test_it_can_succeed(unprotected, careless, name):
    """A probe that never works would prove nothing."""
    tried = [t.outcomes[name] for t in (unprotected, careless) if name in t.outcomes]
    if any(outcome.succeeded for outcome in tried):
        return
    if any(outcome.is_absent for outcome in tried):
        pytest.skip(f"not on this machine: {tried[0].because}")
    because = "; ".join(outcome.because for outcome in tried)
    if os.geteuid() or any(word in because for word in _REFUSALS):
        pytest.skip(f"whoever runs this may not: {because}")
    pytest.fail(because)


# ------------------------------------------------------------------ what can be seen from outside


@pytest.mark.sandbox
def test_nothing_outside_was_written_and_nobody_lives_on(inside):
    assert inside.marks == set()
    assert inside.host.survivors() == set()
    assert inside.ran.record.harness_changed == ()


@pytest.mark.sandbox
def test_the_log_of_calls_holds_the_calls_and_nothing_else(inside):
    lines = (inside.ran.path / VALIDATION_LOG).read_text().splitlines()
    told = inside.outcomes["validation-log/lines-in-names-and-contents"].because
    assert len(lines) == inside.ran.record.validation_calls == 1, told
    assert [ValidationCall.model_validate_json(line).result for line in lines] == ["invalid"]


@pytest.mark.sandbox
def test_the_record_of_the_sandbox_misses_only_what_this_machine_cannot(inside):
    assert not set(inside.ran.record.sandbox.missing_protections) & set(MISSING["none"])


# ------------------------------------------------------------------ what was open is named


def succeeded_without_a_sandbox(unprotected) -> set[str]:
    return {name.partition("/")[0] for name, o in unprotected.outcomes.items() if o.succeeded}


def test_without_a_sandbox_much_succeeds(unprotected):
    """On the machine of an ordinary user as well: read, see, reach and change."""
    least = {"answers-by-path", "answers-by-proc", "network", "records", "next-seed"}
    assert least <= succeeded_without_a_sandbox(unprotected)


@pytest.mark.parametrize("row", TAMPERINGS, ids=lambda row: row.id)
def test_what_succeeds_without_a_sandbox_is_named_in_record_and_reports(unprotected, row, report):
    if row.id not in succeeded_without_a_sandbox(unprotected):
        return
    assert row.missing in unprotected.ran.record.sandbox.missing_protections
    page, document = report
    assert html.escape(row.missing) in page
    assert row.missing in document


@pytest.fixture(scope="module")
def report(unprotected, tmp_path_factory) -> tuple[str, str]:
    """The page and the document about the attempt without a sandbox."""
    host = unprotected.host
    audit = vet([unprotected.ran.path], host.root / "data", load_policy(), NOW)
    path = tmp_path_factory.mktemp("report") / "audit.json"
    write_audit(audit, path)
    facts = [subject["facts"] for subject in json.loads(path.read_text())["subjects"]]
    return render_html(audit).replace("&#39;", "&#x27;"), json.dumps(facts)


def test_every_sentence_about_a_missing_sandbox_belongs_to_a_class():
    assert set(MISSING["none"]) == {row.missing for row in TAMPERINGS if row.missing}


# ------------------------------------------------------------------ links that are left behind

LEAVE = """
for place in "$SUBMISSION_DIR/submission.csv" "$CODE_DIR/main.py" "$LOGS_DIR/agent.log" \\
             "$LOGS_DIR/trajectory.jsonl" "$CODE_DIR/notes.ipynb"; do
    ln -s {answers} "$place"
done
ln -s {folder} "$CODE_DIR/package"
ln -s {folder} "$LOGS_DIR/more"
sleep 1.3
"""


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["none", pytest.param("bubblewrap", marks=pytest.mark.sandbox)])
def test_links_that_an_attempt_leaves_are_followed_by_nobody(
    kind, tmp_path, interpreters, unprotected
):
    """Snapshots, digests, grades, detectors and reports all look at the folders."""
    task, answers = unprotected.host.task, unprotected.host.targets["answers"]
    start = LEAVE.format(answers=answers, folder=Path(answers).parent)
    agent = make_agent(tmp_path / "agent", start)
    ran = run_once(
        agent, task, tmp_path / "runs", interpreters, 30, sandbox=kind, snapshot_every_s=1.0
    )
    assert CANARY in (ran.path / "code" / "main.py").read_text(), "the trap is set"
    audit = vet([ran.path], unprotected.host.root / "data", load_policy(), NOW)
    document = tmp_path / "audit.json"
    write_audit(audit, document)
    for text in (document.read_text(), render_html(audit), render_markdown(audit)):
        assert CANARY not in text
    for name in ("submission", "code", "logs"):
        shutil.rmtree(ran.path / name)
    assert CANARY.encode() not in ran.everything()
    assert ran.record.snapshots == ()


# ------------------------------------------------------------------ the table itself


def test_each_probe_has_a_row_and_each_row_a_probe():
    assert {name.partition("/")[0] for name in NAMES} == set(ROWS)
    assert len(ROWS) == len(TAMPERINGS)


@pytest.mark.parametrize("row", TAMPERINGS, ids=lambda row: row.id)
def test_tests_of_other_folders_that_a_row_names_exist(row):
    assert [name for name in row.elsewhere if missing_test(name, ROOT)] == []
