"""Photographs of camera traps as COCO-like JSON, split by the place where the camera stands."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from competitions.errors import RawDataError
from competitions.hooks import Hooks
from competitions.io import listed, write_text
from competitions.outputs import write_outputs
from competitions.row_files import copy_row_files
from competitions.splits import Parts, drawn

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from competitions.outputs import Trees
    from competitions.spec import Competition, Split
    from competitions.work import Work

Record = dict[str, Any]
TRAIN = "iwildcam2020_train_annotations.json"
TEST = "iwildcam2020_test_information.json"


def completed(records: Sequence[Record]) -> list[Record]:
    """Give every record the fields that any of them has, as a table of them would.

    Fields stand in the order of their first appearance. What a record lacks is NaN; in a field of
    numbers null is NaN, too, and one fraction or gap makes all of its numbers fractions.

    Examples
    --------
    >>> completed([{"a": 1, "b": "x"}, {"a": 2}, {"c": 3, "a": 4, "b": None}])[0]
    {'a': 1, 'b': 'x', 'c': nan}
    """
    names = list(dict.fromkeys(name for record in records for name in record))
    columns = {name: _column([record.get(name, math.nan) for record in records]) for name in names}
    return [{name: columns[name][row] for name in names} for row in range(len(records))]


def _column(cells: list[Any]) -> list[Any]:
    present = [c for c in cells if c is not None]
    is_number = all(isinstance(c, int | float) and not isinstance(c, bool) for c in present)
    are_fractions = len(present) < len(cells) or any(isinstance(c, float) for c in present)
    if not present or not is_number or not are_fractions:
        return cells
    return [math.nan if c is None else float(c) for c in cells]


def places_to_test(images: Sequence[Record], split: Split) -> set[object]:
    """Choose the locations whose images are the test part.

    Notes
    -----
    ``sklearn.model_selection.train_test_split`` of the locations, in the order of their first
    appearance, comes first. Let r = n_test / (n + n_test), with n images in all. While r < share
    the last train location joins the test ones, as their last; then, while r > share, the last test
    location goes back. r = share means share / (1 - share) of the images: 28 % for 0.22.
    """
    from collections import Counter

    sizes = Counter(image["location"] for image in images)
    share = float(split.test_size or 0)
    train, test = drawn(list(sizes), split)
    n = len(images)
    n_test = sum(sizes[place] for place in test)
    while train and n_test / (n + n_test) < share:
        test.append(train.pop())
        n_test += sizes[test[-1]]
    while test and n_test / (n + n_test) > share:
        n_test -= sizes[test.pop()]
    return set(test)


def _read(work: Work, name: str, *lists: str) -> Record:
    path = work.path(name)
    if not path.is_file():
        raise RawDataError(f"Expected {name} in {work.raw}, found none.")
    try:
        found: Record = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise RawDataError(f"{path} cannot be read: {error}") from error
    if set(lists) - set(found):
        raise RawDataError(f"{path}: expected {', '.join(lists)}, found {listed(sorted(found))}.")
    return found


def build(spec: Competition, work: Work, trees: Trees) -> None:
    """Fill both trees; see `competitions.hooks.Hooks`."""
    import pandas as pd

    train = _read(work, TRAIN, "annotations", "images", "categories", "info")
    other = _read(work, TEST, "categories", "info")
    images, annotations = completed(train["images"]), completed(train["annotations"])
    places = places_to_test(images, spec.split)
    in_test = {image["id"] for image in images if image["location"] in places}
    sides = [
        {
            "annotations": [a for a in annotations if (a["image_id"] in in_test) == is_test],
            "images": [i for i in images if (i["id"] in in_test) == is_test],
        }
        for is_test in (False, True)
    ]
    (key,), (target,) = spec.submission.key, spec.targets
    tables = [
        pd.DataFrame(
            {
                key: [a["image_id"] for a in side["annotations"]],
                target: [a["category_id"] for a in side["annotations"]],
            }
        )
        for side in sides
    ]
    write_outputs(spec, work, Parts(*tables), trees)
    names = [pd.DataFrame({key: [i["id"] for i in side["images"]]}) for side in sides]
    copy_row_files(spec, work, trees.public, Parts(*names))
    rest = {"categories": completed(train["categories"]), "info": train["info"]}
    _write(trees.public / TRAIN, sides[0] | rest)
    rest = {"categories": completed(other["categories"]), "info": other["info"]}
    _write(trees.public / TEST, {"images": sides[1]["images"]} | rest)


def _write(target: Path, content: Record) -> None:
    write_text(target, json.dumps(content))


def write_miniature(_: Competition, folder: Path, seed: int) -> None:
    """Write the JSON files and pictures: gaps in fields, and an image with two annotations."""
    import numpy as np

    from competitions.miniature_files import make_file
    from competitions.shapes import EachFile

    rng = np.random.default_rng(seed)
    images, annotations = list[Record](), list[Record]()
    for number in range(160):
        name = f"8{int(rng.integers(1 << 40)):010x}-21bc-{number:03d}"
        image: Record = {"id": name, "file_name": f"{name}.jpg", "location": int(rng.integers(25))}
        image |= {"seq_num_frames": 3} if number % 5 else {"seq_id": None if number % 2 else "é"}
        images.append(image)
        kinds = [int(k) for k in rng.choice([0, 71, 374, 675], 1 + (not number % 8))]
        annotations += [
            {"count": 1, "id": f"a{number}-{k}", "image_id": name, "category_id": kind}
            for k, kind in enumerate(kinds)
        ]
        make_file(folder / "train" / f"{name}.jpg", EachFile(kind="jpg", size=(8, 8, 3)), rng)
    categories = [{"id": k, "name": f"kind {k}", "count": 10 + k} for k in (0, 71, 374, 675)]
    shared: Record = {"categories": categories, "info": {"version": "1", "year": 2020}}
    train = {"annotations": annotations, "images": images} | shared
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / TRAIN, train)
    _write(folder / TEST, shared | {"images": [{"id": "x", "location": 99}]})


HOOKS = Hooks(build=build, miniature=write_miniature)
