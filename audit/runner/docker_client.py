"""Stands for a container: makes it, prints what it prints, ends with its exit code.

Run as a script: ``docker_client.py DESCRIPTOR``, an open file with the engine's address and what is
to be made. SIGTERM removes the container, as does its end.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys

_KILLED = 137


def _end(number: int, _frame: object) -> None:
    raise SystemExit(128 + number)


def main() -> None:
    """Run the container to its end."""
    signal.signal(signal.SIGTERM, _end)
    with os.fdopen(int(sys.argv[1]), "rb") as stream:
        settings = json.load(stream)
    import docker
    from docker.errors import DockerException

    client = docker.DockerClient(base_url=settings["engine"], timeout=None)
    try:
        made = client.containers.create(**settings["container"])
    except DockerException as error:
        sys.exit(f"[mle-audit] The container could not be made: {error}")
    try:
        made.start()
        for block in made.logs(stream=True, follow=True):
            sys.stdout.buffer.write(block)
            sys.stdout.buffer.flush()
        code = int(made.wait()["StatusCode"])
        made.reload()
        if made.attrs.get("State", {}).get("OOMKilled"):
            sys.stdout.write("[mle-audit] The engine's memory limit was reached.\n")
            code = code or _KILLED
    finally:
        with contextlib.suppress(DockerException, OSError):
            made.remove(force=True, v=True)
    sys.exit(code)


if __name__ == "__main__":
    main()
