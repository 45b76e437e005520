import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import f1_score  # noqa: TID253
from sklearn.preprocessing import MultiLabelBinarizer  # noqa: TID253

from competitions.errors import InvalidSubmissionError
from tests.competitions.metrics.scoring import few, score


def f1(truth, guess, **kw):
    return score("micro-f1-label-sets", {"y": truth}, {"y": guess}, **kw)


@pytest.mark.parametrize(
    ("truth", "guess", "expected"),
    [
        # two hits, three predicted, three true
        pytest.param(["a b", "c"], ["a", "b c"], 2 * 2 / 6, id="by-hand"),
        pytest.param(["a b", "c"], ["b a", "c"], 1.0, id="order-in-a-cell"),
        pytest.param(["a b", "c"], ["a a b b", "c"], 1.0, id="repeated-labels-count-once"),
        pytest.param(["a b", "c"], ["a  b", " c "], 1.0, id="more-blanks"),
        pytest.param(["a b", "c"], ["A b", "c"], 2 * 2 / 5, id="case-matters-unknown-is-free"),
        pytest.param(["a b", "c"], [None, "c"], 2 * 1 / 4, id="an-empty-cell-is-no-label"),
        pytest.param(["a b", "c"], [None, None], 0.0, id="nothing-at-all"),
        pytest.param(["a", None], ["a", "a"], 2 * 1 / 3, id="an-answer-without-label"),
        pytest.param(["7 1", "07"], ["7", "07 1"], 2 * 2 / 6, id="numbers-are-text"),
    ],
)
def test_f1_is_the_table_made_by_hand(truth, guess, expected):
    assert f1(truth, guess) == pytest.approx(expected)


def test_labels_that_no_answer_has_are_free_under_v1_and_cost_under_fixed():
    assert f1(["a", "b"], ["a x y", "b z"]) == 1.0
    # two hits, five predicted, two true
    assert f1(["a", "b"], ["a x y", "b z"], variant="fixed") == pytest.approx(2 * 2 / 7)


def test_a_column_of_numbers_is_refused_under_v1_and_read_under_fixed():
    with pytest.raises(InvalidSubmissionError, match="y: expected labels separated by blanks"):
        f1(["1 2", "3"], [1, 3])
    assert f1(["1 2", "3"], [1, 3], variant="fixed") == pytest.approx(2 * 2 / 5)


SETS = st.sets(st.sampled_from("abcd"))


@few
@given(rows=st.lists(st.tuples(SETS, SETS), min_size=1, max_size=20), data=st.data())
def test_f1_counts_by_hand_under_both_variants(rows, data):
    def cells(side, parts):
        return [" ".join(sorted(row[side])) or None for row in parts]

    turn = data.draw(st.permutations(rows))
    known = set().union(*(y for y, _ in rows))
    for variant, seen in (("v1", known), ("fixed", set("abcd"))):
        hits = sum(len(y & p) for y, p in rows)
        total = sum(len(y) + len(p & seen) for y, p in rows)
        found = f1(cells(0, rows), cells(1, rows), variant=variant)

        assert found == pytest.approx(2 * hits / total if total else 0.0)
        if len(seen) > 1:  # scikit-learn takes one column for a binary problem
            sides = [[row[k] & seen for row in rows] for k in (0, 1)]
            tables = [MultiLabelBinarizer(classes=sorted(seen)).fit_transform(s) for s in sides]
            assert found == pytest.approx(f1_score(*tables, average="micro", zero_division=0))
        assert f1(cells(0, turn), cells(1, turn), variant=variant) == pytest.approx(found)
