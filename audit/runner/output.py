"""The attempt's ``run.log``: the agent's output up to a cap, and what the runner has to say."""

from __future__ import annotations

import contextlib
import os
import threading
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING

from competitions.disk import size_text

if TYPE_CHECKING:
    from pathlib import Path

LOG_NAME = "run.log"
_BLOCK = 1 << 16
# An agent without a sandbox may have put a link or a pipe where the log is.
_APPEND = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK


def note(attempt: Path, text: str) -> None:
    """Add a line of ours to an attempt's log; where that is impossible, nothing happens."""
    with contextlib.suppress(OSError):
        descriptor = os.open(attempt / LOG_NAME, _APPEND, 0o644)
        try:
            os.write(descriptor, f"[mle-audit] {text}\n".encode("utf-8", "backslashreplace"))
        finally:
            os.close(descriptor)


@dataclass
class Capture:
    """Reads a stream to its end and keeps the first `cap` bytes in a file.

    What comes later, or cannot be written, is read and thrown away: a flooding agent neither fills
    the disk nor stands still, and a full disk does not stop one.

    Parameters
    ----------
    most : int or None
        How much may come at all.
    received : int
        Bytes that came.
    dropped : int
        Bytes that were not kept.
    problem : str or None
        Why the file could not be written.
    """

    stream: IO[bytes]
    path: Path
    cap: int
    most: int | None = None
    received: int = 0
    dropped: int = 0
    problem: str | None = None
    _thread: threading.Thread = field(init=False)

    def __post_init__(self) -> None:
        self._thread = threading.Thread(target=self._copy, name=LOG_NAME, daemon=True)
        self._thread.start()

    @property
    def is_too_much(self) -> bool:
        """Whether more came than may come."""
        return self.most is not None and self.received > self.most

    def _copy(self) -> None:
        kept, target = 0, -1
        try:
            target = os.open(self.path, _APPEND, 0o644)
        except OSError as error:
            self.problem = error.strerror
        source = self.stream.fileno()
        while block := os.read(source, _BLOCK):
            done = self._keep(target, block[: self.cap - kept]) if self.problem is None else 0
            kept += done
            self.received += len(block)
            self.dropped += len(block) - done
        if target >= 0:
            with contextlib.suppress(OSError):
                os.write(target, self._last_words().encode())
            os.close(target)

    def _keep(self, target: int, part: bytes) -> int:
        done = 0
        try:
            while done < len(part):
                done += os.write(target, part[done:])
        except OSError as error:
            self.problem = error.strerror
        return done

    def _last_words(self) -> str:
        if self.problem:
            words = f"{self.dropped} bytes of output were lost: {self.problem}."
        elif self.dropped:
            words = f"Output beyond {size_text(self.cap)} was not kept: {self.dropped} bytes more."
        else:
            words = ""
        if self.most is not None and self.is_too_much:
            words += f" It printed {self.received} bytes; {size_text(self.most)} were allowed."
        return f"\n[mle-audit] {words.strip()}\n" if words else ""

    def finish(self, patience_s: float = 5.0) -> None:
        """Wait for the end of the stream, which comes when the last holder of it is dead."""
        self._thread.join(patience_s)
        if not self._thread.is_alive():
            self.stream.close()
