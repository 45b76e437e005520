"""What an attempt may use, and how people write it on a command line."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from competitions.disk import size_text
from competitions.errors import UsageError

_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}
_BYTES = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
# Beyond any machine and any patience; kernels and clocks overflow somewhere above.
MAX_BYTES = 1 << 50
MAX_WALL_CLOCK_S = 3650 * 86400
MAX_PROCESSES = 1 << 22  # the most that Linux can number
MAX_ATTEMPTS = 100_000  # of one group; a plan with more could not be read again
MIN_PROCESSES = 16  # a shell, the sandbox and a numeric library are there before any work is

DEFAULT_PROCESSES = 4096
DEFAULT_DISK_BYTES = 20 << 30
DEFAULT_OUTPUT_BYTES = 1 << 30


@dataclass(frozen=True)
class Limits:
    """What one attempt may use.

    Parameters
    ----------
    wall_clock_s : float
        Seconds until the whole process tree is killed.
    memory_bytes : int or None
        Memory of the whole process tree together; None means no limit.
    threads : int
        What the thread settings of numeric libraries are set to. Advice, not a limit.
    log_bytes : int
        How much of the agent's output is kept in ``run.log``.
    processes : int or None
        Processes and threads at once; None means no limit.
    disk_bytes : int or None
        What the folders it may write to may hold together; None means no limit.
    output_bytes : int or None
        How much it may print before it is ended; None means no limit.
    """

    wall_clock_s: float
    memory_bytes: int | None = None
    threads: int = 1
    log_bytes: int = 64 << 20
    processes: int | None = None
    disk_bytes: int | None = None
    output_bytes: int | None = None

    def __post_init__(self) -> None:
        if self.wall_clock_s <= 0:
            raise UsageError(f"The time limit must be above 0 s, found {self.wall_clock_s:g}.")
        if self.wall_clock_s > MAX_WALL_CLOCK_S:
            raise UsageError(
                f"The time limit must be at most 3650 days, found {self.wall_clock_s:g} s."
            )
        _check_size("memory", self.memory_bytes, "8M", "--memory 2G")
        _check_size("disk", self.disk_bytes, "1M", "--disk 20G")
        _check_size("output", self.output_bytes, "1K", "--output-limit 1G")
        if self.log_bytes < 0:
            raise UsageError(f"The log cannot hold {self.log_bytes} bytes.")
        if self.threads < 1:
            raise UsageError(f"An attempt needs at least 1 thread, found {self.threads}.")
        if self.processes is not None and not MIN_PROCESSES <= self.processes <= MAX_PROCESSES:
            raise UsageError(
                f"The limit of processes and threads must be at least {MIN_PROCESSES} and at most "
                f"{MAX_PROCESSES}, found {self.processes}.",
                f"Write for example: --processes {DEFAULT_PROCESSES}",
            )


def parse_duration(text: str) -> float:
    """Read seconds from ``90``, ``90s``, ``10m``, ``1h30m`` or ``2d``.

    Raises
    ------
    UsageError
        When the text is no duration above zero.

    Examples
    --------
    >>> parse_duration("10m")
    600.0
    """
    return _parse(text, _SECONDS, "a time such as 600, 10m, 1h30m or 24h")


def parse_size(text: str) -> int:
    """Read bytes from ``500M``, ``2G`` or ``2GiB``; the units are powers of 1024.

    Raises
    ------
    UsageError
        When the text is no size above zero.

    Examples
    --------
    >>> parse_size("2G")
    2147483648
    """
    plain = re.sub(r"(?i)(?<=[kmgt])i?b$", "", text.strip())
    return int(_parse(plain, _BYTES, "a size such as 500M or 2G", found=text))


def _check_size(what: str, size: int | None, least: str, example: str) -> None:
    if size is None or parse_size(least) <= size <= MAX_BYTES:
        return
    bound = f"most {size_text(MAX_BYTES)}" if size > MAX_BYTES else f"least {least}"
    raise UsageError(
        f"The {what} limit must be at {bound}, found {size} bytes.",
        f"Write for example: {example}",
    )


def _parse(text: str, units: dict[str, int], wanted: str, found: str | None = None) -> float:
    plain = text.strip().lower()
    parts = re.findall(r"(\d+(?:\.\d+)?)\s*([a-z]?)", plain)
    is_whole = "".join(f"{number}{unit}" for number, unit in parts) == re.sub(r"\s", "", plain)
    names = [unit for _, unit in parts]
    # 1h30m is a time; 1h30 and 5m5m are slips.
    is_known = set(names) <= units.keys() and len(set(names)) == len(names)
    is_one = len(parts) == 1 or (len(parts) > 1 and units is _SECONDS and "" not in names)
    value = sum(float(number) * units[unit] for number, unit in parts) if is_known else 0.0
    if not (is_whole and is_one and 0 < value < math.inf):
        raise UsageError(f"Expected {wanted}, found {found or text!r}.")
    return value
