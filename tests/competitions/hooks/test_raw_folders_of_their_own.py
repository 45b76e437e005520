"""Raw folders with a form of their own: what is handed on, what is hidden, what is refused."""

from __future__ import annotations

import io
import tarfile
import zipfile

import numpy as np
import pandas as pd  # noqa: TID253
import pytest
from PIL import Image

from competitions.archive import unpack
from competitions.errors import RawDataError
from tests.competitions.hooks.raw import prepared_from


def test_recordings_of_the_other_fold_are_dropped_and_the_rest_numbered_anew(tmp_path):
    raw, data = prepared_from(tmp_path, "mlsp-2013-birds")
    with zipfile.ZipFile(raw / "mlsp_contest_dataset.zip") as archive:
        root = "mlsp_contest_dataset/essential_data"
        folds = pd.read_csv(archive.open(f"{root}/CVfolds_2.txt"))
        names = pd.read_csv(archive.open(f"{root}/rec_id2filename.txt"))["filename"]
    kept = folds.index[folds["fold"] == 0]
    new = pd.read_csv(data / "public/essential_data/rec_id2filename.txt")
    labels = (data / "public/essential_data/rec_labels_test_hidden.txt").read_text().splitlines()
    hidden = {int(line.split(",")[0]) for line in labels if line.endswith(",?")}
    answers = pd.read_csv(data / "private/answers.csv")

    assert new["filename"].tolist() == names[kept].tolist()
    assert new["rec_id"].tolist() == list(range(len(kept)))
    assert hidden == set(answers["Id"] // 100)
    assert len(hidden) == 13
    assert len(list((data / "public/essential_data/src_wavs").iterdir())) == len(kept)


def test_a_test_image_of_unknown_size_is_told(tmp_path):
    def forget(raw):
        path = raw / "HuBMAP-20-dataset_information.csv"
        path.write_text("\n".join(path.read_text().splitlines()[:3]) + "\n")

    with pytest.raises(RawDataError, match="one row for each of 3 test images"):
        prepared_from(tmp_path, "hubmap-kidney-segmentation", forget)


@pytest.mark.parametrize("variant", ["v1", "fixed"])
def test_outlines_of_test_images_are_hidden_where_that_is_mended(tmp_path, variant):
    _, data = prepared_from(tmp_path, "hubmap-kidney-segmentation", variant=variant)
    test = pd.read_csv(data / "private/test.csv")["id"]
    found = [(data / f"public/test/{name}.json").exists() for name in test]

    assert set(found) == {variant == "v1"}


def test_what_shows_the_ink_is_hidden_and_slices_are_not(tmp_path):
    raw, data = prepared_from(tmp_path, "vesuvius-challenge-ink-detection")
    test = {
        p.relative_to(data / "public/test/a").as_posix()
        for p in (data / "public/test").rglob("*.*")
    }

    assert test == {"mask.png", *(f"surface_volume/{n:02d}.tif" for n in range(3))}
    answer = pd.read_csv(data / "private/inklabels_rle.csv").iloc[0]
    with Image.open(raw / "train/3/ir.png") as picture:
        assert (answer["width"], answer["height"]) == picture.size
    assert answer["Id"] == "a"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        pytest.param(lambda r: (r / "train/3/notes.txt").write_text("x"), "notes", id="odd-file"),
        pytest.param(lambda r: (r / "train/3/ir.png").unlink(), "ir.png", id="no-picture"),
        pytest.param(
            lambda r: (r / "train/3/inklabels_rle.csv").write_text("Id,Predicted\n3,1 1\n4,1 1\n"),
            "one row, found 2",
            id="two-rows",
        ),
    ],
)
def test_a_fragment_of_another_form_is_told(tmp_path, change, said):
    with pytest.raises(RawDataError, match=said):
        prepared_from(tmp_path, "vesuvius-challenge-ink-detection", change)


def test_masks_of_contrails_are_answers_and_hidden(tmp_path):
    raw, data = prepared_from(tmp_path, "google-research-identify-contrails-reduce-global-warming")
    answers = pd.read_csv(data / "private/answers.csv", dtype=str).set_index("record_id")
    assert not list((data / "public/test").rglob("human_*"))
    for record, text in answers["encoded_pixels"].items():
        mask = np.load(raw / f"train/{record}/human_pixel_masks.npy")[..., 0]
        pixels = [i + 1 for i, value in enumerate(mask.T.ravel()) if value == 1]
        numbers = [] if text == "-" else [int(n) for n in text.split()]
        runs = zip(numbers[::2], numbers[1::2], strict=True)
        assert [n for start, length in runs for n in range(start, start + length)] == pixels


