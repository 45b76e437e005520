"""Whether what files show from outside tells answers: planted leaks, and honest files."""

from __future__ import annotations

import io
import os
import tarfile
import zipfile

import numpy as np
import pytest
from PIL import Image

from audit.check import check
from detectors.dataset import Dataset
from detectors.leakage.file_metadata_encodes_target import FileMetadataEncodesTarget
from reports.schema import Confidence, Outcome, Quantity, Severity

N = 48
CLASSES = np.random.default_rng(0).integers(0, 2, N)
NUMBERS = np.random.default_rng(1).normal(size=N).round(4)
START = 1_700_000_000


def picture(width=8, height=8, kind="PNG", seed=0, **options):
    pixels = np.random.default_rng(seed).integers(0, 255, (height, width, 3), dtype=np.uint8)
    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, kind, **options)
    return stream.getvalue()


def dated(text):
    exif = Image.Exif()
    exif[306] = text
    return {"exif": exif, "kind": "JPEG"}


@pytest.fixture
def with_files(made):
    """Return a builder of data with a file for each test row, all of one time unless told."""

    def build(answers, content=None, name=None, when=None, **options):
        data = made(answers, **options)
        for n, one in enumerate(ids_of(data)):
            path = data.public / (name(n, one) if name else f"test/{one}.png")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content(n) if content else picture(seed=n))
            os.utime(path, (START, START + (when(n) if when else 0)))
        return data

    return build


def ids_of(data, table="test.csv"):
    import pandas as pd

    return pd.read_csv(data.public / table, dtype=str)["id"].tolist()


PLANTED = {
    "size": {"content": lambda n: picture(kind="BMP", height=8 + 9 * int(CLASSES[n]) + n % 3)},
    "time": {"when": lambda n: 86_400 * int(CLASSES[n]) + n % 7},
    "folder": {"name": lambda n, one: f"test/{'ab'[CLASSES[n]]}/{one}.png"},
    "suffix of the name": {"name": lambda n, one: f"test/{one}_{'xy'[CLASSES[n]]}.png"},
    "date in EXIF": {
        "content": lambda n: picture(seed=n, **dated(f"2020:0{1 + CLASSES[n]}:01 00:00:{n:02}")),
        "name": lambda _n, one: f"test/{one}.jpg",
    },
    "quality": {
        "content": lambda n: picture(kind="JPEG", quality=50 + 20 * int(CLASSES[n])),
        "name": lambda _n, one: f"test/{one}.jpg",
    },
}


@pytest.mark.parametrize("planted", PLANTED.values(), ids=PLANTED)
def test_what_is_planted_is_found(with_files, planted):
    (first, *_rest) = FileMetadataEncodesTarget().detect(with_files(CLASSES, **planted))

    assert first.severity is Severity.HIGH
    (quantity,) = first.evidence
    assert isinstance(quantity, Quantity)
    assert quantity.value == 1.0
    assert (quantity.reference or 0) < 0.8


def test_times_in_the_order_of_numbers_are_found(with_files):
    data = with_files(NUMBERS, when=lambda n: 3600 * int(np.argsort(np.argsort(NUMBERS))[n]))

    (first, *_rest) = FileMetadataEncodesTarget().detect(data)

    assert "time" in first.message


@pytest.mark.parametrize("kind", ["zip", "tar"])
def test_the_place_in_an_archive_is_found(made, kind):
    data = made(CLASSES)
    names = [ids_of(data)[n] for n in np.argsort(CLASSES, kind="stable")]
    if kind == "zip":
        with zipfile.ZipFile(data.public / "test.zip", "w") as packed:
            for one in names:
                packed.writestr(zipfile.ZipInfo(f"test/{one}.png"), picture())
    else:
        with tarfile.open(data.public / "test.tar", "w") as packed:
            for one in names:
                entry = tarfile.TarInfo(f"test/{one}.png")
                entry.size = len(picture())
                packed.addfile(entry, io.BytesIO(picture()))

    (found,) = FileMetadataEncodesTarget().detect(data)

    assert "place in the archive" in found.message


HONEST = {
    "one time for all, as a copy leaves it": {},
    "times as they are written": {"when": lambda n: n},
    "sizes by chance": {
        "content": lambda n: picture(width=int(np.random.default_rng(n).integers(5, 25)))
    },
    "numbers in names": {"name": lambda n, one: f"test/{one}_{n:03}.png"},
    "sizes that a public column tells": {
        "content": lambda n: picture(height=8 + 9 * int(CLASSES[n])),
        "height": 8 + 9 * CLASSES,
    },
}


@pytest.mark.parametrize("honest", HONEST.values(), ids=HONEST)
def test_honest_files_are_clean(with_files, honest):
    found = list(FileMetadataEncodesTarget().detect(with_files(CLASSES, **honest)))

    assert [f.message for f in found if f.severity > Severity.LOW and "bytes for" in f.message] == [
        f.message for f in found
    ]


def test_a_size_that_follows_what_is_shown_by_half_is_of_low_severity(with_files):
    sides = 20 + 9 * CLASSES + np.random.default_rng(3).integers(0, 14, N)
    data = with_files(CLASSES, content=lambda n: picture(width=int(sides[n]), height=8))

    found = list(FileMetadataEncodesTarget().detect(data))

    assert {f.severity for f in found} == {Severity.LOW}


def test_without_hidden_answers_train_files_are_looked_at(with_files):
    import pandas as pd

    data = with_files(CLASSES, when=lambda n: 1000 * (n % 2) + n % 5)
    train = pd.read_csv(data.public / "train.csv", dtype={"id": str})
    for n, (one, answer) in enumerate(zip(train["id"], train["y"], strict=True)):
        path = data.public / "train" / f"{one}.png"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(picture())
        os.utime(path, (START, START + 1000 * int(answer) + n % 5))

    found = list(FileMetadataEncodesTarget().detect(Dataset.of_folders(data.public)))

    assert [f.confidence for f in found] == [Confidence.MEDIUM]
    assert "train part" in found[0].message


@pytest.mark.slow
def test_by_chance_few_are_accused(with_files):
    rng = np.random.default_rng
    accused = 0
    for seed in range(8):
        sides = rng(seed).integers(5, 60, N)
        when = rng(seed + 99).permutation(N)
        data = with_files(
            rng(seed + 7).integers(0, 2, N),
            content=lambda n, s=sides: picture(width=int(s[n])),
            when=lambda n, w=when: int(w[n]),
        )
        accused += check(FileMetadataEncodesTarget(), data).outcome is not Outcome.CLEAN

    assert accused == 0


def test_broken_archives_and_pictures_are_told_and_nothing_crashes(with_files):
    data = with_files(CLASSES, content=lambda n: b"\x89PNG\r\n\x1a\n" + bytes([n]) * 40)
    (data.public / "more.zip").write_bytes(b"PK\x03\x04 and no more")
    (data.public / "more.tar").write_bytes(b"nothing")
    (data.public / "link.png").symlink_to("/etc/hostname")

    found = check(FileMetadataEncodesTarget(), data)

    assert [f.severity for f in found.findings] == [Severity.NOTE]
    assert "2 archives" in found.findings[0].message
