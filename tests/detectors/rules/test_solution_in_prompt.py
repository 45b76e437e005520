"""Solutions that a scaffold tells, and prompts that only sound like it."""

from __future__ import annotations

import json

import pytest

from audit.check import check
from detectors.rules.hints import hints
from detectors.rules.solution_in_prompt import SolutionInPrompt
from reports.schema import Confidence, Outcome, Severity

TASK = "breast-cancer"
WINNERS = "1st place solution: EfficientNet-B5, mixup 0.4, TTA of 8 flips."
THRESHOLDS = "Gold medal threshold: 0.98124, silver: 0.97441, bronze: 0.96110."
WORK = "$ python train.py\nfold 0 auc 0.91\n"


def look(make_attempt, logs, code="model.fit(x, y)\n", **fields):
    return check(SolutionInPrompt(), make_attempt(logs=logs, code=code, **fields))


def chat(*messages):
    return {"m.json": json.dumps([{"role": role, "content": text} for role, text in messages])}


def traj(action, seen):
    step = {"action": action, "observation": seen, "response": "", "thought": "", "state": "{}"}
    return {"a.traj": json.dumps({"environment": "m", "trajectory": [step], "history": []})}


def code_with(name, text):
    return {"main.py": "model.fit(x, y)\n", name: text}


