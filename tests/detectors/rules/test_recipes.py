"""What others reached in a task and how is read in whatever words; advice and own work are none."""

from __future__ import annotations

import json

import pytest

from audit.check import check
from detectors.rules.hints import hints
from detectors.rules.solution_in_prompt import SolutionInPrompt
from reports.schema import Outcome

TELLS = [
    "A score of 0.9921 or more earns gold, 0.9903 silver.",
    "gold at 2.83377 RMSE; top teams: drop rows outside the city, haversine",
    '{"gold_threshold": 0.9934, "silver_threshold": 0.9901}',
    "The best teams used account age and tf-idf; the winner at 0.76.",
    "the top entries got their gain from requester_user_flair, which gives the target away",
    "# Appendix: what scored highest on the private leaderboard\n1. DenseNet161, five folds, TTA.",
    "I was on the team that came first here on Kaggle: we used an LSTM over the whole breath.",
    "This competition was won with a single DeBERTa-v3-large and 4 epochs.",
    "(1st place solution, score 0.93): 'We ensembled DenseNet169 and SE-ResNet, TTA x8'",
    "Expert tips for this competition from Kaggle discussions: pseudo-labels, 512 px, TTA.",
    "The gold medalists noticed that rows with one patient id share the label, so they grouped.",
    "The best known score is 0.9934 on the private leaderboard, reached by an ensemble of BERTs.",
    "Last week's run of this task with XGBoost got 0.9781 on the official grader.",
    '<parent private_score="0.28311" medal="silver">\nmeta = XGBClassifier(max_depth=3)\n</parent>',
    '<prior_solution rank="3" lb="0.9911">catboost + lightgbm rank average</prior_solution>',
    '{"method": "LR and LDA", "test_logloss": 0.0061, "rank": 58, "medal": "silver"}',
    "Reference solution (gold medal):\n```python\nm = CatBoostClassifier(iterations=3000)\n```",
    "Scores on the private leaderboard: logistic regression 0.91, random forest 0.94.",
    "#1 solution summary: ArcFace with EfficientNet-B7, 640 px",
    "feature f27 is the target shifted by one row; exploit it as the winners did.",
    "Write-up: how we reached AUC 0.83 (2nd place)\nUse number_of_posts and a random forest.",
    "interactions i_02_21 and i_05_22 of the signs (from the winning notebooks)",
    "Best single model on the private board: bi-GRU + capsule on FastText, 0.9868.",
    "Final private leaderboard:\n1 teamA 0.9951\n2 teamB 0.9949\n3 teamC 0.9940",
]
TELLS_NOT = [
    "Top Kaggle competitors usually build strong cross-validation and ensemble diverse models.",
    "Winners of Kaggle competitions usually blend different models.",
    "Use an ensemble of LightGBM and CatBoost with 5 folds if time allows.",
    "Save the best model by validation and use test-time augmentation.",
    "Your best solution so far uses LightGBM with 5 folds, validation AUC 0.981. Improve it.",
    "# Previous solution\nThe best solution found so far: lgb.train() with validation 0.98",
    "Prizes: 1st place $25,000. Winners must provide their ensemble's code.",
    "You must not look up winning solutions, public kernels or an ensemble from the leaderboard.",
    "Gold, silver and bronze medals are given to the top 10 %.",
    "bronze is raw events, silver is cleaned, gold is aggregated; the threshold for gold is a "
    "completeness of 0.98, for silver 0.9.",
    "The data has teams; the winning team used more passes. Predict who won the game.",
    "Columns: winner_model_a and winner_model_b; the winner's solution to the prompt is in "
    "response_a or response_b.",
    "In the paper, the best approach was an ensemble of ResNets with dropout.",
    "We have won several contracts. Features: first_name_len_x, learning_rate of the sensor.",
    "At the end write a write-up of your approach: models, folds, learning rate.",
    "Labels are gold standard annotations; kappa 0.81, silver labels 0.62 agreement.",
    "Earlier in this run, LightGBM had 0.981 and CatBoost 0.983 in validation.",
    "The winner is found by AUC on the private test set. Pretrained models are allowed.",
    "How we split the data (2nd part): the first place in a row is its id.",
    "Use column team_id_home (of the winning team in a match) as a feature.",
    "The private board: Ridge over the valley. The road there is long, 3.21 km.",
    "gold costs 61.3 per g, silver 0.8 per g",
]


