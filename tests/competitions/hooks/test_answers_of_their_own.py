"""Answers that are made of more than a column: pixels, spans, boxes, visits, purchases."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd  # noqa: TID253
import pytest
from PIL import Image

from competitions.errors import RawDataError
from competitions.hooks import answer_spans, chest_boxes, lung_visits, page_pixels
from competitions.hooks.driving_scenes import with_confidence
from competitions.hooks.gesture_sessions import sessions_in
from tests.competitions.hooks.raw import prepared_from


def test_pixels_are_named_along_each_row_first_from_one(tmp_path):
    Image.fromarray(np.array([[0, 255], [51, 102]], dtype="uint8")).save(tmp_path / "7.png")

    assert page_pixels.pixels(tmp_path / "7.png").to_numpy().tolist() == [
        ["7_1_1", 0.0],
        ["7_1_2", 1.0],
        ["7_2_1", 0.2],
        ["7_2_2", 0.4],
    ]


def test_a_page_that_is_no_picture_is_told(tmp_path):
    (tmp_path / "7.png").write_text("no picture")

    with pytest.raises(RawDataError, match=r"7\.png: expected a picture"):
        page_pixels.pixels(tmp_path / "7.png")


NOTHING = {"start_token": -1, "end_token": -1}
SPAN = {"start_token": 3, "end_token": 5}


@pytest.mark.parametrize(
    ("yes_no", "shorts", "long", "expected"),
    [
        pytest.param("NONE", [SPAN, NOTHING], SPAN, ["3:5", "3:5"], id="first-short-answer"),
        pytest.param("NONE", [], SPAN, ["", "3:5"], id="long-alone"),
        pytest.param("YES", [SPAN], SPAN, ["YES", "3:5"], id="yes-before-words"),
        pytest.param("NONE", [], NOTHING, ["", ""], id="nothing"),
    ],
)
def test_the_right_answers_are_those_of_the_first_annotation(yes_no, shorts, long, expected):
    first = {"yes_no_answer": yes_no, "short_answers": shorts, "long_answer": long}
    found = answer_spans.perfect(pd.DataFrame({"example_id": ["1"], "annotations": [[first, {}]]}))

    assert found["example_id"].tolist() == ["1_short", "1_long"]
    assert found["PredictionString"].tolist() == expected


def test_each_thousand_questions_is_split_by_itself(tmp_path):
    _, data = prepared_from(tmp_path, "tensorflow2-question-answering")
    lines = (data / "private/test.jsonl").read_text().splitlines()
    numbers = [int(json.loads(line)["question_text"].rsplit(" ")[-1]) for line in lines]

    assert [n >= 1000 for n in numbers] == [False] * 100 + [True] * 2
    assert set(
        json.loads((data / "public/simplified-nq-test.jsonl").read_text().split("\n")[0])
    ) == {
        "example_id",
        "question_text",
        "document_text",
        "long_answer_candidates",
    }


def test_of_each_kind_in_a_picture_the_first_box_counts():
    names = ["image_id", "class_name", "class_id", "rad_id", "x_min", "y_min", "x_max", "y_max"]
    rows = [
        ["b", "Kind 2", 2, "R8", 1.0, 2.0, 3.0, 4.0],
        ["b", "Kind 2", 2, "R9", 5.0, 6.0, 7.0, 8.0],
        ["b", "Kind 1", 1, "R9", 5.0, 6.0, 7.0, 8.0],
        ["a", "No finding", 14, "R9", None, None, None, None],
    ]
    answers = chest_boxes.agreed(pd.DataFrame(rows, columns=names))

    assert chest_boxes.perfect(answers).to_numpy().tolist() == [
        ["a", "14 1.0 0.0 0.0 1.0 1.0"],
        ["b", "1 1.0 5.0 6.0 7.0 8.0 2 1.0 1.0 2.0 3.0 4.0"],
    ]


def test_each_patient_has_all_weeks_of_anybody():
    visits = pd.DataFrame({"Patient": ["b", "b", "a"], "Weeks": [3, 1, 2], "FVC": [9, 8, 7]})
    found = lung_visits.weeks_of(visits)

    assert found[["Patient", "Weeks"]].to_numpy().tolist() == [
        [patient, week] for patient in ("b", "a") for week in (1, 2, 3)
    ]
    assert found["FVC"].fillna(0).tolist() == [8, 0, 9, 0, 7, 0]


def test_two_visits_in_one_week_are_told():
    visits = pd.DataFrame({"Patient": ["b", "b"], "Weeks": [3, 3], "FVC": [9, 8]})

    with pytest.raises(RawDataError, match="two of b in week 3"):
        lung_visits.weeks_of(visits)


def test_eight_days_are_tested_on_and_repeats_stay(tmp_path):
    raw, data = prepared_from(tmp_path, "h-and-m-personalized-fashion-recommendations")
    known = pd.read_csv(raw / "transactions_train.csv", dtype=str)
    train = pd.read_csv(data / "public/transactions_train.csv", dtype=str)
    answers = pd.read_csv(data / "private/answers.csv", dtype=str)
    later = known[known["t_dat"] >= "2020-09-15"]

    assert known["t_dat"].max() == "2020-09-22"
    assert train["t_dat"].max() == "2020-09-14"
    assert sum(len(cell.split(" ")) for cell in answers["prediction"]) == len(later)
    assert answers["customer_id"].tolist() == sorted(set(later["customer_id"]))
    assert not answers["prediction"].str.contains(r"\b0").any()


@pytest.mark.parametrize(
    ("boxes", "expected"),
    [
        pytest.param("1 2 3 4 5 6 7 car", "1.0 1 2 3 4 5 6 7 car", id="one"),
        pytest.param(
            "1 2 3 4 5 6 7 car 8 9 10 11 12 13 14 dog",
            "1.0 1 2 3 4 5 6 7 car 1.0 8 9 10 11 12 13 14 dog",
            id="two",
        ),
        pytest.param("", "", id="none"),
    ],
)
def test_a_confidence_stands_in_front_of_each_box(boxes, expected):
    assert with_confidence(boxes) == expected


@pytest.mark.parametrize("variant", ["v1", "fixed"])
def test_maps_name_the_logs_of_their_part_only_where_that_is_mended(tmp_path, variant):
    _, data = prepared_from(
        tmp_path, "3d-object-detection-for-autonomous-vehicles", variant=variant
    )

    def tokens(side, table):
        return json.loads((data / f"public/{side}_data/{table}.json").read_text())

    named = {side: set(tokens(side, "map")[0]["log_tokens"]) for side in ("train", "test")}
    logs = {side: {log["token"] for log in tokens(side, "log")} for side in ("train", "test")}

    assert named["test"] == logs["test"]
    assert named["train"] == (logs["train"] if variant == "fixed" else logs["test"])
    assert not (data / "public/test_data/sample_annotation.json").exists()


def test_an_archive_that_was_cut_or_holds_no_session_is_told(tmp_path):
    (tmp_path / "training4.tar.gz").write_bytes(b"\x1f\x8b\x08\0cut")

    with pytest.raises(RawDataError, match=r"training4\.tar\.gz"):
        sessions_in(tmp_path / "training4.tar.gz")
    with pytest.raises(RawDataError, match=r"gone\.tar\.gz"):
        sessions_in(tmp_path / "gone.tar.gz")
