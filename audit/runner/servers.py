"""Servers that run beside an attempt, outside its sandbox: started, reached, ended."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING

from audit.runner import server_process
from audit.runner.output import note

if TYPE_CHECKING:
    from collections.abc import Iterator

    from audit.runner.sandbox import Sandbox

Shared = Mapping[str, socket.socket | IO[bytes]]
_WAITING = 16  # connections in the queue: as many slow ones delay an honest one by 80 s at most
_MAX_TOLD = 8000  # characters of faults that are written to the attempt's log
_APPEND = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK


def listening(kind: Sandbox, folder: Path, name: str) -> tuple[socket.socket, str]:
    """Listen where an attempt can reach it.

    Parameters
    ----------
    kind : {"bubblewrap", "none"}
        A sandbox is reached through a socket file, an unprotected agent through a port.
    folder : Path
        Where the socket file is made.
    name : str
        Its name.

    Returns
    -------
    socket and str
        The second is the address with its port, or nothing for a socket file.
    """
    if kind == "none":
        server = socket.create_server(("127.0.0.1", 0), backlog=_WAITING)
        return server, f"http://127.0.0.1:{server.getsockname()[1]}"
    server = socket.socket(socket.AF_UNIX)
    opened = os.open(folder, os.O_PATH | os.O_DIRECTORY)
    try:  # the name of a socket has 107 bytes at most, that of a folder any number
        server.bind(f"/proc/self/fd/{opened}/{name}")
    finally:
        os.close(opened)
    server.listen(_WAITING)
    return server, ""


def open_log(path: Path) -> IO[bytes]:
    """Open a server's log for appending; a link in its place is not followed."""
    return open(os.open(path, _APPEND, 0o644), "ab", buffering=0)  # noqa: PTH123


@contextlib.contextmanager
def serving_beside(
    attempt: Path,
    what: str,
    settings: Mapping[str, object],
    shared: Shared,
    environment: Mapping[str, str] | None = None,
    last_words_s: float = 0.0,
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a server during the block; it is gone after it, and when this process is killed.

    It listens before the block begins and comes to life beside it, so that nobody waits for it.

    Parameters
    ----------
    attempt : Path
        What it says of faults of its own is noted in the attempt's log.
    what : str
        What it is called there.
    settings : mapping
        Handed to the function ``serve`` of the module that ``server`` names. ``folder`` is removed
        when this process dies.
    shared : mapping
        Open files that it gets, by the name of their setting. The listener and the log are closed
        here once it has them.
    environment : mapping, optional
        All of its environment, beside threads and language.
    last_words_s : float
        How long it may take to end by itself before it is killed.

    Raises
    ------
    OSError
        When no process can be made.
    """
    with contextlib.ExitStack() as ours, tempfile.TemporaryFile() as told:
        for name in ("listener", "log"):
            ours.enter_context(shared[name])
        numbers = {name: file.fileno() for name, file in shared.items()}
        process = _start({**settings, **numbers}, tuple(numbers.values()), told, environment or {})
        ours.close()
        try:
            yield process
        finally:
            _end(process, last_words_s)
            told.seek(0)
            if fault := told.read(_MAX_TOLD).decode(errors="replace").strip():
                note(attempt, f"The {what} failed:\n{fault}")


def _start(
    settings: dict[str, object],
    shared: tuple[int, ...],
    told: IO[bytes],
    environment: Mapping[str, str],
) -> subprocess.Popen[bytes]:
    """Start a server by a bare interpreter; it gets nothing of our environment."""
    process = subprocess.Popen(  # noqa: S603 - our own script
        [sys.executable, "-I", "-S", "-B", server_process.__file__],
        env={"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "LANG": "C.UTF-8", **environment},
        cwd="/",
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=told,
        pass_fds=shared,
        start_new_session=True,
    )
    assert process.stdin is not None  # noqa: S101 - it was asked for
    own = {
        "path": [str(Path(p).absolute()) for p in sys.path],
        "parent": os.getpid(),
        "started": time.monotonic(),
    }
    with contextlib.suppress(BrokenPipeError), process.stdin as stream:
        stream.write(json.dumps(settings | own).encode())
    return process


def _end(process: subprocess.Popen[bytes], last_words_s: float) -> None:
    """Kill it: what it wrote is written, and its folder is ours to remove."""
    if last_words_s:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(last_words_s)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
