"""Which attempts are paired, what they count as, and what is left out with a reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from audit.comparison.document import Measure
from audit.comparison.pairs import default_metric, pairing
from competitions.medals import load_board, thresholds
from competitions.spec import load
from tests.audit.comparison.made import row, side

NOWHERE = Path("nowhere")


def pair(before, after, metric="score", *, is_scaled=False):
    return pairing(side(before), side(after), Measure(metric, is_scaled, NOWHERE))


def reasons(found):
    return [f"{o.what}: {o.why}" for o in found.left_out]


def test_attempts_are_paired_by_seed_whatever_their_order():
    before = [row("t", 0.1, seed=1, agent="a"), row("t", 0.2, seed=0, agent="a")]
    after = [row("t", 0.5, seed=0, agent="b"), row("t", 0.9, seed=1, agent="b")]

    (task,) = pair(before, after).tasks

    assert (task.paired_by, [p.seed for p in task.pairs]) == ("seed", [0, 1])
    assert task.differences == (0.3, 0.8)


def test_a_seed_without_partner_is_left_out_and_named():
    before = [row("t", 0.1, seed=s, agent="a") for s in (0, 1, 2)]
    found = pair(before, [row("t", 0.5, seed=2, agent="b")])

    assert [p.seed for p in found.tasks[0].pairs] == [2]
    assert "2 attempts on 1 task: t: attempts of A" in reasons(found)[0]


def test_seeds_that_are_not_recorded_are_paired_in_order():
    (task,) = pair([row("t", 0.1), row("t", 0.2)], [row("t", 0.4), row("t", 0.4)]).tasks

    assert task.paired_by == "order"
    assert task.differences == (0.3, 0.2)


def test_a_seed_that_occurs_twice_is_two_attempts():
    twice = [row("t", s, seed=0, agent="a") for s in (0.1, 0.2)]

    (task,) = pair(twice, [row("t", 0.5, seed=0, agent="b")] * 2).tasks

    assert task.differences == (0.4, 0.3)


def test_a_lower_score_is_a_gain_where_lower_is_better():
    (task,) = pair(
        [row("t", 0.5, is_lower_better=True)], [row("t", 0.2, is_lower_better=True)]
    ).tasks

    assert task.differences == (0.3,)
    assert task.is_lower_better


def test_a_task_whose_direction_is_disputed_is_left_out():
    found = pair([row("t", 0.5)], [row("t", 0.2, is_lower_better=True)])

    assert found.tasks == ()
    assert "do not agree" in reasons(found)[0]


def test_two_variants_of_a_task_are_two_tasks():
    found = pair(
        [row("t", seed=0, agent="a")], [row("t", seed=0, agent="b", variant="fixed")], "medal"
    )

    assert found.tasks == ()
    assert reasons(found) == [
        "1 attempt on 1 task: t: only A has attempts there",
        "1 attempt on 1 task: t (fixed): only B has attempts there",
    ]


@pytest.mark.parametrize(
    ("metric", "value"),
    [pytest.param("medal", 0.0, id="no-medal"), pytest.param("percentile", 0.0, id="last")],
)
def test_a_failed_submission_counts_as_the_worst(metric, value):
    failed = row("t", None, seed=0, agent="a")
    (task,) = pair(
        [failed], [row("t", 0.95, medal=True, seed=0, agent="b", percentile=99.0)], metric
    ).tasks

    assert task.pairs[0].before == value
    assert task.mean > 0


def test_a_failed_submission_has_no_score_and_that_is_said():
    found = pair([row("t", None), row("t", 0.1)], [row("t", 0.5), row("t", 0.5)])

    assert found.tasks[0].differences == (0.4,)
    assert "1 pair on 1 task: t: one side has no score" in reasons(found)[0]


@pytest.mark.parametrize(
    ("before", "after", "scale"),
    [
        pytest.param(1.7e308, -1.7e308, False, id="no-float-holds-the-difference"),
        pytest.param(0.0, 1e200, False, id="no-float-holds-its-square"),
        pytest.param(0.0, 1.0, True, id="a-board-hardly-apart"),
    ],
)
def test_scores_that_cannot_be_reckoned_with_are_left_out_and_the_others_stay(before, after, scale):
    apart: dict[str, Any] = {"gold_threshold": 1e-300, "median_threshold": 0.0}
    board = apart if scale else {}
    found = pair(
        [row("t", before, **board), row("u", 0.25)],
        [row("t", after, **board), row("u", 0.5)],
        is_scaled=scale,
    )

    assert [t.competition_id for t in found.tasks] == ["u"]
    assert reasons(found) == [
        "1 pair on 1 task: t: its scores are too far apart to be reckoned with"
    ]


def test_a_grader_that_crashed_is_nobodys_failure():
    crashed = row("t", None, seed=0, agent="a", outcome="grader_error")

    found = pair([crashed], [row("t", seed=0, agent="b")], "medal")

    assert found.tasks == ()
    assert "the grader crashed" in reasons(found)[0]


def test_scores_of_several_tasks_are_put_on_the_way_from_median_to_gold():
    rows = [[row(t, s) for t in "tu"] for s in (0.5, 0.7)]

    found = pair(*rows, is_scaled=True)

    assert [t.mean for t in found.tasks] == [0.5, 0.5]


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        pytest.param({"gold_threshold": 0.5}, "no gold and median apart", id="no-span"),
        pytest.param({"gold_threshold": None}, "no gold and median apart", id="no-gold"),
    ],
)
def test_a_board_that_gives_no_scale_leaves_its_task_out(fields, why):
    found = pair([row("t", **fields)], [row("t", 0.9, **fields)], is_scaled=True)

    assert found.tasks == ()
    assert why in reasons(found)[0]


def test_boards_that_differ_give_no_common_scale():
    found = pair([row("t")], [row("t", gold_threshold=0.95)], is_scaled=True)

    assert "different boards" in reasons(found)[0]


def test_percentiles_of_others_reports_come_from_the_pinned_board():
    board = load_board(load("spaceship-titanic"))
    limits = thresholds(board)
    told: dict[str, Any] = {"gold_threshold": limits.gold, "median_threshold": limits.median}
    best, worst = board.scores[0], board.scores[-1]

    known = pair(
        [row("spaceship-titanic", worst, **told)],
        [row("spaceship-titanic", best, **told)],
        "percentile",
    )
    other = pair([row("spaceship-titanic")], [row("spaceship-titanic")], "percentile")
    unknown = pair([row("t")], [row("t")], "percentile")

    assert known.tasks[0].pairs[0].before == 0.0
    assert known.tasks[0].mean > 99
    assert "not that of the pinned board" in reasons(other)[0]
    assert "its board is not known here" in reasons(unknown)[0]


def test_boards_of_baselines_award_no_medals():
    rows = [row("t", seed=0, agent=a, board_kind="baselines") for a in "ab"]

    found = pair([rows[0]], [rows[1]], "medal")

    assert found.tasks == ()
    assert default_metric([side([rows[0]]), side([rows[1]])]) == "percentile"
    assert default_metric([side([row("t")]), side([row("t")])]) == "medal"
