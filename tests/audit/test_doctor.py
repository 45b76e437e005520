"""The doctor: every probe tells a machine's state truly, breaks no other, and leaves nothing."""

from __future__ import annotations

import json
import os
import platform
import shutil
import socket
import subprocess
import sys
import threading
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from audit.cli import app
from audit.console import MIN_PARAGRAPH, wrapped
from audit.doctor import PROBES, Around, Probe, Row, diagnose, is_able, this_machine
from audit.probes import confinement, extras, host, places
from audit.runner.bubblewrap import bubblewrap_problem

NOW = datetime(2100, 1, 1, tzinfo=UTC)
SECRET = "0123456789abcdef"  # noqa: S105 - of nobody
WORKS = pytest.mark.skipif(bubblewrap_problem() is not None, reason="bubblewrap does not work here")


@pytest.fixture
def around(tmp_path):
    """A machine of an ordinary user with nothing on it."""
    for name in ("home", "bin", "run", "proc/self/ns", "proc/sys/user", "proc/sys/kernel"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "proc/self/ns/user").touch()
    (tmp_path / "proc/self/status").write_text("Name:\tpython\nSeccomp:\t0\n")
    return Around(
        data_dir=tmp_path / "data",
        run_dir=tmp_path / "runs",
        cache_dir=tmp_path / "cache",
        now=NOW,
        environment={"PATH": str(tmp_path / "bin")},
        home=tmp_path / "home",
        is_root=False,
        proc=tmp_path / "proc",
        sockets=tmp_path / "run",
    )


def program(around, name, text):
    """Install a shell script."""
    path = Path(around.environment["PATH"]) / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


# --- the doctor itself


def crash(around):
    raise RuntimeError("no\nidea")


def leave(around):
    sys.exit(3)


@pytest.mark.parametrize(
    ("look", "said"),
    [
        pytest.param(crash, "RuntimeError: no idea", id="crashes"),
        pytest.param(leave, "SystemExit: 3", id="ends-the-process"),
        pytest.param(lambda _: threading.Event().wait(), "no answer within 0.2 s", id="hangs"),
    ],
)
def test_a_probe_that_breaks_is_unknown_and_the_others_go_on(around, look, said):
    probes = (
        Probe("first", lambda _: Row("ok", "fine")),
        Probe("broken", look, is_needed=True),
        Probe("last", lambda _: Row("missing", "not here")),
    )
    first, broken, last = diagnose(around, probes, patience_s=0.2)

    assert (first.status, broken.status, last.status) == ("ok", "unknown", "missing")
    assert said in broken.means
    assert (broken.capability, broken.is_needed) == ("broken", True)


@pytest.mark.parametrize(
    ("status", "needed", "able"),
    [
        ("ok", True, True),
        ("limited", True, True),
        ("missing", True, False),
        ("unknown", True, False),
        ("missing", False, True),
        ("unknown", False, True),
    ],
)
def test_only_what_is_needed_and_not_there_keeps_agents_from_running(status, needed, able):
    fine = Row("ok", "", capability="a", is_needed=True)

    assert is_able([fine, Row(status, "", capability="b", is_needed=needed)]) is able


def test_names_are_unique_and_what_agents_need_is_marked():
    assert len({probe.capability for probe in PROBES}) == len(PROBES)
    assert {probe.capability for probe in PROBES if probe.is_needed} == {
        "sandbox",
        "data folder",
        "run folder",
        "cache folder",
        "temporary folder",
    }


def test_this_machine_is_told_whole_and_nothing_is_left_behind(tmp_path):
    here = this_machine(tmp_path / "d", tmp_path / "r", tmp_path / "c", NOW)
    rows = {row.capability: row for row in diagnose(here)}

    assert {
        name: row.means for name, row in rows.items() if "could not be found" in row.means
    } == {}
    assert all(row.remedy for row in rows.values() if row.status == "limited" and row.capability
               not in {"gpu"})  # fmt: skip
    assert list(tmp_path.iterdir()) == []
    groups = Path("/sys/fs/cgroup").glob(f"**/mle-audit-{os.getpid()}-*")
    assert not [g for g in groups if "doctor" in g.name]


# --- confinement


