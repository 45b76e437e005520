"""Namespaces and system calls; each is made so that it does nothing where it is allowed."""

from __future__ import annotations

import ctypes
import errno
import mmap
import os
import platform
import struct

from tests.tamper.probes.inside import AbsentError, call, libc, probe, targets

X86 = platform.machine() == "x86_64"
_NAMESPACES = {
    "user": 0x10000000,
    "mount": 0x20000,
    "network": 0x40000000,
    "process": 0x20000000,
    "ipc": 0x8000000,
    "control-group": 0x2000000,
}
_REFUSED = (errno.EPERM, errno.EACCES, errno.ENOSYS)


def _may(x86: int, other: int, *arguments: object) -> bool:
    """Whether a call is not refused: whoever may, is told that these arguments are wrong."""
    made = call(x86 if X86 else other, *arguments)
    if made == -errno.ENOSYS and not targets["is_inside"]:
        raise AbsentError("the kernel has no such call")
    return -made not in _REFUSED


# ------------------------------------------------------------------ namespaces


@probe("namespaces")
def user():
    return libc().unshare(_NAMESPACES["user"]) == 0


@probe("namespaces")
def user_by_clone():
    made = call(56 if X86 else 220, _NAMESPACES["user"] | 17, None, None, None, None)
    if made == 0:
        os._exit(0)
    return made > 0


@probe("namespaces")
def user_by_clone3():
    arguments = struct.pack("=11Q", _NAMESPACES["user"], 0, 0, 0, 17, 0, 0, 0, 0, 0, 0)
    made = call(435, arguments, ctypes.c_size_t(len(arguments)))
    if made == 0:
        os._exit(0)
    return made > 0


@probe("namespaces")
def all_others_within_a_user_namespace():
    every = sum(_NAMESPACES.values())
    return libc().unshare(every) == 0


@probe("namespaces")
def mounts_without_a_user_namespace():
    return libc().unshare(_NAMESPACES["mount"]) == 0


@probe("namespaces")
def those_of_process_one():
    for kind in ("user", "mnt", "net", "pid"):
        descriptor = os.open(f"/proc/1/ns/{kind}", os.O_RDONLY)
        if call(308 if X86 else 268, descriptor, 0) == 0:
            return kind
    return False


@probe("namespaces")
def more_of_them_by_a_setting():
    path = "/proc/sys/user/max_user_namespaces"
    if not os.path.exists(path):
        raise AbsentError("the kernel has no such setting")
    os.close(os.open(path, os.O_WRONLY))
    return True


# ------------------------------------------------------------------ system calls


@probe("system-calls")
def keyring_of_the_session():
    return _may(250, 219, 0, -3, 0)


@probe("system-calls")
def key_for_later():
    made = call(248 if X86 else 217, b"user", b"tampered", b"x", ctypes.c_size_t(1), -1)
    if made == -errno.ENOSYS:
        raise AbsentError("the kernel has no keys")
    return made > 0


@probe("system-calls")
def io_uring():
    return _may(425, 425, 0, None)


@probe("system-calls")
def bpf():
    return _may(321, 280, 0, struct.pack("=4I112x", 2, 4, 8, 1), 128)


@probe("system-calls")
def perf_events():
    attributes = struct.pack("=IIQ112x", 1, 128, 1)  # the clock of this process
    return _may(298, 241, attributes, 0, -1, -1, 0)


@probe("system-calls")
def page_faults_by_a_user():
    return _may(323, 282, 1)


@probe("system-calls")
def watches_of_all_files():
    return _may(300, 262, 0, 0)


@probe("system-calls")
def watches_without_a_privilege():
    return _may(300, 262, 0x200, 0)


@probe("system-calls")
def files_by_handle():
    handle = ctypes.create_string_buffer(struct.pack("=Ii8x", 8, 1) + b"\0" * 128)
    directory = os.open("/", os.O_RDONLY)
    return _may(304, 265, directory, handle, 0)


@probe("system-calls")
def file_system_opened():
    return _may(430, 430, b"tmpfs", 0)


@probe("system-calls")
def tree_of_mounts():
    return _may(428, 428, -100, b"/", 1)


@probe("system-calls")
def mount_moved():
    return _may(429, 429, -100, b"/", -100, b"/nowhere", 0)


@probe("system-calls")
def attributes_of_a_mount():
    return _may(442, 442, -100, b"/nowhere", 0, struct.pack("=4Q", 0, 1, 0, 0), 32)


@probe("system-calls")
def module_of_the_kernel():
    return _may(175, 105, None, 0, b"")


@probe("system-calls")
def another_kernel():
    return _may(320, 294, -1, -1, 0, None, 0)


@probe("system-calls")
def swap():
    return _may(167, 224, b"/nowhere", 0)


@probe("system-calls")
def log_of_the_kernel():
    return _may(103, 116, 10, None, 0)


@probe("system-calls")
def accounting():
    return _may(163, 89, b"/nowhere")


@probe("system-calls")
def ports_of_the_machine():
    if not X86:
        raise AbsentError("only x86_64 has ports")
    return _may(172, 0, 3)


@probe("system-calls")
def secret_memory():
    made = call(447, 0)
    if made < 0 and not targets["is_inside"]:
        raise AbsentError("the kernel has no secret memory")
    return made >= 0


@probe("system-calls")
def pages_of_another_process():
    return call(279 if X86 else 239, targets["victim"], 0, None, None, None, 0) == 0


@probe("system-calls")
def advice_to_another_process():
    handle = call(434, targets["victim"], 0)
    return handle >= 0


@probe("system-calls")
def table_of_32_bits():
    """Enter by int 0x80, where 20 is getpid."""
    if not X86:
        raise AbsentError("only x86_64 has further tables")
    code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(bytes.fromhex("b814000000cd80c3"))
    address = ctypes.addressof(ctypes.c_char.from_buffer(code))
    made = ctypes.CFUNCTYPE(ctypes.c_int)(address)()
    if made <= 0 and not targets["is_inside"]:
        raise AbsentError("the kernel has no such table")
    return made == os.getpid()


@probe("system-calls")
def table_x32():
    made = call(0x40000000 + 39)
    if made == -errno.ENOSYS and not targets["is_inside"]:
        raise AbsentError("the kernel has no such table")
    return made == os.getpid()


@probe("system-calls")
def family_with_high_bits_set():
    made = call(41 if X86 else 198, ctypes.c_ulong((1 << 32) + 38), 5, 0)
    if made < 0 and not targets["is_inside"]:
        raise AbsentError("the kernel has no sockets for cryptography")
    return made >= 0