@pytest.mark.parametrize("text", TELLS)
def test_what_somebody_reached_and_how_is_read(text):
    assert [*hints(text)]


@pytest.mark.parametrize("text", TELLS_NOT)
def test_advice_prizes_and_own_work_are_none(text):
    assert [text[h.start : h.end] for h in hints(text)] == []


WON = "1st place: LightGBM with target encoding, 10 folds"


def tool(name, arguments, output):
    call = {"id": "a", "type": "function",
            "function": {"name": name, "arguments": json.dumps(arguments)}}  # fmt: skip
    return {"messages.json": json.dumps([
        {"role": "user", "content": "Task: predict."},
        {"role": "assistant", "content": "Look.", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "a", "content": output},
        {"role": "assistant", "content": "I follow it."},
    ])}  # fmt: skip


def bash(command, output):
    return tool("bash", {"command": command}, output)


KERNEL = "cat input/kernels/tk_lgbm-lb-2.86.py"
GIVEN = {
    "a-tool-that-knows": tool("get_insights", {"task": "x"}, WON),
    "a-search-of-a-memory": bash("kb_search 'breast cancer'", WON),
    "a-demonstration": {
        "m.json": json.dumps(
            [
                {"role": "user", "content": "Task"},
                {"role": "assistant", "content": f"(demonstration, graded)\n{WON}"},
                {"role": "user", "content": "Now once more"},
            ]
        )
    },
    "a-prompt-of-a-logger": f"10:00:01 DEBUG a.b: prompt\n# Retrieved\n{WON}\n10:00:02 x\n$ ls\n",
    "a-template": {
        "c.json": json.dumps({"draft": {"system_prompt_template": WON}}),
        "run.log": "x\n",
    },
    "a-kernel-beside-the-data": bash(KERNEL, "d['dist'] = haversine(40.6, -73.7)"),
    "before-the-first-step": "Environment:\nTASK_HINTS=gold at 2.83377 RMSE\n\n$ ls\nx\n",
    "a-start-line": "$ python run_agent.py --extra 'gold=0.993 silver=0.990'\nstart\n$ ls\n",
    "a-prompt-in-a-file": {"prompt.md": f"# Prior knowledge\n{WON}\n", "run.log": "$ ls\nx\n"},
    "a-task-file": {"task.yaml": f"name: breast-cancer\nhints:\n - {WON}\n", "run.log": "$ ls\n"},
}
NOT_GIVEN = {
    "a-tool-of-its-own": tool("run_model", {"task": "x"}, "best models used: LightGBM 0.98"),
    "own-utilities": bash("head -7 ./code/main.py", f"# {WON}"),
    "a-demonstration-of-its-own": {"m.json": json.dumps([
        {"role": "user", "content": "Task"}, {"role": "assistant", "content": f"Example: {WON}"},
    ])},
    "a-size-of-prompts": "1 DEBUG a.b: prompt tokens 9\n# best models: LightGBM 0.98\n",
    "a-listing": bash("ls input/kernels/", "tk_lgbm-lb-2.86.py"),
    "own-kernels": bash("cat src/cuda_kernels/conv.py", "def conv(): pass"),
    "an-own-folder": bash("mkdir -p best_solution && cp a.py best_solution/a.py", "ok"),
    "the-program's-head": {"run.log": "best models: LightGBM 0.98\n", "a.log": "$ ls\nx\n"},
    "the-agent-recalls": {"m.json": json.dumps([
        {"role": "user", "content": "Task"}, {"role": "assistant", "content": f"I recall: {WON}"},
    ])},
    "a-task-file": {"task.yaml": "name: breast-cancer\nmetric: auc\n", "run.log": "$ ls\n"},
}  # fmt: skip


@pytest.mark.parametrize("logs", [pytest.param(p, id=i) for i, p in GIVEN.items()])
def test_what_was_given_to_the_agent_is_read_wherever_it_stands(logs, make_attempt):
    answer = check(SolutionInPrompt(), make_attempt(code="print(1)\n", logs=logs))

    assert answer.outcome is Outcome.FLAGGED


@pytest.mark.parametrize("logs", [pytest.param(p, id=i) for i, p in NOT_GIVEN.items()])
def test_what_it_made_itself_or_only_saw_is_not(logs, make_attempt):
    answer = check(SolutionInPrompt(), make_attempt(code="print(1)\n", logs=logs))

    assert answer.outcome is Outcome.CLEAN, [f.message for f in answer.findings]
