"""The server's parts on their own: forms, tokens, checks of hostile files."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.runner.checking import Checker
from audit.runner.multipart import boundary_of, find_part
from audit.runner.throttle import BURST, EVERY_S, TokenBucket
from competitions.submission import schema_of
from tests.audit.runner.tiny import make_task

DAY = 86400
GIB = 1 << 30


def cut_out(body: bytes, boundary: bytes = b"xYz", field: str = "file") -> bytes | None:
    with tempfile.NamedTemporaryFile() as file:
        file.write(body)
        file.flush()
        part = find_part(Path(file.name), boundary, field)
    return None if part is None else body[part.first : part.end]


def part(content: bytes, name: str = "file", *headers: str) -> bytes:
    lines = [f'Content-Disposition: form-data; name="{name}"; filename="a"', *headers]
    return b"--xYz\r\n" + "\r\n".join(lines).encode() + b"\r\n\r\n" + content + b"\r\n"


END = b"--xYz--\r\n"


@given(st.binary().filter(lambda content: b"\r\n--xYz" not in content))
def test_what_is_sent_is_what_is_found(content):
    assert cut_out(part(content) + END) == content


@given(st.binary(max_size=300))
def test_a_body_of_anything_is_a_part_or_none(body):
    found = cut_out(b"--xYz\r\n" + body)
    assert found is None or found in body


@pytest.mark.parametrize(
    ("body", "found"),
    [
        pytest.param(part(b"a") + END, b"a", id="plain"),
        pytest.param(b"before\r\n" + part(b"a") + END, b"a", id="preamble"),
        pytest.param(part(b"b", "other") + part(b"a") + END, b"a", id="second field"),
        pytest.param(part(b"a") + part(b"b") + END, b"a", id="the first of two"),
        pytest.param(part(b"") + END, b"", id="empty"),
        pytest.param(part(b"a--xYz--b\n--xYz") + END, b"a--xYz--b\n--xYz", id="boundary inside"),
        pytest.param(part(b"a", "file", "Content-Type: text/csv") + END, b"a", id="type"),
        pytest.param(part(b"a"), None, id="no end"),
        pytest.param(part(b"a", "other") + END, None, id="another field"),
        pytest.param(b"", None, id="nothing"),
        pytest.param(END, None, id="only the end"),
        pytest.param(b"--xYz\r\n\r\na\r\n" + END, None, id="no header"),
        pytest.param(
            b"--xYz\r\nA: " + b"b" * 9000 + b"\r\n\r\na\r\n" + END, None, id="long header"
        ),
        pytest.param(part(b"b", "other") * 200 + part(b"a") + END, None, id="too many fields"),
    ],
)
def test_a_form_is_read_as_browsers_write_it(body, found):
    assert cut_out(body) == found


@pytest.mark.parametrize(
    ("kind", "boundary"),
    [
        ("multipart/form-data; boundary=xYz", b"xYz"),
        ('Multipart/Form-Data; charset=utf-8; boundary="x Y"', b"x Y"),
        ("multipart/form-data", None),
        ("multipart/mixed; boundary=xYz", None),
        ("multipart/form-data; boundary=", None),
        ('multipart/form-data; boundary="x\xff"', None),
        (f"multipart/form-data; boundary={'x' * 71}", None),
        ("", None),
        ("; boundary=x" * 1000, None),
    ],
)
def test_a_boundary_is_read_or_there_is_none(kind, boundary):
    assert boundary_of(kind) == boundary


@given(st.lists(st.floats(0, 60), max_size=200))
def test_no_more_tokens_than_agreed_are_given(pauses):
    bucket, now, given_out = TokenBucket(), 0.0, 0
    for pause in pauses:
        now += pause
        given_out += bucket.take(now) == 0.0
    assert given_out <= BURST + now / EVERY_S + 1e-6


@given(st.integers(1, 50), st.floats(0.1, 100))
def test_who_waits_as_long_as_told_gets_a_token(burst, every_s):
    bucket = TokenBucket(burst, every_s)
    for _ in range(burst):
        assert bucket.take(0.0) == 0.0
    wait = bucket.take(0.0)
    assert 0 < wait <= every_s
    assert bucket.take(wait * (1 + 1e-9)) == 0.0


def test_a_clock_that_runs_backwards_gives_no_tokens():
    bucket = TokenBucket(burst=1)
    assert bucket.take(100.0) == 0.0
    assert bucket.take(0.0) > 0
    assert bucket.take(1.0) > 0


def checker(tmp_path: Path, **settings) -> Checker:
    task = make_task(tmp_path / "data")
    schema = schema_of(task.spec).model_dump_json()
    return Checker(task.prepared, schema, settings.pop("memory_bytes", 4 * GIB), **settings)


def test_a_check_that_takes_too_long_is_ended(tmp_path):
    file = tmp_path / "submission.csv"
    file.write_text("id,y\n")
    assert checker(tmp_path, seconds=0.0).check(file) is None


def test_a_file_of_one_endless_line_is_a_problem_or_too_much(tmp_path):
    file = tmp_path / "submission.csv"
    with file.open("wb") as stream:
        stream.write(b'id,y\n"')
        stream.truncate(0)
        stream.write(b'id,y\n0060,"' + b"a" * (64 << 20))
    problems = checker(tmp_path, memory_bytes=2 * GIB).check(file)
    assert problems is None or problems


def test_sentences_are_cut_where_a_file_makes_them_long(tmp_path):
    file = tmp_path / "submission.csv"
    file.write_text("a" * 5000 + "\n1\n")
    problems = checker(tmp_path).check(file)
    assert problems
    assert all(len(text) <= 1000 for text in problems)
