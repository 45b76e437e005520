"""Answers of a model on a server: chat endpoints, plain ones, and those that take less."""

from __future__ import annotations

import json

import pytest

from competitions.errors import ModelServerError
from detectors.familiarity.servers.chat import asking_server
from detectors.familiarity.servers.client import MODEL_KEY
from detectors.familiarity.servers.opening import answers_of
from tests.audit.runner.model_server import Reply
from tests.detectors.familiarity.servers.loopback import serving


def choice(**fields):
    return Reply(body=json.dumps({"choices": [fields]}).encode())


def refusal(status, said):
    return Reply(status=status, body=json.dumps({"error": {"message": said}}).encode())


def said(url):
    return asking_server(url, key=None, announce=lambda _: None)(32)("Which one?")


def test_a_chat_endpoint_answers_and_gets_the_key(monkeypatch):
    monkeypatch.setenv(MODEL_KEY, "key of no vendor")
    lines: list[str] = []
    with serving("chat") as (url, server):
        answer = answers_of(url, lines.append)(32)("Which one?")
        assert server.model is not None
        asked = server.model.asked[-1]

    assert answer == "Yes."
    assert asked.content["messages"] == [{"role": "user", "content": "Which one?"}]
    assert (asked.content["model"], asked.content["max_tokens"]) == ("copier", 32)
    assert asked.headers["Authorization"] == "Bearer key of no vendor"
    assert lines == [f"Asking {url.removeprefix('http://')} for answers of copier."]


# Requests 0 to 2 are about the server itself.
@pytest.mark.parametrize(
    ("replies", "expected"),
    [
        pytest.param({3: refusal(404, "no chat")}, " and", id="no chat endpoint"),
        pytest.param({3: refusal(400, "use max_completion_tokens")}, "Yes.", id="other limit"),
        pytest.param({3: refusal(400, "temperature: must be 1")}, "Yes.", id="temperature"),
        pytest.param({3: Reply(status=429)}, "Yes.", id="busy"),
    ],
)
def test_what_an_endpoint_does_not_take_is_left_out(replies, expected):
    with serving(replies=replies) as (url, _):
        waits: list[float] = []
        ask = asking_server(url, key=None, announce=lambda _: None, pause=waits.append)(32)
        assert ask("Which one?") == expected


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        pytest.param(refusal(400, "no"), r"refused with 400 \(no\)", id="refused"),
        pytest.param(Reply(body=b"{}"), "it sent none", id="nothing"),
        pytest.param(Reply(body=b"[1]"), "it sent none", id="another form"),
        pytest.param(choice(message={"content": None}), "it sent none", id="null"),
        pytest.param(
            choice(message={"content": ""}, finish_reason="length"), "It thinks first", id="thinks"
        ),
    ],
)
def test_an_answer_that_is_none_is_no_sign_of_nothing_known(reply, words):
    replies = dict.fromkeys(range(3, 9), reply)
    with serving(replies=replies) as (url, _), pytest.raises(ModelServerError, match=words):
        said(url)
