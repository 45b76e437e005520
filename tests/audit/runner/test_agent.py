"""Agents' definitions: what is accepted, and every problem said at once."""

from __future__ import annotations

import pytest

from audit.runner.agent import RESERVED, agent_ids, load_agent
from competitions.errors import InvalidDefinitionError, UnknownNameError
from tests.audit.runner.tiny import make_agent, run_once


def test_honest_agents_and_those_that_break_a_rule_ship():
    honest = {name for name in agent_ids() if load_agent(name).definition.honest}
    assert {"baseline", "constant", "aide", "mini-swe-agent", "openhands", "mlagentbench"} == honest
    assert {"peeker", "oracle-prober"} <= set(agent_ids()) - honest


@pytest.mark.parametrize("name", agent_ids())
def test_a_shipped_agent_is_complete(name):
    agent = load_agent(name)
    assert agent.id == name
    assert agent.definition.honest == (not agent.definition.offences)
    assert agent.definition.prior_knowledge
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
        pytest.param({"env": {"VALIDATION_URL": "x"}}, "set by the runner", id="server"),
        pytest.param({"budget": {"tokens": 0}}, "budget.tokens", id="no tokens"),
        pytest.param({"budget": {"cost_usd": -1}}, "budget.cost_usd", id="cost below zero"),
        pytest.param({"budget": {"wall_clock": "soon"}}, "a time such as 600", id="time"),
        pytest.param({"budget": {"memory": "0G"}}, "a size such as 500M", id="memory"),
        pytest.param({"budget": {"dollars": 1}}, "budget.dollars", id="unknown part of a budget"),
        pytest.param({"scaffold_version": "1"}, "scaffold is not", id="version of nothing"),
        pytest.param({"requirements": ["not a requirement!"]}, "no requirement", id="pip"),
        pytest.param({"requirements_alone": ["!"]}, "no requirement", id="pip, alone"),
        pytest.param({"image": "--privileged"}, "image", id="image"),
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
    for field in ("start.sh: not in this folder", "id: ", "honest: ", "summary: "):
        assert field in said


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        pytest.param(None, "agent.yaml: not in this folder", id="missing"),
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


def test_what_an_agent_declares_is_read(tmp_path):
    agent = make_agent(
        tmp_path / "mine",
        "exit 0",
        scaffold="tree-search",
        scaffold_version="1.2",
        models=["some-model-1", "some-model-2"],
        budget={"tokens": 1000, "cost_usd": 2.5, "wall_clock": "10m", "memory": "2G"},
    )
    budget = agent.definition.budget
    assert agent.identity.scaffold == "tree-search 1.2"
    assert agent.identity.models == ("some-model-1", "some-model-2")
    assert (budget.tokens, budget.cost_usd) == (1000, 2.5)
    assert (budget.wall_clock_s, budget.memory_bytes) == (600.0, 2 << 30)


def test_what_is_not_declared_is_none(tmp_path):
    agent = make_agent(tmp_path / "mine", "exit 0")
    budget = agent.definition.budget
    assert agent.identity.scaffold is None
    assert {budget.tokens, budget.cost_usd, budget.wall_clock_s, budget.memory_bytes} == {None}


def test_a_declared_budget_is_on_record(tmp_path, task, interpreters):
    agent = make_agent(tmp_path / "mine", "exit 0", budget={"tokens": 1000, "cost_usd": 2.5})
    ran = run_once(agent, task, tmp_path / "runs", interpreters, sandbox="none")
    assert (ran.record.budget.tokens, ran.record.budget.cost_usd) == (1000, 2.5)


def test_the_contracts_names_are_reserved():
    contract = "SUBMISSION_DIR LOGS_DIR CODE_DIR AGENT_DIR COMPETITION_ID TIME_LIMIT_SECS SEED"
    contract += " VALIDATION_URL VALIDATE_SUBMISSION"
    assert set(contract.split()) <= RESERVED
