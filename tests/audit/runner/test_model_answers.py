"""What answers of a model say of themselves is read however they are cut."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.runner.model_answers import MAX_READ_BYTES, Answer, Masker, hosted_tool

KEY = "sk-aab-aac"


def cut(content: bytes, at: list[int]) -> list[bytes]:
    marks = [0, *sorted({a % (len(content) + 1) for a in at}), len(content)]
    return [content[a:b] for a, b in pairwise(marks)]


def read(content: bytes, at: list[int] = (), *, is_stream: bool) -> tuple[object, ...]:  # type: ignore[assignment]
    answer = Answer(is_stream)
    for block in cut(content, at):
        answer.feed(block)
    answer.end()
    return answer.model, answer.tokens_in, answer.tokens_out


CUTS = st.lists(st.integers(0, 1000), max_size=8)


@given(st.lists(st.sampled_from([KEY, "s", "sk-a", "ab-aac", "x", "sk-aab-aa"])), CUTS)
def test_a_key_is_taken_out_wherever_the_pieces_are_cut_and_nothing_else_is(parts, at):
    content = "".join(parts).encode()
    masker = Masker(KEY)
    shown = b"".join(masker.feed(block) for block in cut(content, at)) + masker.end()
    assert shown == content.replace(KEY.encode(), b"*" * len(KEY))


@given(st.binary(max_size=60), CUTS)
def test_without_a_key_all_passes_at_once(content, at):
    masker = Masker(None)
    assert [masker.feed(block) for block in cut(content, at)] == cut(content, at)


def events(*objects: object) -> bytes:
    return b"".join(f"event: x\r\ndata: {json.dumps(o)}\r\n\r\n".encode() for o in objects)


@pytest.mark.parametrize(
    ("content", "found"),
    [
        pytest.param(
            {"model": "m", "usage": {"prompt_tokens": 3, "completion_tokens": 4}},
            ("m", 3, 4),
            id="openai-chat",
        ),
        pytest.param(
            {"model": "m", "usage": {"input_tokens": 3, "output_tokens": 4}},
            ("m", 3, 4),
            id="openai-responses-and-anthropic",
        ),
        pytest.param(
            {
                "modelVersion": "g",
                "usageMetadata": {"promptTokenCount": 3, "candidatesTokenCount": 4},
            },
            ("g", 3, 4),
            id="gemini",
        ),
        pytest.param({"error": {"message": "no"}}, (None, None, None), id="error"),
        pytest.param({"model": 7, "usage": {"prompt_tokens": "3"}}, (None, None, None), id="types"),
        pytest.param({"usage": {"prompt_tokens": -1}}, (None, None, None), id="negative"),
        pytest.param({"usage": {"prompt_tokens": True}}, (None, None, None), id="bool"),
        pytest.param([], (None, None, None), id="list"),
    ],
)
def test_an_answer_names_its_model_and_its_tokens(content, found):
    assert read(json.dumps(content).encode(), is_stream=False) == found


@given(CUTS)
def test_a_stream_is_read_wherever_it_is_cut(at):
    openai = {
        "type": "response.completed",
        "response": {"model": "o", "usage": {"input_tokens": 5}},
    }
    first = {"message": {"model": "a", "usage": {"input_tokens": 9, "output_tokens": 1}}}
    more = {"usage": {"output_tokens": 30}}
    assert read(events({}, openai), at, is_stream=True) == ("o", 5, None)
    assert read(events(first, more) + b"data: [DONE]", at, is_stream=True) == ("a", 9, 30)


@given(st.binary(max_size=200), CUTS, st.booleans())
def test_no_answer_is_a_fault(content, at, is_stream):
    read(content, at, is_stream=is_stream)


def test_what_is_too_large_to_read_is_passed_over_and_not_kept():
    whole, stream = Answer(is_stream=False), Answer(is_stream=True)
    for _ in range(12):
        whole.feed(b" " * (1 << 20))
        stream.feed(b" " * (1 << 20))
    assert len(whole._held) <= MAX_READ_BYTES + (1 << 20)
    assert len(stream._held) <= MAX_READ_BYTES
    stream.feed(b"\n" + events({"model": "m"}))
    stream.end()
    whole.end()
    assert (stream.model, whole.model) == ("m", None)


def test_a_search_among_tools_is_the_agents_own():
    assert hosted_tool({"tools": [{"type": "tool_search_tool_regex_20251119"}]}) is None
