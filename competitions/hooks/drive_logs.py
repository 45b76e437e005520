"""Logs of phones in driving cars, split by the day of the drive: smartphone positions."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from competitions.errors import RawDataError
from competitions.hooks import Hooks
from competitions.splits import Parts, drawn

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    import pandas as pd

    from competitions.outputs import Trees
    from competitions.spec import Competition
    from competitions.work import Work

_TRUTH = "ground_truth.csv"
_TELLS = "span_log.nmea"  # the reference receiver's own log
_DAY_PARTS = 3  # year-month-day-...
_MINIATURE = (
    *("2020-5-14-US-MTV-1", "2020-05-14-US-MTV-2", "2020-06-04-US-MTV-1", "2020-06-04-US-MTV"),
    *("2021-7-1-US-LAX-1", "2021-08-24-US-SVL-1", "2021-12-7-US-LAX-1", "2021-12-08-US-LAX-3"),
)


def day_of(drive: str) -> str:
    """Return the day a drive is named after, month and day with two digits.

    Raises
    ------
    RawDataError
        When the name does not begin with a date.

    Examples
    --------
    >>> day_of("2020-5-14-US-MTV-1")
    '2020-05-14'
    """
    parts = drive.split("-")[:_DAY_PARTS]
    if len(parts) < _DAY_PARTS or not all(part.isdigit() for part in parts):
        raise RawDataError(f"train/{drive}: expected a folder named year-month-day-…")
    return f"{parts[0]}-{parts[1].zfill(2)}-{parts[2].zfill(2)}"


def split(spec: Competition, work: Work) -> Parts:
    """Draw days; a drive goes with its day.

    Returns
    -------
    Parts
        Train drives, one a row, and the true positions of the test drives, drive after drive and
        phone after phone.

    Raises
    ------
    RawDataError
        When a folder is not named after a day, or a test drive has no positions.
    """
    import pandas as pd

    drives = sorted(p.name for p in work.path("train").iterdir() if p.is_dir())
    days = sorted({day_of(drive) for drive in drives})
    train, test = drawn(days, spec.split)
    sides = [[drive for drive in drives if day_of(drive) in side] for side in (train, test)]
    tables = [table for drive in sides[1] for table in _positions(spec, work, drive)]
    return Parts(pd.DataFrame({"drive": sides[0]}), pd.concat(tables))


def _positions(spec: Competition, work: Work, drive: str) -> list[pd.DataFrame]:
    import pandas as pd

    paths = sorted((work.path("train") / drive).glob(f"*/{_TRUTH}"))
    if not paths:
        raise RawDataError(f"Expected train/{drive}/<phone>/{_TRUTH} in {work.raw}, found none.")
    columns = [spec.submission.key[1], *spec.targets]
    found: list[pd.DataFrame] = []
    for path in paths:
        table = pd.read_csv(path)
        lacking = [name for name in columns if name not in table.columns]
        if lacking:
            raise RawDataError(f"{path}: expected a column {lacking[0]}, found none.")
        key = pd.Series(f"{drive}-{path.parent.name}", index=table.index, name="tripId")
        found.append(pd.concat([key, table[columns]], axis=1).assign(drive=drive))
    return found


def finish(spec: Competition, work: Work, parts: Parts, trees: Trees) -> None:
    """Copy the drives; test drives without their true positions, and mended without what tells."""
    hidden = {_TRUTH} | ({_TELLS} if spec.variant == "fixed" else set())
    raw = work.path("train")
    for drive in parts.train["drive"]:
        shutil.copytree(raw / drive, trees.public / "train" / drive)
    for drive in parts.test["drive"].unique():
        without = shutil.ignore_patterns(*hidden)
        shutil.copytree(raw / drive, trees.public / "test" / drive, ignore=without)
    shutil.copytree(work.path("metadata"), trees.public / "metadata")


def miniature(spec: Competition, folder: Path, seed: int) -> None:
    """Write eight drives on six days, with one or two phones each."""
    import numpy as np

    del spec
    rng = np.random.default_rng(seed)
    for number, drive in enumerate(_MINIATURE):
        for phone in ("GooglePixel4", "SamsungS20")[: 1 + number % 2]:
            _write_phone(folder / "train" / drive / phone, rng)
    (folder / "metadata").mkdir()
    (folder / "metadata" / "constellation_type_mapping.csv").write_text("id,name\n1,GPS\n")


def _write_phone(folder: Path, rng: np.random.Generator) -> None:
    (folder / "supplemental").mkdir(parents=True)
    start = 1_589_000_000_000 + int(rng.integers(10**9))
    truth = ["MessageType,Provider,LatitudeDegrees,LongitudeDegrees,UnixTimeMillis"]
    for n in range(int(rng.integers(5, 12))):
        latitude, longitude = 37.4 + rng.uniform(0, 0.1), -122.1 + rng.uniform(0, 0.1)
        truth.append(f"Fix,GT,{latitude:.10f},{longitude:.10f},{start + 1000 * n}")
    (folder / _TRUTH).write_text("\n".join(truth) + "\n")
    (folder / "device_gnss.csv").write_text(f"utcTimeMillis,Svid\n{start},7\n")
    (folder / "device_imu.csv").write_text(f"utcTimeMillis,MeasurementX\n{start},0.25\n")
    (folder / "supplemental" / "gnss_log.txt").write_text(f"# {start}\n")
    (folder / "supplemental" / _TELLS).write_text(f"$GPGGA,{start}\n")


HOOKS = Hooks(split=split, finish=finish, miniature=miniature)
