import shutil
from dataclasses import replace

import numpy as np
import pandas as pd  # noqa: TID253
import pytest

from competitions import spec
from competitions.baselines import compute, series, write_board
from competitions.baselines.__main__ import main
from competitions.baselines.problem import problem_of
from competitions.errors import UsageError
from competitions.io import sha256_file
from competitions.medals import load_board, read_board
from competitions.prepare import load_prepared
from competitions.sources.embedded.digits import png

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


@pytest.mark.slow
def test_a_table_of_words_and_gaps_is_refused(data_dir):
    with pytest.raises(UsageError, match=r"complete numeric columns.*words in HomePlanet"):
        compute(load_prepared(spec.load("spaceship-titanic"), data_dir))


def _changed(competition_id, data_dir, **sections):
    """Take prepared data and change a section of the definition, field by field."""
    prepared = load_prepared(spec.load(competition_id), data_dir)
    update = {
        name: getattr(prepared.spec, name).model_copy(update=value)
        if isinstance(value, dict)
        else value
        for name, value in sections.items()
    }
    return replace(prepared, spec=prepared.spec.model_copy(update=update))


@pytest.mark.parametrize(
    ("competition_id", "sections", "said"),
    [
        pytest.param("digit-images", {"modality": "audio"}, "found audio", id="modality"),
        pytest.param("place-names", {"metric": {"name": "bleu"}}, "for bleu", id="metric"),
        pytest.param(
            "place-names", {"metric": {"name": "mae"}}, "predict a class", id="text-number"
        ),
        pytest.param("digit-images", {"files": ()}, "found pictures of neither", id="no-pictures"),
        pytest.param("digit-images", {"modality": "tabular"}, "found 0 columns", id="no-columns"),
        pytest.param("diabetes-progression", {"modality": "text"}, "text; found age", id="no-text"),
        pytest.param(
            "diabetes-progression", {"modality": "time-series"}, "split's time None", id="no-time"
        ),
        pytest.param(
            "diabetes-progression",
            {"modality": "time-series", "split": {"time": "age"}},
            "split's time age",
            id="time-without-date",
        ),
        pytest.param("place-names", {"public": ()}, "need a train part", id="no-train-part"),
    ],
)
def test_what_the_models_of_a_modality_cannot_take_is_refused(
    data_dir, competition_id, sections, said
):
    with pytest.raises(UsageError, match=said):
        compute(_changed(competition_id, data_dir, **sections))


def test_pictures_of_several_sizes_are_refused(data_dir, tmp_path):
    prepared = load_prepared(spec.load("digit-images"), data_dir)
    shutil.copytree(prepared.folder, tmp_path / "prepared")
    first = next((tmp_path / "prepared" / "public" / "train").iterdir())
    first.write_bytes(png(np.zeros((9, 40), np.uint8)))

    with pytest.raises(UsageError, match="2 sizes, the largest of 360 pixels"):
        compute(replace(prepared, folder=tmp_path / "prepared"))


def test_a_series_goes_on_as_it_was(data_dir):
    """A line with a yearly wave: what fits it is exact, what forgets a part of it is not."""
    prepared = load_prepared(spec.load("co2-weekly"), data_dir)
    problem = problem_of(prepared)
    years = (pd.to_datetime(problem.train["date"]) - pd.Timestamp(0)).dt.days / 365.25
    later = (pd.to_datetime(problem.test["date"]) - pd.Timestamp(0)).dt.days / 365.25

    def truth(when):
        return 300 + 1.5 * when + 3 * np.sin(2 * np.pi * when)

    train = problem.train.assign(co2=truth(years)).sample(frac=1, random_state=0)
    missed = {
        name: float(np.abs(predicted - truth(later)).mean())
        for name, predicted in series.predictions(replace(problem, train=train))
    }

    for name in ("line-and-seasons", "cubic-and-seasons", "parabola-and-seasons-on-last-level"):
        assert missed[name] < 1e-6
    assert missed["last-year-and-recent-growth"] < 0.3
    assert missed["line"] > 1
    assert missed["last-year-again"] > 3
    assert missed["last-value"] > 3
    assert missed["constant-train-mean"] > 30


@pytest.mark.slow
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
        pytest.param(["my-task", "--raw", "gone"], None, 2, "gone: expected a folder", id="gone"),
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
