"""What exists inside the sandbox: one agent looks at everything and writes down what it saw."""

from __future__ import annotations

import json
import os
import socket
import threading
from pathlib import Path
from typing import Any

import pytest

import audit
from audit.runner import bubblewrap, sandbox
from audit.runner.attempt import Conditions, run_attempt
from audit.runner.hidden import PACKAGES
from audit.runner.interpreter import interpreter_for
from audit.runner.limits import Limits
from competitions.errors import RefusedError, SandboxUnavailableError, UsageError
from tests.audit.runner.tiny import make_agent, make_task, now, run_once

pytestmark = pytest.mark.sandbox

PROBE = r"""
import json, os, socket, subprocess, sys
from pathlib import Path

seen = {}

def attempt(name, function):
    try:
        seen[name] = ["ok", function()]
    except BaseException as error:
        seen[name] = [type(error).__name__, str(error)]

def shell(command):
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    return done.stdout + done.stderr

def connect(host, port, family=socket.AF_INET):
    with socket.socket(family, socket.SOCK_STREAM) as s:
        s.settimeout(2)
        s.connect((host, port) if family == socket.AF_INET else host)

def write(path):
    with open(path, "w") as stream:
        stream.write("x")

files = []
for root, folders, names in os.walk("/"):
    if root in ("/proc", "/dev"):
        folders[:] = []
        continue
    files += [os.path.join(root, n) for n in [*names, *folders]]
seen["files"] = files
seen["env"] = dict(os.environ)
seen["uid"] = os.getuid()
seen["hostname"] = socket.gethostname()
seen["prefix"] = sys.prefix
seen["cwd"] = os.getcwd()
seen["limits"] = shell("ls -l /proc/self/fd | wc -l; ls -l /proc/self/fd")
seen["caps"] = [l for l in open("/proc/self/status").read().splitlines() if l.startswith("Cap")]
seen["pids"] = sorted(int(n) for n in os.listdir("/proc") if n.isdigit())
seen["environs"] = shell("cat /proc/[0-9]*/environ | tr '\\0' '\\n'")
seen["cmdlines"] = shell("cat /proc/[0-9]*/cmdline | tr '\\0' ' '")
seen["mounts"] = open("/proc/self/mountinfo").read()
for module in ("audit", "detectors", "competitions", "reports", "sklearn.ensemble", "pytest"):
    attempt(f"import {module}", lambda: __import__(module).__name__)
attempt("breast cancer", lambda: __import__("sklearn.datasets").datasets.load_breast_cancer())
attempt("make data", lambda: __import__("sklearn.datasets").datasets.make_moons(4)[0].shape)
attempt("digits", lambda: __import__("sklearn.datasets").datasets.load_digits())
attempt("diabetes", lambda: __import__("sklearn.datasets").datasets.load_diabetes(scaled=False))
attempt("co2", lambda: __import__("statsmodels.api").api.datasets.co2.load())
attempt("place names", lambda: __import__("babel").Locale("de").territories["FI"])
attempt("place names, read", lambda: __import__("babel.localedata").localedata.load("de"))
attempt("place names, translated", lambda: __import__("gettext").translation(
    "iso_3166-1", "/usr/share/locale", languages=["de"]).gettext("Finland"))
attempt("import babel", lambda: __import__("babel").__name__)
attempt("modechoice", lambda: __import__("statsmodels.api").api.datasets.modechoice.load())
attempt("host loopback", lambda: connect("127.0.0.1", PORT))
attempt("host abstract socket", lambda: connect(ABSTRACT, 0, socket.AF_UNIX))
attempt("internet", lambda: connect("1.1.1.1", 53))
attempt("names", lambda: socket.gethostbyname("example.org"))
for place in ("/home/data/new", "/home/data/train.csv", "/home/agent/new", "/usr/new", "/new",
              "/etc/new", "/home/instructions.txt", "/opt/interpreter/new",
              "/proc/sys/kernel/domainname", "/proc/sysrq-trigger"):
    attempt(f"write {place}", lambda: write(place))
for place in ("/home/submission/a", "/home/code/a", "/home/logs/a", "/tmp/a", "/home/user/a"):
    attempt(f"write {place}", lambda: write(place))
attempt("new user namespace", lambda: subprocess.run(
    ["unshare", "-r", "true"], check=True, capture_output=True))
Path("/home/logs/seen.json").write_text(json.dumps(seen))
"""
PLANTED = "planted-secret-51ab"


