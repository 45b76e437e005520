"""Fragments of papyrus in X-ray volumes, one of which is the test part: Vesuvius ink."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from competitions.errors import RawDataError
from competitions.hooks import Hooks
from competitions.splits import Parts
from competitions.work import raw_table

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np

    from competitions.outputs import Trees
    from competitions.spec import Competition
    from competitions.work import Work

_TRAIN, _TEST, _NEW_NAME = ("1", "2"), "3", "a"
_INK = "inklabels_rle.csv"
_HIDDEN = (_INK, "inklabels.png", "ir.png")
_SUFFIXES = {".png", ".csv", ".tif"}


def split(spec: Competition, work: Work) -> Parts:
    """Take the third fragment for the test part: its one row of ink, with the size of the image.

    Raises
    ------
    RawDataError
        When it has another number of rows, or no infrared picture, which tells its size.
    """
    import pandas as pd
    from PIL import Image, UnidentifiedImageError

    ink = raw_table(spec, work, f"train/{_TEST}/{_INK}")
    if len(ink) != 1:
        raise RawDataError(f"train/{_TEST}/{_INK}: expected one row, found {len(ink)}.")
    try:
        with Image.open(work.path(f"train/{_TEST}/ir.png")) as picture:
            width, height = picture.size
    except (UnidentifiedImageError, OSError) as error:
        raise RawDataError(f"Expected a picture train/{_TEST}/ir.png in {work.raw}.") from error
    return Parts(
        pd.DataFrame({"Id": list(_TRAIN)}), ink.assign(Id=_NEW_NAME, width=width, height=height)
    )


def finish(spec: Competition, work: Work, parts: Parts, trees: Trees) -> None:
    """Copy the train fragments whole, and of the test fragment all but what shows the ink.

    Raises
    ------
    RawDataError
        When a file of the test fragment is none of the kinds that are known.
    """
    del spec, parts
    for name in _TRAIN:
        shutil.copytree(work.path(f"train/{name}"), trees.public / "train" / name)
    source, target = work.path(f"train/{_TEST}"), trees.public / "test" / _NEW_NAME
    for path in sorted(source.rglob("*")):
        if path.is_dir() or path.relative_to(source).as_posix() in _HIDDEN:
            continue
        if path.suffix not in _SUFFIXES:
            raise RawDataError(f"{path}: expected a file of {', '.join(sorted(_SUFFIXES))}.")
        place = target / path.relative_to(source)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, place)


def miniature(spec: Competition, folder: Path, seed: int) -> None:
    """Write three fragments of three slices each; the ink is a few bars."""
    import numpy as np

    del spec
    rng = np.random.default_rng(seed)
    for number in (*_TRAIN, _TEST):
        _write_fragment(folder / "train" / number, number, rng)


def _write_fragment(folder: Path, number: str, rng: np.random.Generator) -> None:
    import numpy as np
    from PIL import Image

    from competitions.metrics.rle import encode

    (folder / "surface_volume").mkdir(parents=True)
    height, width = 9 + int(rng.integers(3)), 12
    ink = np.zeros((height, width), dtype=bool)
    ink[2:5, 3 : 4 + int(rng.integers(1, 6))] = True
    ink[7, :6] = True
    for n in range(3):
        layer = rng.integers(0, 40000, (height, width)) + 20000 * ink
        Image.fromarray(layer.astype("uint16")).save(folder / "surface_volume" / f"{n:02d}.tif")
    for name in ("mask", "inklabels", "ir"):
        shown = ink if name == "inklabels" else rng.random((height, width)) < 0.8  # noqa: PLR2004
        Image.fromarray((255 * shown).astype("uint8")).save(folder / f"{name}.png")
    text = f"Id,Predicted\n{number},{encode(ink, 'rows')}\n"
    (folder / _INK).write_text(text)


HOOKS = Hooks(split=split, finish=finish, miniature=miniature)
