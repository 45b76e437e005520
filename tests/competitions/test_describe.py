"""What ``description.md`` says of files: archives, lost files, parts that no table names."""

import pytest

from competitions.describe import describe
from competitions.spec import Competition
from tests.audit.runner.tiny import SPEC


def described(*files, **fields):
    return describe(Competition.model_validate(SPEC | {"files": files} | fields))


def rule(**more):
    return {"from": "train/{id}.png", "to": "{id}.png", "part": "train"} | more


@pytest.mark.parametrize(
    ("more", "line"),
    [
        pytest.param({}, "- `<id>.png`: file, one for each row of `train.csv`", id="loose"),
        pytest.param(
            {"pack": "train.zip", "meaning": "photograph"},
            "- `<id>.png` in `train.zip`: photograph, one for each row of `train.csv`",
            id="in-an-archive",
        ),
        pytest.param(
            {"pack": "train.7z", "lost": True},
            "- `<id>.png` in `train.7z`, which was published without its files: file, one for each "
            "row of `train.csv`",
            id="lost",
        ),
    ],
)
def test_files_are_told_with_their_archive(more, line):
    assert line in described(rule(**more)).splitlines()


def test_files_of_a_train_part_without_a_table_are_no_rows_of_the_example():
    sample = {"path": "sample_submission.csv", "part": "sample"}
    lines = described(rule(), rule(part="test"), public=[sample]).splitlines()

    assert "- `<id>.png`: file" in lines
    assert "- `<id>.png`: file, one for each row of `sample_submission.csv`" in lines


@pytest.mark.parametrize(
    ("n", "said"),
    [
        pytest.param(2, "rows to predict: y0, y1 left out", id="few"),
        pytest.param(
            99, "rows to predict: what the 99 columns from y0 to y98 say, left out", id="many"
        ),
    ],
)
def test_many_predicted_columns_are_not_listed_with_the_test_file(n, said):
    names = [f"y{i}" for i in range(n)]
    text = described(
        public=[{"path": "test.csv", "part": "test"}],
        submission={"key": ["id"], "alike": {"names": names, "type": "float"}},
        sample_submission={"path": "sample_submission.csv", "fill": 0.5},
    )

    assert f"- `test.csv`: {said}" in text.splitlines()
