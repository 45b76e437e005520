"""A configuration says all its mistakes at once, and its frozen form leads back to the same."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import yaml

from audit.reproduction.config import MIN_RUNS, Frozen, agent_at, freeze_config, read_plan
from audit.runner.agent import AGENTS
from competitions.errors import InvalidDefinitionError, UnknownNameError, UsageError
from tests.docs.pages import ROOT, blocks

GOOD: dict[str, object] = {"agent": "constant", "competitions": ["modechoice"]}
DIGEST = "0" * 64


def write(folder: Path, **fields: object) -> Path:
    path = folder / "c.yaml"
    path.write_text(yaml.safe_dump(GOOD | fields), encoding="utf-8")
    return path


def test_a_short_configuration_has_the_recipes_defaults(tmp_path):
    plan = read_plan(write(tmp_path))

    assert [s.id for s in plan.specs] == ["modechoice"]
    assert (plan.agent.id, plan.baseline.id) == ("constant", "baseline")
    assert list(plan.seeds) == [0, 1, 2]
    assert plan.limits.wall_clock_s == 3600
    assert plan.limits.memory_bytes is None
    assert plan.data_dir(Path("/elsewhere")) == Path("/elsewhere")


def test_the_pages_configuration_can_be_read(tmp_path):
    path = tmp_path / "reproduce.yaml"
    path.write_text(blocks(ROOT / "docs" / "reproduce.md", "yaml")[0].text, encoding="utf-8")

    plan = read_plan(path)

    assert plan.config.runs == 3
    assert plan.limits.memory_bytes == 2 << 30


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        pytest.param({"agent": "nobody"}, "agent: No agent is called 'nobody'", id="agent"),
        pytest.param({"agent": "~nobody-here/x"}, "agent: No agent is called", id="home of nobody"),
        pytest.param({"baseline": "basline"}, "Did you mean baseline?", id="near-baseline"),
        pytest.param({"baseline": "constant"}, "baseline: expected another", id="same-agent"),
        pytest.param({"competitions": ["modechoic"]}, "competitions: No competition", id="task"),
        pytest.param({"competitions": []}, "found neither", id="no-task"),
        pytest.param({"split": "low"}, "found both", id="both"),
        pytest.param({"competitions": [], "split": "tiny"}, "split: expected one of", id="split"),
        pytest.param({"runs": 1}, "runs: expected at least 2, found 1", id="one-run"),
        pytest.param({"runs": "three"}, "runs: ", id="runs-in-words"),
        pytest.param({"time_limit": "soon"}, "time_limit: Expected a time", id="time"),
        pytest.param({"time_limit": 0}, "time_limit: Expected a time", id="no-time"),
        pytest.param({"memory": "5"}, "limits: The memory limit", id="five-bytes"),
        pytest.param({"processes": 1}, "limits: The limit of processes", id="one-process"),
        pytest.param({"sandbox": "docker"}, "sandbox: ", id="sandbox"),
        pytest.param({"jobs": 0}, "jobs: ", id="no-job"),
        pytest.param({"variant": "v9"}, "variant: ", id="variant"),
        pytest.param({"source": {"modechoice": "moon"}}, "source.modechoice: ", id="source"),
        pytest.param({"source": {"co2-weekly": "embedded"}}, "not one of the tasks", id="other"),
        pytest.param({"freeze": {"modechoice": {"public": "abc"}}}, "freeze.", id="digest"),
        pytest.param({"freeze": {"co2-weekly": {}}}, "freeze: co2-weekly", id="frozen-other"),
        pytest.param({"sources": {}}, "unknown field; did you mean source", id="unknown-key"),
    ],
)
def test_a_mistake_is_told_with_its_field(tmp_path, fields, named):
    with pytest.raises(InvalidDefinitionError) as caught:
        read_plan(write(tmp_path, **fields))

    assert len(caught.value.problems) == 1
    assert named in caught.value.problems[0]


def test_all_mistakes_are_told_at_once(tmp_path):
    path = write(
        tmp_path, agent="nobody", runs=MIN_RUNS - 1, memory="much", time_limit="soon", extra=1
    )

    with pytest.raises(InvalidDefinitionError) as caught:
        read_plan(path)

    fields = {p.partition(":")[0] for p in caught.value.problems}
    assert fields == {"agent", "runs", "memory", "time_limit", "extra"}


@pytest.mark.parametrize("text", ["[1, 2]", "", "a: [", "\xff"])
def test_what_is_no_mapping_is_refused(tmp_path, text):
    path = tmp_path / "c.yaml"
    path.write_bytes(text.encode("latin-1"))

    with pytest.raises(InvalidDefinitionError):
        read_plan(path)


def test_a_file_that_is_not_there_is_a_wrong_call(tmp_path):
    with pytest.raises(UsageError, match=r"docs/reproduce\.md"):
        read_plan(tmp_path / "none.yaml")


def own_agent(folder: Path) -> Path:
    shutil.copytree(AGENTS / "constant", folder)
    definition = folder / "agent.yaml"
    definition.write_text(definition.read_text().replace("id: constant", "id: mine"))
    return folder


def test_an_agents_folder_is_relative_to_the_configuration(tmp_path, monkeypatch):
    own_agent(tmp_path / "mine")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")

    assert read_plan(write(tmp_path, agent="mine")).agent.folder == tmp_path / "mine"
    assert read_plan(write(tmp_path, agent="./mine")).agent.id == "mine"


def test_a_folder_of_the_working_directory_is_not_meant(tmp_path, monkeypatch):
    own_agent(tmp_path / "here" / "mine")
    monkeypatch.chdir(tmp_path / "here")

    with pytest.raises(UnknownNameError):
        agent_at("mine", tmp_path)


def test_a_frozen_configuration_leads_to_the_same_agents_and_data(tmp_path):
    own_agent(tmp_path / "mine")
    plan = read_plan(write(tmp_path, agent="./mine", data_dir="data", jobs=2))
    found = {"modechoice": Frozen(public=DIGEST, private=DIGEST, split="random")}

    target = tmp_path / "deep" / "er" / "frozen.yaml"
    freeze_config(plan, found, {"modechoice": "embedded"}, target)
    again = read_plan(target)

    assert again.agent.folder == tmp_path / "mine"
    assert again.data_dir(tmp_path).resolve() == (tmp_path / "data").resolve()
    assert again.config.agent_sha256 == plan.agent.digest
    assert again.config.freeze == found
    assert again.config.source == {"modechoice": "embedded"}
    assert (again.limits, again.specs, again.seeds) == (plan.limits, plan.specs, plan.seeds)
    assert str(tmp_path) not in target.read_text()
