"""Evidence of a copy: both texts, whole or cut, with the lines of their passages."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from detectors.plagiarism.documents import document_from
from detectors.plagiarism.evidence import (
    MAX_LINE,
    MAX_WHOLE_BYTES,
    Significance,
    copied_passages,
    excerpt,
)
from detectors.plagiarism.statements import code_statements
from reports.schema import Provenance
from tests.detectors.plagiarism.prose_texts import HONEST, WRITE_UP
from tests.detectors.plagiarism.texts import OTHER, SOLUTION


class Shares(NamedTuple):
    share_of_source: float = 0.5
    share_of_file: float = 0.25


def document(name: str, text: str):
    return document_from(name, text.encode(), Provenance(author="somebody"))


def shown(text: str, start: int, line: int) -> str:
    return text.split("\n")[line - start]


def test_a_copy_is_laid_out_with_all_that_is_known():
    source = document("public/a.py", SOLUTION)
    found = copied_passages(
        document("code/b.py", f"{OTHER}\n{SOLUTION}"),
        source,
        source,
        Shares(),
        significance=Significance(0.01, 40),
        only_in_trajectory=True,
    )

    assert (found.path, found.source, found.provenance.author) == (
        "code/b.py", "public/a.py", "somebody",
    )  # fmt: skip
    assert (found.share_of_source, found.share_of_file) == (0.5, 0.25)
    assert (found.p, found.n_null, found.only_in_trajectory) == (0.01, 40, True)
    assert found.left_text == f"{OTHER}\n{SOLUTION}"
    assert (found.left_start, found.right_start) == (1, 1)
    assert found.longest_run > 100
    assert found.passages[-1].right_last == SOLUTION.count("\n")


def test_of_long_texts_the_passages_are_shown_at_their_lines():
    rows = "\n".join(f"row_{i} = table[{i}]['a name'] * {i}" for i in range(4_000))
    left = document("a.py", f"{rows}\n{SOLUTION}\n{rows}")
    right = document("b.py", f"{rows[: len(rows) // 2]}\n{SOLUTION}")
    rarity = np.ones(len(code_statements(left.code).hashes))
    found = copied_passages(left, right, right, Shares(), rarity=rarity)

    assert len(found.left_text.encode()) <= MAX_WHOLE_BYTES * 1.01
    for p in found.passages[:1]:
        assert shown(found.left_text, found.left_start, p.left_first) in left.code
    assert any(
        shown(found.left_text, found.left_start, n) == left.code.split("\n")[n - 1]
        for p in found.passages
        for n in range(p.left_first, p.left_last + 1)
        if found.left_start <= n < found.left_start + found.left_text.count("\n")
    )


def test_a_text_is_compared_with_the_comments_where_they_are_more_like_it():
    commented = "\n".join(f"# {line}" for line in WRITE_UP.split("\n"))
    right = document("b.py", f"{SOLUTION}\n{commented}")
    found = copied_passages(document("a.md", WRITE_UP), right, right, Shares(), channel="prose")

    assert found.right_text == right.code
    first = SOLUTION.count("\n") + 2
    assert {(p.left_first, p.right_first) for p in found.passages} == {(1, first)}


def test_where_all_that_is_shared_is_common_it_is_shown_all_the_same():
    right = document("b.py", SOLUTION)
    common = np.zeros(len(code_statements(SOLUTION).hashes))
    found = copied_passages(document("a.py", SOLUTION), right, right, Shares(), rarity=common)

    assert found.passages


def test_texts_that_share_nothing_have_no_passages():
    right = document("b.md", HONEST)
    found = copied_passages(document("a.md", WRITE_UP), right, right, Shares(), channel="prose")

    assert found.passages == ()
    assert found.left_text == WRITE_UP


def test_texts_that_no_document_can_hold_are_written_with_replacements():
    assert excerpt("a\ud800b", []).text == "a?b"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("x" * 50_000_000, id="one-line"),
        pytest.param("x = 1\n" * 1_000_000, id="a-million-lines"),
        pytest.param("ä" * 100_000 + "\n" + "b\n" * 100, id="letters-of-two-bytes"),
    ],
)
def test_a_long_text_is_cut(text):
    cut = excerpt(text, [(1, 1), (90, 99), (900_000, 900_009)])

    assert 0 < len(cut.text.encode()) <= MAX_WHOLE_BYTES * 1.01
    assert max(map(len, cut.text.split("\n"))) <= MAX_LINE + 2


@given(
    st.lists(st.text(alphabet="abc", max_size=30), min_size=1, max_size=60),
    st.lists(st.tuples(st.integers(1, 60), st.integers(0, 9)), max_size=5),
    st.integers(10, 400),
)
def test_lines_shown_keep_their_numbers(lines, ranges, most):
    text = "\n".join(lines)
    inside = [(a, min(a + b, len(lines))) for a, b in ranges if a <= len(lines)]
    cut = excerpt(text, inside, most)

    rows = cut.text.split("\n")
    assert 1 <= cut.start <= cut.start + len(rows) - 1 <= len(lines)
    for number, row in enumerate(rows, start=cut.start):
        assert row in {lines[number - 1], "", "…"}
