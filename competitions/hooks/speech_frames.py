"""Frames of speech as NumPy arrays: phonemes of ML2021Spring-hw2."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.errors import RawDataError
from competitions.hooks import Hooks
from competitions.splits import Parts, drawn

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from competitions.outputs import Trees
    from competitions.spec import Competition
    from competitions.work import Work

_FOLDER = "timit_11/timit_11"
_ROW = "row"  # column of the parts: place in the raw arrays


def _array(work: Work, name: str) -> NDArray[np.generic]:
    import numpy as np

    path = work.path(f"{_FOLDER}/{name}.npy")
    if not path.is_file():
        raise RawDataError(f"Expected {_FOLDER}/{name}.npy in {work.raw}, found none.")
    try:
        found: NDArray[np.generic] = np.load(path, mmap_mode="r", allow_pickle=False)
    except (ValueError, EOFError) as error:
        raise RawDataError(f"{path} cannot be read as an array of numbers: {error}.") from error
    return found


def split(spec: Competition, work: Work) -> Parts:
    """Draw frames, as large a share as Kaggle's test part had of all; ids count the test frames.

    Raises
    ------
    RawDataError
        When an array is missing, or frames and labels differ in number.
    """
    import numpy as np
    import pandas as pd

    frames, labels = _array(work, "train_11"), _array(work, "train_label_11")
    if len(frames) != len(labels):
        raise RawDataError(
            f"{_FOLDER}: expected a label per frame, found {len(frames)} and {len(labels)}."
        )
    n_other = len(_array(work, "test_11"))
    share = n_other / (len(frames) + n_other)
    sides = drawn(np.arange(len(frames)), spec.split, test_size=share)
    train, test = (
        pd.DataFrame({"Id": range(len(rows)), "ClassId": labels[rows], _ROW: rows})
        for rows in sides
    )
    return Parts(train, test)


def finish(spec: Competition, work: Work, parts: Parts, trees: Trees) -> None:
    """Write the frames of both parts, and the labels of the train part."""
    import numpy as np

    del spec
    frames, labels = _array(work, "train_11"), _array(work, "train_label_11")
    folder = trees.public / _FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    np.save(folder / "train_11.npy", frames[parts.train[_ROW].to_numpy()])
    np.save(folder / "train_label_11.npy", labels[parts.train[_ROW].to_numpy()])
    np.save(folder / "test_11.npy", frames[parts.test[_ROW].to_numpy()])


def miniature(spec: Competition, folder: Path, seed: int) -> None:
    """Write frames of six numbers whose class is where they are largest; labels are text."""
    import numpy as np

    del spec
    rng = np.random.default_rng(seed)
    target = folder / _FOLDER
    target.mkdir(parents=True, exist_ok=True)
    labels = rng.integers(0, 12, 120)
    frames = rng.normal(size=(120, 6)).astype("float32")
    frames[np.arange(120), labels % 6] += 3
    np.save(target / "train_11.npy", frames)
    np.save(target / "train_label_11.npy", labels.astype("<U2"))
    np.save(target / "test_11.npy", rng.normal(size=(44, 6)).astype("float32"))


HOOKS = Hooks(split=split, finish=finish, miniature=miniature)
