"""The log of one attempt's validation calls, written where the agent cannot reach it."""

from __future__ import annotations

import contextlib
import json
import os
import time
from datetime import UTC, datetime

COUNT_BYTES = 8


class CallLog:
    """Writes each call as a line of ``validation.jsonl`` and counts them all.

    Parameters
    ----------
    log, count : int
        Open files. The number of calls is the content of the second one, in eight bytes, so that it
        is known also when this process was killed.
    started : float
        When the attempt started, on the monotonic clock.
    """

    def __init__(self, log: int, count: int, started: float, most_bytes: int) -> None:
        self.log, self.count, self.started = log, count, started
        self.left = most_bytes - os.fstat(log).st_size
        self.calls = 0

    def write(
        self, result: str, size: int = 0, digest: str | None = None, problems: int = 0
    ) -> None:
        """Write one call, as `detectors.attempt.ValidationCall` reads it."""
        self.calls += 1
        line = {
            "at": datetime.now(UTC).isoformat(),  # noqa: TID251 - this process is the edge
            "after_s": round(time.monotonic() - self.started, 3),
            "result": result,
            "bytes": size,
            "sha256": digest,
            "problems": problems,
        }
        content = (json.dumps(line) + "\n").encode()
        with contextlib.suppress(OSError):  # a full disk loses lines, never the count
            os.pwrite(self.count, self.calls.to_bytes(COUNT_BYTES, "little"), 0)
            if len(content) <= self.left:
                self.left -= os.write(self.log, content)
