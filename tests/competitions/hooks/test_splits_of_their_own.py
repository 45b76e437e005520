"""Split recipes that one task alone has."""

from __future__ import annotations

import random

import numpy as np
import pandas as pd  # noqa: TID253
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from competitions.errors import RawDataError
from competitions.hooks.drive_logs import day_of
from competitions.hooks.individuals import sides
from competitions.hooks.lost_words import shortened
from competitions.hooks.spine_studies import chosen
from competitions.spec import Split
from tests.competitions.hooks.raw import prepared_from


@given(names=st.lists(st.sampled_from("abcdefgh"), min_size=2, max_size=60), seed=st.integers(0, 9))
def test_whoever_has_two_photographs_is_in_both_parts(names, seed):
    in_test = sides(pd.Series(names), Split(method="custom", on="a.csv", test_size=0.1, seed=seed))
    for name in set(names):
        own = [bool(t) for n, t in zip(names, in_test, strict=True) if n == name]
        if len(own) > 1:
            assert set(own) == {True, False}


def test_a_whale_that_nobody_can_know_is_new(tmp_path):
    raw, data = prepared_from(tmp_path, "whale-categorization-playground")
    train = pd.read_csv(data / "public/train.csv")
    answers = pd.read_csv(data / "private/test.csv").set_index("Image")["Id"]
    true = pd.read_csv(raw / "train.csv").set_index("Image")["Id"].loc[answers.index]

    assert set(answers) <= set(train["Id"]) | {"new_whale"}
    assert (answers == true)[true.isin(train["Id"])].all()
    assert (~true.isin(train["Id"])).any()


@pytest.mark.parametrize(
    ("drive", "day"),
    [
        pytest.param("2020-5-14-US-MTV-1", "2020-05-14", id="one-digit"),
        pytest.param("2021-12-08-US", "2021-12-08", id="two-digits"),
    ],
)
def test_a_drive_is_of_the_day_it_is_named_after(drive, day):
    assert day_of(drive) == day


@pytest.mark.parametrize("drive", ["2020-05", "MTV-2020-05-14", "", "2020-may-14"])
def test_a_folder_without_a_day_is_told(drive):
    with pytest.raises(RawDataError, match="year-month-day"):
        day_of(drive)


def test_drives_of_one_day_stay_together_and_their_truth_is_hidden(tmp_path):
    raw, data = prepared_from(tmp_path, "smartphone-decimeter-2022")
    train, test = (
        {day_of(p.name) for p in (data / "public" / side).iterdir()} for side in ("train", "test")
    )

    assert train
    assert test
    assert not train & test
    assert not list((data / "public/test").rglob("ground_truth.csv"))
    hidden = list((data / "public/test").rglob("span_log.nmea"))
    assert hidden  # the published leak
    n_truths = len(list(raw.rglob("ground_truth.csv")))
    assert len(list((data / "public/train").rglob("ground_truth.csv"))) < n_truths


def test_mended_test_drives_lack_the_log_that_tells(tmp_path):
    _, data = prepared_from(tmp_path, "smartphone-decimeter-2022", variant="fixed")

    assert not list((data / "public/test").rglob("span_log.nmea"))
    assert list((data / "public/train").rglob("span_log.nmea"))


@given(
    words=st.lists(st.sampled_from(["a", "b", '""', "."]), min_size=3, max_size=9),
    seed=st.integers(0, 99),
)
def test_neither_the_first_nor_the_last_word_is_lost(words, seed):
    left = shortened("  ".join(words), np.random.RandomState(seed)).split(" ")

    assert (left[0], left[-1], len(left)) == (words[0], words[-1], len(words) - 1)


def test_a_corpus_that_was_cut_is_told(tmp_path):
    import zipfile

    def cut(raw):
        with zipfile.ZipFile(raw / "train_v2.txt.zip", "w") as archive:
            archive.writestr("train_v2.txt", "one two three\n")

    with pytest.raises(RawDataError, match="expected 30301028 lines, found 1"):
        prepared_from(tmp_path, "billion-word-imputation", cut)


def test_short_lines_and_lines_behind_the_last_stay_out_of_the_test_part(tmp_path):
    _, data = prepared_from(tmp_path, "billion-word-imputation")
    train = pd.read_csv(data / "public/train_v2.txt.zip", sep="\0", header=None, quoting=3)
    answers = pd.read_csv(data / "private/test.csv")
    given_ = pd.read_csv(data / "public/test_v2.txt.zip")

    assert len(train) + len(answers) == 6000
    whole, short = ([len(text.split()) for text in t["sentence"]] for t in (answers, given_))
    assert min(whole) >= 3
    assert short == [n - 1 for n in whole]


@given(
    n=st.integers(20, 60),
    boxed=st.integers(0, 20),
    segmented=st.integers(0, 20),
    seed=st.integers(),
)
def test_each_kind_of_study_is_drawn_by_the_same_share(n, boxed, segmented, seed):
    studies = [f"s{i:02d}" for i in range(n)]
    rng = random.Random(seed)  # noqa: S311
    with_boxes = set(rng.sample(studies, boxed))
    with_shapes = set(rng.sample(studies, segmented))
    try:
        drawn, boxes, shapes = chosen(studies, with_boxes, with_shapes, 0.5, 0)
    except ValueError:  # rounding asks for one more than there are
        reject()

    assert len(drawn) == round(0.5 * n)
    assert len(boxes) == round(0.5 * boxed)
    assert len(shapes) == round(0.5 * segmented)
    assert boxes <= with_boxes & drawn
    assert shapes <= with_shapes & drawn


def test_families_of_notebooks_that_do_not_add_up_are_told(tmp_path):
    def forget_the_marker(raw):  # then it is no miniature, and the real size counts
        (raw / ".miniature.json").unlink()

    with pytest.raises(RawDataError, match="make up 20000 notebooks"):
        prepared_from(tmp_path, "AI4Code", forget_the_marker)


def test_a_family_of_notebooks_is_in_one_part(tmp_path):
    raw, data = prepared_from(tmp_path, "AI4Code")
    known = pd.read_csv(raw / "train_ancestors.csv")
    test = set(pd.read_csv(data / "private/test_orders.csv")["id"])
    family = known.groupby("ancestor_id")["id"].agg(lambda ids: ids.isin(test).nunique())

    assert len(test) == 25
    assert set(family) == {1}
    assert known["ancestor_id"].duplicated().any()
