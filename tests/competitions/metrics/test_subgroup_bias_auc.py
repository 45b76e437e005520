import math

import pandas as pd  # noqa: TID253
import pytest
from hypothesis import given
from hypothesis import strategies as st

from competitions.errors import InvalidSubmissionError
from tests.competitions.metrics.scoring import few, score

# Members of g: rows 0-3, of h: rows 2-5. An empty cell is no member.
TRUTH = pd.DataFrame(
    {
        "toxicity": [0.5, 0.2, 0.9, 0.0, 1.0, 0.49, 0.7, 0.1],
        "g": [1, 0.5, 1, 1, 0.49, 0, None, 0],
        "h": [0, 0, 1, 1, 1, 1, None, None],
    }
)
RIGHT = [1, 0, 1, 0, 1, 0, 1, 0]


def bias(guess, variant="v1", column="prediction", groups="g h"):
    return score(
        "subgroup-bias-auc",
        TRUTH,
        guess if isinstance(guess, pd.DataFrame) else {column: guess},
        ["prediction"],
        variant=variant,
        truth="toxicity",
        groups=groups,
    )


def test_row_one_wrong_is_the_table_made_by_hand():
    guess = [1, 1, 1, 0, 1, 0, 1, 0]  # row 1, a negative of g alone, is a false positive
    # overall: TPR 4/4, FPR 1/4: (1 + 3/4)/2 = 0.875
    # subgroup: g has negatives 1, 3: FPR ½ -> 0.75; h: 1
    # negatives of the group with positives outside: g: negatives 1, 3: 0.75; h: negatives 3, 5: 1
    # positives of the group with negatives outside: g: negatives 5, 7: 1; h: negatives 1, 7: 0.75
    mean = ((0.75**-5 + 1) / 2) ** (-1 / 5)
    assert bias(guess) == pytest.approx(0.25 * 0.875 + 0.25 * 3 * mean)
    assert bias(guess, "fixed") == pytest.approx(0.25 * 0.875 + 0.25 * 3 * mean)


def test_v1_cuts_predictions_at_a_half_and_fixed_ranks_them():
    ranked = [0.4 + 0.05 * y for y in RIGHT]  # in perfect order, all below 0.5

    assert bias(ranked) == pytest.approx(0.5)
    assert bias(ranked, "fixed") == pytest.approx(1.0)


def test_an_inverted_prediction_scores_nothing():
    assert bias([1 - y for y in RIGHT]) == 0.0
    assert bias([1 - y for y in RIGHT], "fixed") == 0.0


def test_an_empty_cell_is_below_a_half_under_v1_and_refused_under_fixed():
    guess = [1, None, 1, None, 1, 0, 1, 0]

    assert bias(guess) == pytest.approx(1.0)
    with pytest.raises(InvalidSubmissionError, match=r"prediction: empty cells \(2\)"):
        bias(guess, "fixed")


def test_the_answers_name_may_stand_for_the_target_under_v1_but_not_beside_it():
    assert bias(TRUTH["toxicity"], column="toxicity") == pytest.approx(1.0)
    with pytest.raises(InvalidSubmissionError, match="expected the columns prediction"):
        bias(TRUTH["toxicity"], "fixed", column="toxicity")
    with pytest.raises(InvalidSubmissionError, match="one of them is enough"):
        bias(pd.DataFrame({"toxicity": RIGHT, "prediction": RIGHT}))
    with pytest.raises(InvalidSubmissionError, match="expected the columns prediction"):
        bias(RIGHT, column="predictions")


def test_text_is_refused():
    with pytest.raises(InvalidSubmissionError, match=r"prediction: text .* \(1\), at row 1"):
        bias(["toxic", *RIGHT[1:]])


def test_a_group_of_one_class_is_the_graders_fault():
    truth = TRUTH.assign(g=[1, 0, 1, 0, 0, 0, 0, 0])  # positives only
    with pytest.raises(ValueError, match="subgroup with one class"):
        score("subgroup-bias-auc", truth, {"p": RIGHT}, truth="toxicity", groups="g")


@few
@given(guess=st.lists(st.floats(0, 1), min_size=8, max_size=8), turn=st.permutations(range(8)))
def test_the_score_is_bounded_and_knows_no_order_of_rows_or_groups(guess, turn):
    for variant in ("v1", "fixed"):
        found = bias(guess, variant)
        shuffled = score(
            "subgroup-bias-auc",
            TRUTH.iloc[turn].reset_index(drop=True),
            {"prediction": [guess[i] for i in turn]},
            variant=variant,
            truth="toxicity",
            groups="g h",
        )

        assert 0 <= found <= 1 + 1e-9
        assert math.isclose(shuffled, found, abs_tol=1e-9)
        assert bias(guess, variant, groups="h g") == pytest.approx(found)
