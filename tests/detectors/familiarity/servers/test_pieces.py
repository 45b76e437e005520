"""Decoded tokens laid on the prompt: broken characters, lost spaces, and what does not fit."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from detectors.familiarity.servers.pieces import BROKEN, Piece, lay
from tests.detectors.familiarity.servers.loopback import tokens_of


def pieces(texts):
    return [Piece(text, -1.0 if place else None) for place, text in enumerate(texts)]


@pytest.mark.parametrize(
    ("prompt", "texts", "n_before", "offsets"),
    [
        pytest.param("a cat", ["a", " cat"], 0, [[0, 1], [1, 5]], id="plain"),
        pytest.param("a cat", ["<s>", "a", " cat"], 1, [[0, 1], [1, 5]], id="bos"),
        pytest.param("a cat", ["", "a", " cat"], 1, [[0, 1], [1, 5]], id="bos of no letters"),
        pytest.param("a cat", [None, "a", " cat"], 1, [[0, 1], [1, 5]], id="nameless bos"),
        pytest.param("a cat", [None, " cat"], 0, [[0, 1], [1, 5]], id="nameless first word"),
        pytest.param("a cat", ["<s>", "a", "cat"], 1, [[0, 1], [1, 5]], id="space lost"),
        pytest.param("a   c ", ["a", "  ", "c"], 0, [[0, 1], [1, 3], [3, 6]], id="spaces lost"),
        pytest.param("aé b", ["a", BROKEN, BROKEN, " b"], 0, [[0, 1], [1, 2], [1, 2], [2, 4]]),
        pytest.param("a é", ["a", f" {BROKEN}", BROKEN], 0, [[0, 1], [1, 3], [1, 3]], id="end"),
        pytest.param("é!", ["", "é", "!"], 1, [[0, 1], [1, 2]], id="nothing first is bos"),
        pytest.param("aé!", ["a", "", "é", "!"], 0, [[0, 1], [1, 2], [1, 2], [2, 3]], id="empty"),
        pytest.param(f"a{BROKEN}b", ["a", BROKEN, "b"], 0, [[0, 1], [1, 2], [2, 3]], id="real"),
        pytest.param("<s>a", ["<s>", "<s>", "a"], 1, [[0, 3], [3, 4]], id="bos and its name"),
    ],
)
def test_pieces_are_laid_on_the_characters_they_are_of(prompt, texts, n_before, offsets):
    laid = lay(prompt, pieces(texts))

    assert not isinstance(laid, str)
    assert (laid.n_before, laid.offsets.tolist()) == (n_before, offsets)


@pytest.mark.parametrize(
    ("prompt", "texts", "words"),
    [
        pytest.param("a cat", [], "names no token", id="none"),
        pytest.param("a cat", ["a"], "end after 1 of 5", id="end missing"),
        pytest.param("a cat", [" cat"], "end after 0 of 5", id="beginning"),
        pytest.param("a cat", ["a", " cat", "s"], "behind the end of the prompt", id="more"),
        pytest.param("a cat", ["<s>", "<s>", "a", " cat"], "BOS is added twice", id="bos twice"),
        pytest.param("a cat", [None, "<s>", "a", " cat"], "BOS is added twice", id="nameless"),
        pytest.param("a cat", ["a", BROKEN], "that the prompt does not have", id="broken end"),
        pytest.param(
            "one two three four", [None, " four"], "where the prompt goes on", id="words missing"
        ),
        pytest.param("a\ncat", ["a", "cat"], r"where the prompt goes on with '\ncat'", id="line"),
    ],
)
def test_what_is_not_the_prompt_is_said(prompt, texts, words):
    said = lay(prompt, pieces(texts))

    assert isinstance(said, str)
    assert words in said


@settings(max_examples=60, deadline=None)
@given(st.text(st.sampled_from("ab .é世🎉\n"), min_size=1, max_size=40))
def test_every_character_is_covered_once_and_in_order(prompt):
    laid = lay(prompt, pieces(["<s>", *tokens_of(prompt)]))

    assert not isinstance(laid, str)
    ends = laid.offsets[:, 1].tolist()
    assert ends == sorted(ends)
    assert ends[-1] == len(prompt)
    starts = laid.offsets[:, 0].tolist()
    assert all(
        start in {before, laid.offsets[place, 0]}
        for place, (before, start) in enumerate(zip(ends, starts[1:], strict=False))
    )
