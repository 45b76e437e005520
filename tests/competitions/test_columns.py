import pandas as pd  # noqa: TID253
import pytest

from competitions.columns import column_problems
from competitions.spec import Column

PROBABILITY = Column(type="float", low=0, high=1)
LENIENT = Column(type="float", low=0, high=1, lenient=True)


@pytest.mark.parametrize(
    ("cells", "strict", "lenient"),
    [
        pytest.param([True, False], False, True, id="true-and-false"),
        pytest.param([0.5, 1], True, True, id="numbers"),
        pytest.param([True, None], False, False, id="true-and-empty"),
        pytest.param(["True", "0.5"], False, False, id="true-beside-a-number"),
        pytest.param([0.5, 1.5], False, False, id="out-of-range"),
    ],
)
def test_a_column_of_numbers_may_be_true_and_false_where_the_published_grader_takes_them(
    cells, strict, lenient
):
    assert (not column_problems(PROBABILITY, pd.Series(cells), None)) is strict
    assert (not column_problems(LENIENT, pd.Series(cells), None)) is lenient


def test_true_is_out_of_a_range_that_begins_above_one():
    rule = Column(type="float", low=1.5, high=100, lenient=True)
    assert column_problems(rule, pd.Series([True, True]), None) == [
        "2 values below 1.5: 1 at row 1, 1 at row 2"
    ]


def test_words_for_class_numbers_are_taken_where_the_published_grader_takes_them():
    words, numbers = pd.Series(["x", "x"]), Column(type="int", lenient=True)
    assert column_problems(numbers, words, None) == []
    assert column_problems(Column(type="bool", lenient=True), words, None)
    assert column_problems(Column(type="int"), words, None)
