"""A host with something to steal and to spoil: files, processes, sockets, shared objects."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import uuid
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import audit
import competitions
from audit.runner import devices
from tests.audit.runner.tiny import CANARY, alive, make_agent, make_task

if TYPE_CHECKING:
    from collections.abc import Iterator

    from audit.runner.agent import Agent
    from audit.runner.attempt import TaskData

PROBES = Path(__file__).parent / "probes"
START = """
export PYTHONPATH="$AGENT_DIR"
exec python -B -m tests.tamper.probes "$AGENT_DIR/targets.json"
"""
# A process as an attempt beside might be: it knows the secret and holds the answers open.
VICTIM = """
import ctypes, mmap, os, sys, time
space = ctypes.create_string_buffer(os.environ["SECRET"].encode().ljust(400, b"."))
file = open("answers.csv", "rb")
mapped = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
print(ctypes.addressof(space), file.fileno(), flush=True)
time.sleep(600)
"""


@dataclass
class Host:
    """What was planted.

    Parameters
    ----------
    root : Path
        Holds the data, the runs and the host's own files.
    targets : dict
        What the probes are told: all of it, so that no protection rests on not knowing.
    """

    root: Path
    task: TaskData
    targets: dict[str, Any] = field(default_factory=dict)

    @property
    def runs(self) -> Path:
        """Where attempts are made, another one's group among them."""
        return self.root / "runs"

    def agent(self, *, is_inside: bool) -> Agent:
        """Write the agent that runs all probes."""
        agent = make_agent(self.root / "agent", START, id="tamperer")
        for folder in ("tests", "tests/tamper"):
            (agent.folder / folder).mkdir()
            (agent.folder / folder / "__init__.py").touch()
        shutil.copytree(
            PROBES,
            agent.folder / "tests" / "tamper" / "probes",
            ignore=shutil.ignore_patterns("__pycache__"),
        )
        self.write_targets(agent.folder / "targets.json", is_inside=is_inside)
        return agent

    def write_targets(self, path: Path, *, is_inside: bool) -> None:
        """Write what the probes are told."""
        path.write_text(json.dumps(self.targets | {"is_inside": is_inside}))

    def marks(self, own: Path) -> set[str]:
        """Find what probes wrote on the host, by the words that they left in names and contents.

        Parameters
        ----------
        own : Path
            The attempt; what it left in its own three folders is its right.
        """
        allowed = [own / name for name in ("submission", "code", "logs")]
        allowed.append(self.root / "agent" / "tests")
        found: set[str] = set()
        for path in [*self.root.rglob("*"), *self._elsewhere()]:
            if any(path.is_relative_to(folder) for folder in allowed):
                continue
            found |= set(re.findall(r"tampered-([a-z0-9-]+)", path.name))
            if path.is_file() and not path.is_symlink():
                start = "^" if path == own / "run.log" else ""  # it tells of failures as well
                pattern = rf"(?m){start}tampered-([a-z0-9-]+)"
                found |= set(re.findall(pattern, path.read_text(errors="replace")))
        return found

    def _elsewhere(self) -> Iterator[Path]:
        interpreter = Path(self.targets["interpreter"])
        yield from interpreter.glob("lib/python*/site-packages/tampered*")
        yield from interpreter.glob("bin/tampered*")
        tmp = Path(self.targets["tmp"])
        yield from tmp.parent.glob(f"{tmp.name}.*")

    def survivors(self) -> set[str]:
        """Find the processes that probes left running."""
        word = self.targets["survivor"]
        lines = alive(word)
        return {part.removeprefix(f"{word}-") for line in lines for part in line if word in part}

    def clean(self) -> None:
        """Remove what probes left outside of the folder."""
        import psutil

        for path in self._elsewhere():
            path.unlink()
        for process in psutil.process_iter(["cmdline"]):
            if any(self.targets["survivor"] in part for part in process.info["cmdline"] or []):
                with contextlib.suppress(psutil.NoSuchProcess):
                    process.kill()


@contextlib.contextmanager
def planted(root: Path, interpreter: Path) -> Iterator[Host]:
    """Plant everything; nothing of it is left afterwards outside of the folder.

    Parameters
    ----------
    interpreter : Path
        The agent's, which attempts to come will use as well.
    """
    word = uuid.uuid4().hex[:12]
    task = make_task(root / "data")
    (task.public / "description.md").write_text("The task.\n")
    host = Host(root, task)
    host.targets |= {
        "canary": CANARY,
        "secret": f"secret-{word}",
        "survivor": f"survivor-{word}",
        "victim_word": f"victim-{word}",
        "planted_option": f"--option-{word}",
        "runner": os.getpid(),
        "devices": {
            name: [(status := Path("/dev", name).stat()).st_dev, status.st_ino]
            for name in devices.NAMES
        },
        "interpreter": str(interpreter),
    }
    with contextlib.ExitStack() as stack:
        stack.callback(host.clean)
        host.targets |= _files(root, word, stack)
        host.targets |= _victim(task.prepared / "private", host.targets, stack)
        host.targets |= _sockets(word, stack)
        host.targets |= _shared_objects(word, host.targets["secret"], stack)
        yield host


