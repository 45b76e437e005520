"""Texts scored by servers: windows, refusals, waits, resumption, answers that go wrong later."""

from __future__ import annotations

import itertools
import json
import socket
import threading
import time

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from competitions.downloads import Patience
from competitions.errors import ModelServerError, ScoringError, UsageError
from detectors.familiarity.backend import Plan
from detectors.familiarity.cache import ScoreCache
from detectors.familiarity.scoring import score_texts
from detectors.familiarity.servers.asked_text import Asking, scores_of
from detectors.familiarity.servers.client import (
    MODEL_KEY,
    PATIENCE,
    Client,
    Refused,
)
from detectors.familiarity.servers.opening import fitted
from detectors.familiarity.servers.pieces import Piece
from detectors.familiarity.servers.probing import open_server
from detectors.familiarity.servers.server_model import N_PARALLEL
from detectors.familiarity.texts import Text
from detectors.json_http import key_in_environment
from tests.audit.runner.model_server import Reply
from tests.detectors.familiarity.servers.loopback import KINDS, numbers_of, serving, tokens_of

PLAN = Plan(window=96, stride=64, statistics=False)
N_TESTED = 3  # prompts of the self-test
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def fresh_words(count, start=0):
    """Write words none of which comes twice, some with letters of several bytes."""
    names = itertools.islice(itertools.product(LETTERS, repeat=4), start, start + 7 * count, 7)
    return " ".join("".join(n) + ("é" if i % 9 == 0 else "") for i, n in enumerate(names))


TEXT = Text("long", fresh_words(240))


def opened(url, tmp_path, **more):
    more = {"key": None, "announce": lambda _: None, **more}
    return open_server(url, cache=tmp_path, **more)


@pytest.mark.parametrize(
    ("kind", "bos"),
    [
        ("tgi", True),
        ("vllm", False),
        *(pytest.param(k, bos, marks=pytest.mark.slow) for k in KINDS for bos in (True, False)),
    ],
)
def test_a_text_longer_than_the_window_has_every_token_once(kind, bos, tmp_path):
    with serving(kind, bos=bos) as (url, server):
        (scores,) = score_texts(opened(url, tmp_path), [TEXT], PLAN)
        asked = [tokens_of(prompt) for prompt in server.prompts[-5:]]

    tokens = tokens_of(TEXT.content)
    expected = numbers_of(["<s>"] * bos + tokens)[bos:]
    assert scores.n_tokens == len(tokens)
    assert np.array_equal(scores.log_probability, np.array(expected, float), equal_nan=True)
    assert (scores.end[:-1] >= scores.start[1:]).all()
    assert scores.end[-1] == len(TEXT.content)
    assert np.isnan(scores.mean).all()
    assert np.isfinite(scores.rank[1:]).all() == (kind == "vllm")
    assert all(len(one) <= 1.6 * PLAN.window for one in asked)


def test_texts_are_asked_about_four_at_a_time_at_most(tmp_path, monkeypatch):
    texts = [Text(str(n), fresh_words(8, 100 * n)) for n in range(9)]
    at_once, most = 0, 0
    lock = threading.Lock()
    with serving("sglang") as (url, server):
        model = opened(url, tmp_path)
        answer = server._answered

        def counted(prompt):
            nonlocal at_once, most
            with lock:
                at_once += 1
                most = max(most, at_once)
            time.sleep(0.02)
            with lock:
                at_once -= 1
            return answer(prompt)

        monkeypatch.setattr(server, "_answered", counted)
        found = score_texts(model, texts, PLAN)

    assert 1 < most <= N_PARALLEL
    assert [s.text_sha256 for s in found] == [t.sha256 for t in texts]


def test_a_stretch_that_is_refused_as_too_long_is_asked_shorter(tmp_path):
    with serving("openai", context=260) as (url, server):
        (scores,) = score_texts(opened(url, tmp_path), [TEXT], Plan(220, 160, statistics=False))
        longest = max(len(tokens_of(p)) for p in server.prompts)

    assert scores.n_tokens == len(tokens_of(TEXT.content))
    assert longest >= 260


def test_the_window_of_a_short_context_leaves_room(tmp_path):
    with serving(context=250) as (url, _):
        model = opened(url, tmp_path)
        plan = fitted(Plan(), model)
        (scores,) = score_texts(model, [TEXT], plan)

    assert (plan.window, plan.statistics) == (212, False)
    assert scores.n_tokens == len(tokens_of(TEXT.content))


def test_text_without_a_space_is_cut_and_scored(tmp_path):
    text = Text("cjk", "".join(chr(0x4E00 + i * 7) for i in range(300)))
    with serving("sglang") as (url, _):
        (scores,) = score_texts(opened(url, tmp_path), [text], PLAN)

    assert scores.n_tokens == 900
    assert scores.end[-1] == 300


