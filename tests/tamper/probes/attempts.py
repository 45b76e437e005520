"""Other attempts, the runner and the validation server: files, processes, shared objects."""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import socket
from typing import Any

from tests.tamper.probes.inside import (
    AbsentError,
    append,
    call,
    has_canary,
    libc,
    probe,
    processes,
    read,
    targets,
)

X86 = platform.machine() == "x86_64"
_SEIZE = 0x4206
_PIDFD_OPEN, _PIDFD_GETFD, _PIDFD_SEND = 434, 438, 424
_PTRACE = 101 if X86 else 117
_READV, _WRITEV = (310, 311) if X86 else (270, 271)
_PRLIMIT = 302 if X86 else 261
_USER = 0x10000000


# ------------------------------------------------------------------ another attempt


@probe("other-attempts")
def its_code():
    return has_canary(f"{targets['neighbour']}/code/main.py")


@probe("other-attempts")
def its_folder_by_upwards():
    return has_canary(os.path.join(os.environ["CODE_DIR"], "../..", targets["beside"]))


@probe("other-attempts")
def write_to_its_logs():
    append(f"{targets['neighbour']}/logs/agent.log", "write-to-its-logs")


@probe("other-attempts")
def signal_its_process():
    os.kill(targets["victim"], 0)
    return True


@probe("other-attempts")
def any_process_of_the_host_by_number():
    for number in (targets["victim"], targets["runner"], *range(2, 400)):
        try:
            os.kill(number, 0)
        except OSError:
            continue
        if not _is_ours(number):
            return number
    return False


def _is_ours(number: int) -> bool:
    """Whether a process is of this attempt: inside, all that exist are."""
    return bool(targets["is_inside"]) and str(number) in processes()


@probe("other-attempts")
def trace_its_process():
    # The kernel detaches when this process ends.
    return libc().ptrace(_SEIZE, targets["victim"], None, None) == 0


@probe("other-attempts")
def handle_of_its_process():
    made = call(_PIDFD_OPEN, targets["victim"], 0)
    return made >= 0 and call(_PIDFD_SEND, made, 0, None, 0) == 0


@probe("other-attempts")
def take_its_descriptor():
    made = call(_PIDFD_OPEN, targets["victim"], 0)
    number = call(_PIDFD_GETFD, made, targets["victim_descriptor"], 0) if made >= 0 else -1
    return number >= 0 and targets["canary"].encode() in os.pread(number, 1 << 20, 0)


@probe("other-attempts")
def shared_memory_segment():
    made = libc().shmget(targets["shm_key"], 0, 0)
    libc().shmat.restype = ctypes.c_void_p
    address = libc().shmat(made, None, 0o10000) if made >= 0 else None
    return address and targets["secret"].encode() in ctypes.string_at(address, 64)


@probe("other-attempts")
def semaphores():
    return libc().semget(targets["shm_key"], 1, 0) >= 0


@probe("other-attempts")
def message_queue():
    return libc().msgget(targets["shm_key"], 0) >= 0


@probe("other-attempts")
def segments_that_are_listed():
    return len(read("/proc/sysvipc/shm").splitlines()) > 1


@probe("other-attempts")
def posix_queue():
    if "mqueue" not in targets:
        raise AbsentError("the host's queue could not be made")
    made = call(240 if X86 else 180, targets["mqueue"].encode(), os.O_RDONLY | os.O_NONBLOCK, 0, 0)
    return made >= 0


@probe("other-attempts")
def posix_shared_memory():
    return has_canary(targets["dev_shm"])


@probe("other-attempts")
def temporary_files():
    return has_canary(targets["tmp"])


@probe("other-attempts")
def home_of_the_user():
    return has_canary(targets["home"])


@probe("other-attempts")
def priority_of_its_process():
    return os.getpriority(os.PRIO_PROCESS, targets["victim"]) is not None


# ------------------------------------------------------------------ the runner


@probe("runner-process")
def signal_it():
    os.kill(targets["runner"], 0)
    return True


@probe("runner-process")
def signal_its_group():
    os.killpg(targets["victim_group"], 0)
    return True


