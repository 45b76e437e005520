"""The verb leakage and its function: what tasks give away before anyone runs them."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from typer.testing import CliRunner

from audit.cli import app
from audit.commands.leakage import HEADINGS
from audit.leakage import ASKED, HEAD, finding_rows, leakage
from audit.verdict import load_policy
from competitions import spec as specs
from competitions.errors import MleAuditError, UnknownNameError
from competitions.prepare import prepare
from reports.schema import Conclusion, Outcome, SubjectKind, read_audit

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    for variant in ("v1", "fixed"):
        prepare(specs.load("spaceship-titanic", variant), folder, "miniature")
    return folder


@pytest.fixture(scope="module")
def report(data_dir):
    tasks = [specs.load("spaceship-titanic", v) for v in ("v1", "fixed")]
    return leakage([*tasks, specs.load("modechoice")], data_dir, load_policy(), NOW)


def test_every_detector_about_tasks_answers_for_every_task(report):
    assert {d.family for d in report.detectors} == set(ASKED)
    assert {d.subject for d in report.detectors} == {SubjectKind.TASK}
    assert len(report.checks) == len(report.detectors) * len(report.subjects)


def test_the_published_task_is_told_of_and_the_repaired_one_has_notes_at_most(report):
    said = {v.subject: v.conclusion for v in report.verdicts}
    rows = finding_rows(report)

    assert said["task:spaceship-titanic:v1"] is Conclusion.NOTE
    assert said["task:spaceship-titanic:fixed"] <= Conclusion.NOTE
    assert {row[0] for row in rows if row[2] != "note"} == {"spaceship-titanic v1"}
    assert all(len(row) == len(HEAD) for row in rows)


def test_a_task_that_is_not_prepared_is_undetermined_and_the_others_are_looked_at(report):
    (verdict,) = [v for v in report.verdicts if v.subject == "task:modechoice:v1"]
    outcomes = {c.outcome for c in report.checks if c.subject == verdict.subject}

    assert verdict.conclusion is Conclusion.UNDETERMINED
    assert outcomes == {Outcome.NOT_AVAILABLE}
    assert all("prepare" in c.reason for c in report.checks if c.subject == verdict.subject)


@pytest.mark.parametrize("name", ["copied-notebook", "no-such-thing"])
def test_a_detector_of_something_else_is_refused(name, data_dir):
    with pytest.raises(UnknownNameError, match=name):
        leakage([specs.load("modechoice")], data_dir, load_policy(), NOW, select=[name])


def test_progress_counts_every_check(data_dir):
    told: list[tuple[int, int, str]] = []
    leakage(
        [specs.load("spaceship-titanic")],
        data_dir,
        load_policy(),
        NOW,
        select=["degenerate-board", "sample-invalid"],
        progress=lambda *words: told.append(words),
    )

    assert [(done, total) for done, total, _last in told] == [(1, 2), (2, 2)]


def call(*words):
    return CliRunner().invoke(app, ["leakage", *map(str, words)])


def code_of(done):
    """Return the exit code that the command line gives: misuse is told by its error's class."""
    if isinstance(done.exception, MleAuditError):
        return done.exception.exit_code
    return done.exit_code


def test_the_verb_writes_a_document_and_shows_what_was_seen(data_dir, tmp_path):
    document = tmp_path / "leakage.json"
    options = ("--data-dir", data_dir, "--json", document, "--html", tmp_path / "page.html")

    done = call("-c", "spaceship-titanic", *options)

    assert done.exit_code == 0
    assert "foreign-values-accepted" in done.stdout
    assert "spaceship-titanic v1: note" in done.stdout
    assert read_audit(document).findings
    assert (tmp_path / "page.html").is_file()


@pytest.mark.parametrize(
    ("words", "code"),
    [
        pytest.param(("-c", "spaceship-titanic", "--fail-on", "note"), 1, id="findings"),
        pytest.param(("-c", "modechoice"), 3, id="not prepared"),
        pytest.param(("-c", "no-such-task"), 2, id="no such task"),
        pytest.param((), 2, id="no task"),
        pytest.param(("-c", "modechoice", "--variant", "v9"), 2, id="no such variant"),
        pytest.param(("-c", "modechoice", "--select", "copied-prose"), 2, id="not about tasks"),
    ],
)
def test_exit_codes_are_those_of_vet(words, code, data_dir, tmp_path):
    document = ("--data-dir", data_dir, "--json", tmp_path / "a.json")

    assert code_of(call(*words, *document)) == code


def test_every_heading_stands_in_the_help():
    shown = call("--help").stdout

    assert [h for h in HEADINGS.values() if f"\n{h}:\n" not in shown] == []
    assert "\nOptions:" not in shown


def test_the_document_is_printed_where_asked(data_dir):
    done = call("-c", "spaceship-titanic", "--data-dir", data_dir, "--json", "-")

    assert json.loads(done.stdout)["verdicts"]
