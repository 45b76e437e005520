"""One measure per task: valid where nothing is known, sharper with more documents, by documents."""

from __future__ import annotations

import math

import numpy as np
import pytest

from competitions.errors import UsageError
from detectors.familiarity import task_measure
from detectors.familiarity.calibration import calibrate
from detectors.familiarity.task_measure import Group, measure_task


@pytest.fixture(autouse=True)
def few_draws(monkeypatch):
    monkeypatch.setattr(task_measure, "DRAWS", 499)


def group(n_documents, n_controls, seed, *, shift=0.0, scale=1.0):
    """Documents of one kind; a covariate explains most of all scores."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n_documents + n_controls, 1))
    y = scale * (3 * x[:, 0] + rng.normal(size=len(x)))
    y[:n_documents] += scale * shift
    rows = x.tolist()
    return Group(
        y[:n_documents].tolist(), rows[:n_documents], y[n_documents:].tolist(), rows[n_documents:]
    )


def test_p_of_tasks_that_nobody_knows_is_uniform():
    found = [
        measure_task({"post": group(4, 30, s), "code": group(2, 25, s + 999, scale=50)}, s)
        for s in range(100)
    ]
    p = np.array([f.calibrated.p for f in found])

    assert np.mean(p <= 0.05) == pytest.approx(0.05, abs=0.045)
    assert np.mean(p) == pytest.approx(0.5, abs=0.08)


def test_many_documents_show_what_one_alone_does_not():
    one = [measure_task({"post": group(1, 60, s, shift=1.2)}, s).calibrated for s in range(15)]
    nine = [measure_task({"post": group(9, 60, s, shift=1.2)}, s).calibrated for s in range(15)]

    assert np.median([f.p for f in one]) > 0.05
    assert np.median([f.p for f in nine]) < 0.006
    assert np.mean([f.excess for f in nine]) == pytest.approx(1.2, abs=0.25)
    assert nine[0].visible < one[0].visible


def test_one_document_has_the_excess_it_has_alone():
    g = group(1, 40, 3, shift=2.0)

    found = measure_task({"post": g})
    alone = calibrate(float(g.scores[0]), g.covariates[0], g.controls, g.control_covariates)

    assert found.calibrated.excess == pytest.approx(alone.excess)
    assert found.calibrated.p == pytest.approx(alone.p, abs=0.03)
    assert found.calibrated.floor == pytest.approx(alone.floor)
    assert math.isnan(found.interval[0])


def test_each_document_counts_once_whatever_the_scale_of_its_kind():
    groups = {"post": group(3, 40, 1, shift=2.0), "code": group(1, 40, 2, scale=1000)}

    found = measure_task(groups)

    each = [*found.excesses["post"], *found.excesses["code"]]
    assert len(each) == 4
    assert found.calibrated.score == pytest.approx(np.mean(each))
    assert found.interval[0] < found.calibrated.score < found.interval[1]


def test_the_same_seed_gives_the_same_measure():
    groups = {"post": group(5, 30, 1)}

    assert measure_task(groups, 1) == measure_task(groups, 1)


@pytest.mark.parametrize(
    ("spoilt", "said"),
    [
        pytest.param({"controls": [1.0] * 5, "control_covariates": [[1.0]] * 5}, "19", id="few"),
        pytest.param({"scores": [1.0, math.nan]}, "none for some", id="nan-in-a-document"),
        pytest.param({"covariates": [[1.0], [math.inf]]}, "none for some", id="inf-covariate"),
    ],
)
def test_what_cannot_be_measured_is_told(spoilt, said):
    with pytest.raises(UsageError, match=said):
        measure_task({"post": group(2, 30, 0)._replace(**spoilt)})
