import pandas as pd  # noqa: TID253
import pytest

from competitions import spec
from competitions.baselines import compute, write_board
from competitions.baselines.__main__ import main
from competitions.errors import UsageError
from competitions.io import sha256_file
from competitions.medals import load_board, read_board
from competitions.prepare import load_prepared

BOARDS_OF_BASELINES = [i for i in spec.catalog_ids() if spec.load(i).board.kind == "baselines"]


@pytest.mark.slow
@pytest.mark.parametrize("competition_id", BOARDS_OF_BASELINES)
def test_computing_a_board_anew_gives_the_shipped_one(tmp_path, competition_id):
    task = spec.load(competition_id)
    write_board(task, tmp_path / "board.csv")
    anew, shipped = read_board(tmp_path / "board.csv", "baselines"), load_board(task)

    assert dict(zip(anew.names, anew.scores, strict=True)) == pytest.approx(
        dict(zip(shipped.names, shipped.scores, strict=True)), abs=1e-3
    )


@pytest.mark.parametrize("competition_id", BOARDS_OF_BASELINES)
def test_a_board_holds_models_that_learn_and_a_constant_that_does_not(competition_id):
    task = spec.load(competition_id)
    board = load_board(task)
    scores = dict(zip(board.names, board.scores, strict=True))
    (constant,) = (score for name, score in scores.items() if name.startswith("constant-"))
    best = board.scores[0]

    assert (best < 0.75 * constant) if task.metric.is_lower_better else (best > constant + 0.1)
    assert len(set(board.scores)) >= 8


def test_a_table_of_words_and_gaps_is_refused(data_dir):
    with pytest.raises(UsageError, match=r"complete numeric columns.*words in HomePlanet"):
        compute(load_prepared(spec.load("spaceship-titanic"), data_dir))


def test_a_board_of_ones_own_task_is_made_from_the_named_folder(own_task, tmp_path, capsys):
    name, raw = own_task
    target = tmp_path / "board.csv"

    assert main([name, "--raw", str(raw), "--output", str(target)]) == 0
    assert len(read_board(target, "baselines").scores) == 11
    assert f"sha256: {sha256_file(target)}" in capsys.readouterr().out


def _spoil(raw, change):
    frame = pd.read_csv(raw / "data.csv")
    change(frame)
    frame.to_csv(raw / "data.csv", index=False)


def _words(frame):
    frame["mean_radius"] = "wide"


def _gap(frame):
    frame.loc[3, "mean_texture"] = None


def _classes(frame):
    frame["malignant"] += 1


@pytest.mark.parametrize(
    ("words", "change", "code", "said"),
    [
        pytest.param(["my-tusk"], None, 2, "Did you mean my-task?", id="unknown"),
        pytest.param(["my-task"], None, 2, "none was named", id="no-folder"),
        pytest.param(["my-task", "--raw", "gone"], None, 3, "data.csv in gone", id="gone"),
        pytest.param(["my-task", "--source", "web"], None, 2, "source", id="source"),
        pytest.param(["my-task", "--raw", "RAW"], _words, 2, "words in mean_radius", id="words"),
        pytest.param(["my-task", "--raw", "RAW"], _gap, 2, "empty cells in mean_texture", id="gap"),
        pytest.param(["my-task", "--raw", "RAW"], _classes, 2, "both 0 and 1", id="other-classes"),
    ],
)  # fmt: skip
def test_what_cannot_be_made_is_one_error_and_no_traceback(
    own_task, capsys, words, change, code, said
):
    raw = own_task[1]
    if change:
        _spoil(raw, change)
    stand_for = {"RAW": str(raw)}
    output = ["--output", str(raw / "board.csv")]

    assert main([*(stand_for.get(w, w) for w in words), *output]) == code
    err = capsys.readouterr().err
    assert err.startswith("error[")
    assert said in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param(["spaceship-titanic"], "is Kaggle's", id="kaggle"),
        pytest.param(["breast-cancer", "--source", "miniature"], "no board", id="miniature"),
    ],
)
def test_a_shipped_board_is_not_replaced_by_what_is_none(capsys, words, said):
    assert main(words) == 2
    assert said in capsys.readouterr().err