@pytest.fixture(scope="module")
def seen(tmp_path_factory, interpreters, task) -> dict[str, Any]:
    """Run the probe once, with a server and a secret outside."""
    abstract = f"\0mle-audit-test-{os.getpid()}"
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.socket(socket.AF_UNIX) as unix,
        pytest.MonkeyPatch.context() as patch,
    ):
        unix.bind(abstract)
        unix.listen()
        threading.Thread(target=_accept, args=(server,), daemon=True).start()
        patch.setenv("HOST_SECRET_FOR_TEST", PLANTED)
        port = server.getsockname()[1]
        code = PROBE.replace("PORT", str(port)).replace("ABSTRACT", repr(abstract))
        agent = make_agent(
            tmp_path_factory.mktemp("agents") / "probe",
            'exec python "$AGENT_DIR/probe.py" "$@"\n',
            {"probe.py": code},
            requirements=["babel", "scikit-learn", "statsmodels"],
            env={"AGENT_SETTING": "on"},
        )
        with socket.create_connection(("127.0.0.1", port), timeout=5):
            pass  # the server can be reached from here
        ran = run_once(agent, task, tmp_path_factory.mktemp("runs"), interpreters)
    assert ran.record.exit_status == "finished", ran.log
    loaded: dict[str, Any] = json.loads((ran.path / "logs" / "seen.json").read_text())
    return loaded


def _accept(server: socket.socket) -> None:
    try:
        while True:
            server.accept()[0].close()
    except OSError:
        return


@pytest.mark.parametrize("package", ["audit", "detectors", "competitions", "reports", "pytest"])
def test_our_packages_cannot_be_imported(seen, package):
    assert seen[f"import {package}"][0] == "ModuleNotFoundError"


def test_no_file_of_ours_is_anywhere(seen):
    root = Path(audit.__path__[0]).parent
    parts = {f"/{p}/{file.name}" for p in PACKAGES for file in (root / p).glob("*.py")}
    names = {"mle_audit", "mle-audit", "/competitions/", "/detectors/", "answers_read"}
    marks = (parts - {f"/{p}/__init__.py" for p in PACKAGES}) | names
    assert [path for path in seen["files"] if any(mark in path for mark in marks)] == []


def test_no_bundled_data_is_anywhere(seen):
    tables = ["breast_cancer", "modechoice.csv", "iris.csv", "anes96.csv", "diabetes_data"]
    names = [*tables, "digits.csv", "co2.csv", "locale-data/", "iso_3166.mo", "iso_3166-1.mo"]
    assert [p for p in seen["files"] if any(n in p for n in names)] == []


@pytest.mark.parametrize(
    "loader",
    ["breast cancer", "modechoice", "digits", "diabetes", "co2", "place names, translated"],
)
def test_bundled_answers_cannot_be_loaded(seen, loader):
    assert seen[loader][0] in {"ModuleNotFoundError", "FileNotFoundError"}, seen[loader]


@pytest.mark.parametrize("way", ["place names", "place names, read"])
def test_babel_knows_no_language(seen, way):
    assert seen["import babel"] == ["ok", "babel"]
    assert seen[way][0] in {"UnknownLocaleError", "FileNotFoundError"}, seen[way]


@pytest.mark.parametrize("use", ["import sklearn.ensemble", "make data"])
def test_the_agents_packages_work(seen, use):
    assert seen[use][0] == "ok", seen[use]


