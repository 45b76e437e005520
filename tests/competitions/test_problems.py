"""What is wrong with a definition is told in words for whoever wrote it, not in a library's."""

from __future__ import annotations

import re

import pytest
from pydantic import ValidationError

from audit.runner.agent import AgentDefinition, load_agent
from audit.verdict import load_policy
from competitions.errors import InvalidDefinitionError
from competitions.problems import problems_of
from competitions.spec import Competition, read_yaml

WHOLE = {"id": "a", "summary": "It does."}


def told(fields: dict[str, object], *, known: bool = True) -> str:
    with pytest.raises(ValidationError) as caught:
        AgentDefinition.model_validate({**WHOLE, **fields})
    return "; ".join(problems_of(caught.value, AgentDefinition if known else None))


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        pytest.param({"summry": "x"}, "summry: unknown field; did you mean summary?", id="near"),
        pytest.param({"budget": {"costs_usd": 1}}, "budget.costs_usd: unknown field; did you mean "
                     "cost_usd?", id="near-below"),
        pytest.param({"budget": {"dollars": 1}}, "budget.dollars: unknown field; there are "
                     "cost_usd, memory, tokens, wall_clock", id="none-near"),
        pytest.param({"id": "a b"}, "id: expected letters, digits and hyphens, a letter or digit "
                     "first, found 'a b'", id="pattern"),
        pytest.param({"env": {"a-b": "x"}}, "underscores, no digit first, found 'a-b'", id="key"),
        pytest.param({"honest": "perhaps"}, "honest: expected true or false, found 'perhaps'",
                     id="bool"),
        pytest.param({"requirements": "numpy"}, "requirements: expected a list, found 'numpy'",
                     id="list"),
        pytest.param({"summary": None}, "summary: expected text, found nothing", id="nothing"),
        pytest.param({"summary": ""}, "summary: expected some text, found ''", id="empty"),
        pytest.param({"budget": {"tokens": 0}}, "budget.tokens: expected more than 0, found 0",
                     id="bound"),
        pytest.param({"budget": []}, "budget: expected a mapping", id="mapping"),
        pytest.param({"scaffold_version": "1"}, "document: scaffold_version is given and scaffold "
                     "is not", id="ours"),
        pytest.param({"summary": ["x" * 999]}, "found a list", id="long"),
        pytest.param({"honest": "x" * 999}, "x…", id="cut"),
        pytest.param({"honest": "\x1b[2J\u202e"}, r"'\x1b[2J\u202e'", id="hostile"),
    ],
)  # fmt: skip
def test_a_problem_is_told_in_words(fields, said):
    assert said in told(fields)
    assert not re.search(r"Input should|not permitted|Value error|\^\[", told(fields))


def test_a_missing_field_and_a_wrong_word_are_told(tmp_path):
    with pytest.raises(ValidationError) as caught:
        Competition.model_validate({"split": {"method": "x"}, "modality": "sound"})
    said = problems_of(caught.value, Competition)

    assert "title: required, and missing" in said
    assert any(s.startswith("modality: expected 'tabular', 'text'") for s in said)


def test_without_a_model_the_field_is_named_all_the_same():
    assert told({"requirement": []}, known=False) == "requirement: unknown field"


def test_a_policys_misspelt_field_is_told_with_its_neighbour(tmp_path):
    (tmp_path / "p.yaml").write_text("name: p\ndecisiv: [code]\n")

    with pytest.raises(InvalidDefinitionError, match="decisiv: unknown field; did you mean deci"):
        load_policy(tmp_path / "p.yaml")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param(b"a: 1\nb: [1,\nc: 2\n", "t.yaml, line ", id="bracket"),
        pytest.param(b"a: 1\n\tb: 2\n", "t.yaml, line 2, column 1", id="tab"),
        pytest.param(b"a: \xff\n", "t.yaml: expected UTF-8", id="bytes"),
        pytest.param(b"a: \x00\n", "t.yaml: unacceptable character", id="nul"),
        pytest.param(b"", "expected a mapping, found an empty file", id="empty"),
    ],
)
def test_a_broken_yaml_is_told_with_file_and_line(tmp_path, content, said):
    (tmp_path / "t.yaml").write_bytes(content)

    with pytest.raises(InvalidDefinitionError) as caught:
        read_yaml(tmp_path / "t.yaml")
    assert said in str(caught.value)
    assert "unicode string" not in str(caught.value)


def test_a_missing_start_sh_is_no_fault_of_the_definition(tmp_path):
    (tmp_path / "agent.yaml").write_text("id: a\nsummary: It does.\n")

    with pytest.raises(InvalidDefinitionError) as caught:
        load_agent(tmp_path)
    assert caught.value.problems == (
        "start.sh: not in this folder; it is run once per attempt, with bash",
    )
    assert "agent.yaml" not in str(caught.value)
