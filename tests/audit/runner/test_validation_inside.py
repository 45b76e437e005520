"""What an agent can do with its validation server, and what it cannot do to it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from audit.runner.validation_server import VALID
from detectors.record import VALIDATION_LOG, ValidationCall
from tests.audit.runner.tiny import Ran, make_agent, run_once

ASK = r"""
cp "$DATA_DIR/sample_submission.csv" "$SUBMISSION_DIR/submission.csv"
printf 'id,y\n1,2\n' > "$LOGS_DIR/bad.csv"
say() { "$VALIDATE_SUBMISSION" "$@"; echo "ended with $?"; }
say "$SUBMISSION_DIR/submission.csv"
say "$LOGS_DIR/bad.csv"
say "$LOGS_DIR/none.csv"
say
VALIDATION_URL=http://127.0.0.1:9/validate say "$LOGS_DIR/bad.csv"
"""
PROBE = r"""
import array, json, os, re, socket, subprocess, time, urllib.request
from pathlib import Path

seen = {}
HEALTH = "http://127.0.0.1:5000/health"
SOCKET = "/run/validation/server.sock"

def attempt(name, function):
    try:
        seen[name] = ["ok", function()]
    except BaseException as error:
        seen[name] = [type(error).__name__, str(error)]

def is_running():
    return json.load(urllib.request.urlopen(HEALTH, timeout=60))

def connect(*address):
    s = socket.socket(socket.AF_UNIX)
    s.settimeout(30)
    s.connect(*address)
    return s

def garbage():
    with connect(SOCKET) as s:
        s.sendall(b"\x00\xff" * 1000 + b"\r\n\r\n")
        return s.recv(65536).decode()

def hand_over_a_file():
    # A hostile client may pass open files along; nobody takes them.
    with connect(SOCKET) as s, open("/etc/passwd") as file:
        rights = array.array("i", [file.fileno()])
        with_it = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)]
        s.sendmsg([b"GET /health HTTP/1.1\r\n\r\n"], with_it)
        return s.recv(65536).decode()

def many():
    made = 0
    for _ in range(3000):
        s = socket.socket()
        s.setblocking(False)
        s.connect_ex(("127.0.0.1", 5000))
        s.close()
        made += 1
    return made

def write(path):
    with open(path, "a") as stream:
        stream.write("x")

def orphan():
    try:
        return os.wait()
    except ChildProcessError:
        return "no child"

attempt("no child of ours", orphan)
attempt("running", is_running)
logs = subprocess.run(["find", "/", "-name", "*validation*", "-not", "-path", "/proc/*",
    "-not", "-path", "/sys/*", "-not", "-path", "/usr/*"], capture_output=True, text=True)
seen["found"] = [p for p in logs.stdout.split() if "/opt/" not in p]
for place in ("/home/validation.jsonl", "/home/code/../validation.jsonl", "/run/validation/a",
              "/run/validation/relay.py", "/home/validate_submission.sh"):
    attempt(f"write {place}", lambda: write(place))
attempt("unlink the socket", lambda: os.unlink(SOCKET))
attempt("bind in its place", lambda: socket.socket(socket.AF_UNIX).bind("/run/validation/b"))
attempt("another socket", lambda: connect("/run/validation/other.sock"))
seen["sockets"] = [line.split()[-1] for line in open("/proc/net/unix").read().splitlines()[1:]]
attempt("garbage", garbage)
attempt("hand over", hand_over_a_file)
attempt("many", many)
attempt("another port", lambda: socket.create_connection(("127.0.0.1", 5001), timeout=2))
attempt("still running", is_running)
relay = [int(p) for p in os.listdir("/proc") if p.isdigit() and int(p) not in (1, os.getpid())
         and b"relay" in open(f"/proc/{p}/cmdline", "rb").read()]
