"""How often order, ids, files and the sample submission are found to tell answers, and by chance.

``python -m tests.bench.leakage_order`` makes data sets of 120 rows with one thing planted, for
classes and for numbers, and as many times data sets with nothing planted, in which ids, orders,
sizes, times and places in archives are random. ``SEEDS=n`` makes n of each plant and 30 n of the
others. A finding above a note counts. None of the tools that the other benches run asks this.
"""

from __future__ import annotations

import io
import os
import sys
import tempfile
import time
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from audit.check import check
from audit.console import table
from detectors.base import detector
from detectors.dataset import Dataset
from reports.schema import Severity

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

HEAD = ("planted", "target", "asked", "found", "s of CPU each")
ASKED = {
    "order": "row-order-encodes-target",
    "id": "id-encodes-target",
    "file": "file-metadata-encodes-target",
    "sample": "sample-submission-leaks",
}
N = 120
NULLS = 30  # data sets with nothing planted, for each with something
START = 1_700_000_000  # of the files' times


@dataclass
class Made:
    """A data set while it is made: test rows with their answers, files and sample.

    Parameters
    ----------
    y : ndarray of shape (n,)
    rng : Generator
    ids : list of str
    sizes, times : ndarray of shape (n,)
        Rows of each picture, and seconds after the start.
    packed : ndarray of shape (n,)
        Order of the pictures in the archive.
    sample, listed : ndarray of shape (n,)
        Values of the sample submission, and the order of its rows.
    """

    y: NDArray[Any]
    rng: np.random.Generator
    ids: list[str] = field(init=False)

    def __post_init__(self) -> None:
        n = len(self.y)
        self.ids = [f"{v:012x}" for v in self.rng.integers(0, 2**48, n)]
        self.sizes = self.rng.integers(8, 60, n)
        self.times = self.rng.permutation(n) * 60
        self.packed = self.rng.permutation(n)
        self.sample = np.full(n, self.y[0])
        self.listed = np.arange(n)

    @property
    def places(self) -> NDArray[np.intp]:
        """Places of the rows when they are sorted by the answer, equal answers at random."""
        return np.lexsort((self.rng.random(len(self.y)), self.y)).argsort()


def sort_rows(made: Made) -> None:
    """Sort the test table by the answer."""
    made.y = np.sort(made.y)


def keep_together(made: Made) -> None:
    """Keep eight rows of like answers together, the eights in any order."""
    made.y = made.rng.permutation(np.sort(made.y).reshape(-1, 8)).ravel()


def number_ids(made: Made) -> None:
    """Number the ids in the order of the answers."""
    made.ids = [f"{p:06}" for p in made.places]


def begin_ids(made: Made) -> None:
    """Begin the ids with a sign that the upper half of the answers has."""
    upper = made.places >= len(made.y) // 2
    made.ids = [f"{'ab'[int(u)]}{one}" for u, one in zip(upper, made.ids, strict=True)]


def size_files(made: Made) -> None:
    """Make pictures larger with the answer."""
    made.sizes = 8 + made.places // 3


def date_files(made: Made) -> None:
    """Write the files in the order of the answers."""
    made.times = made.places * 60


def pack_files(made: Made) -> None:
    """Pack the files in the order of the answers."""
    made.packed = made.places.argsort()


