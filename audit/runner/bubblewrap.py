"""The command line of bubblewrap: what exists inside, and nothing else.

Inside there are a read-only system, the agent's interpreter, the folders of the contract, a private
``/proc`` and a minimal ``/dev``. There is no network, no other process, no environment of ours, no
capability, no package of ours and no data but the public part.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from audit.runner import devices, seccomp
from audit.runner.hidden import Bind, masks, own_folders
from audit.runner.places import (
    BIN,
    INTERPRETER,
    MODEL_PORT,
    PORT,
    RELAY,
    SOCKET,
    inside_binds,
)
from audit.runner.supervise import Command
from audit.runner.usage import SCRATCH

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from audit.runner.places import Places

UID = 1000
MODELS_AT_ONCE = 4  # requests that an agent can have under way; each is a small process inside
REMEDY = (
    "Install it with: apt-get install bubblewrap; where user namespaces are refused, allow them or "
    "run without protection: --sandbox none"
)
_USR = ("bin", "sbin", "lib", "lib32", "lib64", "libx32", "libexec", "share")
_TOP = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
# The dynamic loader's cache, the links behind commands such as awk, and fonts for plots.
_ETC = ("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "fonts", "localtime")
# When the runner is root, root's files in /proc would accept writes from inside, and some of them
# command the machine. Docker covers the same ones.
_PROC_READ_ONLY = ("sys", "bus", "fs", "irq")
_PROC_EMPTY_FILES = (
    *("cmdline", "kcore", "keys", "key-users", "kmsg", "latency_stats", "mtrr", "sched_debug"),
    *("sysrq-trigger", "timer_list"),
    # Tables for root alone.
    *("kpagecgroup", "kpagecount", "kpageflags", "pagetypeinfo", "slabinfo", "vmallocinfo"),
)
_PROC_EMPTY_FOLDERS = ("acpi", "asound", "driver", "pressure", "scsi")
_FILES = {
    "/etc/passwd": f"agent:x:{UID}:{UID}:agent:/home/user:/bin/bash\n",
    "/etc/group": f"agent:x:{UID}:\n",
    "/etc/hosts": "127.0.0.1 localhost\n",
    "/etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
}


def bubblewrap_problem() -> str | None:
    """Say why bubblewrap does not work here, or None when it does; it is tried."""
    program = shutil.which("bwrap")
    if program is None:
        return "the program bwrap is not installed"
    options = [*_namespaces(program), *_system(())[0], "--proc", "/proc", "--dev", "/dev"]
    with _MemoryFiles() as files:
        command = [program, *options, *_filter(files), "/bin/true"]
        try:
            done = subprocess.run(  # noqa: S603 - fixed words
                command,
                check=False,
                capture_output=True,
                text=True,
                timeout=30,
                env={},
                pass_fds=files.descriptors,
            )
        except (OSError, subprocess.SubprocessError) as error:
            return f"bwrap cannot be run: {error}"
    if done.returncode == 0:
        return None
    return (done.stderr.strip().splitlines() or [f"bwrap ended with {done.returncode}"])[-1]


@contextlib.contextmanager
def bubblewrap_command(
    places: Places, environment: Mapping[str, str], arguments: Sequence[str]
) -> Iterator[Command]:
    """Give the command that runs an agent's ``start.sh`` inside.

    Yields
    ------
    Command
        Valid within the block: its options are in memory files that are closed afterwards, so that
        neither the host's process list nor ``/proc/1/cmdline`` inside shows them.
    """
    program = shutil.which("bwrap") or "/usr/bin/bwrap"
    with _MemoryFiles() as files:
        options = [*_options(program, places, environment), *_own_devices(files, places)]
        for target, text in _FILES.items():
            options += ["--ro-bind-data", files.add(text.encode()), target]
        options += ["--remount-ro", "/", *_filter(files)]  # what is writable has its own mount
        listed = files.add("\x00".join(options).encode("utf-8", "surrogateescape") + b"\x00")
        start = ("/bin/bash", f"{places.agent_inside}/start.sh", *arguments)
        argv = (program, "--args", listed, "--", *relays(places), *start)
        # bwrap itself gets no environment: as process 1 inside, its own could be read there.
        yield Command(argv, env={}, cwd=Path("/"), descriptors=files.descriptors)


def _own_devices(stack: contextlib.ExitStack, places: Places) -> Iterator[str]:
    """Yield options that put device files of the attempt's own over the machine's."""
    if devices.is_needed():
        # The server removes its folder when the runner is killed.
        above = places.validation.folder if places.validation else None
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="devices-", dir=above))
        for path in devices.make(Path(folder)):
            yield from ("--dev-bind", str(path), f"/dev/{path.name}")


def relays(places: Places, python: str = str(BIN / "python3")) -> Iterator[str]:
    """Yield what starts the relays to the servers outside and then becomes the agent."""
    ways = []
    if places.validation is not None:
        ways.append((RELAY, PORT, SOCKET, 1))
    if places.model is not None:
        ways.append((places.model.relay, MODEL_PORT, places.model.socket, MODELS_AT_ONCE))
    for relay, *way in ways:
        yield from (python, "-I", "-S", "-B", str(relay), *map(str, way))


class _MemoryFiles(contextlib.ExitStack):
    """Files that exist in memory only, until the block ends."""

    descriptors: tuple[int, ...] = ()

    def add(self, content: bytes) -> str:
        """Make one and return the number it is open under."""
        descriptor = os.memfd_create("mle-audit")
        self.callback(os.close, descriptor)
        os.write(descriptor, content)
        os.lseek(descriptor, 0, os.SEEK_SET)
        self.descriptors += (descriptor,)
        return str(descriptor)


def _filter(files: _MemoryFiles) -> list[str]:
    program = seccomp.program()
    return [] if program is None else ["--seccomp", files.add(program)]


def _options(program: str, places: Places, environment: Mapping[str, str]) -> list[str]:
    temporary, home, shared = (_scratch(program, n, places.scratch_bytes) for n in SCRATCH)
    options = [*_namespaces(program), "--clearenv"]
    for name, value in environment.items():
        options += ["--setenv", name, value]
    options += [*temporary, *home]
    options += ["--dir", "/home/user", "--chdir", "/home/user"]
    system, binds = _system(_python(places))
    contract = inside_binds(places)
    options += [*system, "--ro-bind", str(places.interpreter.folder), str(INTERPRETER)]
    for bind, writable in contract:
        options += ["--bind" if writable else "--ro-bind", str(bind.source), str(bind.target)]
    covered = [*binds, *(bind for bind, _ in contract)]
    options += _covers(covered, [*own_folders(), *places.hidden])
    # The file system below /dev takes no size, so only what stands on it may be written.
    return [*options, *_proc(), "--dev", "/dev", *shared, "--remount-ro", "/dev"]


def _scratch(program: str, name: str, together: int | None) -> list[str]:
    """Options for one scratch folder: its share of what all of them may hold."""
    if together is None or not _supports(program, "--size"):
        return ["--tmpfs", name]
    size = int(together * SCRATCH[name]) & -os.sysconf("SC_PAGE_SIZE")  # the kernel rounds up
    return ["--size", str(size), "--tmpfs", name]


def is_scratch_bounded() -> bool:
    """Say whether scratch folders can be given a size; that came with bubblewrap 0.5."""
    program = shutil.which("bwrap")
    return program is not None and _supports(program, "--size")


def forbids_user_namespaces() -> bool:
    """Say whether user namespaces can be forbidden inside; that came with bubblewrap 0.8."""
    program = shutil.which("bwrap")
    return program is not None and _supports(program, "--disable-userns")


def _namespaces(program: str) -> list[str]:
    """Options that separate the inside from the machine; `--disable-userns` came with 0.8."""
    options = ["--unshare-all", "--unshare-user", "--die-with-parent", "--new-session"]
    options += ["--cap-drop", "ALL", "--uid", str(UID), "--gid", str(UID), "--hostname", "sandbox"]
    return [*options, "--disable-userns"] if _supports(program, "--disable-userns") else options


@cache
def _supports(program: str, option: str) -> bool:
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        done = subprocess.run(  # noqa: S603 - fixed words
            [program, "--help"], check=False, capture_output=True, text=True, timeout=30, env={}
        )
        return f"    {option} " in done.stdout + done.stderr
    return False


def _python(places: Places) -> list[Path]:
    """List the folders of the Python below the agent's interpreter."""
    prefix = places.interpreter.base_prefix
    return [prefix / name for name in ("bin", "lib", "lib64") if (prefix / name).is_dir()]