def test_foreign_packages_of_the_system_do_not_exist(seen):
    own = "/opt/interpreter/"
    folders = {p for p in seen["files"] if p.endswith(("/site-packages", "/dist-packages"))}
    inside = [p for p in seen["files"] if any(p.startswith(f"{f}/") for f in folders)]
    assert [p for p in inside if not p.startswith(own)] == []


def test_the_private_half_is_not_there(seen):
    own = [p for p in seen["files"] if not p.startswith("/usr/")]  # /usr/lib/ssl/private is no data
    assert [p for p in own if "private" in Path(p).parts] == []
    assert [p for p in seen["files"] if "answers.csv" in p or "prepared" in Path(p).parts] == []


@pytest.mark.parametrize("way", ["host loopback", "host abstract socket", "internet", "names"])
def test_no_network_is_reached(seen, way):
    assert seen[way][0] != "ok"


def test_only_its_own_processes_are_seen(seen):
    assert len(seen["pids"]) <= 4
    assert "pytest" not in seen["cmdlines"]


def test_process_one_tells_nothing_of_the_host(seen):
    assert "--ro-bind" not in seen["cmdlines"]
    assert "HOST_SECRET" not in seen["environs"]
    assert PLANTED not in json.dumps(seen)


def test_the_environment_is_the_contracts_and_nothing_else(seen):
    ours = {k: v for k, v in seen["env"].items() if k not in {"PWD", "SHLVL", "_", "OLDPWD"}}
    threads = [k for k in ours if k.endswith(("NUM_THREADS", "MAX_THREADS", "CPU_COUNT"))]
    assert {ours.pop(k) for k in threads} == {"1"}
    assert ours == {
        "SUBMISSION_DIR": "/home/submission",
        "LOGS_DIR": "/home/logs",
        "CODE_DIR": "/home/code",
        "AGENT_DIR": "/home/agent",
        "DATA_DIR": "/home/data",
        "INSTRUCTIONS": "/home/instructions.txt",
        "VALIDATION_URL": "http://127.0.0.1:5000/validate",
        "VALIDATE_SUBMISSION": "/home/validate_submission.sh",
        "COMPETITION_ID": "tiny-task",
        "TIME_LIMIT_SECS": "60",
        "SEED": "0",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONNOUSERSITE": "1",
        "PYTHONUNBUFFERED": "1",
        "HOME": "/home/user",
        "TMPDIR": "/tmp",  # noqa: S108 - inside
        "USER": "agent",
        "LANG": "C.UTF-8",
        "PATH": "/opt/interpreter/bin:/usr/local/bin:/usr/bin:/bin",
        "AGENT_SETTING": "on",
    }


def test_it_is_nobody_in_particular(seen):
    assert (seen["uid"], seen["hostname"], seen["cwd"]) == (1000, "sandbox", "/home/user")
    assert seen["prefix"] == "/opt/interpreter"


def test_it_has_no_capability(seen):
    assert {line.split()[1] for line in seen["caps"]} == {"0" * 16}


def test_no_file_was_left_open(seen):
    # standard input, output and error, and the folder that ls itself reads
    assert sorted(line.split()[-3] for line in seen["limits"].splitlines() if "->" in line) == list(
        "0123"
    )


@pytest.mark.parametrize(
    "place",
    [
        "/home/data/new",
        "/home/data/train.csv",
        "/home/agent/new",
        "/usr/new",
        "/new",
        "/etc/new",
        "/home/instructions.txt",
        "/opt/interpreter/new",
        "/proc/sys/kernel/domainname",
        "/proc/sysrq-trigger",
    ],
)
def test_it_cannot_write(seen, place):
    said, error = seen[f"write {place}"]
    # /dev/null stands where the kernel has a sysrq-trigger; what is written there is gone.
    assert said != "ok" or place == "/proc/sysrq-trigger", error


@pytest.mark.parametrize(
    "place",
    ["/home/submission/a", "/home/code/a", "/home/logs/a", "/tmp/a", "/home/user/a"],  # noqa: S108
)
def test_it_can_write(seen, place):
    assert seen[f"write {place}"][0] == "ok"


