"""Logs and code asked for broken rules: attempts of mixed formats, loose logs, exit codes."""

from __future__ import annotations

import gzip
import io
import json
import resource
import zipfile
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from audit.broken_rules import HEAD, conclusions, rule_rows, rule_table
from audit.cli import app
from audit.rules import FAMILY, rules
from audit.verdict import exit_code, load_policy
from competitions.errors import UnknownNameError, UsageError
from detectors.base import all_detectors, family_of
from detectors.loose_logs import LooseLogs
from reports.schema import HIDDEN, Conclusion, LogLines, Outcome, SubjectKind, read_audit
from tests.conftest import write_attempt
from tests.detectors.trajectories.stories import LONG, TOLD

if TYPE_CHECKING:
    from pathlib import Path

NOW = datetime(2026, 1, 1, tzinfo=UTC)
TASK = "breast-cancer"
PEEK = "$ cat /private/data/answers.csv\nid,malignant\n1,0\n2,1\n"
HONEST = "$ python train.py\nfold 0.81\n"
MEBI = 1 << 20


@pytest.fixture
def ask(tmp_path):
    """Ask all detectors of the family, or those that are named."""

    def made(*paths, **options):
        return rules(paths, tmp_path / "data", load_policy(), NOW, **options)

    return made


@pytest.fixture
def file(tmp_path):
    """Write a file that is no attempt's."""

    def write(name: str, text: str | bytes) -> Path:
        path: Path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def conclusion(report, subject):
    return report.verdict_of(subject).conclusion


def facts(report, subject):
    return next(s.facts for s in report.subjects if s.id == subject)


def test_an_attempt_that_reads_answers_is_found_and_an_honest_one_is_clean(ask, tmp_path):
    write_attempt(tmp_path / "g" / f"{TASK}_a", logs=PEEK, record={})
    write_attempt(tmp_path / "g" / f"{TASK}_b", logs=HONEST, record={})
    report = ask(tmp_path / "g")

    assert conclusion(report, f"{TASK}_a") is Conclusion.DISQUALIFY
    assert conclusion(report, f"{TASK}_b") in {Conclusion.CLEAN, Conclusion.NOTE}
    (row,) = rule_rows(report)
    assert {"high", f"{TASK}_a", "answers-read", "logs/agent.log:1"} <= set(row)
    assert len(row) == len(HEAD)


def test_all_detectors_of_the_family_are_asked_and_no_other(ask, file):
    report = ask(file("a.log", HONEST))

    asked = {d.id for d in report.detectors}
    expected = {n for n, cls in all_detectors().items() if family_of(cls) == FAMILY}
    assert asked == {n for n in expected if all_detectors()[n].about.subject == "attempt"}
    assert len(report.checks) == len(asked)
    assert {n.what.partition(":")[0] for n in report.not_checked} >= {"plagiarism", "leakage"}
    with pytest.raises(UnknownNameError):
        ask(file("a.log", HONEST), select=["copied-notebook"])


@pytest.mark.parametrize("told", [pytest.param(t, id=f"{t.format}-{t.name}") for t in TOLD])
def test_a_loose_log_is_read_by_its_format_which_is_told(ask, file, tmp_path, told):
    report = ask(file(told.name, told.content), select=["answers-read"])

    assert facts(report, told.name)["logs read as"] == f"{told.format} (1 file)"
    said = list(conclusions(report, tmp_path / "rules.json"))
    assert f"{told.name}: logs read as {told.format} (1 file)" in said


def test_a_loose_log_of_which_code_is_not_given_can_be_clean_and_says_what_was_given(ask, file):
    report = ask(file("agent.log", HONEST), file("peek.log", PEEK))

    assert conclusion(report, "agent.log") is Conclusion.CLEAN
    assert conclusion(report, "peek.log") is Conclusion.DISQUALIFY
    assert facts(report, "agent.log")["given"] == "logs"
    unseen = {c.outcome for c in report.checks if c.subject == "agent.log"}
    assert Outcome.NOT_AVAILABLE not in unseen


def test_a_folder_of_logs_and_code_is_one_subject_and_data_in_it_are_no_logs(ask, file, tmp_path):
    file("out/logs.d/journal.json", TOLD[1].content)
    file("out/main_log", HONEST)
    file("out/experiment.py", "import pandas as pd\npd.read_csv('/private/data/answers.csv')\n")
    file("out/picture.png", b"\x89PNG" + bytes(100))
    report = ask(tmp_path / "out")

    (subject,) = report.subjects
    assert subject.title == "out/"
    assert subject.facts["given"] == "code, logs"
    assert subject.facts["logs read as"] == "aide (1 file), plain-text (1 file)"
    assert conclusion(report, "out") is Conclusion.REVIEW
    (row,) = rule_rows(report)
    assert "experiment.py:2" in row


def test_a_folder_in_which_nothing_can_be_read_is_not_cleared(ask, file, tmp_path):
    file("out/picture.png", b"\x89PNG")
    report = ask(tmp_path / "out")

    assert conclusion(report, "out") is Conclusion.UNDETERMINED
    assert exit_code(report.verdicts) == 3


