"""Kaggle, weights, GPUs and containers: found where they are, and no secret is told."""

from __future__ import annotations

import json
import socket
import sys
import threading
from dataclasses import replace

import pytest

from audit.doctor import Probe, diagnose
from audit.probes import extras
from tests.audit.probes.conftest import program

SECRET = "0123456789abcdef"  # noqa: S105 - of nobody


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
