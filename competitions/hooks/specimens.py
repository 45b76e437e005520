"""Pictures of species, described by COCO-like JSON: each category is split for itself."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from competitions.errors import RawDataError
from competitions.hooks import Hooks
from competitions.io import listed
from competitions.splits import Parts, drawn

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    import pandas as pd

    from competitions.outputs import Trees
    from competitions.spec import Competition, Split
    from competitions.work import Work

Record = dict[str, Any]
SHOWN = ("images", "info", "licenses")  # of the metadata, what the test part shows


@dataclass(frozen=True)
class Layout:
    """What a task's metadata and pictures are called.

    Patterns may hold ``{category}``, ``{hundred}`` and ``{rest}`` (of the category's number),
    ``{member}`` (counted from 1 in its category), ``{number}`` and ``{thousand}`` (of the place in
    the test part, from 0), ``{id}`` and ``{base}`` (the raw file's own name).

    Parameters
    ----------
    key : str
        Field of an image that names it.
    drawn_from : int
        Categories with fewer images are not drawn from: a single image is trained on, of more the
        last are tested on. 0: every category is drawn from, and must hold two images.
    test_id, train_id, train_file : str or None
        None keeps what there is.
    shows_images_alone : bool
        Whether the test part's metadata are the list of images and nothing else.
    has_top_folder : bool
        Whether file names begin with a folder that the archive of the pictures lacks.
    """

    train: str
    test: str
    test_file: str
    test_id: str | None = "{number}"
    train_id: str | None = None
    train_file: str | None = None
    key: str = "id"
    encoding: str = "utf-8"
    drawn_from: int = 5
    shows_images_alone: bool = False
    has_top_folder: bool = False


LAYOUTS = {
    "herbarium-2020-fgvc7": Layout(
        train="nybg2020/train/metadata.json",
        test="nybg2020/test/metadata.json",
        test_file="images/{thousand:03d}/{number}.jpg",
        encoding="latin-1",
    ),
    "herbarium-2021-fgvc8": Layout(
        train="train/metadata.json",
        test="test/metadata.json",
        test_file="images/{thousand:03d}/{number}.jpg",
    ),
    "herbarium-2022-fgvc9": Layout(
        train="train_metadata.json",
        test="test_metadata.json",
        test_file="{thousand:03d}/test-{number:06d}.jpg",
        train_id="{category:05d}__{member:03d}",
        train_file="{hundred:03d}/{rest:02d}/{id}.jpg",
        key="image_id",
        drawn_from=0,
        shows_images_alone=True,
    ),
    "inaturalist-2019-fgvc6": Layout(
        train="train2019.json",
        test="test2019.json",
        test_file="test2019/{base}",
        test_id=None,
        has_top_folder=True,
    ),
}


@dataclass(frozen=True)
class Specimen:
    """One picture: its record, its annotation, and where the raw file lies."""

    image: Record
    annotation: Record
    picture: str

    @property
    def category(self) -> int:
        """Number of its species."""
        return int(self.annotation["category_id"])


def read_metadata(spec: Competition, work: Work) -> Record:
    """Read the raw metadata.

    Raises
    ------
    RawDataError
        When the file is missing, is no JSON, or lacks a list.
    """
    layout = LAYOUTS[spec.id]
    path = work.path(layout.train)
    if not path.is_file():
        raise RawDataError(f"Expected {layout.train} in {work.raw}, found none.")
    try:
        found: Record = json.loads(path.read_text(encoding=layout.encoding))
    except ValueError as error:  # broken JSON and broken UTF-8
        raise RawDataError(f"{path} cannot be read: {error}") from error
    lacking = [n for n in ("annotations", "images") if n not in found]
    if not layout.shows_images_alone:
        lacking += [n for n in SHOWN[1:] if n not in found]
    if lacking:
        raise RawDataError(f"{path}: expected {', '.join(lacking)}, found {listed(sorted(found))}.")
    return found


def specimens(metadata: Mapping[str, Any], layout: Layout) -> list[Specimen]:
    """Pair annotations and images by their place.

    Raises
    ------
    RawDataError
        When an annotation is not that of the image beside it.
    """
    annotations, images = metadata["annotations"], metadata["images"]
    for number, (annotation, image) in enumerate(zip(annotations, images, strict=False)):
        if annotation["image_id"] != image[layout.key]:
            raise RawDataError(
                f"{layout.train}: expected annotation {number} to be that of image "
                f"{image[layout.key]!r}, found {annotation['image_id']!r}."
            )
    return [
        Specimen(image, annotation, image["file_name"])
        for annotation, image in zip(annotations, images, strict=False)
    ]


def split_category(
    members: list[Specimen], split: Split, drawn_from: int
) -> tuple[list[Specimen], list[Specimen]]:
    """Split the pictures of one category into a train and a test part.

    Notes
    -----
    ``sklearn.model_selection.train_test_split(members, test_size=share, random_state=seed)``, anew
    for each category. With fewer than `drawn_from` pictures nothing is drawn: see `Layout`.

    Raises
    ------
    RawDataError
        When a category that is drawn from has one picture.
    """
    n = len(members)
    if n < drawn_from:
        n_test = max(1, int(n * float(split.test_size or 0))) if n > 1 else 0
        return members[: n - n_test], members[n - n_test :]
    if n == 1:
        raise RawDataError(f"category {members[0].category}: expected at least 2 images, found 1.")
    return drawn(members, split)


def split(spec: Competition, work: Work) -> Parts:
    """Split the pictures category by category; see `competitions.hooks.Hooks`.

    Returns
    -------
    Parts
        Columns: the submission's key and target, ``image`` and ``annotation`` (new records),
        ``picture`` (raw file name) and ``name`` (new one). The train part stands category by
        category, by first appearance; the test part is shuffled.
    """
    layout = LAYOUTS[spec.id]
    categories: dict[int, list[Specimen]] = {}
    for specimen in specimens(read_metadata(spec, work), layout):
        categories.setdefault(specimen.category, []).append(specimen)
    train, test = list[Specimen](), list[Specimen]()
    for members in categories.values():
        kept, tested = split_category(members, spec.split, layout.drawn_from)
        train += [
            _renamed(s, layout, layout.train_id, layout.train_file, member=m)
            for m, s in enumerate(kept, start=1)
        ]
        test += tested
    random.Random(spec.split.seed).shuffle(test)  # noqa: S311 - no secret, the published order
    test = [
        _renamed(s, layout, layout.test_id, layout.test_file, number=n) for n, s in enumerate(test)
    ]
    return Parts(_frame(spec, layout, train), _frame(spec, layout, test))


def _renamed(
    specimen: Specimen,
    layout: Layout,
    id_pattern: str | None,
    file_pattern: str | None,
    member: int = 0,
    number: int = 0,
) -> Specimen:
    """Give records a new id and a new file name where the task does."""
    hundred, rest = divmod(specimen.category, 100)
    facts = {"category": specimen.category, "hundred": hundred, "rest": rest, "member": member}
    facts |= {"number": number, "thousand": number // 1000}
    base = specimen.picture.rpartition("/")[2]
    image, annotation = dict(specimen.image), dict(specimen.annotation)
    if id_pattern is not None:
        image[layout.key] = annotation["image_id"] = id_pattern.format(**facts)
    if file_pattern is not None:
        image["file_name"] = file_pattern.format(**facts, id=image[layout.key], base=base)
    return Specimen(image, annotation, specimen.picture)


def _frame(spec: Competition, layout: Layout, part: list[Specimen]) -> pd.DataFrame:
    import pandas as pd

    (key,), (target,) = spec.submission.key, spec.targets
    names = [s.image["file_name"] for s in part]
    if layout.has_top_folder:
        names = [name.partition("/")[2] for name in names]
    return pd.DataFrame(
        {
            key: [s.image[layout.key] for s in part],
            target: [s.category for s in part],
            "image": [s.image for s in part],
            "annotation": [s.annotation for s in part],
            "picture": [s.picture for s in part],
            "name": names,
        }
    )


def write_metadata(spec: Competition, work: Work, parts: Parts, trees: Trees) -> None:
    """Write the metadata of both parts; those of the test part tell no category."""
    layout, found = LAYOUTS[spec.id], read_metadata(spec, work)
    metadata = {name: of for name, of in found.items() if name not in {"annotations", "images"}}
    del found  # a gigabyte for a million pictures
    train = metadata | {
        "annotations": list(parts.train["annotation"]),
        "images": list(parts.train["image"]),
    }
    images = list(parts.test["image"])
    shown = {name: images if name == "images" else metadata.get(name) for name in SHOWN}
    _dump(train, trees.public / layout.train)
    _dump(images if layout.shows_images_alone else shown, trees.public / layout.test)


def _dump(content: object, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("w", encoding="utf-8") as stream:  # as one text it takes more than the records
        json.dump(content, stream, indent=4, sort_keys=True)


def write_miniature(spec: Competition, folder: Path, seed: int) -> None:
    """Write metadata and pictures of a few species, with one picture, with two and with many."""
    import numpy as np

    from competitions.miniature_files import make_file
    from competitions.shapes import EachFile

    layout, rng = LAYOUTS[spec.id], np.random.default_rng(seed)
    sizes = [2, 3, 5, 9, 14] if not layout.drawn_from else [1, 2, 4, 5, 9, 14, 20]
    numbers = [int(n) for n in rng.choice(1200, len(sizes), replace=False)]
    order = rng.permutation(np.repeat(numbers, sizes))
    images, annotations = list[Record](), list[Record]()
    for place, category in enumerate(map(int, order)):
        image_id: str | int = int(rng.integers(1, 10**9)) * 100 + place
        name = f"{category // 100:03d}/{category % 100:02d}/{image_id}.jpg"
        if spec.id.startswith("herbarium-202") and layout.key == "id":
            name = f"images/{name}"
        elif layout.has_top_folder:
            name = f"train_val2019/Plants/{category}/{image_id:x}.jpg"
        facts = {"license": 0, "width": 8, "height": 8} | {layout.key: image_id}
        images.append(facts | {"file_name": name})
        annotations.append({"id": place, "image_id": image_id, "category_id": category})
        make_file(_picture(spec, folder, name), EachFile(kind="jpg", size=(8, 8, 3)), rng)
    metadata = {"annotations": annotations, "images": images} | _rest(spec, sorted(numbers))
    target = folder / layout.train
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(metadata, ensure_ascii=False), encoding=layout.encoding)


def _picture(spec: Competition, folder: Path, name: str) -> Path:
    pattern = next((f.path for f in spec.raw if "{picture}" in f.path), "{picture}")
    return folder / pattern.replace("{picture}", name)


def _rest(spec: Competition, numbers: Iterable[int]) -> Record:
    """Return the further lists of a task's metadata, with a letter beyond ASCII."""
    extra = {
        "herbarium-2020-fgvc7": ["info", "licenses", "regions"],
        "herbarium-2021-fgvc8": ["info", "licenses", "institutions"],
        "herbarium-2022-fgvc9": ["genera", "distances", "licenses", "institutions"],
        "inaturalist-2019-fgvc6": ["info", "licenses"],
    }[spec.id]
    categories = [{"id": n, "name": f"Café species {n}"} for n in numbers]
    return {"categories": categories} | {name: [{"id": 0, "name": name}] for name in extra}


HOOKS = Hooks(split=split, finish=write_metadata, miniature=write_miniature)
