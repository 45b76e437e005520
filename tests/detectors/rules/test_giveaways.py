"""Solutions told in any words and place are weighed; advice, wishes and own work are not."""

from __future__ import annotations

import base64
import codecs
import json

import pytest

from audit.check import check
from detectors.rules.hints import hints
from detectors.rules.solution_in_prompt import SolutionInPrompt
from reports.schema import Outcome

RECIPE = "1st place: CatBoost on cabin deck, blended with LightGBM; private 0.8205"
TELLS = [
    "'mask the green, Xception at 299 px, lr 1e-4, 10 folds. That put me at 0.98992, place 7.'",
    "I finished 12th of 2600 here: log1p spends, CatBoost depth 7, blended with LightGBM.",
    "What got us to 4th: CatBoost, LightGBM and an MLP, target encoding of the cabin",
    "On the discussion board of this competition those who reached 0.821 all used CatBoost.",
    "The team that came second used weights .5 CatBoost, .3 LightGBM, .2 MLP.",
    "These settings reached 0.8207 on the private leaderboard: CatBoost depth=7, lr=0.03",
    "A good solution of this competition (412 votes):\n```\nm = CatBoostClassifier()\n```",
    "# 1st place, private LB 0.8211\nimport catboost\nmodel = CatBoostClassifier(depth=7)",
    "Tip from a grandmaster on how he got gold here: adversarial validation, CatBoost.",
    "- LightGBM 0.8039 LB\n- CatBoost 0.8071 LB",
    "The trick that decided this competition: ids of one group share the label, propagate it.",
    "As the winner: LightGBM and CatBoost with target encoding on Kaggle.",
    "In this competition the gold zone needed CatBoost and LightGBM.",
    "/home/ref/leaderboard.csv is the final private leaderboard of this competition.",
    "The winning notebook lies in /home/ref/winner.ipynb; you may reuse it.",
    "The top 10% of the leaderboard scored above 0.8081; the winner had 0.8211.",
    "For orientation: 1st place 0.82114, 10th 0.81900, median 0.79612.",
    "Hint: the bronze line is at 0.8050.",
    "To get a medal you have to beat 0.8050.",
    "Accuracy above 0.8208 is worth gold here.",
    "The leaderboard: rank,team,score\n1,alpha,0.82114\n2,beta,0.82067",
    "method,private_score,medal\nCatBoost,0.8124,bronze",
    "Für Gold brauchst du 0,8208, für Silber 0,8150.",
    "Stop once validation is above 0.8150; that is what silver took.",
    "Ein Kollege, ganz oben in der Rangliste: LightGBM, Dropout, 0,0019 auf der privaten Tafel.",
    "师兄当年拿了第一名:CatBoost 与 LightGBM 融合,私榜 0.8211。",
    "Leaders of this competition kept stop words and averaged an LSTM and a GRU (0.7066).",
    "A notebook that someone published for this competition:\n```\nclf = CatBoostClassifier()\n```",
    "Grades of our former runs here on the hidden test: 0.7921 (RF), 0.8053 (LightGBM).",
    '{"origin": "lb-private rank 1, 0.0199", "stack": ["nb-char-1-7", "fasttext"]}',
    base64.b64encode(RECIPE.encode()).decode(),
    f"rot13: {codecs.encode(RECIPE, 'rot13')}",
    RECIPE.encode().hex(),
]
TELLS_NOT = [
    "You are a Kaggle grandmaster. Winning solutions usually blend LightGBM and CatBoost.",
    "Think like a winner:\n1. Trust CV.\n2. Begin with LightGBM or CatBoost on Kaggle data.",
    "Medals: gold for the top 10 %, silver for 20 %. Stacking of LightGBM and CatBoost is allowed.",
    "Your score will be compared with the leaderboard; top 10 % gets gold. Try LightGBM, CatBoost.",
    "Best so far: rank 1 of 8 in your population, LightGBM, CatBoost, cv 0.8123.",
    "<parent id=3 score=0.8123>\nm = CatBoostClassifier()\n</parent> where score is of 5 folds.",
    "XGBoost has been used by winning teams in Kaggle; it has dropout and 5 folds.",
    "A colleague suggests CatBoost with 5 folds and target encoding.",
    "Weights: /home/models/efficientnet_b5.pth (ImageNet 0.836), deberta-v3-large.",
    "In another competition the 1st place solution stacked Ridge and XGBoost.",
    "The host's starter reaches 0.7510 on a hold-out with logistic regression.",
    "You have finished the 12th of 26 tasks with LightGBM and CatBoost.",
    "1st place - $15,000. Winners must open their code; LightGBM and CatBoost are allowed.",
    "model,private_rooms,score\nCatBoost,0.81,0.82",
    "place 3 folds per GPU; LightGBM and CatBoost, score 0.8123 on fold 0",
    "Columns: medal (gold, silver), ph 3.211; gold wines have 0.1252 alcohol on average.",
    "Stop as soon as your validation accuracy is above 0.8150.",
    "1st: read the files; 2nd: train CatBoost and LightGBM.",
    "Earlier runs of this machine took 3.251 hours; the rest is private.",
    "its winning solutions are out of reach. Scored by the weighted kappa.\nA sample: 0.123",
    "the 75th percentile is 0.8123, the median 0.7961, the top 10 0.9991",
    "Labels by the first team of experts: kappa 0.8123; ResNet crops are 512 px.",
    "grep: /home/data/description.md:40: the final standings use the private leaderboard.",
    "a picture: " + base64.b64encode(bytes(range(256))).decode(),
    f"rot13: {codecs.encode('Read the text and write it down, then train CatBoost.', 'rot13')}",
]


