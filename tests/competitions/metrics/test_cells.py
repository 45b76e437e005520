import pandas as pd  # noqa: TID253
import pytest

from competitions.errors import InvalidSubmissionError
from competitions.metrics import Context
from competitions.metrics.cells import aligned, answer_texts, parsed, texts

V1, FIXED = Context(("y",), key=("id",)), Context(("y",), variant="fixed", key=("id",))


def table(*cells):
    return pd.DataFrame({"id": [f"k{n}" for n in range(len(cells))], "y": list(cells)})


@pytest.mark.parametrize(
    ("column", "v1", "fixed"),
    [
        pytest.param(["a", None], ["a", "?"], ["a", "?"], id="text"),
        pytest.param([7, 8], ["7", "8"], ["7", "8"], id="whole-numbers"),
        pytest.param([7, None], ["7.0", "?"], ["7", "?"], id="whole-numbers-with-a-gap"),
        pytest.param([7.5, 1e20], ["7.5", "1e+20"], ["7.5", str(10**20)], id="fractions"),
        pytest.param([True, None], ["True", "?"], ["True", "?"], id="booleans-with-a-gap"),
        pytest.param([None, None], ["?", "?"], ["?", "?"], id="nothing"),
    ],
)
def test_numbers_are_read_as_pandas_writes_them_and_whole_where_mended(column, v1, fixed):
    assert texts(table(*column), "y", V1, missing="?", numbers=True) == v1
    assert texts(table(*column), "y", FIXED, missing="?", numbers=True) == fixed


def test_a_refusal_names_column_fault_and_rows_of_every_problem():
    with pytest.raises(InvalidSubmissionError) as refused:
        texts(table("a", None, 3, None, 4.5), "y", V1)

    assert refused.value.problems == (
        "y: empty cells (2), at k1, k3",
        "y: expected text, found '3' (2), at k2, k4",
    )


def test_rows_are_numbered_where_the_table_has_no_key():
    with pytest.raises(InvalidSubmissionError, match="at row 2"):
        texts(pd.DataFrame({"y": ["a", None]}), "y", V1)


def test_a_hostile_cell_is_repeated_short_and_printable():
    cell = "x\x1b[31m" * 1000
    with pytest.raises(InvalidSubmissionError) as refused:
        parsed(table(cell), "y", V1, [cell], lambda _, text: int(text[:3]))

    assert len(str(refused.value)) < 200
    assert "\x1b" not in str(refused.value)


def test_an_empty_answer_is_the_graders_fault():
    with pytest.raises(ValueError, match="1 answers are empty"):
        answer_texts(table("a", None), "y", None)


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        pytest.param(["k0", "k0", "k1"], "more than once (1): k0", id="repeated"),
        pytest.param(["k0"], "missing keys (1): k1", id="missing"),
        pytest.param(["k0", "k1", "zz"], "not in the test part (1): zz", id="unknown"),
    ],
)
def test_tables_with_other_keys_are_not_paired(keys, said):
    with pytest.raises(InvalidSubmissionError) as refused:
        aligned(table("a", "b"), pd.DataFrame({"id": keys, "y": "c"}), V1)

    assert said in str(refused.value)


def test_pairing_keeps_the_order_of_the_answers_and_may_drop_other_keys():
    submitted = pd.DataFrame({"id": ["k1", "zz", "k0"], "y": ["b", "c", "a"]})

    answers, submission = aligned(table("a", "b"), submitted, V1, superset=True)

    assert submission["y"].tolist() == answers["y"].tolist() == ["a", "b"]
