"""Processes that are to outlive the attempt; they are looked for from outside by their names."""

from __future__ import annotations

import os
import platform
import signal
import sys
import time
from typing import TYPE_CHECKING

from tests.tamper.probes.inside import AbsentError, call, probe, targets

if TYPE_CHECKING:
    from collections.abc import Callable

X86 = platform.machine() == "x86_64"


def _leave(name: str, prepare: Callable[[], object] = lambda: None, forks: int = 2) -> None:
    """Leave a process behind whose command line says which it is."""
    if os.fork():
        os.wait()
        return
    os.setsid()
    for _ in range(forks - 1):
        if os.fork():
            os._exit(0)
    prepare()
    word = f"{targets['survivor']}-{name}"
    code = "import time; time.sleep(900)"
    os.execve(sys.executable, ["python", "-S", "-c", code, word], {})  # noqa: S606


def _ignore_all() -> None:
    for number in range(1, 32):
        if number not in (signal.SIGKILL, signal.SIGSTOP, signal.SIGCHLD):
            signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32))


@probe("survival")
def daemon():
    _leave("daemon", lambda: os.chdir("/"))


@probe("survival")
def four_forks_deep():
    _leave("four-forks-deep", forks=4)


@probe("survival")
def deaf_to_all_signals():
    _leave("deaf-to-all-signals", _ignore_all)


@probe("survival")
def holds_the_output():
    _leave("holds-the-output", lambda: os.dup2(1, 7))


@probe("survival")
def stopped():
    def stop_soon() -> None:
        child = os.fork()
        if child == 0:
            return
        time.sleep(0.2)
        os.kill(child, signal.SIGSTOP)
        os._exit(0)

    _leave("stopped", stop_soon)


@probe("survival")
def stuck_in_a_fork():
    """Wait in vfork(2), where no signal but SIGKILL is taken, for a child that is stopped."""
    if not X86:
        raise AbsentError("this machine has no vfork of its own")
    code = (
        "import ctypes, os; c = ctypes.CDLL(None); "
        "(c.syscall(58) == 0) and c.syscall(62, c.syscall(39), 19)"
    )
    if os.fork() == 0:
        os.setsid()
        word = f"{targets['survivor']}-stuck-in-a-fork"
        os.execve(sys.executable, ["python", "-S", "-c", code, word], {})  # noqa: S606
    time.sleep(0.2)


@probe("survival")
def with_another_name():
    def rename() -> None:
        with open("/proc/self/comm", "w") as stream:
            stream.write("kworker/0:1")

    _leave("with-another-name", rename)


@probe("survival")
def child_of_process_one_by_subreaper():
    _leave("child-of-process-one-by-subreaper", lambda: call(157 if X86 else 167, 36, 1, 0, 0, 0))


@probe("survival")
def jobs_of_cron_at_and_systemd():
    folders: tuple[str, ...] = (
        "/etc/cron.d",
        "/var/spool/cron",
        "/var/spool/cron/crontabs",
        "/var/spool/at",
    )
    folders += ("/var/spool/cron/atjobs", "/etc/systemd/system", "/run/systemd/system")
    folders += (targets["user_units"], "/etc/profile.d", "/etc/init.d", "/etc/ld.so.preload")
    return [path for path in folders if os.access(path, os.W_OK)]
