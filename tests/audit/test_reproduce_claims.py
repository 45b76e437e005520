"""What a log says of its validation score, and the figures that are none."""

from __future__ import annotations

import pytest

from audit.reproduction.claims import claim_in
from detectors.text_file import TextFile


def claim(text: str, metric: str = "accuracy", hidden: float | None = 0.5, *, lower: bool = False):
    return claim_in([TextFile("logs/a.log", text)], metric, hidden, is_lower_better=lower)


@pytest.mark.parametrize(
    ("line", "metric", "value", "named"),
    [
        ("Validation score: accuracy 0.81 of x (5 folds; mean).", "accuracy", 0.81, "named"),
        ("CV logloss = 0.4523 +/- 0.01", "log-loss", 0.4523, "named"),
        ("val_acc 0.9", "accuracy", 0.9, "named"),
        ("5-fold CV score: 0.8", "accuracy", 0.8, "unnamed"),
        ("CV score on 5 folds: 0.8", "accuracy", 0.8, "unnamed"),
        ("mean cross-validation ROC AUC: .912", "auc-roc", 0.912, "named"),
        ("[100] valid_0's auc: 0.91", "auc-roc", 0.91, "named"),
        ("validation rmse 1e3", "rmse", 1000.0, "named"),
        ("Validation score: macro F1 0.7", "macro-f1", 0.7, "named"),
        ("Hold-out RMSE: 53.2", "rmse", 53.2, "named"),
        ("holdout mae: 12", "rmse", 12.0, "other"),
        ("val_loss: 0.33", "log-loss", 0.33, "other"),
    ],
)  # fmt: skip
def test_a_claim_is_found(line, metric, value, named):
    found = claim(f"started\n{line}\ndone\n", metric)

    assert found is not None
    assert (found.value, found.metric, found.line) == (value, named, 2)
    assert (found.gap is None) == (named == "other")


@pytest.mark.parametrize(
    "line",
    [
        "Validation took 3.2 s",
        "OOF score 81.2%",
        "Nothing was learned and nothing validated.",
        "I am content with the validation score.",
        "train accuracy 0.99",
        "validation: 200 rows",
        "cv score 1.2.3",
        "val score 3/5",
        "evaluation accuracy 0.7",
        "Validation accuracy after a long story" + " and more" * 12 + " 0.7",
        "validation accuracy 1e999",
        "x" * 600 + " validation accuracy 0.7",
    ],
)
def test_a_line_that_states_no_score_is_no_claim(line):
    assert claim(line) is None


def test_the_last_line_counts():
    found = claim("val accuracy 0.1\nval accuracy 0.2\nval time 3\n")

    assert found is not None
    assert (found.value, found.line) == (0.2, 2)


def test_the_agents_own_log_is_asked_before_what_it_printed():
    logs = [TextFile("run.log", "val accuracy 0.1"), TextFile("logs/z.log", "val accuracy 0.2")]
    found = claim_in(logs, "accuracy", None, is_lower_better=False)

    assert found is not None
    assert (found.path, found.gap) == ("logs/z.log", None)


@pytest.mark.parametrize(("lower", "gap"), [(False, 0.2), (True, -0.2)])
def test_a_gap_is_above_zero_where_the_claim_flatters(lower, gap):
    found = claim("val accuracy 0.7", lower=lower)

    assert found is not None
    assert found.gap == pytest.approx(gap)


def test_a_huge_line_of_digits_is_passed_over_quickly():
    assert claim("validation score " + "1" * 1_000_000) is None
