"""Whether the sample submission tells the answers: planted leaks, and honest samples."""

from __future__ import annotations

import numpy as np
import pytest

from audit.check import check
from detectors.leakage.sample_submission_leaks import SampleSubmissionLeaks
from reports.schema import Outcome, Severity

N = 120


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


CLASSES = rng().integers(0, 2, N)
NUMBERS = rng(1).normal(size=N).round(4)
TEXTS = np.array([f"text number {v}" for v in rng(2).permutation(N)])


def nearly(values, share=0.2):
    found = np.array(values)
    some = rng(3).permutation(N)[: int(N * share)]
    found[some] = rng(4).permutation(found[some])
    return found


@pytest.mark.parametrize(
    ("answers", "sample", "severity"),
    [
        pytest.param(CLASSES, CLASSES, Severity.HIGH, id="the answers themselves"),
        pytest.param(CLASSES, 1 - CLASSES, Severity.HIGH, id="the answers turned round"),
        pytest.param(NUMBERS, nearly(NUMBERS), Severity.MEDIUM, id="most numbers"),
        pytest.param(NUMBERS, NUMBERS * -3 + 7, Severity.HIGH, id="an affine map"),
        pytest.param(NUMBERS, NUMBERS + rng(7).normal(size=N) * 0.8, Severity.LOW, id="a model"),
        pytest.param(TEXTS, nearly(TEXTS), Severity.MEDIUM, id="most texts"),
    ],
)
def test_a_sample_that_tells_the_answers_is_found(made, answers, sample, severity):
    found = list(SampleSubmissionLeaks().detect(made(answers, sample=sample)))

    assert found
    assert found[0].severity >= severity


@pytest.mark.parametrize(
    ("answers", "sample", "public"),
    [
        pytest.param(CLASSES, np.zeros(N), {}, id="a constant"),
        pytest.param(CLASSES, rng(9).integers(0, 2, N), {}, id="classes by chance"),
        pytest.param(CLASSES, np.full(N, CLASSES.mean()), {}, id="the prior"),
        pytest.param(NUMBERS, rng(9).permutation(NUMBERS), {}, id="answers of other rows"),
        pytest.param(TEXTS, np.full(N, TEXTS[0]), {}, id="one text"),
        pytest.param(NUMBERS, NUMBERS.round(2), {"last": NUMBERS.round(2)}, id="a public column"),
        pytest.param((CLASSES * 0) + (np.arange(N) < 2), np.arange(N) == 1, {}, id="rare class"),
    ],
)
def test_an_honest_sample_is_clean(made, answers, sample, public):
    data = made(answers, sample=sample, **public)

    assert check(SampleSubmissionLeaks(), data).outcome is Outcome.CLEAN


@pytest.mark.parametrize("answers", [CLASSES, NUMBERS], ids=["classes", "numbers"])
def test_a_sample_in_the_order_of_the_answers_is_found(made, answers):
    import pandas as pd

    data = made(answers)
    path = data.public / "sample_submission.csv"
    sample = pd.read_csv(path)
    sample.iloc[np.argsort(answers, kind="stable")].to_csv(path, index=False)

    (found,) = SampleSubmissionLeaks().detect(data)

    assert "place" in found.message
    assert found.severity is Severity.HIGH


def test_a_sample_in_the_order_of_ids_is_clean_though_the_test_table_is_not(made):
    import pandas as pd

    data = made(np.sort(NUMBERS), ids=[f"r{n:03d}" for n in range(N)])
    for name in ("test.csv",):
        table = pd.read_csv(data.public / name).sample(frac=1, random_state=1)
        table.to_csv(data.public / name, index=False)

    assert check(SampleSubmissionLeaks(), data).outcome is Outcome.CLEAN


def test_without_a_sample_or_answers_nothing_is_called_clean(made):
    data = made(CLASSES)
    (data.private / "answers.csv").unlink()

    assert check(SampleSubmissionLeaks(), data).outcome is Outcome.NOT_AVAILABLE


@pytest.mark.slow
def test_by_chance_no_sample_is_accused(made):
    samples = [rng(50 + s).integers(0, 2, 40) for s in range(12)]

    found = [check(SampleSubmissionLeaks(), made(CLASSES[:40], sample=s)).outcome for s in samples]

    assert set(found) == {Outcome.CLEAN}
