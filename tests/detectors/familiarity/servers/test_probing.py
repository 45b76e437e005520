"""Servers found out by trying: right ones are asked their way, wrong ones refused with why."""

from __future__ import annotations

import json

import pytest

from competitions.errors import ModelServerError, UsageError
from detectors.familiarity.servers.fingerprints import weights_of
from detectors.familiarity.servers.probing import open_server
from tests.audit.runner.model_server import Reply
from tests.detectors.familiarity.servers.loopback import FAULTS, KINDS, serving

WAYS = {
    "vllm": "prompt_logprobs (vLLM)",
    "sglang": "input_token_logprobs (SGLang)",
    "tgi": "prefill (TGI)",
    "openai": "echo (OpenAI completions)",
}
REASONS = {
    "shifted to the left": "shifted along its tokens",
    "shifted to the right": "shifted along its tokens",
    "of the place behind": "not those of its tokens",
    "null missing": "though nothing stands before it",
    "one number less": "though nothing stands before it",
    "-9999": "gives -9999 for token 20",
    "nan": "gives nan for token 20",
    "above certainty": "gives 0.5 for token 20",
    "prompt cut at its beginning": "where the prompt goes on with",
    "prompt cut at its end": "that the prompt does not have",
    "bos twice": "BOS is added twice",
    "nulls from the cache": "it gives no number for token 1",
    "numbers from the cache": "numbers of the one before",
    "bytes lost": "where the prompt goes on with 'ürich",
}


def opened(url, tmp_path, said=None, **more):
    more = {"key": None, "announce": (said if said is not None else []).append, **more}
    return open_server(url, cache=tmp_path, **more)


@pytest.mark.parametrize("bos", [True, False], ids=["bos", "no bos"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_right_server_is_asked_in_its_own_way(kind, bos, tmp_path):
    said: list[str] = []
    with serving(kind, bos=bos) as (url, _):
        model = opened(url, tmp_path, said)

    assert model.interface.name == WAYS[kind]
    assert (model.identity.bos is not None) is bos
    assert model.served == "copier"
    (line,) = said
    assert WAYS[kind] in line
    assert "self-test passed" in line


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize(
    "kind", ["vllm", *(pytest.param(kind, marks=pytest.mark.slow) for kind in KINDS[1:])]
)
def test_a_wrong_server_is_refused_with_what_is_wrong(kind, fault, tmp_path):
    with serving(kind, fault) as (url, _), pytest.raises(ModelServerError) as refused:
        opened(url, tmp_path)

    assert REASONS[fault] in str(refused.value).partition(f"{WAYS[kind]}: ")[2]


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        pytest.param("llama.cpp", "This is llama.cpp: its server ignores echo", id="llama.cpp"),
        pytest.param("ollama", "This is Ollama: it returns numbers of generated", id="ollama"),
        pytest.param("chat", "It has a chat endpoint only", id="chat"),
    ],
)
def test_a_server_that_cannot_is_refused_with_why(kind, words, tmp_path):
    with serving(kind) as (url, _), pytest.raises(ModelServerError) as refused:
        opened(url, tmp_path)

    assert words in str(refused.value)
    assert "Servers that can" in str(refused.value)


def test_prefill_that_is_switched_off_is_told_with_the_option_that_switches_it_on(tmp_path):
    empty = Reply(body=json.dumps({"details": {"prefill": []}}).encode())
    replies = dict.fromkeys(range(2, 20), empty)
    with (
        serving("tgi", replies=replies) as (url, _),
        pytest.raises(ModelServerError, match="enable-prefill-logprobs"),
    ):
        opened(url, tmp_path)


def test_what_a_server_says_of_itself_is_taken(tmp_path):
    with serving("tgi", context=1000) as (url, _):
        model = opened(url, tmp_path)

    assert model.identity.dtype == "float16"
    assert model.context == 850  # room for stretches that turn out longer


@pytest.mark.parametrize(
    ("names", "wanted", "words"),
    [
        pytest.param(["a", "b"], "", "expected one model, found a, b", id="several"),
        pytest.param(["a", "b"], "#c", "expected a model c, found a, b", id="another"),
    ],
)
def test_one_of_several_models_must_be_named(names, wanted, words, tmp_path):
    listed = Reply(body=json.dumps({"data": [{"id": name} for name in names]}).encode())
    with (
        serving(replies={0: listed}) as (url, _),
        pytest.raises(ModelServerError, match=words),
    ):
        opened(url + wanted, tmp_path)


def test_the_model_that_is_named_is_asked(tmp_path):
    listed = Reply(body=json.dumps({"data": [{"id": "a/b"}, {"id": "copier"}]}).encode())
    with serving(replies={0: listed}) as (url, server):
        model = opened(url + "/v1#a/b", tmp_path)

    assert model.served == "a/b"
    assert server.model is not None
    assert server.model.asked[-1].content["model"] == "a/b"


@pytest.mark.parametrize(
    "url",
    ["ftp://a", "http://", "http://a:b", "http://a?k=1"],
    ids=["ftp", "no host", "port", "query"],
)
def test_what_is_no_address_is_refused(url, tmp_path):
    with pytest.raises(UsageError, match="Expected a server"):
        opened(url, tmp_path)


def test_the_same_answers_are_of_the_same_model_and_others_of_another(tmp_path):
    answer = [-1.0, -2.0, -3.0]
    first = weights_of(tmp_path, ("m", "t"), answer)

    assert weights_of(tmp_path, ("m", "t"), [-1.01, -2.0, -3.02]) == first
    other = weights_of(tmp_path, ("m", "t"), [-1.2, -2.1, -3.0])
    assert other != first
    assert weights_of(tmp_path, ("m", "t"), answer) == first
    assert weights_of(tmp_path, ("m", "u"), answer) != first
    (place, *_) = tmp_path.glob("*.json")
    place.write_text("[")
    assert weights_of(tmp_path, ("m", "t"), answer) == first
