"""An obfuscated description: the agent is told what to predict, and not of what."""

from __future__ import annotations

import pytest

from audit.runner.tasks import load_tasks
from competitions.errors import UsageError
from competitions.prepare import prepare
from competitions.spec import load
from tests.audit.runner.tiny import make_agent, run_once

LOOK = """
    cat "$DATA_DIR/description.md" "$INSTRUCTIONS"
    env | sort
    ls -a "$DATA_DIR"
"""
STORY = ("breast", "cancer", "tumour", "lump", "nuclei", "needle", "doi.org")


@pytest.fixture(scope="module")
def task(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    prepare(load("breast-cancer"), folder)
    (found,) = load_tasks(["breast-cancer"], "v1", folder)
    return found


@pytest.mark.sandbox
@pytest.mark.parametrize(("description", "is_told"), [("prepared", True), ("obfuscated", False)])
def test_the_story_is_told_only_where_nobody_took_it_out(
    tmp_path, interpreters, task, description, is_told
):
    agent = make_agent(tmp_path / "agent", LOOK)
    ran = run_once(agent, task, tmp_path / "runs", interpreters, description=description)
    assert ran.record.exit_status == "finished"
    assert ran.record.description == description
    seen = ran.log.lower()
    assert [w for w in STORY if w in seen and w != "tumour"] == (
        [w for w in STORY if w != "tumour"] if is_told else []
    )
    for kept in ("malignant", "sample_submission.csv", "auc-roc" if not is_told else "roc curve"):
        assert kept in seen
    assert ("competition_id=breast-cancer" in seen) == is_told
    assert ran.record.competition_id == "breast-cancer"
    assert ran.record.harness_changed == ()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        pytest.param({"description": "short"}, "prepared or obfuscated", id="unknown"),
        pytest.param(
            {"description": "obfuscated", "sandbox": "none"}, "needs a sandbox", id="no-sandbox"
        ),
    ],
)
def test_what_cannot_be_is_refused_before_anything_starts(
    tmp_path, interpreters, task, options, said
):
    agent = make_agent(tmp_path / "agent", "exit 0")
    with pytest.raises(UsageError, match=said):
        run_once(agent, task, tmp_path / "runs", interpreters, **({"sandbox": "none"} | options))
    assert not (tmp_path / "runs").exists()