@settings(max_examples=40, deadline=None)
@given(
    st.text(st.sampled_from("abcde   .7é世🎉\n"), min_size=1, max_size=200),
    st.integers(16, 40),
    st.booleans(),
)
def test_any_text_is_covered_from_its_first_character_to_its_last(content, window, bos):
    assume(content.strip())

    def ask(prompt):
        texts = [*["<s>"] * bos, *tokens_of(prompt)]
        return [Piece(t, -1.0 if place else None) for place, t in enumerate(texts)]

    plan = Plan(window, max(1, window * 3 // 4), statistics=False)
    scores = scores_of(Text("t", content), plan, Asking(ask, bos, "m"))

    assert scores.start[0] == 0
    assert scores.end[-1] == len(content)
    assert (np.diff(scores.start) >= 0).all()
    # Where a window begins within a word, a token that the one before had in part is left out.
    assert (scores.start[1:] - scores.end[:-1] < len(" abcde")).all()
    assert np.isfinite(scores.log_probability[1:]).all()


def test_what_was_scored_before_the_server_went_is_not_asked_again(tmp_path):
    texts = [Text(name, fresh_words(20, start)) for name, start in (("a", 0), ("b", 300))]
    gone = Reply(status=503, headers=(("Retry-After", "7"),))
    waits: list[float] = []
    cache = ScoreCache(tmp_path / "scores")
    with serving() as (url, server):
        model = opened(url, tmp_path, pause=waits.append)
        score_texts(model, texts[:1], PLAN, cache=cache)
        server.replies = dict.fromkeys(range(server.n_asked, 999), gone)
        with pytest.raises(ModelServerError, match=r"503.*\n.*goes on from there"):
            score_texts(model, texts, PLAN, cache=cache)
        server.replies = {}
        n_asked = len(server.prompts)
        found = score_texts(opened(url, tmp_path), texts, PLAN, cache=cache)

    assert [s.text_sha256 for s in found] == [t.sha256 for t in texts]
    assert waits == [7.0] * (PATIENCE.tries - 1)
    assert server.prompts[n_asked + N_TESTED :] == [texts[1].content]


@pytest.mark.parametrize(
    ("status", "headers", "expected"),
    [
        pytest.param(429, (("Retry-After", "3"),), [3.0, 3.0], id="429 that says when"),
        pytest.param(429, (), [1.0, 2.0], id="429"),
        pytest.param(502, (), [1.0, 2.0], id="502"),
    ],
)
def test_a_busy_server_is_asked_again(status, headers, expected, tmp_path):
    waits: list[float] = []
    busy = Reply(status=status, headers=headers)
    with serving(replies={0: busy, 1: busy}) as (url, _):
        opened(url, tmp_path, pause=waits.append)

    assert waits == expected


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        pytest.param(Reply(body=b"{}"), "no prompt_logprobs", id="nothing"),
        pytest.param(Reply(body=b"<html>"), "sent no JSON", id="no json"),
        pytest.param(
            Reply(
                body=b'{"choices": [{"prompt_logprobs": [{"1": {"logprob": -1%s}}]}]}'
                % (b"0" * 400)
            ),
            "no prompt_logprobs",
            id="no float",
        ),
        pytest.param(
            Reply(body=json.dumps({"choices": [{"prompt_logprobs": [None]}]}).encode()),
            "end after",
            id="prompt cut",
        ),
        pytest.param(Reply(status=404, body=b'{"error": "gone"}'), "gone", id="model gone"),
        pytest.param(
            Reply(status=400, body=b'{"error": "no"}'),
            r"no stretch of it of 95 tokens \(no\)",
            id="refused",
        ),
    ],
)
def test_an_answer_that_goes_wrong_later_ends_the_scoring(reply, words, tmp_path):
    with serving() as (url, server):
        model = opened(url, tmp_path)
        server.replies = dict.fromkeys(range(server.n_asked, 999), reply)
        with pytest.raises(ScoringError, match=words):
            score_texts(model, [TEXT], PLAN)


def test_a_server_that_is_not_there_is_told(tmp_path):
    with serving() as (url, _):
        pass
    waits: list[float] = []
    with pytest.raises(ModelServerError, match="found none that answers"):
        opened(url, tmp_path, pause=waits.append)
    assert waits == [1.0]


def test_a_server_that_goes_away_is_waited_for(tmp_path):
    waits: list[float] = []
    with serving() as (url, _):
        model = opened(url, tmp_path, pause=waits.append)
    with pytest.raises(ModelServerError, match="found none that answers"):
        score_texts(model, [TEXT], PLAN)
    assert waits == [1.0, 2.0, 4.0, 8.0, 16.0]


def test_a_server_that_does_not_answer_in_time_is_told(tmp_path):
    waits: list[float] = []
    patience = Patience(tries=2, timeout_s=0.05)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(ModelServerError, match=r"no answer in time\.\n.*goes on from there"):
            opened(url, tmp_path, pause=waits.append, patience=patience)
    assert waits == [1.0]


def test_a_key_is_sent_and_never_shown(tmp_path):
    key = "a key of no vendor 7"
    with serving() as (url, server):
        model = opened(url, tmp_path, key=key)
        assert server.model is not None
        assert all(one.headers["Authorization"] == f"Bearer {key}" for one in server.model.asked)
    assert key not in repr(model)
    refusing = Reply(status=401, body=json.dumps({"error": f"wrong key {key}"}).encode())
    with (
        serving(replies={0: refusing}) as (url, _),
        pytest.raises(ModelServerError, match=f"401.*\n.*{MODEL_KEY}") as refused,
    ):
        opened(url, tmp_path, key=key)
    assert key not in str(refused.value)
    with serving(replies={0: Reply(status=418, body=key.encode())}) as (url, _):
        assert Client(url, key).get("/v1/models") == Refused(418, "[key]")


def test_a_password_or_a_key_that_is_no_line_is_refused_and_not_repeated(monkeypatch, tmp_path):
    with pytest.raises(UsageError, match="without a name or password") as refused:
        opened("https://joe:hunter2hunter2@a.org", tmp_path)
    assert "hunter2" not in str(refused.value)
    monkeypatch.setenv(MODEL_KEY, "hunter2\nX-Evil: 1")
    with pytest.raises(UsageError) as refused:
        key_in_environment(MODEL_KEY)
    assert "hunter2" not in str(refused.value)