@pytest.mark.parametrize("text", TELLS)
def test_what_somebody_reached_with_what_weighs_enough(text):
    assert [*hints(text)]


@pytest.mark.parametrize("text", TELLS_NOT)
def test_advice_wishes_and_own_work_weigh_nothing(text):
    assert [text[h.start : h.end] for h in hints(text)] == []


def ran(command, output):
    return {
        "m.json": json.dumps(
            [
                {"role": "user", "content": "Task: breast-cancer."},
                {"role": "assistant", "content": f"```bash\n{command}\n```"},
                {"role": "user", "content": f"Observation: {output}"},
            ]
        )
    }


def plain(command, output):
    return f"user: Solve it.\nagent: look\n$ {command}\n{output}\nagent: fine\n$ python main.py\n"


def graph(task):
    nodes = [{"type": "solution", "competition": task, "text": RECIPE}]
    return {"kg.json": json.dumps({"nodes": nodes}), "a.log": "10:00 loaded kg.json: 1 nodes\n"}


def found(make_attempt, logs):
    return check(SolutionInPrompt(), make_attempt(logs=logs, code="model.fit(x, y)\n")).outcome


@pytest.mark.parametrize(
    "logs",
    [
        pytest.param(plain("echo $TASK_HINT | base64 -d", RECIPE), id="a-variable"),
        pytest.param(plain("tail -5 /home/full_instructions.txt", RECIPE), id="instructions"),
        pytest.param(plain("xxd -r -p /home/n.hex", RECIPE), id="decoded"),
        pytest.param(plain("python -c \"print(open('/ref/s.txt').read())\"", RECIPE), id="read"),
        pytest.param(plain("sqlite3 m.db 'select * from runs'", "CatBoost|0.8124|bronze\n"),
                     id="a-table"),
        pytest.param(f"10:00 context for experiment 1: [{RECIPE}]\n10:01 idea: x\n", id="context"),
        pytest.param(plain("curl -s localhost:8077/hint", RECIPE), id="a-server-of-hints"),
        pytest.param(plain("get-advice --level 3", RECIPE), id="a-tool-of-hints"),
        pytest.param(plain("tail /home/data/description.md", f"<!-- {RECIPE} -->"), id="hidden"),
        pytest.param(f"10:00:01 INFO prompt[draft#0]: graded here:\n * {RECIPE}\n10:00:02 x\n",
                     id="a-prompt-of-many-lines"),
        pytest.param(f"10:00 -> POST /v1/messages user='{RECIPE}'\n", id="a-request"),
        pytest.param(f"user: Keep to this:\n```python\n# {RECIPE}\nm.fit(x)\n```\nagent: fine\n"
                     "$ ls\nx\n", id="code-in-a-prompt"),
        pytest.param(graph("breast-cancer"), id="a-graph-beside-the-logs"),
    ],
)  # fmt: skip
def test_a_solution_is_read_wherever_it_was_given(make_attempt, logs):
    assert found(make_attempt, logs) is Outcome.FLAGGED


