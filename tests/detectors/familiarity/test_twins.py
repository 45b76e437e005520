"""The positive control: fair texts, the same table twice, targets that can be missed."""

from __future__ import annotations

import dataclasses

import pytest

from audit.familiarity_selftest import page, plots
from detectors.familiarity.metrics import METRICS
from detectors.familiarity.twin_texts import _SET, _in_order, twin_texts
from detectors.familiarity.twin_training import TwinShape
from detectors.familiarity.twins import (
    DOCUMENTS,
    TARGETS,
    SelftestPlan,
    SelftestRow,
    SelftestTable,
    selftest,
)

SMALL = SelftestPlan(
    n_characters=400,
    members={1: 8, 4: 8, 16: 8},
    n_held_out=20,
    n_base=20,
    n_background=30,
    shape=TwinShape(vocabulary=400, context=32, width=16, layers=1, heads=2, warm_up=5),
    stride=24,
)


@pytest.fixture(scope="module")
def good():
    """A table in which every target is just met."""
    least = {(metric, times, documents): auc for metric, times, documents, auc in TARGETS}
    rows = tuple(
        SelftestRow(name, times, documents, least.get((name, times, documents), 0.5), 0.62, 0.1)
        for name in METRICS
        for times in (1, 4, 16)
        for documents in DOCUMENTS
    )
    rates = {"reference-t": 0.08, "min-k-plus-plus": 0.0}
    return SelftestTable(rows, rates, {"reference-t": 0.1}, 0.9, 1, 0, "0" * 64)


def test_texts_are_of_one_length_and_in_one_group_only():
    texts = twin_texts(0, 500, {1: 10, 4: 10}, 10, 10)

    groups = [texts.background, *texts.members.values(), texts.held_out]
    contents = [t.content for group in groups for t in group]
    assert [len(g) for g in groups] == [10, 10, 10, 10]
    assert len(set(contents)) == 40
    assert {len(c) for c in contents} == {500}
    assert texts.sha256 == twin_texts(0, 500, {1: 10, 4: 10}, 10, 10).sha256
    assert texts.sha256 != twin_texts(1, 500, {1: 10, 4: 10}, 10, 10).sha256


def test_a_set_whose_order_is_drawn_in_each_process_is_put_in_order():
    line = "Use of argument(s) ``{'weights', 'a', 'mean'}`` by position; {'z', 'b'}"

    settled = _SET.sub(_in_order, line)

    assert settled == "Use of argument(s) ``{'a', 'mean', 'weights'}`` by position; {'z', 'b'}"


def test_too_few_docstrings_are_told():
    with pytest.raises(ValueError, match="texts are needed"):
        twin_texts(0, 1_000_000, {1: 10}, 10, 10)


def test_a_table_that_meets_every_target_passes(good):
    assert good.misses == ()
    assert good.passed


@pytest.mark.parametrize(("metric", "times", "documents", "least"), TARGETS, ids=str)
def test_each_target_can_be_missed_alone(metric, times, documents, least, good):
    rows = tuple(
        dataclasses.replace(r, auc=least - 0.001)
        if (r.metric, r.exposures, r.documents) == (metric, times, documents)
        else r
        for r in good.rows
    )

    missed = dataclasses.replace(good, rows=rows)

    assert not missed.passed
    assert len(missed.misses) == 1
    assert f"at {times} exposures and {documents} documents" in missed.misses[0]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        pytest.param({"placebo": 0.63}, "has never seen: AUC 0.630", id="placebo-above"),
        pytest.param({"placebo": 0.37}, "has never seen: AUC 0.370", id="placebo-below"),
        pytest.param({"placebo": float("nan")}, "has never seen: AUC nan", id="placebo-nan"),
    ],
)
def test_a_placebo_that_tells_texts_apart_fails_the_control(change, said, good):
    rows = (dataclasses.replace(good.row("reference-t", 1), **change), *good.rows[1:])

    assert any(said in m for m in dataclasses.replace(good, rows=rows).misses)


def test_too_many_unseen_texts_that_look_familiar_fail_the_control(good):
    worse = dataclasses.replace(good, null_rate={"reference-t": 0.081, "min-k-plus-plus": 0.0})

    assert worse.misses == (
        "paired t to the reference calls 8.1% of unseen texts familiar at .05, at most 8% expected",
    )


def test_too_many_unseen_texts_among_what_is_found_fail_the_control(good):
    worse = dataclasses.replace(good, false_discoveries={"reference-t": 0.11})

    assert [m for m in worse.misses if "is unseen, at most 10% expected" in m]


@pytest.mark.slow
def test_the_same_seed_gives_the_same_table():
    pytest.importorskip("torch", reason="extra familiarity is not installed")
    told = []

    first = selftest(3, lambda *step: told.append(step), SMALL)

    assert first == selftest(3, plan=SMALL)
    assert first != selftest(4, plan=SMALL)
    assert told[0][0] == "base"
    assert "contaminated twin" in {stage for stage, *_steps in told}
    assert {name for name, _, _ in told} >= {"clean twin", "placebo", "scores of the placebo"}


@pytest.mark.slow
def test_the_positive_control_meets_its_targets():
    pytest.importorskip("torch", reason="extra familiarity is not installed")

    table = selftest()

    assert table.misses == ()
    assert table.n_parameters == pytest.approx(680_000, rel=0.02)
    assert table.correlation > 0.8


def test_the_table_is_drawn_with_every_metric(good):
    drawn = plots(good)

    assert set(drawn) == {"auc", "placebo", "power"}
    for metric in METRICS.values():
        assert f">{metric.label}<" in drawn["auc"]
        assert f">{metric.label}<" in drawn["placebo"]
    assert "paired t to the reference, 6 texts" in drawn["power"]


def test_the_page_has_every_figure_and_what_was_missed(good):
    worse = dataclasses.replace(good, null_rate={"reference-t": 0.2})

    assert page(good).count("<svg") == 3
    assert page(good).count('<th scope="row">') == len(good.rows)
    assert "Every target is met." in page(good)
    assert "no verdict of familiarity is to be trusted" in page(worse)
