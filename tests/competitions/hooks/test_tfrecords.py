"""Shards decide what is tested on; the repaired variant takes the labels out of theirs."""

from __future__ import annotations

import pytest

from competitions.errors import RawDataError
from competitions.hooks.tfrecords import SHARDS, names_in, shards_of
from competitions.miniature import write_miniature
from competitions.prepare import prepare
from competitions.spec import load
from competitions.tfrecord import example_of, feature, fields, framed, records
from competitions.work import Work

CASSAVA, ISIC = "cassava-leaf-disease-classification", "siim-isic-melanoma-classification"


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tfrecords")
    return {
        (name, variant): prepare(load(name, variant), folder / variant, "miniature", keep_raw=True)
        for name in (CASSAVA, ISIC)
        for variant in ("v1", "fixed")
    }


def shards(folder, pattern):
    return [p for _, p in Work(folder, folder / "none").matching(pattern)]


def features(shard):
    found = set()
    for record in records(shard):
        for _, entries in fields(record):
            found |= {dict(fields(entry))[1].decode() for _, entry in fields(entries)}
    return found


@pytest.mark.parametrize("name", [CASSAVA, ISIC])
def test_test_shards_name_the_rows_of_the_answers_and_no_other(prepared, name):
    task = prepared[name, "v1"]
    pattern = SHARDS[name].test.partition("{")[0] + "*"
    named = [n for shard in shards(task.public, pattern) for n in names_in(shard)]
    answers = task.answers.read_text().splitlines()[1:]
    assert sorted(named) == sorted(line.split(",")[0] for line in answers)


@pytest.mark.parametrize("name", [CASSAVA, ISIC])
@pytest.mark.parametrize(("variant", "tells"), [("v1", True), ("fixed", False)])
def test_only_the_repaired_variant_takes_labels_out_of_test_shards(prepared, name, variant, tells):
    public = prepared[name, variant].public
    for part, expected in ((SHARDS[name].train, True), (SHARDS[name].test, tells)):
        found = shards(public, part.partition("{")[0] + "*")
        assert found
        assert all(("target" in features(shard)) == expected for shard in found)
        assert all(feature(r, "image") for shard in found for r in records(shard))


def test_isic_is_tested_on_two_given_shards_and_counts_both_parts_anew(prepared):
    public = prepared[ISIC, "v1"].public / "tfrecords"
    raw = prepared[ISIC, "v1"].folder.parent / "raw" / "tfrecords"
    pairs = {"test00": "train00", "test01": "train06", "train00": "train01", "train05": "train07"}
    for new, old in pairs.items():
        content = (public / f"{new}-2071.tfrec").read_bytes()
        assert content == (raw / f"{old}-2071.tfrec").read_bytes()
    assert len(list(public.iterdir())) == 16


@pytest.mark.parametrize(
    ("name", "said"),
    [
        pytest.param(CASSAVA, "Expected files train_tfrecords", id="no-shard"),
        pytest.param(ISIC, "expected train00-2071.tfrec, train06-2071.tfrec", id="one-of-two"),
    ],
)
def test_missing_shards_are_an_error(tmp_path, name, said):
    write_miniature(load(name), tmp_path / "raw")
    for shard in shards(tmp_path / "raw", SHARDS[name].raw):
        if name == CASSAVA or shard.name.startswith("train06"):
            shard.unlink()
    with pytest.raises(RawDataError, match=said):
        shards_of(load(name), Work(tmp_path / "raw", tmp_path / "none"))


@pytest.mark.parametrize(
    ("record", "said"),
    [
        pytest.param(example_of({"target": 1}), "expected a feature image_name", id="no-name"),
        pytest.param(b"\x0a\x09\x01", "is no Example", id="no-example"),
    ],
)
def test_a_record_without_a_name_is_an_error(tmp_path, record, said):
    (tmp_path / "a.tfrec").write_bytes(framed(record))
    with pytest.raises(RawDataError, match=said):
        names_in(tmp_path / "a.tfrec")
