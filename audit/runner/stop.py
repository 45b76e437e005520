"""Ctrl-C, SIGTERM and SIGHUP: the group ends in order, in every process that works for it.

The first signal is only noted. Whoever runs an attempt looks at the note several times a second,
ends the agent and writes the record; then the group ends. A second Ctrl-C interrupts at once.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from audit.runner.scratch import scratch_folder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_DEFAULT = (signal.SIG_DFL, signal.default_int_handler)
_IMPATIENT_S = 0.5


@dataclass(frozen=True)
class Stop:
    """A note that workers share: a file of one byte, the number of the signal that came.

    The byte is there from the start, so that it can be rewritten on a full disk.

    Parameters
    ----------
    pid : int
        The process that runs the group.
    """

    path: Path
    pid: int

    def reason(self) -> str | None:
        """Say in words why the group must end, or None."""
        with contextlib.suppress(OSError):
            content = self.path.read_bytes()
            if content[:1].strip(b"\x00"):
                number = signal.Signals(content[0])
                if number == signal.SIGINT:
                    return "interrupted by the user"
                return f"the runner was told to end ({number.name})"
        return None

    def request(self, number: int) -> None:
        """Note a signal; the first one counts."""
        if self.reason() is None:
            with contextlib.suppress(OSError):
                descriptor = os.open(self.path, os.O_WRONLY)
                os.write(descriptor, bytes([number]))
                os.close(descriptor)

    @contextlib.contextmanager
    def listening(self) -> Iterator[None]:
        """Note signals during the block; without effect elsewhere than in the main thread."""
        former = self._listen()
        try:
            yield
        finally:
            for number, handler in former.items():
                signal.signal(number, handler)

    def listen_in_worker(self) -> None:
        """Note signals from now on in a worker process; an idle one must not break the group."""
        if os.getpid() != self.pid:
            self._listen()

    def _listen(self) -> dict[signal.Signals, Any]:
        """Return the handlers that were replaced.

        Signals that are ignored (as under nohup) or handled by somebody else are left alone.
        """
        if threading.current_thread() is not threading.main_thread():
            return {}
        handlers = {number: signal.getsignal(number) for number in _SIGNALS}
        former = {n: h for n, h in handlers.items() if h in _DEFAULT or isinstance(h, _Heard)}
        for number in former:
            signal.signal(number, _Heard(self))
        return former


class _Heard:
    """A signal's handler that notes it."""

    def __init__(self, stop: Stop) -> None:
        self.stop = stop
        self.first: float | None = None

    def __call__(self, number: int, _frame: FrameType | None) -> None:
        now = time.monotonic()
        self.first = self.first or now
        self.stop.request(number)
        # Wrappers such as timeout(1) send each signal twice; a person takes longer.
        is_ours = os.getpid() == self.stop.pid
        if is_ours and number == signal.SIGINT and now - self.first > _IMPATIENT_S:
            raise KeyboardInterrupt


@contextlib.contextmanager
def stoppable() -> Iterator[Stop]:
    """Give the note of one group; it is gone afterwards, and so are those of killed runners."""
    with scratch_folder("stop") as folder:
        path = folder / "note"
        path.write_bytes(b"\x00")
        yield Stop(path, os.getpid())