def _files(root: Path, word: str, stack: contextlib.ExitStack) -> dict[str, Any]:
    """Write files; most hold the canary."""
    data, host = root / "data" / "tiny-task", root / "host"
    neighbour = root / "runs" / "another-group" / "tiny-task_another"
    tmp = Path(tempfile.gettempdir()) / f"mle-audit-tamper-{word}"
    shm = Path("/dev/shm") / tmp.name  # noqa: S108 - the host's own
    secret = {
        "other_variant": data / "fixed" / "private" / "answers.csv",
        "raw": data / "raw" / "data.csv",
        "cache": root / "cache" / "downloads" / "data.csv",
        "pip_cache": host / "cache" / "pip" / "http" / "a",
        "compiled": host / "__pycache__" / "grade.cpython-311.pyc",
        "home": host / "home" / ".netrc",
        "code": neighbour / "code" / "main.py",
        "tmp": tmp,
        "dev_shm": shm,
    }
    for path in secret.values():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"id,y\n{CANARY},1\n")
    stack.callback(tmp.unlink, missing_ok=True)
    stack.callback(shm.unlink, missing_ok=True)
    group = neighbour.parent
    for path in (
        *(neighbour / name for name in ("attempt.json", "validation.jsonl", "logs/agent.log")),
        *(group / name for name in ("plan.json", "metadata.json", f".locks/{neighbour.name}")),
        *(host / name for name in ("file.txt", "grading_report.json", "units/x", "wheels/a.whl")),
    ):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}\n")
    checkout = Path(audit.__path__[0]).parent
    return {
        **{name: str(path) for name, path in secret.items()},
        "answers": str(data / "prepared" / "private" / "answers.csv"),
        "search": f"{root}/**/*.csv",
        "grader": str(Path(competitions.__path__[0]) / "grade.py"),
        "checkout": str(checkout),
        "site_packages": str(_site_packages()),
        "wheels": str(host / "wheels"),
        "neighbour": str(neighbour),
        "beside": f"../another-group/{neighbour.name}/code/main.py",
        "beside_lock": neighbour.name,
        "own_logs": f"{root}/runs/*/tiny-task_*/run.log",
        "report": str(host / "grading_report.json"),
        "host_file": str(host / "file.txt"),
        "user_units": str(host / "units"),
        "stop": f"{tmp}.stop",
        "tmp_root": tempfile.gettempdir(),
    }


def _site_packages() -> Path:
    import numpy as np

    return Path(np.__path__[0]).parent


def _victim(folder: Path, targets: dict[str, Any], stack: contextlib.ExitStack) -> dict[str, Any]:
    process = stack.enter_context(
        subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", VICTIM, targets["victim_word"]],
            cwd=folder,
            env={"SECRET": targets["secret"]},
            stdout=subprocess.PIPE,
            start_new_session=True,
            text=True,
        )
    )
    stack.callback(process.kill)
    assert process.stdout is not None
    address, descriptor = (int(part) for part in process.stdout.readline().split())
    return {
        "victim": process.pid,
        "victim_group": process.pid,
        "address": address,
        "victim_descriptor": descriptor,
    }


def _sockets(word: str, stack: contextlib.ExitStack) -> dict[str, Any]:
    """Open sockets that answer what they are told."""
    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="mle-audit-tamper-"))
    unix, abstract = f"{folder}/s.sock", f"mle-audit-tamper-{word}"
    for address in (unix, f"\0{abstract}", f"\0{abstract}-X0", f"{folder}/server.sock"):
        server = stack.enter_context(socket.socket(socket.AF_UNIX))
        server.bind(address)
        server.listen()
        _answer(server)
    tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
    _answer(tcp)
    udp = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
    udp.bind(("127.0.0.1", 0))
    threading.Thread(target=_echo, args=(udp,), daemon=True).start()
    port6 = 0
    with contextlib.suppress(OSError):
        tcp6 = stack.enter_context(socket.create_server(("::1", 0), family=socket.AF_INET6))
        _answer(tcp6)
        port6 = tcp6.getsockname()[1]
    ours, theirs = os.openpty()
    stack.callback(os.close, ours)
    stack.callback(os.close, theirs)
    return {
        "unix": unix,
        "abstract": abstract,
        "server_socket": f"{folder}/server.sock",
        "server_folder": folder,
        "tcp": tcp.getsockname()[1],
        "tcp6": port6,
        "udp": udp.getsockname()[1],
        "terminal": os.ttyname(theirs),
    }


def _answer(server: socket.socket) -> None:
    def serve() -> None:
        with contextlib.suppress(OSError):
            while True:
                with server.accept()[0] as client:
                    client.settimeout(5)
                    client.sendall(client.recv(512))

    threading.Thread(target=serve, daemon=True).start()


def _echo(server: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while True:
            content, whence = server.recvfrom(512)
            server.sendto(content, whence)


def _shared_objects(word: str, secret: str, stack: contextlib.ExitStack) -> dict[str, Any]:
    """Make a segment of memory with the secret, semaphores and queues."""
    libc = ctypes.CDLL(None, use_errno=True)
    key = int(word[:7], 16)
    create = 0o1000 | 0o600
    segment = libc.shmget(key, 4096, create)
    semaphores, messages = libc.semget(key, 1, create), libc.msgget(key, create)
    assert min(segment, semaphores, messages) >= 0
    stack.callback(libc.shmctl, segment, 0, None)  # 0 is IPC_RMID
    stack.callback(libc.semctl, semaphores, 0, 0)
    stack.callback(libc.msgctl, messages, 0, None)
    libc.shmat.restype = ctypes.c_void_p
    address = libc.shmat(segment, None, 0)
    ctypes.memmove(address, secret.encode(), len(secret))
    libc.shmdt(ctypes.c_void_p(address))
    name = f"mle-audit-tamper-{word}"
    queue = libc.mq_open(f"/{name}".encode(), os.O_CREAT | os.O_RDWR, 0o600, None)
    if queue < 0:
        return {"shm_key": key}
    stack.callback(libc.mq_unlink, f"/{name}".encode())
    stack.callback(os.close, queue)
    return {"shm_key": key, "mqueue": name}
