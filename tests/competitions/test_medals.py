import pytest
from hypothesis import given
from hypothesis import strategies as st

from competitions import spec
from competitions.errors import DigestMismatchError, UnreadableFileError
from competitions.medals import (
    BoardScores,
    is_most_common,
    load_board,
    medal_of,
    percentile,
    positions,
    read_board,
    thresholds,
)

# Worked out by hand from the rule.
PLACES = {
    1: (1, 1, 1),
    5: (1, 1, 2),
    9: (1, 1, 3),
    10: (1, 2, 4),
    99: (9, 19, 39),
    100: (10, 20, 40),
    249: (10, 49, 99),
    250: (10, 50, 100),
    999: (11, 50, 100),
    1000: (12, 50, 100),
    2288: (14, 114, 228),
    5000: (20, 250, 500),
}


@pytest.mark.parametrize(("n_teams", "places"), PLACES.items())
@pytest.mark.parametrize("is_lower_better", [False, True])
def test_medals_start_at_the_places_of_the_rule(n_teams, places, is_lower_better):
    scores = [float(i) for i in range(1, n_teams + 1)]
    if not is_lower_better:
        scores.reverse()
    found = thresholds(BoardScores("kaggle", "", tuple(scores)))

    assert positions(n_teams) == places
    assert (found.gold, found.silver, found.bronze) == tuple(scores[p - 1] for p in places)
    assert found.median == (n_teams + 1) / 2


def test_a_board_without_teams_is_refused():
    with pytest.raises(ValueError, match="needs a team"):
        positions(0)


def test_spaceship_titanic_has_the_published_thresholds():
    found = thresholds(load_board(spec.load("spaceship-titanic")))

    assert (found.gold, found.silver, found.bronze) == (0.82066, 0.81388, 0.80967)
    assert (found.median, found.n_teams, found.kind) == (0.79565, 2288, "kaggle")


@pytest.mark.parametrize("competition_id", ["breast-cancer", "modechoice"])
def test_a_board_of_baselines_awards_no_medal(competition_id):
    board = load_board(spec.load(competition_id))
    found = thresholds(board)

    assert (found.gold, found.silver, found.bronze) == (None, None, None)
    assert medal_of(board.scores[0], found, is_lower_better=True) is None
    assert len(board.names) == found.n_teams == 11


BOARD = thresholds(BoardScores("kaggle", "", tuple(1 - i / 100 for i in range(10))))


@pytest.mark.parametrize(
    ("score", "medal"),
    [
        pytest.param(1.0, "gold", id="gold-threshold-included"),
        pytest.param(0.99999, "silver", id="just-below-gold"),
        pytest.param(0.99, "silver", id="silver-threshold-included"),
        pytest.param(0.98, "bronze", id="between"),
        pytest.param(0.97, "bronze", id="bronze-threshold-included"),
        pytest.param(0.96999, None, id="just-below-bronze"),
    ],
)
def test_thresholds_are_included_and_only_the_best_medal_is_given(score, medal):
    assert medal_of(score, BOARD, is_lower_better=False) == medal


def test_where_lower_is_better_lower_scores_win():
    board = thresholds(BoardScores("kaggle", "", tuple(float(i) for i in range(1, 11))))

    assert [medal_of(float(s), board, is_lower_better=True) for s in (0, 1, 2, 4, 5)] == [
        "gold",
        "gold",
        "silver",
        "bronze",
        None,
    ]


@given(
    scores=st.lists(st.integers(0, 9), min_size=1, max_size=30),
    score=st.integers(0, 9),
    is_lower_better=st.booleans(),
)
def test_a_percentile_counts_the_strictly_worse(scores, score, is_lower_better):
    worse = [s for s in scores if (s > score if is_lower_better else s < score)]
    found = percentile(score, scores, is_lower_better=is_lower_better)

    assert found == pytest.approx(100 * len(worse) / len(scores))


@pytest.mark.parametrize(
    ("scores", "score", "expected"),
    [
        pytest.param((0.9, 0.8, 0.8, 0.7), 0.8, True, id="shared-by-two"),
        pytest.param((0.9, 0.8, 0.8, 0.7), 0.9, False, id="on-the-board-once"),
        pytest.param((0.9, 0.8, 0.8, 0.7), 0.80001, False, id="a-last-digit-away"),
        pytest.param((0.9, 0.8, 0.7), 0.9, False, id="no-score-occurs-twice"),
        pytest.param((0.381614, 0.381614, 0.5), 0.38161, True, id="the-board-has-six-decimals"),
        pytest.param((0.0, 0.0, 0.0), 0.0, True, id="nought-is-a-score"),
        pytest.param((0.9, 0.9, 0.8, 0.8, 0.8), 0.9, False, id="common-but-not-most-common"),
    ],
)
def test_a_score_is_the_most_common_one_at_the_decimals_of_a_grade(scores, score, expected):
    assert is_most_common(score, thresholds(BoardScores("kaggle", "", scores))) is expected


def test_another_board_than_the_pinned_one_is_refused(tmp_path):
    (tmp_path / "spaceship-titanic.csv").write_text("rank,score\n1,0.9\n")
    with pytest.raises(DigestMismatchError, match=r"spaceship-titanic\.csv: expected sha256"):
        load_board(spec.load("spaceship-titanic"), tmp_path)


@pytest.mark.parametrize("text", ["", "rank,score\n", "rank\n1\n", "rank,score\n1,high\n"])
def test_a_file_without_scores_is_no_board(tmp_path, text):
    (tmp_path / "b.csv").write_text(text)
    with pytest.raises(UnreadableFileError, match="no board"):
        read_board(tmp_path / "b.csv", "kaggle")
