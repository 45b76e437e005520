"""The sessions of docs/leakage.md go as shown, on the flats and the code of that page."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from audit.cli import app
from tests.docs.pages import ROOT, blocks

PAGE = ROOT / "docs" / "leakage.md"
GAP = "…"
CODES = (1, 0)  # what each session ends with: a verdict of review or graver, notes


@pytest.mark.slow
def test_the_sessions_of_the_page_go_as_shown(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")  # a worker without a terminal has 80
    flats, code = blocks(PAGE, "python")
    exec(flats.text, {})  # noqa: S102 - the page's own code
    Path("work").mkdir()
    Path("work/train.py").write_text(code.text, encoding="utf-8")

    for session, expected in zip(blocks(PAGE, "console"), CODES, strict=True):
        call, *shown = session.text.splitlines()
        done = CliRunner().invoke(app, call.removeprefix("$ mle-audit ").split())

        assert done.exit_code == expected
        said = iter(done.stdout.splitlines())
        wanted = [line for line in shown if line != GAP]
        assert [w for w in wanted if not any(line.startswith(w) for line in said)] == []
