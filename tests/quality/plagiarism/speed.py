"""Seconds and memory of all pairs of some notebooks, for us and the peers, one after the other."""

from __future__ import annotations

import json
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
    seconds : float
        From the start of its process to its end.
    converting_s : float
        What its users spend before: it reads no notebooks. Measured with our own reader, which
        is the least that a conversion can cost; nbconvert takes many times as long.
    """

    tool: str
    n_files: int
    seconds: float
    converting_s: float
    peak_bytes: int

    @property
    def total_s(self) -> float:
        """Seconds from notebooks to scores."""
        return self.seconds + self.converting_s


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
    started = time.perf_counter()
    for path in sorted(files.iterdir()):
        script = script_of(read_text(path.name, path.read_bytes()))
        (scripts / f"{path.stem}.py").write_text(script, encoding="utf-8")
    converting = time.perf_counter() - started
    yield _ours(files, len(found))
    for peer in peers(peers_folder) if peers_folder else ():
        started = time.perf_counter()
        run = peer.run([([str(p) for p in sorted(scripts.iterdir())], None)])
        seconds = time.perf_counter() - started
        yield Speed(peer.name, len(found), seconds, converting, run.peak_bytes)


def _ours(files: Path, n: int) -> Speed:
    started = time.perf_counter()
    done = subprocess.run(
        (sys.executable, "-m", "tests.quality.plagiarism.peers.run_ours", str(files)),
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=True,
    )
    seconds = time.perf_counter() - started
    return Speed("mle-audit", n, seconds, 0.0, json.loads(done.stdout)["peak"])
