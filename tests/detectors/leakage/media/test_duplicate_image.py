import shutil
import struct
import zipfile
import zlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.check import check
from detectors.dataset import Dataset
from detectors.leakage.duplicate_image import DuplicateImage
from detectors.leakage.image_candidates import composed, inverse, turns
from detectors.leakage.image_pixels import (
    PictureError,
    equal_orientation,
    orientations,
    picture_of,
)
from reports.schema import HIDDEN, Outcome, PicturePair, Severity, redact
from tests.detectors.leakage.media.pictures import DISGUISES, as_jpeg, scene, write

pytestmark = pytest.mark.slow  # CI runs them; `make test` has little time

N_TRAIN = 30


@pytest.fixture(scope="module")
def train():
    return {f"train/{i}.png": scene(i) for i in range(N_TRAIN)}


@pytest.fixture(scope="module")
def honest(tmp_path_factory, train):
    root = tmp_path_factory.mktemp("honest")
    write(root, train | {f"test/{i}.png": scene(1000 + i) for i in range(12)})
    return root


@pytest.fixture
def folder(tmp_path, honest):
    return shutil.copytree(honest, tmp_path / "data")


def asked(folder, private=None):
    return check(DuplicateImage(), Dataset.of_folders(folder, private))


def pairs(answer):
    grave = [f for f in answer.findings if f.severity > Severity.NOTE]
    return {(e.left, e.right) for f in grave for e in f.evidence if isinstance(e, PicturePair)}


def test_honest_pictures_are_clean(folder):
    answer = asked(folder)

    assert answer.outcome is Outcome.CLEAN
    assert answer.findings == ()


def test_every_disguise_is_seen_through_and_shown_with_its_source(folder):
    write(
        folder,
        {
            f"test/copy-{n}.png": disguise(scene(n), n)
            for n, disguise in enumerate(DISGUISES.values())
        },
    )
    answer = asked(folder)

    [finding] = answer.findings
    assert finding.message.startswith(f"{len(DISGUISES)} of 21 test pictures")
    for evidence in finding.evidence:
        assert isinstance(evidence, PicturePair)
        number = evidence.left.removeprefix("public/train/")
        assert evidence.right == f"public/test/copy-{number}"
        assert evidence.left_png
        assert evidence.right_png


def test_one_copied_file_is_enough(folder):
    (folder / "test/x.png").write_bytes((folder / "train/3.png").read_bytes())
    answer = asked(folder)

    assert answer.outcome is Outcome.FLAGGED
    assert pairs(answer) == {("public/train/3.png", "public/test/x.png")}
    assert "1 byte for byte" in answer.findings[0].message


@pytest.mark.slow
def test_equal_pixels_in_other_files_are_told_as_that(folder):
    from PIL import Image

    Image.fromarray(scene(5)).save(folder / "test/x.bmp")

    assert "1 pixel for pixel" in asked(folder).findings[0].message


@pytest.mark.parametrize(
    ("pixels", "why"),
    [
        pytest.param(np.full((64, 64), 255, np.uint8), "blank", id="blank"),
        pytest.param(
            np.eye(8, dtype=np.uint8) * 255, "a line", id="too-simple", marks=pytest.mark.slow
        ),
    ],
)
def test_pictures_that_are_equal_by_chance_are_a_note(folder, pixels, why):
    write(folder, {"train/blank.png": pixels, "test/blank.png": pixels})
    answer = asked(folder)

    assert answer.outcome is Outcome.CLEAN, why
    assert [f.severity for f in answer.findings] == [Severity.NOTE]


@pytest.mark.slow
def test_a_placeholder_that_stands_often_in_the_train_part_is_a_note(folder):
    same = {f"train/none-{i}.png": scene(77) for i in range(5)}
    write(folder, same | {"test/none.png": scene(77)})
    answer = asked(folder)

    assert answer.outcome is Outcome.CLEAN
    assert any("to be expected" in f.message for f in answer.findings)


def test_members_of_archives_are_pictures_too(tmp_path, train):
    write(tmp_path, {n: p for n, p in train.items() if "train/1" <= n < "train/3"})
    with zipfile.ZipFile(tmp_path / "test.zip", "w") as archive:
        archive.writestr("test/x.png", (tmp_path / "train/1.png").read_bytes())

    assert pairs(asked(tmp_path)) == {("public/train/1.png", "public/test.zip/test/x.png")}