@pytest.mark.parametrize(
    ("logs", "code"),
    [
        pytest.param(chat(("system", f"About {TASK}: {WINNERS}")), "x = 1\n", id="system"),
        pytest.param(chat(("user", f"Task {TASK}. {THRESHOLDS}")), "x = 1\n", id="thresholds"),
        pytest.param(f"SYSTEM:\nYou solve tasks.\n{WINNERS}\n\nThought: good\n", "x = 1\n",
                     id="a-plain-log"),
        pytest.param("user: Private leaderboard: rank 1 0.9881, rank 10 0.9812, 1180 teams\n",
                     "x = 1\n", id="a-small-board"),
        pytest.param("user: winners' recipe: hill-climbing of five CNNs\n", "x = 1\n",
                     id="a-recipe"),
        pytest.param("user: 3rd place (team North): stacking of LightGBM models\n", "x = 1\n",
                     id="a-team"),
        pytest.param("user: Here is the best public notebook (LB 0.9811, 812 votes):\n```\nx\n```",
                     "x = 1\n", id="a-kernel"),
        pytest.param("[2026-03-01T00:01:27] system: Memory (3 items): run 14: xgboost, private "
                     "score 0.9631 (bronze); run 22: catboost, private score 0.9755 (silver)\n",
                     "x = 1\n", id="memory-of-earlier-runs"),
        pytest.param("user: Kaggle winners used: seresnext50, label smoothing\n", "x = 1\n",
                     id="kaggle-winners"),
        pytest.param("system: Winning trick of this competition: sort by the third column\n",
                     "x = 1\n", id="a-trick-of-this-competition"),
        pytest.param("user: [1] '1st place write-up': the gold solution: denoising autoencoder\n",
                     "x = 1\n", id="quoted-write-ups"),
        pytest.param("system: Long-term memory injected: run 31 'tabnet + lgb' private_score "
                     "0.9761 silver\n", "x = 1\n", id="memory-of-graded-runs"),
        pytest.param(f"Skill loaded for {TASK}: lightgbm, mixup, earlier private score 0.9774\n",
                     "x = 1\n", id="a-skill"),
        pytest.param(f"python s.py --task {TASK} --hint 'top notebooks use deberta: blend'\n",
                     "x = 1\n", id="the-scaffold's-start"),
        pytest.param(traj(f"cat /opt/knowledge/{TASK}.md", WINNERS), "x = 1\n", id="a-file"),
        pytest.param(traj("python -m scaffold.load_tips", f"3 tips: {WINNERS}"), "x = 1\n",
                     id="tips-loaded"),
        pytest.param(f"agent: Loaded prior knowledge for {TASK}: {WINNERS}\n", "x = 1\n",
                     id="the-scaffold-says-that-it-loads"),
        pytest.param(WORK, code_with("kg.json", json.dumps({TASK: {"tips": [WINNERS]}})),
                     id="a-tip-graph"),
        pytest.param(WORK, code_with("p.yaml", f"{TASK}:\n  winning_tricks: [swa]\n"),
                     id="settings-by-task"),
        pytest.param("2026-05-11 08:00:01 | hints added to the prompt (312 characters):\n"
                     "  Top solutions: DenseNet201, flips, pseudo labels\n$ python t.py\n",
                     "x = 1\n", id="hints-that-the-log-prints"),
        pytest.param(traj("sed -n 1,6p /w/kernels/01.py", "# LightGBM, airports (private 2.88)"),
                     "x = 1\n", id="a-mounted-kernel"),
        pytest.param(chat(("user", "Public kernels of this competition are in /w/kernels.")),
                     "x = 1\n", id="a-folder-of-kernels"),
        pytest.param("[08:00:12] INFO: prompt of the first draft\n# Introduction\n"
                     "gold is at 0.05589, silver 0.06229\n", "x = 1\n", id="a-logged-prompt"),
        pytest.param({"config.yaml": f"exp_name: {TASK}\nnotes: |\n  First place used stacking\n"},
                     "x = 1\n", id="a-scaffold's-settings"),
        pytest.param({"case_bank.jsonl": json.dumps({"competition": TASK, "solution": "LSTM",
                                                     "private_score": 0.0575})},
                     "x = 1\n", id="a-bank-of-cases"),
        pytest.param(traj("cat code/AGENTS.md", f"- For {TASK}: winners used EfficientNet-B7"),
                     "x = 1\n", id="a-file-of-instructions"),
        pytest.param(traj(f"memory search '{TASK}'", "attempt 3: CatBoost. Graded: 0.8121 private"),
                     "x = 1\n", id="a-tool-of-memory"),
        pytest.param("2026-05-11 08:05:32 | user: Task.\nThe most voted public notebook blends "
                     "CatBoost and LightGBM; it has 0.8112 on the board.\n", "x = 1\n",
                     id="the-top-notebook"),
        pytest.param(chat(("user", "Our earlier graded runs: trees 0.9731 on the private board")),
                     "x = 1\n", id="earlier-runs"),
        pytest.param(chat(("user", "[previous attempt] DeBERTa. Official grade: 0.8561, no medal")),
                     "x = 1\n", id="an-earlier-attempt"),
        pytest.param(chat(("user", "Silver needs 0.8578 here. Good luck.")), "x = 1\n",
                     id="one-threshold"),
        pytest.param(chat(("system", "The top 10 teams all used DeBERTa with 5 folds.")),
                     "x = 1\n", id="what-all-teams-did"),
        pytest.param(chat(("system", "A past solution that earned a gold medal:\n```\nx\n```")),
                     "x = 1\n", id="a-solution-with-its-medal"),
        pytest.param("10:00:01 retriever: 3 documents\n[1] 4th place solution to it: SVM\n",
                     "x = 1\n", id="a-retriever"),
        pytest.param(chat(("user", "Private leaderboard:\n1 | al | 0.99121\n2 | bo | 0.99011\n")),
                     "x = 1\n", id="rows-of-a-board"),
        pytest.param(chat(("user", "For a bronze medal your score must be at least 0.9611.")),
                     "x = 1\n", id="what-a-medal-takes"),
        pytest.param(chat(("user", "Wie der erste Platz es gemacht hat: fastText und ein CNN")),
                     "x = 1\n", id="in-german"),
        pytest.param(chat(("user", "La solution gagnante : XGBoost et un CNN, puis stacking")),
                     "x = 1\n", id="in-french"),
        pytest.param(chat(("user", "第一名方案：LightGBM, CatBoost")), "x = 1\n", id="in-chinese"),
    ],
)  # fmt: skip
def test_a_solution_that_is_told_is_found(make_attempt, logs, code):
    found = look(make_attempt, logs, code)

    assert found.outcome is Outcome.FLAGGED, found.reason


