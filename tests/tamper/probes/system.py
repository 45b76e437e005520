"""The host's files and devices, limits, and the terminal."""

from __future__ import annotations

import ctypes
import errno
import fcntl
import glob
import os
import platform
import resource
import socket
import stat

from tests.tamper.probes.inside import AbsentError, append, call, libc, probe, targets

X86 = platform.machine() == "x86_64"


def _opens(path: str, flags: int = os.O_WRONLY) -> bool:
    """Whether a real file of the kernel opens; nothing is written."""
    if not os.path.exists(path):
        if targets["is_inside"]:
            return False
        raise AbsentError(f"there is no {path}")
    descriptor = os.open(path, flags | os.O_NONBLOCK)
    try:
        return not _is_null(os.fstat(descriptor))
    finally:
        os.close(descriptor)


def _is_null(status: os.stat_result) -> bool:
    return stat.S_ISCHR(status.st_mode) and status.st_rdev == os.makedev(1, 3)


# ------------------------------------------------------------------ outside


@probe("outside-writes")
def file_of_the_host():
    append(targets["host_file"], "file-of-the-host")


@probe("outside-writes")
def new_file_of_the_host():
    append(os.path.dirname(targets["host_file"]) + "/new", "new-file-of-the-host")


@probe("outside-writes")
def temporary_folder_of_the_host():
    append(f"{targets['tmp']}.new", "temporary-folder-of-the-host")


@probe("outside-writes")
def system_folders():
    places = ("/", "/usr", "/usr/bin", "/usr/lib", "/etc", "/opt", "/root", "/boot", "/var", "/run")
    return [path for path in places if os.access(path, os.W_OK)]


@probe("outside-writes")
def sys_is_writable():
    return [p for p in ("/sys", "/sys/power/state", "/sys/fs/cgroup") if os.access(p, os.W_OK)]


@probe("outside-writes")
def program_for_core_dumps():
    return _opens("/proc/sys/kernel/core_pattern")


@probe("outside-writes")
def settings_of_the_kernel():
    found = glob.glob("/proc/sys/[kv]*/*")
    return [path for path in found if os.access(path, os.W_OK)]


@probe("outside-writes")
def files_of_proc():
    """Nothing of /proc may be written but what belongs to a process, or leads nowhere."""
    found = []
    for folder, folders, names in os.walk("/proc"):
        if folder == "/proc":
            folders[:] = [n for n in folders if not n.isdigit() and n not in _OWN]
        found += [os.path.join(folder, name) for name in names]
    return [p for p in found if os.access(p, os.W_OK) and not _is_null(os.stat(p))]


_OWN = {"self", "thread-self", "net", "sys"}


@probe("outside-writes")
def tables_for_root_alone():
    found = glob.glob("/proc/*")
    return [p for p in found if os.path.isfile(p) and not _is_null(os.stat(p)) and _for_root(p)]


def _for_root(path: str) -> bool:
    return not os.stat(path).st_mode & 0o044 and os.access(path, os.R_OK)


@probe("outside-writes")
def key_that_commands_the_kernel():
    return _opens("/proc/sysrq-trigger")


@probe("outside-writes")
def program_of_a_control_group():
    found = glob.glob("/sys/fs/cgroup/release_agent") + glob.glob("/sys/fs/cgroup/*/release_agent")
    if not found and not targets["is_inside"]:
        raise AbsentError("control groups of this machine have no release_agent")
    return any(_opens(path) for path in found)


@probe("outside-writes")
def memory_by_a_device():
    return _opens("/dev/mem", os.O_RDONLY)


@probe("outside-writes")
def log_of_the_kernel():
    return _opens("/dev/kmsg")


@probe("outside-writes")
def disks_by_a_device():
    found = glob.glob("/dev/[svnx][dvm][a-z]*")
    if not found and not targets["is_inside"]:
        raise AbsentError("no disk has a device here")
    return any(_opens(path, os.O_RDONLY) for path in found)


@probe("outside-writes")
def devices_beyond_the_few():
    few = {"null", "zero", "full", "random", "urandom", "tty", "ptmx", "pts", "shm", "core", "fd"}
    return set(os.listdir("/dev")) - few - {"stdin", "stdout", "stderr", "mqueue", "console"}


@probe("outside-writes")
def mode_of_device_files():
    """Those of the attempt's own are its to change."""
    for name, identity in targets["devices"].items():
        try:
            status = os.stat(f"/dev/{name}")
            if [status.st_dev, status.st_ino] != identity:
                continue
            os.chmod(f"/dev/{name}", stat.S_IMODE(status.st_mode))
        except OSError:
            continue
        return name
    return False


@probe("outside-writes")
def mode_of_what_is_open():
    """Through a descriptor, the mount that it was opened on counts, not the one inside."""
    status = os.fstat(0)  # the harness of the probes replaced the others
    if stat.S_ISCHR(status.st_mode):
        os.fchmod(0, stat.S_IMODE(status.st_mode))
        return True
    return False


@probe("outside-writes")
def times_of_masked_files():
    masked = "/proc/keys", "/proc/kmsg", "/proc/cmdline", "/proc/timer_list", "/proc/kcore"
    for path in masked if targets["is_inside"] else ("/dev/null",):
        try:
            os.utime(path)
        except OSError:
            continue
        return path
    return False


