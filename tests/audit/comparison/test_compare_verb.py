"""The verb: what it prints, writes and ends with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from audit.cli import app
from competitions.errors import DataError, RefusedError, UsageError
from reports.comparison.schema import read_comparison
from tests.audit.comparison.made import row, rows_of, write_document, write_report

TASKS = [f"task-{i}" for i in range(7)]


@pytest.fixture
def documents(tmp_path):
    made = []
    for agent, won in (("a", False), ("b", True)):
        rows = rows_of(agent, {t: [won] for t in TASKS})
        made.append(write_document(tmp_path / f"{agent}.json", rows, {"agent digest": agent * 64}))
    return made


def invoke(*words):
    return CliRunner().invoke(app, ["compare", *words])


def test_the_answer_comes_first_and_files_are_written(tmp_path, documents):
    done = invoke(
        *documents, "--json", f"{tmp_path}/c.json", "--html", f"{tmp_path}/c.html",
        "--markdown", f"{tmp_path}/c.md",
    )  # fmt: skip

    assert done.exit_code == 0
    assert done.stdout.startswith("B is better than A in the share of attempts with a medal.")
    assert "agent digest" in done.stdout
    assert f"Written: {tmp_path}/c.html" in done.stderr
    assert read_comparison(tmp_path / "c.json").steps[0].result is not None
    assert (tmp_path / "c.html").read_text().startswith("<!doctype html>")
    assert (tmp_path / "c.md").read_text().startswith("# A and B compared")


def test_the_document_is_printed_alone(documents):
    done = invoke(*documents, "--json", "-")

    assert json.loads(done.stdout)["mode"] == "pair"


def test_no_side_is_written_over(documents):
    before = [Path(path).read_text() for path in documents]
    done = invoke(f"{documents[0]}#a", documents[1], "--json", documents[0])

    assert isinstance(done.exception, RefusedError)
    assert [Path(path).read_text() for path in documents] == before


def test_a_history_is_told_step_by_step(documents):
    done = invoke("--history", *documents)

    assert done.exit_code == 0
    assert "2 versions, 1 step: 1 is a recorded update" in " ".join(done.stdout.split())
    assert "1 → 2" in done.stdout


def test_no_common_task_is_no_comparison(tmp_path, documents):
    other = write_report(tmp_path / "other.json", [row("elsewhere")])

    done = invoke(documents[0], other)

    assert isinstance(done.exception, DataError)
    assert done.exception.exit_code == 3
    assert done.stdout == ""


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(["{0}"], id="one-side"),
        pytest.param(["{0}", "{1}", "--metric", "x"], id="metric"),
    ],
)
def test_a_wrong_call_ends_with_2(documents, words):
    done = invoke(*(w.format(*documents) for w in words))

    assert isinstance(done.exception, UsageError)
    assert done.exception.exit_code == 2
