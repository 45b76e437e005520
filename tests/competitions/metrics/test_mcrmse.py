import math

import pandas as pd  # noqa: TID253
import pytest
from hypothesis import given
from hypothesis import strategies as st

from competitions.errors import InvalidSubmissionError
from tests.competitions.metrics.scoring import few, score

KEPT = {"scored": "a b", "mask": "keep"}
# Two molecules of three positions; the first two of each are kept.
KEYS = [f"id_{m}_{p}" for m in "yx" for p in range(3)]
TRUTH = pd.DataFrame({"id": KEYS, "a": range(6), "b": 0.0, "keep": [True, True, False] * 2})
PERFECT = TRUTH.drop(columns="keep").assign(c=0.0)


def error(guess, variant="v1", **arguments):
    return score(
        "mcrmse", TRUTH, guess, "abc", key=["id"], variant=variant, **{**KEPT, **arguments}
    )


def test_only_scored_columns_and_kept_rows_count():
    guess = PERFECT.assign(a=PERFECT["a"] + 3.0, b=1.0, c=99.0)
    guess.loc[2, ["a", "b"]] = 1e6  # not kept

    assert error(guess) == pytest.approx((3 + 1) / 2)
    assert error(guess, scored="b") == pytest.approx(1)


def test_v1_keeps_rows_by_their_number_in_the_file_and_fixed_by_their_key():
    by_key = PERFECT.sort_values("id").reset_index(drop=True)
    rolled = PERFECT.iloc[[1, 2, 0, 3, 4, 5]].reset_index(drop=True)

    # The x molecule comes first by key, and the keep pattern repeats: nothing changes.
    assert error(by_key) == 0.0
    # File rows 0, 1, 3, 4 hold y_1, y_2, x_0, x_1; sorted: x_0 x_1 y_1 y_2 against x_0 x_1 y_0 y_1,
    # so that a is off by 0, 0, 1, 1: √(2/4), b by nothing.
    assert error(rolled) == pytest.approx(math.sqrt(0.5) / 2)
    aligned = rolled.set_index("id").loc[KEYS].reset_index()
    assert error(aligned, variant="fixed") == 0.0


@pytest.mark.parametrize("cell", [None, "x", math.inf])
def test_a_cell_counts_only_where_it_is_scored_and_kept(cell):
    free = PERFECT.astype({"a": object, "c": object})
    free.loc[2, "a"], free.loc[0, "c"] = cell, cell
    kept = PERFECT.astype({"a": object})
    kept.loc[0, "a"] = cell

    assert error(free) == 0.0
    with pytest.raises(InvalidSubmissionError, match=r"^a: "):
        error(kept)


@pytest.mark.parametrize(
    ("guess", "said"),
    [
        pytest.param(PERFECT.drop(columns="c"), "expected the columns c", id="unscored-missing"),
        pytest.param(PERFECT.drop(columns="id"), "expected the columns id", id="no-key"),
        pytest.param(PERFECT.iloc[:-1], "expected 6 rows, found 5", id="row-missing"),
        pytest.param(PERFECT.replace({"id": {"id_x_0": "id_z_0"}}), "id: .* keys are not", id="id"),
    ],
)
def test_rows_and_columns_must_be_those_of_the_answers(guess, said):
    with pytest.raises(InvalidSubmissionError, match=said):
        error(guess)


NUMBERS = st.integers(-100, 100)


@few
@given(rows=st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=20), data=st.data())
def test_without_mask_and_key_it_is_a_symmetric_mean_of_rmse(rows, data):
    truth, guess = {"a": [y for y, _ in rows]}, {"a": [p for _, p in rows]}
    turn = data.draw(st.permutations(rows))
    found = score("mcrmse", truth, guess)

    assert found == pytest.approx(math.sqrt(sum((y - p) ** 2 for y, p in rows) / len(rows)))
    assert score("mcrmse", guess, truth) == pytest.approx(found)
    assert score(
        "mcrmse", {"a": [y for y, _ in turn]}, {"a": [p for _, p in turn]}
    ) == pytest.approx(found)
