"""The action, the hook and the pages' pipelines: read as YAML, and their commands run."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
import yaml
from junitparser import JUnitXml
from typer.testing import CliRunner

from audit.cli import app
from tests.audit.conftest import data_dir, group, make_group, submissions
from tests.detectors.claims.twins import report, seed, written
from tests.docs.pages import ROOT, blocks

__all__ = ["data_dir", "group", "make_group", "submissions"]  # fixtures

ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
PAGE = ROOT / "docs" / "ci.md"
PIPELINES = {block.text.split(":")[0]: yaml.safe_load(block.text) for block in blocks(PAGE, "yaml")}
STEPS = PIPELINES["name"]["jobs"]["vet"]["steps"]
BASH = shutil.which("bash")
_EXPRESSION = re.compile(r"\$\{\{\s*inputs\.([\w-]+)\s*\}\}")


def step(name):
    return next(s for s in ACTION["runs"]["steps"] if s.get("name") == name)


def scripted(tmp_path, inputs, code=0, written="summary.md"):
    """Run the script of the action with a command that writes down how it is called."""
    seen = tmp_path / "seen"
    fake = tmp_path / "bin" / "mle-audit"
    fake.parent.mkdir(exist_ok=True)
    fake.write_text(
        f"#!{BASH}\nprintf '%s\\0' \"$@\" >'{seen}'\n"
        f'echo "# said" >"$FOLDER/{written}"\nexit {code}\n'
    )
    fake.chmod(0o755)
    given = {n: d.get("default", "") for n, d in ACTION["inputs"].items()} | inputs
    env = {k: _EXPRESSION.sub(lambda m: given[m[1]], v) for k, v in step("Vet")["env"].items()}
    env |= {
        "PATH": f"{fake.parent}:/usr/bin:/bin",
        "GITHUB_OUTPUT": str(tmp_path / "output"),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "step-summary"),
    }
    # As GitHub runs `shell: bash`.
    call = [str(BASH), "--noprofile", "--norc", "-eo", "pipefail", "-c", step("Vet")["run"]]
    done = subprocess.run(call, env=env, cwd=tmp_path, capture_output=True, text=True, check=False)
    return done, seen.read_text().split("\0")[:-1]


def test_the_inputs_of_the_action_are_those_that_its_script_reads():
    read = {m for v in step("Vet")["env"].values() for m in _EXPRESSION.findall(v)}

    assert read == set(ACTION["inputs"]) - {"python-version"}
    assert "${{" not in step("Vet")["run"]  # what somebody types is no script
    assert all(name in step("Vet")["run"] for name in step("Vet")["env"])


def test_every_action_is_pinned_to_a_version():
    used = [s["uses"] for s in (*ACTION["runs"]["steps"], *STEPS) if "uses" in s]

    assert len(used) == 5
    assert all(re.fullmatch(r"[\w-]+/[\w/-]+@v\d[\d.]*", name) for name in used)


def test_the_workflow_gives_the_action_inputs_and_takes_outputs_that_it_has():
    ours = next(s for s in STEPS if "/mle-audit@" in s["uses"])
    text = json.dumps(STEPS)

    assert set(ours["with"]) <= set(ACTION["inputs"])
    named = re.findall(rf"steps\.{ours['id']}\.outputs\.([\w-]+)", text)
    assert set(named) <= set(ACTION["outputs"])
    assert named
    folder = ACTION["inputs"]["folder"]["default"]
    assert {s["with"]["path"] for s in STEPS if "upload-artifact" in s["uses"]} == {folder}
    assert ACTION["outputs"]["sarif"]["value"].endswith("/results.sarif")


@pytest.mark.parametrize("code", [0, 1, 3])
def test_the_action_ends_as_vet_ends_and_tells_its_summary(tmp_path, code):
    done, _ = scripted(tmp_path, {"paths": "runs"}, code)

    assert done.returncode == code, done.stderr
    assert (tmp_path / "output").read_text() == f"exit-code={code}\n"
    assert (tmp_path / "step-summary").read_text() == "# said\n"


def test_a_report_that_was_checked_out_is_not_taken_for_the_one_made_here(tmp_path):
    folder = tmp_path / ACTION["inputs"]["folder"]["default"]
    folder.mkdir()
    for name in ("summary.md", "results.sarif", "mine.txt"):
        (folder / name).write_text("all is clean")
    done, _ = scripted(tmp_path, {"paths": "runs"}, 2, written="other")

    assert done.returncode == 2
    assert not (tmp_path / "step-summary").exists()
    assert {p.name for p in folder.iterdir()} == {"mine.txt", "other"}


def test_no_module_of_what_is_checked_out_runs(tmp_path):
    (tmp_path / "pip.py").write_text("open('owned', 'w')\n")
    words = step("Install")["run"].partition(" install")[0].split()
    subprocess.run([sys.executable, *words[1:], "--version"], cwd=tmp_path, check=False)

    assert words[0] == "python"
    assert not (tmp_path / "owned").exists()


def test_lines_of_windows_are_lines(tmp_path):
    _, words = scripted(tmp_path, {"paths": "a\r\nb\r\n", "claims": "Low 1\r\n"})

    assert words[-2:] == ["a", "b"]
    assert words[words.index("--claim") + 1] == "Low 1"


def test_what_somebody_types_stays_one_word(tmp_path):
    inputs = {"paths": "my runs\n$(touch owned)", "claims": "Low 62.12 ± 1.52, seeds 3\n`id`"}

    _, words = scripted(tmp_path, inputs)

    assert words[-2:] == ["my runs", "$(touch owned)"]
    assert [w for at, w in pairwise(words) if at == "--claim"] == [
        "Low 62.12 ± 1.52, seeds 3", "`id`",
    ]  # fmt: skip
    assert not (tmp_path / "owned").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fail_on", "attempts", "code"),
    [
        pytest.param("review", ("honest", "peeking"), 1, id="one-peeks"),
        pytest.param("review", ("honest",), 0, id="honest"),
    ],
)
def test_the_call_of_the_action_vets_a_real_group_and_its_code_is_that_of_the_gate(
    group, data_dir, tmp_path, fail_on, attempts, code
):
    paths = "\n".join(str(p) for p in sorted(group.iterdir()) if p.name.endswith(attempts))
    site = tmp_path / "out"
    inputs = {
        "paths": paths, "fail-on": fail_on, "folder": str(site), "data-dir": str(data_dir),
        "policy": "default",
    }  # fmt: skip
    _, words = scripted(tmp_path, inputs)
    done = CliRunner().invoke(app, words)
    log = json.loads((site / "results.sarif").read_text())
    failures = JUnitXml.fromfile(str(site / "junit.xml")).failures

    assert done.exit_code == code, done.output
    assert {p.name for p in site.iterdir()} == {
        "audit.json", "index.html", "summary.md", "results.sarif", "junit.xml",
        "findings.csv", "verdicts.csv", "checks.csv", "tasks.csv",
    }  # fmt: skip
    assert bool(failures) is ("peeking" in attempts)
    for result in log["runs"][0]["results"]:
        address = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        if address.startswith("file://"):
            assert Path(address.removeprefix("file://")).is_file()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "code"),
    [
        pytest.param({}, 0, id="sound"),
        pytest.param({"total_gold_medals": 70}, 1, id="a-header-that-does-not-count-its-rows"),
    ],
)
def test_the_hook_vets_the_reports_that_it_is_given(tmp_path, monkeypatch, change, code):
    (hook,) = HOOKS
    names = [f"runs/g{n}/2026_grading_report.json" for n in (1, 2, 3)]
    for n, name in enumerate(names, start=1):
        (tmp_path / name).parent.mkdir(parents=True)
        written((tmp_path / name).parent, Path(name).name, {**report(seed(n)), **change})
    monkeypatch.chdir(tmp_path)

    done = CliRunner().invoke(app, [*shlex.split(hook["entry"])[1:], *names])

    assert done.exit_code == code, done.output
    assert all(re.search(hook["files"], name) for name in names)
    assert not re.search(hook["files"], "runs/g1/audit.json")
    assert (tmp_path / ".mle-audit" / "index.html").is_file()


def test_the_page_names_the_hook_and_the_files_of_every_format():
    from reports.render import FORMATS

    (repository,) = PIPELINES["repos"]["repos"]
    text = PAGE.read_text("utf-8")

    assert [h["id"] for h in repository["hooks"]] == [h["id"] for h in HOOKS]
    assert all(f"| `{name}` |" in text for name in FORMATS)
    assert PIPELINES["vet"]["vet"]["script"][-1].startswith("mle-audit vet ")
