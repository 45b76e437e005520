"""Tagged sounds whose test answers were published later: Freesound 2019."""

from __future__ import annotations

import io
import shutil
import wave
import zipfile
from typing import TYPE_CHECKING

from competitions.errors import RawDataError
from competitions.hooks import Hooks
from competitions.miniature import MARKER
from competitions.outputs import require_columns
from competitions.splits import Parts
from competitions.work import raw_table

if TYPE_CHECKING:
    from pathlib import Path

    from competitions.outputs import Trees
    from competitions.spec import Competition
    from competitions.work import Work

_LATER = "FSDKaggle2019.meta"  # what was published after the competition, and stays private
_SAMPLE = "sample_submission.csv"
_SIZES = {"train_curated": 60, "train_noisy": 20, "test": 30}  # sounds of a miniature


def split(spec: Competition, work: Work) -> Parts:
    """Take the clips that made the final board for the test part, one column of 0 and 1 per tag.

    Raises
    ------
    RawDataError
        When they are not those of Kaggle's sample submission.
    """
    import pandas as pd

    table = raw_table(spec, work, f"{_LATER}/test_post_competition.csv")
    require_columns(table, ["fname", "labels", "usage"], f"{_LATER}/test_post_competition.csv")
    private = table[table["usage"] == "Private"]
    tags = [set(cell.split(",")) for cell in private["labels"]]
    marks = {name: [int(name in own) for own in tags] for name in spec.targets}
    test = pd.DataFrame({"fname": list(private["fname"])} | marks)
    sample = raw_table(spec, work, _SAMPLE)
    require_columns(sample, ["fname"], _SAMPLE)
    if set(sample["fname"]) != set(test["fname"]) or len(sample) != len(test):
        raise RawDataError(
            f"{_SAMPLE}: expected the {len(test)} clips of the final board, "
            f"found {len(sample)} rows."
        )
    return Parts(raw_table(spec, work, spec.split.on), test)


def finish(spec: Competition, work: Work, parts: Parts, trees: Trees) -> None:
    """Hand out everything of the raw folder as it is, but for what was published later."""
    del parts
    for path in sorted(work.raw.iterdir()):
        if _LATER in path.name or path.name in {MARKER, f"{spec.id}.zip"}:
            continue
        if path.is_dir():
            shutil.copytree(path, trees.public / path.name)
        else:
            shutil.copyfile(path, trees.public / path.name)


def miniature(spec: Competition, folder: Path, seed: int) -> None:
    """Write tables and archives of sounds; a clip may have several tags."""
    import numpy as np

    rng = np.random.default_rng(seed)
    tables = {}
    for part, size in _SIZES.items():
        names = [f"{int(rng.integers(16**6)):06x}{n:02x}.wav" for n in range(size)]
        counts = rng.choice([1, 2, 3], size, p=[0.7, 0.2, 0.1])
        tags = [",".join(rng.choice(spec.targets, n, replace=False)) for n in counts]
        tables[part] = list(zip(names, tags, strict=True))
        with zipfile.ZipFile(folder / f"{part}.zip", "w") as archive:
            for name in names:
                archive.writestr(zipfile.ZipInfo(name), _sound(rng.bytes(40)))
    for part in ("train_curated", "train_noisy"):
        lines = [
            "fname,labels",
            *(f'{n},"{t}"' if "," in t else f"{n},{t}" for n, t in tables[part]),
        ]
        (folder / f"{part}.csv").write_text("\n".join(lines) + "\n")
    _write_test(spec, folder, tables["test"])


def _write_test(spec: Competition, folder: Path, clips: list[tuple[str, str]]) -> None:
    uses = ["Private" if n % 3 else "Public" for n in range(len(clips))]
    lines = ["fname,labels,usage"]
    lines += [f'{name},"{tags}",{use}' for (name, tags), use in zip(clips, uses, strict=True)]
    (folder / _LATER).mkdir()
    (folder / _LATER / "test_post_competition.csv").write_text("\n".join(lines) + "\n")
    rows = sorted(name for (name, _), use in zip(clips, uses, strict=True) if use == "Private")
    zeros = ",0" * len(spec.targets)
    sample = [",".join(["fname", *spec.targets]), *(name + zeros for name in rows)]
    (folder / _SAMPLE).write_text("\n".join(sample) + "\n")


def _sound(samples: bytes) -> bytes:
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(44100)
        sound.writeframes(samples)
    return buffer.getvalue()


HOOKS = Hooks(split=split, finish=finish, miniature=miniature)
