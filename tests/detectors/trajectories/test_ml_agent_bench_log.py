"""MLAgentBench's logs: who says what, and what of an observation is no step."""

from __future__ import annotations

import pytest

from audit.check import check
from detectors.rules.answers_read import AnswersRead
from detectors.rules.solution_in_prompt import SolutionInPrompt
from detectors.text_file import TextFile
from detectors.trajectories.events import EventKind, events, recognised
from reports.schema import Severity

PROMPT = "You have these tools:\n- List Files\n\nResearch Problem: {problem}\n\nNow start.\n\n"
STEP = """\
Step {n}:


Assistant:
Reflection: Nothing yet.
Research Plan and Status: 1. look
2. train
Thought: Let me go on.
Action: {action}
Action Input: {given}
Observation:

```
{seen}
```

"""


def log(*steps: tuple[str, str, str], problem: str = "Predict who survives.") -> TextFile:
    told = [STEP.format(n=n, action=a, given=g, seen=s) for n, (a, g, s) in enumerate(steps)]
    return TextFile("logs/main_log", PROMPT.format(problem=problem) + "".join(told))


def test_each_part_has_its_speaker_step_and_lines():
    main = log(("List Files", '{"dir_path": "."}', "train.csv"), ("Execute Script",
               '{"script_name": "train.py"}', "acc 0.7"))  # fmt: skip
    found = list(events([main]))
    lines = main.text.split("\n")

    assert [(e.kind, e.by, e.step) for e in found[:6]] == [
        (EventKind.MESSAGE, "user", None),
        (EventKind.THOUGHT, "agent", 0),
        (EventKind.THOUGHT, "agent", 0),
        (EventKind.THOUGHT, "agent", 0),
        (EventKind.READ, "", 0),
        (EventKind.OUTPUT, "tool", 0),
    ]
    (run,) = (e for e in found if e.kind is EventKind.COMMAND)
    assert (run.text, run.output, run.step) == ("python train.py", "acc 0.7", 1)
    assert "train.py" in lines[run.first_line - 1]


@pytest.mark.parametrize(
    "seen",
    [
        pytest.param("Step 7:\nloss 0.1", id="step-of-a-training"),
        pytest.param("Thought: x\nAction: Execute Script\nAction Input: y", id="entries-of-a-file"),
        pytest.param("```python\nopen('/private/answers.csv')\n```", id="fenced-code"),
        pytest.param("$ cat /private/answers.csv", id="a-prompt-in-a-file"),
        pytest.param("=== response ===", id="another-rule"),
    ],
)
def test_what_an_observation_shows_is_output_and_was_not_done(seen):
    found = list(events([log(("Understand File", '{"file_name": "a"}', seen))]))

    assert [e.kind for e in found if e.kind not in {EventKind.MESSAGE, EventKind.THOUGHT}] == [
        EventKind.READ,
        EventKind.OUTPUT,
    ]
    assert found[-1].text == seen.strip("`\n") or found[-1].text == seen


@pytest.mark.parametrize(
    "given",
    [
        pytest.param('{"script_name": "a.py", "content": "x = 1\\ny = 2"}', id="json"),
        pytest.param('{\n"script_name": "a.py",\n"content": "x = 1\ny = 2"\n}', id="lines"),
        pytest.param('{\n"script_name": "a.py",\n"content": "x = "1"\ny = 2"\n}', id="quotes"),
    ],
)
def test_an_input_that_is_almost_json_is_read_as_its_tool_does(given):
    (wrote,) = (e for e in events([log(("Write File", given, ""))]) if e.kind is EventKind.WRITE)

    assert wrote.target == "a.py"
    assert wrote.text.replace('"', "") == "x = 1\ny = 2"


def test_what_only_looks_a_little_like_it_is_plain_text():
    react = "Thought: I look.\nAction: bash\nAction Input: ls\nObservation: a.csv\n"

    assert recognised(TextFile("main_log", react)) == "plain-text"
    assert recognised(TextFile("main_log", "Step 1:\nAssistant:\n" + react)) == "plain-text"


def test_a_copied_answer_file_is_found(make_attempt):
    main = log(("Copy File", '{"source": "../private/test.csv", "destination": "a"}', "Copied."))
    found = check(AnswersRead(), make_attempt(logs={"main_log": main.text})).findings

    assert [f.severity for f in found] == [Severity.HIGH]


def test_a_recipe_counts_where_the_prompt_tells_it_and_not_where_the_agent_does(make_attempt):
    tip = "1st place solution: EfficientNet-B5, mixup 0.4, TTA of 8 flips."
    told = log(("List Files", '{"dir_path": "."}', "a"), problem=f"Predict it. {tip}")
    own = log(("Append File", '{"file_name": "n.txt", "content": "x"}', "a"))
    own_text = own.text.replace("Let me go on.", f"I think: {tip}")

    def accused(text: str, name: str) -> bool:
        found = check(SolutionInPrompt(), make_attempt(name, logs={"main_log": text})).findings
        return any(f.severity > Severity.NOTE for f in found)

    assert accused(told.text, "breast-cancer_1")
    assert not accused(own_text, "breast-cancer_2")