def test_without_bubblewrap_the_sandbox_is_missing_with_what_installs_it(around):
    found = confinement.sandbox(around)

    assert (found.status, found.remedy) == ("missing", "as root: apt-get install bubblewrap")
    assert confinement.scratch_sizes(around).status == "missing"


def test_a_bubblewrap_that_the_kernel_refuses_is_told_with_its_own_words(around, monkeypatch):
    program(around, "bwrap", "echo 'bwrap: No permissions to create new namespace' >&2; exit 1")
    monkeypatch.setenv("PATH", around.environment["PATH"])
    found = confinement.sandbox(around)

    assert found.status == "missing"
    assert "No permissions to create new namespace" in found.means
    assert "user namespaces" in str(found.remedy)


@WORKS
@pytest.mark.sandbox
def test_a_sandbox_that_works_is_told_with_its_version(around):
    here = replace(around, environment=dict(os.environ))

    assert confinement.sandbox(here).status == "ok"
    assert "bubblewrap 0." in confinement.sandbox(here).means


@pytest.mark.parametrize(
    ("settings", "is_root", "status", "remedy"),
    [
        pytest.param({}, False, "ok", None, id="a-kernel-without-these-settings"),
        pytest.param({"user/max_user_namespaces": "0"}, False, "missing",
                     "user.max_user_namespaces=15000", id="none-at-all"),
        pytest.param({"user/max_user_namespaces": "0"}, True, "missing",
                     "user.max_user_namespaces=15000", id="root-neither"),
        pytest.param({"user/max_user_namespaces": "1024"}, False, "ok", None, id="some"),
        pytest.param({"kernel/unprivileged_userns_clone": "0"}, False, "missing",
                     "kernel.unprivileged_userns_clone=1", id="debian"),
        pytest.param({"kernel/unprivileged_userns_clone": "0"}, True, "ok", None, id="debian-root"),
        pytest.param({"kernel/unprivileged_userns_clone": "1"}, False, "ok", None, id="allowed"),
        pytest.param({"kernel/apparmor_restrict_unprivileged_userns": "1"}, False, "missing",
                     "kernel.apparmor_restrict_unprivileged_userns=0", id="ubuntu"),
    ],
)  # fmt: skip
def test_a_setting_that_refuses_namespaces_is_named_with_the_one_that_helps(
    around, settings, is_root, status, remedy
):
    for name, value in settings.items():
        (around.proc / "sys" / name).write_text(f"{value}\n")
    found = confinement.user_namespaces(replace(around, is_root=is_root))

    assert found.status == status
    assert found.remedy == (remedy and f"as root: sysctl -w {remedy}")


def test_a_kernel_without_namespaces_is_told(around):
    (around.proc / "self/ns/user").unlink()

    assert confinement.user_namespaces(around).status == "missing"


@pytest.mark.parametrize(
    ("machine", "status", "expected"),
    [
        pytest.param("x86_64", "Seccomp:\t2\n", "ok", id="pc"),
        pytest.param("aarch64", "Seccomp:\t0\n", "ok", id="arm"),
        pytest.param("riscv64", "Seccomp:\t0\n", "limited", id="numbers-are-not-known"),
        pytest.param("x86_64", "Speculation:\t0\n", "limited", id="kernel-without-filters"),
    ],
)
def test_where_no_call_is_filtered_the_drawback_is_told(
    around, monkeypatch, machine, status, expected
):
    monkeypatch.setattr(platform, "machine", lambda: machine)
    (around.proc / "self/status").write_text(f"Name:\tpython\n{status}")
    found = confinement.call_filter(around)

    assert found.status == expected
    assert ("keyrings" in found.means) is (expected == "limited")


@pytest.mark.parametrize("look", [confinement.memory_limit, confinement.process_limit])
def test_a_limit_of_the_kernel_is_ok_and_a_watchdog_a_drawback(around, look):
    found = look(around)

    assert found.status == ("limited" if "watchdog" in found.means else "ok")
    assert ("cgroup" in found.means) is (found.status == "ok")
    assert (found.remedy is None) is (found.status == "ok")


# --- places


def test_a_folder_that_is_to_be_made_is_tried_where_it_would_stand(around):
    found = places.data_folder(around)

    assert found.status in {"ok", "limited"}
    assert f"to be made; {around.data_dir.parent} exists" in found.means
    assert not around.data_dir.exists()


