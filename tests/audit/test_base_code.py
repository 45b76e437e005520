"""What agents have from those that ship, or from their scaffold, is no copy; the rest is."""

from __future__ import annotations

import random
import shutil
from datetime import UTC, datetime

import pytest

from audit.base_code import base_code
from audit.plagiarism import plagiarism
from audit.runner.agent import AGENTS
from audit.runner.limits import Limits
from audit.runner.plan import Plan, write_plan
from audit.verdict import load_policy
from audit.vet import vet
from competitions.io import sha256_tree
from detectors.plagiarism.corpus.build import build
from reports.schema import Outcome
from tests.conftest import write_attempt
from tests.detectors.plagiarism.llm_scripts import SCRIPTS
from tests.detectors.plagiarism.test_corpus import folder_of, script

NOW = datetime(2026, 1, 1, tzinfo=UTC)
TASK = "breast-cancer"
DETECTOR = "shared-between-attempts"
CONSTANT = (AGENTS / "constant" / "main.py").read_text(encoding="utf-8")
OWN = "def mine(rows):\n    return [row for row in rows if row]\n"
FROM_TEMPLATE = CONSTANT.replace("constants", "values").replace("say", "tell") + OWN
SCAFFOLD = script(5) + script(6)


def plan_of(group, agent, digest, folder):
    return Plan(
        group=group.name,
        created_at=NOW,
        tool_version="0",
        agent_id=agent,
        agent_digest=digest,
        agent_folder=str(folder),
        data_dir="/data",
        limits=Limits(60.0, 1 << 30),
        sandbox="none",
        tasks=(),
        attempts=(),
    )


@pytest.fixture
def runs(tmp_path):
    """Write an attempt of an agent; with files of its folder, also the plan of its group."""

    def write(agent, code, files=None, scaffold=None, competition=TASK):
        group = tmp_path / "runs" / f"{agent}-{competition}"
        digest = format(random.Random(agent).getrandbits(256), "064x")  # noqa: S311 - a name
        if files is not None:
            folder = folder_of(tmp_path / "agents" / agent, **files)
            digest = sha256_tree(folder)
            group.mkdir(parents=True, exist_ok=True)
            write_plan(plan_of(group, agent, digest, folder), group)
        who = {"id": agent, "digest": digest, "scaffold": scaffold}
        return write_attempt(
            group / f"{competition}_{agent}", code=code, submission=None, record={"agent": who}
        )

    return write


def asked(tmp_path):
    report = vet([tmp_path / "runs"], tmp_path, load_policy(), NOW, select=[DETECTOR])
    (check,) = report.checks
    return check


def test_an_agent_made_from_the_shipped_template_is_no_copy_of_it(runs, tmp_path):
    runs("constant", CONSTANT)
    runs("mine", FROM_TEMPLATE)

    assert asked(tmp_path).outcome is Outcome.CLEAN


def test_nor_is_one_of_another_that_was_made_from_it(runs, tmp_path):
    runs("mine", FROM_TEMPLATE)
    runs("theirs", CONSTANT.replace("rows", "lines"))

    assert asked(tmp_path).outcome is Outcome.CLEAN


def test_what_two_of_them_share_beyond_the_template_is_told(runs, tmp_path):
    runs("mine", CONSTANT + SCRIPTS["boosted"])
    runs("theirs", CONSTANT + SCRIPTS["boosted"])

    assert asked(tmp_path).outcome is Outcome.FLAGGED


def test_the_document_names_base_code_and_no_place(runs, tmp_path):
    runs("mine", CONSTANT)
    runs("theirs", CONSTANT)

    assert asked(tmp_path).parameters["base"] == "agents"


@pytest.mark.parametrize(
    ("first", "second", "changed", "outcome"),
    [
        pytest.param("Tree 1.2", "tree  1.2", False, Outcome.CLEAN, id="both-name-the-scaffold"),
        pytest.param("Tree 1.2", None, False, Outcome.FLAGGED, id="one-names-none"),
        pytest.param("Tree 1.2", "other", False, Outcome.FLAGGED, id="each-names-another"),
        pytest.param(None, None, False, Outcome.FLAGGED, id="none-is-named"),
        pytest.param(
            "Tree 1.2", "Tree 1.2", True, Outcome.FLAGGED, id="the-folders-are-others-now"
        ),
        pytest.param(
            "one script, standard library only",
            "one script, standard library only",
            False,
            Outcome.FLAGGED,
            id="the-words-of-a-shipped-agent-prove-nothing",
        ),
    ],
)
def test_a_scaffold_that_both_agents_name_is_base_code(
    first, second, changed, outcome, runs, tmp_path
):
    for agent, scaffold in (("one", first), ("two", second)):
        files = {"scaffold": SCAFFOLD, "who": f"name = {agent!r}\n"}
        runs(agent, SCAFFOLD + script(ord(agent[0])), files, scaffold)
        if changed:
            (tmp_path / "agents" / agent / "who.py").write_text("")

    assert asked(tmp_path).outcome is outcome


def test_seeds_and_versions_of_one_agent_name_no_common_scaffold(runs):
    one = runs("one", SCAFFOLD, {"scaffold": SCAFFOLD}, "Tree")
    again = runs("one", SCAFFOLD, {"scaffold": SCAFFOLD}, "Tree", competition="modechoice")

    assert base_code([one, again]) == str(AGENTS)


def test_templates_that_a_call_names_count_between_attempts_too(runs, tmp_path):
    build([folder_of(tmp_path / "s", a=script(1))], tmp_path / "known", competition=TASK)
    kit = tmp_path / "kit.py"
    kit.write_text(SCAFFOLD)
    runs("one", SCAFFOLD + script(31))
    runs("two", SCAFFOLD + script(32))

    def told(*base):
        places = [tmp_path / "runs"], tmp_path / "known", tmp_path
        report = plagiarism(*places, load_policy(), NOW, base=base, select=[DETECTOR])
        return report.checks[0].outcome

    assert (told(), told(kit)) == (Outcome.FLAGGED, Outcome.CLEAN)


def test_a_folder_that_is_gone_is_no_base_code(runs, tmp_path):
    both = [runs(a, SCAFFOLD, {"scaffold": SCAFFOLD, "a": f"{a} = 1\n"}, "T") for a in ("o", "t")]
    assert len(base_code(both).splitlines()) == 3

    shutil.rmtree(tmp_path / "agents")

    assert base_code(both) == str(AGENTS)
