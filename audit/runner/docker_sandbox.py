"""An attempt in a container, asked of the Docker Engine's interface.

For agents that come as an image. Inside are the image, the folders of the contract and the sockets
of our servers; there is no network, and nothing private is mounted. The engine limits memory and
processes. The container is made, followed and removed by `audit.runner.docker_client`, a process of
the runner's that stands for it; what that leaves behind when it is killed is removed here.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from audit.runner import docker_client
from audit.runner.bubblewrap import relays
from audit.runner.places import inside_binds
from audit.runner.supervise import Command
from competitions.errors import SandboxUnavailableError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from audit.runner.limits import Limits
    from audit.runner.places import Places

MISSING = (
    "the image's own files and packages may hold answers or graders",
    "the kernel's memory limit ends processes of the container and not the attempt",
    "what is written in the container outside the contract's folders is not limited",
)
_DEFAULT_ENGINE = "unix:///var/run/docker.sock"
_OURS = ("PATH", "HOME", "TMPDIR")  # the image has its own


def engine_address() -> str:
    """Return where the engine listens: ``$DOCKER_HOST``, else its usual socket."""
    return os.environ.get("DOCKER_HOST") or _DEFAULT_ENGINE


def image_digest(image: str) -> str:
    """Return the digest of an image that the engine has.

    Raises
    ------
    SandboxUnavailableError
        When the client is not installed, no engine answers, or it has no such image.
    """
    try:
        from docker.errors import DockerException, ImageNotFound
    except ImportError as error:
        raise SandboxUnavailableError(
            "The docker sandbox needs the package docker.", "pip install docker"
        ) from error
    try:
        with _client() as client:
            found = client.images.get(image)
            return str((found.attrs.get("RepoDigests") or [found.id])[0]).rpartition("@")[2]
    except ImageNotFound as error:
        raise SandboxUnavailableError(
            f"The Docker engine has no image {image}.", f"docker pull {image}"
        ) from error
    except (DockerException, OSError) as error:
        raise SandboxUnavailableError(
            f"No Docker engine answers at {engine_address()}: {error}.",
            "Start it, or name it: export DOCKER_HOST=unix:///var/run/docker.sock",
        ) from error


def container(
    image: str,
    places: Places,
    environment: Mapping[str, str],
    arguments: Sequence[str],
    limits: Limits,
) -> dict[str, Any]:
    """Return what the engine is asked to make, as the package docker takes it."""
    binds = {
        str(bind.source): {"bind": str(bind.target), "mode": "rw" if is_writable else "ro"}
        for bind, is_writable in inside_binds(places)
    }
    command = [*relays(places, "python3"), "/bin/bash", f"{places.agent_inside}/start.sh"]
    return {
        "image": image,
        "name": name_of(places.attempt),
        "entrypoint": command,
        "command": list(arguments),
        "environment": {n: v for n, v in environment.items() if n not in _OURS},
        "volumes": binds,
        "working_dir": "/home/code",
        "user": f"{os.getuid()}:{os.getgid()}",  # what it leaves must be ours to read and remove
        "hostname": "sandbox",
        "network_mode": "none",
        "cap_drop": ["ALL"],
        "security_opt": ["no-new-privileges"],
        "ipc_mode": "private",
        "mem_limit": limits.memory_bytes,
        "memswap_limit": limits.memory_bytes,
        "pids_limit": limits.processes,
        "stdin_open": False,
        "tty": False,
    }


def name_of(attempt: Path) -> str:
    """Return the name of an attempt's container."""
    return f"mle-audit-{attempt.name}"


@contextlib.contextmanager
def docker_command(asked: Mapping[str, Any]) -> Iterator[Command]:
    """Give the command that makes a container, prints what it prints, and ends as it does.

    Yields
    ------
    Command
        Valid within the block. After it the container is gone.
    """
    settings = os.memfd_create("mle-audit")
    try:
        os.write(settings, json.dumps({"engine": engine_address(), "container": asked}).encode())
        os.lseek(settings, 0, os.SEEK_SET)
        argv = (sys.executable, "-I", "-B", docker_client.__file__, str(settings))
        yield Command(argv, {"LANG": "C.UTF-8"}, Path("/"), (settings,), ends_its_own=True)
    finally:
        os.close(settings)
        _remove(str(asked["name"]))


def _remove(name: str) -> None:
    """Remove a container that may still be there."""
    from docker.errors import DockerException

    with contextlib.suppress(DockerException, OSError), _client() as client:
        client.containers.get(name).remove(force=True, v=True)


@contextlib.contextmanager
def _client() -> Iterator[Any]:
    """Give a client of the engine; the package leaves a socket open where nobody answers."""
    import docker

    address = engine_address()
    if address.startswith("unix://"):
        with socket.socket(socket.AF_UNIX) as tried:
            tried.connect(address.removeprefix("unix://"))
    with contextlib.closing(docker.DockerClient(base_url=address)) as client:
        yield client
