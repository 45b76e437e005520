"""Products as a stream of BSON documents, split without ever holding their pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from competitions.errors import MissingLibraryError, RawDataError
from competitions.hooks import Hooks
from competitions.io import listed
from competitions.splits import Parts, random_rows

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from competitions.outputs import Trees
    from competitions.spec import Competition
    from competitions.work import Work

TRAIN, TEST, EXAMPLE = "train.bson", "test.bson", "train_example.bson"
N_EXAMPLES = 100
_LENGTH = 4  # bytes; a document begins with its own length
_SHORTEST = 5  # bytes of an empty document


def documents(path: Path) -> Iterator[bytes]:
    """Yield the documents of a BSON stream, undecoded and one in memory at a time.

    Raises
    ------
    RawDataError
        When the stream ends within a document.

    References
    ----------
    https://bsonspec.org/spec.html
    """
    with path.open("rb") as stream:
        while head := stream.read(_LENGTH):
            length = int.from_bytes(head, "little")
            rest = stream.read(max(length - _LENGTH, 0))
            if length < _SHORTEST or len(head) + len(rest) != length or rest[-1]:
                raise RawDataError(f"{path} is no whole stream of BSON documents.")
            yield head + rest


def decoded(document: bytes, path: Path) -> dict[str, Any]:
    """Decode a document.

    Raises
    ------
    MissingLibraryError
        Without pymongo.
    RawDataError
        When it is no BSON, or lacks ``_id`` or ``category_id``.
    """
    try:
        import bson
    except ImportError as error:
        raise MissingLibraryError("pymongo", f"{path.name} cannot be read") from error
    try:
        found: dict[str, Any] = bson.decode(document)
    except bson.errors.BSONError as error:
        raise RawDataError(f"{path} cannot be read: {error}") from error
    if {"_id", "category_id"} - set(found):
        raise RawDataError(
            f"{path}: expected documents with _id and category_id, found {listed(sorted(found))}."
        )
    return found


def split(spec: Competition, work: Work) -> Parts:
    """Draw products at random; the test part is sorted by their ids."""
    import pandas as pd

    path = work.path(TRAIN)
    if not path.is_file():
        raise RawDataError(f"Expected {TRAIN} in {work.raw}, found none.")
    rows = [
        (found["_id"], found["category_id"])
        for found in (decoded(document, path) for document in documents(path))
    ]
    frame = pd.DataFrame(rows, columns=[*spec.submission.key, *spec.targets])
    train, test = random_rows(frame, spec.split)
    return Parts(train, test.sort_values(list(spec.submission.key)))


def write_streams(spec: Competition, work: Work, parts: Parts, trees: Trees) -> None:
    """Write the documents of both parts in raw order; those of the test part lose their category.

    Notes
    -----
    Documents of the train part are copied byte by byte. One product's pictures are in memory at a
    time, besides the ids of the test part.
    """
    import bson

    (target,) = spec.targets
    in_test = set(parts.test[spec.submission.key[0]])
    path, n_train = work.path(TRAIN), 0
    with (
        (trees.public / TRAIN).open("wb") as train,
        (trees.public / TEST).open("wb") as test,
        (trees.public / EXAMPLE).open("wb") as example,
    ):
        for document in documents(path):
            found = decoded(document, path)
            if found["_id"] in in_test:
                test.write(bson.encode({k: v for k, v in found.items() if k != target}))
                continue
            train.write(document)
            if n_train < N_EXAMPLES:
                example.write(document)
            n_train += 1


def write_miniature(_: Competition, folder: Path, seed: int) -> None:
    """Write products with one to four small pictures each."""
    import bson
    import numpy as np

    from competitions.miniature_files import make_file
    from competitions.shapes import EachFile

    rng = np.random.default_rng(seed)
    picture = folder / ".picture.jpg"
    ids = np.cumsum(rng.integers(1, 9, 160))
    with (folder / TRAIN).open("wb") as stream:
        for number in rng.permutation(ids):
            images = []
            for _n in range(int(rng.integers(1, 5))):
                make_file(picture, EachFile(kind="jpg", size=(8, 8, 3)), rng)
                images.append({"picture": picture.read_bytes()})
            category = 1000010653 + int(rng.integers(6)) * 7
            stream.write(bson.encode({"_id": int(number), "imgs": images, "category_id": category}))
    picture.unlink()


HOOKS = Hooks(split=split, finish=write_streams, miniature=write_miniature)
