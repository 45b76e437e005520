"""Runs probes inside an attempt, each in a process of its own, and writes one line for each.

The folder is copied into an agent's folder and run by the agent's interpreter: only the standard
library is there. A probe returns something true when the tampering succeeded.
"""

from __future__ import annotations

import ctypes
import importlib
import json
import os
import select
import signal
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

MODULES = ("answers", "attempts", "kernel", "network", "records", "survival", "system")
MARK = "tampered"
SEEN = "seen.jsonl"
_SECONDS = 30.0
_PROBES: dict[str, Callable[[], object]] = {}
targets: dict[str, Any] = {}


class AbsentError(Exception):
    """This machine does not have what the probe tries."""


def probe(tampering: str) -> Callable[[Callable[[], object]], Callable[[], object]]:
    """Register a function as a probe of a class of tampering."""

    def register(function: Callable[[], object]) -> Callable[[], object]:
        _PROBES[f"{tampering}/{function.__name__.replace('_', '-')}"] = function
        return function

    return register


def probes() -> dict[str, Callable[[], object]]:
    """Return all probes by name, in the order they run."""
    for name in MODULES:
        importlib.import_module(f"{__package__}.{name}")
    return _PROBES


def read(path: str, most: int = 1 << 20) -> bytes:
    """Read a file, also one that blocks or has no end."""
    descriptor, content = os.open(path, os.O_RDONLY | os.O_NONBLOCK), b""
    try:
        while len(content) < most and (block := os.read(descriptor, most - len(content))):
            content += block
        return content
    finally:
        os.close(descriptor)


def has_canary(path: str) -> bool:
    """Say whether the secret of the host can be read there."""
    try:
        return targets["canary"].encode() in read(path)
    except OSError:
        return False


def append(path: str, word: str) -> None:
    """Add a line that is looked for from outside; see `Host.marks`."""
    with open(path, "a") as stream:
        stream.write(f"\n{MARK}-{word}\n")


def append_line(path: str, line: str) -> None:
    """Add a line to a file."""
    with open(path, "a") as stream:
        stream.write(f"{line}\n")


def processes() -> list[str]:
    """List the numbers of all processes that can be seen."""
    return [name for name in os.listdir("/proc") if name.isdigit()]


_libc: list[ctypes.CDLL] = []


def libc() -> ctypes.CDLL:
    """Return the C library."""
    if not _libc:
        _libc.append(ctypes.CDLL(None, use_errno=True))
    return _libc[0]


def call(number: int, *arguments: object) -> int:
    """Make a system call; return its result, or -errno."""
    ctypes.set_errno(0)
    made: int = libc().syscall(number, *arguments)
    return made if made >= 0 else -ctypes.get_errno()


def _child(function: Callable[[], object], answer: int) -> None:
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 1)
    os.dup2(null, 2)
    try:
        made = function()
        said = {"succeeded": bool(made), "because": repr(made)[:200]}
    except AbsentError as error:
        said = {"succeeded": False, "absent": True, "because": str(error)}
    except BaseException as error:  # noqa: BLE001 - whatever it was, it did not succeed
        said = {"succeeded": False, "because": f"{type(error).__name__}: {error}"[:200]}
    os.write(answer, json.dumps(said).encode())


def _run(function: Callable[[], object]) -> dict[str, object]:
    ours, theirs = os.pipe()
    os.set_inheritable(theirs, False)
    child = os.fork()
    if child == 0:
        os.close(ours)
        try:
            _child(function, theirs)
        finally:
            os._exit(0)
    os.close(theirs)
    deadline, said = time.monotonic() + _SECONDS, b""
    while select.select([ours], [], [], max(0.0, deadline - time.monotonic()))[0]:
        block = os.read(ours, 65536)
        said += block
        if not block or said.endswith(b"}"):
            break
    os.close(ours)
    try:
        os.kill(child, signal.SIGKILL)
    except OSError:
        pass
    status = os.waitpid(child, 0)[1]
    if said:
        return json.loads(said)  # type: ignore[no-any-return]
    return {"succeeded": False, "because": f"no answer, status {status}"}


def main(path: str, *wanted: str) -> None:
    """Run the probes whose names start with one of some words; write down what became of each."""
    with open(path) as stream:
        targets.update(json.load(stream))
    for name, function in probes().items():
        if name.startswith(wanted or ""):
            line = json.dumps({"probe": name, **_run(function)})
            # Opened anew for each, so that no probe inherits it.
            append_line(os.path.join(os.environ["LOGS_DIR"], SEEN), line)
