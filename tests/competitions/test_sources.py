import io

import numpy as np
import pandas as pd  # noqa: TID253
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from PIL import Image

from competitions import spec
from competitions.errors import (
    DigestMismatchError,
    RawDataError,
    RefusedError,
    UnknownNameError,
    UsageError,
)
from competitions.io import sha256_file, sha256_tree
from competitions.miniature import MARKER, write_miniature
from competitions.sources import SOURCES, Request, default_source
from competitions.sources.embedded import EMBEDDED as EMBEDDED_DATA
from competitions.sources.embedded.digits import png
from competitions.submission import read_table

KAGGLE = spec.load("spaceship-titanic")
EMBEDDED = [i for i in spec.catalog_ids() if spec.load(i).source.kind == "embedded"]


def request(tmp_path, task, **arguments):
    (tmp_path / "scratch").mkdir(exist_ok=True)
    return Request(task, tmp_path / "scratch", tmp_path / "raw", **arguments)


@pytest.mark.parametrize("competition_id", EMBEDDED)
def test_an_embedded_table_is_the_pinned_one(tmp_path, competition_id):
    task = spec.load(competition_id)
    raw = SOURCES["embedded"](request(tmp_path, task))
    has_files = any(p.is_dir() for p in raw.folder.iterdir())
    digest = sha256_tree(raw.folder) if has_files else sha256_file(raw.folder / "data.csv")

    assert raw.kind == "embedded"
    assert has_files == bool(task.files)
    assert digest == task.source.sha256


@pytest.mark.parametrize("competition_id", EMBEDDED)
def test_neither_ids_nor_groups_give_the_answer_away(tmp_path, competition_id):
    task = spec.load(competition_id)
    raw = SOURCES["embedded"](request(tmp_path, task))
    frame = read_table(raw.folder / "data.csv")
    (target,) = task.targets
    if task.split.method == "time_tail":
        assert frame[task.split.time].is_monotonic_increasing  # the date tells what the id does
        return
    if not pd.api.types.is_numeric_dtype(frame[target]):
        frame[target] = frame[target].astype("category").cat.codes
    other = "mode" if competition_id == "modechoice" else target
    taken = frame[frame[target] == 1] if competition_id == "modechoice" else frame

    assert abs(np.corrcoef(frame["id"], frame[target])[0, 1]) < 0.15
    assert (frame[target] == frame[target].shift()).mean() < (
        (frame[target].value_counts(normalize=True) ** 2).sum() + 0.1
    )
    for entity in task.entities:
        assert abs(np.corrcoef(taken[entity.column], taken[other])[0, 1]) < 0.15


def test_the_travel_table_has_four_rows_per_person_and_one_choice(tmp_path):
    raw = SOURCES["embedded"](request(tmp_path, spec.load("modechoice")))
    persons = read_table(raw.folder / "data.csv").groupby("individual")

    assert len(persons) == 210
    assert (persons.size() == 4).all()
    assert (persons["choice"].sum() == 1).all()


def test_each_place_name_has_one_language_and_each_place_has_a_language_once():
    frame = EMBEDDED_DATA["place-names"].table()

    assert not frame["name"].str.casefold().duplicated().any()
    assert not frame.duplicated(["place", "language"]).any()
    assert 1500 <= len(frame) <= 4000
    assert frame["language"].value_counts().min() >= 80
    labels = spec.load("place-names").submission.columns["language"].labels
    assert set(frame["language"]) == set(labels)


def test_the_pictures_hold_the_pixels_of_the_library_under_the_labels_ids():
    from sklearn.datasets import load_digits

    data = EMBEDDED_DATA["digit-images"]
    assert data.files is not None
    pictures = dict(data.files())
    labels = data.table()
    source = {tuple(p.ravel()): t for p, t in zip(load_digits().images, load_digits().target)}  # noqa: B905

    assert pictures.keys() == {f"images/{i}.png" for i in labels["id"]}
    for row in labels.itertuples():
        with Image.open(io.BytesIO(pictures[f"images/{row.id}.png"])) as picture:
            assert (picture.mode, picture.size) == ("L", (8, 8))
            grey = np.asarray(picture, dtype=float)
        assert source[tuple(np.rint(grey * 16 / 255).ravel())] == row.label