def zipped(**members: str) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name, text in members.items():
            archive.writestr(name.replace("__", "/") + ".json", text)
    return held.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        pytest.param("logs.zip", zipped(a="$ ls"), ("clean", "clean"), id="logs"),
        pytest.param("a.log.gz", gzip.compress(PEEK.encode()), ("disqualify",) * 2, id="offence"),
        pytest.param("agent.log.gz", b"\x1f\x8b", ("undetermined", "undetermined"), id="cut"),
        pytest.param("logs.7z", b"7z\xbc\xaf", ("undetermined", "undetermined"), id="closed"),
        pytest.param("train.zip", zipped(a="1"), ("clean", "clean"), id="no-name-of-logs"),
        pytest.param("a.zip", zipped(header="{}", samples__1="{}"), ("clean", "clean"), id="eval"),
    ],
)
def test_archives_of_logs_are_read_and_what_cannot_be_opened_clears_nobody(
    ask, file, name, content, expected
):
    file("out/agent.log", HONEST)
    place = file(f"out/{name}", content)
    report = ask(place, place.parent, select=["answers-read"])

    assert (conclusion(report, name), conclusion(report, "out")) == expected
    shown = "\n".join(conclusions(report, place))
    assert (f"{name} is an archive, which is to be unpacked" in shown) is name.endswith("7z")


def test_an_archive_that_is_not_named_after_logs_is_data_of_a_folder(ask, file):
    file("out/agent.log", HONEST)
    place = file("out/train.zip", zipped(a=PEEK))

    assert conclusion(ask(place.parent), "out") is Conclusion.CLEAN


def test_one_reason_why_nobody_could_look_is_told_once(ask, file, tmp_path):
    place = file("out/agent.log", PEEK).parent
    file("out/old.log.gz", b"\x1f\x8b")
    report = ask(place)

    told = [x for x in conclusions(report, tmp_path / "r.json") if x.startswith("not looked at")]
    assert len(told) == 1
    assert "old.log.gz" in told[0]
    assert conclusion(report, "out") is Conclusion.DISQUALIFY


@pytest.mark.parametrize(
    "place",
    [pytest.param("", id="a-folder"), pytest.param("agent.log/r.json", id="below-a-file")],
)
def test_a_document_that_cannot_be_written_there_is_refused_at_once(file, tmp_path, place):
    shown = call(file("agent.log", PEEK), "--json", tmp_path / place)

    assert isinstance(shown.exception, UsageError)
    assert "Expected --json FILE" in str(shown.exception)
    assert "Written" not in shown.output


def test_a_name_commands_no_terminal(ask, file, tmp_path):
    report = ask(file("a\x1b[31m\nb.log", HONEST), select=["answers-read"])

    for line in conclusions(report, tmp_path / "r.json"):
        assert line.isprintable()


def test_loose_logs_of_one_name_are_told_apart(ask, file):
    report = ask(file("a/agent.log", HONEST), file("b/agent.log", PEEK))

    assert len({s.id for s in report.subjects}) == 2
    assert sorted(v.conclusion for v in report.verdicts) == [
        Conclusion.CLEAN,
        Conclusion.DISQUALIFY,
    ]


def test_what_is_no_path_is_refused_with_a_sentence(ask, tmp_path):
    with pytest.raises(UsageError, match="expected attempts, or a file or folder of logs"):
        ask(tmp_path / "nowhere")


def test_an_attempt_without_logs_is_undetermined_and_one_without_a_submission_is_not(ask, tmp_path):
    write_attempt(tmp_path / f"{TASK}_a", logs={})
    write_attempt(tmp_path / f"{TASK}_b", submission=None)
    report = ask(tmp_path / f"{TASK}_a", tmp_path / f"{TASK}_b", select=["answers-read"])

    assert conclusion(report, f"{TASK}_a") is Conclusion.UNDETERMINED
    assert conclusion(report, f"{TASK}_b") is Conclusion.CLEAN


@pytest.mark.parametrize(
    ("reveal", "seen"),
    [pytest.param(True, "id,malignant", id="revealed"), pytest.param(False, HIDDEN, id="hidden")],
)
def test_what_is_known_from_hidden_data_is_shown_only_when_asked_for(ask, file, reveal, seen):
    report = ask(file("peek.log", PEEK), select=["answers-read"], reveal_private=reveal)

    (finding,) = report.findings
    assert isinstance(finding.evidence[0], LogLines)
    assert (finding.evidence[0].output or "").startswith(seen)


@pytest.mark.slow
def test_two_at_once_say_the_same_as_one(ask, tmp_path):
    for i in range(4):
        write_attempt(tmp_path / "g" / f"{TASK}_{i}", logs=PEEK if i % 2 else HONEST)
    one, two = (ask(tmp_path / "g", jobs=jobs, select=["answers-read"]) for jobs in (1, 2))

    def without_times(report):
        checks = tuple(c.model_copy(update={"duration_s": 0.0}) for c in report.checks)
        return report.model_copy(update={"checks": checks})

    assert without_times(one) == without_times(two)


