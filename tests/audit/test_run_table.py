"""What `run` prints is in the order of tasks and seeds, whichever attempt ended first."""

from __future__ import annotations

import json

from typer.testing import CliRunner

from audit.cli import app
from competitions.prepare import prepare
from competitions.spec import load


def test_rows_stand_by_task_and_seed(tmp_path):
    for name in ("modechoice", "breast-cancer"):
        prepare(load(name), tmp_path / "data")
    words = ["run", "--agent", "constant", "-c", "modechoice", "-c", "breast-cancer", "--json"]
    words += ["--seeds", "2", "--sandbox", "none", "--time-limit", "1m"]
    words += ["--data-dir", str(tmp_path / "data"), "--run-dir", str(tmp_path / "runs")]
    done = CliRunner().invoke(app, words)

    attempts = json.loads(done.stdout)["attempts"]
    assert [(a["competition_id"], a["seed"]) for a in attempts] == [
        *(("breast-cancer", 0), ("breast-cancer", 1)),
        *(("modechoice", 0), ("modechoice", 1)),
    ]
