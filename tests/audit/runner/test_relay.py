"""The relay becomes the agent once, whatever happens to its other half."""

from __future__ import annotations

import socket
import subprocess
import sys

import pytest

from audit.runner import relay


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


def run(*before: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", "-S", "-B", relay.__file__, str(free_port()), "/nowhere", "1"]
    return subprocess.run(
        [*before, *command, "/bin/sh", "-c", "echo once; ulimit -H -c"],
        check=False,
        capture_output=True,
        text=True,
        timeout=30,
    )


@pytest.mark.sandbox
def test_a_relay_that_cannot_forward_is_not_a_second_agent():
    """Where even /dev/null is missing."""
    done = run("bwrap", "--ro-bind", "/", "/", "--tmpfs", "/dev", "--unshare-net", "--unshare-pid")
    assert done.stdout.count("once") == 1


def test_what_it_becomes_leaves_no_core_dump_and_cannot_allow_one_again():
    with_dumps = 'ulimit -S -c 0; exec "$@"'
    done = run("/bin/sh", "-c", with_dumps, "sh")
    assert done.stdout.splitlines() == ["once", "0"], done.stderr  # one byte, in whole blocks
