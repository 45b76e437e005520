"""Pictures that also come in TFRecord shards, which decide what is tested on."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

from competitions.errors import RawDataError
from competitions.hooks import Hooks
from competitions.splits import Parts, drawn
from competitions.tfrecord import example_of, feature, framed, keeping, records
from competitions.work import raw_table

if TYPE_CHECKING:
    from pathlib import Path

    from competitions.outputs import Trees
    from competitions.spec import Competition
    from competitions.work import Work

NAME = "image_name"  # the feature that names a record's picture
_ROWS_A_SHARD = 10  # of a miniature


@dataclass(frozen=True)
class Shards:
    """Where a task's shards lie and what becomes of them.

    Parameters
    ----------
    raw : str
        Pattern of the raw shards, which are taken in the order of their names.
    train, test : str
        New names, filled with ``{n}``, counted from 0 in each part, and ``{count}``, what stands
        after the dash of the old name.
    tested_on : tuple of str
        Names of the shards that are the test part; empty where they are drawn.
    told : frozenset of str
        Features that the test part's records keep under ``fixed``.
    """

    raw: str
    train: str
    test: str
    told: frozenset[str]
    tested_on: tuple[str, ...] = ()


SHARDS = {
    "cassava-leaf-disease-classification": Shards(
        raw="train_tfrecords/*.tfrec",
        train="train_tfrecords/ld_train{n:02d}-{count}.tfrec",
        test="test_tfrecords/ld_test{n:02d}-{count}.tfrec",
        told=frozenset({"image", NAME}),
    ),
    "siim-isic-melanoma-classification": Shards(
        raw="tfrecords/train*.tfrec",
        train="tfrecords/train{n:02d}-{count}.tfrec",
        test="tfrecords/test{n:02d}-{count}.tfrec",
        told=frozenset(
            {"image", NAME, "patient_id", "sex", "age_approx", "anatom_site_general_challenge"}
        ),
        tested_on=("train00-2071.tfrec", "train06-2071.tfrec"),
    ),
}


def names_in(shard: Path) -> list[str]:
    """Return the names of a shard's pictures.

    Raises
    ------
    RawDataError
        When the shard is broken or a record has no name.
    """
    names = []
    for number, record in enumerate(records(shard)):
        try:
            name = feature(record, NAME)
        except (ValueError, IndexError) as error:
            raise RawDataError(f"{shard}: record {number} is no Example: {error}") from error
        if name is None:
            raise RawDataError(f"{shard}: expected a feature {NAME} in record {number}.")
        names.append(name.decode())
    return names


def shards_of(spec: Competition, work: Work) -> tuple[list[Path], list[Path]]:
    """Return the shards of the train and of the test part, in their published order.

    Raises
    ------
    RawDataError
        When there are none, or one of the test part is missing.
    """
    shards = SHARDS[spec.id]
    found = [path for _, path in work.matching(shards.raw)]
    if not found:
        raise RawDataError(f"Expected files {shards.raw} in {work.raw}, found none.")
    if not shards.tested_on:
        return drawn(found, spec.split)
    test = [path for path in found if path.name in shards.tested_on]
    if len(test) != len(shards.tested_on):
        raise RawDataError(
            f"{work.raw}: expected {', '.join(shards.tested_on)} among {shards.raw}, "
            f"found {', '.join(p.name for p in test) or 'neither'}."
        )
    return [path for path in found if path not in test], test


def split(spec: Competition, work: Work) -> Parts:
    """Take the rows whose pictures are in the test part's shards; rows keep their raw order."""
    frame = raw_table(spec, work, spec.split.on)
    _, shards = shards_of(spec, work)
    in_test = frame[spec.submission.key[0]].isin({n for shard in shards for n in names_in(shard)})
    return Parts(frame[~in_test], frame[in_test])


def copy_shards(spec: Competition, work: Work, _: Parts, trees: Trees) -> None:
    """Copy the shards under new names; ``fixed`` leaves the labels out of those of the test part.

    Notes
    -----
    Checksums of records that are written anew take about a minute per GiB.
    """
    shards = SHARDS[spec.id]
    train, test = shards_of(spec, work)
    for paths, pattern in ((train, shards.train), (test, shards.test)):
        for n, path in enumerate(paths):
            target = trees.public / pattern.format(n=n, count=path.stem.split("-")[1])
            target.parent.mkdir(parents=True, exist_ok=True)
            if spec.variant == "v1" or pattern == shards.train:
                shutil.copyfile(path, target)
                continue
            with target.open("wb") as stream:
                for record in records(path):
                    stream.write(framed(keeping(record, shards.told)))


def write_miniature(spec: Competition, folder: Path, seed: int) -> None:
    """Write shards of a few records each, with the label as it was published."""
    import numpy as np

    from competitions.work import read_raw

    rng = np.random.default_rng(seed)
    table = read_raw(folder / spec.split.on)
    key, target = spec.submission.key[0], spec.targets[0]
    rows = table.iloc[rng.permutation(len(table))]
    shards = SHARDS[spec.id]
    count = shards.tested_on[0].partition("-")[2] if shards.tested_on else f"{_ROWS_A_SHARD}.tfrec"
    for n, first in enumerate(range(0, len(rows), _ROWS_A_SHARD)):
        part = rows.iloc[first : first + _ROWS_A_SHARD]
        name = shards.train.partition("{")[0] + f"{n:02d}-{count}"
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        content = b"".join(
            framed(
                example_of({"image": rng.bytes(40), NAME: str(name).encode(), "target": int(label)})
            )
            for name, label in zip(part[key], part[target], strict=True)
        )
        path.write_bytes(content)


HOOKS = Hooks(split=split, finish=copy_shards, miniature=write_miniature)