@probe("runner-process")
def open_its_memory():
    os.close(os.open(f"/proc/{targets['runner']}/mem", os.O_RDWR))
    return True


class _Vector(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("size", ctypes.c_size_t)]


def _copy(number: int, address: int, space: Any, size: int) -> int:
    ours = _Vector(ctypes.cast(space, ctypes.c_void_p), size)
    theirs = _Vector(address, size)
    return call(number, targets["victim"], ctypes.byref(ours), 1, ctypes.byref(theirs), 1, 0)


@probe("runner-process")
def copy_from_a_process():
    space = ctypes.create_string_buffer(64)
    _copy(_READV, targets["address"], space, 64)
    return targets["secret"].encode() in space.raw


@probe("runner-process")
def copy_into_a_process():
    space = ctypes.create_string_buffer(b"overwritten", 11)
    return _copy(_WRITEV, targets["address"] + 200, space, 11) == 11


@probe("runner-process")
def its_limits():
    space = ctypes.create_string_buffer(16)
    return call(_PRLIMIT, targets["runner"], 7, None, space) == 0


@probe("runner-process")
def its_processors():
    os.sched_setaffinity(targets["victim"], os.sched_getaffinity(targets["victim"]))
    return True


@probe("runner-process")
def open_its_namespaces():
    os.close(os.open(f"/proc/{targets['runner']}/ns/mnt", os.O_RDONLY))
    return True


@probe("runner-process")
def enter_its_namespaces():
    descriptor = os.open(f"/proc/{targets['runner']}/ns/net", os.O_RDONLY)
    return call(308 if X86 else 268, descriptor, 0) == 0


@probe("runner-process")
def compare_it():
    made = call(312 if X86 else 272, os.getpid(), targets["victim"], 0, 0, 0)
    if made == -errno.ENOSYS:
        raise AbsentError("the kernel has no kcmp")
    return made >= 0


@probe("runner-process")
def its_oom_score():
    with open(f"/proc/{targets['victim']}/oom_score_adj", "r+") as stream:
        stream.write(stream.read())
    return True


@probe("runner-process")
def its_note_to_end():
    append(targets["stop"], "its-note-to-end")


# ------------------------------------------------------------------ the validation server


def _server() -> int:
    for name in processes():
        try:
            if b"server_process.py" in read(f"/proc/{name}/cmdline"):
                return int(name)
        except OSError:
            continue
    raise AbsentError("no such process is seen") if not targets["is_inside"] else OSError("none")


@probe("validation-server")
def signal_the_server():
    os.kill(_server(), 0)
    return True


@probe("validation-server")
def its_descriptors():
    return os.listdir(f"/proc/{_server()}/fd")


@probe("validation-server")
def another_script_in_its_place():
    path = os.environ["VALIDATE_SUBMISSION"]
    os.rename(path, path)
    os.close(os.open(path, os.O_WRONLY | os.O_APPEND))
    return True


@probe("validation-server")
def rename_over_its_script():
    fake = os.environ["VALIDATE_SUBMISSION"] + ".fake"
    with open(fake, "w") as stream:
        stream.write("#!/bin/sh\n")
    os.rename(fake, fake + "2")
    os.rename(fake + "2", os.environ["VALIDATE_SUBMISSION"])
    return True


@probe("validation-server")
def unlink_its_socket():
    path = "/run/validation/server.sock" if targets["is_inside"] else targets["server_socket"]
    os.unlink(path)
    return True


@probe("validation-server")
def server_of_its_own_at_the_socket():
    folder = "/run/validation" if targets["is_inside"] else targets["server_folder"]
    with socket.socket(socket.AF_UNIX) as fake:
        fake.bind(f"{folder}/fake.sock")
        os.rename(f"{folder}/fake.sock", f"{folder}/server2.sock")
    return True


@probe("validation-server")
def folder_of_another_server():
    return [n for n in os.listdir(targets["tmp_root"]) if n.startswith("mle-audit-validation-")]


@probe("validation-server")
def kill_it_from_a_new_user_namespace():
    libc().unshare(_USER)
    os.kill(_server(), 0)
    return True