seen["relay"] = [re.search(r"VmRSS:\s+(\d+)", open(f"/proc/{p}/status").read())[1] for p in relay]
seen["fds"] = [os.readlink(f"/proc/{p}/fd/{fd}") for p in relay for fd in range(3)]
Path("/home/logs/seen.json").write_text(json.dumps(seen))
"""


def calls_of(ran: Ran) -> list[ValidationCall]:
    lines = (ran.path / VALIDATION_LOG).read_text().splitlines()
    return [ValidationCall.model_validate_json(line) for line in lines]


@pytest.fixture(scope="module")
def seen(tmp_path_factory, interpreters, task) -> tuple[dict[str, Any], Ran]:
    agent = make_agent(
        tmp_path_factory.mktemp("agents") / "probe",
        'exec python "$AGENT_DIR/probe.py"\n',
        {"probe.py": PROBE},
    )
    ran = run_once(agent, task, tmp_path_factory.mktemp("runs"), interpreters)
    assert ran.record.exit_status == "finished", ran.log
    loaded: dict[str, Any] = json.loads((ran.path / "logs" / "seen.json").read_text())
    return loaded, ran


@pytest.mark.parametrize(
    "sandbox", [pytest.param("bubblewrap", marks=pytest.mark.sandbox), pytest.param("none")]
)
def test_the_script_tells_the_result_and_ends_accordingly(sandbox, tmp_path, interpreters, task):
    agent = make_agent(tmp_path / "agent", ASK)
    ran = run_once(agent, task, tmp_path / "runs", interpreters, sandbox=sandbox)

    said = [line for line in ran.log.splitlines() if line.startswith("ended with")]
    assert [int(line.split()[-1]) for line in said] == [0, 1, 2, 2, 2]
    assert ran.log.splitlines()[0] == VALID
    assert "Submission invalid! expected 60 rows, found 1" in ran.log
    assert [call.result for call in calls_of(ran)] == ["valid", "invalid"]
    assert ran.record.validation_calls == 2
    assert ran.record.submission_sha256 == calls_of(ran)[0].sha256


@pytest.mark.parametrize(
    "sandbox", [pytest.param("bubblewrap", marks=pytest.mark.sandbox), pytest.param("none")]
)
def test_who_does_not_ask_has_an_empty_log(sandbox, tmp_path, interpreters, task):
    agent = make_agent(tmp_path / "agent", "exit 7")
    ran = run_once(agent, task, tmp_path / "runs", interpreters, sandbox=sandbox)

    assert calls_of(ran) == []
    assert (ran.record.exit_status, ran.record.exit_code) == ("crashed", 7)
    assert ran.record.validation_calls == 0


@pytest.mark.sandbox
def test_an_agent_that_kills_all_it_can_only_loses_its_way_to_the_server(
    tmp_path, interpreters, task
):
    agent = make_agent(tmp_path / "agent", "kill -9 -1\nexit 3\n")
    ran = run_once(agent, task, tmp_path / "runs", interpreters)

    assert ran.record.ended_at is not None
    assert ran.record.exit_status in {"crashed", "killed"}


@pytest.mark.sandbox
def test_the_relay_is_nobodys_child_and_holds_no_output(seen):
    found, _ = seen
    assert found["no child of ours"] == ["ok", "no child"]
    assert set(found["fds"]) == {"/dev/null"}


@pytest.mark.sandbox
def test_the_relay_is_one_small_process(seen):
    (kib,) = seen[0]["relay"]
    assert int(kib) < 20_000


@pytest.mark.sandbox
@pytest.mark.parametrize(
    "name",
    [
        "write /home/validation.jsonl",
        "write /home/code/../validation.jsonl",
        "write /run/validation/a",
        "write /run/validation/relay.py",
        "write /home/validate_submission.sh",
        "unlink the socket",
        "bind in its place",
        "another socket",
        "another port",
    ],
)
def test_an_agent_cannot(seen, name):
    found, ran = seen
    # What it writes beside its folders would be in memory of its own and gone afterwards.
    assert found[name][0] != "ok" or name.endswith(".jsonl"), found[name]
    assert "x" not in (ran.path / VALIDATION_LOG).read_text()


@pytest.mark.sandbox
def test_the_log_is_nowhere_inside(seen):
    found, _ = seen
    assert "/run/validation" in found["found"]
    assert [p for p in found["found"] if p.endswith(VALIDATION_LOG)] == []


@pytest.mark.sandbox
def test_no_other_socket_of_the_host_is_there(seen):
    assert [name for name in seen[0]["sockets"] if name.startswith(("/", "@"))] == []


@pytest.mark.sandbox
@pytest.mark.parametrize("way", ["running", "still running"])
def test_it_runs_before_and_after_what_was_done_to_it(seen, way):
    assert seen[0][way] == ["ok", {"status": "running"}]


@pytest.mark.sandbox
def test_garbage_is_refused_and_open_files_are_not_taken(seen):
    found, ran = seen
    assert found["garbage"][1].startswith("HTTP/1.1 400")
    assert '"running"' in found["hand over"][1]
    assert found["many"] == ["ok", 3000]
    assert [call.result for call in calls_of(ran)] == ["refused"]
    assert ran.record.validation_calls == 1
