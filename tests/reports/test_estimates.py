"""Figures and how sure they are: against brute force, and what has to hold for any attempts."""

from __future__ import annotations

import itertools
import statistics
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reports.grading import headline
from reports.sensitivity.estimates import (
    MAX_K,
    MEASURES,
    Run,
    at_k,
    best_of_k,
    figures_of,
    normalised,
    pass_at_k,
    resampled,
    run_of,
)
from reports.sensitivity.tasks import task_figures
from tests.reports.documents import BOARDS, grade_row, sample_grading

MANY = settings(max_examples=50)
SHARES = st.floats(0, 1)


def rng(seed=0):
    return np.random.default_rng(seed)


def run(task="t", seed="0", medal=1.0, **more):
    return Run(
        task=task, seed=seed, any_medal=medal, valid_submission=1.0, above_median=medal, **more
    )


RUNS = st.lists(
    st.builds(
        Run,
        task=st.sampled_from("abcde"),
        seed=st.sampled_from("012"),
        any_medal=st.none() | st.sampled_from([0.0, 1.0]),
        valid_submission=st.sampled_from([0.0, 1.0]),
        above_median=st.sampled_from([0.0, 1.0]),
        percentile=st.none() | SHARES,
        normalised=st.none() | SHARES,
        is_on_baselines=st.booleans(),
    ),
    min_size=1,
    max_size=20,
)


@given(st.lists(st.booleans(), min_size=1, max_size=8), st.data())
def test_pass_at_k_is_the_share_of_choices_that_hold_one_that_passed(passed, data):
    k = data.draw(st.integers(1, len(passed)))
    choices = list(itertools.combinations(passed, k))

    found = pass_at_k(len(passed), sum(passed), k)

    assert found == pytest.approx(sum(map(any, choices)) / len(choices))
    assert best_of_k([float(p) for p in passed], k) == pytest.approx(found)


@given(st.lists(SHARES, min_size=1, max_size=8), st.data())
def test_best_of_k_is_the_mean_of_the_best_over_all_choices(values, data):
    k = data.draw(st.integers(1, len(values)))

    best = [max(chosen) for chosen in itertools.combinations(values, k)]

    assert best_of_k(values, k) == pytest.approx(statistics.fmean(best))


@given(st.integers(1, 200), st.data())
def test_pass_at_k_never_falls_as_k_grows(n, data):
    c = data.draw(st.integers(0, n))

    curve = [pass_at_k(n, c, k) for k in range(1, n + 1)]

    assert curve == sorted(curve)
    assert curve[0] == pytest.approx(c / n)
    assert curve[-1] == (1.0 if c else 0.0)


@pytest.mark.parametrize(
    ("n", "c", "k"),
    [
        pytest.param(3, 4, 1, id="more-passed-than-tried"),
        pytest.param(3, 1, 0, id="of-none"),
        pytest.param(3, 1, 4, id="of-more-than-there-are"),
    ],
)
def test_pass_at_k_refuses_what_cannot_be(n, c, k):
    with pytest.raises(ValueError, match="expected"):
        pass_at_k(n, c, k)


@MANY
@given(RUNS, st.integers(0, 3))
def test_intervals_hold_their_estimate_and_lie_within_what_was_reached(runs, seed):
    figures = figures_of(runs, rng(seed), 200)

    for measure in MEASURES:
        one = getattr(figures, measure)
        if one is None or one.low is None:
            continue
        values = [v for r in runs if (v := getattr(r, measure)) is not None]
        assert one.low <= one.mean <= one.high
        assert min(values) - 1e-9 <= one.low
        assert one.high <= max(values) + 1e-9


