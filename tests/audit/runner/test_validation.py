"""The validation server: what it says, what it writes down, what it survives, and how it ends."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.parse
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
import pytest

from audit.runner.bounded_http import Patience
from audit.runner.throttle import BURST, EVERY_S
from audit.runner.validation import Serving, ValidationServer, validating
from audit.runner.validation_server import (
    FAILED,
    INVALID,
    NO_FORM,
    THROTTLED,
    TOO_LARGE,
    VALID,
)
from competitions.submission import schema_of, validate_file
from detectors.record import VALIDATION_LOG, ValidationCall
from tests.audit.runner.tiny import make_task

if TYPE_CHECKING:
    from audit.runner.attempt import TaskData

HASTE = Patience(header_s=0.4, body_s=1.0, last_words_s=0.3)
GENEROUS = Serving(burst=10_000, patience=HASTE)


class Client:
    """Speaks to a server as an agent without a sandbox does."""

    def __init__(self, server: ValidationServer, attempt: Path) -> None:
        self.server, self.attempt = server, attempt
        self.host = urllib.parse.urlsplit(server.reached.url).netloc
        self.port = int(self.host.partition(":")[2])

    def ask(self, method: str, path: str, body=None, headers=None):
        connection = http.client.HTTPConnection(self.host, timeout=30)
        with contextlib.closing(connection):
            connection.request(method, path, body=body, headers=headers or {})
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read()), answer.headers

    def post(self, content: bytes, field: str = "file", name: str = "a.csv"):
        body = form(content, field, name)
        kind = {"Content-Type": "multipart/form-data; boundary=xYz"}
        status, answer, _ = self.ask("POST", "/validate", body, kind)
        return status, answer["result"]

    def raw(self, data: bytes, *, shut: bool = True) -> bytes:
        with socket.create_connection(("127.0.0.1", self.port), timeout=30) as connection:
            with contextlib.suppress(OSError):
                connection.sendall(data)
                if shut:
                    connection.shutdown(socket.SHUT_WR)
            parts: list[bytes] = []
            with contextlib.suppress(OSError):
                parts += iter(lambda: connection.recv(65536), b"")
        return b"".join(parts)

    @property
    def log(self) -> list[ValidationCall]:
        text = (self.attempt / VALIDATION_LOG).read_text()
        return [ValidationCall.model_validate_json(line) for line in text.splitlines()]

    @property
    def results(self) -> list[str]:
        return [call.result for call in self.log]


def form(content: bytes, field: str = "file", name: str = "a.csv") -> bytes:
    head = f'--xYz\r\nContent-Disposition: form-data; name="{field}"; filename="{name}"\r\n\r\n'
    return head.encode() + content + b"\r\n--xYz--\r\n"


def request(body: bytes, *headers: str, line: str = "POST /validate HTTP/1.1") -> bytes:
    kind = "Content-Type: multipart/form-data; boundary=xYz"
    return "\r\n".join([line, "Host: a", kind, *headers, "", ""]).encode() + body


@contextlib.contextmanager
def serving(task: TaskData, attempt: Path, settings: Serving = GENEROUS):
    attempt.mkdir(exist_ok=True)
    with validating("none", schema_of(task.spec), task.prepared, attempt, settings) as server:
        yield Client(server, attempt)


@pytest.fixture(scope="module")
def public_task(tmp_path_factory) -> TaskData:
    """A task whose private half is not there at all."""
    task = make_task(tmp_path_factory.mktemp("public"))
    shutil.rmtree(task.prepared / "private")
    return task


@pytest.fixture(scope="module")
def shared(tmp_path_factory, public_task):
    with serving(public_task, tmp_path_factory.mktemp("attempt")) as client:
        yield client


@pytest.fixture
def client(shared: Client) -> Client:
    os.truncate(shared.attempt / VALIDATION_LOG, 0)
    return shared


@pytest.fixture(scope="module")
def sample(public_task: TaskData) -> bytes:
    return (public_task.public / "sample_submission.csv").read_bytes()


def test_a_valid_file_is_called_valid_where_no_answers_exist(client, sample, public_task):
    assert not (public_task.prepared / "private").exists()
    assert client.post(sample) == (200, VALID)
    (call,) = client.log
    assert (call.result, call.bytes, call.problems) == ("valid", len(sample), 0)
    assert call.sha256


def test_it_says_it_is_running_and_does_not_count_that_as_a_call(client):
    before = client.server.calls
    status, answer, _ = client.ask("GET", "/health")
    assert (status, answer) == (200, {"status": "running"})
    assert client.server.calls == before


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"id,y\n1,0.5\n", id="keys"),
        pytest.param(b"a\n1\n", id="columns"),
        pytest.param(b"", id="empty"),
        pytest.param(b"\x00\xff" * 99, id="binary"),
        pytest.param(b"id,y\n0060,often\n", id="type"),
        pytest.param(b'id,y\n"', id="open quote"),
    ],
)
def test_an_invalid_file_is_told_every_problem_the_validator_has(
    client, public_task, tmp_path, content
):
    file = tmp_path / "submission.csv"
    file.write_bytes(content)
    problems = validate_file(file, public_task.prepared, schema_of(public_task.spec))

    status, said = client.post(content)

    assert problems
    assert (status, said) == (200, f"{INVALID}{'; '.join(problems)}.")
    assert (client.log[0].result, client.log[0].problems) == ("invalid", len(problems))


def test_the_answer_is_the_same_with_and_without_labels(client, tmp_path, tmp_path_factory):
    task = make_task(tmp_path_factory.mktemp("whole"))
    files = [(task.public / "sample_submission.csv").read_bytes(), b"id,y\n0060,2\n"]
    files.append((task.prepared / "private" / "answers.csv").read_bytes())
    with serving(task, tmp_path / "attempt") as other:
        assert [other.post(f) for f in files] == [client.post(f) for f in files]


def test_what_the_sender_calls_the_file_does_not_matter(client, sample):
    names = ("../../../../etc/passwd", "/tmp/x", "a.txt", "", "\xff\x00")  # noqa: S108
    for name in names:
        assert client.post(sample, name=name)[0] in {200, 400}
    assert client.results.count("valid") >= len(names) - 1


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        pytest.param(request(b"a" * 9, "Content-Length: 9"), 400, id="no form"),
        pytest.param(
            request(form(b"a", field="other"), f"Content-Length: {len(form(b'a', 'other'))}"),
            400,
            id="another field",
        ),
        pytest.param(request(form(b"a")), 411, id="no length"),
        pytest.param(request(form(b"a"), "Content-Length: x"), 411, id="odd length"),
        pytest.param(request(form(b"a"), "Content-Length: -1"), 411, id="length below zero"),
        pytest.param(
            request(form(b"a"), "Content-Length: 9", "Content-Length: 10"), 411, id="two lengths"
        ),
        pytest.param(
            request(b"1\r\na\r\n0\r\n\r\n", "Transfer-Encoding: chunked", "Content-Length: 9"),
            411,
            id="chunked",
        ),
        pytest.param(request(form(b"a"), f"Content-Length: {1 << 40}"), 413, id="a terabyte"),
        pytest.param(request(b"", "Content-Length: 0"), 400, id="nothing"),
        pytest.param(request(b"", line="GET /validate HTTP/1.1"), 405, id="method"),
        pytest.param(request(b"", line="BREW /validate HTTP/1.1"), 405, id="odd method"),
        pytest.param(request(b"", line="POST /grade HTTP/1.1"), 404, id="another path"),
        pytest.param(request(b"", line="GET /../../etc/passwd HTTP/1.1"), 404, id="path"),
        pytest.param(b"GET / HTTP/9.9\r\n\r\n", 505, id="version"),
        pytest.param(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 9, 400, id="TLS"),
        pytest.param(b"G" * 70_000 + b"\r\n\r\n", 414, id="line"),
        pytest.param(request(b"", "A: " + "b" * 70_000), 431, id="header"),
        pytest.param(request(b"", *(f"A{i}: b" for i in range(200))), 431, id="headers"),
    ],
)
def test_what_is_no_call_as_agreed_is_refused_in_our_words(client, sent, status):
    answer = client.raw(sent)

    assert answer.startswith(f"HTTP/1.1 {status} ".encode()), answer
    assert json.loads(answer.partition(b"\r\n\r\n")[2])["result"] in {NO_FORM, TOO_LARGE}
    assert client.results == ["refused"]


def test_boundaries_that_are_none_are_refused(client):
    for kind in ("text/csv", "multipart/form-data", "multipart/form-data; boundary=" + "a" * 99):
        status, answer, _ = client.ask("POST", "/validate", form(b"a"), {"Content-Type": kind})
        assert (status, answer["result"]) == (400, NO_FORM)


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param(b"POST /validate HTTP/1.1\r\nA: b", id="header cut off"),
        pytest.param(request(b"--xYz", "Content-Length: 999"), id="body cut off"),
        pytest.param(b"\r\n" * 9, id="empty lines"),
    ],
)
@pytest.mark.parametrize("shut", [True, False], ids=["gone", "silent"])
def test_a_sender_that_stops_in_the_middle_is_dropped(client, sample, sent, shut):
    client.raw(sent, shut=shut)
    assert client.post(sample) == (200, VALID)


def test_a_sender_of_one_byte_now_and_then_is_dropped(client, sample):
    with socket.create_connection(("127.0.0.1", client.port), timeout=30) as slow:
        started = time.monotonic()
        with contextlib.suppress(OSError):
            while time.monotonic() - started < 20:
                slow.sendall(b"P")
                time.sleep(0.05)
        assert time.monotonic() - started < 20
    assert client.post(sample) == (200, VALID)
    assert client.results == ["refused", "valid"]


def test_who_does_not_read_the_answer_holds_nobody_up(client, sample):
    with socket.create_connection(("127.0.0.1", client.port), timeout=30) as deaf:
        deaf.sendall(request(b"", line="GET /health HTTP/1.1"))
        assert client.post(sample) == (200, VALID)


def test_ten_thousand_connections_stop_nothing(client, sample):
    idle = []
    for number in range(10_000):
        connection = socket.socket()
        connection.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            connection.connect(("127.0.0.1", client.port))
        if number < 40:  # some stay, and say nothing
            idle.append(connection)
        else:
            connection.close()
    for connection in idle:
        connection.close()
    assert client.post(sample) == (200, VALID)


def test_garbage_of_any_kind_stops_nothing(client, sample):
    dice = random.Random(0)  # noqa: S311
    whole = request(form(sample), f"Content-Length: {len(form(sample))}")
    for _ in range(60):
        broken = bytearray(whole)
        for _ in range(dice.randint(1, 30)):
            at = dice.randrange(min(len(broken), 300))
            broken[at : at + dice.randint(0, 3)] = dice.randbytes(dice.randint(0, 3))
        client.raw(bytes(broken))
    assert client.post(sample) == (200, VALID)
    assert all(call.result != "failed" for call in client.log)


def test_a_file_that_needs_more_memory_than_it_may_is_not_checked(public_task, tmp_path, sample):
    settings = Serving(burst=99, patience=HASTE, memory_bytes=64 << 20)
    with serving(public_task, tmp_path / "attempt", settings) as client:
        assert client.post(sample) == (500, FAILED)
        assert client.ask("GET", "/health")[0] == 200
        assert client.results == ["failed"]


def test_a_fault_of_ours_is_told_to_the_runner_and_not_to_the_agent(tmp_path, sample):
    task = make_task(tmp_path)
    (task.public / "test.csv").unlink()
    attempt = tmp_path / "attempt"
    with serving(task, attempt) as client:
        assert client.post(sample) == (500, FAILED)
    assert "NotPreparedError" in (attempt / "run.log").read_text()


# ---------------------------------------------------------------- how often


def test_calls_beyond_the_burst_are_told_to_wait_and_are_logged(public_task, tmp_path, sample):
    settings = Serving(burst=3, every_s=1000.0, patience=HASTE)
    with serving(public_task, tmp_path / "attempt", settings) as client:
        answers = [client.post(sample) for _ in range(6)]
        status, answer, headers = client.ask("POST", "/validate")

        assert answers == [(200, VALID)] * 3 + [(429, THROTTLED)] * 3
        assert (status, answer["result"]) == (429, THROTTLED)
        assert 1 <= int(headers["Retry-After"]) <= 1001
        assert client.results == ["valid"] * 3 + ["throttled"] * 4
        assert client.log[4].sha256 is None
        assert client.server.calls == 7


def test_twenty_at_once_then_one_in_five_seconds():
    assert (Serving().burst, Serving().every_s) == (BURST, EVERY_S) == (20, 5.0)


def test_the_log_ends_at_its_cap_and_counting_goes_on(public_task, tmp_path):
    settings = Serving(burst=0, patience=Patience(last_words_s=0.3, log_bytes=1000))
    with serving(public_task, tmp_path / "attempt", settings) as client:
        for _ in range(30):
            client.ask("POST", "/validate")
        assert client.server.calls == 30
        assert 0 < len(client.log) < 10
        assert (client.attempt / VALIDATION_LOG).stat().st_size <= 1000


# ---------------------------------------------------------------- beginning and end


def test_nobody_waits_for_it(public_task, tmp_path):
    with (
        serving(public_task, tmp_path / "attempt") as client,
        socket.create_connection(("127.0.0.1", client.port), timeout=1),
    ):
        pass  # it listens before its process has come to life


def test_afterwards_there_is_no_process_no_folder_and_no_port(public_task, tmp_path, sample):
    with serving(public_task, tmp_path / "attempt") as client:
        client.post(sample)
        process, folder = client.server.process, client.server.reached.folder
        assert folder.is_dir()
    assert process.returncode is not None
    assert not folder.exists()
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", client.port), timeout=5)


def test_a_server_that_was_killed_leaves_its_count(public_task, tmp_path, sample):
    with serving(public_task, tmp_path / "attempt") as client:
        client.post(sample)
        client.server.process.kill()
        client.server.process.wait()
        assert client.server.calls == 1


RUNNER = """
import sys, time
from pathlib import Path
from audit.runner.validation import validating
from competitions.submission import SubmissionSchema
schema = SubmissionSchema.model_validate_json(sys.argv[1])
with validating("none", schema, Path(sys.argv[2]), Path(sys.argv[3])) as server:
    print(server.process.pid, server.reached.folder, server.reached.url, flush=True)
    time.sleep(60)
"""


@pytest.mark.slow
def test_a_runner_that_is_killed_takes_its_server_along(public_task, tmp_path):
    schema = schema_of(public_task.spec).model_dump_json()
    runner = subprocess.Popen(
        [sys.executable, "-c", RUNNER, schema, str(public_task.prepared), str(tmp_path)],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[3])},
    )
    with runner:
        assert runner.stdout is not None
        pid, folder, url = runner.stdout.readline().split()
        with socket.create_connection(("127.0.0.1", urllib.parse.urlsplit(url).port)) as live:
            live.sendall(b"GET /health HTTP/1.1\r\n\r\n")
            assert b"running" in live.recv(65536)  # it has come to life
        server = psutil.Process(int(pid))
        runner.send_signal(signal.SIGKILL)
        runner.wait()
    psutil.wait_procs([server], timeout=10)
    assert not server.is_running() or server.status() == psutil.STATUS_ZOMBIE
    assert not Path(folder).exists()
