import math

import pandas as pd  # noqa: TID253
import pytest
from hypothesis import given
from hypothesis import strategies as st

from competitions.errors import InvalidSubmissionError
from tests.competitions.metrics.scoring import few, score

NAME = "label-ranking-average-precision"


def lwlrap(truth, guess, **kw):
    return score(
        NAME, dict(zip("abc", truth, strict=True)), dict(zip("abc", guess, strict=True)), **kw
    )


@pytest.mark.parametrize(
    ("truth", "guess", "expected"),
    [
        # clip 1: its label is first: 1; clip 2: ranks 2 and 3 hold its labels: ½ and ⅔
        pytest.param(
            [[1, 0], [0, 1], [0, 1]],
            [[9, 9], [1, 8], [2, 7]],
            (1 + 1 / 2 + 2 / 3) / 3,
            id="by-hand",
        ),
        # three equal scores share rank 3
        pytest.param([[1], [0], [0]], [[5], [5], [5]], 1 / 3, id="ties-share-the-worst-rank"),
        pytest.param(
            [[1, 0], [1, 0], [0, 0]], [[1, 9], [2, 9], [0, 9]], 1.0, id="a-clip-without-labels"
        ),
        pytest.param([[0], [0], [1]], [[-1], [-2], [-9]], 1 / 3, id="any-real-number"),
    ],
)
def test_the_precision_is_the_table_made_by_hand(truth, guess, expected):
    assert lwlrap(truth, guess) == pytest.approx(expected)


@pytest.mark.parametrize("cell", [None, "x", math.inf])
def test_a_score_must_be_a_finite_number(cell):
    with pytest.raises(InvalidSubmissionError, match=r"^a: .* \(1\), at row 1$"):
        lwlrap([[1], [0], [0]], [[cell], [1], [2]])


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        pytest.param(["id", "a", "b", "c"], None, id="as-published"),
        pytest.param(["id", "b", "a", "c"], "expected a as column 2, found b", id="swapped"),
        pytest.param(["a", "b", "c", "id"], "expected id as column 1, found a", id="key-last"),
        pytest.param(["id", "a", "b", "c", "d"], "not expected: d", id="one-more"),
        pytest.param(["id", "a", "b"], "expected the columns c", id="one-less"),
    ],
)
def test_columns_stand_in_the_published_order(columns, said):
    truth = {"id": ["x"], "a": [1], "b": [0], "c": [0]}
    guess = pd.DataFrame({c: [2.0 if c == "a" else 1.0] for c in columns} | {"id": ["x"]})[columns]
    if said is None:
        assert score(NAME, truth, guess, "abc", key=["id"], columns="ordered") == 1.0
    else:
        with pytest.raises(InvalidSubmissionError, match=said):
            score(NAME, truth, guess, "abc", key=["id"], columns="ordered")


CLIPS = st.lists(
    st.tuples(*[st.tuples(st.integers(0, 1), st.integers(-9, 9))] * 3), min_size=1, max_size=15
).filter(lambda clips: any(y for clip in clips for y, _ in clip))


@few
@given(clips=CLIPS, data=st.data())
def test_the_precision_counts_by_hand_and_knows_no_order_of_clips(clips, data):
    def columns(side, rows):
        return [[row[k][side] for row in rows] for k in range(3)]

    parts = [
        sum(y and q >= p for y, q in clip) / sum(q >= p for _, q in clip)
        for clip in clips
        for true, p in clip
        if true
    ]
    turn = data.draw(st.permutations(clips))
    found = lwlrap(columns(0, clips), columns(1, clips))

    assert found == pytest.approx(sum(parts) / len(parts))
    assert lwlrap(columns(0, turn), columns(1, turn)) == pytest.approx(found)
    assert lwlrap(columns(0, clips), columns(0, clips)) == pytest.approx(1.0)
