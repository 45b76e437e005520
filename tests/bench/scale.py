"""``make bench-scale NOTEBOOKS=DIR``: a query against a million documents. Run by hand.

The million is made: each document is pieced together from passages of real notebooks, with one
token in fifty changed, so that hashes are as often shared and as often alone as among real ones.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from audit.console import table
from competitions.disk import size_text
from competitions.io import walk_files, write_json, write_text
from detectors.plagiarism.corpus.generation import assemble
from detectors.plagiarism.corpus.layout import CARD, Card
from detectors.plagiarism.corpus.pieces import packed
from detectors.plagiarism.corpus.shards import write_entries, write_run
from detectors.plagiarism.documents import Document, Unread, read_documents
from detectors.plagiarism.fingerprints import fingerprint, kept, run_hashes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    Kinds = NDArray[np.uint32]

PER_SHARD = 10_000
PER_COMPETITION = 2_000
CHANGED = 0.02
QUERIES, N_COLD = 200, 20
SIZES = (10_000, 100_000)
MIN_CODE = 2_000  # characters of a notebook that is used
MIN_PASSAGE = 200  # tokens
HEAD = (
    "documents", "on disk", "merged in", "warm: median", "CPU", "95 %",
    "new process", "without imports", "resident: imports", "one query", f"{QUERIES} queries",
)  # fmt: skip
_MILLI = 1e3
# Asks a corpus about texts, all of them so many times; the last time counts.
_ASK = """
import json, sys, time
started = time.perf_counter()
from detectors.plagiarism.corpus.index import Corpus
from detectors.plagiarism.fingerprints import fingerprint

def peak():
    return int(open("/proc/self/status").read().split("VmHWM:")[1].split()[0]) / 1024

of_imports = [time.perf_counter() - started, peak()]
times = []
for _ in range(int(sys.argv[2])):
    times = []
    for line in open(sys.argv[3], encoding="utf-8"):
        text, language = json.loads(line)
        before = time.perf_counter(), time.process_time()
        Corpus.open(sys.argv[1]).candidates(fingerprint(text, language))
        times.append((time.perf_counter() - before[0], time.process_time() - before[1]))
