"""The honest baseline: what it finds in the data, and that it validates as the task splits."""

from __future__ import annotations

import importlib
import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd  # noqa: TID253 - these tests are about tables
import pytest
from PIL import Image

from audit.runner.agent import AGENTS, load_agent
from tests.audit.runner.tiny import run_once

if TYPE_CHECKING:
    from collections.abc import Iterator

SCRIPTS = ("data", "learning", "tables", "text", "images", "series")


@pytest.fixture(scope="module")
def baseline() -> Iterator[SimpleNamespace]:
    """The agent's scripts, which import one another by bare names as they do inside."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(AGENTS / "baseline")
        patch.setattr(sys, "dont_write_bytecode", True)  # the folder's digest is the agent's
        for name in SCRIPTS:
            patch.delitem(sys.modules, name, raising=False)
        yield SimpleNamespace(**{name: importlib.import_module(name) for name in SCRIPTS})
        for name in SCRIPTS:
            del sys.modules[name]


def make_task(baseline, train: dict[str, Any], test: dict[str, Any], kind: str = "number") -> Any:
    train_frame, test_frame = frames(train, test)
    sample = pd.DataFrame({"id": range(len(test_frame)), "y": "0"})
    return baseline.data.Task(train_frame, test_frame, sample, "y", ["id"], kind)


def frames(train: dict[str, Any], test: dict[str, Any]) -> tuple[pd.DataFrame, pd.DataFrame]:
    return pd.DataFrame(train), pd.DataFrame(test)


@pytest.mark.parametrize(
    ("train", "test", "group"),
    [
        pytest.param(
            {"who": np.repeat(range(20), 3), "y": 0},
            {"who": np.repeat(range(20, 25), 3)},
            "who",
            id="column",
        ),
        pytest.param(
            {"key": [f"{i:04d}_{j:02d}" for i in range(20) for j in range(2)], "y": 0},
            {"key": [f"{i:04d}_{j:02d}" for i in range(20, 30) for j in range(2)]},
            "front of key",
            id="front of an id",
        ),
        pytest.param(
            {"who": np.repeat(range(20), 3), "y": 0},
            {"who": np.repeat(range(19, 25), 3)},
            None,
            id="one group on both sides",
        ),
        pytest.param(
            {"key": range(60), "y": 0}, {"key": range(60, 90)}, None, id="nothing repeats"
        ),
        pytest.param(
            {"year": np.repeat([1, 2], 30), "y": 0},
            {"year": np.repeat([3, 4], 5)},
            None,
            id="too few groups to fold",
        ),
        pytest.param(
            {"who": [None, *np.repeat(range(20), 3)], "y": 0},
            {"who": np.repeat(range(20, 25), 3)},
            None,
            id="with holes",
        ),
    ],
)
def test_groups_are_found_where_the_split_keeps_them_whole(baseline, train, test, group):
    found = baseline.data.find_groups(*frames(train, test), "y")
    assert (found and found[0]) == group


def test_folds_keep_groups_whole(baseline):
    groups = pd.Series(np.repeat(range(20), 3))
    truth = pd.Series([0, 1, 0] * 20)
    _, folds = baseline.learning.folds_of_rows(truth, groups, True, 0)
    for train, test in folds:
        assert not set(groups[train]) & set(groups[test])


@pytest.mark.parametrize(
    ("truth", "sample", "kind"),
    [
        pytest.param([True, False], ["False", "False"], "bool", id="bool"),
        pytest.param([0, 1], ["0.5", "0.5"], "probability", id="probability"),
        pytest.param([0, 1], ["0", "0"], "label", id="two labels"),
        pytest.param([1, 2, 3], ["1", "1"], "label", id="labels"),
        pytest.param(["a", "b"], ["a", "a"], "label", id="words"),
        pytest.param([1.5, 2.5, 3.25], ["0.0", "0.0"], "number", id="number"),
    ],
)
def test_the_samples_values_say_what_is_asked_for(baseline, truth, sample, kind):
    train, given = pd.DataFrame({"y": truth}), pd.DataFrame({"y": sample})
    assert baseline.data.find_kind(train, given, "y") == kind


@pytest.mark.parametrize(
    ("train", "test", "column"),
    [
        pytest.param(["2001-01-06", "2001-01-13"], ["2001-01-20"], "when", id="days"),
        pytest.param(["2001-01", "2001-02"], ["2001-03"], "when", id="months"),
        pytest.param(["2001-01-06", "2001-01-13"], ["2001-01-13"], None, id="the last day again"),
        pytest.param(["2001-01-06", "2001-01-20"], ["2001-01-13"], None, id="between"),
        pytest.param(["2001-01-06", None], ["2001-01-20"], None, id="with holes"),
        pytest.param(["1", "2"], ["3"], None, id="numbers of rows"),
        pytest.param(["2001-01-6 pm", "x"], ["2001-02"], None, id="no dates"),
    ],
)
def test_time_is_found_where_all_of_test_lies_after_train(baseline, train, test, column):
    found = baseline.data.find_time(*frames({"when": train, "y": 0}, {"when": test}))
    assert found == column


def test_folds_in_time_learn_from_the_past_and_look_as_far_ahead_as_the_real_split(baseline):
    scheme, parts = baseline.learning.folds_in_time(400, 100)
    assert "5 folds, each 100 rows ahead" in scheme
    for seen, unseen in parts:
        assert seen[-1] < unseen[0]
        assert len(unseen) == 100
        assert unseen[-1] < 400


NAMES = [f"{a}{b} town" for a in "KLMNPRST" for b in ("ora", "emi", "utu", "aly", "oxo", "iru")]


@pytest.mark.parametrize(
    ("values", "is_text"),
    [
        pytest.param(NAMES, True, id="names"),
        pytest.param([f"{i:04d}" for i in range(48)], False, id="numbers"),
        pytest.param([f"ab{i}cd" for i in range(48)], False, id="codes"),
        pytest.param(["red", "blue"] * 24, False, id="categories"),
        pytest.param([f"20{i:02d}-01-06" for i in range(48)], False, id="dates"),
        pytest.param([float(i) for i in range(48)], False, id="measurements"),
    ],
)
def test_text_is_what_differs_and_is_spelled(baseline, values, is_text):
    train, test = frames({"x": values, "y": 0}, {"x": values[:4]})
    assert baseline.text.find_texts(train, test, {"y"}) == (["x"] if is_text else [])


def test_a_word_that_pandas_takes_for_missing_is_kept(baseline, tmp_path):
    (tmp_path / "train.csv").write_text("id,place,x,y\n01,NA,NA,1\n02,,2.5,0\n03,FR,1,0\n")
    frame = baseline.data.read_csv(tmp_path / "train.csv", ["id"])
    assert list(frame["id"]) == ["01", "02", "03"]
    assert frame["place"][0] == "NA"
    assert frame["place"].isna().tolist() == [False, True, False]
    assert frame["x"].isna().tolist() == [True, False, False]


def test_a_trend_and_its_seasons_go_on(baseline):
    days = pd.date_range("1990-01-06", periods=1040, freq="7D")
    years = (days - days[0]).days.to_numpy() / 365.25
    value = 300 + 1.5 * years + 0.01 * years**2 + 3 * np.sin(2 * np.pi * years)
    text = days.strftime("%Y-%m-%d")
    task = make_task(
        baseline, {"d": text[:800], "y": value[:800]}, {"id": range(240), "d": text[800:]}
    )
    used, models = baseline.series.models(task, "d")
    assert used <= set(task.train.columns) & set(task.test.columns)
    curve = models["curve"]().fit(task.train, task.train["y"])
    assert np.abs(curve.predict(task.test) - value[800:]).max() < 0.05


def test_pictures_are_found_by_their_ids(baseline, tmp_path):
    for part, ids in (("train", "abcd"), ("test", "ef")):
        (tmp_path / part).mkdir()
        for number, name in enumerate(ids):
            Image.new("L", (40, 8), color=number * 60).save(tmp_path / part / f"{name}.png")
    task = make_task(baseline, {"id": list("abcd"), "y": [0, 0, 1, 1]}, {"id": list("ef")}, "label")
    used, models = baseline.images.models(task, tmp_path, 0)
    assert models
    assert len(used) == 16 * 8  # made smaller where the edge is long
    assert task.train[baseline.images.FIRST].tolist() == [0, 60 / 255, 120 / 255, 180 / 255]
    (tmp_path / "test" / "f.png").unlink()
    task = make_task(baseline, {"id": list("abcd"), "y": 0}, {"id": list("ef")}, "label")
    assert baseline.images.models(task, tmp_path, 0) == (set(), {})


def test_rows_are_compared_within_groups_of_one_size(baseline):
    who = np.repeat(range(3), 2)
    task = make_task(
        baseline,
        {"who": who, "x": [1.0, 3, 5, 5, 0, 8], "y": 0},
        {"who": who[:2] + 9, "x": [2.0, 6]},
    )
    baseline.tables.compare_within_groups(task, ("who", task.train["who"]), {"who", "y"})
    assert task.train["x within who"].tolist() == [-1, 1, 0, 0, -4, 4]
    assert task.test["x within who"].tolist() == [-2, 2]


def test_the_average_of_the_most_models_is_chosen_among_equals(baseline):
    task = make_task(baseline, {"id": range(4), "y": [0.0, 1, 2, 3]}, {"id": [4]})
    known = [np.array([0.0, 1]), np.array([2.0, 3])]
    right = {"a": 0.01, "b": -0.01, "bad": 5}
    held_out = [{name: truth + off for name, off in right.items()} for truth in known]
    chosen, table = baseline.learning.choose(task, known, held_out)
    assert chosen == "a + b"
    assert next(iter(table)) == chosen
    assert len(table) == 7


@pytest.mark.parametrize(
    ("kind", "line", "measure"),
    [
        pytest.param("number", "Metric: mae (lower is better).", "mean absolute error", id="mae"),
        pytest.param(
            "number", "Metric: rmse (lower is better).", "root mean squared error", id="rmse"
        ),
        pytest.param("label", "Metric: macro-f1 (higher is better).", "macro F1", id="macro-f1"),
        pytest.param("label", "Metric: accuracy (higher is better).", "accuracy", id="accuracy"),
        pytest.param("probability", "Metric: auc-roc (higher is better).", "ROC AUC", id="auc"),
        pytest.param(
            "probability", "Metric: log-loss (lower is better).", "log loss", id="log-loss"
        ),
        pytest.param("label", "The mae of macro-f1", "accuracy", id="no line of the metric"),
    ],
)
def test_models_are_compared_by_the_tasks_metric(
    baseline, monkeypatch, tmp_path, kind, line, measure
):
    (tmp_path / "instructions.txt").write_text(f"TASK\n  {line}\n")
    monkeypatch.setenv("INSTRUCTIONS", str(tmp_path / "instructions.txt"))
    truth = np.array([0, 1, 1, 0])
    task = make_task(baseline, {"id": range(4), "y": truth}, {"id": [4]}, kind)
    shares = np.array([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4], [0.7, 0.3]])
    name, value, higher = baseline.learning.score(
        task, truth, shares if kind != "number" else truth
    )
    assert name == measure
    assert higher == (value if measure in {"macro F1", "accuracy", "ROC AUC"} else -value)


@pytest.mark.parametrize(
    ("classes", "answers"),
    [
        pytest.param([False, True], ["True", "False"], id="bool"),
        pytest.param(["False", "True"], ["True", "False"], id="words"),
        pytest.param([0, 1], ["True", "False"], id="numbers"),
    ],
)
def test_truth_values_are_spelled_as_the_sample_spells_them(baseline, classes, answers):
    task = make_task(baseline, {"id": range(2), "y": classes}, {"id": range(2)}, "bool")
    assert baseline.learning.as_answers(task, np.array([[0.2, 0.8], [0.7, 0.3]])) == answers


@pytest.mark.slow
@pytest.mark.sandbox
def test_it_hands_in_probabilities_validated_by_group(tmp_path, interpreters, task):
    agent = load_agent("baseline")
    ran = run_once(agent, task, tmp_path / "runs", interpreters, memory_bytes=1 << 30)
    assert ran.record.exit_status == "finished", ran.log
    handed_in = pd.read_csv(ran.path / "submission" / "submission.csv", dtype={"id": str})
    sample = pd.read_csv(task.public / "sample_submission.csv", dtype={"id": str})
    assert list(handed_in["id"]) == list(sample["id"])
    assert handed_in["y"].between(0, 1).all()
    log = (ran.path / "logs" / "agent.log").read_text()
    assert "Groups: visit, 20 in train, none of them in test." in log
    assert "Validation score: log loss" in log
    assert "GroupKFold, 5 folds, shuffled with seed 0" in log
    for script in agent.folder.glob("*.py"):  # all of it
        assert (ran.path / "code" / script.name).read_bytes() == script.read_bytes()