def test_a_folder_that_is_there_is_left_as_it_was(around):
    around.cache_dir.mkdir()

    assert places.cache_folder(around).means.startswith(f"{around.cache_dir}: writable, ")
    assert list(around.cache_dir.iterdir()) == []


@pytest.mark.parametrize(
    ("folder", "said"),
    [
        pytest.param("/proc/nowhere/runs", "cannot be written", id="a-place-nobody-writes-to"),
        pytest.param("/etc/passwd/runs", "/etc/passwd is a file", id="below-a-file"),
    ],
)
def test_a_folder_that_cannot_be_written_is_missing_and_another_can_be_named(around, folder, said):
    found = places.run_folder(replace(around, run_dir=Path(folder)))

    assert found.status == "missing"
    assert said in found.means
    assert "--run-dir" in str(found.remedy)


@pytest.mark.parametrize(
    ("free", "status"),
    [
        pytest.param(100 << 30, "ok", id="much"),
        pytest.param(1 << 30, "limited", id="scarce"),
        pytest.param(1 << 20, "missing", id="full"),
    ],
)
def test_room_decides_how_good_a_folder_is(around, monkeypatch, free, status):
    usage = shutil.disk_usage("/")._replace(free=free)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)

    assert places.data_folder(around).status == status


def test_a_file_system_that_tells_what_files_take_can_be_bounded(around, monkeypatch):
    assert places.disk_limit(around).status == "ok"
    assert not around.run_dir.exists()

    monkeypatch.setattr(places, "_BLOCK", 0)  # as where st_blocks is always nought
    assert places.disk_limit(around).status == "limited"


# --- the host


@pytest.mark.parametrize(
    ("found", "wanted", "status", "said"),
    [
        pytest.param({}, {}, "ok", "as tested: babel 1.0, numpy 1.0", id="as-tested"),
        pytest.param({"pandas": "3.2"}, {}, "limited", "pandas 3.2 (tested: 1.0)", id="newer"),
        pytest.param({"numpy": None}, {}, "missing", "not installed: numpy", id="absent"),
        pytest.param({}, None, "ok", "named in a checkout only", id="no-checkout"),
        pytest.param({"pandas": "3.2"}, {"pandas": None}, "ok", "pandas 3.2", id="not-pinned"),
    ],
)
def test_versions_are_held_against_the_tested_ones(found, wanted, status, said):
    def versions(changes):
        some = dict.fromkeys(host.WATCHED, "1.0") | changes
        return {name: version for name, version in some.items() if version}

    row = host.compare_versions(versions(found), {} if wanted is None else versions(wanted))

    assert row.status == status
    assert said in row.means


def test_the_pins_of_this_checkout_name_every_watched_library(tmp_path):
    assert set(host.WATCHED) <= set(host.pinned_in(host.CONSTRAINTS))
    assert host.pinned_in(tmp_path / "none.txt") == {}


@pytest.mark.parametrize(("year", "status"), [(2000, "limited"), (2100, "ok")])
def test_a_clock_before_the_installation_is_wrong(around, year, status):
    now = datetime(year, 1, 1, tzinfo=UTC)

    assert host.clock(replace(around, now=now)).status == status


def test_engines_are_told_with_their_cores_and_clusters(around):
    found = host.engines(around)

    assert found.status == "ok"
    assert "loky" in found.means
    assert "ray" in found.means
    assert "dask" in found.means


# --- extras


@pytest.fixture
def client(tmp_path, monkeypatch):
    """A client of Kaggle's that ends the process when it is imported."""
    site = tmp_path / "site"
    (site / "kagglesdk").mkdir(parents=True)
    (site / "kagglesdk/__init__.py").write_text("raise SystemExit('logged in')\n")
    (site / "kagglesdk-9.9.dist-info").mkdir()
    (site / "kagglesdk-9.9.dist-info/METADATA").write_text(
        "Metadata-Version: 2.1\nName: kagglesdk\nVersion: 9.9\n"
    )
    monkeypatch.delitem(sys.modules, "kagglesdk", raising=False)
    monkeypatch.syspath_prepend(site)


def written(path, text, mode=0o600):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)


LOGIN = json.dumps({"username": "somebody", "key": SECRET})
KEY = ".kaggle/kaggle.json"