print(json.dumps([*of_imports, peak(), times]))
"""


class Fresh(NamedTuple):
    """What a new process took.

    Parameters
    ----------
    imports_s : float
    imports_mib, peak_mib : float
        Most memory that was resident after its imports, and at its end.
    times : list of (float, float)
        Seconds and CPU seconds of each question, reading the code included.
    """

    imports_s: float
    imports_mib: float
    peak_mib: float
    times: list[tuple[float, float]]


def sources_of(folder: Path) -> list[Document]:
    """Read the notebooks that documents are made of."""
    found = (d for d in read_documents(folder) if not isinstance(d, Unread))
    return [d for d in found if len(d.code) > MIN_CODE]


def made(draw: np.random.Generator, kinds: Sequence[Kinds]) -> Kinds:
    """Piece the tokens of a document together."""
    parts = []
    for _ in range(draw.integers(1, 5)):
        source = kinds[int(draw.integers(len(kinds)))]
        length = int(draw.integers(MIN_PASSAGE, 1200))
        first = int(draw.integers(max(1, len(source) - length)))
        parts.append(source[first : first + length])
    text = np.concatenate(parts)
    changed = draw.random(len(text)) < CHANGED
    text[changed] = draw.choice(text, int(changed.sum()))
    return text


def build(folder: Path, kinds: Sequence[Kinds], n: int, seed: int) -> float:
    """Make a corpus of `n` documents; return the seconds that merging it took."""
    draw = np.random.default_rng(seed)
    shards = []
    text = packed(Document("made", "python", "# made of tokens alone", ""))
    for first in range(0, n, PER_SHARD):
        shard = folder / f".shard-{first}"
        shard.mkdir(parents=True)
        numbers = range(first, min(n, first + PER_SHARD))
        hashes = [kept(run_hashes(made(draw, kinds))) for _ in numbers]
        write_run(shard, "code", hashes)
        write_run(shard, "prose", [np.empty(0, np.uint64) for _ in numbers])
        entries = [
            {
                "competition": f"competition-{i // PER_COMPETITION:04}",
                "digest": f"{i:032x}",
                "name": f"made-{i}.py",
                "language": "python",
                "n_tokens": 0,
                "marks": [],
                "provenance": {},
            }
            for i in numbers
        ]
        write_entries(shard, entries, [text] * len(entries))
        shards.append(shard)
    started = time.perf_counter()
    generation = folder / "generation-made"
    generation.mkdir()
    built = assemble(shards, generation, {})
    np.full(n, np.nan, np.float32).tofile(generation / "null.scores")
    write_json(folder / CARD, asdict(Card("generation-made", built.competitions)))
    for shard in shards:
        for path in shard.iterdir():
            path.unlink()
        shard.rmdir()
    return time.perf_counter() - started


def evict(folder: Path) -> None:
    """Ask the kernel to forget what it holds of a corpus."""
    os.sync()
    for path in walk_files(folder):
        handle = os.open(path, os.O_RDONLY)
        os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(handle)


def ask(folder: Path, documents: Sequence[Document], rounds: int) -> Fresh:
    """Ask from a new process."""
    with tempfile.TemporaryDirectory() as scratch:
        texts = Path(scratch, "texts")
        lines = (json.dumps([d.code, d.language]) + "\n" for d in documents)
        write_text(texts, "".join(lines))
        told = subprocess.run(
            [sys.executable, "-c", _ASK, str(folder), str(rounds), str(texts)],
            check=True,
            capture_output=True,
            text=True,
        )
    return Fresh(*json.loads(told.stdout))


def cold(folder: Path, documents: Sequence[Document]) -> Iterator[Fresh]:
    """Ask each from a process of its own, with nothing of the corpus in the page cache."""
    for document in documents:
        evict(folder)
        yield ask(folder, [document], 1)


def measured(
    folder: Path, n: int, sources: Sequence[Document], kinds: Sequence[Kinds], seed: int
) -> tuple[float, tuple[str, ...]]:
    """Build a corpus of `n` documents and ask it; return the median and a row of the table."""
    draw = np.random.default_rng(seed + 1)
    asked = [sources[int(i)] for i in draw.permutation(len(sources))[:QUERIES]]
    merging = "" if folder.exists() else f"{build(folder, kinds, n, seed):.0f} s"
    on_disk = sum(p.stat().st_size for p in walk_files(folder))
    warm = ask(folder, asked, 2)
    seconds, cpu = zip(*warm.times, strict=True)
    fresh = list(cold(folder, asked[:N_COLD]))
    median = statistics.median(cpu)
    return median, (
        f"{n:,}",
        size_text(on_disk),
        merging,
        f"{_MILLI * statistics.median(seconds):.1f} ms",
        f"{_MILLI * median:.1f} ms",
        f"{_MILLI * float(np.quantile(seconds, 0.95)):.1f} ms",
        f"{_MILLI * statistics.median(f.imports_s + f.times[0][0] for f in fresh):.0f} ms",
        f"{_MILLI * statistics.median(f.times[0][0] for f in fresh):.0f} ms",
        f"{max(f.imports_mib for f in fresh):.0f} MiB",
        f"{max(f.peak_mib for f in fresh):.0f} MiB",
        f"{warm.peak_mib:.0f} MiB",
    )


def main() -> None:
    """Build corpora of growing size and print what a query takes."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("notebooks", type=Path)
    options.add_argument("--documents", type=int, default=1_000_000)
    options.add_argument("--keep", type=Path, help="keep the corpora here; those that are are used")
    options.add_argument("--seed", type=int, default=0)
    given = options.parse_args()
    sources = sources_of(given.notebooks)
    found = (fingerprint(d.code, d.language).tokens.kinds for d in sources)
    kinds = [k for k in found if len(k) > MIN_PASSAGE]
    sizes = [n for n in SIZES if n < given.documents] + [given.documents]
    medians, rows = [], []
    for n in sizes:
        with tempfile.TemporaryDirectory() as scratch:
            place = (given.keep or Path(scratch)) / f"{n}-{given.seed}"
            median, row = measured(place, n, sources, kinds, given.seed)
        medians.append(median)
        rows.append(row)
    sys.stdout.write(table(HEAD, rows) + "\n")
    if len(sizes) > 1:
        slope = np.polyfit(np.log(sizes), np.log(medians), 1)[0]
        told = f"The CPU time of a warm query grows as the number of documents ** {slope:.2f}"
        sys.stdout.write(f"{told}, from {sizes[0]:,} to {sizes[-1]:,}.\n")


if __name__ == "__main__":
    main()
