"""What YAML can say of outputs: renumbered ids, side tables, one-hot answers, copies, archives."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING

import pandas as pd  # noqa: TID253
import pytest

from competitions.errors import ArchiveError, RawDataError
from competitions.outputs import Trees, renumbered, with_derived, write_outputs
from competitions.packs import pack
from competitions.shapes import Listing, OutputFile, Packed, RawFile, Renumber
from competitions.sources import SOURCES, Request
from competitions.sources.base import paths_wanted
from competitions.spec import Competition
from competitions.splits import Parts
from competitions.work import Work, raw_table, unpack_all
from tests.audit.runner.tiny import SPEC

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

PARTS = Parts(
    pd.DataFrame({"id": [30, 10], "kind": ["a", "b"], "y": [1, 0]}),
    pd.DataFrame({"id": [20, 40], "kind": ["b", "c"], "y": [0, 1]}),
)


@pytest.fixture
def work(tmp_path) -> Work:
    for name in ("raw", "unpacked"):
        (tmp_path / name).mkdir()
    return Work(tmp_path / "raw", tmp_path / "unpacked")


@pytest.fixture
def trees(tmp_path) -> Trees:
    return Trees(tmp_path / "public", tmp_path / "private")


def spec_of(**fields) -> Competition:
    return Competition.model_validate(SPEC | fields)


def written(work, trees, *public: Mapping[str, object], parts=PARTS, **fields) -> Path:
    files = [dict(f) for f in public]
    write_outputs(spec_of(public=files, private=SPEC["private"], **fields), work, parts, trees)
    public_folder: Path = trees.public
    return public_folder


# ---------------------------------------------------------------- where raw files lie


@pytest.mark.parametrize(
    ("raw", "files", "wanted"),
    [
        pytest.param([{"path": "a.csv"}], [], ["a.csv"], id="table"),
        pytest.param(
            [{"path": "a.csv", "packed": {"archive": "a.csv.zip"}}],
            [],
            ["a.csv.zip"],
            id="archive-and-not-what-it-holds",
        ),
        pytest.param(
            [{"path": "a.csv"}, {"path": "train/{id}", "packed": {"archive": "train.zip"}}],
            [{"from": "train/{id}", "to": "{id}", "part": "train"}],
            ["a.csv", "train.zip"],
            id="files-in-an-archive",
        ),
        pytest.param(
            [{"path": "a.csv"}],
            [{"from": "images/{id}.png", "to": "{id}.png", "part": "train"}],
            ["a.csv", "images"],
            id="folder-of-files",
        ),
        pytest.param(
            [{"path": "files", "listing": {"files": "train/*/*.png", "columns": {"file": "name"}}}],
            [],
            ["train"],
            id="listed-files",
        ),
    ],
)
def test_what_must_lie_in_a_raw_folder_is_the_archive_or_the_file_or_the_folder(raw, files, wanted):
    assert paths_wanted(spec_of(raw=raw, files=files)) == wanted


@pytest.mark.parametrize("placed", ["a.csv.zip", "a.csv", None])
def test_an_archive_may_be_unpacked_already(tmp_path, placed):
    raw: list[object] = [{"path": "a.csv", "packed": {"archive": "a.csv.zip"}}]
    if placed is not None:
        (tmp_path / placed).write_text("id\n1\n")
    request = Request(spec_of(raw=raw), tmp_path / "scratch", tmp_path)

    if placed is None:
        with pytest.raises(RawDataError, match=r"Expected a\.csv\.zip in"):
            SOURCES["local"](request)
    else:
        assert SOURCES["local"](request).folder == tmp_path


# ---------------------------------------------------------------- new ids


@pytest.mark.parametrize(
    ("rule", "train", "test"),
    [
        pytest.param({}, [0, 1], [0, 1], id="each-part-from-nought"),
        pytest.param({"first": 1}, [1, 2], [1, 2], id="from-one"),
        pytest.param({"continues": True}, [0, 1], [2, 3], id="test-counts-on"),
        pytest.param(
            {"train": "Train_{n}", "test": "Test_{n}"},
            ["Train_0", "Train_1"],
            ["Test_0", "Test_1"],
            id="patterns",
        ),
    ],
)
def test_ids_are_numbered_in_the_order_of_their_part(rule, train, test):
    parts = renumbered(PARTS, Renumber(column="id", **rule))
    assert parts.train["id"].tolist() == train
    assert parts.test["id"].tolist() == test
    assert parts.test["raw_id"].tolist() == [20, 40]
    assert PARTS.train["id"].tolist() == [30, 10]


def test_rows_of_one_thing_get_one_number_in_their_part():
    rows = pd.DataFrame({"id": [7, 7, 3, 7, 5]})
    parts = renumbered(Parts(rows, rows.iloc[2:]), Renumber(column="id", shared=True))
    assert parts.train["id"].tolist() == [0, 0, 1, 0, 2]
    assert parts.test["id"].tolist() == [0, 1, 2]


def test_derived_columns_are_texts_of_the_new_ids():
    parts = with_derived(renumbered(PARTS, Renumber(column="id")), {"name": "{id}_{kind}"})
    assert parts.train["name"].tolist() == ["0_a", "1_b"]
    assert parts.test["name"].tolist() == ["0_b", "1_c"]
    with pytest.raises(RawDataError, match="expected the columns nothing"):
        with_derived(PARTS, {"name": "{nothing}"})


def test_one_row_per_value_holds_the_first_cells_that_are_not_empty(work, trees):
    rows = pd.DataFrame({"id": ["b", "a", "b"], "y": [None, 2.0, 3.0]})
    file = {"path": "t.csv", "part": "test", "one_per": "id"}
    public = written(work, trees, file, parts=Parts(rows, rows))
    assert (public / "t.csv").read_text() == "id,y\na,2.0\nb,3.0\n"


def test_words_are_quoted_and_numbers_are_not(work, trees):
    rows = pd.DataFrame({"id": [1, 2], "word": ["a", None]})
    file = {"path": "t.csv", "part": "test", "quote": "words"}
    public = written(work, trees, file, parts=Parts(rows, rows))
    assert (public / "t.csv").read_text() == '"id","word"\n1,"a"\n2,""\n'


@pytest.mark.parametrize(
    ("fill", "expected"),
    [
        pytest.param({"column": "kind"}, "id,y\n20,b\n40,c\n", id="the-row-s-own-cell"),
        pytest.param({"column": "y", "mean": True}, "id,y\n20,0.5\n40,0.5\n", id="train-mean"),
    ],
)
def test_the_example_may_borrow_from_another_column(work, trees, fill, expected):
    sample = {"sample_submission": {"path": "s.csv", "fill": {"y": fill}}}
    public = written(work, trees, {"path": "s.csv", "part": "sample"}, **sample)
    assert (public / "s.csv").read_text() == expected


def test_old_ids_are_in_no_file(work, trees):
    parts = renumbered(PARTS, Renumber(column="id"))
    public = written(work, trees, {"path": "train.csv", "part": "train"}, parts=parts)
    assert (public / "train.csv").read_text() == "id,kind,y\n0,a,1\n1,b,0\n"


# ---------------------------------------------------------------- tables


def test_columns_are_renamed_sorted_and_chosen(work, trees):
    public = written(
        work,
        trees,
        {
            "path": "t.csv",
            "part": "test",
            "rename": {"kind": "Class"},
            "sort": ["Class"],
            "columns": ["Class", "id"],
        },
        parts=Parts(PARTS.train, PARTS.test.iloc[::-1]),
    )
    assert (public / "t.csv").read_text() == "Class,id\nb,20\nc,40\n"


def test_a_side_table_keeps_the_rows_of_its_part_in_raw_order(work, trees):
    (work.raw / "side.csv").write_text("kind,v\nc,1\nb,2\na,3\nb,4\n")
    public = written(
        work, trees, {"path": "side.csv", "part": "train", "source": "side.csv", "by": "kind"}
    )
    assert (public / "side.csv").read_text() == "kind,v\nb,2\na,3\nb,4\n"


def test_one_hot_answers_have_the_predicted_columns(work, trees):
    fields = {
        "submission": {"key": ["id"], "columns": {c: {"type": "float"} for c in "abc"}},
        "sample_submission": {"path": "s.csv", "fill": dict.fromkeys("abc", 0.5)},
    }
    file = {"path": "t.csv", "part": "test", "one_hot": "kind", "drop": ["y"]}
    public = written(work, trees, file, **fields)
    assert (public / "t.csv").read_text() == "id,a,b,c\n20,0,1,0\n40,0,0,1\n"
    odd = Parts(PARTS.train, PARTS.test.assign(kind="z"))
    with pytest.raises(RawDataError, match="expected one of 3 labels, found z"):
        written(work, trees, file, parts=odd, **fields)


def test_a_packed_table_is_alone_in_its_archive(work, trees):
    public = written(
        work, trees, {"path": "t.tsv", "part": "train", "sep": "\t", "pack": "t.tsv.zip"}
    )
    assert [p.name for p in public.iterdir()] == ["t.tsv.zip"]
    with zipfile.ZipFile(public / "t.tsv.zip") as archive:
        assert archive.read("t.tsv") == b"id\tkind\ty\n30\ta\t1\n10\tb\t0\n"


def test_copies_are_byte_for_byte_files_and_folders(work, trees):
    (work.raw / "maps" / "deep").mkdir(parents=True)
    (work.raw / "maps" / "deep" / "m.bin").write_bytes(b"\x00\xff")
    (work.raw / "labels.csv").write_bytes(b"a;b\r\n")
    public = written(
        work,
        trees,
        {"path": "maps", "copy": "maps"},
        {"path": "l/labels.csv", "copy": "labels.csv"},
    )
    assert (public / "maps" / "deep" / "m.bin").read_bytes() == b"\x00\xff"
    assert (public / "l" / "labels.csv").read_bytes() == b"a;b\r\n"
    with pytest.raises(RawDataError, match=r"Expected none\.csv"):
        written(work, trees, {"path": "x", "copy": "none.csv"})


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"path": "a.csv"}, id="neither-part-nor-copy"),
        pytest.param({"path": "a.csv", "part": "train", "source": "b.csv"}, id="source-without-by"),
        pytest.param({"path": "../a.csv", "part": "train"}, id="leads-out"),
        pytest.param({"path": "/a.csv", "part": "train"}, id="absolute"),
        pytest.param({"path": "a.csv", "part": "train", "pack": "a.rar"}, id="unknown-archive"),
    ],
)
def test_an_output_that_is_no_one_thing_is_refused(fields):
    with pytest.raises(ValueError, match="validation error"):
        OutputFile.model_validate(fields)


# ---------------------------------------------------------------- raw files


def archived(work: Work) -> Competition:
    file = work.raw / "train.csv"
    file.write_text("id,y\n1,0\n")
    pack(work.raw / "train.csv.zip", [("train.csv", file)])
    file.unlink()
    packed = Packed(archive="train.csv.zip").model_dump()
    return spec_of(raw=[{"path": "train.csv", "packed": packed}])


def test_an_archive_is_unpacked_beside_the_raw_folder(work):
    spec = archived(work)
    unpack_all(spec, work)
    assert raw_table(spec, work, "train.csv").to_dict("list") == {"id": [1], "y": [0]}
    assert [p.name for p in work.raw.iterdir()] == ["train.csv.zip"]


def test_a_file_that_was_unpacked_by_hand_is_taken(work):
    spec = archived(work)
    (work.raw / "train.csv.zip").unlink()
    with pytest.raises(RawDataError, match=r"Expected train\.csv\.zip \(with train\.csv\)"):
        unpack_all(spec, work)
    (work.raw / "train.csv").write_text("id,y\n7,1\n")
    unpack_all(spec, work)
    assert raw_table(spec, work, "train.csv")["id"].tolist() == [7]


def test_a_truncated_archive_is_told(work):
    spec = archived(work)
    path = work.raw / "train.csv.zip"
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(ArchiveError, match="as when a download was cut"):
        unpack_all(spec, work)


def test_a_table_can_be_made_from_file_names(work):
    for name in ("train/b/2.png", "train/a/3.png", "train/a/10.png", "train/a/x.txt"):
        (work.raw / name).parent.mkdir(parents=True, exist_ok=True)
        (work.raw / name).touch()
    columns = {"file": "name", "species": "parent", "stem": "stem"}
    listing = Listing(files="train/*/*.png", columns=columns)
    raw = [RawFile(path="pictures", listing=listing).model_dump()]
    frame = raw_table(spec_of(raw=raw), work, "pictures")
    assert frame.to_dict("list") == {
        "file": ["10.png", "3.png", "2.png"],
        "species": ["a", "a", "b"],
        "stem": ["10", "3", "2"],
    }
    sort = listing.model_copy(update={"sort": ("stem",)})
    again = raw_table(spec_of(raw=[RawFile(path="p", listing=sort).model_dump()]), work, "p")
    assert again["stem"].tolist() == ["10", "2", "3"]


def test_a_copy_may_hold_a_part_as_it_came(work, trees):
    (work.raw / "data.csv").write_text('id,y\n"1",0\n')
    copy = {"path": "train.csv", "part": "train", "copy": "data.csv"}
    written(work, trees, copy)

    assert (trees.public / "train.csv").read_text() == 'id,y\n"1",0\n'
    assert spec_of(public=[copy]).file_of("train") == "train.csv"


# ---------------------------------------------------------------- the example submission


@pytest.mark.parametrize(
    ("fill", "expected"),
    [
        pytest.param({"spread": "even"}, [0.0, 0.5, 1.0], id="even-steps"),
        pytest.param({"spread": "whole", "low": 1, "high": 6, "seed": 42}, [4, 5, 3], id="whole"),
        pytest.param(
            {"spread": "uniform", "low": 1, "high": 100, "decimals": 2},
            [64.06, 27.71, 5.06],
            id="uniform",
        ),
        pytest.param(7, [7, 7, 7], id="one-value"),
        pytest.param(None, ["", "", ""], id="empty-cells"),
    ],
)
def test_the_example_holds_what_fill_says_for_every_test_row(work, trees, fill, expected):
    parts = Parts(PARTS.train, pd.DataFrame({"id": [3, 1, 2], "y": [0, 0, 1]}))
    sample = SPEC["sample_submission"] | {"fill": {"y": fill}}
    written(work, trees, {"path": "s.csv", "part": "sample"}, parts=parts, sample_submission=sample)
    found = pd.read_csv(trees.public / "s.csv", keep_default_na=False)

    assert found.columns.tolist() == ["id", "y"]
    assert found["y"].tolist() == expected


def test_the_example_may_take_its_rows_from_a_raw_table(work, trees):
    (work.raw / "kaggle.csv").write_text("id,y\n40,9\n99,9\n20,9\n")
    file = {"path": "s.csv", "part": "sample", "source": "kaggle.csv", "by": "id"}
    written(work, trees, file)

    assert (trees.public / "s.csv").read_text() == "id,y\n40,0.5\n20,0.5\n"
    assert spec_of(public=[file]).file_of("sample") == "s.csv"


def test_the_example_keeps_further_columns_and_their_order_can_be_said(work, trees):
    sample = SPEC["sample_submission"] | {"keep": ["kind"]}
    file = {"path": "s.csv", "part": "sample", "columns": ["y", "kind", "id"]}
    written(work, trees, file, sample_submission=sample)

    assert (trees.public / "s.csv").read_text().splitlines()[0] == "y,kind,id"
    assert (trees.public / "s.csv").read_text().splitlines()[1].endswith(",b,20")
