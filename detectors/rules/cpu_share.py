"""How many cores worked, by processor time against the clock, and by what pools of workers tell."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

LEAST_S = 5.0  # of the clock, under which the ticks of both are too coarse
_SURE = 0.95  # what rounding may take
_HINT = re.compile(r"\bCPU\b|^real\s|\delapsed|%CPU", re.MULTILINE)
_MINUTES = r"(?P<{0}>\d+)m(?P<{0}s>[\d.]+)s"
_SHELL = re.compile(
    rf"^real\s+{_MINUTES.format('r')}\s+user\s+{_MINUTES.format('u')}\s+"
    rf"sys\s+{_MINUTES.format('k')}",
    re.MULTILINE,
)
_PERCENT = re.compile(r"\bPercent of CPU this job got: (?P<n>\d{3,6})%")
_GNU = re.compile(
    r"\b(?P<user>\d+\.\d+)user (?P<sys>\d+\.\d+)system "
    r"(?:(?P<h>\d+):)?(?P<m>\d+):(?P<s>\d+(?:\.\d+)?)elapsed"
)
_JUPYTER = re.compile(
    r"\bCPU times: [^\n]*\btotal: (?P<total>[\w .]+)\n\s*Wall time: (?P<wall>[\w .]+)"
)
_PARTS = re.compile(r"(\d+(?:\.\d+)?) ?(d|h|min|m|s)\b")
_SECONDS = {"d": 86_400.0, "h": 3600.0, "min": 60.0, "m": 60.0, "s": 1.0}
_RAY = re.compile(r"[\"']CPU[\"']: (?P<n>\d{1,5})(?:\.0)?\b")
_DASK = re.compile(r"<Client: '[^']*' processes=\d+ threads=(?P<n>\d{1,5})\b")
_OF_ITSELF = re.compile(r"\bClient\(\s*(?:LocalCluster\(\s*\))?\s*\)")


def cores_worked(text: str) -> Iterator[int]:
    r"""Yield how many cores must have worked at the least, by what measured processor time.

    Examples
    --------
    >>> list(cores_worked("real\t10m2.0s\nuser\t402m40.0s\nsys\t3m1.2s"))
    [38]
    >>> list(cores_worked("real\t0m0.1s\nuser\t0m2.9s\nsys\t0m1.2s"))
    []
    """
    if not _HINT.search(text):
        return
    for one in _SHELL.finditer(text):
        clock, user, system = (int(one[k]) * 60 + _seconds_of(one[f"{k}s"]) for k in "ruk")
        yield from _cores(user + system, clock)
    for one in _GNU.finditer(text):
        clock = int(one["h"] or 0) * 3600.0 + int(one["m"]) * 60 + float(one["s"])
        yield from _cores(float(one["user"]) + float(one["sys"]), clock)
    for one in _JUPYTER.finditer(text):
        total, clock = (
            sum(float(n) * _SECONDS[u] for n, u in _PARTS.findall(one[k]))
            for k in ("total", "wall")
        )
        yield from _cores(total, clock)
    for one in _PERCENT.finditer(text):
        yield int(int(one["n"]) * _SURE) // 100
    yield from _by_top(text)


def cores_of_pools(asked: str, text: str) -> Iterator[int]:
    """Yield the cores that a pool of workers found by itself; one that was told how many, none."""
    if re.search(r"\bray\b", asked) and "num_cpus" not in asked:
        yield from (int(m["n"]) for m in _RAY.finditer(text))
    if _OF_ITSELF.search(asked):
        yield from (int(m["n"]) for m in _DASK.finditer(text))


def _cores(spent: float, clock: float) -> Iterator[int]:
    if clock >= LEAST_S:
        yield int(spent / clock * _SURE)


def _seconds_of(text: str) -> float:
    return float(text) if re.fullmatch(r"\d+(?:\.\d+)?", text) else 0.0


def _by_top(text: str) -> Iterator[int]:
    """Read the share of single processes in the table of top; 100 % is one core."""
    at, width = -1, 0
    for line in text.split("\n"):
        words = line.split()
        if "%CPU" in words and "COMMAND" in words and "TIME+" in words:
            at, width = words.index("%CPU"), len(words)
        elif at >= 0 and len(words) >= width and re.fullmatch(r"\d+(?:\.\d+)?", words[at]):
            yield int(float(words[at]) * _SURE) // 100
