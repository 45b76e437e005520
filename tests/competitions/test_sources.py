import numpy as np
import pytest

from competitions import spec
from competitions.errors import (
    DigestMismatchError,
    RawDataError,
    RefusedError,
    UnknownNameError,
    UsageError,
)
from competitions.io import sha256_file
from competitions.miniature import MARKER, write_miniature
from competitions.sources import SOURCES, Request, default_source
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

    assert raw.kind == "embedded"
    assert sha256_file(raw.folder / "data.csv") == task.source.sha256


@pytest.mark.parametrize("competition_id", EMBEDDED)
def test_neither_ids_nor_groups_give_the_answer_away(tmp_path, competition_id):
    task = spec.load(competition_id)
    raw = SOURCES["embedded"](request(tmp_path, task))
    frame = read_table(raw.folder / "data.csv")
    (target,) = task.targets
    other = "mode" if competition_id == "modechoice" else target
    taken = frame[frame[target] == 1] if competition_id == "modechoice" else frame

    assert abs(np.corrcoef(frame["id"], frame[target])[0, 1]) < 0.15
    for entity in task.entities:
        assert abs(np.corrcoef(taken[entity.column], taken[other])[0, 1]) < 0.15


def test_the_travel_table_has_four_rows_per_person_and_one_choice(tmp_path):
    raw = SOURCES["embedded"](request(tmp_path, spec.load("modechoice")))
    persons = read_table(raw.folder / "data.csv").groupby("individual")

    assert len(persons) == 210
    assert (persons.size() == 4).all()
    assert (persons["choice"].sum() == 1).all()


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


def test_kaggle_says_how_to_place_the_files_by_hand(tmp_path):
    with pytest.raises(RawDataError) as caught:
        SOURCES["kaggle"](request(tmp_path, KAGGLE))

    assert "not part of this version" in caught.value.problem
    for said in ("train.csv", KAGGLE.source.url, "--source local --raw DIR", "--source miniature"):
        assert said in (caught.value.remedy or "")


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
    with pytest.raises(RawDataError, match=r"Expected train\.csv in .*nowhere"):
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
