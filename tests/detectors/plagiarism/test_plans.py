"""What an agent wrote in its logs, what it was told, and what only a program printed."""

from __future__ import annotations

import json

import pytest

from detectors.plagiarism.plans import notes_of, words_of_logs
from tests.conftest import write_attempt

SAID = "I will encode each party by the average bill of its other members before anything else."
TOLD = "You are an agent. Predict who was transported and write a submission with two columns."


def lines(*values: object) -> str:
    return "\n".join(json.dumps(v) for v in values)


AIDE = json.dumps({"nodes": [{"plan": SAID, "code": "x = 1", "_term_out": ["val .8"]}]}, indent=1)
CHAT = [{"role": "system", "content": TOLD}, {"role": "assistant", "content": SAID}]
TRAJ = {"trajectory": [{"thought": SAID, "action": "ls", "observation": "a.csv and more of it"}]}
HANDS = [
    {"source": "user", "message": TOLD},
    {"source": "agent", "message": SAID, "action": "run", "args": {"command": "ls"}},
]
PARTS = [{"role": "assistant", "content": [{"type": "text", "text": SAID}]}]


@pytest.mark.parametrize(
    "log",
    [
        pytest.param(AIDE, id="journal"),
        pytest.param(json.dumps(CHAT), id="chat"),
        pytest.param(json.dumps(TRAJ), id="trajectory"),
        pytest.param(json.dumps(HANDS), id="events"),
        pytest.param(json.dumps(PARTS), id="message-in-parts"),
        pytest.param(lines({"step": 1, "plan": SAID}, {"step": 2, "exec": "ok"}), id="json-lines"),
        pytest.param(f"loading\nThought: {SAID}\nAction: ls\n$ ls\na.csv\n", id="react"),
        pytest.param(f"Thought 3:\n{SAID}\nObservation: nothing\n", id="on-the-next-line"),
        pytest.param(f"[PLAN]: {SAID}\n```python\nx = 1\n```\n", id="before-code"),
    ],
)
def test_what_the_agent_wrote_is_found(log, tmp_path):
    found = words_of_logs(write_attempt(tmp_path / "a_1", logs=log))

    (document,) = found.written
    assert (document.name, document.prose.strip()) == ("logs/agent.log", SAID)


@pytest.mark.parametrize(
    "log",
    [
        pytest.param(f"$ cat notes.md\n{SAID}\n", id="printed"),
        pytest.param(json.dumps([{"role": "user", "content": SAID}]), id="told"),
        pytest.param(json.dumps({"output": SAID, "result": SAID}), id="output"),
        pytest.param(json.dumps([{"role": "tool", "content": SAID}]), id="a-tools-answer"),
        pytest.param(f"INFO {SAID}\n", id="a-line-of-a-log"),
        pytest.param("[" * 100_000, id="deep-json"),
    ],
)
def test_what_others_wrote_is_not_the_agents(log, tmp_path):
    assert words_of_logs(write_attempt(tmp_path / "a_1", logs=log)).written == ()


@pytest.mark.parametrize("log", [json.dumps(CHAT), json.dumps(HANDS)])
def test_what_it_was_told_before_is_known(log, tmp_path):
    assert words_of_logs(write_attempt(tmp_path / "a_1", logs=log)).given == TOLD


def test_what_it_was_told_later_is_no_instruction(tmp_path):
    log = json.dumps([*CHAT, {"role": "user", "content": SAID}])

    assert words_of_logs(write_attempt(tmp_path / "a_1", logs=log)).given == TOLD


def test_notes_beside_the_code_are_read_and_links_are_not(tmp_path):
    secret = tmp_path / "secret.md"
    secret.write_text(TOLD)
    attempt = write_attempt(tmp_path / "a_1", code={"a.py": "x = 1\n", "docs/README.md": SAID})
    (tmp_path / "a_1" / "code" / "link.md").symlink_to(secret)

    (only,) = notes_of(attempt)
    assert (only.name, only.prose) == ("code/docs/README.md", SAID)


def test_a_report_in_the_logs_is_the_agents(tmp_path):
    attempt = write_attempt(tmp_path / "a_1", logs={"report.md": SAID, "a.log": "x\n"})

    assert [d.name for d in words_of_logs(attempt).written] == ["logs/report.md"]