def _system(python: Sequence[Path]) -> tuple[list[str], list[Bind]]:
    """Options that lay out the read-only system, and what they bind."""
    options: list[str] = []
    bound = [Path("/usr") / name for name in _USR if (Path("/usr") / name).is_dir()]
    for name in _TOP:
        path = Path("/") / name
        if path.is_symlink():
            options += ["--symlink", str(path.readlink()), str(path)]
        elif path.is_dir():
            bound.append(path)
    bound += [p for p in python if not any(p.is_relative_to(b) for b in bound)]
    bound += [Path("/etc") / name for name in _ETC if (Path("/etc") / name).exists()]
    for path in bound:
        options += ["--ro-bind", str(path), str(path)]
    return options, [Bind(path, path, is_system=True) for path in bound]


def _covers(binds: Sequence[Bind], hidden: Sequence[Path]) -> list[str]:
    options: list[str] = []
    for mask in masks(binds, hidden):
        if mask.is_folder:
            options += ["--tmpfs", str(mask.target), "--remount-ro", str(mask.target)]
        else:
            options += ["--ro-bind", os.devnull, str(mask.target)]
    return options


def _proc() -> list[str]:
    host = Path("/proc")
    options = ["--proc", str(host)]
    for name in _PROC_READ_ONLY:
        if (host / name).is_dir():
            options += ["--ro-bind", str(host / name), str(host / name)]
    for name in _PROC_EMPTY_FOLDERS:
        if (host / name).is_dir():
            options += ["--tmpfs", str(host / name), "--remount-ro", str(host / name)]
    for name in _PROC_EMPTY_FILES:
        if (host / name).exists():
            options += ["--ro-bind", os.devnull, str(host / name)]
    return options