@given(arrays(np.uint8, st.tuples(st.integers(1, 40), st.integers(1, 40))))
def test_a_written_picture_is_read_back_by_pillow_as_it_was(pixels):
    with Image.open(io.BytesIO(png(pixels))) as picture:
        picture.verify()
    with Image.open(io.BytesIO(png(pixels))) as picture:
        assert (np.asarray(picture) == pixels).all()


def test_the_series_has_no_week_twice_and_no_empty_value():
    frame = EMBEDDED_DATA["co2-weekly"].table()
    days = pd.to_datetime(frame["date"])

    assert len(frame) == 2284 - 59
    assert frame["co2"].between(310, 375).all()
    assert set(days.dt.day_name()) == {"Saturday"}
    assert (days.diff().dropna() >= pd.Timedelta(days=7)).all()


def test_other_figures_than_the_pinned_ones_are_refused(tmp_path):
    task = spec.load("modechoice")
    other = task.model_copy(update={"source": task.source.model_copy(update={"sha256": "0" * 64})})

    with pytest.raises(DigestMismatchError, match="expected sha256 0000"):
        SOURCES["embedded"](request(tmp_path, other))


def test_an_unknown_table_and_a_task_of_another_kind_are_refused(tmp_path):
    task = spec.load("modechoice")
    source = task.source.model_copy(update={"dataset": "iris"})

    with pytest.raises(UnknownNameError, match="iris"):
        SOURCES["embedded"](request(tmp_path, task.model_copy(update={"source": source})))
    with pytest.raises(UsageError, match="not embedded"):
        SOURCES["embedded"](request(tmp_path, KAGGLE))
    with pytest.raises(RefusedError, match="--source local"):
        SOURCES["embedded"](request(tmp_path, task, raw=tmp_path))


def test_a_task_that_is_not_from_kaggle_is_not_sent_there(tmp_path):
    with pytest.raises(UsageError, match="not from Kaggle"):
        SOURCES["kaggle"](request(tmp_path, spec.load("modechoice")))


def of_ones_own():
    source = KAGGLE.source.model_copy(update={"kind": "local"})
    return KAGGLE.model_copy(update={"source": source})


def test_a_task_of_ones_own_takes_the_folder_that_is_named(tmp_path):
    task = of_ones_own()
    write_miniature(KAGGLE, tmp_path / "mine")
    (tmp_path / "mine" / MARKER).unlink()
    asked = request(tmp_path, task, raw=tmp_path / "mine")

    assert default_source(task, asked) == "local"
    assert SOURCES["local"](asked).folder == tmp_path / "mine"
    assert SOURCES["local"](asked).kind == "local"


def test_a_task_of_ones_own_without_a_folder_says_what_to_name(tmp_path):
    task = of_ones_own()
    assert default_source(task, request(tmp_path, task)) == "local"

    with pytest.raises(UsageError, match="none was named") as caught:
        SOURCES["local"](request(tmp_path, task))
    assert "train.csv" in (caught.value.remedy or "")
    assert "--source local --raw DIR" in (caught.value.remedy or "")


def test_a_local_folder_lacking_a_raw_file_is_refused(tmp_path):
    (tmp_path / "mine").mkdir()
    with pytest.raises(RawDataError, match=r"Expected train\.csv in .*mine"):
        SOURCES["local"](request(tmp_path, KAGGLE, raw=tmp_path / "mine"))
    with pytest.raises(UsageError, match=r"nowhere: expected a folder of raw files"):
        SOURCES["local"](request(tmp_path, KAGGLE, raw=tmp_path / "nowhere"))


def test_a_local_folder_that_holds_a_miniature_is_one(tmp_path):
    write_miniature(KAGGLE, tmp_path / "m")

    assert SOURCES["local"](request(tmp_path, KAGGLE, raw=tmp_path / "m")).kind == "miniature"


def test_a_placed_or_named_folder_goes_before_kaggle(tmp_path):
    assert default_source(KAGGLE, request(tmp_path, KAGGLE)) == "kaggle"
    assert default_source(KAGGLE, request(tmp_path, KAGGLE, raw=tmp_path)) == "local"
    (tmp_path / "raw").mkdir()
    assert default_source(KAGGLE, request(tmp_path, KAGGLE)) == "kaggle"
    (tmp_path / "raw" / "train.csv").write_text("x")
    assert default_source(KAGGLE, request(tmp_path, KAGGLE)) == "local"
    assert default_source(spec.load("modechoice"), request(tmp_path, KAGGLE)) == "embedded"
