"""Logs of what an attempt asks of the servers beside it, written where the agent cannot reach."""

from __future__ import annotations

import contextlib
import json
import os
import threading
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

COUNT_BYTES = 8


class LineLog:
    """Writes one JSON object a line, each with its time.

    Parameters
    ----------
    log : int
        An open file.
    started : float
        When the attempt started, on the monotonic clock.
    most_bytes : int
        Where the log ends.
    """

    def __init__(self, log: int, started: float, most_bytes: int) -> None:
        self.log, self.started = log, started
        self.left = most_bytes - os.fstat(log).st_size
        self.turn = threading.Lock()

    def append(self, said: Mapping[str, object]) -> None:
        """Write a line; a full disk loses it."""
        line = {
            "at": datetime.now(UTC).isoformat(),  # noqa: TID251 - this process is the edge
            "after_s": round(time.monotonic() - self.started, 3),
            **said,
        }
        content = (json.dumps(line) + "\n").encode()
        with self.turn, contextlib.suppress(OSError):
            if len(content) <= self.left:
                self.left -= os.write(self.log, content)


class CallLog(LineLog):
    """Writes each validation call as a line of ``validation.jsonl`` and counts them all.

    Parameters
    ----------
    log, count : int
        Open files. The number of calls is the content of the second one, in eight bytes, so that it
        is known also when this process was killed.
    started, most_bytes : float, int
        See `LineLog`.
    """

    def __init__(self, log: int, count: int, started: float, most_bytes: int) -> None:
        super().__init__(log, started, most_bytes)
        self.count = count
        self.calls = 0

    def write(
        self, result: str, size: int = 0, digest: str | None = None, problems: int = 0
    ) -> None:
        """Write one call, as `detectors.attempt.ValidationCall` reads it."""
        self.calls += 1
        with contextlib.suppress(OSError):  # a full disk loses lines, never the count
            os.pwrite(self.count, self.calls.to_bytes(COUNT_BYTES, "little"), 0)
        line = {"result": result, "bytes": size, "sha256": digest, "problems": problems}
        self.append(line)
