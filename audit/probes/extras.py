"""What only some tasks and detectors want: Kaggle, models' weights, GPUs, containers."""

from __future__ import annotations

import json
import socket
import subprocess
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from audit.probes.base import Around, Row, output_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_SOCKET_TIMEOUT_S = 5.0


def kaggle(around: Around) -> Row:
    """Look for Kaggle's client and credentials; neither is used, and no secret is told."""
    from competitions.errors import CredentialsExposedError, CredentialsMissingError
    from competitions.sources.credentials import find_credentials

    problems, remedies = [], []
    if find_spec("kagglesdk") is None:
        problems.append("Kaggle's client is not installed.")
        remedies.append("pip install kagglesdk")
    try:
        place = find_credentials({**around.environment, "HOME": str(around.home)}).place
    except (CredentialsMissingError, CredentialsExposedError) as error:
        problems.append(error.problem)
        remedies.append((error.remedy or "").rstrip("."))
    else:
        if not problems:
            return Row("ok", f"client {metadata.version('kagglesdk')}, credentials from {place}")
    said = " ".join([*problems, "Files of Kaggle's tasks can be placed by hand."])
    return Row("missing", said, "; ".join([*remedies, "by hand: --source local --raw DIR"]))


def models(around: Around) -> Row:  # noqa: ARG001 - every probe is given it
    """Look for what reads models' weights; nothing is imported."""
    names = ("torch", "transformers")
    absent = [name for name in names if find_spec(name) is None]
    if absent:
        said = f"{' and '.join(absent)} {'are' if len(absent) > 1 else 'is'} not installed"
        lost = "detectors that ask a model's weights cannot look"
        return Row(
            "missing",
            f"{said}: {lost}",
            "in a checkout: pip install -c constraints.txt '.[familiarity]'",
        )
    return Row("ok", ", ".join(f"{name} {metadata.version(name)}" for name in names))


def gpu(around: Around) -> Row:
    """Ask NVIDIA's driver."""
    program = around.program("nvidia-smi")
    if program is None:
        return Row("missing", "no NVIDIA driver: agents and models run on CPUs")
    query = [program, "--query-gpu=name,memory.total", "--format=csv,noheader"]
    try:
        found = output_of(query, around.environment).splitlines()
    except subprocess.CalledProcessError as error:
        told = " ".join(f"{error.stdout} {error.stderr}".split())[:200]
        return Row("missing", f"NVIDIA's driver does not answer: {told}", "nvidia-smi")
    if not found:
        return Row("missing", "the NVIDIA driver sees no GPU: agents and models run on CPUs")
    names = "; ".join(line.strip() for line in found)
    # The sandbox gives no device of the machine.
    return Row("limited", f"{names}: for models; the sandbox gives agents no GPU")


def docker(around: Around) -> Row:
    """Look for a client, and ask an engine that listens on this machine for its version."""
    unneeded = "only agents that come as an image need it"
    if around.program("docker") is None:
        return Row("missing", f"no docker client; {unneeded}")
    host = around.environment.get("DOCKER_HOST", "")
    if host and urlsplit(host).scheme != "unix":
        return Row(
            "unknown", f"DOCKER_HOST names an engine elsewhere, which is not asked; {unneeded}"
        )
    for path in _engine_sockets(around, host):
        try:
            return Row("ok", f"engine {_engine_version(path)} at {path}; {unneeded}")
        except (OSError, ValueError, KeyError):
            continue
    said = f"there is a client, but no engine answers it; {unneeded}"
    return Row("limited", said, "as root: systemctl start docker, or join the group docker")


def _engine_sockets(around: Around, host: str) -> Iterator[Path]:
    if host:
        yield Path(urlsplit(host).path)
        return
    yield around.sockets / "docker.sock"
    if runtime := around.environment.get("XDG_RUNTIME_DIR"):
        yield Path(runtime) / "docker.sock"


def _engine_version(path: Path) -> str:
    """Ask in HTTP 1.0, after which the engine hangs up by itself."""
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(_SOCKET_TIMEOUT_S)
        line.connect(str(path))
        line.sendall(b"GET /version HTTP/1.0\r\nHost: docker\r\n\r\n")
        answer = b""
        while len(answer) < 1 << 20 and (part := line.recv(1 << 16)):
            answer += part
    version = json.loads(answer.partition(b"\r\n\r\n")[2])["Version"]
    return str(version)[:40]