@MANY
@given(RUNS)
def test_each_resample_draws_whole_tasks_as_often_as_there_are_tasks(runs):
    tasks = [r.task for r in runs]
    sizes = {t: tasks.count(t) for t in tasks}

    counts = resampled(tasks, rng(), 50)

    drawn = {t: counts[:, [i for i, u in enumerate(tasks) if u == t]].sum(axis=1) for t in sizes}
    assert all((found % sizes[t] == 0).all() for t, found in drawn.items())
    assert (sum(found // sizes[t] for t, found in drawn.items()) == len(sizes)).all()


def test_the_same_generator_gives_the_same_interval_and_another_one_another():
    runs = [run(task=t, seed=s, medal=float(t < s)) for t in "0123" for s in "012"]

    assert figures_of(runs, rng(1)) == figures_of(runs, rng(1))
    assert figures_of(runs, rng(1)) != figures_of(runs, rng(2))


def test_where_nothing_varies_there_is_no_interval_rather_than_one_of_no_width():
    one = figures_of([run(task=t, seed=s) for t in "ab" for s in "01"], rng()).any_medal

    assert one is not None
    assert (one.mean, one.sem, one.low, one.high) == (1.0, 0.0, None, None)


def test_figures_are_those_of_the_headline_and_of_no_attempts_there_are_none():
    said = [(r, r.mle_audit) for r in sample_grading().competition_reports]
    own = [(r, details) for r, details in said if details and details.agent == "baseline"]
    told = headline("baseline", "all", [r for r, _details in own])

    found = figures_of([run_of(r, str(details.seed)) for r, details in own], rng())

    for measure in ("any_medal", "valid_submission", "above_median"):
        one, whole = getattr(found, measure), getattr(told, measure)
        assert (one.mean, one.sem) == pytest.approx((whole.mean, whole.sem))
    assert found.any_medal is not None
    assert found.any_medal.n_tasks == told.n_medal_tasks == 1
    assert not found.comparable
    with pytest.raises(ValueError, match="at least one"):
        figures_of([], rng())


def test_seeds_that_lack_tasks_weigh_as_much_as_whole_ones():
    runs = [run("a", "0", 1.0), run("b", "0", 0.0), run("a", "1", 1.0)]

    medals = figures_of(runs, rng()).any_medal

    assert medals is not None
    assert medals.mean == pytest.approx((0.5 + 1.0) / 2)


def test_percentiles_of_people_and_of_baselines_are_never_averaged_together():
    on_people = run("a", percentile=0.5)
    on_baselines = run("b", medal=None, percentile=1.0, is_on_baselines=True)

    both, alone = figures_of([on_people, on_baselines], rng()), figures_of([on_baselines], rng())

    assert both.percentile is not None
    assert alone.percentile is not None
    assert (both.percentile.mean, both.percentile_of) == (0.5, "teams")
    assert (alone.percentile.mean, alone.percentile_of) == (1.0, "baselines")


def test_tasks_with_fewer_than_k_attempts_are_left_out_and_named():
    runs = [run("a", "0", 0.0), run("a", "1", 1.0), run("b", "0", 1.0)]

    one, two = at_k(runs, "any_medal", rng())

    assert (one.estimate.mean, one.estimate.n_tasks, one.left_out) == (0.75, 2, ())
    assert (two.estimate.mean, two.estimate.n_tasks, two.left_out) == (1.0, 1, ("b",))
    assert at_k([replace(r, any_medal=None) for r in runs], "any_medal", rng()) == ()


@MANY
@given(st.lists(st.lists(SHARES, min_size=3, max_size=3), min_size=1, max_size=6))
def test_over_the_same_tasks_the_best_of_k_never_falls(tasks):
    runs = [
        run(str(t), str(s), percentile=v) for t, found in enumerate(tasks)
        for s, v in enumerate(found)
    ]  # fmt: skip

    curve = at_k(runs, "percentile", rng(), 100)

    means = [point.estimate.mean for point in curve]
    assert means == pytest.approx(sorted(means))
    assert all(p.estimate.low is None or p.estimate.low <= p.estimate.mean for p in curve)


def test_very_many_attempts_at_one_task_do_not_make_a_curve_without_end():
    assert len(at_k([run(seed=str(i)) for i in range(500)], "any_medal", rng())) == MAX_K


@pytest.mark.parametrize(
    ("thresholds", "score", "lower", "expected"),
    [
        pytest.param((0.9, 0.5), 0.7, False, 0.5, id="half-way"),
        pytest.param((0.9, 0.5), 0.95, False, 1.0, id="beyond-gold-is-gold"),
        pytest.param((0.9, 0.5), 0.1, False, 0.0, id="below-the-median-is-the-median"),
        pytest.param((0.1, 0.5), 0.3, True, 0.5, id="lower-is-better"),
        pytest.param((0.1, 0.5), 900.0, True, 0.0, id="an-awful-loss-costs-no-more-than-none"),
        pytest.param((1.7e308, -1.7e308), 0.0, False, 0.5, id="a-board-as-wide-as-floats"),
        pytest.param((0.9, 0.5), None, False, 0.0, id="no-score"),
        pytest.param((0.5, 0.5), 0.5, False, None, id="a-board-of-one-score"),
        pytest.param((None, 0.5), 0.5, False, None, id="no-gold"),
    ],
)
def test_a_normalised_score_lies_between_median_and_gold(thresholds, score, lower, expected):
    row = grade_row(BOARDS[2], "baseline", 0).model_copy(
        update={
            "gold_threshold": thresholds[0],
            "median_threshold": thresholds[1],
            "score": score,
            "is_lower_better": lower,
        }
    )

    found = normalised(row)

    assert found == (expected if expected is None else pytest.approx(expected))


def test_the_table_of_tasks_counts_medals_and_takes_the_better_score():
    rows = [grade_row(board, "baseline", seed) for board in BOARDS for seed in (0, 1, 2)]
    rows.append(grade_row(BOARDS[0], "constant", 2))  # invalid

    cancer, modes, ship = task_figures(rows, lambda _row: None)

    assert (cancer.n_attempts, cancer.n_valid, cancer.n_scores, cancer.best) == (4, 3, 3, 0.99471)
    assert not cancer.awards_medals
    assert (modes.best, modes.is_lower_better) == (0.87113, True)
    assert (ship.n_gold, ship.n_silver, ship.n_bronze) == (1, 0, 1)
    assert ship.mean == pytest.approx(statistics.fmean((0.81034, 0.78736, 0.82184)))
    assert not ship.comparable


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n_tasks", "n_seeds", "least"),
    [
        pytest.param(5, 3, 0.86, id="five-tasks"),
        pytest.param(22, 3, 0.92, id="as-low"),
        pytest.param(75, 3, 0.92, id="as-all"),
        pytest.param(75, 1, 0.92, id="one-seed"),
    ],
)
def test_intervals_hold_the_truth_as_often_as_the_documentation_says(n_tasks, n_seeds, least):
    dice, hits, repeats = rng(7), 0, 600
    for _ in range(repeats):
        easy = dice.beta(0.5, 0.7, size=n_tasks)
        runs = [
            run(str(t), str(s), float(dice.random() < easy[t]))
            for t in range(n_tasks)
            for s in range(n_seeds)
        ]
        one = figures_of(runs, dice, 400).any_medal
        assert one is not None
        if one.low is not None and one.high is not None:
            hits += one.low <= 0.5 / 1.2 <= one.high

    assert hits / repeats >= least
