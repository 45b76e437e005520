"""Health of boards, worked out by hand on small ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from competitions.board_facts import all_facts, load_kaggle_board
from competitions.board_health import board_health
from competitions.medals import BoardScores, most_common, thresholds


def health_of(*scores, kind="kaggle"):
    return board_health(BoardScores(kind, "", tuple(map(float, scores))))


def test_figures_are_those_counted_by_hand():
    # 10 teams: gold is the 1st, silver the 2nd, bronze the 4th; the median is 6, twice.
    found = health_of(9, 8, 8, 8, 6, 6, 5, 1, 1, 0)

    assert (found.n_teams, found.n_distinct, found.best, found.worst) == (10, 6, 9, 0)
    assert (found.gold, found.silver, found.bronze, found.median) == (9, 8, 8, 6)
    assert (found.tied_at_best, found.tied_at_gold) == (1, 1)
    assert (found.tied_at_silver, found.tied_at_bronze, found.tied_at_median) == (3, 3, 2)
    assert (found.gold_is_silver, found.silver_is_bronze, found.bronze_is_median) == (
        False,
        True,
        False,
    )
    assert (found.share_with_gold, found.share_with_medal) == (0.1, 0.4)
    assert (found.most_common, found.n_most_common, found.share_most_common) == (8, 3, 0.3)


def test_ties_at_bronze_give_more_medals_than_places():
    # 20 teams have 8 bronze places; the 8th score is shared by six teams, the 6th to the 11th.
    found = health_of(*range(30, 25, -1), *[20] * 6, *range(9, 0, -1))

    assert found.bronze == 20
    assert found.share_with_medal == 11 / 20
    assert found.tied_at_bronze == 6


@pytest.mark.parametrize(
    ("scores", "words"),
    [
        pytest.param([*range(10, 0, -1)], "well spread", id="all-different"),
        pytest.param(
            [5], "gold = silver = bronze = median at 5, 100% of teams there", id="one-team"
        ),
        pytest.param(
            [1, 1, 0.9, 0.8, 0.8],
            "best = gold = silver = bronze at 1, 40% of teams there",
            id="all-medals-at-one-score",
        ),
        pytest.param([1] * 8, "best = gold = silver = bronze = median at 1, 100% of teams there",
                     id="one-score"),
        pytest.param([*range(40, 36, -1), 9, 9, *range(4, 0, -1)], "well spread",
                     id="a-pair-is-no-crowd"),
        pytest.param([*range(40, 36, -1), 9, 9, 9, *range(3, 0, -1)], "30% of teams at 9",
                     id="three-of-ten-are"),
        pytest.param([9, 9, *range(8, -60, -1)], "2 teams tied at the best score",
                     id="tied-at-best-and-not-at-gold"),
        # 100 teams: gold is the 10th, silver the 20th, bronze the 40th.
        pytest.param([*range(200, 181, -1), *[150] * 9, *range(100, 28, -1)], "well spread",
                     id="nine-tied-at-silver"),
        pytest.param([*range(200, 181, -1), *[150] * 10, *range(100, 29, -1)],
                     "10 teams tied at silver; 10% of teams at 150", id="ten-tied-at-silver"),
        pytest.param([*range(500, 305, -1), 300, 300, 300, *range(200, -600, -1)], "well spread",
                     id="three-of-a-thousand"),
    ],
)  # fmt: skip
def test_words_tell_what_is_worth_knowing(scores, words):
    assert health_of(*scores).words == words
    assert health_of(*(-s for s in scores)).words.replace("-", "") == words


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("aerial-cactus-identification",
         "best = gold = silver = bronze at 1, 12% of teams there; 25% of teams at 0.9999"),
        ("leaf-classification", "best = gold at 0, 2% of teams there"),
        ("dog-breed-identification", "9 teams tied at the best score"),
        ("herbarium-2020-fgvc7",
         "bronze = median at 0.05334, 12% of teams there; 25% of teams at 0"),
        ("hubmap-kidney-segmentation", "57% of teams at 0"),
        ("imet-2020-fgvc7", "silver = bronze at 0.649, 24% of teams there"),
        ("spooky-author-identification", "well spread"),
    ],
)  # fmt: skip
def test_real_boards_are_told_in_words(name, words):
    assert board_health(load_kaggle_board(name)).words == words


def test_a_board_of_baselines_has_no_medals_to_be_healthy():
    found = health_of(9, 9, 9, 1, kind="baselines")

    assert (found.gold, found.tied_at_silver, found.share_with_medal) == (None, None, None)
    assert (found.gold_is_silver, found.silver_is_bronze, found.bronze_is_median) == (None,) * 3
    assert found.words == "3 baselines tied at the best score; 75% of baselines at 9"


def test_of_two_equally_common_scores_the_better_one_counts():
    assert most_common([9, 8, 8, 7, 7]) == (8, 2)
    assert most_common([0.1, 0.1, 0.2, 0.2]) == (0.1, 2)
    assert most_common([3, 2, 1]) is None


BOARD = st.lists(st.integers(0, 9), min_size=1, max_size=300).map(
    lambda values: BoardScores("kaggle", "", tuple(float(v) for v in sorted(values, reverse=True)))
)


@given(BOARD)
def test_shares_are_those_of_the_teams_at_or_above_a_threshold(board):
    found, limits, n = board_health(board), thresholds(board), len(board.scores)

    assert limits.gold is not None
    assert limits.bronze is not None
    assert found.share_with_gold is not None
    assert found.share_with_medal is not None
    assert found.share_with_gold == sum(s >= limits.gold for s in board.scores) / n
    assert found.share_with_medal == sum(s >= limits.bronze for s in board.scores) / n
    assert found.share_with_gold <= found.share_with_medal <= 1


@given(BOARD)
def test_no_score_is_more_common_than_the_most_common(board):
    found = board_health(board)
    most = max(board.scores.count(s) for s in board.scores)

    assert found.n_most_common == (most if most > 1 else 0)
    assert found.n_most_common == (0 if found.most_common is None else most)


def test_every_board_is_measured_and_told():
    told = {name: board_health(load_kaggle_board(name)).words for name in all_facts()}

    assert all(told.values())
    # Figures that were published beside the boards.
    assert sum("gold = silver" in words for words in told.values()) == 1
    assert sum("silver = bronze" in words for words in told.values()) == 3
    assert sum("bronze = median" in words for words in told.values()) == 1
