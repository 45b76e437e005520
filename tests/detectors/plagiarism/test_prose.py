"""What counts as words of prose, and that disguises and markup change nothing of it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from detectors.plagiarism.comments import comments_of, document_shingles
from detectors.plagiarism.documents import document_from
from detectors.plagiarism.fingerprints import run_hashes
from detectors.plagiarism.prose import RUN_WORDS, hashes_of, prose_shingles, sentences_of
from tests.detectors.plagiarism.prose_texts import (
    COLUMNS,
    DESCRIPTION,
    GUIDE,
    HONEST,
    MIT,
    THANKS,
    WRITE_UP,
)

SAID = "We encode every party by the average bill of its other members and stack five models."


def words(text: str) -> list[str]:
    return [word for s in sentences_of(text) for word in s.text.split(" ")]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(SAID.upper(), id="capitals"),
        pytest.param(f"> > x\n\n{SAID}", id="after-a-quotation"),
        pytest.param(SAID.replace("every", "**every**").replace("bill", "`bill`"), id="emphasis"),
        pytest.param(f"<div style='color: red'>{SAID}</div>", id="html"),
        pytest.param(SAID.replace("five", "five 5.0 $x_1 = 2$"), id="numbers-and-formulas"),
        pytest.param(SAID.replace("party", "party (https://a.b/c?d=e)"), id="addresses"),
        pytest.param(SAID.replace(" ", "\n# "), id="a-word-a-line"),
        pytest.param(SAID.replace("a", "á").replace("e", "e\u0301"), id="accents"),
        pytest.param(SAID.replace("party", "p\u200barty"), id="no-width"),
        pytest.param(SAID.replace("party", "p\u0430rty"), id="cyrillic-look-alike"),
        pytest.param(f"![x](data:image/png;base64,{'iVBORw0KGgo' * 40})\n{SAID}", id="a-picture"),
        pytest.param(f"```python\nx = f(1)\n```\n{SAID}", id="after-fenced-code"),
        pytest.param(f"<style>p {{ color: red }}</style>\n{SAID}", id="after-a-style-sheet"),
    ],
)
def test_the_same_words_have_the_same_shingles(text):
    ours = set(prose_shingles(SAID).hashes.tolist())

    assert ours <= set(prose_shingles(text).hashes.tolist())
    assert len(ours) == len(words(SAID)) - RUN_WORDS + 1


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(MIT, id="licence"),
        pytest.param("# " + MIT.replace("\n", "\n# "), id="licence-in-comments"),
        pytest.param("Licensed under the Apache License, Version 2.0 (the 'License')", id="apache"),
        pytest.param(THANKS, id="thanks"),
        pytest.param("\n".join(f"> {line}" for line in GUIDE.split("\n")), id="quotation"),
        pytest.param("| a table | of many words |\n|---|---|\n| and | more of them |", id="table"),
        pytest.param(
            "This Python 3 environment comes with many helpful analytics libraries installed\n"
            "It is defined by the kaggle/python Docker image: https://github.com/kaggle/docker",
            id="kaggles-first-cell",
        ),
        pytest.param("```\n" + GUIDE + "\n```", id="fenced"),
        pytest.param("", id="nothing"),
        pytest.param("1 2 3.5 -4e9 0x1F\n" * 50, id="numbers"),
    ],
)
def test_what_everybody_writes_has_no_shingles(text):
    assert len(prose_shingles(text).hashes) == 0


def test_a_list_of_columns_leaves_its_heading_alone():
    assert words(COLUMNS) == ["the", "columns", "are"]


@pytest.mark.parametrize("text", [WRITE_UP, HONEST, DESCRIPTION, GUIDE])
def test_prose_stays(text):
    assert len(words(text)) > 0.95 * len(text.replace("#", "").split())


def test_sentences_stand_at_their_lines():
    found = sentences_of("# One title\r\n\r\nFirst sentence. Second!\n> quoted\nThird")

    assert [(s.line, s.text) for s in found] == [
        (1, "one title"),
        (3, "first sentence"),
        (3, "second"),
        (5, "third"),
    ]


@given(st.text(max_size=400))
def test_sentences_hold_the_words_of_the_shingles(text):
    made = run_hashes(hashes_of(words(text)), RUN_WORDS)

    assert np.array_equal(made, prose_shingles(text).hashes)


@given(st.text(max_size=300))
def test_lines_of_sentences_are_lines_of_the_text(text):
    n_lines = text.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1

    assert all(1 <= s.line <= n_lines for s in sentences_of(text))


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        pytest.param("# We fill ages with the median", True, id="a-sentence"),
        pytest.param("    # indented as well", True, id="indented"),
        pytest.param("#### banner of words", True, id="banner"),
        pytest.param("# x = f(1)", False, id="code-put-aside"),
        pytest.param("# import pandas as pd", False, id="an-import"),
        pytest.param("# for row in rows:", False, id="a-loop"),
        pytest.param("# for a start we look at rows", True, id="for-in-a-sentence"),
        pytest.param("x = 1  # a comment beside code", False, id="beside-code"),
        pytest.param("# todo", False, id="one-word"),
        pytest.param("#!/usr/bin/env python", False, id="shebang"),
        pytest.param("x = '''\nnot a comment\n'''", False, id="a-string"),
        pytest.param("'''\nwhat it does\n'''", True, id="docstring"),
        pytest.param('    """What it does."""', True, id="docstring-of-a-line"),
        pytest.param('"""never closed', False, id="docstring-without-end"),
    ],
)
def test_comments_are_lines_that_say_something(line, kept):
    said = comments_of(f"y = 2\n{line}\nz = 3")

    assert bool(said.strip()) == kept
    assert said.count("\n") == line.count("\n") + 2


def test_comments_of_sql_begin_otherwise():
    assert comments_of("-- all the sleepers\nselect 1", "sql") == "all the sleepers\n"


def test_a_documents_comments_are_hashed_with_its_prose():
    text = "\n".join(f"# {line}" for line in WRITE_UP.split("\n"))
    script, page = (document_from(n, t.encode()) for n, t in (("a.py", text), ("a.md", WRITE_UP)))
    shared = np.isin(document_shingles(page), document_shingles(script))

    assert shared.mean() > 0.95
