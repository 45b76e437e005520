"""Seconds and memory of all pairs of some notebooks, for us and the peers, one after the other."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tests.quality.plagiarism.labels import hashed
from tests.quality.plagiarism.sources import read_text, script_of
from tests.quality.plagiarism.tools import TIMEOUT_S, peers

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[3]


class Speed(NamedTuple):
    """One tool over all pairs.

    Parameters
    ----------
    seconds, cpu_s : float
        From the start of its process to its end; CPU seconds do not grow with what else is run.
    converting_s : float
        What its users spend before: it reads no notebooks. Measured with our own reader, which
        is the least that a conversion can cost; nbconvert takes many times as long. CPU seconds.
    """

    tool: str
    n_files: int
    seconds: float
    cpu_s: float
    converting_s: float
    peak_bytes: int

    @property
    def total_s(self) -> float:
        """Seconds from notebooks to scores."""
        return self.seconds + self.converting_s

    @property
    def total_cpu_s(self) -> float:
        """CPU seconds from notebooks to scores."""
        return self.cpu_s + self.converting_s


def measure_speed(
    notebooks: Path, work: Path, n: int, peers_folder: Path | None
) -> Iterator[Speed]:
    """Time each tool on the same `n` notebooks, chosen by a hash of their names."""
    found = sorted(notebooks.rglob("*.ipynb"), key=lambda p: hashed(0, "speed", p.name))[:n]
    files, scripts = work / "notebooks", work / "scripts"
    files.mkdir(parents=True)
    scripts.mkdir()
    for path in found:
        (files / path.name).write_bytes(path.read_bytes())
    started = time.process_time()
    for path in sorted(files.iterdir()):
        script = script_of(read_text(path.name, path.read_bytes()))
        (scripts / f"{path.stem}.py").write_text(script, encoding="utf-8")
    converting = time.process_time() - started
    yield _ours(files, len(found))
    for peer in peers(peers_folder) if peers_folder else ():
        started, before = time.perf_counter(), _cpu_of_children()
        run = peer.run([([str(p) for p in sorted(scripts.iterdir())], None)])
        seconds, cpu = time.perf_counter() - started, _cpu_of_children() - before
        yield Speed(peer.name, len(found), seconds, cpu, converting, run.peak_bytes)


def _cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _ours(files: Path, n: int) -> Speed:
    started, before = time.perf_counter(), _cpu_of_children()
    done = subprocess.run(
        (sys.executable, "-m", "tests.quality.plagiarism.peers.run_ours", str(files)),
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=True,
    )
    seconds, cpu = time.perf_counter() - started, _cpu_of_children() - before
    return Speed("mle-audit", n, seconds, cpu, 0.0, json.loads(done.stdout)["peak"])