@pytest.mark.parametrize(
    ("file", "text", "mode", "status", "said"),
    [
        pytest.param(KEY, LOGIN, 0o600, "ok", "client 9.9, credentials from", id="good"),
        pytest.param(".kaggle/access_token", SECRET, 0o600, "ok", "access_token", id="token"),
        pytest.param(KEY, LOGIN, 0o644, "missing", "read by other users", id="all-can-read"),
        pytest.param(KEY, SECRET[:5] + "{", 0o600, "missing", "something else", id="broken"),
        pytest.param(KEY, f'["{SECRET}"]', 0o600, "missing", "something else", id="a-list"),
        pytest.param(".kaggle/readme", SECRET, 0o600, "missing", "No API token", id="none"),
    ],
)
@pytest.mark.usefixtures("client")
def test_credentials_are_found_and_never_told(around, file, text, mode, status, said):
    written(around.home / file, text, mode)
    (found,) = diagnose(around, [Probe("kaggle", extras.kaggle)])

    assert (found.status, said in found.means) == (status, True)
    assert (found.remedy is None) is (status == "ok")
    told = f"{found.means} {found.remedy}"
    assert not any(secret in told for secret in (SECRET, SECRET[:5], "somebody"))
    assert "kagglesdk" not in sys.modules


@pytest.mark.usefixtures("client")
def test_credentials_of_the_environment_count_and_are_not_told(around):
    given = around.environment | {"KAGGLE_USERNAME": "somebody", "KAGGLE_KEY": SECRET}
    found = extras.kaggle(replace(around, environment=given))

    assert found.status == "ok"
    assert not any(secret in found.means for secret in (SECRET, "somebody"))


def test_without_the_client_credentials_are_not_enough(around, monkeypatch):
    monkeypatch.setitem(sys.modules, "kagglesdk", None)
    written(around.home / KEY, LOGIN)
    found = extras.kaggle(around)

    assert found.status == "missing"
    assert str(found.remedy).startswith("pip install kagglesdk; by hand: ")


@pytest.mark.parametrize(
    ("absent", "said"),
    [
        (("torch", "transformers"), "torch and transformers are not installed"),
        (("transformers",), "transformers is not installed"),
    ],
)
def test_without_what_reads_weights_it_is_told_what_is_lost(
    around, monkeypatch, tmp_path, absent, said
):
    for name in ("torch", "transformers"):
        (tmp_path / "site" / name).mkdir(parents=True)
    monkeypatch.syspath_prepend(tmp_path / "site")
    for name in absent:
        monkeypatch.setitem(sys.modules, name, None)
    found = extras.models(around)

    assert found.status == "missing"
    assert found.means == f"{said}: detectors that ask a model's weights cannot look"


@pytest.mark.parametrize(
    ("script", "status", "said"),
    [
        pytest.param(None, "missing", "no NVIDIA driver", id="no-driver"),
        pytest.param("echo 'NVIDIA H200, 143771 MiB'", "limited", "NVIDIA H200, 143771 MiB",
                     id="one"),
        pytest.param("printf 'A, 1 MiB\\nB, 2 MiB\\n'", "limited", "A, 1 MiB; B, 2 MiB", id="two"),
        pytest.param("true", "missing", "sees no GPU", id="none"),
        pytest.param("echo 'Driver/library version mismatch'; exit 18", "missing", "mismatch",
                     id="broken-driver"),
    ],
)  # fmt: skip
def test_gpus_are_told_as_the_driver_names_them(around, script, status, said):
    if script:
        program(around, "nvidia-smi", script)
    found = extras.gpu(around)

    assert (found.status, said in found.means) == (status, True)


def engine(path, answer):
    """Listen as a docker engine does and answer one call."""
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(path))
    server.listen(1)

    def serve():
        line, _ = server.accept()
        line.recv(1 << 12)
        line.sendall(answer)
        line.close()
        server.close()

    threading.Thread(target=serve, daemon=True).start()


VERSION = b'HTTP/1.0 200 OK\r\n\r\n{"Version": "27.1"}'


