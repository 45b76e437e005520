"""CT studies of spines, some with boxes and segmentations: RSNA 2022."""

from __future__ import annotations

import random
import shutil
from typing import TYPE_CHECKING

from competitions.errors import RawDataError
from competitions.hooks import Hooks
from competitions.outputs import write_table
from competitions.splits import Parts
from competitions.work import raw_table

if TYPE_CHECKING:
    from pathlib import Path

    from competitions.outputs import Trees
    from competitions.spec import Competition
    from competitions.work import Work

_STUDY, _BOXES = "StudyInstanceUID", "train_bounding_boxes.csv"
_KINDS = ["patient_overall", *(f"C{n}" for n in range(1, 8))]


def chosen(
    studies: list[str], boxed: set[str], segmented: set[str], share: float, seed: int
) -> tuple[set[str], set[str], set[str]]:
    """Draw studies so that a share of those with boxes, with segmentations and of all is drawn.

    Returns
    -------
    tuple of set of str
        All that are drawn; those whose boxes, and those whose segmentations are handed out.

    Notes
    -----
    One ``random.Random(seed)`` draws from the sorted lists: of those that have both, those that
    have segmentations alone, those that have boxes alone, and of whatever is left in the order
    of `studies`. Numbers are rounded as Python rounds.
    """
    rng = random.Random(seed)  # noqa: S311 - the published seed
    both = [u for u in sorted(boxed) if u in segmented]
    n_both, n_boxed = round(share * len(both)), round(share * len(boxed))
    n_segmented = round(share * len(segmented))
    two = rng.sample(both, n_both)
    alone = [u for u in sorted(segmented) if u not in set(both)]
    shapes = rng.sample(alone, n_segmented - n_both)
    alone = [u for u in sorted(boxed) if u not in set(both)]
    boxes = rng.sample(alone, n_boxed - n_both)
    drawn = {*two, *shapes, *boxes}
    rest = [u for u in studies if u not in drawn]
    drawn |= set(rng.sample(rest, round(share * len(studies)) - len(drawn)))
    return drawn, {*two, *boxes}, {*two, *shapes}


def split(spec: Competition, work: Work) -> Parts:
    """Draw train studies; the test part has a row per study and vertebra.

    Notes
    -----
    ``split.train_size`` is the share that is *learnt from*.
    """
    frame = raw_table(spec, work, spec.split.on)
    boxed = set(raw_table(spec, work, _BOXES)[_STUDY])
    segmented = {path.stem for path in work.path("segmentations").glob("*.nii")}
    share, seed = float(spec.split.train_size or 0), spec.split.seed
    try:
        drawn, with_boxes, with_shapes = chosen(list(frame[_STUDY]), boxed, segmented, share, seed)
    except ValueError as error:
        raise RawDataError(f"{spec.split.on}: too few studies to draw from: {error}.") from error
    in_train = frame[_STUDY].isin(drawn)
    train = frame[in_train].assign(
        boxed=frame[_STUDY].isin(with_boxes), segmented=frame[_STUDY].isin(with_shapes)
    )
    test = frame[~in_train].melt(id_vars=_STUDY, var_name="prediction_type", value_name="fractured")
    return Parts(train, test.assign(row_id=test[_STUDY] + "_" + test["prediction_type"]))


def finish(spec: Competition, work: Work, parts: Parts, trees: Trees) -> None:
    """Write the boxes and copy the segmentations of the train studies that were drawn for them."""
    boxes = raw_table(spec, work, _BOXES)
    kept = set(parts.train.loc[parts.train["boxed"], _STUDY])
    write_table(boxes[boxes[_STUDY].isin(kept)], trees.public / _BOXES)
    (trees.public / "segmentations").mkdir(exist_ok=True)
    for study in parts.train.loc[parts.train["segmented"], _STUDY]:
        name = f"segmentations/{study}.nii"
        shutil.copyfile(work.path(name), trees.public / name)


def miniature(spec: Competition, folder: Path, seed: int) -> None:
    """Write 90 studies, of which a half has boxes, a third segmentations, and some both."""
    import numpy as np

    from competitions.miniature_files import make_file
    from competitions.shapes import EachFile

    rng = np.random.default_rng(seed)
    slices = EachFile(of="", kind="dcm", size=(4, 4))
    names = [f"1.2.826.0.1.3680043.{int(rng.integers(10000))}{n:02d}" for n in range(90)]
    rows = [",".join([_STUDY, *_KINDS])]
    boxes = [f"{_STUDY},x,y,width,height,slice_number"]
    (folder / "segmentations").mkdir()
    for number in rng.permutation(90):
        name = names[number]
        broken = rng.random(7) < 0.1  # noqa: PLR2004
        rows.append(",".join([name, str(int(broken.any())), *(str(int(b)) for b in broken)]))
        for layer in (1, 2):
            make_file(folder / "train_images" / name / f"{layer}.dcm", slices, rng)
        if number % 2 == 0:
            box = [f"{v:.5f}" for v in rng.uniform(10, 300, 4)]
            boxes += [f"{name},{','.join(box)},{layer}" for layer in (1, 2)]
        if number % 3 == 0:
            (folder / "segmentations" / f"{name}.nii").write_bytes(rng.bytes(40))
    (folder / spec.split.on).write_text("\n".join(rows) + "\n")
    (folder / _BOXES).write_text("\n".join(boxes) + "\n")


HOOKS = Hooks(split=split, finish=finish, miniature=miniature)
