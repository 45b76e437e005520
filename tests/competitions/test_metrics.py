import math

import numpy as np
import pandas as pd  # noqa: TID253
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, log_loss, roc_auc_score  # noqa: TID253

from competitions.errors import InvalidSubmissionError, UnknownNameError
from competitions.metrics import METRICS, Context, metric_named

Y = Context(("y",))


def score(name, truth, predicted, context=Y):
    answers, submission = pd.DataFrame({"y": truth}), pd.DataFrame({"y": predicted})
    return METRICS[name].score(answers, submission, context)


@pytest.mark.parametrize(
    ("name", "truth", "predicted", "expected"),
    [
        pytest.param(
            "accuracy", [True, False, True, True], [True, True, True, False], 0.5, id="acc"
        ),
        pytest.param("accuracy", [True, False], [1, 0], 1.0, id="acc-int-for-bool"),
        pytest.param("accuracy", [True, False], [1.0, 0.0], 1.0, id="acc-float-for-bool"),
        pytest.param("accuracy", [True, False, True], [7, 7, 1], 1 / 3, id="acc-other-integer"),
        pytest.param("accuracy", ["a", "b", "a"], ["a", "a", "a"], 2 / 3, id="acc-words"),
        pytest.param("auc-roc", [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], 0.75, id="auc"),
        pytest.param("auc-roc", [0, 1, 1], [0.5, 0.5, 0.5], 0.5, id="auc-ties"),
        pytest.param("auc-roc", [0, 1], [0.9, 0.1], 0.0, id="auc-inverted"),
        pytest.param("auc-roc", [0, 0, 1], [0.2, 0.3, 0.3], 0.75, id="auc-half-for-one-tie"),
        pytest.param(
            "log-loss", [1, 0], [0.8, 0.4], -(math.log(0.8) + math.log(0.6)) / 2, id="log-loss"
        ),
        pytest.param("log-loss", [1, 1], [0.25, 0.25], math.log(4), id="log-loss-one-class"),
        pytest.param("log-loss", [0, 1], [1, 0], 36.04365, id="log-loss-certain-and-wrong"),
        pytest.param("rmse", [1, 2], [4, 6], math.sqrt((9 + 16) / 2), id="rmse"),
        pytest.param("rmse", [1, 2, 3, 4], [1, 2, 3, 8], 2.0, id="rmse-one-large-miss"),
        pytest.param("mae", [1, 2], [4, 6], 3.5, id="mae"),
        pytest.param("mae", [1, 2, 3, 4], [1, 2, 3, 8], 1.0, id="mae-one-large-miss"),
        # a: 2·2/(2·2+1+0) = 4/5; b: 2·1/(2·1+0+1) = 2/3
        pytest.param("macro-f1", list("aabb"), list("aaab"), (4 / 5 + 2 / 3) / 2, id="f1"),
        # a: 8/9; b: never predicted, 0
        pytest.param("macro-f1", list("aaaab"), list("aaaaa"), (8 / 9) / 2, id="f1-rare-class"),
        # a: 2/3; b: 1; c: predicted and not there, 0
        pytest.param("macro-f1", list("aab"), list("acb"), (2 / 3 + 1) / 3, id="f1-unknown-class"),
    ],
)
def test_a_metric_agrees_with_the_table_made_by_hand(name, truth, predicted, expected):
    assert score(name, truth, predicted) == pytest.approx(expected, abs=1e-5)


@given(
    rows=st.lists(st.tuples(st.integers(0, 1), st.floats(0, 1)), min_size=2, max_size=50).filter(
        lambda r: len({y for y, _ in r}) == 2
    )
)
def test_probability_metrics_agree_with_scikit_learn(rows):
    truth, predicted = [y for y, _ in rows], [p for _, p in rows]

    assert score("auc-roc", truth, predicted) == roc_auc_score(truth, predicted)
    assert score("log-loss", truth, predicted) == log_loss(truth, predicted, labels=[0, 1])


