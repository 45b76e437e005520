"""How fast logs of each format are read, against reading the same bytes line by line."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from detectors.attempt import Attempt
from detectors.trajectories.events import events, recognised
from tests.detectors.trajectories.stories import LONG

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SIZE = 4 << 20  # bytes of each log
ATTEMPTS = 200
MEBI = 1 << 20


def log_rates() -> Iterator[tuple[str, float, float]]:
    """Yield per format its name, MB/s of reading its events, and MB/s of reading its lines."""
    for made in LONG:
        with tempfile.TemporaryDirectory() as name:
            attempt = Path(name) / "toy_1"
            (attempt / "logs").mkdir(parents=True)
            content = made.of_size(SIZE)
            (attempt / "logs" / made.name).write_bytes(content)
            log = Attempt(attempt).logs[0]
            if recognised(log) != made.format:
                raise RuntimeError(f"{made.name} is read as {recognised(log)}")
            size = len(content) / MEBI
            ours = _seconds(lambda a=attempt: sum(1 for _ in events(Attempt(a).logs)))  # type: ignore[misc]
            floor = _seconds(lambda c=content: sum(len(x) for x in c.decode().split("\n")))  # type: ignore[misc]
            yield made.format, size / ours, size / floor


def attempts_rate() -> float:
    """Return how many attempts a second give their events, of small logs in all formats."""
    with tempfile.TemporaryDirectory() as name:
        paths = [Path(name) / f"toy_{i}" for i in range(ATTEMPTS)]
        for number, path in enumerate(paths):
            (path / "logs").mkdir(parents=True)
            made = LONG[number % len(LONG)]
            (path / "logs" / made.name).write_bytes(made.of_size(20_000))
        spent = _seconds(lambda: [sum(1 for _ in events(Attempt(p).logs)) for p in paths])
    return ATTEMPTS / spent


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
