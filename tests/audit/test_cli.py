"""The command line as a person or a script meets it: codes, streams, JSON, remedies."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from audit.cli import app, main
from reports.schema import read_audit
from tests.audit.conftest import HONEST, PEEKING, TASK
from tests.conftest import write_attempt


class Ended(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def call(monkeypatch, capsys, tmp_path):
    """Run the command line in this process, in an empty folder."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")

    def run(*words: object) -> Ended:
        monkeypatch.setattr(sys, "argv", ["mle-audit", *map(str, words)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main()
        streams = capsys.readouterr()
        assert isinstance(end.value.code, int)
        return Ended(end.value.code, streams.out, streams.err)

    return run


def started(*words: object, **options) -> subprocess.Popen[str]:
    """Start the command line as a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "audit.cli", *map(str, words)],
        stderr=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2], **options,
    )  # fmt: skip


@pytest.fixture
def submission(tmp_path, submissions):
    def write(kind: str) -> Path:
        path: Path = tmp_path / "s.csv"
        path.write_text(submissions[kind])
        return path

    return write


@pytest.mark.slow
def test_vet_ends_with_what_it_concluded(call, group, data_dir, tmp_path):
    def vet(*more: object) -> int:
        return int(call("vet", *more, "--data-dir", data_dir, "-o", tmp_path / "a.json").code)

    assert vet(group / HONEST) == 0
    assert vet(group) == 1
    assert vet(group / HONEST, "--fail-on", "note") == 0
    assert vet(group, "--fail-on", "disqualify") == 1
    write_attempt(group / f"{TASK}_bare", logs={})
    assert vet(group / f"{TASK}_bare") == 3


def test_vet_writes_the_document_and_the_pages_it_names(call, group, data_dir, tmp_path):
    ended = call(
        "vet", group, "--data-dir", data_dir, "-o", tmp_path / "a.json", "--site", tmp_path / "site"
    )

    written = [line.removeprefix("Written: ") for line in ended.err.splitlines()]
    assert str(tmp_path / "a.json") in written
    assert all(Path(name).is_file() for name in written)
    assert len(written) == 3
    assert PEEKING in ended.out
    assert read_audit(tmp_path / "a.json").findings


@pytest.mark.parametrize(
    ("words", "code"),
    [
        pytest.param(["vet", "GROUP", "--data-dir", "DATA", "--json"], 1, id="vet"),
        pytest.param(["grade", "GROUP", "--data-dir", "DATA", "--json"], 0, id="grade"),
        pytest.param(["grade-sample", "perfect.csv", TASK, "--data-dir", "DATA", "--json"], 0,
                     id="grade-sample"),
        pytest.param(["validate", "broken.csv", TASK, "--data-dir", "DATA", "--json"], 1,
                     id="validate"),
        pytest.param(["prepare", "-c", TASK, "--data-dir", "DATA", "--json"], 0, id="prepare"),
        pytest.param(["list", "competitions", "--json"], 0, id="list-competitions"),
        pytest.param(["list", "detectors", "--json"], 0, id="list-detectors"),
        pytest.param(["list", "agents", "--json"], 0, id="list-agents"),
    ],
)  # fmt: skip
def test_json_is_all_that_stands_on_stdout(call, group, data_dir, submissions, words, code):
    for kind in ("perfect", "broken"):
        Path(f"{kind}.csv").write_text(submissions[kind])
    stand_for = {"GROUP": group, "DATA": data_dir}
    ended = call(*[stand_for.get(w, w) for w in words])

    assert ended.code == code
    assert json.loads(ended.out)


def test_findings_are_listed_and_explained_from_the_document(call, group, data_dir):
    call("vet", group, "--data-dir", data_dir)
    listed = json.loads(call("list", "findings", "--json").out)
    grave = next(f["id"] for f in listed if f["severity"] == "high")

    for name in (grave, PEEKING):
        ended = call("explain", name)
        assert ended.code == 0
        assert "cat /private/data/answers.csv" in ended.out
        assert "logs/agent.log, line 1" in ended.out
    assert json.loads(call("explain", grave, "--json").out)[0]["id"] == grave
    assert "No detector found anything" in call("explain", HONEST).out


def test_grade_prints_scores_and_headline_and_tells_what_was_not_graded(call, group, data_dir):
    write_attempt(group / "modechoice_1")
    ended = call("grade", group, "--data-dir", data_dir, "-o", "g.json")

    assert ended.code == 0
    assert "1.00000" in ended.out
    assert "any medal" in ended.out
    assert "not graded: modechoice_1" in ended.err
    assert json.loads(Path("g.json").read_text())["total_runs"] == 2


@pytest.mark.parametrize(("kind", "code"), [("perfect", 0), ("sample", 0), ("broken", 1)])
def test_a_sample_is_graded_and_an_invalid_one_ends_with_1(call, submission, data_dir, kind, code):
    ended = call("grade-sample", submission(kind), TASK, "--data-dir", data_dir)

    assert ended.code == code
    assert "score" in ended.out
    assert bool(ended.err) is bool(code)


@pytest.mark.parametrize(("kind", "code"), [("sample", 0), ("broken", 1)])
def test_a_submission_is_validated_without_its_answers(call, submission, data_dir, kind, code):
    ended = call("validate", submission(kind), TASK, "--data-dir", data_dir)

    assert ended.code == code
    assert ("valid." in ended.out) is not bool(code)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param(["vett"], "vett", id="verb"),
        pytest.param(["prepare", "-c", "breast-cancr"], "Did you mean breast-cancer", id="task"),
        pytest.param(["prepare", "-c", TASK, "--source", "emb"], "source", id="source"),
        pytest.param(["prepare", "-c", TASK, "--variant", "v2"], "v1, fixed", id="variant"),
        pytest.param(["list", "detecters"], "Did you mean detectors?", id="list"),
        pytest.param(["run", "--agent", "baselin", "-c", TASK], "Did you mean baseline?",
                     id="agent"),
        pytest.param(["vet", "nowhere"], "nowhere", id="no-folder"),
        pytest.param(["vet", ".", "--fail-on", "clean"], "note, review, disqualify", id="fail-on"),
        pytest.param(["vet", ".", "--policy", "none.yaml"], "none.yaml", id="policy"),
        pytest.param(["vet", "."], "mle-audit run", id="no-attempt"),
        pytest.param(["plagiarism", "."], "mle-audit corpus build", id="corpus-left-out"),
        pytest.param(["corpus", "build", "none"], "none", id="no-source"),
        pytest.param(["vet"], "RUNS", id="missing-argument"),
        pytest.param(["vet", ".", "--nonsense"], "--nonsense", id="unknown-option"),
        pytest.param(["demo", "--seeds", "0"], "seeds", id="out-of-range"),
    ],
)  # fmt: skip
def test_a_wrong_call_ends_with_2_and_says_what_was_expected(call, words, said):
    ended = call(*words)

    assert ended.code == 2
    assert said.lower() in ended.err.lower()
    assert ended.out == ""
    assert "Traceback" not in ended.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param(["grade-sample", "s.csv", TASK, "--data-dir", "."], "mle-audit prepare",
                     id="not-prepared"),
        pytest.param(["explain", "x"], "mle-audit vet", id="no-document"),
        pytest.param(["list", "findings", "-d", "broken.json"], "broken.json", id="no-json"),
        pytest.param(["vet", "GROUP", "--data-dir", "DATA", "-o", "/proc/no/a.json"], "/proc",
                     id="cannot-write"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_ends_with_3_and_a_remedy(call, group, data_dir, words, said):
    Path("broken.json").write_text("{")
    stand_for = {"GROUP": group, "DATA": data_dir}
    ended = call(*[stand_for.get(w, w) for w in words])

    assert ended.code == 3
    assert said in ended.err
    assert ended.err.startswith("error[")
    assert "Traceback" not in ended.err


def test_a_bug_of_ours_ends_with_70_and_keeps_its_traceback(call):
    @app.command("crash")
    def crash() -> None:
        raise ZeroDivisionError("a bug")

    try:
        ended = call("crash")
    finally:
        app.registered_commands.pop()

    assert ended.code == 70
    assert "ZeroDivisionError: a bug" in ended.err
    assert "error[bug]" in ended.err
    assert ended.out == ""


def test_an_interruption_ends_with_130(tmp_path):
    os.mkfifo(tmp_path / "pipe")  # reading it blocks until somebody writes
    process = started("explain", "x", "-d", tmp_path / "pipe")
    writer = os.open(tmp_path / "pipe", os.O_WRONLY)  # returns when the verb has opened it
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    os.close(writer)

    assert process.returncode == 130
    assert err == "Interrupted. What was finished is on disk.\n"


@pytest.mark.parametrize("words", [["list", "competitions"], ["--version"], ["vet", "--help"]])
def test_a_reader_that_goes_away_is_no_crash_and_no_result(words):
    reader, writer = os.pipe()
    os.close(reader)
    process = started(*words, stdout=writer)
    os.close(writer)
    _, err = process.communicate(timeout=30)

    assert (process.returncode, err) == (141, "")


def test_nothing_is_drawn_on_a_stream_that_is_no_terminal(call, group, data_dir):
    ended = call("grade", group, "--data-dir", data_dir)

    assert "\x1b" not in ended.out + ended.err


@pytest.mark.slow
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("words", ["list agents", "vet nowhere", "no-such-verb"])
def test_closed_streams_change_no_exit_code(closed, words):
    command = f"{sys.executable} -m audit.cli {words}"
    codes = [
        subprocess.run(
            ["/bin/bash", "-c", f"{command} {streams}"],
            check=False,
            capture_output=True,
            cwd=Path(__file__).parents[2],
        ).returncode
        for streams in ("", closed)
    ]
    assert codes[0] == codes[1]


def test_a_full_disk_behind_stderr_changes_no_exit_code():
    with Path("/dev/full").open("w") as full:
        process = subprocess.run(
            [sys.executable, "-m", "audit.cli", "vet", "nowhere"],
            check=False,
            stderr=full,
            cwd=Path(__file__).parents[2],
        )
    assert process.returncode == 2


@pytest.mark.slow
def test_a_character_that_the_terminal_has_not_stops_no_table(group, data_dir, tmp_path):
    odd = tmp_path / "é\udcff"
    shutil.copytree(group, odd)
    process = subprocess.run(
        [sys.executable, "-m", "audit.cli", "grade", odd, "--data-dir", data_dir, "--json"],
        check=False,
        capture_output=True,
        cwd=Path(__file__).parents[2],
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
    )
    assert process.returncode == 0, process.stderr


def test_a_hostile_name_commands_no_terminal(call):
    ended = call("vet", "\x1b[31mred")
    assert ended.code == 2
    assert "\x1b" not in ended.err


def test_a_folder_that_was_removed_is_said(call, monkeypatch, tmp_path):
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    ended = call("run", "--agent", "constant", "-c", TASK, "--data-dir", tmp_path)
    assert ended.code == 3
    monkeypatch.chdir(tmp_path)


def test_the_version_is_told(call):
    assert call("--version").out.startswith("mle-audit ")


def test_prepare_takes_several_tasks_and_does_each_once(call, tmp_path):
    words = ["prepare", "-c", TASK, "-c", TASK, "--data-dir", tmp_path / "d", "--json"]
    first, again = call(*words), call(*words)

    assert first.code == 0
    assert json.loads(again.out)[0].pop("result") == "already prepared"
    (row,) = json.loads(first.out)
    assert row["competition"] == TASK
    assert Path(row["folder"]).is_dir()


def test_a_group_of_which_nothing_could_be_graded_ends_with_3(call, group, tmp_path):
    (tmp_path / "no-data").mkdir()
    ended = call("grade", group, "--data-dir", tmp_path / "no-data")

    assert ended.code == 3
    assert "not graded" in ended.err
