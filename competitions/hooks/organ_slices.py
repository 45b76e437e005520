"""Slices of organs by patient and day, with the size of each in its file's name: UW-Madison."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from competitions.errors import RawDataError
from competitions.hooks import Hooks
from competitions.splits import Parts, drawn
from competitions.work import raw_table

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    import pandas as pd

    from competitions.outputs import Trees
    from competitions.spec import Competition
    from competitions.work import Work

_DAYS_KEPT = 4  # of a patient's days in the train part; later ones are test days
_CLASSES = ("large_bowel", "small_bowel", "stomach")
_NAME_PARTS = 6  # slice_<number>_<width>_<height>_<spacing>_<spacing>
_PLACE = ["case", "day", "slice"]


def split(spec: Competition, work: Work) -> Parts:
    """Draw patients, and of the others move the days after the fourth into the test part.

    Returns
    -------
    Parts
        In raw order; the test part with ``image_width`` and ``image_height``, read off the files'
        names.
    """
    frame = raw_table(spec, work, spec.split.on)
    pieces = frame["id"].str.split("_")
    placed = frame.assign(
        case=pieces.str[0], day=pieces.str[1].str.removeprefix("day"), slice=pieces.str[-1]
    )
    cases = placed["case"].astype(object).unique()
    _, chosen = drawn(cases, spec.split)
    in_test = placed["case"].isin(set(chosen)) | _is_late(placed)
    return Parts(placed[~in_test], _sized(placed[in_test], work))


def _is_late(placed: pd.DataFrame) -> pd.Series:
    """Mark the rows of each patient's days after the fourth, days counted as numbers."""
    order = placed["day"].astype(int).groupby(placed["case"]).rank(method="dense")
    return order > _DAYS_KEPT


def _sized(test: pd.DataFrame, work: Work) -> pd.DataFrame:
    import pandas as pd

    rows = []
    for case, day in test[["case", "day"]].drop_duplicates().itertuples(index=False):
        for path in sorted(work.path(f"train/{case}/{case}_day{day}/scans").glob("*.png")):
            parts = path.stem.split("_")
            if len(parts) != _NAME_PARTS:
                raise RawDataError(f"{path}: expected slice_<n>_<width>_<height>_<mm>_<mm>.png.")
            rows.append((case, day, parts[1], float(parts[2]), float(parts[3])))
    sizes = pd.DataFrame(rows, columns=[*_PLACE, "image_width", "image_height"])
    found = test.merge(sizes, on=_PLACE, how="left")
    lacking = found.loc[found["image_width"].isna(), "id"]
    if len(lacking):
        raise RawDataError(f"Expected a picture of {lacking.iloc[0]} in {work.raw}, found none.")
    return found


def finish(spec: Competition, work: Work, parts: Parts, trees: Trees) -> None:
    """Copy the pictures of each part's days."""
    del spec
    for side, part in (("train", parts.train), ("test", parts.test)):
        for case, day in part[["case", "day"]].drop_duplicates().itertuples(index=False):
            place = f"{case}/{case}_day{day}"
            shutil.copytree(work.path(f"train/{place}"), trees.public / side / place)


def miniature(spec: Competition, folder: Path, seed: int) -> None:
    """Write patients with one to seven days of three slices, some organs empty."""
    import numpy as np

    rng = np.random.default_rng(seed)
    lines = ["id,class,segmentation"]
    for case in rng.permutation([2, 7, 9, 15, 16, 22, 24, 30, 33, 36, 41, 44]):
        width, height = int(rng.integers(6, 9)), int(rng.integers(6, 9))
        days = rng.choice(range(12), int(rng.integers(1, 8)), replace=False)
        for day in days:
            for n in range(1, 4):
                name = f"case{case}_day{day}_slice_{n:04d}"
                lines += [f"{name},{c},{_mask(rng)}" for c in _CLASSES]
                _write_slice(folder, name, (width, height), rng)
    (folder / spec.split.on).write_text("\n".join(lines) + "\n")


def _mask(rng: np.random.Generator) -> str:
    first, second = int(rng.integers(1, 15)), int(rng.integers(22, 30))
    text = f"{first} {int(rng.integers(1, 7))} {second} {int(rng.integers(1, 7))}"
    return text if rng.random() < 0.5 else ""  # noqa: PLR2004


def _write_slice(folder: Path, name: str, size: tuple[int, int], rng: np.random.Generator) -> None:
    from PIL import Image

    case, day, _, number = name.split("_")
    (width, height) = size
    target = folder / "train" / case / f"{case}_{day}" / "scans"
    target.mkdir(parents=True, exist_ok=True)
    pixels = rng.integers(0, 2000, (height, width), dtype="uint16")
    Image.fromarray(pixels).save(target / f"slice_{number}_{width}_{height}_1.50_1.50.png")


HOOKS = Hooks(split=split, finish=finish, miniature=miniature)
