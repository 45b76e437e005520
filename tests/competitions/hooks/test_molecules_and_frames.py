"""Molecules and frames of speech: rows that are places in an array."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd  # noqa: TID253
import pytest

from competitions.errors import RawDataError
from competitions.hooks.rna_degradation import bases
from tests.competitions.hooks.raw import prepared_from

FRAMES = "timit_11/timit_11"


def test_bases_that_were_not_measured_are_zero_and_do_not_count():
    molecule = {"id": "m", "seq_length": 3, "seq_scored": 2, "a": [0.5, 0.25]}

    assert bases(pd.DataFrame([molecule]), ("a",)).to_numpy().tolist() == [
        ["m_0", 0.5, True],
        ["m_1", 0.25, True],
        ["m_2", 0.0, False],
    ]


def test_only_molecules_that_passed_the_filter_are_tested_on(tmp_path):
    raw, data = prepared_from(tmp_path, "stanford-covid-vaccine")
    known = [json.loads(line) for line in (raw / "train.json").read_text().splitlines()]
    lines = (data / "public/test.json").read_text().splitlines()
    chosen = {json.loads(line)["id"] for line in lines}
    train = [json.loads(line) for line in (data / "public/train.json").read_text().splitlines()]

    assert len(chosen) == len(known) // 10
    assert {m["SN_filter"] for m in known if m["id"] in chosen} == {1.0}
    assert [m["id"] for m in train] == [m["id"] for m in known if m["id"] not in chosen]
    assert [m["index"] for m in train] == list(range(len(train)))


def test_each_frame_keeps_its_label(tmp_path):
    raw, data = prepared_from(tmp_path, "ml2021spring-hw2")

    def rows(folder, frames, labels):
        array = np.load(folder / FRAMES / f"{frames}.npy")
        return {f.tobytes(): str(label) for f, label in zip(array, labels, strict=True)}

    known = rows(raw, "train_11", np.load(raw / FRAMES / "train_label_11.npy"))
    answers = pd.read_csv(data / "private/answers.csv")["ClassId"]
    train_labels = np.load(data / "public" / FRAMES / "train_label_11.npy")
    found = rows(data / "public", "test_11", answers)
    found |= rows(data / "public", "train_11", train_labels)

    assert found == known


def test_a_label_too_few_is_told(tmp_path):
    def lose_a_label(raw):
        path = raw / FRAMES / "train_label_11.npy"
        np.save(path, np.load(path)[:-1])

    with pytest.raises(RawDataError, match="found 120 and 119"):
        prepared_from(tmp_path, "ml2021spring-hw2", lose_a_label)


def test_pickled_arrays_are_never_read(tmp_path):
    def pickle(raw):
        np.save(raw / FRAMES / "test_11.npy", np.array([{}], dtype=object), allow_pickle=True)

    with pytest.raises(RawDataError, match="array of numbers"):
        prepared_from(tmp_path, "ml2021spring-hw2", pickle)
