"""Raw files that are cut, empty, gone or of another schema: one error, and nothing is left."""

from __future__ import annotations

import errno
import json
import shutil
import zipfile
from typing import TYPE_CHECKING

import pandas as pd  # noqa: TID253
import pytest

from competitions.data import layout_of
from competitions.errors import (
    DiskFullError,
    MleAuditError,
    RawDataError,
    RefusedError,
    UnknownNameError,
)
from competitions.miniature import MARKER, write_miniature
from competitions.prepare import prepare
from competitions.shapes import RawFile
from competitions.sources import SOURCES
from competitions.spec import load
from competitions.work import require_schema

if TYPE_CHECKING:
    from pathlib import Path

# One task of each format, and its raw file that is read.
FILES = {
    "csv": ("spaceship-titanic", "train.csv"),
    "csv-with-quotes": ("lmsys-chatbot-arena", "train.csv"),
    "tsv-in-zip": ("movie-review-sentiment-analysis-kernels-only", "train.tsv.zip"),
    "csv-in-zip": ("leaf-classification", "train.csv.zip"),
    "zip": ("aerial-cactus-identification", "train.zip"),
    "7z": ("invasive-species-monitoring", "train.7z"),
    "tar.gz": ("multi-modal-gesture-recognition", "training4.tar.gz"),
    "tar.gz-of-pictures": ("inaturalist-2019-fgvc6", "train_val2019.tar.gz"),
    "parquet": ("icecube-neutrinos-in-deep-ice", "train_meta.parquet"),
    "json": ("random-acts-of-pizza", "train.json"),
    "json-of-pictures": ("inaturalist-2019-fgvc6", "train2019.json"),
    "jsonl": ("tensorflow2-question-answering", "simplified-nq-train.jsonl"),
    "json-lines": ("stanford-covid-vaccine", "train.json"),
    "bson": ("cdiscount-image-classification-challenge", "train.bson"),
    "npy": ("ml2021spring-hw2", "timit_11/timit_11/train_11.npy"),
}


@pytest.fixture(scope="module")
def miniature(tmp_path_factory):
    """Write the raw files of a task once, as if a user had placed them."""
    made: dict[str, Path] = {}

    def of(name: str) -> Path:
        if name not in made:
            made[name] = tmp_path_factory.mktemp("raw") / name
            write_miniature(load(name), made[name])
            (made[name] / MARKER).unlink()
        return made[name]

    return of


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda content: content[: len(content) // 2], id="half"),
        pytest.param(lambda _: b"", id="empty"),
        pytest.param(None, id="gone"),
    ],
)
@pytest.mark.parametrize(
    ("name", "file"), [pytest.param(*of, id=kind) for kind, of in FILES.items()]
)
def test_a_file_that_is_not_whole_is_named_and_nothing_is_left(
    miniature, tmp_path, name, file, spoil
):
    task, raw = load(name), miniature(name)
    content = (raw / file).read_bytes()
    (raw / file).unlink()
    if spoil is not None:
        (raw / file).write_bytes(spoil(content))
    try:
        with pytest.raises(MleAuditError) as caught:
            prepare(task, tmp_path, "local", raw)
    finally:
        (raw / file).write_bytes(content)

    assert caught.value.exit_code == 3
    assert file.partition(".")[0].rpartition("/")[2] in str(caught.value)
    assert not layout_of(task, tmp_path).prepared.exists()
    left = [p.name for p in (tmp_path / name).iterdir()] if (tmp_path / name).exists() else []
    assert left in ([], [".prepare.lock"])


def renamed(content: bytes, place: int) -> bytes:
    """Give one column of a table another name."""
    head, end, rest = content.partition(b"\n")
    names = head.split(b",")
    names[place] = b"Another"
    return b",".join(names) + end + rest


