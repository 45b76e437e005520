"""Agents' definitions: what is accepted, and every problem said at once."""

from __future__ import annotations

import pytest

from audit.runner.agent import RESERVED, agent_ids, load_agent
from competitions.errors import InvalidDefinitionError, UnknownNameError
from tests.audit.runner.tiny import make_agent


def test_three_agents_ship():
    assert agent_ids() == ["baseline", "constant", "peeker"]


@pytest.mark.parametrize("name", ["baseline", "constant", "peeker"])
def test_a_shipped_agent_is_complete(name):
    agent = load_agent(name)
    assert agent.id == name
    assert agent.definition.honest == (name != "peeker")
    assert bool(agent.definition.offences) == (name == "peeker")
    assert len(agent.identity.digest) == 64


def test_a_near_name_is_offered():
    with pytest.raises(UnknownNameError, match="Did you mean baseline") as caught:
        load_agent("basline")
    assert caught.value.near == ["baseline"]


def test_an_agent_is_loaded_from_a_folder_and_its_digest_follows_its_files(tmp_path):
    agent = make_agent(tmp_path / "mine", "exit 0", models=["some-model-1"])
    assert agent.identity.models == ("some-model-1",)
    (agent.folder / "start.sh").write_text("exit 1")
    assert load_agent(agent.folder).digest != agent.digest


def test_an_id_wins_over_a_folder_of_the_same_name(tmp_path, monkeypatch):
    make_agent(tmp_path / "baseline", "exit 0", id="mine")
    monkeypatch.chdir(tmp_path)
    assert load_agent("baseline").id == "baseline"
    assert load_agent("./baseline").id == "mine"


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        pytest.param({"id": "no spaces"}, "id: ", id="id"),
        pytest.param({"summary": ""}, "summary: ", id="summary"),
        pytest.param({"unheard": 1}, "unheard: ", id="unknown field"),
        pytest.param({"env": {"SEED": "1"}}, "SEED is set by the runner", id="reserved"),
        pytest.param({"env": {"A B": "1"}}, "env", id="name of a variable"),
        pytest.param({"env": {"A": "x\x00y"}}, "NUL", id="NUL byte"),
        pytest.param({"kwargs": {"a=b": 1}}, "kwargs", id="name of an argument"),
        pytest.param({"requirements": ["not a requirement!"]}, "no requirement", id="pip"),
    ],
)
def test_a_broken_definition_is_refused(tmp_path, fields, problem):
    with pytest.raises(InvalidDefinitionError, match=problem):
        make_agent(tmp_path / "agent", "exit 0", **fields)


def test_all_problems_are_told_at_once(tmp_path):
    (tmp_path / "agent.yaml").write_text("id: 'a b'\nhonest: perhaps\n")
    with pytest.raises(InvalidDefinitionError) as caught:
        load_agent(tmp_path)
    said = str(caught.value)
    for field in ("start.sh: not found", "id: ", "honest: ", "summary: "):
        assert field in said


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        pytest.param(None, "agent.yaml: not found", id="missing"),
        pytest.param("", "mapping", id="empty"),
        pytest.param("{}", "the file is empty", id="no field"),
        pytest.param("- a\n", "mapping", id="list"),
        pytest.param("a: [", "agent.yaml", id="no YAML"),
    ],
)
def test_a_file_that_is_no_definition_is_refused(tmp_path, content, problem):
    (tmp_path / "start.sh").write_text("exit 0")
    if content is not None:
        (tmp_path / "agent.yaml").write_text(content)
    with pytest.raises(InvalidDefinitionError, match=problem):
        load_agent(tmp_path)


def test_the_contracts_names_are_reserved():
    contract = "SUBMISSION_DIR LOGS_DIR CODE_DIR AGENT_DIR COMPETITION_ID TIME_LIMIT_SECS SEED"
    assert set(contract.split()) <= RESERVED
