"""What was tried from inside an attempt: one row for each class of tampering.

The code that tries it stands in `tests.tamper.probes`; a probe is named ``class/probe``. The table
in docs/sandbox.md is made from these rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

RUNNER = "tests/audit/runner/"

READ = "answers and graders on this machine can be read"
NETWORK = "the network can be reached"
SERVICES = "sockets of other services on this machine can be reached"
SEEN = "other processes and attempts can be seen"
ENDED = "other processes, mle-audit's among them, can be read, changed and ended"
FILES = "files of the user who runs mle-audit can be changed"
RECORDS = "logs, records and validation calls of this attempt and others can be changed"
NEXT = "data, agent and interpreter that later attempts use can be changed"
OUTLIVE = "processes that kill their keeper can outlive the attempt"
LIMITS = "the limits of memory and processes can be left"
KERNEL = "all system calls are allowed, and new namespaces can be made"


@dataclass(frozen=True)
class Tampering:
    """One class of tampering.

    Parameters
    ----------
    id : str
        The class; the first part of its probes' names.
    tries : str
        What is tried, in words for docs/sandbox.md.
    protected : str
        What stands against it in bubblewrap.
    missing : str or None
        The sentence of a record that names it where no sandbox is; None where it is protected from
        without one as well.
    elsewhere : tuple of str
        Tests of other folders that try more of the class: ``path::name``.
    """

    id: str
    tries: str
    protected: str
    missing: str | None
    elsewhere: tuple[str, ...] = ()


TAMPERINGS: tuple[Tampering, ...] = (
    Tampering(
        "answers-by-path",
        "read answers, raw files, other variants, caches and graders where they lie, also by `..`",
        "only the contract's folders and a masked system are bound",
        READ,
        (
            f"{RUNNER}test_sandbox.py::test_the_private_half_is_not_there",
            f"{RUNNER}test_sandbox.py::"
            "test_what_lies_in_the_agents_folder_and_is_none_of_its_business_is_covered",
        ),
    ),
    Tampering(
        "answers-by-proc",
        "read them by `root`, `cwd`, `fd`, `maps`, `mem`, `environ` and `cmdline` of any process",
        "a process namespace and a `/proc` of its own",
        SEEN,
        (f"{RUNNER}test_sandbox.py::test_process_one_tells_nothing_of_the_host",),
    ),
    Tampering(
        "answers-by-link",
        "read them by symbolic or hard links, and leave links for snapshots, digests, graders "
        "and `vet` to follow",
        "names of the host do not exist inside, hard links do not cross mounts; nothing "
        "outside follows links",
        READ,
        (
            f"{RUNNER}test_hostile.py::test_folders_that_became_links_are_not_followed",
            f"{RUNNER}test_snapshots.py::test_what_is_no_file_is_not_copied_and_stops_nothing",
        ),
    ),
    Tampering(
        "descriptors",
        "read or change what was left open: every descriptor, memory files, the command "
        "line's remains",
        "all but the output is closed; options travel in memory files that are closed before "
        "the agent starts",
        None,
        (f"{RUNNER}test_sandbox.py::test_no_file_was_left_open",),
    ),
    Tampering(
        "environment",
        "find secrets of the caller in the environment of any process",
        "the environment is the contract's and nothing else, also without a sandbox",
        SEEN,
        (f"{RUNNER}test_sandbox.py::test_the_environment_is_the_contracts_and_nothing_else",),
    ),
    Tampering(
        "imports",
        "import graders or mle-audit, from source or `.pyc`; load data bundled with packages; "
        "look into pip's caches",
        "an interpreter of the agent's own, without bundled data; other packages are covered",
        READ,
        (
            f"{RUNNER}test_sandbox.py::test_bundled_answers_cannot_be_loaded",
            f"{RUNNER}test_sandbox.py::test_no_bundled_data_is_anywhere",
            f"{RUNNER}test_sandbox.py::test_babel_knows_no_language",
        ),
    ),
    Tampering(
        "other-attempts",
        "read and write another attempt's files; signal, trace and open its processes; share "
        "memory, semaphores, queues, sockets, temporary files with it",
        "namespaces of processes, IPC, network and mounts for each attempt",
        SEEN,
        (f"{RUNNER}test_supervision.py::test_two_attempts_do_not_see_each_other",),
    ),
    Tampering(
        "network",
        "TCP, UDP, names, IPv6, raw and packet sockets, netlink, the host's loopback",
        "a network namespace with a loopback of its own",
        NETWORK,
        (
            f"{RUNNER}test_sandbox.py::test_no_network_is_reached",
            f"{RUNNER}test_seccomp.py::test_families_that_no_namespace_confines_do_not_exist",
        ),
    ),
    Tampering(
        "host-sockets",
        "reach docker's, D-Bus', X11's and any other Unix socket, by file and by abstract name",
        "no such file is bound; abstract names belong to the network namespace",
        SERVICES,
    ),
    Tampering(
        "runner-process",
        "end, trace, read, limit, slow down the runner; enter its namespaces, also from a new "
        "user namespace",
        "a process namespace; no capability; no user namespace",
        ENDED,
    ),
    Tampering(
        "validation-server",
        "end it, replace its socket, its script or the relay, reach other paths and ports, "
        "hand it files",
        "it runs outside; of its folder one socket and two read-only files are bound",
        ENDED,
        (
            f"{RUNNER}test_validation_inside.py::test_an_agent_cannot",
            f"{RUNNER}test_validation_inside.py::test_garbage_is_refused_and_open_files_are_not_taken",
            f"{RUNNER}test_validation.py::test_what_is_no_call_as_agreed_is_refused_in_our_words",
            f"{RUNNER}test_validation.py::"
            "test_calls_beyond_the_burst_are_told_to_wait_and_are_logged",
        ),
    ),
    Tampering(
        "survival",
        "live on: daemons, stopped and stuck processes, ignored signals, held output, cron, "
        "at, systemd",
        "the process namespace ends with its first process; folders of jobs do not exist",
        OUTLIVE,
        (
            f"{RUNNER}test_supervision.py::test_what_a_finished_agent_leaves_running_is_ended_too",
            f"{RUNNER}test_supervision.py::test_a_daemon_without_environment_is_ended_too",
        ),
    ),
    Tampering(
        "outside-writes",
        "write to the host: system folders, `/proc`, `/sys`, devices, control groups; mount, "
        "chroot, make devices; change device files by name or descriptor",
        "read-only mounts, devices too; no capability; `/sys` does not exist; standard input "
        "is an empty pipe",
        FILES,
        (
            f"{RUNNER}test_sandbox.py::test_it_cannot_write",
            f"{RUNNER}test_hostile.py::test_set_uid_bits_are_taken_away",
            f"{RUNNER}test_hostile.py::test_special_files_are_not_opened",
        ),
    ),
    Tampering(
        "validation-log",
        "write `validation.jsonl` by any path or descriptor; forge lines by names and "
        "contents with newlines",
        "the log does not exist inside; names and contents are never written to it",
        RECORDS,
        (f"{RUNNER}test_validation_inside.py::test_the_log_is_nowhere_inside",),
    ),
    Tampering(
        "records",
        "change `attempt.json`, `plan.json`, `metadata.json`, `run.log`, `.locks`, "
        "`instructions.txt`",
        "none of them exists inside but the instructions, read-only",
        RECORDS,
        (f"{RUNNER}test_hostile.py::test_the_log_cannot_be_rewritten_from_inside",),
    ),
    Tampering(
        "next-seed",
        "change the data, the agent's folder or the interpreter for attempts to come",
        "all three are read-only; what is changed without a sandbox is on record "
        "(`harness_changed`)",
        NEXT,
        (f"{RUNNER}test_harness.py::test_the_record_names_what_an_attempt_changed",),
    ),
    Tampering(
        "limits",
        "leave the control group, raise limits or priority; hide memory in kernel objects, "
        "disk in nameless files",
        "no control group is visible; no capability; the group counts the kernel's memory as well",
        LIMITS,
        (
            f"{RUNNER}test_limits.py::test_an_endless_bomb_is_refused_ended_and_nothing_of_it_is_left",
            f"{RUNNER}test_limits.py::test_too_much_on_disk_ends_an_attempt",
            f"{RUNNER}test_disk.py::test_a_multitude_of_small_files_is_a_limit_of_its_own",
            f"{RUNNER}test_scratch.py::test_the_watchdog_counts_what_no_process_maps",
        ),
    ),
    Tampering(
        "namespaces",
        "make user namespaces again, and with them all others; enter those of process 1",
        "bubblewrap's `--disable-userns`",
        KERNEL,
    ),
    Tampering(
        "system-calls",
        "keyrings, io_uring, bpf, perf, userfaultfd, fanotify, file handles, the mount API, "
        "modules, other tables of calls",
        "a filter of system calls; no capability",
        KERNEL,
        (
            f"{RUNNER}test_seccomp.py::test_calls_by_another_table_do_not_exist",
            f"{RUNNER}test_seccomp.py::test_the_kernels_keyrings_and_side_doors_are_refused",
        ),
    ),
    Tampering(
        "terminal",
        "type into the terminal of whoever runs mle-audit",
        "a session of its own without a terminal, also without a sandbox",
        None,
    ),
)


def table() -> str:
    """Return the rows as a Markdown table, with the number of probes and tests of each class."""
    from tests.tamper.probes.inside import probes

    names = [name.partition("/")[0] for name in probes()]
    lines = ["| class | tried from inside | tests | what protects in bubblewrap |"]
    lines += ["| --- | --- | --- | --- |"]
    for row in TAMPERINGS:
        count = names.count(row.id) + len(row.elsewhere)
        lines.append(f"| {row.id} | {row.tries} | {count} | {row.protected} |")
    return "\n".join(lines) + "\n"


def missing_test(name: str, root: Path) -> bool:
    """Say whether a test named in a row does not exist."""
    path, _, function = name.partition("::")
    file = root / path
    return not file.is_file() or f"\ndef {function}(" not in file.read_text(encoding="utf-8")
