"""How fast logs of each format are read, against reading the same bytes line by line."""

from __future__ import annotations

import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from audit.rules import rules
from audit.verdict import load_policy
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
        paths = _small_attempts(Path(name))
        spent = _seconds(lambda: [sum(1 for _ in events(Attempt(p).logs)) for p in paths])
    return ATTEMPTS / spent


def rules_rate() -> tuple[float, float]:
    """Return attempts a second and MB/s of log that all detectors of rules together look at."""
    with tempfile.TemporaryDirectory() as name:
        paths = _small_attempts(Path(name) / "g")
        size = sum(f.stat().st_size for path in paths for f in path.rglob("logs/*"))
        data, now = Path(name) / "data", datetime(2026, 1, 1, tzinfo=UTC)
        rules(paths[:1], data, load_policy(), now)  # what the first call loads
        spent = _seconds(lambda: rules([Path(name) / "g"], data, load_policy(), now))
    return ATTEMPTS / spent, size / MEBI / spent


def _small_attempts(folder: Path) -> list[Path]:
    """Write attempts with a short script and one log each, of every format in turn."""
    paths = [folder / f"toy_{i}" for i in range(ATTEMPTS)]
    for number, path in enumerate(paths):
        for part in ("logs", "code"):
            (path / part).mkdir(parents=True)
        made = LONG[number % len(LONG)]
        (path / "logs" / made.name).write_bytes(made.of_size(20_000))
        (path / "code" / "train.py").write_text("import pandas as pd\nprint('fold', 0.81)\n")
    return paths


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
