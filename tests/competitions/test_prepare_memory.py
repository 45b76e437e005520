"""How much memory preparing a large table takes, as a multiple of the file's size."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd  # noqa: TID253
import pytest

ROOT = Path(__file__).parents[2]
ROWS, NUMBERS = 2_000_000, 6
PREPARE = r"""
import re, sys
from pathlib import Path
from competitions import spec, streamed
from competitions.prepare import prepare

raw, data_dir = map(Path, sys.argv[1:3])
if sys.argv[3:]:
    streamed.LEAST, streamed.CHUNK = 0, int(sys.argv[3])
task = spec.load("breast-cancer")
source = task.source.model_copy(update={"kind": "local"})
prepared = prepare(task.model_copy(update={"source": source}), data_dir, raw=raw)
rows = -2
for part in ("train", "test"):
    with (prepared.public / f"{part}.csv").open("rb") as lines:
        rows += sum(1 for _ in lines)
# Not getrusage: the kernel counts the memory of whoever started this process to its peak.
peak = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
print(rows, int(peak[1]) * 1024)
"""


def prepared_with(folder: Path, n_rows: int, *chunk: int) -> tuple[int, int]:
    """Prepare a table of so many rows; returns its size and the peak of memory, in bytes."""
    rng = np.random.default_rng(0)
    numbers = {f"x{i}": rng.normal(size=n_rows).round(6) for i in range(NUMBERS)}
    table = pd.DataFrame({"id": range(n_rows), **numbers, "malignant": rng.integers(0, 2, n_rows)})
    raw = folder / "raw" / "data.csv"
    raw.parent.mkdir(parents=True)
    table.to_csv(raw, index=False)
    done = subprocess.run(
        [sys.executable, "-c", PREPARE, raw.parent, folder / "data", *map(str, chunk)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    rows, peak = map(int, done.stdout.split())
    assert rows == n_rows
    return raw.stat().st_size, peak


@pytest.mark.slow
def test_a_table_takes_less_than_six_times_its_size_in_memory(tmp_path):
    size, peak = prepared_with(tmp_path, ROWS)

    assert peak < 6 * size


@pytest.mark.slow
def test_of_a_table_in_pieces_little_more_than_the_numbers_of_its_rows_is_held(tmp_path):
    small, with_small = prepared_with(tmp_path / "small", ROWS // 4, 4 << 20)
    large, with_large = prepared_with(tmp_path / "large", ROWS, 4 << 20)

    assert with_large - with_small < 0.8 * (large - small)
