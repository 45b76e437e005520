"""The detector that CONTRIBUTING shows is found, registered and right, as one new file."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys

import pytest

from detectors.base import About
from tests.conftest import write_attempt
from tests.docs.pages import ROOT, blocks

PAGE = ROOT / "CONTRIBUTING.md"
MAX_LINES = 65

# In a process of its own, so that no other test meets the detector; its folder is one more place of
# the family's package, where the register looks for modules.
PROGRAM = """
import json, sys
from pathlib import Path
import detectors.rules
detectors.rules.__path__.append(sys.argv[1])
from audit.check import check
from detectors.attempt import Attempt
from detectors.base import all_detectors, family_of, parameters_of
cls = all_detectors()["logs-erased"]
told = {"family": family_of(cls), "parameters": parameters_of(cls())}
for folder in sys.argv[2:]:
    found = check(cls(), Attempt(Path(folder)))
    told[Path(folder).name] = [found.outcome, [e.first_line for f in found.findings
                                               for e in f.evidence], found.missing]
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def module(tmp_path_factory):
    (block,) = blocks(PAGE, "python")
    path = tmp_path_factory.mktemp("rules") / "logs_erased.py"
    path.write_text(block.text, encoding="utf-8")
    return path


def test_the_example_is_registered_and_answers_for_tiny_attempts(module, tmp_path):
    guilty = "import shutil\nshutil.rmtree(os.environ['LOGS_DIR'])\n"
    write_attempt(tmp_path / "t_guilty", code={"a.py": guilty, "b.sh": "rm -rf /home/logs\n"})
    write_attempt(tmp_path / "t_honest", code="from math import log\n# rm nothing\nlogs = 3\n")
    write_attempt(tmp_path / "t_bare", code={})
    words = [str(module.parent), *(str(tmp_path / f"t_{n}") for n in ("guilty", "honest", "bare"))]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *words],
        check=True,
        capture_output=True,
        text=True,
        cwd=ROOT,
    )

    assert json.loads(done.stdout) == {
        "family": "rules",
        "parameters": {"max_evidence": 8},
        "t_guilty": ["flagged", [2, 1], None],
        "t_honest": ["clean", [], None],
        "t_bare": ["not_available", [], "code"],
    }


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(["ruff", "format", "--check", "--config"], id="format"),
        pytest.param(["ruff", "check", "--config"], id="lint"),
        pytest.param(["mypy", "--config-file"], id="types", marks=pytest.mark.slow),
    ],
)
def test_the_example_keeps_the_rules_of_the_house(module, words):
    done = subprocess.run(
        [sys.executable, "-m", *words, str(ROOT / "pyproject.toml"), str(module)],
        check=False, capture_output=True, text=True, cwd=ROOT,
    )  # fmt: skip

    assert done.returncode == 0, done.stdout + done.stderr
    assert len(module.read_text(encoding="utf-8").splitlines()) <= MAX_LINES


def test_every_field_of_about_is_explained():

    text = PAGE.read_text(encoding="utf-8").partition("Fields of `About`")[2]

    assert [f.name for f in dataclasses.fields(About) if f"`{f.name}` (" not in text] == []
