"""An attempt's files are read without trusting them, and its record is written whole."""

from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from competitions.errors import UnreadableFileError
from detectors.attempt import Attempt, is_attempt
from detectors.record import read_record, write_record
from detectors.text_file import printable_name, read_text_file
from tests.conftest import record_of


def test_a_record_reads_back_as_it_was_written(tmp_path):
    record = record_of("t_1", seed=3, exit_status="timed_out", limit_hit="wall clock")
    write_record(record, tmp_path)

    assert read_record(tmp_path) == record
    assert [p.name for p in tmp_path.iterdir()] == ["attempt.json"]


def test_an_attempt_without_record_has_none(tmp_path):
    assert read_record(tmp_path) is None


@pytest.mark.parametrize(
    "content", [b"", b"{", b"null", b'{"seed": "x"}', b"\xff", b"[" * 50_000, b'{"a": NaN}']
)
def test_a_file_that_is_no_record_is_told_with_its_place(tmp_path, content):
    (tmp_path / "attempt.json").write_bytes(content)

    with pytest.raises(UnreadableFileError, match=r"attempt\.json"):
        read_record(tmp_path)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        pytest.param("é".encode(), "é", id="utf-8"),
        pytest.param(b"\xef\xbb\xbfa", "a", id="utf-8-mark"),
        pytest.param("é".encode("utf-16"), "é", id="utf-16"),
        pytest.param("é".encode("utf-16-be").join([b"\xfe\xff", b""]), "é", id="utf-16-big"),
        pytest.param(b"a\xffb", "a\ufffdb", id="broken"),
        pytest.param(b"a\x00b", "a\ufffdb", id="nul"),
        pytest.param(b"a\r\nb", "a\r\nb", id="line-ends-stay"),
    ],
)
def test_text_is_decoded_without_failing(tmp_path, content, text):
    (tmp_path / "a").write_bytes(content)

    assert read_text_file(tmp_path / "a", "a").text == text


@given(st.binary())
def test_any_bytes_become_text_that_a_document_can_hold(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("bytes") / "a"
    path.write_bytes(content)

    read_text_file(path, "a").text.encode()


def test_a_file_is_read_up_to_a_limit_and_says_so(tmp_path):
    (tmp_path / "a").write_text("abcd")
    cut, whole = (read_text_file(tmp_path / "a", "a", most) for most in (3, 4))

    assert (cut.text, cut.truncated) == ("abc", True)
    assert (whole.text, whole.truncated) == ("abcd", False)


def test_code_is_what_has_a_languages_suffix_and_logs_are_everything(make_attempt):
    attempt = make_attempt(
        code={"a.py": "", "b/c.ipynb": "", "d.csv": "", "e.pkl": "", "f.sh": "", "g.R": ""},
        logs={"a.log": "", "b/c": ""}, run_log="x",
    )  # fmt: skip

    assert [f.name for f in attempt.code] == [
        "code/a.py",
        "code/b/c.ipynb",
        "code/f.sh",
        "code/g.R",
    ]
    assert [f.name for f in attempt.logs] == ["run.log", "logs/a.log", "logs/b/c"]
    assert attempt.unread == {"code": (), "logs": ()}


@pytest.mark.parametrize(
    ("name", "shown"),
    [("a", "a"), ("é", "é"), (os.fsdecode(b"a\xff"), "a\\xff"), ("a\nb", "a\nb")],
)
def test_a_name_that_is_no_utf_8_is_spelt_out(name, shown):
    assert printable_name(name) == shown


def test_the_task_comes_from_the_record_else_from_the_folder(make_attempt):
    assert make_attempt("some-task_1_2").competition_id == "some-task_1"
    recorded = make_attempt("x_1", record={"competition_id": "other-task"})
    assert recorded.competition_id == "other-task"


def test_a_submission_is_a_plain_file(make_attempt, tmp_path):
    attempt = make_attempt()
    assert attempt.submission == attempt.path / "submission" / "submission.csv"

    attempt.submission.unlink()
    (attempt.path / "submission" / "submission.csv").symlink_to(tmp_path)
    assert attempt.submission is None


@pytest.mark.parametrize(
    ("name", "parts", "expected"),
    [
        pytest.param("t_1", ["code"], True, id="mle-bench"),
        pytest.param("t_1", ["data"], False, id="other-folders"),
        pytest.param("t1", ["code"], False, id="no-unique-part"),
        pytest.param("t1", ["attempt.json/"], False, id="record-is-a-folder"),
        pytest.param("t_1", [], False, id="empty"),
    ],
)
def test_an_attempt_is_told_from_another_folder(tmp_path, name, parts, expected):
    (tmp_path / name).mkdir()
    for part in parts:
        (tmp_path / name / part).mkdir(parents=True)

    assert is_attempt(tmp_path / name) is expected


def test_a_record_makes_any_folder_an_attempt(tmp_path):
    write_record(record_of("t_1"), tmp_path)

    assert is_attempt(tmp_path)
    assert Attempt(tmp_path).missing == ("submission", "code", "logs")
