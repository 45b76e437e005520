"""The session of docs/authoring.md goes as shown, and its metric grades."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys

import pytest

from tests.docs.pages import ROOT, blocks

PAGE = ROOT / "docs" / "authoring.md"


@pytest.fixture(scope="module")
def terminal(tmp_path_factory):
    home = tmp_path_factory.mktemp("authoring")
    environment = os.environ | {"MLE_AUDIT_DATA": str(home / "data")}

    def run(*words: str) -> list[str]:
        done = subprocess.run(
            [sys.executable, *words], check=False, capture_output=True, text=True, cwd=home,
            env=environment,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    run("-c", blocks(PAGE, "python")[0].text)
    run.home = home  # type: ignore[attr-defined]
    return run


def shown() -> list[tuple[str, list[str]]]:
    """Each command of the page with what it prints."""
    commands: list[tuple[str, list[str]]] = []
    for line in blocks(PAGE, "console")[0].text.splitlines():
        if line.startswith("$ "):
            commands.append((line.removeprefix("$ mle-audit "), []))
        elif line != "…":
            commands[-1][1].append(" ".join(line.split()))
    return commands


@pytest.mark.slow
def test_the_session_goes_as_shown(terminal):
    for command, lines in shown():
        said = [" ".join(s.split()) for s in terminal("-m", "audit.cli", *shlex.split(command))]
        assert [line for line in said if line in lines] == lines


@pytest.mark.slow
def test_the_metric_of_the_page_is_taken_and_grades(terminal):
    (terminal.home / "mae.py").write_text(blocks(PAGE, "python")[1].text, encoding="utf-8")
    call = "new-task kaggle --id mae --metric mae.py --direction lower -o mae"
    terminal("-m", "audit.cli", *call.split())
    terminal("-m", "audit.cli", "prepare", "-c", "mae/mae.yaml")
    graded = terminal("-m", "audit.cli", "grade-sample", "kaggle/by_size.csv", "mae")

    assert "score 0.50000" in [" ".join(line.split()) for line in graded]
