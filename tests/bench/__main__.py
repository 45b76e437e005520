"""``make bench``: how fast it is, as ratios to a named peer that was measured in the same run."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from audit.check import check
from audit.console import table
from competitions.archive import unpack
from competitions.grade import grade
from competitions.prepare import prepare
from competitions.row_files import copy_row_files
from competitions.spec import RowFiles, catalog_ids, load
from competitions.splits import Parts
from competitions.work import Work
from detectors.attempt import Attempt
from detectors.base import detector
from detectors.leakage.exact_row_overlap import find_overlap
from reports.schema import Outcome
from tests.bench.logs import attempts_rate, log_rates, rules_rate
from tests.quality.corpus import load_cases
from tests.quality.score import scored_halves

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

ROWS, NUMBERS, TEXTS = 200_000, 10, 4
SHARED = 1000
REPEATS = 15
FILES = (2_000, 20_000)
FOLLOW = {"from": "images/{id}.png", "to": "images/{id}.png", "part": "train"}
MEBI = 1 << 20
MAX_HELP_RATIO = 2.5
HEAD = ("what", "measured", "peer", "ratio", "target")
NOTE = (
    "Ratios compare two things of the same run; they can be compared between machines and days.\n"
    "Seconds, MB/s and attempts/s say how long it takes here and cannot.\n"
)


class Line(NamedTuple):
    """One line of the table."""

    what: str
    measured: str
    peer: str = ""
    ratio: str = ""
    target: str = ""


def seconds(work: Callable[[], object]) -> float:
    """Time one call."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def against(
    work: Callable[[], object], peer: Callable[[], object], repeats: int
) -> tuple[float, float]:
    """Time both in turn, so that a slow moment of the machine meets both; return the medians."""
    work(), peer()  # what the first call loads is in memory for both
    pairs = [(seconds(work), seconds(peer)) for _ in range(repeats)]
    ours, theirs = zip(*pairs, strict=True)
    return statistics.median(ours), statistics.median(theirs)


def help_lines() -> Iterator[Line]:
    """Compare the help with the least that any command built on typer has to load."""

    def run(*words: str) -> Callable[[], object]:
        command = [sys.executable, *words]
        return lambda: subprocess.run(command, check=True, capture_output=True)

    # As the installed script does it; the script itself may not be on the PATH.
    ours = run("-c", "import sys; sys.argv[1:] = ['--help']; from audit.cli import main; main()")
    mine, peer = against(ours, run("-c", "import typer"), REPEATS)
    yield Line(
        "mle-audit --help",
        f"{mine * 1000:.0f} ms",
        f"python -c 'import typer': {peer * 1000:.0f} ms",
        f"{mine / peer:.2f}",
        f"≤ {MAX_HELP_RATIO}",
    )


def tables(seed: int = 0) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Make two tables of numbers and short texts that share some rows."""
    import numpy as np
    import pandas as pd

    rng = np.random.default_rng(seed)

    def one() -> pd.DataFrame:
        numbers = {f"n{i}": rng.normal(size=ROWS).round(3) for i in range(NUMBERS)}
        texts = {f"t{i}": _words(rng) for i in range(TEXTS)}
        return pd.DataFrame(numbers | texts)

    train, test = one(), one()
    return train, pd.concat([train.iloc[:SHARED], test.iloc[SHARED:]], ignore_index=True)


def _words(rng: np.random.Generator) -> NDArray[np.object_]:
    import numpy as np

    known = np.array([f"word {i}" for i in range(5000)], dtype=object)
    chosen: NDArray[np.object_] = known[rng.integers(0, len(known), ROWS)]
    return chosen


def overlap_lines() -> Iterator[Line]:
    """Compare the search for equal rows with pandas' own hashes of the same frames."""
    import pandas as pd

    train, test = tables()
    n_found = []

    def ours() -> None:
        n_found.append(len(find_overlap(train, test).test_rows))

    def peer() -> None:
        left = pd.util.hash_pandas_object(train, index=False)
        right = pd.util.hash_pandas_object(test, index=False)
        n_found.append(int(right.isin(left).sum()))

    mine, theirs = against(ours, peer, 3)
    if set(n_found) != {SHARED}:
        raise RuntimeError(f"expected {SHARED} shared rows, found {set(n_found)}")
    yield Line(
        f"find_overlap, 2 × {ROWS:,} rows × {NUMBERS + TEXTS} columns",
        f"{mine:.2f} s",
        f"hash_pandas_object + isin: {theirs:.2f} s",
        f"{mine / theirs:.2f}",
    )


def answers_read_lines() -> Iterator[Line]:
    """Measure the detector on the labelled set, and on one long log."""
    halves = scored_halves("answers-read")
    paths = [case.path for half in halves for case in load_cases("answers-read", half)]
    spent = seconds(lambda: [look(path) for path in paths])
    yield Line(
        f"answers-read, {len(paths)} labelled attempts",
        f"{len(paths) / spent:,.0f} attempts/s, {_size(paths) / MEBI / spent:.2f} MB/s",
    )
    with tempfile.TemporaryDirectory() as folder:
        attempt = _long_attempt(Path(folder), paths)
        size = (attempt / "run.log").stat().st_size / MEBI
        mine = seconds(lambda: look(attempt))
        log = (attempt / "run.log").read_text(encoding="utf-8", errors="replace")
        floor = seconds(lambda: sum("private" in line for line in log.splitlines()))
    yield Line(
        f"answers-read, one log of {size:.0f} MB",
        f"{size / mine:.1f} MB/s",
        f"'private' in each line: {size / floor:.0f} MB/s",
        f"{mine / floor:.0f}",
    )


