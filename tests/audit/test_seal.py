"""A sealed document tells what was changed, what is missing and what is not here."""

from __future__ import annotations

import json
import os
import shutil
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from audit.cli import app
from audit.published import Published
from audit.seal import Places, held, sealed, sealed_attempt, verify, verify_exit_code
from audit.verdict import load_policy
from audit.vet import vet
from competitions.errors import DocumentError, UsageError
from competitions.io import sha256_file
from detectors.attempt import Attempt
from detectors.plagiarism.corpus.build import add, build
from reports.schema import read_audit, write_audit
from reports.sealing import SealedInput
from tests.audit.conftest import HONEST, PEEKING, TASK
from tests.detectors.plagiarism.test_corpus import folder_of, script
from tests.reports.documents import sample

if TYPE_CHECKING:
    from pathlib import Path

NOW = datetime(2026, 1, 1, tzinfo=UTC)
SELECT = ("answers-read",)


@pytest.fixture
def document(group, data_dir, tmp_path) -> Path:
    """The sealed audit of the two attempts and their task."""
    path: Path = tmp_path / "audit.json"
    write_audit(vet([group], data_dir, load_policy(), NOW, select=SELECT), path)
    return path


def states(told, but="as sealed"):
    return {(h.what, h.name): h.state for h in told if h.state != but}


def test_all_is_as_sealed_where_nothing_was_touched(document, group, data_dir, tmp_path):
    told = held(document)
    moved = shutil.copytree(group, tmp_path / "moved" / "x")

    assert {h.what for h in told} == {
        *("document", "record", "submission", "code", "logs"),
        *("validation calls", "model calls", "task data"),
    }
    assert states(told) == {}
    assert verify_exit_code(told) == 0
    assert states(held(document, Places((moved.parent,), data_dir))) == {}


@pytest.mark.parametrize(
    ("path", "text", "what"),
    [
        pytest.param("submission/submission.csv", "id,malignant\n", "submission", id="submission"),
        pytest.param("code/main.py", "pass\n", "code", id="code"),
        pytest.param("code/added.py", "pass\n", "code", id="a-file-more-of-code"),
        pytest.param("logs/agent.log", "fitted well\n", "logs", id="log"),
        pytest.param("run.log", "hello\n", "logs", id="captured-output"),
        pytest.param("attempt.json", "{}\n", "record", id="record"),
        pytest.param("validation.jsonl", "{}\n", "validation calls", id="added-calls"),
        pytest.param("model-calls.jsonl", "{}\n", "model calls", id="added-model-calls"),
    ],
)
def test_a_change_is_named_and_nothing_else(document, group, path, text, what):
    (group / HONEST / path).write_text(text)
    told = held(document)

    assert states(told) == {(what, HONEST): "changed"}
    assert verify_exit_code(told) == 1


@pytest.mark.parametrize(
    ("gone", "found"),
    [
        pytest.param("submission", {("submission", HONEST): "missing"}, id="submission"),
        pytest.param("code", {("code", HONEST): "missing"}, id="code"),
        pytest.param("logs", {("logs", HONEST): "missing"}, id="logs"),
    ],
)
def test_what_is_gone_is_missing(document, group, gone, found):
    shutil.rmtree(group / HONEST / gone)
    told = held(document)

    assert states(told) == found
    assert verify_exit_code(told) == 1


def test_attempts_that_are_not_here_cannot_be_compared(document, group):
    shutil.rmtree(group)
    told = held(document)

    assert set(states(told).values()) == {"not here"}
    assert {name for _, name in states(told)} == {HONEST, PEEKING}
    assert all("--runs DIR" in h.said for h in told if h.state == "not here")
    assert verify_exit_code(told) == 3


def test_of_two_attempts_with_one_name_one_must_be_as_sealed(document, group, tmp_path):
    copy = shutil.copytree(group / HONEST, tmp_path / "copies" / "g" / HONEST)
    (copy / "code" / "main.py").write_text("pass\n")

    assert states(held(document, Places((group, tmp_path / "copies")))) == {}
    changed = states(held(document, Places((tmp_path / "copies",))))
    assert changed["code", HONEST] == "changed"
    assert changed["code", PEEKING] == "not here"


def test_changed_task_data_are_named(document, data_dir, tmp_path):
    other = shutil.copytree(data_dir, tmp_path / "other")
    name = f"task:{TASK}:v1"
    with (other / TASK / "prepared" / "private" / "test.csv").open("a") as stream:
        stream.write("9999,1\n")

    assert states(held(document, Places(data_dir=other))) == {("task data", name): "changed"}
    nowhere = held(document, Places(data_dir=tmp_path / "nowhere"))
    assert states(nowhere) == {("task data", name): "not here"}