@pytest.mark.parametrize(
    "logs",
    [
        pytest.param(plain(f"echo '{RECIPE}' > n.md; cat n.md", RECIPE), id="its-own-words"),
        pytest.param(plain("head -2 /home/data/posts.csv", f"id,text\n1,{RECIPE}"), id="the-data"),
        pytest.param(plain("cat /opt/conda/pkgs/catboost/README.md", RECIPE), id="a-library"),
        pytest.param(plain("python train.py", RECIPE), id="its-program"),
        pytest.param(plain("cat train.log", RECIPE), id="its-log"),
        pytest.param(plain("cat /home/data/description.md", RECIPE), id="the-description"),
        pytest.param(plain("curl -s https://x.com/a", RECIPE), id="fetched"),
        pytest.param(plain("git log -3", RECIPE), id="its-history"),
        pytest.param(graph("house-prices"), id="of-another-task"),
    ],
)
def test_what_nobody_gave_is_not_told(make_attempt, logs):
    assert found(make_attempt, logs) is Outcome.CLEAN


@pytest.mark.parametrize(
    ("task", "says"), [("breast-cancer", Outcome.FLAGGED), ("x", Outcome.CLEAN)]
)
def test_tables_of_tips_in_code_tell_of_their_task_alone(make_attempt, task, says):
    code = {"main.py": "model.fit(x, y)\n", "agent/tips.py": f'T = {{"{task}": "{RECIPE}"}}\n'}
    attempt = make_attempt(logs="$ python main.py\n", code=code)

    assert check(SolutionInPrompt(), attempt).outcome is says


def line(**fields):
    return {"calls.jsonl": json.dumps(fields) + "\n", "a.log": "$ python main.py\ncv 0.8\n"}


BANNERS = "=== PROMPT ===\n{}\n=== END PROMPT ===\n=== RESPONSE ===\n{}\n"


@pytest.mark.parametrize(
    ("logs", "says"),
    [
        pytest.param(line(prompt=RECIPE, completion="ok"), Outcome.FLAGGED, id="prompt"),
        pytest.param(line(prompt="go", completion=RECIPE), Outcome.CLEAN, id="completion"),
        pytest.param(line(request={"messages": [{"role": "system", "content": RECIPE}]}),
                     Outcome.FLAGGED, id="request"),
        pytest.param(line(message={"role": "assistant", "content": [{"text": RECIPE}]}),
                     Outcome.CLEAN, id="answer"),
        pytest.param(line(extras={"microagent_knowledge": [{"content": RECIPE}]}),
                     Outcome.FLAGGED, id="knowledge"),
        pytest.param(BANNERS.format(RECIPE, "ok"), Outcome.FLAGGED, id="banner"),
        pytest.param(BANNERS.format("go", RECIPE), Outcome.CLEAN, id="banner-of-an-answer"),
        pytest.param(f"$ docker run -e EXTRA_PROMPT='{RECIPE}' agent\nx\n", Outcome.FLAGGED,
                     id="a-variable-of-the-agent"),
    ],
)  # fmt: skip
def test_prompts_of_any_form_are_told_and_answers_are_not(make_attempt, logs, says):
    assert found(make_attempt, logs) is says


@pytest.mark.parametrize(
    ("code", "says"),
    [
        (f'SYSTEM_PROMPT = """Solve it. {RECIPE}"""\n', Outcome.FLAGGED),
        (f"# as I remember: {RECIPE}\nm.fit(x, y)\n", Outcome.CLEAN),
    ],
)
def test_prompts_in_code_are_told_and_comments_are_not(make_attempt, code, says):
    attempt = make_attempt(logs="$ python main.py\n", code={"main.py": code})

    assert check(SolutionInPrompt(), attempt).outcome is says
