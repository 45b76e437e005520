"""Studies and their images: which label a study has, and in which order both stand."""

from __future__ import annotations

import pandas as pd  # noqa: TID253
import pytest

from competitions.hooks.studies import APPEARANCES, add_study, answers, appearance
from competitions.spec import load
from competitions.splits import Parts


@pytest.mark.parametrize(
    ("marks", "label"),
    [
        pytest.param([1, 0, 0, 0], "negative", id="first"),
        pytest.param([0, 0, 0, 1], "atypical", id="last"),
        pytest.param([0, 1, 1, 0], "typical", id="first-of-two"),
        pytest.param([0, 0, 0, 0], "negative", id="none-at-all"),
    ],
)
def test_a_study_has_the_label_of_its_first_greatest_mark(marks, label):
    assert appearance(pd.DataFrame([marks], columns=list(APPEARANCES))) == [label]


def test_studies_stand_before_images_each_sorted_by_id():
    marks = dict(zip(APPEARANCES, ([0, 1], [1, 0], [0, 0], [0, 0]), strict=True))
    studies = pd.DataFrame({"id": ["b_study", "a_study"], **marks})
    images = pd.DataFrame({"id": ["d_image", "c_image"], "label": ["none 1 0 0 1 1", "opacity x"]})
    found = answers(studies, images)
    assert found["id"].tolist() == ["a_study", "b_study", "c_image", "d_image"]
    assert found["PredictionString"].tolist() == [
        "negative 1 0 0 1 1",
        "typical 1 0 0 1 1",
        "opacity x",
        "none 1 0 0 1 1",
    ]


def test_a_study_is_called_as_its_images_call_it():
    rows = pd.DataFrame({"id": ["study_7_study"]})
    parts = add_study(load("siim-covid19-detection"), Parts(rows, rows))
    assert parts.test["StudyInstanceUID"].tolist() == ["study_7"]