def test_later_days_of_train_patients_are_test_days(tmp_path):
    raw, data = prepared_from(tmp_path, "uw-madison-gi-tract-image-segmentation")
    days = {
        p.name: sorted(int(d.name.split("day")[1]) for d in p.iterdir())
        for p in (raw / "train").iterdir()
    }
    kept = {
        p.name: sorted(int(d.name.split("day")[1]) for d in p.iterdir())
        for p in (data / "public/train").iterdir()
    }

    assert len(kept) == len(days) - 2
    assert all(own == days[case][:4] for case, own in kept.items())
    assert any(len(own) > 4 for case, own in days.items() if case in kept)


def test_a_slice_without_a_picture_is_told(tmp_path):
    def lose_pictures(raw):
        for path in (raw / "train").rglob("slice_0002_*.png"):
            path.unlink()

    with pytest.raises(RawDataError, match="slice_0002"):
        prepared_from(tmp_path, "uw-madison-gi-tract-image-segmentation", lose_pictures)


def test_a_test_picture_has_a_message_if_and_only_if_its_label_says_so(tmp_path):
    raw, data = prepared_from(tmp_path, "alaska2-image-steganalysis")
    covers = {p.read_bytes() for p in (raw / "Cover").iterdir()}
    answers = pd.read_csv(data / "private/test.csv")
    is_cover = [(data / "public/Test" / n).read_bytes() in covers for n in answers["Id"]]

    assert answers["Label"].tolist() == [int(not c) for c in is_cover]
    assert set(answers["Label"]) == {0, 1}


def test_sounds_of_another_board_are_told(tmp_path):
    def rename(raw):
        path = raw / "sample_submission.csv"
        header, first, *rest = path.read_text().splitlines()
        path.write_text("\n".join([header, "x" + first, *rest]) + "\n")

    with pytest.raises(RawDataError, match="clips of the final board"):
        prepared_from(tmp_path, "freesound-audio-tagging-2019", rename)


def test_what_was_published_later_stays_private(tmp_path):
    raw, data = prepared_from(tmp_path, "freesound-audio-tagging-2019")

    assert (raw / "FSDKaggle2019.meta.zip").is_file()
    assert not [p for p in (data / "public").rglob("*") if "meta" in p.name or p.name[0] == "."]


def test_the_sessions_of_the_fourth_archive_are_tested_on_with_their_zeros(tmp_path):
    _, data = prepared_from(tmp_path, "multi-modal-gesture-recognition")
    lines = (data / "public/test.csv").read_text().splitlines()

    assert lines == ["Id", *(f"{n:04d}" for n in range(37, 46))]
    assert (data / "public/test.tar.gz").is_file()
    assert not (data / "public/training4.tar.gz").exists()


def test_mended_speakers_are_in_one_part_and_ten_words_count(tmp_path):
    raw, data = prepared_from(tmp_path, "tensorflow-speech-recognition-challenge", variant="fixed")
    unpack(raw / "train.7z", tmp_path / "raw-files")
    speakers = {p.read_bytes(): p.name.split("_")[0] for p in tmp_path.glob("raw-files/*/*/*/*")}
    words = {p.read_bytes(): p.parent.name for p in tmp_path.glob("raw-files/*/*/*/*")}
    train = [p.read_bytes() for p in (data / "public/train").rglob("*.wav")]
    answers = pd.read_csv(data / "private/test.csv")
    test = [(data / "public/test/audio" / name).read_bytes() for name in answers["fname"]]
    spoken = {speakers[s] for s in train if words[s] != "_background_noise_"}

    assert not spoken & {speakers[s] for s in test}
    assert "_background_noise_" not in {words[s] for s in test}
    kept = {"yes", "no", "on", "off"}
    assert answers["label"].tolist() == [w if (w := words[s]) in kept else "unknown" for s in test]
    assert len(train) + len(test) == len(words)


@pytest.mark.parametrize("variant", ["v1", "fixed"])
def test_labels_in_the_test_archive_are_hidden_where_that_is_mended(tmp_path, variant):
    _, data = prepared_from(tmp_path, "multi-modal-gesture-recognition", variant=variant)
    ends = set()
    with tarfile.open(data / "public/test.tar.gz") as archive:
        sessions = archive.getmembers()
        for entry in sessions:
            stream = archive.extractfile(entry)
            assert stream is not None
            with zipfile.ZipFile(io.BytesIO(stream.read())) as session:
                assert session.testzip() is None
                ends |= {name.rpartition(".")[2] for name in session.namelist()}

    assert len(sessions) == 9
    assert ends == ({"wav", "mat"} if variant == "v1" else {"wav"})
