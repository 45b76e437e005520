"""Whether agents can be confined: sandbox, namespaces, system calls, memory and processes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from audit.probes.base import Around, Row, first_line, output_of

if TYPE_CHECKING:
    from audit.runner.limiters import Kind

_INSTALL = "as root: apt-get install bubblewrap"
_DELEGATE = (
    "start it in a group of its own: systemd-run --user --scope -p Delegate=yes mle-audit run …"
)
# A kernel setting, the value that refuses namespaces to ordinary users, and the one that helps.
_SETTINGS = (
    ("user/max_user_namespaces", "0", "user.max_user_namespaces=15000"),
    ("kernel/unprivileged_userns_clone", "0", "kernel.unprivileged_userns_clone=1"),
    (
        "kernel/apparmor_restrict_unprivileged_userns",
        "1",
        "kernel.apparmor_restrict_unprivileged_userns=0",
    ),
)


def sandbox(around: Around) -> Row:
    """Try bubblewrap."""
    from audit.runner.bubblewrap import bubblewrap_problem

    program = around.program("bwrap")
    if program is None:
        said = "bubblewrap is not installed; agents could only be run without protection"
        return Row("missing", said, _INSTALL)
    problem = bubblewrap_problem()
    if problem is not None:
        said = f"bubblewrap does not work here: {problem}"
        return Row("missing", said, "see the row user namespaces; in a container, run it as root")
    version = output_of([program, "--version"], {}).removeprefix("bubblewrap ")
    return Row(
        "ok", f"bubblewrap {version} works: agents get no network, no other process, no answers"
    )


def user_namespaces(around: Around) -> Row:
    """Read the kernel's settings; `sandbox` is the real trial."""
    if not (around.proc / "self" / "ns" / "user").exists():
        return Row("missing", "this kernel has no user namespaces", "use another kernel or machine")
    for name, refusing, setting in _SETTINGS:
        is_for_all = name.startswith("user/")  # this one binds root too
        if first_line(around.proc / "sys" / name) == refusing and (
            is_for_all or not around.is_root
        ):
            return Row(
                "missing",
                f"the kernel refuses them to {'all' if is_for_all else 'ordinary users'} "
                f"({name.replace('/', '.')} is {refusing})",
                f"as root: sysctl -w {setting}",
            )
    return Row("ok", "the kernel grants them" + (" (to root)" if around.is_root else ""))


def call_filter(around: Around) -> Row:
    """Say whether there is a filter of system calls for this machine."""
    import platform

    from audit.runner import seccomp

    lost = "keyrings and sockets that ignore namespaces can be used inside"
    if seccomp.program() is None:
        said = f"none for {platform.machine()}: {lost}"
        return Row("limited", said, "run agents on x86_64 or aarch64, 64 bit")
    status = (around.proc / "self" / "status").read_text(encoding="utf-8", errors="replace")
    if "\nSeccomp:" not in status:
        said = f"this kernel filters no system calls: {lost}"
        return Row("limited", said, "use a kernel with CONFIG_SECCOMP_FILTER")
    return Row("ok", f"there is one for {platform.machine()}")


def scratch_sizes(around: Around) -> Row:
    """Say whether the sandbox's folders in memory can be given a size."""
    from audit.runner.bubblewrap import is_scratch_bounded

    if around.program("bwrap") is None:
        return Row("missing", "bubblewrap is not installed", _INSTALL)
    if is_scratch_bounded():
        return Row("ok", "folders in memory inside the sandbox can be given a size")
    said = (
        "this bubblewrap is older than 0.5: folders in memory are bounded by the memory limit only"
    )
    return Row("limited", said, _INSTALL)


def memory_limit(around: Around) -> Row:
    """Make a limiter as `run` does, and remove it again."""
    kind = _kinds(around)[0]
    if kind == "watchdog":
        said = (
            "no control group can be made: a watchdog adds up the process tree many times a "
            "second, and shared memory is estimated"
        )
        return Row("limited", said, _DELEGATE)
    return Row("ok", f"counted and limited by the kernel ({kind})")


def process_limit(around: Around) -> Row:
    """Make a limiter as `run` does, and remove it again."""
    kind = _kinds(around)[1]
    if kind == "watchdog":
        said = (
            "no control group can be made: a watchdog counts processes and ends the attempt after "
            "the fact, so a fork bomb is felt for a moment"
        )
        return Row("limited", said, _DELEGATE)
    return Row("ok", f"counted and limited by the kernel ({kind})")


def _kinds(around: Around) -> tuple[Kind, Kind]:  # noqa: ARG001 - every probe is given it
    from audit.runner.limiters import choose
    from audit.runner.limits import DEFAULT_PROCESSES, Limits

    limits = Limits(60, memory_bytes=1 << 30, processes=DEFAULT_PROCESSES)
    limiter = choose(limits, f"MLE_AUDIT_DOCTOR={os.getpid()}")
    try:
        return limiter.memory_kind, limiter.process_kind
    finally:
        limiter.close()