@pytest.mark.parametrize("width", [pytest.param(80, id="80"), pytest.param(40, id="40")])
def test_no_line_of_the_table_is_wider_than_the_terminal(ask, file, width):
    report = ask(file("peek.log", PEEK))

    shown = rule_table(report, width)
    assert max(map(len, shown.splitlines())) <= max(width, 60)  # ids are not broken
    assert rule_rows(report)[0][-1] in shown


def call(*words):
    return CliRunner().invoke(app, ["rules", *map(str, words)])


@pytest.mark.parametrize(
    ("text", "more", "code"),
    [
        pytest.param(HONEST, (), 0, id="clean"),
        pytest.param(PEEK, (), 1, id="found"),
        pytest.param(PEEK, ("--select", "grader-probed"), 0, id="another-question"),
        pytest.param("", (), 3, id="nothing-to-read"),
    ],
)
def test_the_verb_ends_with_what_was_found(file, tmp_path, text, more, code):
    document, page = tmp_path / "r.json", tmp_path / "r.html"
    shown = call(file("agent.log", text), "--json", document, "--html", page, *more)

    assert shown.exit_code == code, shown.output
    assert read_audit(document).subjects[0].kind is SubjectKind.ATTEMPT
    assert "agent.log" in page.read_text()
    assert "1 file or folder looked at" in shown.stdout


def test_the_document_goes_to_stdout_alone_when_asked(file):
    shown = call(file("agent.log", PEEK), "--json", "-")

    assert json.loads(shown.stdout)["verdicts"][0]["conclusion"] == "disqualify"


def test_a_file_is_taken_for_what_it_is(file, tmp_path):
    code = LooseLogs(tmp_path, file("a.py", "x = 1\n").name)
    table = LooseLogs(tmp_path, file("a.csv", "id\n1\n").name)
    log = LooseLogs(tmp_path, file("main_log", "x\n").name)

    assert [one.expected for one in (code, table, log)] == [{"code"}, {"submission"}, {"logs"}]
    assert [f.name for f in log.logs] == ["main_log"]


BAD = {
    "half-json": lambda made: made[: len(made) // 2],
    "broken-utf8": lambda made: made.replace(b"a", b"\xff", 50),
    "long-line": lambda made: made.replace(b"\n", b" ") + b"x" * MEBI,
    "zeros": lambda _made: bytes(100_000),
    "deep": lambda _made: b"[" * 100_000,
    "pickle": lambda _made: b"\x80\x05\x8c\x06system",
    "zip": lambda _made: b"PK\x03\x04" + bytes(range(256)) * 40,
    "ansi": lambda made: b"\x1b[31m" + made + b"\x1b[0m\r" * 100,
}


def write_many(folder: Path, n: int) -> set[str]:
    """Write attempts in all formats, of every ten one with a broken file; return which peeked."""
    peeking = set()
    for i in range(n):
        made, name = LONG[i % len(LONG)], f"{TASK}_{i:04}"
        content = made.of_size(4_000)
        if i % 10 == 3:
            content = list(BAD.values())[i // 10 % len(BAD)](content)
        logs: dict[str, str | bytes] = {made.name: content, "agent.log": HONEST}
        if i % 50 == 7:
            logs["agent.log"] = PEEK
            peeking.add(name)
        attempt = write_attempt(folder / name, logs=logs, record={} if i % 2 else None)
        if i % 100 == 13:
            (attempt.path / "attempt.json").write_text('{"schema_version": 1, "attempt_id')
        if i % 100 == 23:
            (attempt.path / "code" / "book.ipynb").write_text('{"cells": [{"cell_type": ')
    return peeking


@pytest.mark.slow
def test_bad_files_among_attempts_stop_nothing(ask, tmp_path):
    peeking = write_many(tmp_path / "g", 80)
    seen = []
    report = ask(tmp_path / "g", progress=lambda done, total, _last: seen.append((done, total)))

    assert {f.subject for f in report.findings if f.detector == "answers-read"} == peeking
    assert not [c for c in report.checks if c.outcome is Outcome.FAILED]
    assert seen == [(i, 80) for i in range(1, 81)]


@pytest.mark.slow
def test_a_thousand_attempts_of_mixed_formats_are_read_in_little_memory(ask, tmp_path):
    peeking = write_many(tmp_path / "g", 1000)
    ask(tmp_path / "g" / f"{TASK}_0000")  # what the first call loads
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    report = ask(tmp_path / "g")
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024

    assert len(report.verdicts) == 1000
    assert {f.subject for f in report.findings if f.detector == "answers-read"} == peeking
    assert not [c for c in report.checks if c.outcome is Outcome.FAILED]
    assert grown < 300
    assert len(list(conclusions(report, tmp_path / "r.json"))) < 60
    assert exit_code(report.verdicts) == 1
