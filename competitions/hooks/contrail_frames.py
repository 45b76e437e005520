"""Satellite frames with masks of contrails, in folders of arrays."""

from __future__ import annotations

import json
import random
import shutil
from typing import TYPE_CHECKING, Any

from competitions.errors import RawDataError
from competitions.hooks import Hooks
from competitions.outputs import write_table
from competitions.splits import Parts, drawn

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    import pandas as pd

    from competitions.outputs import Trees
    from competitions.spec import Competition
    from competitions.work import Work

_FACTS, _OTHERS = "train_metadata.json", "validation_metadata.json"
_BANDS = tuple(f"band_{n:02d}.npy" for n in range(8, 17))
_MASK, _MASKS = "human_pixel_masks.npy", "human_individual_masks.npy"
_NONE = "-"  # a mask without foreground
_RECORD = "record"  # column of the parts that holds the whole record
_GUESSES = ("1 3 10 5", _NONE)  # of the sample submission


def _records(work: Work, name: str) -> list[dict[str, Any]]:
    path = work.path(name)
    if not path.is_file():
        raise RawDataError(f"Expected {name} in {work.raw}, found none.")
    try:
        found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
        if found and all("record_id" in record for record in found):
            return found
    except (ValueError, TypeError) as error:
        raise RawDataError(f"{path} cannot be read: {error}.") from error
    raise RawDataError(f"{path}: expected a list of records with a record_id.")


def split(spec: Competition, work: Work) -> Parts:
    """Draw as many records as Kaggle's validation part has; their masks are the answers.

    Returns
    -------
    Parts
        In the shuffled order; the test part with ``encoded_pixels``, ``height`` and ``width``.
    """
    import pandas as pd

    n_test = len(_records(work, _OTHERS))
    train, test = drawn(_records(work, _FACTS), spec.split, test_size=n_test)
    answers = [_answer(work, str(record["record_id"])) for record in test]
    ids = [record["record_id"] for record in train]
    return Parts(pd.DataFrame({"record_id": ids, _RECORD: train}), pd.DataFrame(answers))


def _answer(work: Work, record: str) -> dict[str, object]:
    from competitions.metrics.rle import encode

    height, width = _array(work, record, _BANDS[0]).shape[:2]
    mask = _array(work, record, _MASK)[..., 0] == 1
    pixels = encode(mask) or _NONE
    return {"record_id": record, "encoded_pixels": pixels, "height": height, "width": width}


def _array(work: Work, record: str, name: str) -> np.ndarray:
    import numpy as np

    path = work.path(f"train/{record}/{name}")
    try:
        found: np.ndarray = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise RawDataError(f"Expected an array train/{record}/{name} in {work.raw}.") from error
    return found


def finish(spec: Competition, work: Work, parts: Parts, trees: Trees) -> None:
    """Write the train records, copy frames, and write a sample of random guesses."""
    text = json.dumps(list(parts.train[_RECORD]))
    (trees.public / _FACTS).write_text(text, encoding="utf-8")
    for side, part, names in (
        ("train", parts.train, (*_BANDS, _MASK, _MASKS)),
        ("test", parts.test, _BANDS),
    ):
        for record in part["record_id"]:
            target = trees.public / side / str(record)
            target.mkdir(parents=True)
            for name in names:
                shutil.copyfile(_existing(work, f"train/{record}/{name}"), target / name)
    rng = random.Random(0)  # noqa: S311 - the published seed
    guesses: pd.DataFrame = parts.test.assign(
        encoded_pixels=[rng.choice(_GUESSES) for _ in range(len(parts.test))]
    )
    write_table(guesses, trees.public / spec.sample_submission.path)


def _existing(work: Work, name: str) -> Path:
    path = work.path(name)
    if not path.is_file():
        raise RawDataError(f"Expected {name} in {work.raw}, found none.")
    return path


def miniature(spec: Competition, folder: Path, seed: int) -> None:
    """Write folders of arrays of 6 × 5 pixels and two times; every third mask is empty."""
    import numpy as np

    del spec
    rng = np.random.default_rng(seed)
    for side, name, size in (("train", _FACTS, 40), ("validation", _OTHERS, 12)):
        ids = [str(int(rng.integers(10**15, 10**18)) * 10 + n % 10) for n in range(size)]
        facts = [
            {
                "record_id": i,
                "row_min": round(float(rng.uniform(0, 1e6)), 2),
                "timestamps": [float(t) for t in rng.integers(1_500_000_000, 1_600_000_000, 2)],
                "projection_wkt": 'PROJCRS["unnamed"]',
            }
            for i in ids
        ]
        (folder / name).write_text(json.dumps(facts))
        for number, record in enumerate(ids):
            _write_frame(folder / side / record, rng, is_empty=number % 3 == 0)


def _write_frame(folder: Path, rng: np.random.Generator, *, is_empty: bool) -> None:
    import numpy as np

    folder.mkdir(parents=True)
    for name in _BANDS:
        np.save(folder / name, rng.normal(280, 10, (6, 5, 2)).astype("float32"))
    mask = np.zeros((6, 5, 1), dtype="int32")
    if not is_empty:
        mask[rng.random((6, 5, 1)) < 0.3] = 1  # noqa: PLR2004
    np.save(folder / _MASK, mask)
    np.save(folder / _MASKS, np.repeat(mask[..., None], 2, axis=-1))


HOOKS = Hooks(split=split, finish=finish, miniature=miniature)
