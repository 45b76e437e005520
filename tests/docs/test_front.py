"""The front of the command line is light, and cheap commands of the pages do what is written."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import subprocess
import sys

import pytest

from audit.runner.bubblewrap import bubblewrap_problem
from tests.docs.pages import ROOT, blocks

HEAVY = (
    *("pandas", "numpy", "sklearn", "scipy", "statsmodels", "torch", "transformers"),
    *("jinja2", "joblib", "pydantic", "rich", "yaml", "datasketch", "rapidfuzz"),
)
SANDBOX = pytest.mark.skipif(bubblewrap_problem() is not None, reason="bubblewrap does not work")


@pytest.fixture(scope="module")
def terminal(tmp_path_factory):
    """A folder to work in, with a data directory and a cache of its own."""
    home = tmp_path_factory.mktemp("terminal")
    environment = os.environ | {
        "MLE_AUDIT_DATA": str(home / "data"),
        "PATH": f"{os.path.dirname(sys.executable)}:{os.environ['PATH']}",  # noqa: PTH120
    }

    def run(*words: str, code: int = 0) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "audit.cli", *words],
            check=False,
            capture_output=True,
            text=True,
            cwd=home,
            env=environment,
        )
        assert done.returncode == code, done.stderr
        return done.stdout

    run.home = home  # type: ignore[attr-defined]
    return run


def test_help_loads_nothing_heavy():
    program = (
        "import sys; sys.argv = ['mle-audit', '--help']\n"
        "from audit.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "sys.stderr.write(' '.join(sorted({name.partition('.')[0] for name in sys.modules})))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )

    assert "Usage: mle-audit" in done.stdout
    assert set(done.stderr.split()) & set(HEAVY) == set()


@pytest.mark.slow
@pytest.mark.parametrize("what", ["competitions", "detectors", "agents"])
def test_lists_are_tables_and_json(terminal, what):
    rows = json.loads(terminal("list", what, "--json"))

    assert rows
    assert all(row["id"] in terminal("list", what) for row in rows[:1])


def test_a_task_is_prepared_and_its_sample_graded_as_the_readme_says(terminal):
    assert "breast-cancer  v1       embedded" in terminal("prepare", "-c", "breast-cancer")

    public = terminal.home / "data" / "breast-cancer" / "prepared" / "public"
    shutil.copy(public / "sample_submission.csv", terminal.home / "submission.csv")
    graded = terminal("grade-sample", "submission.csv", "breast-cancer", "--json")

    assert json.loads(graded)["score"] == pytest.approx(0.5)
    assert terminal("validate", "submission.csv", "breast-cancer") == "The submission is valid.\n"


@pytest.mark.slow
def test_a_wrong_submission_ends_with_1_and_a_wrong_call_with_2(terminal):
    terminal("prepare", "-c", "breast-cancer")
    with (terminal.home / "bad.csv").open("w", newline="") as stream:
        csv.writer(stream).writerows([("id", "malignant"), ("1", "often")])

    terminal("validate", "bad.csv", "breast-cancer", code=1)
    terminal("grade-sample", "bad.csv", "breast-cancer", code=1)
    terminal("list", "dreams", code=2)
    terminal("vet", "no-such-folder", code=2)
    terminal("report", "no-such-file.json", code=3)


@SANDBOX
@pytest.mark.sandbox
def test_the_agent_of_the_page_hands_in_a_valid_submission(terminal):
    page = ROOT / "docs" / "agents.md"
    folder = terminal.home / "my-agent"
    folder.mkdir()
    (folder / "agent.yaml").write_text(blocks(page, "yaml")[0].text, encoding="utf-8")
    (folder / "start.sh").write_text(blocks(page, "bash")[0].text, encoding="utf-8")
    terminal("prepare", "-c", "breast-cancer")
    (command,) = (
        line.removeprefix("$ mle-audit ")
        for line in blocks(page, "console")[0].text.splitlines()
        if line.startswith("$ mle-audit ")
    )

    done = json.loads(terminal(*command.split(), "--run-dir", "own", "--json"))

    assert [a["exit_status"] for a in done["attempts"]] == ["finished", "finished"]
    attempt = terminal.home / done["path"] / done["attempts"][1]["attempt_id"]
    assert (attempt / "logs" / "agent.log").read_text().startswith("seed 1, at most 600 s")
    assert "Submission is valid." in (attempt / "logs" / "agent.log").read_text()
    assert done["attempts"][1]["validation_calls"] == 1
    assert (attempt / "code" / "start.sh").is_file()
    terminal("validate", str(attempt / "submission" / "submission.csv"), "breast-cancer")


def _shape(line: str) -> str:
    """Leave of a line what does not depend on the machine, the day and the luck of ids."""
    line = re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "<id>", line)
    line = re.sub(r"\S*…\S*|/\S+/prepared", "<path>", line)
    return " ".join(re.sub(r"\d+(\.\d+)?", "#", line).split())


@SANDBOX
@pytest.mark.sandbox
@pytest.mark.slow
def test_the_session_of_the_readme_goes_as_shown(terminal):
    shutil.rmtree(terminal.home / "data", ignore_errors=True)  # it begins with nothing prepared
    shown: list[tuple[str, list[str]]] = []
    for line in blocks(ROOT / "README.md", "console")[0].text.splitlines():
        if line.startswith("$ "):
            shown.append((line.removeprefix("$ mle-audit "), []))
        elif line != "…":
            shown[-1][1].append(line)

    for command, lines in shown:
        is_last = command.startswith("vet ")
        said = terminal(*command.split(), code=1 if is_last else 0)
        assert [_shape(line) for line in lines] == [
            shape for shape in map(_shape, said.splitlines()) if shape in map(_shape, lines)
        ]
    assert (terminal.home / "site" / "index.html").is_file()
    _library_use_prints_the_same_verdicts(terminal)


def _library_use_prints_the_same_verdicts(terminal):
    code = blocks(ROOT / "README.md", "python")[0].text
    done = subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        capture_output=True,
        text=True,
        cwd=terminal.home,
    )
    document = json.loads((terminal.home / "audit.json").read_text(encoding="utf-8"))

    told = [line.split()[:2] for line in done.stdout.splitlines()]
    assert told == [[v["subject"], v["conclusion"]] for v in document["verdicts"]]
