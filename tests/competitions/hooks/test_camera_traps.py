"""Camera traps: whole locations go to the test part, and records get every field."""

from __future__ import annotations

import json
import math

import pandas as pd  # noqa: TID253
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from competitions.errors import RawDataError
from competitions.hooks.camera_traps import TEST, TRAIN, build, completed, places_to_test
from competitions.outputs import Trees
from competitions.spec import Split, load
from competitions.work import Work

SPEC = load("iwildcam-2020-fgvc7")


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        pytest.param([{"a": 1}, {"a": 2}], "[1, 2]", id="whole-numbers"),
        pytest.param([{"a": 1}, {}], "[1.0, nan]", id="a-gap-makes-fractions"),
        pytest.param([{"a": 1}, {"a": None}], "[1.0, nan]", id="so-does-null"),
        pytest.param([{"a": 1}, {"a": 2.5}], "[1.0, 2.5]", id="so-does-a-fraction"),
        pytest.param([{"a": "x"}, {"a": None}], "['x', None]", id="null-among-words-stays"),
        pytest.param([{"a": "x"}, {}], "['x', nan]", id="a-gap-among-words-is-nan"),
        pytest.param([{"a": True}, {}], "[True, nan]", id="true-is-no-number"),
        pytest.param([{"a": None}, {"a": None}], "[None, None]", id="nothing-but-null"),
    ],
)
def test_fields_are_completed_as_in_a_table(cells, expected):
    assert str([record["a"] for record in completed(cells)]) == expected


def test_fields_stand_in_the_order_of_their_first_appearance():
    assert [list(r) for r in completed([{"a": 1}, {"b": 2, "a": 3}])] == [["a", "b"]] * 2


@settings(max_examples=40, deadline=None)
@given(sizes=st.lists(st.integers(1, 40), min_size=12, max_size=60))
def test_the_test_part_is_as_large_as_it_may_be(sizes):
    images = [{"location": place} for place, n in enumerate(sizes) for _ in range(n)]
    places = places_to_test(images, Split(method="custom", on="a.json", test_size=0.22))
    n_test = sum(sizes[place] for place in places)
    ratio = n_test / (len(images) + n_test)
    assert ratio <= 0.22
    assert ratio + max(sizes) / len(images) > 0.22 or math.isclose(ratio, 0.22)


def test_every_image_has_its_file_and_images_without_annotation_too(tmp_path):
    images = [{"id": f"i{n}", "location": f"p{n // 2}"} for n in range(20)]
    annotations = [{"image_id": f"i{n}", "category_id": n} for n in range(1, 20)]
    rest = {"categories": [{"id": 1}], "info": {"v": "ü"}}
    raw, trees = tmp_path / "raw", Trees(tmp_path / "public", tmp_path / "private")
    (raw / "train").mkdir(parents=True)
    (raw / TRAIN).write_text(json.dumps({"annotations": annotations, "images": images} | rest))
    (raw / TEST).write_text(json.dumps(rest))
    (raw / "iwildcam2020_megadetector_results.json").write_text("{}")
    for image in images:
        (raw / "train" / f"{image['id']}.jpg").write_bytes(image["id"].encode())
    trees.public.mkdir()
    build(SPEC, Work(raw, tmp_path / "unpacked"), trees)

    shown = json.loads((trees.public / TEST).read_text())
    test = {image["id"] for image in shown["images"]}
    assert {p.stem for p in (trees.public / "test").iterdir()} == test
    assert {p.stem for p in (trees.public / "train").iterdir()} == {i["id"] for i in images} - test
    assert set(shown) == {"images", "categories", "info"}
    answers = pd.read_csv(trees.private / "answers.csv")
    assert answers["Category"].tolist() == [n for n in range(1, 20) if f"i{n}" in test]


@pytest.mark.parametrize("content", ["{", '{"images": []}', None])
def test_broken_metadata_are_one_error(tmp_path, content):
    if content is not None:
        (tmp_path / TRAIN).write_text(content)
    with pytest.raises(RawDataError, match="iwildcam2020_train_annotations"):
        build(SPEC, Work(tmp_path, tmp_path), Trees(tmp_path / "a", tmp_path / "b"))
