"""The validation server of one attempt, as the runner sees it: started, reached, ended, counted."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING

from audit.runner import relay, throttle, validation_server
from audit.runner.bounded_http import Patience
from audit.runner.call_log import COUNT_BYTES
from audit.runner.places import VALIDATION_SOCKET, Validation
from audit.runner.scratch import scratch_folder
from audit.runner.servers import Shared, listening, open_log, serving_beside
from detectors.record import MAX_VALIDATION_LOG_BYTES, VALIDATION_LOG

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator

    from audit.runner.sandbox import Sandbox
    from competitions.submission import SubmissionSchema

SCRIPT = "validate_submission.sh"
_MIN_MEMORY_BYTES = 2 << 30
_ALL_MEMORY_SHARE = 4


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
        count = stack.enter_context(tempfile.TemporaryFile())
        _lay_out(folder)
        listener, root = listening(kind, folder, VALIDATION_SOCKET)
        stack.enter_context(listener)
        log = open_log(attempt / VALIDATION_LOG)
        shared: Shared = {"listener": listener, "log": log, "count": count}
        settings = _settings(serving or Serving(), schema, prepared, folder)
        process = stack.enter_context(
            serving_beside(attempt, "validation server", settings, shared)
        )
        url = f"{root}/validate" if root else ""
        yield ValidationServer(Validation(folder, url), process, count)


def _lay_out(folder: Path) -> None:
    """Write what the agent runs: its side of the connection."""
    ours = Path(relay.__file__)
    shutil.copyfile(ours, folder / ours.name)
    shutil.copyfile(ours.parent / SCRIPT, folder / SCRIPT)
    (folder / SCRIPT).chmod(0o755)  # an installed package may have lost it


def _settings(
    serving: Serving, schema: SubmissionSchema, prepared: Path, folder: Path
) -> dict[str, object]:
    import psutil

    share = psutil.virtual_memory().total // _ALL_MEMORY_SHARE
    return {
        "server": validation_server.__name__,
        "folder": str(folder),
        "prepared": str(prepared.absolute()),
        "schema": schema.model_dump_json(),
        "memory_bytes": serving.memory_bytes or max(_MIN_MEMORY_BYTES, share),
        "throttle": {"burst": serving.burst, "every_s": serving.every_s},
        "patience": asdict(serving.patience),
    }
