"""Votes as shares: rows add up to one, and the perfect submission scores what it should."""

from __future__ import annotations

import pandas as pd  # noqa: TID253
import pytest

from competitions.hooks.votes import add_shares, perfect, shares
from competitions.metrics import Context, metric_named
from competitions.spec import load
from competitions.splits import Parts

TASK = "hms-harmful-brain-activity-classification"


@pytest.fixture
def answers() -> pd.DataFrame:
    names = load(TASK).targets
    votes = pd.DataFrame([[3, 0, 0, 0, 0, 1], [0, 2, 2, 0, 0, 0]], columns=list(names))
    return votes.assign(eeg_id=[7, 5], patient_id=[1, 1])


def test_each_row_of_shares_adds_up_to_one(answers):
    found = shares(answers[list(load(TASK).targets)])
    assert found.sum(axis=1).tolist() == [1.0, 1.0]
    assert found["seizure_vote"].tolist() == [0.75, 0.0]


def test_shares_stand_beside_the_votes_in_both_parts(answers):
    parts = add_shares(load(TASK), Parts(answers, answers.iloc[:1]))
    assert parts.train["lpd_share"].tolist() == [0.0, 0.5]
    assert parts.test["other_share"].tolist() == [0.25]
    assert parts.test["other_vote"].tolist() == [1]


def test_the_perfect_submission_has_no_divergence(answers):
    found = perfect(answers)
    assert list(found.columns) == ["eeg_id", *load(TASK).targets]
    context = Context(load(TASK).targets, key=("eeg_id",))
    score = metric_named("kl-divergence").score(answers, found, context)
    assert score == pytest.approx(0.0, abs=1e-12)


def test_the_repaired_variant_names_each_window(answers):
    windows = answers.drop(columns="eeg_id").assign(label_id=[70, 71])
    assert list(perfect(windows).columns) == ["label_id", *load(TASK).targets]
