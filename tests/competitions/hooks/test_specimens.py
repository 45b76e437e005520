"""Species split one by one: how many pictures are tested on, in which order, under which names."""

from __future__ import annotations

import json

import pytest
from sklearn.model_selection import train_test_split  # noqa: TID253

from competitions.errors import RawDataError
from competitions.hooks.specimens import (
    LAYOUTS,
    Specimen,
    read_metadata,
    specimens,
    split,
    split_category,
    write_miniature,
)
from competitions.spec import Split, load
from competitions.work import Work


def pictures(n: int, category: int = 7) -> list[Specimen]:
    return [Specimen({"id": i}, {"category_id": category}, f"{i}.jpg") for i in range(n)]


def by_share(share: float) -> Split:
    return Split(method="custom", on="train.json", test_size=share)


@pytest.fixture
def work(tmp_path):
    def write(competition_id: str, seed: int = 0) -> Work:
        raw = tmp_path / competition_id
        write_miniature(load(competition_id), raw, seed)
        return Work(raw, tmp_path / "unpacked")

    return write


@pytest.mark.parametrize(
    ("n", "n_test"),
    [
        pytest.param(1, 0, id="a-single-picture-is-trained-on"),
        pytest.param(2, 1, id="one-of-two"),
        pytest.param(4, 1, id="one-of-four"),
        pytest.param(5, 1, id="drawn-from-five-on"),
        pytest.param(11, 3, id="a-share-is-rounded-up"),
    ],
)
def test_so_many_pictures_of_a_category_are_tested_on(n, n_test):
    train, test = split_category(pictures(n), by_share(0.2), 5)
    assert (len(train), len(test)) == (n - n_test, n_test)


def test_the_last_of_few_pictures_is_tested_on_and_many_are_drawn():
    few, many = pictures(4), pictures(12)
    assert split_category(few, by_share(0.2), 5)[1] == few[-1:]
    assert split_category(many, by_share(0.12), 5) == tuple(
        train_test_split(many, test_size=0.12, random_state=0)
    )


def test_a_single_picture_of_a_category_that_is_drawn_from_is_an_error():
    with pytest.raises(RawDataError, match="category 7: expected at least 2 images, found 1"):
        split_category(pictures(1), by_share(0.2), 0)


@pytest.mark.parametrize("competition_id", sorted(LAYOUTS))
def test_every_picture_is_in_one_part_under_its_own_name(work, competition_id):
    spec = load(competition_id)
    where = work(competition_id)
    parts = split(spec, where)
    raw = [image["file_name"] for image in read_metadata(spec, where)["images"]]
    assert sorted([*parts.train["picture"], *parts.test["picture"]]) == sorted(raw)
    for part in parts:
        assert part["name"].is_unique
        key = LAYOUTS[competition_id].key
        assert [a["image_id"] for a in part["annotation"]] == [i[key] for i in part["image"]]


def test_test_pictures_of_a_herbarium_are_counted_and_train_pictures_keep_their_names(work):
    parts = split(load("herbarium-2021-fgvc8"), work("herbarium-2021-fgvc8"))
    assert parts.test["Id"].tolist() == [str(n) for n in range(len(parts.test))]
    assert parts.test["name"].tolist()[:2] == ["images/000/0.jpg", "images/000/1.jpg"]
    assert parts.train["name"].tolist() == parts.train["picture"].tolist()


def test_train_pictures_of_2022_are_counted_in_their_category(work):
    train = split(load("herbarium-2022-fgvc9"), work("herbarium-2022-fgvc9")).train
    first = train.iloc[0]
    assert first["Id"] == f"{first['Predicted']:05d}__001"
    assert first["name"] == "{:03d}/{:02d}/{}.jpg".format(
        first["Predicted"] // 100, first["Predicted"] % 100, first["Id"]
    )


def test_an_annotation_of_another_image_is_an_error():
    mixed = {"annotations": [{"image_id": 1}], "images": [{"id": 2, "file_name": "a.jpg"}]}
    with pytest.raises(RawDataError, match="expected annotation 0 to be that of image 2, found 1"):
        specimens(mixed, LAYOUTS["inaturalist-2019-fgvc6"])


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param("{", "cannot be read", id="broken"),
        pytest.param('{"annotations": []}', "expected images, info, licenses", id="lists-missing"),
        pytest.param(None, "found none", id="missing"),
    ],
)
def test_broken_metadata_are_one_error(tmp_path, content, said):
    if content is not None:
        (tmp_path / "train2019.json").write_text(content)
    with pytest.raises(RawDataError, match=said):
        read_metadata(load("inaturalist-2019-fgvc6"), Work(tmp_path, tmp_path / "unpacked"))


def test_the_metadata_of_2020_are_latin_1(work):
    where = work("herbarium-2020-fgvc7")
    content = (where.raw / "nybg2020/train/metadata.json").read_bytes()
    with pytest.raises(UnicodeDecodeError):
        json.loads(content)
    names = read_metadata(load("herbarium-2020-fgvc7"), where)["categories"]
    assert names[0]["name"].startswith("Café")
