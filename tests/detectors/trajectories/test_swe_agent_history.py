"""SWE-agent's history repeats the steps; what it has beyond them was said, too."""

from __future__ import annotations

import json

from detectors.text_file import TextFile
from detectors.trajectories.events import events

CLOSING = "A small network was trained; its predictions are handed in."


def said(*history):
    step = {
        "thought": "Look.",
        "action": "ls",
        "observation": "a",
        "response": "Look.\n```\nls\n```",
    }
    content = {"environment": "x", "trajectory": [step], "history": [*history], "info": {}}
    found = events([TextFile("logs/t.traj", json.dumps(content))])
    return [event.text.strip() for event in found if event.by == "agent" and event.text != "ls"]


def message(content, **more):
    return {"role": "assistant", "content": content, **more}


def test_a_closing_message_is_read_and_copies_are_not():
    assert said(message("Look."), message("Look.\n```\nls\n```"), message(CLOSING)) == [
        "Look.",
        CLOSING,
    ]


def test_demonstrations_are_not_the_agents_words():
    assert said(message(CLOSING, is_demo=True)) == ["Look."]
