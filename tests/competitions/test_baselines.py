import pytest

from competitions import spec
from competitions.baselines import compute, write_board
from competitions.errors import UsageError
from competitions.medals import load_board, read_board
from competitions.prepare import load_prepared


@pytest.mark.slow
@pytest.mark.parametrize("competition_id", ["breast-cancer", "modechoice"])
def test_computing_a_board_anew_gives_the_shipped_one(tmp_path, competition_id):
    task = spec.load(competition_id)
    write_board(task, tmp_path / "board.csv")
    anew, shipped = read_board(tmp_path / "board.csv", "baselines"), load_board(task)

    assert dict(zip(anew.names, anew.scores, strict=True)) == pytest.approx(
        dict(zip(shipped.names, shipped.scores, strict=True)), abs=1e-3
    )


@pytest.mark.parametrize("competition_id", ["breast-cancer", "modechoice"])
def test_a_board_holds_models_that_learn_and_a_constant_that_does_not(competition_id):
    task = spec.load(competition_id)
    board = load_board(task)
    scores = dict(zip(board.names, board.scores, strict=True))
    constant, best = scores["constant-train-mean"], board.scores[0]

    assert (best < constant - 0.1) if task.metric.is_lower_better else (best > constant + 0.1)


def test_a_table_with_words_and_gaps_is_refused(data_dir):
    with pytest.raises(UsageError, match="complete numeric columns"):
        compute(load_prepared(spec.load("spaceship-titanic"), data_dir))