@pytest.mark.parametrize("place", [pytest.param(0, id="first"), pytest.param(-1, id="last")])
@pytest.mark.parametrize(
    ("name", "file"),
    [
        pytest.param("spaceship-titanic", "train.csv", id="columns-are-stated"),
        pytest.param("tabular-playground-series-dec-2021", "train.csv", id="columns-are-not"),
        pytest.param("google-quest-challenge", "train.csv", id="rows-by-a-hook"),
        pytest.param("imet-2020-fgvc7", "labels.csv", id="it-is-only-copied"),
        pytest.param("paddy-disease-classification", "sample_submission.csv", id="nobody-reads-it"),
    ],
)
def test_a_column_that_has_another_name_is_told(miniature, tmp_path, name, file, place):
    task, raw = load(name), miniature(name)
    content = (raw / file).read_bytes()
    (raw / file).write_bytes(renamed(content, place))
    try:
        with pytest.raises(RawDataError, match=rf"{file}: expected .*columns .*found"):
            prepare(task, tmp_path, "local", raw)
    finally:
        (raw / file).write_bytes(content)
    assert not layout_of(task, tmp_path).prepared.exists()


@pytest.mark.parametrize(
    ("name", "file"),
    [
        pytest.param("hubmap-kidney-segmentation", "HuBMAP-20-dataset_information.csv", id="facts"),
        pytest.param("freesound-audio-tagging-2019", "sample_submission.csv", id="sample"),
    ],
)
def test_a_column_of_a_side_table_that_has_another_name_is_told(miniature, tmp_path, name, file):
    task, raw = load(name), miniature(name)
    content = (raw / file).read_bytes()
    (raw / file).write_bytes(renamed(content, 0))
    try:
        with pytest.raises(RawDataError, match=rf"{file}: expected the columns"):
            prepare(task, tmp_path, "local", raw)
    finally:
        (raw / file).write_bytes(content)


@pytest.mark.parametrize("variant", ["v1", "fixed"])
def test_a_shard_of_tfrecords_that_is_read_and_cut_is_told(miniature, tmp_path, variant):
    name = "siim-isic-melanoma-classification"
    raw = miniature(name)
    shard = raw / "tfrecords" / "train00-2071.tfrec"
    content = shard.read_bytes()
    shard.write_bytes(content[: len(content) // 2 - 7])  # records of one length: not between two
    try:
        with pytest.raises(MleAuditError, match=shard.name) as caught:
            prepare(load(name, variant), tmp_path, "local", raw)
    finally:
        shard.write_bytes(content)
    assert caught.value.exit_code == 3
    assert not layout_of(load(name, variant), tmp_path).prepared.exists()


def ship(tmp_path, text):
    """Place a table as the raw file of a task without stated columns."""
    folder = tmp_path / "raw"
    folder.mkdir()
    (folder / "data.csv").write_text(text)
    task = load("breast-cancer")
    source = task.source.model_copy(update={"kind": "local"})
    raw = (task.raw[0].model_copy(update={"columns": ()}),)
    return task.model_copy(update={"source": source, "raw": raw}), folder


ROWS = pd.DataFrame({"id": range(20), "text": "a", "malignant": [0, 1] * 10})


@pytest.mark.parametrize(
    ("tail", "is_whole"),
    [
        pytest.param("20,b,1", True, id="no-end-of-line"),
        pytest.param("20,b,1\n", True, id="end-of-line"),
        pytest.param("20,b,", True, id="last-cell-is-empty"),
        pytest.param('20,"two\nlines, or more",1', True, id="cell-of-two-lines"),
        pytest.param("20,b", False, id="cut-in-a-cell"),
        pytest.param("2", False, id="cut-in-the-first-cell"),
        pytest.param('20,"two\nlin', False, id="cut-in-a-cell-of-two-lines"),
    ],
)
def test_a_table_that_ends_within_a_row_is_cut_off(tmp_path, tail, is_whole):
    task, raw = ship(tmp_path, ROWS.to_csv(index=False) + tail)
    if is_whole:
        prepare(task, tmp_path / "data", raw=raw)
        return
    with pytest.raises(RawDataError, match=r"data\.csv (is cut off: expected 3|cannot be read)"):
        prepare(task, tmp_path / "data", raw=raw)
    assert not layout_of(task, tmp_path / "data").prepared.exists()


@pytest.mark.parametrize(
    ("name", "file", "kept"),
    [
        pytest.param("random-acts-of-pizza", "train.json", 1, id="records"),
        pytest.param(
            "google-research-identify-contrails-reduce-global-warming",
            "train_metadata.json",
            12,
            id="as-many-records-as-are-tested-on",
        ),
    ],
)
def test_fewer_records_than_a_hook_needs_are_told(tmp_path, name, file, kept):
    write_miniature(load(name), tmp_path / "raw")
    path = tmp_path / "raw" / file
    path.write_text(json.dumps(json.loads(path.read_text())[:kept]))

    with pytest.raises(RawDataError, match=rf"{file}: expected enough to draw .* found {kept}"):
        prepare(load(name), tmp_path / "data", raw=tmp_path / "raw")


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(bytes(2 << 20), id="zeros"),
        pytest.param(b"id,y," + b"x," * (1 << 19), id="half-a-million-columns"),
    ],
)
def test_a_table_without_a_header_is_told_before_it_is_parsed(tmp_path, content, monkeypatch):
    task, raw = ship(tmp_path, "")
    (raw / "data.csv").write_bytes(content)
    monkeypatch.setattr("pandas.read_csv", lambda *_, **__: pytest.fail("it was parsed"))

    with pytest.raises(RawDataError, match=r"data\.csv cannot be read: its first line has more"):
        prepare(task, tmp_path / "data", raw=raw)