def test_tables_say_which_part_a_file_is_of(tmp_path):
    write(tmp_path, {f"images/{i}.png": scene(i) for i in range(40)})
    write(tmp_path, {"images/39.png": as_jpeg(scene(2), 60)})
    rows = "\n".join(f"{i},{i % 2}" for i in range(30))
    (tmp_path / "train.csv").write_text(f"id,label\n{rows}\n")
    (tmp_path / "test.csv").write_text("id\n" + "\n".join(map(str, range(30, 40))) + "\n")
    answer = check(DuplicateImage(), Dataset.of_folders(tmp_path, key=("id",)))

    assert pairs(answer) == {("public/images/2.png", "public/images/39.png")}


@pytest.mark.slow
def test_a_private_picture_is_shown_only_when_asked_for(tmp_path, train):
    write(tmp_path / "public", train)
    write(tmp_path / "private", {"answers/1.png": as_jpeg(scene(1)), "answers/2.png": scene(900)})
    [finding] = asked(tmp_path / "public", tmp_path / "private").findings
    [shown] = finding.evidence
    [hidden] = redact(finding).evidence

    assert isinstance(shown, PicturePair)
    assert isinstance(hidden, PicturePair)
    assert (shown.right, shown.right_png) == ("private/answers/1.png", None)
    assert shown.private_png
    assert hidden.private_png == HIDDEN


def bomb():
    header = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 0, 0, 0, 0)

    def chunk(kind, body):
        return (
            struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        )

    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(1000))) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


BROKEN = [
    pytest.param(b"", id="empty"),
    pytest.param(b"\x89PNG\r\n\x1a\nrubbish", id="rubbish"),
    pytest.param(bomb(), id="bomb"),
    pytest.param(b"GIF89a" + bytes(4), id="cut-gif"),
    pytest.param(b"II*\x00\xff\xff\xff\xff", id="tiff-points-outside"),
]


@pytest.mark.parametrize("data", BROKEN)
def test_bytes_that_are_no_picture_are_refused(data):
    with pytest.raises(PictureError):
        picture_of(data)


def test_a_few_broken_pictures_are_told_and_the_rest_is_looked_at(folder):
    (folder / "test/broken.png").write_bytes(bomb())
    (folder / "test/link.png").symlink_to("/etc/hostname")
    (folder / "test/copy.png").write_bytes((folder / "train/3.png").read_bytes())
    answer = asked(folder)

    assert answer.outcome is Outcome.FLAGGED
    assert any("1 could not be read" in f.message for f in answer.findings)
    assert any("1 link not followed" in f.message for f in answer.findings)


@pytest.mark.slow
def test_many_broken_pictures_are_never_clean(folder):
    for i in range(20):
        (folder / f"test/broken-{i}.png").write_bytes(b"rubbish")
    answer = asked(folder)

    assert answer.outcome is Outcome.NOT_AVAILABLE
    assert "20 of 62 pictures could not be read" in (answer.reason or "")


def test_pictures_of_no_known_part_are_not_clean(tmp_path):
    write(tmp_path, {f"{i}.png": scene(i, 32) for i in range(4)})
    answer = asked(tmp_path)

    assert answer.outcome is Outcome.NOT_AVAILABLE
    assert "4 of neither" in (answer.reason or "")


def test_data_without_pictures_are_not_asked(tmp_path):
    (tmp_path / "train.csv").write_text("a,b\n1,2\n")

    assert asked(tmp_path).outcome is Outcome.NOT_APPLICABLE


@pytest.mark.slow
def test_of_a_huge_folder_an_even_sample_is_compared_and_said(folder):
    answer = check(DuplicateImage(max_pictures=28), Dataset.of_folders(folder))

    assert answer.outcome is Outcome.CLEAN
    assert "21 of 30 train and 7 of 12 test pictures" in answer.findings[0].message


@given(st.integers(0, 7), st.integers(0, 7))
@settings(deadline=None, max_examples=20)
def test_maps_of_flips_and_turns_undo_one_another(one, other):
    both = composed(turns()[one], inverse(turns()[other]))

    assert any(np.allclose(both, turn) for turn in turns())


@pytest.mark.parametrize("turn", range(8))
def test_each_flip_and_turn_is_named(turn):
    pixels = scene(4, 32)[:, :20]

    assert equal_orientation(orientations(pixels)[turn], pixels) == turn


@pytest.mark.slow
def test_many_honest_digits_look_alike_and_are_clean(tmp_path):
    from sklearn.datasets import load_digits

    digits = [(i * 255 / 16).astype(np.uint8) for i in load_digits().images[:900]]
    sides = {n: "test" if n % 4 == 0 else "train" for n in range(len(digits))}
    write(tmp_path, {f"{sides[n]}/{n}.png": pixels for n, pixels in enumerate(digits)})

    assert asked(tmp_path).outcome is Outcome.CLEAN