def tell_values(made: Made) -> None:
    """Put answers into the sample, nine of ten right."""
    made.sample = made.y.copy()
    wrong = made.rng.permutation(len(made.y))[: len(made.y) // 10]
    made.sample[wrong] = made.rng.permutation(made.y)[: len(wrong)]


def list_sorted(made: Made) -> None:
    """List the sample's rows in the order of the answers."""
    made.listed = made.places.argsort()


PLANTS: dict[str, tuple[str, Callable[[Made], None]]] = {
    "test rows sorted": ("order", sort_rows),
    "like answers together": ("order", keep_together),
    "ids numbered": ("id", number_ids),
    "ids begun": ("id", begin_ids),
    "size of files": ("file", size_files),
    "time of files": ("file", date_files),
    "place in a zip": ("file", pack_files),
    "sample's values": ("sample", tell_values),
    "sample's order": ("sample", list_sorted),
}
TARGETS: dict[str, Callable[[np.random.Generator], NDArray[Any]]] = {
    "classes": lambda rng: rng.integers(0, 2, N),
    "numbers": lambda rng: rng.normal(size=N).round(4),
}


def picture(height: int) -> bytes:
    """Return a bitmap, whose size is its pixels'."""
    from PIL import Image

    stream = io.BytesIO()
    Image.new("L", (8, height)).save(stream, "BMP")
    return stream.getvalue()


def written(made: Made, others: NDArray[Any], folder: Path) -> Dataset:
    """Write a data set: two tables, a sample, the answers, and a picture of each test row."""
    import pandas as pd

    public, private = folder / "public", folder / "private"
    (public / "test").mkdir(parents=True)
    private.mkdir()
    n, rng = len(made.y), made.rng
    known = [f"{v:012x}" for v in rng.integers(0, 2**48, n)]
    frames = {
        public / "train.csv": {"id": known, "x": rng.normal(size=n), "y": others},
        public / "test.csv": {"id": made.ids, "x": rng.normal(size=n)},
        private / "answers.csv": {"id": made.ids, "y": made.y},
    }
    for path, columns in frames.items():
        pd.DataFrame(columns).to_csv(path, index=False)
    sample = pd.DataFrame({"id": made.ids, "y": made.sample}).iloc[made.listed]
    sample.to_csv(public / "sample_submission.csv", index=False)
    for one, size, when in zip(made.ids, made.sizes, made.times, strict=True):
        path = public / "test" / f"{one}.bmp"
        path.write_bytes(picture(int(size)))
        os.utime(path, (START, START + int(when)))
    with zipfile.ZipFile(public / "small.zip", "w") as archive:
        for k in made.packed:
            archive.writestr(zipfile.ZipInfo(f"small/{made.ids[k]}.bmp"), picture(8))
    return Dataset.of_folders(public, private, key=("id",), targets=("y",))


def told(data: Dataset, asked: str) -> bool:
    """Say whether a detector has a finding above a note."""
    found = check(detector(asked)(), data).findings
    return any(f.severity > Severity.NOTE for f in found)


def counted(
    plant: Callable[[Made], None] | None, target: str, asked: tuple[str, ...], seeds: range
) -> tuple[dict[str, int], float]:
    """Return in how many data sets each detector told something, and CPU seconds of a question."""
    counts, spent = dict.fromkeys(asked, 0), 0.0
    for seed in seeds:
        rng = np.random.default_rng(seed)
        made, others = Made(TARGETS[target](rng), rng), TARGETS[target](rng)
        if plant is not None:
            plant(made)
        with tempfile.TemporaryDirectory() as name:
            data = written(made, others, Path(name))
            started = time.process_time()
            for one in asked:
                counts[one] += told(data, one)
            spent += time.process_time() - started
    return counts, spent / (len(seeds) * len(asked))


def main(seeds: int = 10) -> None:
    """Print a table."""
    counted(None, "numbers", tuple(ASKED.values()), range(1))  # what the first call loads
    lines = []
    for name, (short, plant) in PLANTS.items():
        for target in TARGETS:
            counts, cost = counted(plant, target, (ASKED[short],), range(seeds))
            found = f"{counts[ASKED[short]]} of {seeds}"
            lines.append((name, target, ASKED[short], found, f"{cost:.2f}"))
    for target in TARGETS:
        many = range(1000, 1000 + NULLS * seeds)
        counts, cost = counted(None, target, tuple(ASKED.values()), many)
        for one, n in counts.items():
            lines.append(("nothing", target, one, f"{n} of {len(many)}", f"{cost:.2f}"))
    sys.stdout.write(table(HEAD, lines) + "\n")


if __name__ == "__main__":
    main(int(os.environ.get("SEEDS", "10")))
