"""An endpoint as it may be: slow, busy, gone, strict about parameters, curious about keys."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from audit.judge.endpoint import (
    KEY_NAME,
    PATIENCE,
    Answered,
    Endpoint,
    Unanswered,
)
from competitions.errors import UsageError
from detectors.json_http import key_in_environment
from detectors.opinions.prompts import schema_of
from detectors.opinions.questions import TOPICS
from tests.audit.runner.model_server import MODEL, Reply, playing

SCHEMA = schema_of(TOPICS[0])
MESSAGES = [{"role": "user", "content": "hello"}]
KEY = "sk-proj-" + "aB3dE5gH7jK9" * 3
YES = Reply("yes")


@pytest.fixture
def waits():
    return []


@pytest.fixture
def ask(waits):
    """Ask once of a server that plays; return what came of it and what was asked."""

    def made(play, key=None, **patience):
        with playing(play) as model:
            calm = replace(PATIENCE, sleep=waits.append, clock=lambda: 0.0, **patience)
            got = Endpoint(model.url, "m", key, calm).ask(MESSAGES, SCHEMA)
        return got, model.asked

    return made


def failing(status, message="no", headers=(), times=99):
    body = json.dumps({"error": {"message": message}}).encode()
    return lambda _request, n: (
        Reply(status=status, body=body, headers=headers) if n < times else YES
    )


def completion(**choice):
    whole = {"choices": [choice], "usage": {"prompt_tokens": 5, "completion_tokens": 2}}
    return lambda _request, _n: Reply(body=json.dumps(whole).encode())


def test_a_question_asks_for_structured_output_and_its_answer_is_counted(ask):
    got, asked = ask(lambda _request, _n: YES, KEY)
    (one,) = asked

    assert got == Answered("yes", 100, 10)
    assert one.path == "/v1/chat/completions"
    assert one.headers["Authorization"] == f"Bearer {KEY}"
    form = one.content["response_format"]
    assert form["type"] == "json_schema"
    assert form["json_schema"]["strict"]
    assert form["json_schema"]["schema"] == SCHEMA
    assert one.content["temperature"] == 0


def test_without_a_key_none_is_sent_and_none_is_looked_for_elsewhere(ask, tmp_path, monkeypatch):
    netrc = tmp_path / ".netrc"
    netrc.write_text("machine 127.0.0.1 login joe password hunter2hunter2\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    _, asked = ask(lambda _request, _n: YES)

    assert "Authorization" not in asked[0].headers


@pytest.mark.parametrize(
    ("complaint", "gone", "instead"),
    [
        pytest.param("response_format is not supported", {"response_format"}, set(), id="format"),
        pytest.param("json_schema: unknown", {"response_format"}, set(), id="schema"),
        pytest.param("Bad request", {"response_format"}, set(), id="unnamed"),
        pytest.param("'temperature' does not support 0", {"temperature"}, set(), id="temperature"),
        pytest.param(
            "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
            {"max_tokens"},
            {"max_completion_tokens"},
            id="max_tokens",
        ),
    ],
)
@pytest.mark.parametrize("status", [400, 422])
def test_what_an_endpoint_does_not_take_is_left_out(ask, complaint, gone, instead, status):
    got, (first, second) = ask(failing(status, complaint, times=1))

    assert isinstance(got, Answered)
    assert set(first.content) - set(second.content) == gone
    assert set(second.content) - set(first.content) == instead


def test_an_endpoint_that_takes_nothing_is_not_asked_for_ever(ask):
    got, asked = ask(failing(400, "temperature, max_completion_tokens, response_format"))

    assert isinstance(got, Unanswered)
    assert "refused the request" in got.why
    assert len(asked) == 4


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        pytest.param((("Retry-After", "7"),), [7.0, 7.0], id="seconds"),
        pytest.param((("Retry-After", "Thu, 01 Jan 1970 00:00:09 GMT"),), [9.0, 9.0], id="date"),
        pytest.param((), [1.0, 2.0], id="nothing said"),
    ],
)
def test_a_busy_endpoint_is_asked_again_when_it_says_so(ask, waits, headers, expected):
    got, asked = ask(failing(429, "slow down", headers, times=2))

    assert isinstance(got, Answered)
    assert waits == expected
    assert len(asked) == 3


@pytest.mark.parametrize(
    ("play", "n_asked", "is_hopeless", "words"),
    [
        pytest.param(failing(429), 4, True, "429", id="busy for good"),
        pytest.param(failing(429, headers=(("Retry-After", "9999"),)), 1, True, "429", id="hours"),
        pytest.param(failing(503), 4, False, "503", id="broken"),
        pytest.param(failing(401), 1, True, "401", id="key"),
        pytest.param(failing(404), 1, True, "404", id="address"),
        pytest.param(
            failing(307, headers=(("Location", "http://127.0.0.1:9/"),)), 1, True, "307", id="moved"
        ),
    ],
)
def test_an_endpoint_that_does_not_answer_is_given_up(ask, play, n_asked, is_hopeless, words):
    got, asked = ask(play)

    assert isinstance(got, Unanswered)
    assert words in got.why
    assert got.is_hopeless is is_hopeless
    assert len(asked) == n_asked


@pytest.mark.parametrize(
    ("play", "words"),
    [
        pytest.param(completion(message={"content": "{"}, finish_reason="length"), "cut off"),
        pytest.param(completion(message={"content": "x"}, finish_reason="content_filter"), "refus"),
        pytest.param(completion(message={"content": None, "refusal": "I can't"}), "refused"),
        pytest.param(completion(message={"content": " "}), "empty"),
        pytest.param(completion(message={"content": [1]}), "empty"),
        pytest.param(completion(message="yes"), "no chat completion"),
        pytest.param(lambda _r, _n: Reply(body=b'{"choices": {}}'), "no chat completion"),
        pytest.param(lambda _r, _n: Reply(body=b"<html>"), "no JSON"),
        pytest.param(lambda _r, _n: Reply(body=b"[" * 100_000), "no JSON"),
        pytest.param(lambda _r, _n: Reply(body=b"\xff\xfe"), "no JSON"),
        pytest.param(lambda _r, _n: Reply(body=b"{}", length=400), "not whole"),
        pytest.param(lambda _r, _n: Reply(body=b" " * (5 << 20)), "not whole"),
    ],
)
def test_what_is_no_whole_answer_is_none(ask, play, words):
    got, _ = ask(play)

    assert isinstance(got, Unanswered)
    assert words in got.why


def test_an_endpoint_that_is_down_is_said_to_be(waits):
    with playing(lambda _request, _n: YES) as model:
        url = model.url
    got = Endpoint(url, "m", KEY, replace(PATIENCE, sleep=waits.append)).ask(MESSAGES, SCHEMA)

    assert got == Unanswered("the endpoint could not be reached", is_hopeless=True)
    assert waits == [1.0, 2.0, 4.0]


def test_a_key_that_an_endpoint_repeats_is_shown_nowhere(ask):
    odd = "a key of no vendor 7"
    for key in (KEY, odd):
        got, _ = ask(failing(401, f"Incorrect API key provided: {key}"), key)
        assert "401" in got.why
        assert key not in str(got)
    assert KEY not in repr(Endpoint("http://a/v1", "m", KEY))


@pytest.mark.parametrize(
    "url",
    [
        "",
        "a.org/v1",
        "ftp://a/v1",
        "file:///etc/passwd",
        "http://",
        "http://a:b/v1",
        "http://a/?k=1",
    ],
)
def test_what_is_no_address_is_refused(url):
    with pytest.raises(UsageError, match="--judge-url"):
        Endpoint(url)


def test_a_password_in_an_address_is_refused_and_not_repeated():
    with pytest.raises(UsageError, match="password") as refused:
        Endpoint("https://joe:hunter2hunter2@a.org/v1")
    assert "hunter2" not in str(refused.value)
    assert KEY_NAME in str(refused.value)


def test_a_key_that_is_no_line_of_ascii_is_refused_and_not_repeated(monkeypatch):
    monkeypatch.setenv(KEY_NAME, "hunter2\nX-Evil: 1")
    with pytest.raises(UsageError) as refused:
        key_in_environment(KEY_NAME)
    assert "hunter2" not in str(refused.value)
    monkeypatch.setenv(KEY_NAME, " \n")
    assert key_in_environment(KEY_NAME) is None


@pytest.mark.parametrize(
    ("listed", "found"),
    [
        pytest.param([{"id": MODEL}], MODEL, id="one"),
        pytest.param([{"id": "a"}, {"id": "b"}], None, id="two"),
        pytest.param([], None, id="none"),
        pytest.param("a", None, id="no list"),
    ],
)
def test_the_only_model_needs_no_name(listed, found):
    body = json.dumps({"data": listed}).encode()
    with playing(lambda _request, _n: Reply(body=body)) as model:
        if found is None:
            with pytest.raises(UsageError, match="one model"):
                Endpoint(model.url).named()
        else:
            assert Endpoint(model.url).named().model == found
            assert model.asked[0].path == "/v1/models"