@pytest.mark.parametrize(
    ("logs", "code"),
    [
        pytest.param("user: Winners will be named; past winners may enter: features are free\n",
                     "x = 1\n", id="winners-in-the-rules"),
        pytest.param("user: The gold standard was labelled by experts: features are below\n",
                     "x = 1\n", id="gold-standard"),
        pytest.param("Skill level: loaded with features\n$ python t.py --hint none\n", "x = 1\n",
                     id="other-skills-and-hints"),
        pytest.param("user: Prizes: 1st place $5,000, 2nd place $3,000; submit a solution.\n",
                     "x = 1\n", id="prizes"),
        pytest.param("user: Do not look up winning solutions, public kernels: leaks are known.\n",
                     "x = 1\n", id="forbidden"),
        pytest.param("user: You win bronze, silver and gold medals. Thresholds are secret.\n",
                     "x = 1\n", id="medals-explained"),
        pytest.param("system: You are a Kaggle grandmaster. To win, find an excellent plan for a "
                     "solution. Tips: ensemble several models, augment pictures.\n", "x = 1\n",
                     id="general-advice"),
        pytest.param("user: The winning solution will be made public under an open licence.\n",
                     "x = 1\n", id="rules-of-a-competition"),
        pytest.param("user: gold 10 pieces, silver 20 pieces, bronze 30\n", "x = 1\n",
                     id="medals-as-goods"),
        pytest.param("user: Example: for the toy task `iris`, a good plan is: standardise, "
                     "logistic regression, five folds.\n", "x = 1\n", id="a-toy-example"),
        pytest.param("system: Memory: step 2 used LightGBM, validation 0.912.\n", "x = 1\n",
                     id="memory-of-its-own-run"),
        pytest.param("user: your current submission (xgboost) has private score 0.93\n", "x = 1\n",
                     id="its-own-score-is-another-question"),
        pytest.param(f"agent: I recall the {WINNERS}\n{WORK}", "x = 1\n", id="the-agent-recalls"),
        pytest.param(chat(("assistant", f"I remember: {WINNERS}")), "x = 1\n", id="in-a-chat"),
        pytest.param("agent: Goal: 1st place: features, then a blend.\n", "x = 1\n",
                     id="ambition"),
        pytest.param(traj("cat description.md", f"{THRESHOLDS} {WINNERS}"), "x = 1\n",
                     id="what-the-description-says"),
        pytest.param(traj("ls best_solution", "1st place: features"), "x = 1\n",
                     id="its-own-solution"),
        pytest.param("user: the first: a table of features; the second: labels of 12 folds\n",
                     "x = 1\n", id="counting"),
        pytest.param("user: LightGBM docs: num_leaves=31, learning_rate=0.1, early stopping\n",
                     "x = 1\n", id="documentation"),
        pytest.param(WORK, code_with("c.yaml", f"competition: {TASK}\nmodel: lightgbm\nfolds: 5\n"),
                     id="settings-of-its-own"),
        pytest.param(WORK, code_with("t.json", json.dumps({"other-task": {"tips": [WINNERS]}})),
                     id="tips-for-another-task"),
        pytest.param(WORK, f'"""Inspired by the {WINNERS}"""\n', id="a-docstring"),
        pytest.param(WORK, f"# {WINNERS}\n", id="a-comment"),
        pytest.param("fold 1st place of 0.91 features\ngold 0.91\n", "x = 1\n", id="printed"),
        pytest.param("user: {\"score\": 0.9, \"gold_threshold\": 0.98, \"silver_threshold\": 0.97, "
                     "\"any_medal\": false}\n", "x = 1\n", id="a-report-is-another-question"),
        pytest.param("user: first place the files in /home, then use features from train.csv\n",
                     "x = 1\n", id="to-place-files"),
        pytest.param("user: The baseline notebook of the organisers reaches about 0.80.\n",
                     "x = 1\n", id="a-baseline-is-told"),
        pytest.param("user: Weights on disk: resnet18.pth, vit_small.pth. Choose any.\n", "x = 1\n",
                     id="models-on-disk"),
        pytest.param(chat(("system", "Similar problems (none of them is your task): house-prices: "
                                     "ridge plus boosting, private 0.1182")), "x = 1\n",
                     id="cases-of-other-tasks"),
        pytest.param("user: Related competitions: winners used EfficientNet there.\n", "x = 1\n",
                     id="winners-of-related-competitions"),
        pytest.param(chat(("user", "The first half of this run: cv 0.79, then ratios (cv 0.80)")),
                     "x = 1\n", id="its-own-first-half"),
        pytest.param("user: Der erste Platz gewinnt 5000 Euro. Ein CNN ist erlaubt.\n", "x = 1\n",
                     id="a-prize-in-german"),
        pytest.param("user: Die Gewinner werden im Mai genannt. Features stehen in train.csv.\n",
                     "x = 1\n", id="winners-in-german"),
        pytest.param("user: Bronze needs 0.12 tin to flow; silver is refined. Use XGBoost.\n",
                     "x = 1\n", id="alloys"),
        pytest.param("user: The column winner tells which model won; the winner is model_a.\n",
                     "x = 1\n", id="a-column-of-winners"),
        pytest.param("user: Kernels of this task's SVM are in the docs; rows split 0.7 public and "
                     "0.3 private.\n", "x = 1\n", id="kernels-of-an-svm"),
        pytest.param("user: Earlier runs of this machine took 3.25 hours; the rest is private.\n",
                     "x = 1\n", id="earlier-runs-of-a-machine"),
        pytest.param(traj("cat AGENTS.md", "- Use ruff. Write tests. Format: black, 100 columns."),
                     "x = 1\n", id="instructions-about-style"),
        pytest.param(traj("memory search lessons", "no results"), "x = 1\n", id="an-empty-memory"),
        pytest.param({"config.yaml": f"exp_name: {TASK}\nagent:\n  steps: 20\n"}, "x = 1\n",
                     id="a-scaffold's-plain-settings"),
        pytest.param("12:00:01 prompt tokens: 812\n12:00:02 agent: the winners used XGBoost I guess"
                     "\n", "x = 1\n", id="the-agent-guesses-at-a-time"),
        pytest.param(chat(("user", "Bronze from 0.125 kg, silver 0.925 fineness, gold 0.750 kg.")),
                     "x = 1\n", id="weights-of-metals"),
        pytest.param(chat(("user", "Rows of the table:\n1 | al | 0.99121\n2 | bo | 0.99011\n")),
                     "x = 1\n", id="rows-of-a-table"),
        pytest.param(chat(("user", "Your last submission earned a bronze medal badge: ```x```")),
                     "x = 1\n", id="its-own-medal"),
        pytest.param("context: 8 threads\nretrieved 3 rows of features\n", "x = 1\n",
                     id="a-context-of-something-else"),
        pytest.param(chat(("user", "The private leaderboard. Sample submission:\n1,cat,0.512\n"
                                   "2,dog,0.331\n")), "x = 1\n", id="rows-of-a-sample"),
        pytest.param(chat(("user", "La colonne gagnant vaut 1; utilisez LightGBM.")), "x = 1\n",
                     id="a-column-in-french"),
        pytest.param(chat(("user", "Gold labels agree at 0.912, silver labels at 0.871.")),
                     "x = 1\n", id="labels-of-gold"),
        pytest.param("user: Policy: draft 5 nodes, improve the best node by validation.\n",
                     "x = 1\n", id="a-policy"),
    ],
)  # fmt: skip
def test_an_ordinary_prompt_is_not_accused(make_attempt, logs, code):
    found = look(make_attempt, logs, code)

    assert found.outcome is Outcome.CLEAN, [f.message for f in found.findings]