def test_links_are_no_part_of_a_seal(document, group):
    secret = group.parent / "secret.py"
    secret.write_text("pass\n")
    (group / HONEST / "code" / "linked.py").symlink_to(secret)
    assert states(held(document)) == {}

    shutil.rmtree(group / HONEST / "code")
    (group / HONEST / "code").symlink_to(group / PEEKING / "code")
    assert states(held(document)) == {("code", HONEST): "missing"}


def test_a_log_whose_name_tells_of_another_is_not_taken_for_both(document, group):
    logs = group / HONEST / "logs"
    first, second = logs / "a.log", logs / "b.log"
    logs.mkdir(exist_ok=True)
    first.write_text("a\n")
    second.write_text("b\n")
    both = sealed_attempt(Attempt(group / HONEST))
    digest = sha256_file(second)
    forged = logs / f"a.log\n{digest}  logs" / "b.log"
    forged.parent.mkdir()
    first.rename(forged)
    second.unlink()

    assert sealed_attempt(Attempt(group / HONEST)) != both


@pytest.mark.skipif(os.geteuid() == 0, reason="root may enter every folder")
def test_what_may_not_be_entered_has_no_digest_of_a_part(document, group, data_dir):
    closed = group / HONEST / "logs" / "closed"
    closed.mkdir(parents=True)
    closed.chmod(0)

    assert {i.kind: i.sha256 for i in sealed_attempt(Attempt(group / HONEST))}["logs"] is None
    closed.chmod(0o700)


@pytest.mark.parametrize("kind", ["code", "record", "task data", "corpus", "grading report"])
def test_an_input_whose_place_is_not_told_is_not_looked_for_where_one_stands(
    tmp_path, kind, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    one = SealedInput(kind=kind, name="x", path="", sha256="1" * 64)
    write_audit(sealed(sample(), [one]), tmp_path / "audit.json")
    (told,) = held(tmp_path / "audit.json")[1:]

    assert (told.state, told.said.partition(":")[0]) == ("not here", "name where it is")


def test_published_files_are_sealed_and_found_by_their_name(tmp_path, data_dir):
    files = {"r_grading_report.json": "{}", "experiments.csv": "experiment_id,run_group\nx,y\n"}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    report, listed = (tmp_path / name for name in files)
    made = vet(
        [], data_dir, load_policy(), NOW, select=SELECT,
        published=Published((report,), listed, ("Low 62.12 ± 1.52, seeds 3",)),
    )  # fmt: skip
    write_audit(made, tmp_path / "audit.json")

    def told(*runs):
        return states(held(tmp_path / "audit.json", Places(runs)), but="")

    assert told() == {
        ("document", "audit.json"): "as sealed",
        ("grading report", report.name): "as sealed",
        ("experiments", listed.name): "as sealed",
    }
    moved = tmp_path / "moved"
    moved.mkdir()
    report.rename(moved / report.name)
    listed.write_text("experiment_id,run_group\n")
    assert told()["grading report", report.name] == "not here"
    assert told(moved)["grading report", report.name] == "as sealed"
    assert told()["experiments", listed.name] == "changed"


def test_a_corpus_is_known_by_what_it_was_built_from(group, data_dir, tmp_path):
    sources = folder_of(tmp_path / "s", **{f"k{i}": script(i) for i in range(2)})
    corpus = tmp_path / "corpus"
    build([sources], corpus, competition=TASK)
    made = vet(
        [group], data_dir, load_policy(), NOW, select=SELECT, settings={"corpus": str(corpus)}
    )
    write_audit(made, tmp_path / "audit.json")
    assert states(held(tmp_path / "audit.json")) == {}

    add(corpus, [folder_of(tmp_path / "t", k9=script(9))], competition=TASK)
    changed = held(tmp_path / "audit.json")
    assert states(changed) == {("corpus", "corpus"): "changed"}
    corpus.rename(tmp_path / "away")
    assert states(held(tmp_path / "audit.json")) == {("corpus", "corpus"): "not here"}


# A document of others: what was done to it after it was sealed.
TAMPERED = {
    "another-verdict": lambda d: d["verdicts"][0].update(conclusion="note"),
    "a-finding-less": lambda d: d["checks"].pop(0),
    "an-input-less": lambda d: d["seal"]["inputs"].pop(0),
    "another-digest-of-an-input": lambda d: d["seal"]["inputs"][0].update(sha256="0" * 64),
    "a-field-more": lambda d: d.update(extra=1),
    "another-time": lambda d: d.update(created_at="2020-01-01T00:00:00Z"),
}


@pytest.mark.parametrize("change", TAMPERED.values(), ids=list(TAMPERED))
def test_a_document_that_was_changed_is_known_by_its_digest(tmp_path, change):
    path = tmp_path / "audit.json"
    write_audit(sealed(sample(), [SealedInput(kind="code", name="a", sha256="1" * 64)]), path)
    assert held(path)[0].state == "as sealed"
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))

    told = held(path)
    assert told[0].state == "changed"
    assert verify_exit_code(told) == 1


