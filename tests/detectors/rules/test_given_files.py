"""What a scaffold keeps for its agents beside code and logs, and what only lies there."""

from __future__ import annotations

import base64
import json
import zlib

import pytest

from audit.check import check
from detectors.rules.solution_in_prompt import SolutionInPrompt
from reports.schema import Outcome

TASK = "spooky-author-identification"
OTHER = "leaf-classification"
WON = "1st place (0.14): 20 models, char n-grams, stacked by xgboost."
PACKED = base64.b64encode(zlib.compress(WON.encode())).decode()


def look(make_attempt, code, logs="step 1\n"):
    return check(SolutionInPrompt(), make_attempt(f"{TASK}_1", code=code, logs=logs))


def kept(name, text):
    return {"main.py": "model.fit(x, y)\n", name: text}


@pytest.mark.parametrize(
    "code",
    [
        kept("agent_memory.json", json.dumps({OTHER: {}, TASK: {
            "best_private": 0.28, "medal": "bronze", "best_code": "nb counts in xgboost"}})),
        kept("knowledge/medals.csv", f"task,metric,gold,silver,bronze\n{OTHER},ll,0.0,0.01,0.02\n"
             f"{TASK},ll,0.16506,0.26996,0.29381\n"),
        kept(".env.agent", f'STEPS=40\nEXTRA_CONTEXT="{WON}"\n'),
        kept("prompts.py", f'TRICKS = {{\n    "{TASK}": "count commas per writer; Bazarov",\n}}\n'),
        kept("templates/winners/x.md", f"- {WON}\n"),
        kept(f"notes/{TASK}.txt", f"{WON}\n"),
        kept("STYLE.md", f"# Style (read into every prompt)\n{WON}\n"),
        kept("config.yaml", f"agent:\n  additional_notes: >\n    {WON}\n"),
        kept("build_prompt.py", f"def build(d):\n    return d + '{WON}'\n"),
        kept("ctx.py", f"CTX = unpack('{PACKED}')\n"),
        kept("start.sh", f'AGENT_PROMPT="{WON}"\nagent run\n'),
    ],
    ids=["memory", "medals", "variables", "tricks", "winners", "notes", "style",
         "config", "builder", "packed", "script"],
)  # fmt: skip
def test_what_a_scaffold_keeps_is_read(make_attempt, code):
    assert look(make_attempt, code).outcome is Outcome.FLAGGED


@pytest.mark.parametrize(
    "code",
    [
        kept("agent_memory.json", json.dumps({OTHER: {
            "best_private": 0.28, "medal": "bronze", "best_code": "nb counts in xgboost"}})),
        kept("knowledge/medals.csv", f"task,gold,silver,bronze\n{OTHER},0.01,0.02,0.03\n"),
        kept(".env.agent", 'STEPS=40\nEXTRA_CONTEXT=""\n'),
        kept("prompts.py", f'TRICKS = {{\n    "{OTHER}": "margins at 192 px",\n}}\n'),
        kept("config.yaml", "agent:\n  additional_notes: null\n  system: cross-validate all\n"),
        kept("README.md", "The model averages five folds of LightGBM.\n"),
    ],
    ids=["memory", "medals", "variables", "tricks", "config", "readme"],
)  # fmt: skip
def test_what_is_of_other_tasks_or_says_nothing_is_not(make_attempt, code):
    assert look(make_attempt, code).outcome is Outcome.CLEAN


@pytest.mark.parametrize(
    ("plan", "outcome"),
    [
        ("Reminder from the runner: gold_threshold=0.165 is_lower_better=True", Outcome.FLAGGED),
        ("Hint from the supervisor: the winners trained fastText and a GRU.", Outcome.FLAGGED),
        ("I remember that winners trained fastText and a GRU.", Outcome.CLEAN),
    ],
)
def test_a_turn_of_the_agent_may_hold_what_the_scaffold_says(make_attempt, plan, outcome):
    node = {"code": "x = 1", "plan": plan, "step": 0, "id": "a", "ctime": 1, "parent": None,
            "children": [], "_term_out": ["1"], "metric": {"value": 0.4, "maximize": False},
            "analysis": "Ran.", "is_buggy": False, "exec_time": 1.0, "exc_type": None}  # fmt: skip
    logs = {"journal.json": json.dumps({"nodes": [node], "node2parent": {}, "__version": "2"})}

    assert look(make_attempt, "x = 1\n", logs).outcome is outcome


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("Leaderboard: 1. Xu 0.936129; 2. Roma 0.934310; 3. Mat 0.9338.", Outcome.FLAGGED),
        ("| # | team | score |\n|---|---|---|\n| 1 | A | 0.936 |\n", Outcome.FLAGGED),
        ("Final standings: winner 2.78, top 10% 2.92, median 3.35.", Outcome.FLAGGED),
        ("For a medal you must reach an AUC of 0.99818 or more.", Outcome.FLAGGED),
        ("Ce concours a été gagné avec LightGBM et CatBoost.", Outcome.FLAGGED),
        ("rank,model,score_val\n1,CatBoost,0.9512\n2,LightGBM,0.9498\n", Outcome.CLEAN),
        ("A medal goes to the ten best teams of the leaderboard.", Outcome.CLEAN),
    ],
)
def test_boards_and_lines_are_told_in_many_forms(make_attempt, text, outcome):
    logs = {"h.json": json.dumps({"competition": TASK, "description": text, "actions": []})}

    assert look(make_attempt, "x = 1\n", logs).outcome is outcome
