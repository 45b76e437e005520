"""Checks one hostile file in a process of its own, with limits on memory and time."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import select
import signal
import sys
import time
import traceback
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

SECONDS = 30.0
BYTES_PER_S = 2 << 20  # a tenth of what an ordinary file takes; the odd shapes are the slow ones
_NICE = 10  # the agents that run are more important
MAX_SENTENCES = 100  # of an answer
MAX_SENTENCE = 1000  # characters
# What pandas' parser says when there is no memory; the file is not to blame.
_WITHOUT_MEMORY = ("out of memory", "Calling read(nbytes) on source failed")


@dataclass
class Checker:
    """Checks files against a task's rules, which say nothing about labels.

    Parameters
    ----------
    prepared : Path
        Its ``public/`` is read, nothing else.
    schema : str
        The rules, as JSON of `competitions.submission.SubmissionSchema`.
    memory_bytes : int
        Address space of one check.
    seconds : float
        Time of one check, beside what the file's size adds to it.
    """

    prepared: Path
    schema: str
    memory_bytes: int
    seconds: float = SECONDS

    def check(self, file: Path) -> tuple[str, ...] | None:
        """Return every problem of a file; None when the check failed or took too much.

        Numeric libraries are loaded when the first file comes.
        """
        import pandas as pd  # noqa: F401 - once, here, for all children

        import competitions.submission  # noqa: F401

        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            self._work(file, writer)
        os.close(writer)
        try:
            allowed = self.seconds + file.stat().st_size / BYTES_PER_S
            content = _read_until(reader, time.monotonic() + allowed)
        finally:
            os.close(reader)
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)  # it has told all, or takes too long
            os.waitpid(child, 0)
        return tuple(json.loads(content)) if content else None

    def _work(self, file: Path, writer: int) -> None:
        """Check in the child, which never returns."""
        try:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            _die_with_the_server()
            os.nice(_NICE)
            resource.setrlimit(resource.RLIMIT_AS, (self.memory_bytes, self.memory_bytes))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            from competitions.submission import SubmissionSchema, validate_file

            schema = SubmissionSchema.model_validate_json(self.schema)
            problems = validate_file(file, self.prepared, schema)
            if any(said in text for text in problems for said in _WITHOUT_MEMORY):
                raise MemoryError("; ".join(problems))
            told = json.dumps([text[:MAX_SENTENCE] for text in problems[:MAX_SENTENCES]]).encode()
            with os.fdopen(writer, "wb") as stream:
                stream.write(told)
        except Exception:  # noqa: BLE001 - the server goes on, and the attempt's log tells it
            traceback.print_exc(file=sys.stderr)
            sys.stderr.flush()
        finally:
            os._exit(0)


def _die_with_the_server() -> None:
    import ctypes

    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).prctl(1, signal.SIGKILL, 0, 0, 0)  # PR_SET_PDEATHSIG


def _read_until(reader: int, until: float) -> bytes | None:
    """Read to the end of a pipe; None when the time is over first."""
    parts: list[bytes] = []
    while True:
        left = until - time.monotonic()
        if left <= 0 or not select.select([reader], [], [], left)[0]:
            return None
        block = os.read(reader, 1 << 16)
        if not block:
            return b"".join(parts)
        parts.append(block)