@pytest.mark.parametrize(
    ("answer", "status", "said"),
    [
        pytest.param(VERSION, "ok", "engine 27.1", id="answers"),
        pytest.param(b"HTTP/1.0 500 No\r\n\r\nno", "limited", "no engine answers", id="is-ill"),
        pytest.param(b"", "limited", "no engine answers", id="hangs-up"),
        pytest.param(None, "limited", "no engine answers", id="is-not-there"),
    ],
)
def test_an_engine_of_this_machine_is_asked_for_its_version(around, answer, status, said):
    program(around, "docker", "exit 1")
    if answer is not None:
        engine(around.sockets / "docker.sock", answer)
    found = extras.docker(around)

    assert (found.status, said in found.means) == (status, True)


def test_a_rootless_engine_and_a_named_one_are_found(around, tmp_path):
    program(around, "docker", "exit 1")
    (tmp_path / "user").mkdir()
    for environment in (
        {"XDG_RUNTIME_DIR": str(tmp_path / "user")},
        {"DOCKER_HOST": f"unix://{tmp_path}/user/docker.sock"},
    ):
        (tmp_path / "user/docker.sock").unlink(missing_ok=True)
        engine(tmp_path / "user/docker.sock", VERSION)
        here = replace(around, environment=around.environment | environment)
        assert extras.docker(here).status == "ok"


def test_an_engine_elsewhere_is_not_asked(around):
    program(around, "docker", "exit 1")
    given = around.environment | {"DOCKER_HOST": "tcp://192.0.2.1:2375"}

    assert extras.docker(replace(around, environment=given)).status == "unknown"
    assert extras.docker(replace(around, environment={"PATH": ""})).status == "missing"


# --- the verb


def invoke(tmp_path, *words):
    return CliRunner().invoke(app, ["doctor", "--data-dir", str(tmp_path / "d"), *words])


def test_json_has_one_object_per_capability(tmp_path):
    done = invoke(tmp_path, "--run-dir", str(tmp_path / "r"), "--json")
    rows = json.loads(done.stdout)

    assert [row["capability"] for row in rows] == [probe.capability for probe in PROBES]
    assert set(rows[0]) == {"capability", "status", "needed", "means", "remedy"}
    assert list(tmp_path.iterdir()) == []


def test_where_agents_cannot_be_run_it_ends_with_3_and_says_which_row(tmp_path):
    done = invoke(tmp_path, "--run-dir", "/proc/nowhere")

    assert done.exit_code == 3
    assert "Agents cannot be run here: see " in done.stdout
    assert "run folder" in done.stdout.splitlines()[-1]


@WORKS
@pytest.mark.sandbox
def test_where_agents_can_be_run_it_ends_with_0(tmp_path, monkeypatch):
    monkeypatch.setenv("MLE_AUDIT_CACHE", str(tmp_path / "c"))
    done = invoke(tmp_path, "--run-dir", str(tmp_path / "r"))

    assert (done.exit_code, done.stdout.splitlines()[-1]) == (0, "Agents can be run here.")


def test_a_terminal_that_is_not_utf8_is_told_and_still_served(tmp_path):
    plain = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    words = [sys.executable, "-m", "audit.cli", "doctor", "--data-dir", str(tmp_path)]
    done = subprocess.run(words, check=False, capture_output=True, env=os.environ | plain)
    said = done.stdout.decode("ascii", "replace")

    assert done.returncode in {0, 3}, done.stderr
    assert "encoding            limited" in said
    assert "PYTHONUTF8=1" in said


@given(
    rows=st.lists(
        st.tuples(
            st.text("abc ", min_size=1, max_size=20),
            st.sampled_from(["ok", "limited"]),
            st.lists(st.none() | st.text("abcdefg hij", max_size=200), max_size=3),
        ),
        max_size=5,
    ),
    width=st.integers(1, 200),
)
def test_rows_fit_the_terminal_unless_a_word_does_not(rows, width):
    names = max((len(name) for name, _, _ in rows), default=0)
    indent = names + 4 + max((len(word) for _, word, _ in rows), default=0)
    words = [w for _, _, texts in rows for t in texts if t for w in t.split()]
    longest = max(map(len, words), default=0)
    shown = wrapped(rows, width)

    fits = max(min(width, 120), indent + max(MIN_PARAGRAPH, longest))
    assert all(len(line) <= fits for line in shown.splitlines())
    assert [w for line in shown.splitlines() for w in line[indent:].split()] == words
