"""A machine to look at, with nothing on it yet."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from audit.probes.base import Around

NOW = datetime(2100, 1, 1, tzinfo=UTC)


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
