"""The honest baseline: what it finds in the data, and that it validates as the task splits."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd  # noqa: TID253 - these tests are about tables
import pytest

from audit.runner.agent import AGENTS, load_agent
from tests.audit.runner.tiny import run_once

if TYPE_CHECKING:
    from types import ModuleType


@pytest.fixture(scope="module")
def baseline() -> ModuleType:
    path = AGENTS / "baseline" / "main.py"
    spec = importlib.util.spec_from_file_location("baseline_main", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


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
    found = baseline.find_groups(*frames(train, test), "y")
    assert (found and found[0]) == group


def test_folds_keep_groups_whole(baseline):
    groups = pd.Series(np.repeat(range(20), 3))
    truth = pd.Series([0, 1, 0] * 20)
    _, folds = baseline.make_folds(truth, groups, True, 0)
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
    assert baseline.find_kind(train, given, "y") == kind


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
    assert (ran.path / "code" / "main.py").read_bytes() == (agent.folder / "main.py").read_bytes()
