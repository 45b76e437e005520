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
from competitions.io import walk_files, write_json
from detectors.plagiarism.corpus.generation import assemble
from detectors.plagiarism.corpus.index import Corpus
from detectors.plagiarism.corpus.layout import CARD, Card
from detectors.plagiarism.corpus.pieces import packed
from detectors.plagiarism.corpus.shards import write_entries, write_run
from detectors.plagiarism.documents import Document, Unread, read_documents
from detectors.plagiarism.fingerprints import fingerprint, kept, run_hashes

if TYPE_CHECKING:
    from collections.abc import Sequence

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
    "documents", "on disk", "merged in", "warm: median", "95 %", "new process", "without imports",
    "resident",
)  # fmt: skip
_MILLI = 1e3
_COLD = """
import json, sys, time
started = time.perf_counter()
from detectors.plagiarism.corpus.index import Corpus
from detectors.plagiarism.fingerprints import fingerprint
text = open(sys.argv[2], encoding="utf-8").read()
imported = time.perf_counter() - started
found = Corpus.open(sys.argv[1]).candidates(fingerprint(text))
print(json.dumps([time.perf_counter() - started,
                  int(open("/proc/self/status").read().split("VmHWM:")[1].split()[0]) / 1024,
                  imported]))
"""


class Fresh(NamedTuple):
    """One question of a new process: seconds after its start, MiB, and seconds of its imports."""

    whole: float
    resident: float
    imports: float


def sources_of(folder: Path) -> list[Document]:
    """Read the notebooks that documents are made of."""
    found = (d for d in read_documents(folder) if not isinstance(d, Unread))
    return [d for d in found if len(d.code) > 2_000]


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


def cold(folder: Path, documents: Sequence[Document]) -> list[Fresh]:
    """Ask from new processes, with nothing of the corpus in the page cache."""
    found = []
    with tempfile.TemporaryDirectory() as scratch:
        for document in documents:
            text = Path(scratch, "asked.py")
            text.write_text(document.code, encoding="utf-8", errors="replace")
            evict(folder)
            told = subprocess.run(
                [sys.executable, "-c", _COLD, str(folder), str(text)],
                check=True,
                capture_output=True,
                text=True,
            )
            found.append(Fresh(*json.loads(told.stdout)))
    return found


def warm(folder: Path, documents: Sequence[Document]) -> list[float]:
    """Ask in this process, twice; return the seconds of the second time, with reading the code."""
    corpus = Corpus.open(folder)
    seconds: list[float] = []
    for _ in range(2):
        seconds = []
        for document in documents:
            started = time.perf_counter()
            corpus.candidates(fingerprint(document.code, document.language))
            seconds.append(time.perf_counter() - started)
    return seconds


def measured(
    folder: Path, n: int, sources: Sequence[Document], kinds: Sequence[Kinds], seed: int
) -> tuple[float, tuple[str, ...]]:
    """Build a corpus of `n` documents and ask it; return the median and a row of the table."""
    draw = np.random.default_rng(seed + 1)
    asked = [sources[int(i)] for i in draw.permutation(len(sources))[:QUERIES]]
    merging = build(folder, kinds, n, seed)
    on_disk = sum(p.stat().st_size for p in walk_files(folder))
    times = warm(folder, asked)
    fresh = cold(folder, asked[:N_COLD])
    median = statistics.median(times)
    return median, (
        f"{n:,}",
        size_text(on_disk),
        f"{merging:.0f} s",
        f"{_MILLI * median:.1f} ms",
        f"{_MILLI * float(np.quantile(times, 0.95)):.1f} ms",
        f"{_MILLI * statistics.median(f.whole for f in fresh):.0f} ms",
        f"{_MILLI * statistics.median(f.whole - f.imports for f in fresh):.0f} ms",
        f"{max(f.resident for f in fresh):.0f} MiB",
    )


def main() -> None:
    """Build corpora of growing size and print what a query takes."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("notebooks", type=Path)
    options.add_argument("--documents", type=int, default=1_000_000)
    options.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()))
    options.add_argument("--seed", type=int, default=0)
    given = options.parse_args()
    sources = sources_of(given.notebooks)
    found = (fingerprint(d.code, d.language).tokens.kinds for d in sources)
    kinds = [k for k in found if len(k) > MIN_PASSAGE]
    sizes = [n for n in SIZES if n < given.documents] + [given.documents]
    medians, rows = [], []
    for n in sizes:
        with tempfile.TemporaryDirectory(dir=given.folder) as place:
            median, row = measured(Path(place), n, sources, kinds, given.seed)
        medians.append(median)
        rows.append(row)
    sys.stdout.write(table(HEAD, rows) + "\n")
    if len(sizes) > 1:
        slope = np.polyfit(np.log(sizes), np.log(medians), 1)[0]
        sys.stdout.write(f"The warm query grows as the number of documents ** {slope:.2f}.\n")


if __name__ == "__main__":
    main()
