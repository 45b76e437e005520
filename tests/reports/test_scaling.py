"""Curves over time: an attempt counts as it stood, and only where it could be watched."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from reports.scaling import MAX_TIMES, Reached, Trajectory, by_limit, over_time, times_of
from tests.reports.test_estimates import run


def rng():
    return np.random.default_rng(0)


def reached(after_s, medal=0.0, **more):
    return Reached(after_s=after_s, any_medal=medal, valid_submission=1.0, **more)


def path(*states, name="a", task="t", seed="0", **more):
    return Trajectory(attempt=name, task=task, seed=seed, reached=states, **more)


def test_before_the_first_copy_nothing_is_handed_in_and_between_two_the_older_counts():
    one = path(reached(60, 0.0, score=0.5), reached(120, 1.0, score=0.9), reached(300, 0.0))

    states = [one.at(t) for t in (0, 60, 119.9, 120, 9999)]

    assert [s.valid_submission for s in states] == [0.0, 1.0, 1.0, 1.0, 1.0]
    assert [s.any_medal for s in states] == [0.0, 0.0, 0.0, 1.0, 0.0]


def test_where_a_board_awards_no_medal_there_is_none_before_the_first_copy_either():
    assert path(reached(60, None), is_on_baselines=True).at(0).any_medal is None


def test_the_curve_is_over_all_attempts_also_those_that_had_handed_in_nothing_yet():
    early = path(reached(60, 1.0), name="a", seed="0")
    late = path(reached(600, 1.0), name="b", seed="1")

    curve = over_time([early, late], rng(), 50)

    medals = [p.figures.any_medal for p in curve]
    assert [p.after_s for p in curve] == [0.0, 60.0, 600.0]
    assert [m.mean for m in medals if m] == [0.0, 0.5, 1.0]
    assert [p.figures.n_attempts for p in curve] == [2, 2, 2]


@settings(max_examples=50)
@given(
    st.lists(st.lists(st.floats(0, 1e5, width=32), min_size=1, max_size=40), min_size=1, max_size=4)
)
def test_times_rise_end_with_the_last_change_and_are_not_too_many(made):
    found = times_of([path(*map(reached, sorted(times))) for times in made])

    assert list(found) == sorted(set(found))
    assert found[-1] == max(t for times in made for t in times)
    assert len(found) <= MAX_TIMES


def test_limits_are_compared_over_the_tasks_that_each_of_them_has():
    runs = [(60.0, run("easy")), (60.0, run("hard", medal=0.0)), (600.0, run("easy"))]

    found = by_limit(runs, rng(), 50)

    assert not isinstance(found, str)
    assert [(one.limit_s, one.figures.n_tasks) for one in found] == [(60, 1), (600, 1)]
    assert [m.mean for m in (one.figures.any_medal for one in found) if m] == [1.0, 1.0]


def test_without_two_limits_or_a_common_task_it_is_said_why():
    assert "same limit of 60 s" in by_limit([(60.0, run())], rng())
    assert "no task" in by_limit([(60.0, run("a")), (600.0, run("b"))], rng())
    assert "no attempt" in by_limit([], rng())
