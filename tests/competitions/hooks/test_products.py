"""Streams of products: raw order, no category in the test part, and broken streams are told."""

from __future__ import annotations

import bson
import pytest

from competitions.errors import RawDataError
from competitions.hooks.products import decoded, documents, split, write_miniature, write_streams
from competitions.outputs import Trees
from competitions.spec import load
from competitions.work import Work

SPEC = load("cdiscount-image-classification-challenge")


@pytest.fixture
def work(tmp_path):
    raw = tmp_path / "raw"
    raw.mkdir()
    write_miniature(SPEC, raw, 0)
    return Work(raw, tmp_path / "unpacked")


@pytest.fixture
def public(work, tmp_path):
    trees = Trees(tmp_path / "public", tmp_path / "private")
    trees.public.mkdir()
    write_streams(SPEC, work, split(SPEC, work), trees)
    return trees.public


def read(path):
    return bson.decode_all(path.read_bytes())


def test_each_product_is_in_one_stream_in_raw_order(work, public):
    raw = read(work.raw / "train.bson")
    train, test = read(public / "train.bson"), read(public / "test.bson")
    in_test = {p["_id"] for p in test}
    assert train == [p for p in raw if p["_id"] not in in_test]
    assert [p["_id"] for p in test] == [p["_id"] for p in raw if p["_id"] in in_test]
    assert len(train) + len(test) == len(raw)


def test_products_of_the_test_part_have_pictures_and_no_category(public):
    for product in read(public / "test.bson"):
        assert list(product) == ["_id", "imgs"]
        assert product["imgs"][0]["picture"][:2] == b"\xff\xd8"


def test_the_example_is_the_first_hundred_of_the_train_part(public):
    assert read(public / "train_example.bson") == read(public / "train.bson")[:100]


def test_answers_are_sorted_by_product(work):
    ids = split(SPEC, work).test["_id"].tolist()
    assert ids == sorted(ids)
    assert len(ids) == 16


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(bson.encode({"_id": 1})[:-2], id="truncated"),
        pytest.param(b"\x05\x00", id="truncated-length"),
        pytest.param(b"\x00\x00\x00\x00", id="no-length"),
        pytest.param(b"_id,category_id\n", id="a-table"),
    ],
)
def test_a_broken_stream_is_an_error(tmp_path, content):
    (tmp_path / "train.bson").write_bytes(content)
    with pytest.raises(RawDataError, match="no whole stream of BSON"):
        list(documents(tmp_path / "train.bson"))


@pytest.mark.parametrize(
    ("document", "said"),
    [
        pytest.param(bson.encode({"_id": 1}), "expected documents with _id", id="no-category"),
        pytest.param(b"\x08\x00\x00\x00\x99a\x00\x00", "cannot be read", id="unknown-type"),
    ],
)
def test_a_document_that_is_no_product_is_an_error(tmp_path, document, said):
    with pytest.raises(RawDataError, match=said):
        decoded(document, tmp_path / "train.bson")


def test_a_missing_stream_is_an_error(tmp_path):
    with pytest.raises(RawDataError, match=r"Expected train\.bson"):
        split(SPEC, Work(tmp_path, tmp_path / "unpacked"))
