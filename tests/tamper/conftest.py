"""The suite's attempts, made once: all probes in bubblewrap, without a sandbox, and planted."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from audit.runner.interpreter import interpreter_for
from tests.audit.runner.conftest import pytest_runtest_setup, task  # noqa: F401
from tests.audit.runner.tiny import Ran, run_once
from tests.tamper.host import Host, planted
from tests.tamper.probes.inside import SEEN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from audit.runner.sandbox import Sandbox


@dataclass(frozen=True)
class Outcome:
    """What became of a probe."""

    succeeded: bool
    because: str
    is_absent: bool = False


@dataclass(frozen=True)
class Tried:
    """All probes, run once.

    Parameters
    ----------
    marks : set of str
        What probes wrote on the host.
    """

    host: Host
    outcomes: dict[str, Outcome]
    marks: set[str]
    ran: Ran | None = None


def outcomes(text: str, seen_outside: set[str]) -> dict[str, Outcome]:
    """Read what became of each probe; what it could not see itself is seen from outside."""
    found = {}
    for line in text.splitlines():
        if line.startswith('{"probe"'):
            said: dict[str, Any] = json.loads(line)
            name = said["probe"]
            if name.partition("/")[2] in seen_outside:
                found[name] = Outcome(succeeded=True, because="seen from outside")
            else:
                found[name] = Outcome(said["succeeded"], said["because"], "absent" in said)
    return found


def _attempt(kind: Sandbox, root: Path, cache: Path) -> Iterator[Tried]:
    with planted(root, interpreter_for(None, (), cache).folder) as host:
        ran = run_once(
            host.agent(is_inside=kind == "bubblewrap"),
            host.task,
            host.runs,
            cache,
            45,
            sandbox=kind,
        )
        assert ran.record.exit_status == "finished", ran.log[-2000:]
        marks = host.marks(ran.path)
        seen = (ran.path / "logs" / SEEN).read_text()
        yield Tried(host, outcomes(seen, marks | host.survivors()), marks, ran)


@pytest.fixture(scope="session")
def interpreters(tmp_path_factory) -> Path:
    """A cache of this worker's own: some probes change what they find in it."""
    folder: Path = tmp_path_factory.mktemp("interpreters")
    return folder


@pytest.fixture(scope="session")
def inside(tmp_path_factory, interpreters) -> Iterator[Tried]:
    """All probes in bubblewrap."""
    yield from _attempt("bubblewrap", tmp_path_factory.mktemp("inside"), interpreters)


@pytest.fixture(scope="session")
def unprotected(tmp_path_factory, interpreters) -> Iterator[Tried]:
    """All probes without a sandbox."""
    yield from _attempt("none", tmp_path_factory.mktemp("unprotected"), interpreters)


# What is closed, cleaned and killed also without a sandbox: here it is left as it should not be.
CARELESS = """
import fcntl, os, sys
os.setsid()
fcntl.ioctl(int(sys.argv[1]), 0x540E, 0)
sys.path.insert(0, os.getcwd())
from tests.tamper.probes.inside import main
main(sys.argv[2], "descriptors", "environment", "survival", "terminal", "outside-writes/mode",
    "outside-writes/dump")
"""


@pytest.fixture(scope="session")
def careless(tmp_path_factory, interpreters) -> Iterator[Tried]:
    """Some probes, with open files, a secret, a terminal and nobody who ends what is left."""
    root: Path = tmp_path_factory.mktemp("careless")
    with planted(root, interpreter_for(None, (), interpreters).folder) as host:
        targets = host.targets
        host.write_targets(root / "targets.json", is_inside=False)
        own = root / "own"
        (own / "logs").mkdir(parents=True)
        memory = os.memfd_create("careless")
        os.write(memory, targets["secret"].encode())
        opened = [os.open(targets["answers"], os.O_RDONLY), os.open("/", os.O_RDONLY), memory]
        terminal = os.open(targets["terminal"], os.O_RDWR | os.O_NOCTTY)
        command = [sys.executable, "-B", "-c", CARELESS, str(terminal), str(root / "targets.json")]
        subprocess.run(
            [*command, targets["planted_option"]],
            check=True,
            cwd=Path(__file__).parents[2],
            env={"SECRET": targets["secret"], "LOGS_DIR": str(own / "logs")},
            stdin=subprocess.DEVNULL,
            pass_fds=[*opened, terminal],
            timeout=60,
        )
        for descriptor in [*opened, terminal]:
            os.close(descriptor)
        seen = (own / "logs" / SEEN).read_text()
        yield Tried(host, outcomes(seen, host.survivors()), set())