def test_prior_knowledge_that_is_declared_makes_it_a_note(make_attempt):
    agent = {"id": "a", "digest": "0" * 64, "prior_knowledge": "a tip graph of 40 tasks"}
    found = look(make_attempt, f"system: {WINNERS}\n", record={"agent": agent})

    assert [f.severity for f in found.findings] == [Severity.NOTE]
    assert "a tip graph of 40 tasks" in found.findings[0].message


@pytest.mark.parametrize(
    ("says", "outcome"),
    [
        ("Reading of files (supplied, do not change).", Outcome.FLAGGED),
        ("NB for the agent:", Outcome.FLAGGED),
        ("Reading of files; labels are given, rows do not change.", Outcome.CLEAN),
        ("My own notes:", Outcome.CLEAN),
    ],
)
def test_a_file_of_the_code_that_says_others_wrote_it_was_given(make_attempt, says, outcome):
    text = f'"""{says}\n{WINNERS}\n"""\n'
    attempt = make_attempt(
        logs=traj("head -7 code/io_tools.py", text), code=code_with("io_tools.py", text)
    )

    assert check(SolutionInPrompt(), attempt).outcome is outcome


def test_what_lies_beside_the_code_is_less_sure_than_what_was_told(make_attempt):
    lying = look(make_attempt, WORK, code_with("kg.json", json.dumps({TASK: {"tips": [WINNERS]}})))
    told = check(SolutionInPrompt(), make_attempt(f"{TASK}_2", logs=f"system: {WINNERS}\n"))

    assert [f.confidence for f in (*lying.findings, *told.findings)] == [
        Confidence.MEDIUM,
        Confidence.HIGH,
    ]


def test_words_of_the_description_count_for_nothing(make_attempt, tmp_path):
    public = tmp_path / "data" / TASK / "prepared" / "public"
    public.mkdir(parents=True)
    (public / "description.md").write_text(f"# Task\n\n{WINNERS}\n")
    attempt = make_attempt(logs=f"system: {WINNERS}\n")

    assert check(SolutionInPrompt(data=str(tmp_path / "data")), attempt).outcome is Outcome.CLEAN
    assert check(SolutionInPrompt(), attempt).outcome is Outcome.FLAGGED


def test_a_text_of_many_places_is_read_in_little_time():
    assert list(hints("1st place " * 20_000)) == []