NUMBERS = st.floats(-1e6, 1e6)


@given(rows=st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=50), shift=NUMBERS)
def test_metrics_of_numbers_keep_to_what_distances_do(rows, shift):
    truth, predicted = [y for y, _ in rows], [p for _, p in rows]
    rmse, mae = score("rmse", truth, predicted), score("mae", truth, predicted)
    largest = max(abs(y - p) for y, p in rows)

    assert rmse == score("rmse", predicted, truth)
    assert mae == score("mae", predicted, truth)
    assert 0 <= mae <= rmse * (1 + 1e-9) + 1e-9
    assert rmse <= largest * (1 + 1e-9) + 1e-9
    moved = [[v + shift for v in side] for side in (truth, predicted)]
    assert score("mae", *moved) == pytest.approx(mae, abs=1e-6)
    assert rmse == pytest.approx(np.sqrt(np.mean((np.array(truth) - predicted) ** 2)), abs=1e-6)


@given(
    rows=st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abcd")), min_size=1),
    turn=st.permutations("abcd"),
)
def test_macro_f1_counts_by_hand_and_does_not_know_the_names_of_classes(rows, turn):
    truth, predicted = [y for y, _ in rows], [p for _, p in rows]
    parts = []
    for k in {*truth, *predicted}:
        hit = sum(y == p == k for y, p in rows)
        parts.append(2 * hit / (truth.count(k) + predicted.count(k)))
    renamed = [[turn["abcd".index(v)] for v in side] for side in (truth, predicted)]

    assert score("macro-f1", truth, predicted) == pytest.approx(sum(parts) / len(parts))
    assert score("macro-f1", *renamed) == pytest.approx(score("macro-f1", truth, predicted))


@given(rows=st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=50))
def test_accuracy_agrees_with_scikit_learn(rows):
    truth, predicted = [y for y, _ in rows], [p for _, p in rows]

    assert score("accuracy", truth, predicted) == pytest.approx(accuracy_score(truth, predicted))


# From the fact sheet: what the published grader does with labels that are no booleans.
INVALID_LABELS = [
    pytest.param([True, None, False], id="empty-cell"),
    pytest.param([1.0, np.nan, 0.0], id="nan"),
    pytest.param([0.5, 1.0, 0.0], id="probability"),
    pytest.param([np.inf, 1.0, 0.0], id="infinity"),
    pytest.param([1e300, 1.0, 0.0], id="too-large-for-an-integer"),
    pytest.param(["yes", "yes", "yes"], id="one-word"),
    pytest.param(["yes", "no", "yes"], id="two-words"),
    pytest.param(["yes", None, "maybe"], id="words-and-empty"),
]


@pytest.mark.parametrize("variant", ["v1", "fixed"])
@pytest.mark.parametrize("labels", INVALID_LABELS)
def test_accuracy_refuses_what_is_no_label(labels, variant):
    with pytest.raises(InvalidSubmissionError, match=r"^y: "):
        score("accuracy", [True, False, True], labels, Context(("y",), variant=variant))


def test_three_words_score_zero_under_v1_and_are_invalid_under_fixed():
    truth, words = [True, False, True], ["True", "False", "Tru"]

    assert score("accuracy", truth, words) == 0.0
    with pytest.raises(InvalidSubmissionError, match="found text"):
        score("accuracy", truth, words, Context(("y",), variant="fixed"))


def test_empty_cells_among_words_are_invalid():
    with pytest.raises(InvalidSubmissionError, match=r"y: empty cells \(1\)"):
        score("accuracy", ["a", "b"], ["a", None])


def test_answers_of_one_class_are_the_graders_fault():
    with pytest.raises(ValueError, match="1 classes"):
        score("auc-roc", [1, 1], [0.2, 0.3])


def test_an_unknown_metric_names_its_neighbours():
    with pytest.raises(UnknownNameError, match="Did you mean accuracy"):
        metric_named("acuracy")
