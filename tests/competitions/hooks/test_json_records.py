"""Parts that are lists of JSON records."""

from __future__ import annotations

import json
import zipfile

import pytest

from competitions.errors import RawDataError
from tests.competitions.hooks.raw import prepared_from

PIZZA = "random-acts-of-pizza"


@pytest.fixture(scope="module")
def pizza(tmp_path_factory):
    return prepared_from(tmp_path_factory.mktemp("pizza"), PIZZA)


def test_test_records_have_the_fields_of_the_raw_test_records_in_their_order(pizza):
    raw, data = pizza
    fields = list(json.loads((raw / "test.json").read_text())[0])
    records = json.loads((data / "public/test.json").read_text())

    assert {tuple(record) for record in records} == {tuple(fields)}


def test_train_records_keep_all_they_had_and_each_its_own_order_of_keys(pizza):
    raw, data = pizza
    known = {r["request_id"]: r for r in json.loads((raw / "train.json").read_text())}
    records = json.loads((data / "public/train.json").read_text())

    assert all(list(r.items()) == list(known[r["request_id"]].items()) for r in records)
    assert len({tuple(r) for r in known.values()}) == 2


def test_the_share_of_the_test_part_is_that_of_kaggle(pizza):
    raw, data = pizza
    n_train, n_test = (
        len(json.loads((raw / f"{side}.json").read_text())) for side in ("train", "test")
    )
    n = len(json.loads((data / "public/test.json").read_text()))

    assert n == -(-n_train * n_test // (n_train + n_test))


def test_archives_hold_what_lies_beside_them(pizza):
    _, data = pizza
    for side in ("train", "test"):
        with zipfile.ZipFile(data / f"public/{side}.zip") as archive:
            loose = (data / f"public/{side}.json").read_bytes()
            assert {n: archive.read(n) for n in archive.namelist()} == {f"{side}.json": loose}


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("[", id="no-json"),
        pytest.param("{}", id="no-list"),
        pytest.param("[]", id="no-record"),
        pytest.param("[1]", id="a-number"),
        pytest.param('[{"a": 1}, {"b": 1}]', id="other-keys"),
        pytest.param('[{"a": 1}]', id="no-id"),
    ],
)
def test_what_is_no_list_of_records_is_refused_by_its_name(tmp_path, text):
    with pytest.raises(RawDataError, match=r"train\.json"):
        prepared_from(tmp_path, PIZZA, lambda raw: (raw / "train.json").write_text(text))


def test_mended_records_do_not_name_who_gave(tmp_path):
    _, data = prepared_from(tmp_path, PIZZA, variant="fixed")

    assert not [p for p in (data / "public").rglob("*.json") if "giver" in p.read_text()]