def test_it_cannot_make_namespaces(seen):
    assert seen["new user namespace"][0] == "CalledProcessError"


def test_what_lies_in_the_agents_folder_and_is_none_of_its_business_is_covered(
    tmp_path, interpreters
):
    """A group is refused there; a single attempt has its answers and its run folder covered."""
    agent = make_agent(tmp_path / "agent", "find / -path /proc -prune -o -type f -print; exit 0\n")
    task = make_task(agent.folder / "data")
    group = agent.folder / "runs" / "group"
    earlier = agent.folder / "old" / "group" / "tiny-task_1"
    for attempt in (group / "tiny-task_0", earlier, agent.folder / "runs" / "other" / "x"):
        attempt.mkdir(parents=True)
        (attempt / "attempt.json").write_text("{}")
        (attempt / "leak.csv").touch()
    limits = Limits(20)
    interpreter = interpreter_for(None, (), interpreters)
    conditions = Conditions(agent, interpreter, "bubblewrap", limits, "0")
    run_attempt(conditions, task, 0, group / "tiny-task_1", now=now)
    log = (group / "tiny-task_1" / "run.log").read_text()
    assert "/home/agent/start.sh" in log
    assert "/home/data/train.csv" in log
    for word in ("answers.csv", "attempt.json", "leak.csv"):
        assert word not in log


def test_a_group_within_the_agents_folder_is_refused(tmp_path, interpreters, task):
    agent = make_agent(tmp_path / "agent", "exit 0")
    with pytest.raises(RefusedError, match="--run-dir"):
        run_once(agent, task, agent.folder / "runs", interpreters)
    with pytest.raises(RefusedError, match="--data-dir"):
        run_once(agent, make_task(agent.folder / "data"), tmp_path / "runs", interpreters)


def test_a_missing_bubblewrap_is_said_with_its_remedy(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(SandboxUnavailableError, match=r"not installed") as caught:
        sandbox.require_sandbox("bubblewrap")
    assert "apt-get install bubblewrap" in str(caught.value)
    assert "--sandbox none" in str(caught.value)


def test_a_refusing_kernel_is_said(monkeypatch, tmp_path):
    fake = tmp_path / "bwrap"
    fake.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert bubblewrap.bubblewrap_problem() == "bwrap: No permissions to create new namespace"


def test_an_unknown_sandbox_is_a_usage_error():
    with pytest.raises(UsageError, match="bubblewrap, none, docker; found 'jail'"):
        sandbox.require_sandbox("jail")


def test_without_a_sandbox_the_record_says_what_is_missing(tmp_path, interpreters, task):
    agent = make_agent(tmp_path / "agent", 'env > "$LOGS_DIR/env"; ls "$DATA_DIR" > "$CODE_DIR/ls"')
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOST_SECRET_FOR_TEST", PLANTED)
        ran = run_once(agent, task, tmp_path / "runs", interpreters, sandbox="none")
    assert ran.record.exit_status == "finished"
    assert ran.record.sandbox.network is True
    assert "the network can be reached" in ran.record.sandbox.missing_protections
    assert "train.csv" in (ran.path / "code" / "ls").read_text()
    assert PLANTED not in (ran.path / "logs" / "env").read_text()


def test_kwargs_reach_start_sh_and_seed_the_interpreter(tmp_path, interpreters, task):
    agent = make_agent(
        tmp_path / "agent", 'echo "$@"; which python\n', kwargs={"depth": 3, "fast": True}
    )
    ran = run_once(agent, task, tmp_path / "runs", interpreters)
    assert ran.log.split("\n")[:2] == ["depth=3 fast=True", "/opt/interpreter/bin/python"]


def test_limits_below_sense_are_refused():
    with pytest.raises(UsageError, match="above 0 s"):
        Limits(0)
    with pytest.raises(UsageError, match="at least 8M"):
        Limits(1, memory_bytes=1)