def test_a_document_that_was_only_laid_out_anew_is_as_sealed(tmp_path):
    path = tmp_path / "audit.json"
    write_audit(sealed(sample(), ()), path)
    path.write_text(json.dumps(json.loads(path.read_text()), sort_keys=True, indent=1))

    assert held(path)[0].state == "as sealed"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("{", "expected a JSON document", id="no-json"),
        pytest.param("[]", "no seal", id="a-list"),
        pytest.param('{"schema_version": 1}', "no seal", id="no-seal"),
        pytest.param('{"seal": {"document": 3}}', "no seal", id="a-seal-without-a-digest"),
        pytest.param('{"a": 1, "a": 2}', "twice", id="a-name-twice"),
        pytest.param('{"a": NaN, "seal": {"document": ""}}', "expected", id="no-number"),
        pytest.param('{"a": 1e999, "seal": {"document": ""}}', "expected", id="infinite"),
        pytest.param("[" * 100_000, "too deeply", id="nested-too-deeply"),
        pytest.param(
            f'{{"a": {"[" * 600}{"]" * 600}, "seal": {{"document": ""}}}}',
            "too deeply",
            id="nested-too-deeply-for-a-digest",
        ),
    ],
)
def test_what_has_no_seal_is_an_error(tmp_path, text, said):
    (tmp_path / "audit.json").write_text(text)

    with pytest.raises(DocumentError, match=said):
        held(tmp_path / "audit.json")
    with pytest.raises(DocumentError, match=r"none\.json"):
        held(tmp_path / "none.json")


def test_the_seal_is_the_same_whenever_it_is_made(group, data_dir):
    first, second = (vet([group], data_dir, load_policy(), NOW, select=SELECT) for _ in range(2))

    assert first.seal
    assert second.seal
    assert first.seal.inputs == second.seal.inputs
    assert first.seal.document is not None


def test_where_signers_are_not_named_a_signature_says_nothing(document):
    with pytest.raises(UsageError, match="--allowed-signers"):
        verify(document, signature=document)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        pytest.param([], 0, id="as-sealed"),
        pytest.param(["--runs", "{nowhere}"], 3, id="not-here"),
        pytest.param(["--runs", "{nowhere}", "--document-only"], 0, id="the-document-alone"),
        pytest.param(["--runs", "{nothing}"], 2, id="no-such-folder"),
    ],
)
def test_the_verb_tells_as_sealed_from_not_here(document, tmp_path, words, code):
    (tmp_path / "nowhere").mkdir()
    filled = [w.format(nowhere=tmp_path / "nowhere", nothing=tmp_path / "x") for w in words]
    said = CliRunner().invoke(app, ["verify", str(document), *filled])

    assert getattr(said.exception, "exit_code", said.exit_code) == code


def test_the_seal_stands_in_the_document_that_is_read_back(document):
    seal = read_audit(document).seal

    assert seal
    assert {i.kind for i in seal.inputs} >= {"submission", "task data"}


@pytest.mark.parametrize(
    "path", ["", "\x00", "a" * 5000, "/proc/self/mem", "/dev/zero", "/", "../" * 40 + "etc/passwd"]
)
@pytest.mark.parametrize("kind", ["code", "logs", "task data", "corpus", "grading report"])
def test_a_seal_of_others_makes_no_call_crash_or_hang(tmp_path, kind, path):
    one = SealedInput(kind=kind, name="x\x1b", path=path, sha256="1" * 64)
    write_audit(sealed(sample(), [one]), tmp_path / "audit.json")
    (told,) = held(tmp_path / "audit.json")[1:]

    assert told.state in {"not here", "changed", "missing"}
