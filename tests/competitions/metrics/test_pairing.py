import numpy as np
import pandas as pd  # noqa: TID253
import pytest
from hypothesis import given
from hypothesis import strategies as st

from competitions.errors import InvalidSubmissionError
from competitions.metrics import Context
from competitions.metrics.pairing import by_key, paired
from tests.competitions.metrics.scoring import few

ANSWERS = pd.DataFrame({"id": [2, 1, 3], "y": [20, 10, 30]})


def pairs(how, keys, values, variant="v1", answers=ANSWERS):
    context = Context(("y",), {"pairing": how} if how else {}, variant, ("id",))
    truth, guess = paired(answers, pd.DataFrame({"id": keys, "y": values}), context)
    return list(zip(truth["y"], guess["y"], strict=True))


@pytest.mark.parametrize(
    ("how", "keys", "values", "expected"),
    [
        pytest.param("position", [9, 9, 9], [1, 2, 3], [(20, 1), (10, 2), (30, 3)], id="position"),
        # sorted answers 10 20 30; sorted submission by its own, foreign, keys
        pytest.param("sorted", [7, 6, 8], [1, 2, 3], [(10, 2), (20, 1), (30, 3)], id="sorted"),
        pytest.param("sorted-known", [3, 1, 1], [1, 2, 3], [(10, 2), (20, 3), (30, 1)], id="known"),
        pytest.param("sorted-set", [3, 2, 1], [1, 2, 3], [(10, 3), (20, 2), (30, 1)], id="set"),
        pytest.param(
            "joined", [1, 2, 3, 1], [1, 2, 3, 4], [(20, 2), (10, 1), (10, 4), (30, 3)], id="joined"
        ),
        pytest.param(
            "joined", [1.0, 2.0, 3.0], [1, 2, 3], [(20, 2), (10, 1), (30, 3)], id="floats"
        ),
        pytest.param(None, [2, 1, 3], [1, 2, 3], [(20, 1), (10, 2), (30, 3)], id="aligned-already"),
    ],
)
def test_rows_are_paired_as_the_published_grader_does(how, keys, values, expected):
    assert pairs(how, keys, values) == expected


@pytest.mark.parametrize("how", ["position", "sorted", "sorted-set", "joined"])
def test_fixed_takes_aligned_tables(how):
    assert pairs(how, [3, 1, 2], [1, 2, 3], "fixed") == [(20, 1), (10, 2), (30, 3)]


@pytest.mark.parametrize(
    ("how", "keys", "said"),
    [
        pytest.param("position", [1, 2], "expected 3 rows, found 2", id="position-fewer"),
        pytest.param("sorted", [1, 2, 3, 4], "expected 3 rows, found 4", id="sorted-more"),
        pytest.param("sorted-set", [1, 2, 2], "1 keys missing, 0 unknown", id="set-differs"),
        pytest.param("joined", [1, 2, 4], "1 keys missing, 1 unknown", id="joined-unknown"),
        pytest.param("joined", [], "3 keys missing, 0 unknown", id="joined-empty"),
        pytest.param("sorted", [1, "two", 3], "numbers and text among the keys", id="mixed-keys"),
    ],
)
def test_rows_that_cannot_be_paired_are_refused(how, keys, said):
    with pytest.raises(InvalidSubmissionError, match=said):
        pairs(how, keys, [0] * len(keys))


def test_only_positions_need_no_key():
    context = Context(("y",), {"pairing": "sorted"}, "v1", ("id",))
    with pytest.raises(InvalidSubmissionError, match="expected the columns id"):
        paired(ANSWERS, pd.DataFrame({"y": [1, 2, 3]}), context)
    found = paired(
        ANSWERS, pd.DataFrame({"y": [1, 2, 3]}), Context(("y",), {"pairing": "position"})
    )
    assert list(found[1]["y"]) == [1, 2, 3]


@few
@given(keys=st.lists(st.integers(), min_size=1, unique=True), data=st.data())
def test_where_keys_are_sound_all_ways_but_position_pair_alike(keys, data):
    turn = data.draw(st.permutations(keys))
    answers = pd.DataFrame({"id": keys, "y": keys})
    for how in ("sorted", "sorted-set", "joined"):
        assert all(a == b for a, b in pairs(how, turn, turn, answers=answers))


def test_ties_among_text_keys_stand_as_numpy_brings_them_not_as_arrow_does():
    keys = [f"k{n % 7}" for n in range(60)]
    frame = pd.DataFrame({"id": keys, "y": range(60)})
    order = np.array(keys, dtype=object).argsort()
    assert by_key(frame, Context(("y",), key=("id",)))["y"].tolist() == order.tolist()
