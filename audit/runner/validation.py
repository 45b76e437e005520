"""The validation server of one attempt, as the runner sees it: started, reached, ended, counted."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING

from audit.runner import relay, throttle, validation_process
from audit.runner.call_log import COUNT_BYTES
from audit.runner.output import note
from audit.runner.places import VALIDATION_SOCKET, Validation
from audit.runner.scratch import scratch_folder
from audit.runner.validation_server import Patience
from detectors.attempt import MAX_VALIDATION_LOG_BYTES, VALIDATION_LOG

if TYPE_CHECKING:
    from collections.abc import Iterator

    from audit.runner.sandbox import Sandbox
    from competitions.submission import SubmissionSchema

SCRIPT = "validate_submission.sh"
_WAITING = 16  # connections in the queue: as many slow ones delay an honest one by 80 s at most
_MIN_MEMORY_BYTES = 2 << 30
_ALL_MEMORY_SHARE = 4
_MAX_TOLD = 8000  # characters of faults that are written to the attempt's log
_APPEND = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK


@dataclass(frozen=True)
class Serving:
    """How a validation server is to serve; the defaults are for attempts, others for tests.

    Parameters
    ----------
    burst, every_s : int, float
        See `audit.runner.throttle.TokenBucket`.
    memory_bytes : int or None
        Address space of one check; None is a quarter of the machine's memory, at least 2 GiB.
    """

    burst: int = throttle.BURST
    every_s: float = throttle.EVERY_S
    patience: Patience = field(default_factory=lambda: Patience(log_bytes=MAX_VALIDATION_LOG_BYTES))
    memory_bytes: int | None = None


@dataclass
class ValidationServer:
    """A server that runs, or ran.

    Parameters
    ----------
    reached : Validation
        How the agent reaches it.
    count : binary file
        Holds the number of calls, in eight bytes.
    """

    reached: Validation
    process: subprocess.Popen[bytes]
    count: IO[bytes]

    @property
    def calls(self) -> int:
        """How many calls were made so far, those that were refused or throttled included."""
        return int.from_bytes(os.pread(self.count.fileno(), COUNT_BYTES, 0), "little")


@contextlib.contextmanager
def validating(
    kind: Sandbox,
    schema: SubmissionSchema,
    prepared: Path,
    attempt: Path,
    serving: Serving | None = None,
) -> Iterator[ValidationServer]:
    """Serve one attempt's questions whether a submission's form is right, during the block.

    The server listens before the block begins and comes to life beside it, so that nobody waits for
    it. It is gone after the block, and when this process is killed. Its calls are written to
    ``validation.jsonl`` in the attempt's folder, which does not exist inside the sandbox.

    Parameters
    ----------
    kind : {"bubblewrap", "none"}
        A sandbox is reached through a socket file, an unprotected agent through a port.
    schema : SubmissionSchema
        The task's rules.
    prepared : Path
        Its ``public/`` is read; ``private/`` need not exist.
    attempt : Path
        The attempt's folder.

    Raises
    ------
    OSError
        When no process, file or socket can be made.
    """
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(scratch_folder("validation"))
        count, told = (stack.enter_context(tempfile.TemporaryFile()) for _ in range(2))
        _lay_out(folder)
        listener, url = _listen(kind, folder)
        log = os.open(attempt / VALIDATION_LOG, _APPEND, 0o644)
        try:
            shared = (listener.fileno(), log, count.fileno())
            settings = _settings(serving or Serving(), schema, prepared, folder)
            settings |= dict(zip(("listener", "log", "count"), shared, strict=True))
            process = _start(settings, shared, told)
        finally:
            os.close(log)
            listener.close()
        try:
            yield ValidationServer(Validation(folder, url), process, count)
        finally:
            _end(process)
            told.seek(0)
            if fault := told.read(_MAX_TOLD).decode(errors="replace").strip():
                note(attempt, f"The validation server failed:\n{fault}")


def _lay_out(folder: Path) -> None:
    """Write what the agent runs: its side of the connection."""
    ours = Path(relay.__file__)
    shutil.copyfile(ours, folder / ours.name)
    shutil.copyfile(ours.parent / SCRIPT, folder / SCRIPT)
    (folder / SCRIPT).chmod(0o755)  # an installed package may have lost it


def _listen(kind: Sandbox, folder: Path) -> tuple[socket.socket, str]:
    if kind == "none":
        server = socket.create_server(("127.0.0.1", 0), backlog=_WAITING)
        return server, f"http://127.0.0.1:{server.getsockname()[1]}/validate"
    server = socket.socket(socket.AF_UNIX)
    opened = os.open(folder, os.O_PATH | os.O_DIRECTORY)
    try:  # the name of a socket has 107 bytes at most, that of a folder any number
        server.bind(f"/proc/self/fd/{opened}/{VALIDATION_SOCKET}")
    finally:
        os.close(opened)
    server.listen(_WAITING)
    return server, ""


def _settings(
    serving: Serving, schema: SubmissionSchema, prepared: Path, folder: Path
) -> dict[str, object]:
    import psutil

    share = psutil.virtual_memory().total // _ALL_MEMORY_SHARE
    return {
        "path": [str(Path(p).absolute()) for p in sys.path],
        "parent": os.getpid(),
        "started": time.monotonic(),
        "folder": str(folder),
        "prepared": str(prepared.absolute()),
        "schema": schema.model_dump_json(),
        "memory_bytes": serving.memory_bytes or max(_MIN_MEMORY_BYTES, share),
        "throttle": {"burst": serving.burst, "every_s": serving.every_s},
        "patience": asdict(serving.patience),
    }


def _start(
    settings: dict[str, object], shared: tuple[int, ...], told: IO[bytes]
) -> subprocess.Popen[bytes]:
    """Start the server by a bare interpreter; it gets nothing of our environment."""
    process = subprocess.Popen(  # noqa: S603 - our own script
        [sys.executable, "-I", "-S", "-B", validation_process.__file__],
        env={"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "LANG": "C.UTF-8"},
        cwd="/",
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=told,
        pass_fds=shared,
        start_new_session=True,
    )
    assert process.stdin is not None  # noqa: S101 - it was asked for
    with contextlib.suppress(BrokenPipeError), process.stdin as stream:
        stream.write(json.dumps(settings).encode())
    return process


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill it: what it wrote is written, and its folder is ours to remove."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