@probe("outside-writes")
def dump_of_a_crash():
    """A core dump is written, or handed to a program of the host, by the kernel.

    A limit of one byte is what forbids both, see core(5).
    """
    most = resource.getrlimit(resource.RLIMIT_CORE)[1]
    resource.setrlimit(resource.RLIMIT_CORE, (most, most))
    return most != 1


@probe("outside-writes")
def device_of_its_own():
    path = os.path.join(os.environ["CODE_DIR"], "device")
    os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 1))
    os.unlink(path)
    return True


@probe("outside-writes")
def mount():
    place = os.environ["HOME"].encode()
    done = libc().mount(b"tampered", place, b"tmpfs", 0, None) == 0
    if done:
        libc().umount2(place, 2)
    return done


@probe("outside-writes")
def mount_writable_again():
    place = b"/usr" if targets["is_inside"] else os.environ["HOME"].encode()
    if not targets["is_inside"] and libc().mount(place, place, None, 0x1000, None):
        return False
    done = libc().mount(None, place, None, 0x20 | 0x1000, None) == 0
    if not targets["is_inside"]:
        libc().umount2(place, 2)
    return done


@probe("outside-writes")
def uncover_what_is_masked():
    place = b"/proc/sys" if targets["is_inside"] else os.environ["HOME"].encode()
    if not targets["is_inside"] and libc().mount(b"tampered", place, b"tmpfs", 0, None):
        return False
    return libc().umount2(place, 2) == 0


@probe("outside-writes")
def another_root():
    os.chroot(os.environ["HOME"])
    return True


@probe("outside-writes")
def climb_out_of_the_root():
    os.chdir("/")
    for _ in range(40):
        os.chdir("..")
    return os.path.exists("." + targets["answers"])


@probe("outside-writes")
def name_of_the_machine():
    socket.sethostname(socket.gethostname())
    return True


@probe("outside-writes")
def restart_the_machine():
    # With a wrong magic number: who may, is told that it is wrong.
    return call(169 if X86 else 142, 1, 2, 3, None) == -errno.EINVAL


@probe("outside-writes")
def programs_that_change_the_user():
    """A set-uid program inside would run with the rights of its owner."""
    os.setuid(0)
    return os.getuid() == 0


@probe("outside-writes")
def file_of_another_user():
    path = os.path.join(os.environ["CODE_DIR"], "owned")
    with open(path, "w"):
        pass
    try:
        os.chown(path, 12345, 12345)
    finally:
        os.unlink(path)
    return True


# ------------------------------------------------------------------ limits


@probe("limits")
def leave_the_control_group():
    for path in glob.glob("/sys/fs/cgroup/**/cgroup.procs", recursive=True):
        if path.count("/") < 6 and os.access(path, os.W_OK):
            return path
    return False


@probe("limits")
def control_groups_mounted_anew():
    place = os.environ["HOME"].encode()
    for kind, data in ((b"cgroup2", None), (b"cgroup", b"none,name=tampered")):
        if libc().mount(b"none", place, kind, 0, data) == 0:
            libc().umount2(place, 2)
            return True
    return False


@probe("limits")
def more_files_than_allowed():
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most + 1))
    return True


@probe("limits")
def more_locked_memory():
    _, most = resource.getrlimit(resource.RLIMIT_MEMLOCK)
    if most == resource.RLIM_INFINITY:
        raise AbsentError("locked memory has no limit here")
    resource.setrlimit(resource.RLIMIT_MEMLOCK, (most, most + 4096))
    return True


@probe("limits")
def priority_above_others():
    os.nice(-5)
    return True


@probe("limits")
def real_time():
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    return True


@probe("limits")
def last_to_be_killed():
    with open("/proc/self/oom_score_adj", "w") as stream:
        stream.write("-900")
    return True


@probe("limits")
def large_pages():
    with open("/proc/meminfo") as stream:
        free = next((line.split()[1] for line in stream if line.startswith("HugePages_Free")), "0")
    if free == "0":
        raise AbsentError("the machine has no large pages set aside")
    libc().mmap.restype = ctypes.c_ssize_t
    return libc().mmap(None, ctypes.c_size_t(2 << 20), 3, 0x40022, -1, 0) != -1


# ------------------------------------------------------------------ the terminal


@probe("terminal")
def open_it():
    os.close(os.open("/dev/tty", os.O_RDWR))
    return True


@probe("terminal")
def type_into_it():
    typed = 0
    for number in range(256):
        try:
            fcntl.ioctl(number, 0x5412, b"\n")
            typed += 1
        except OSError as error:
            if error.errno == errno.EIO and os.isatty(number):
                typed += 1  # this kernel refuses it to everybody; the terminal is there
    return typed


@probe("outside-writes")
def terminal_that_nobody_has():
    """Take a terminal of the host that nobody has, as a leader of a session can."""
    os.setsid()
    for path in ("/dev/tty1", "/dev/ttyS0", targets["terminal"], "/dev/console"):
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
            os.close(descriptor)
        except OSError:
            continue
        return path
    return False