def look(path: Path) -> Outcome:
    """Ask the detector about one attempt; a crash is no speed."""
    found = check(detector("answers-read")(), Attempt(path))
    if found.outcome is Outcome.FAILED:
        raise RuntimeError(f"{path.name}: {found.reason}")
    return found.outcome


def _size(paths: list[Path]) -> int:
    return sum(f.stat().st_size for path in paths for f in path.rglob("*") if f.is_file())


def _long_attempt(folder: Path, paths: list[Path]) -> Path:
    """Write one attempt whose log is all labelled logs, again and again."""
    attempt = folder / "breast-cancer_long"
    (attempt / "code").mkdir(parents=True)
    (attempt / "code" / "main.py").write_text("print('hello')\n", encoding="utf-8")
    logs = [f.read_bytes() for path in paths for f in sorted(path.rglob("*.log"))]
    once = b"\n".join(logs)
    (attempt / "run.log").write_bytes(once * max(1, 8 * MEBI // len(once)))
    return attempt


def log_lines() -> Iterator[Line]:
    """Measure how fast logs become events, and how many attempts' logs a second."""
    for name, ours, floor in log_rates():
        peer = f"characters of each line: {floor:.0f} MB/s"
        yield Line(f"log of {name}", f"{ours:.1f} MB/s", peer, f"{floor / ours:.0f}")
    yield Line("logs of small attempts, formats mixed", f"{attempts_rate():,.0f} attempts/s")
    attempts, logs = rules_rate()
    told = f"{attempts:,.0f} attempts/s, {logs:.2f} MB/s"
    yield Line("rules: all detectors on small attempts, formats mixed", told)


def task_lines() -> Iterator[Line]:
    """Time preparing and grading each task of the catalog."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        for name in catalog_ids():
            spec = load(name)
            source = "miniature" if spec.source.kind == "kaggle" else None
            prepared = seconds(lambda s=spec, o=source: prepare(s, data, o))  # type: ignore[misc]
            sample = data / name / "prepared" / "public" / spec.sample_submission.path
            graded = seconds(lambda s=spec, f=sample: grade(s, f, data))  # type: ignore[misc]
            what = f"{name}{' (miniature)' if source else ''}"
            yield Line(what, f"prepare {prepared:.2f} s, grade {graded:.3f} s")


def file_lines() -> Iterator[Line]:
    """Time a file of many small ones, copied, packed and linked; it should not grow with them."""
    few, many = (_per_file(n) for n in FILES)
    for what in many:
        yield Line(
            f"{what}, a file of {FILES[1]:,}",
            f"{many[what] * 1e6:.0f} µs",
            f"of {FILES[0]:,}: {few[what] * 1e6:.0f} µs",
            f"{many[what] / few[what]:.2f}",
        )


def _per_file(n: int) -> dict[str, float]:
    """Return seconds per file of copying, packing, unpacking and linking so many small files."""
    import pandas as pd

    task = load("digit-images")
    frame = pd.DataFrame({"id": range(n), "label": 0})
    parts = Parts(frame, frame[:0])
    loose, packed = (
        task.model_copy(update={"files": (RowFiles.model_validate(FOLLOW | more),)})
        for more in ({}, {"pack": "all.zip"})
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "raw" / "images").mkdir(parents=True)
        for i in range(n):
            (folder / "raw" / "images" / f"{i}.png").write_bytes(b"x" * 1000)
        raw = Work(folder / "raw", folder / "none")
        ours = Work(folder / "none", folder / "unpacked")
        steps: dict[str, Callable[[], object]] = {
            "copied": lambda: copy_row_files(loose, raw, folder / "copied", parts),
            "packed": lambda: copy_row_files(packed, raw, folder / "packed", parts),
            "unpacked": lambda: unpack(folder / "packed" / "all.zip", ours.unpacked),
            "linked": lambda: copy_row_files(loose, ours, folder / "linked", parts),
        }
        return {what: seconds(step) / n for what, step in steps.items()}


def main() -> int:
    """Print the table; end with 1 when a ratio misses its target."""
    import pandas as pd  # noqa: F401 - loading it is no part of what is measured

    sys.stdout.write(f"{os.cpu_count()} cores, Python {sys.version.split()[0]}\n")
    lines = [*help_lines(), *overlap_lines(), *answers_read_lines(), *log_lines()]
    lines += file_lines()
    lines += task_lines()
    sys.stdout.write(table(HEAD, lines) + "\n\n" + NOTE)
    return int(float(lines[0].ratio) > MAX_HELP_RATIO)


if __name__ == "__main__":
    sys.exit(main())
