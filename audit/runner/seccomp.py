"""A filter of system calls for what no namespace confines: keyrings, odd sockets, other tables.

What no learning needs and has given ways into the kernel is refused as well: programs and counters
within the kernel, faults that a user answers, mounts by descriptor, memory that nobody counts.

Session keyrings are inherited into every namespace, and AF_VSOCK and its like speak to the host
past the network namespace. io_uring opens sockets without the call that is filtered here.
"""

from __future__ import annotations

import errno
import platform
import socket
import struct
import sys

_ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}  # AUDIT_ARCH_* of linux/audit.h
# These have one number in all tables.
_REFUSED_EVERYWHERE = {
    "io_uring_setup": 425,
    "io_uring_enter": 426,
    "io_uring_register": 427,
    "open_tree": 428,
    "move_mount": 429,
    "fsopen": 430,
    "fsconfig": 431,
    "fsmount": 432,
    "fspick": 433,
    "mount_setattr": 442,
    "memfd_secret": 447,
}
# bpf, perf_event_open, userfaultfd, fanotify_init, open_by_handle_at, syslog
_REFUSED = {"x86_64": (321, 298, 323, 300, 304, 103), "aarch64": (280, 241, 282, 262, 265, 116)}
CALLS: dict[str, dict[str, int]] = {
    "x86_64": {"add_key": 248, "request_key": 249, "keyctl": 250, "socket": 41, "socketpair": 53},
    "aarch64": {
        "add_key": 217,
        "request_key": 218,
        "keyctl": 219,
        "socket": 198,
        "socketpair": 199,
    },
}
_FAMILIES = (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK)
_X32 = 0x40000000  # set in the numbers of x86_64's second table

# Where things lie in the kernel's struct seccomp_data. A family is an int: the kernel looks at the
# low half of the first argument only, and so do we.
_NUMBER, _ARCH, _FIRST_ARGUMENT = 0, 4, 16
_LOAD, _IF_EQUAL, _IF_AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_ALLOW, _FAIL = 0x7FFF0000, 0x00050000


def program(machine: str | None = None) -> bytes | None:
    """Build the filter as the kernel reads it; None where the numbers are not known.

    Parameters
    ----------
    machine : str or None
        As `platform.machine` names it; None is this one.
    """
    name = machine or platform.machine()
    if name not in CALLS or (machine is None and (sys.maxsize >> 32 == 0)):
        return None  # a 32-bit system on a 64-bit kernel uses the very table that is shut
    calls = CALLS[name]
    lines = [_line(_LOAD, _ARCH), *_unless(_IF_EQUAL, _ARCHITECTURE[name], errno.ENOSYS)]
    lines.append(_line(_LOAD, _NUMBER))
    if name == "x86_64":
        lines += [_line(_IF_AT_LEAST, _X32, 0, 1), _fail(errno.ENOSYS)]
    refused = [calls[call] for call in ("keyctl", "add_key", "request_key")]
    for number in (*refused, *_REFUSED[name], *_REFUSED_EVERYWHERE.values()):
        lines += [_line(_IF_EQUAL, number, 0, 1), _fail(errno.EPERM)]
    lines += [_line(_IF_EQUAL, calls["socket"], 2, 0), _line(_IF_EQUAL, calls["socketpair"], 1, 0)]
    lines += [_line(_RETURN, _ALLOW), _line(_LOAD, _FIRST_ARGUMENT)]
    for family in _FAMILIES:
        lines += [_line(_IF_EQUAL, family, 0, 1), _line(_RETURN, _ALLOW)]
    return b"".join([*lines, _fail(errno.EAFNOSUPPORT)])


def _line(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)


def _fail(number: int) -> bytes:
    return _line(_RETURN, _FAIL | number)


def _unless(test: int, value: int, number: int) -> list[bytes]:
    return [_line(test, value, 1, 0), _fail(number)]