def test_names_of_columns_are_shortened_in_messages(tmp_path):
    task, raw = ship(tmp_path, ",".join(["\0" * 1000] * 100) + "\n")
    task = task.model_copy(update={"raw": (task.raw[0].model_copy(update={"columns": ("id",)}),)})
    with pytest.raises(RawDataError, match=r"found .* and 60 more") as caught:
        prepare(task, tmp_path / "data", raw=raw)

    assert len(str(caught.value)) < 4000
    assert str(caught.value).isprintable()


def test_fewer_rows_than_the_test_part_has_are_told(tmp_path):
    task, raw = ship(tmp_path, ROWS.to_csv(index=False))
    task = task.model_copy(update={"split": task.split.model_copy(update={"test_size": 500})})

    with pytest.raises(RawDataError, match=r"data\.csv: expected enough to draw a test part from"):
        prepare(task, tmp_path / "data", raw=raw)


def test_a_file_of_an_archive_is_named_as_the_archive_names_it(miniature, tmp_path):
    raw = shutil.copytree(miniature("leaf-classification"), tmp_path / "raw")
    with zipfile.ZipFile(raw / "train.csv.zip") as archive:
        content = archive.read("train.csv").decode()
    with zipfile.ZipFile(raw / "train.csv.zip", "w") as archive:
        archive.writestr("train.csv", content.replace("species", "spezies", 1))
    with pytest.raises(RawDataError) as caught:
        prepare(load("leaf-classification"), tmp_path / "data", "local", raw)

    assert str(caught.value) == (
        "train.csv: expected 194 columns, found 194; missing: species; not expected: spezies."
    )


def test_columns_in_another_order_are_told_with_both_orders(tmp_path):
    frame = pd.DataFrame(columns=[f"c{n}" for n in range(30)])
    file = RawFile(path="a.csv", columns=tuple(reversed(frame.columns)))
    (tmp_path / "a.csv").write_text(",".join(frame.columns))
    with pytest.raises(RawDataError, match=r"expected the columns c29, c28.*found c0, c1"):
        require_schema(tmp_path / "a.csv", frame, file)


def test_a_file_in_the_place_of_the_prepared_folder_is_refused_and_stays(tmp_path):
    spec = load("breast-cancer")
    place = layout_of(spec, tmp_path).prepared
    place.parent.mkdir(parents=True)
    place.write_text("mine")
    for force in (False, True):
        with pytest.raises(RefusedError, match=rf"(?s)expected a folder.*rm {place}"):
            prepare(spec, tmp_path, force=force)

    assert [p.read_text() for p in place.parent.iterdir()] == ["mine"]


def test_a_disk_that_is_full_already_of_raw_files_is_told(tmp_path, monkeypatch):
    def full(_request):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setitem(SOURCES, "embedded", full)
    with pytest.raises(DiskFullError, match="Free room"):
        prepare(load("breast-cancer"), tmp_path)

    assert [p.name for p in (tmp_path / "breast-cancer").iterdir()] == [".prepare.lock"]


def test_an_unknown_source_is_told_with_those_that_there_are(tmp_path):
    with pytest.raises(UnknownNameError, match=r"(?s)called 'zenodo'.*There are: .*miniature"):
        prepare(load("breast-cancer"), tmp_path, "zenodo")
